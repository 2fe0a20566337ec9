# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic soak hostile` with a fake target."""

import json
import shlex
import subprocess
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner

from ullnic import soak
from ullnic.errors import UllnicError
from ullnic.fuzz import hostile, running
from ullnic.fuzz.running import fault_of
from ullnic.fuzz.targets import TARGETS

# Imitates libFuzzer. It fails on inputs with an X. An input with an S is too late the first time, as on a busy machine;
# one with an H takes processor time forever.
ENGINE = """
import pathlib, sys, time
prefix = next((a.split("=", 1)[1] for a in sys.argv if a.startswith("-artifact_prefix=")), "")
folders = [pathlib.Path(a) for a in sys.argv[1:] if not a.startswith("-")]
files = [f for folder in folders for f in (sorted(folder.iterdir()) if folder.is_dir() else [folder])]
for number, file in enumerate(files, 1):
    print(f"#{number} NEW    cov: {10 * number} ft: {20 * number} corp: 1/1b", file=sys.stderr)
    if b"X" in file.read_bytes():
        print("==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x1", file=sys.stderr)
        if prefix:
            pathlib.Path(prefix + "crash-1").write_bytes(file.read_bytes())
            print(f"artifact_prefix='{prefix}'; Test unit written to {prefix}crash-1", file=sys.stderr)
        sys.exit(77)
    late, once = pathlib.Path(prefix + "timeout-1"), pathlib.Path(prefix + "once")
    if prefix and (b"H" in file.read_bytes() or b"S" in file.read_bytes() and not once.exists()):
        once.touch()
        late.write_bytes(file.read_bytes())
        print("==7== ERROR: libFuzzer: timeout after 20 seconds", file=sys.stderr)
        print(f"artifact_prefix='{prefix}'; Test unit written to {late}", file=sys.stderr)
        sys.exit(70)
    while b"H" in file.read_bytes() and time.process_time() < 1:
        pass
print(f"Done {len(files) + 5} runs in 1 second(s)", file=sys.stderr)
"""


@pytest.fixture
def target(tmp_path, monkeypatch):
    """The corpus of `wire` and `vfio`, in a folder each."""
    script = tmp_path / "engine.py"
    script.write_text(ENGINE)
    for name in ("wire", "vfio"):
        corpus = tmp_path / name
        corpus.mkdir()
        (corpus / "good").write_bytes(b"good")
        monkeypatch.setitem(hostile.TARGETS, name, replace(TARGETS[name], corpus=corpus))
    monkeypatch.setattr("ullnic.fuzz.targets.DIRECTORY", tmp_path / "build")
    monkeypatch.setattr(hostile, "DIRECTORY", tmp_path / "build")
    monkeypatch.setattr(hostile, "command", lambda target: ([sys.executable, str(script)], {"PATH": "/usr/bin:/bin"}))
    return tmp_path


def soak_hostile(*more: str):
    return CliRunner().invoke(soak.soak, ["hostile", "--minutes", "0.02", "--only", "wire", "--only", "vfio", *more])


def test_a_soak_that_finds_nothing(target):
    done = soak_hostile("--seed", "5")
    assert done.exit_code == 0, done.output
    report = json.loads((target / "build/hostile.json").read_text())
    assert report["seed"] == 5 and list(report["targets"]) == ["wire", "vfio"]
    assert report["targets"]["wire"] == {"runs": 6, "edges": 10, "features": 20, "fault": "", "repeat": ""}
    assert "seed 5" in done.output and "nothing" in done.output


def test_a_fault_is_kept_and_the_others_go_on(target):
    (target / "wire/later").write_bytes(b"aXb")
    done = soak_hostile("--jobs", "1")
    assert isinstance(done.exception, UllnicError) and done.exception.exit_code == 1
    assert "found by wire" in done.exception.message
    report = json.loads((target / "build/hostile.json").read_text())["targets"]
    assert report["vfio"]["fault"] == "" and report["vfio"]["runs"] == 6
    assert "heap-use-after-free" in report["wire"]["fault"]
    assert report["wire"]["repeat"] in done.output
    again = subprocess.run(shlex.split(report["wire"]["repeat"]), capture_output=True, text=True)
    assert again.returncode == 77 and "heap-use-after-free" in again.stderr
    assert (target / "build/wire/findings/crash-1").read_bytes() == b"aXb"


def test_a_target_that_does_not_start_is_no_success(target, monkeypatch):
    monkeypatch.setattr(hostile, "command", lambda target: (["/bin/false"], {}))
    done = soak_hostile()
    assert isinstance(done.exception, UllnicError) and "wire, vfio" in done.exception.message


def test_one_that_hangs_is_ended(target, monkeypatch):
    monkeypatch.setattr(running, "GRACE_S", 0)
    call = ([sys.executable, "-c", "import time; time.sleep(100)"], {})
    outcome = running.run(hostile.TARGETS["wire"], call, 1, 1, target / "grown")
    assert "ended with -9" in outcome.fault


def test_an_input_that_was_late_once_is_no_fault(target):
    (target / "wire/late").write_bytes(b"aSb")
    wire = hostile.TARGETS["wire"]
    outcome = running.run(wire, hostile.command(wire), 10, 1, target / "grown")
    assert outcome.fault == "" and outcome.progress.runs == 2 + 7, "until it was late, and after that"
    assert [path.name for path in (wire.folder / "findings").iterdir()] == ["once"]


def test_inputs_before_a_late_one_count(target):
    (target / "wire/late").write_bytes(b"aSb")
    wire = hostile.TARGETS["wire"]
    running.run(wire, hostile.command(wire), 10, 1, target / "grown", most_runs=10)
    assert " -runs=8 " in (wire.folder / "log").read_text()


def test_an_input_that_is_slow_alone_is_one(target, monkeypatch):
    (target / "wire/hang").write_bytes(b"aHb")
    monkeypatch.setattr(running, "LONGEST_RUN_S", 0.5)
    wire = hostile.TARGETS["wire"]
    outcome = running.run(wire, hostile.command(wire), 10, 1, target / "grown")
    assert "timeout" in outcome.fault and "timeout-1" in outcome.repeat
    assert (wire.folder / "findings/timeout-1").read_bytes() == b"aHb"


@pytest.mark.parametrize(
    "line, fault",
    [
        ("==5==ERROR: AddressSanitizer: heap-use-after-free on 0x1", "AddressSanitizer: heap-use-after-free on 0x1"),
        ("a.c:4:5: runtime error: left shift of 1", "a.c:4:5: runtime error: left shift of 1"),
        ("ullnicd: lwIP: insane offset! at tcp_in.c:1", "lwIP: insane offset! at tcp_in.c:1"),
        ("ERROR: memory leak: of 16 bytes", "memory leak: of 16 bytes"),
        ("struct.error: unpack requires 4 bytes", "struct.error: unpack requires 4 bytes"),
        ("AssertionError: a frame of 0 bytes", "AssertionError: a frame of 0 bytes"),
        ("==5== ERROR: libFuzzer: timeout after 20 seconds", "libFuzzer: timeout after 20 seconds"),
        ("INFO: Seed: 1", ""),
    ],
)  # fmt: skip
def test_the_line_that_names_a_fault(line, fault):
    assert fault_of(["INFO: Seed: 7", line, "SUMMARY: x"]) == fault


def test_a_deadly_signal_is_named_if_nothing_else_is():
    deadly = "==5== ERROR: libFuzzer: deadly signal"
    assert fault_of([deadly]) == "libFuzzer: deadly signal"
    assert fault_of([deadly, "x.c:1:1: runtime error: bad"]) == "x.c:1:1: runtime error: bad"
