# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Folders of runs: those that the user names, and those in use, are neither removed nor overwritten."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from scapy.utils import PcapWriter

from live_run import ROOT, environment, run_argv
from ullnic.captures.opening import Capture
from ullnic.captures.plain import write_plain
from ullnic.errors import UllnicError
from ullnic.run import folder as folders
from ullnic.run.folder import FRAMES, KEPT_RUNS, MADE_BY_A_RUN, MARK, open_input, run_folder

WRITES = ("out.pcapng",)
# The command with a different folder for its runs: the tester's own runs stay unchanged.
ELSEWHERE = """
import pathlib, sys
from ullnic.run import folder
folder.RUNS = pathlib.Path(sys.argv.pop(1))
from ullnic.cli import main
sys.exit(main())
"""
HOLD = """
import pathlib, sys
from ullnic.run import folder
folder.RUNS = pathlib.Path(sys.argv[1])
with folder.run_folder(pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None, ()) as made:
    made.begin()
    print(made.path.name, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def runs(tmp_path, monkeypatch) -> Path:
    """Seven runs, a minute apart, the last of them just over; each with a capture."""
    path = tmp_path / "runs"
    for number in range(7):
        old_run(path, f"20260101-0000{number:02}", minutes_ago=7 - number)
    (path / "latest").symlink_to("20260101-000006")
    monkeypatch.setattr(folders, "RUNS", path)
    return path


def old_run(runs: Path, name: str, minutes_ago: int, mark: str | None = MADE_BY_A_RUN) -> Path:
    made = runs / name
    made.mkdir(parents=True)
    write_capture(made / "port-a.pcapng.pcap")
    if mark is not None:
        (made / MARK).write_text(mark)
        then_s = (made / MARK).stat().st_mtime - 60 * minutes_ago
        os.utime(made / MARK, (then_s, then_s))
    return made


def write_capture(path: Path, size_bytes: int = 100) -> None:
    with PcapWriter(str(path), linktype=1) as writer:
        writer.write(bytes(size_bytes))


def names(runs: Path) -> list[str]:
    return sorted(path.name for path in runs.iterdir() if path.is_dir() and not path.is_symlink())


def new_run(*inputs: Path) -> str:
    opened = [open_input(path) for path in inputs]
    with run_folder(None, (), *opened) as made:
        made.begin()
    return made.path.name


def test_the_oldest_are_removed_and_latest_is_the_new_one(runs):
    name = new_run()
    assert names(runs) == [f"20260101-0000{number:02}" for number in range(3, 7)] + [name]
    assert (runs / "latest").resolve() == runs / name
    assert len(names(runs)) == KEPT_RUNS


@pytest.mark.parametrize("how", ["itself", "a link to it", "a link in there", "a relative path", "a path with .."])
def test_the_run_of_an_input_stays_and_counts_as_used(runs, tmp_path, monkeypatch, how):
    oldest = runs / "20260101-000000"
    path = real = oldest / "port-a.pcapng.pcap"
    if how == "a link to it":
        (tmp_path / "first").symlink_to(path)
        path = tmp_path / "second"
        path.symlink_to("first")
    elif how == "a link in there":
        path.rename(tmp_path / "moved")
        path.symlink_to(tmp_path / "moved")
    elif how == "a relative path":
        monkeypatch.chdir(runs)
        path = path.relative_to(runs)
    elif how == "a path with ..":
        path = runs / "20260101-000006" / ".." / oldest.name / path.name
    new_run(path)
    assert oldest.name in names(runs) and path.exists()
    assert len(names(runs)) == KEPT_RUNS
    for _ in range(KEPT_RUNS - 2):
        new_run()
    assert real.exists(), "newer than runs that nobody has used since"


def test_through_latest_the_capture_of_the_run_before_is_played(runs):
    before = (runs / "latest").resolve()
    done = elsewhere(runs, "--replay", str(runs / "latest" / "port-a.pcapng.pcap"))
    assert done.returncode == 0, done.stderr
    assert before.exists() and (runs / "latest").resolve() != before


def test_the_command_keeps_the_oldest_that_it_plays(runs):
    path = runs / "20260101-000000" / "port-a.pcapng.pcap"
    data = path.read_bytes()
    done = elsewhere(runs, "--replay", str(path))
    assert done.returncode == 0, done.stderr
    assert path.read_bytes() == data and "20260101-000001" not in names(runs)
    assert not (runs / "latest" / FRAMES).exists()


@pytest.mark.parametrize("wrong", [["--fault-ab", "dorp=0.1"], ["--replay", "/nope"], ["--replay", __file__]])
def test_a_run_that_is_refused_moves_and_removes_nothing(runs, wrong):
    before, latest = names(runs), (runs / "latest").resolve()
    assert elsewhere(runs, *wrong).returncode != 0
    assert names(runs) == before and (runs / "latest").resolve() == latest


def elsewhere(runs: Path, *arguments: str) -> subprocess.CompletedProcess:
    return run_argv([sys.executable, "-c", ELSEWHERE, str(runs), "run", "link", *arguments], 120)


def test_what_no_run_has_made_stays(runs):
    old_run(runs, "20200101-000000", 1000, mark=None)
    old_run(runs, "20200101-000000x", 1000, mark="")
    old_run(runs, "10g-3rd", 1000)
    new_run()
    assert {"20200101-000000", "20200101-000000x", "10g-3rd"} < set(names(runs))


def test_what_another_process_writes_or_reads_stays(runs):
    holders = [holder(runs), holder(runs, str(runs / "20260101-000004"))]
    try:
        held = [process.stdout.readline().strip() for process in holders]
        for name in held:
            os.utime(runs / name / MARK, (0, 0))
        for _ in range(KEPT_RUNS + 2):
            new_run()
        assert set(held) < set(names(runs))
        with pytest.raises(UllnicError, match="another run uses the folder"), run_folder(runs / held[1], ()):
            pass
    finally:
        for process in holders:
            process.communicate()
    new_run()
    assert held[0] not in names(runs) and held[1] in names(runs), "only the second is a folder that the user named"


def holder(*arguments: Path | str) -> subprocess.Popen:
    argv = [sys.executable, "-c", HOLD, *map(str, arguments)]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(), cwd=ROOT)


def test_many_runs_at_once_have_folders_of_their_own(runs):
    holders = [holder(runs) for _ in range(6)]
    try:
        held = {process.stdout.readline().strip() for process in holders}
        assert len(held) == 6 and held <= set(names(runs))
    finally:
        for process in holders:
            process.communicate()


@pytest.mark.parametrize("how", ["itself", "a hard link", "a link", FRAMES])
def test_a_run_does_not_write_over_its_input(tmp_path, how):
    out, path = tmp_path / "out", tmp_path / "out" / "out.pcapng"
    out.mkdir()
    if how in ("itself", FRAMES):
        path = out / (FRAMES if how == FRAMES else "out.pcapng")
        write_capture(path)
    else:
        write_capture(tmp_path / "precious")
        (path.hardlink_to if how == "a hard link" else path.symlink_to)(tmp_path / "precious")
    data = path.read_bytes()
    given = tmp_path / "precious" if how == "a hard link" else path
    with pytest.raises(UllnicError, match="over its input") as refused, run_folder(out, WRITES, Capture(given)):
        pass
    assert "--out" in refused.value.remedy and path.read_bytes() == data and given.read_bytes() == data


def test_output_replaces_a_link_and_not_what_it_names(tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "summary.json").symlink_to("precious")
    with run_folder(tmp_path, ("summary.json",)) as made:
        made.begin()
        (tmp_path / "summary.json").write_text("{}")
    assert (tmp_path / "precious").read_text() == "precious" and not (tmp_path / MARK).exists()


def test_a_damaged_input_leaves_nothing_behind(runs, tmp_path):
    path, before = tmp_path / "cut.pcap", names(runs)
    write_capture(path)
    path.write_bytes(path.read_bytes()[:-1])
    for wanted in (None, tmp_path / "out"):
        source = open_input(path)
        with pytest.raises(UllnicError, match="damaged"), run_folder(wanted, (), source) as made:
            write_plain(source, made.path / FRAMES)
    assert names(runs) == before and not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written(runs, tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "out", Path("/proc/out")):
        with pytest.raises(UllnicError, match="cannot be written") as refused, run_folder(path, ()):
            pass
        assert "--out" in refused.value.remedy
    (runs / "latest").unlink()
    (runs / "latest").mkdir()
    with pytest.raises(UllnicError, match="not the link to the newest run"), run_folder(None, ()):
        pass
