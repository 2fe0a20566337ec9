# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The simulation's programs as started by hand: their help, their reasons to end, and how the card runs unattended."""

import fcntl
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from ullnic.build import build_sim
from ullnic.cards import DEFAULT
from ullnic.configs import DEFAULT as LINK_DEFAULT
from ullnic.paths import ROOT

VERSION = (ROOT / "VERSION").read_text().strip()
GENERATED = "0=gen:frames=1000000000"


@pytest.fixture(scope="module")
def programs() -> Path:
    return build_sim(progress=False, targets=("ullnic-card", "ullnic-link"), configs=(DEFAULT, LINK_DEFAULT))


@pytest.fixture
def card(programs):
    return str(programs / "ullnic-card")


def lines_of(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def wait_for(what, timeout_s: float = 30):
    deadline_s = time.monotonic() + timeout_s
    while not (found := what()):
        assert time.monotonic() < deadline_s, "it did not happen"
        time.sleep(0.02)
    return found


def running(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def is_free(file: Path) -> bool:
    """Not locked: threads of a killed process end, and release it, a moment after the process."""
    with open(file) as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def summary_in(file: Path) -> dict:
    return wait_for(lambda: [line for line in lines_of(file.read_text()) if line["event"] == "summary"])[0]


def test_each_program_has_a_version_and_help():
    built = sorted(path for path in build_sim(progress=False, targets=("all",)).glob("ullnic-*"))
    expected = {"ullnic-card", "ullnic-link", "ullnic-macpcs-sweep"}
    expected |= {"ullnic-qdma-loop", "ullnic-qdma-rtl-loop", "ullnic-qdma-example"}
    assert expected <= {path.name for path in built}
    for program in built:
        version = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
        assert (version.returncode, version.stdout, version.stderr) == (0, f"{program.name} {VERSION}\n", "")
        shown = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=60)
        assert shown.returncode == 0 and "--version" in shown.stdout


def heed_signals() -> None:
    """A shell makes its background processes ignore SIGINT, nohup makes them ignore SIGHUP, and child processes inherit
    this.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def test_the_summary_says_why_it_ended(card, programs):
    def end(argv, act=lambda process: None) -> dict:
        pipe = subprocess.PIPE
        process = subprocess.Popen(argv, stdin=pipe, stdout=pipe, text=True, preexec_fn=heed_signals)
        process.stdout.readline()  # ready
        act(process)
        out = process.stdout.read()  # communicate() would miss what readline() has already read
        process.wait(60)
        return lines_of(out)[-1]

    def send(number):
        return lambda process: process.send_signal(number)

    def close_input(process):
        process.stdin.close()
        process.stdin = None

    busy = [card, "--port", GENERATED]
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        said = end(busy, send(number))
        name = Path("/proc/self/comm").read_text().strip()
        assert said["event"] == "summary" and said["complete"] is False
        assert said["end"] == {
            "reason": "signal", "signal": number.name, "text": f"{number.name} from process {os.getpid()} ({name})"
        }  # fmt: skip
    assert end([*busy, "--exit-on-stdin-eof"], close_input)["end"]["reason"] == "stdin-ended"
    assert end([*busy, "--max-wall-s", "0.2"])["end"]["reason"] == "time-limit"
    finished = end([card, "--port", "0=gen:frames=10"])
    assert finished["complete"] is True and finished["end"]["reason"] == "ports-finished"
    link = [str(programs / "ullnic-link"), "--a", "gen:frames=1000000000", "--b", "sink", "--max-frames", "50"]
    assert end(link)["end"]["reason"] == "frame-limit"


def test_it_says_that_its_parent_has_ended(card, tmp_path):
    out = tmp_path / "out"
    with out.open("w") as file:
        parent = subprocess.Popen(
            ["sh", "-c", '"$@" & echo $! >&2; wait', "sh", card, "--port", GENERATED],
            stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        pid = int(parent.stderr.readline())
        wait_for(lambda: '"ready"' in out.read_text())
        parent.kill()
        parent.wait()
    said = summary_in(out)
    assert said["end"]["reason"] == "parent-ended" and said["complete"] is False
    assert f"the process that had started it, {parent.pid}, has ended" in said["end"]["text"]
    wait_for(lambda: not running(pid))


def test_nobody_reads_what_it_says(card):
    """It must end, but not silently."""
    process = subprocess.Popen(
        [card, "--port", GENERATED, "--status-interval", "0.01"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.close()
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.startswith("error: nobody reads the standard output any more\nremedy: ")


@pytest.fixture
def start_daemon(card, tmp_path):
    """Starts one as a script does that ends at once; each is ended after the test."""
    pids = []

    def start(*options, ok=True):
        argv = ["sh", "-c", '"$@"; exit $?', "sh", card, "--daemon", *options]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=60, cwd=tmp_path, start_new_session=True)
        line = lines_of(done.stdout)[-1]
        assert (done.returncode == 0) == ok and (line["event"] == "ready") == ok, done
        pids.extend([line["pid"]] if ok else [])
        return line

    yield start
    for pid in pids:
        if running(pid):
            os.kill(pid, signal.SIGKILL)


def test_a_daemon_runs_on_and_can_be_found_and_ended(start_daemon, tmp_path):
    files = ["--pid-file", "card.pid", "--log", "card.log"]
    ready = start_daemon("--socket", "card", *files, "--pcapng-dir", "cap")
    pid = ready["pid"]
    assert running(pid) and os.getsid(pid) == pid, "it has left the terminal and its session"
    assert (tmp_path / "card.pid").read_text() == f"{pid}\n"
    assert (tmp_path / "card").is_socket() and (tmp_path / "cap").is_dir(), "paths mean what they meant"
    for number in (0, 1, 2):
        assert not os.readlink(f"/proc/{pid}/fd/{number}").startswith(("/dev/pts", "pipe:"))
    os.kill(pid, signal.SIGHUP)  # from a terminal that is closed
    second = start_daemon("--socket", "card2", *files, ok=False)
    assert f"card.pid: process {pid} runs with it" in second["message"] and second["remedy"]
    assert running(pid)
    os.kill(pid, signal.SIGTERM)
    wait_for(lambda: not running(pid))
    log = lines_of((tmp_path / "card.log").read_text())
    assert log[0]["event"] == "ready" and log[0]["pid"] == pid
    assert log[-1]["event"] == "summary" and log[-1]["end"]["signal"] == "SIGTERM"
    assert not (tmp_path / "card.pid").exists() and not (tmp_path / "card").exists()


def test_a_daemon_that_was_killed_is_no_obstacle(start_daemon, tmp_path):
    first = start_daemon("--pid-file", "card.pid", "--port", GENERATED)["pid"]
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: not running(first) and is_free(tmp_path / "card.pid"))
    second = start_daemon("--pid-file", "card.pid", "--port", GENERATED)["pid"]
    assert (tmp_path / "card.pid").read_text() == f"{second}\n" != f"{first}\n"


@pytest.mark.parametrize(
    "options, cause",
    [
        (["--card", "no_such_card"], "there is no card 'no_such_card'"),
        (["--socket", "no/such/folder/card"], "no/such/folder/card"),
        (["--pid-file", "no/such/folder/pid"], "--pid-file no/such/folder/pid: No such file or directory"),
        (["--log", "no/such/folder/log"], "--log no/such/folder/log: No such file or directory"),
        (["--port", "7=sink"], "7"),
        (["--exit-on-stdin-eof"], "--exit-on-stdin-eof excludes --daemon"),
    ],
)
def test_a_daemon_that_cannot_start_says_so_to_its_caller(start_daemon, options, cause):
    said = start_daemon("--port", "0=gen:frames=10", *options, ok=False)
    assert said["event"] == "error" and cause in said["message"] and said["remedy"]


def test_options_of_a_daemon_are_for_daemons(card):
    done = subprocess.run([card, "--pid-file", "x"], capture_output=True, text=True)
    assert done.returncode == 1 and re.search("--pid-file requires --daemon", lines_of(done.stdout)[0]["message"])


def test_a_sweep_names_the_first_point_that_loses_frames():
    """Here each, as the user accepts less than the line brings; a point without losses names nothing."""
    config = "rxfifo_pma32_mac32"
    sweep = build_sim(progress=False, targets=("ullnic-macpcs-sweep",), configs=(config,)) / "ullnic-macpcs-sweep"

    def run(*options: str) -> subprocess.CompletedProcess:
        argv = [sweep, "--config", config, "--offsets", "3-5", "--leads", "1-2", "--frames", "60", *options]
        return subprocess.run(argv, capture_output=True, text=True, timeout=60)

    good = run()
    assert (good.returncode, good.stderr) == (0, "")
    total = json.loads(good.stdout)
    assert (total["frames"], total["lost"], total["damaged"]) == (6 * 60, 0, 0)
    assert [(point["offset"], point["lead_ui"]) for point in total["points"]] == [
        (offset, lead) for offset in (3, 4, 5) for lead in (1, 2)
    ]
    bad = run("--stall", "1", "--stall-edges", "1000", "--gap", "back-to-back", "--len", "1000-1500", "--seed", "7")
    total = json.loads(bad.stdout)
    assert bad.returncode == 1 and total["lost"] > 0
    assert total["lost"] == sum(point["lost"] for point in total["points"])
    cause, remedy = bad.stderr.splitlines()
    assert re.fullmatch(
        rf"error: of 360 frames {total['lost']} were lost, {total['damaged']} damaged; first: offset 3, lead 1: \w.*",
        cause,
    )
    assert remedy == f"remedy: repeat with --config {config} --seed 7 --offsets 3 --leads 1"


@pytest.mark.parametrize(
    ("card", "actionable_ui", "frame_ui"),
    [("trigger_pma16", (203, 235), (301, 333)), ("stac_t0_pma16", (211, 243), (729, 2643))],
)
def test_the_engines_sweep_checks_each_answer(card, actionable_ui, frame_ui, seed):
    """On every connection and bank of registers that is drawn: what ullnic measure ate does with more triggers."""
    sweep = build_sim(progress=False, targets=("ullnic-ate-sweep",), configs=(card,)) / "ullnic-ate-sweep"
    argv = [sweep, "--card", card, "--triggers", "60", "--seed", str(seed)]
    done = subprocess.run([*argv, "--offsets", "3", "5"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    total = json.loads(done.stdout)
    assert (total["answers"], total["triggers"], total["lost"], total["damaged"]) == (180, 180, 0, 0)
    assert [point["offset"] for point in total["points"]] == [3, 4, 5]
    for point in total["points"]:
        assert (point["answers"], point["mirrored"], point["triggers"]) == (60, 60, 60)
        assert point["others"] > 0, "frames that no card may answer"
        assert {ui for ui, _ in point["actionable_ui"]["histogram"]} <= {n + 3 - point["offset"] for n in actionable_ui}
        assert frame_ui[0] - 2 <= point["sof_to_sof_ui"]["min"] <= point["sof_to_sof_ui"]["max"] <= frame_ui[1]
    wrong = subprocess.run([*argv, "--offsets", "5", "3"], capture_output=True, text=True, timeout=60)
    assert wrong.returncode == 1 and "the first offset is above the last" in wrong.stderr
