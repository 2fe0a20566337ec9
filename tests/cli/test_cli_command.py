# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The command line as a user meets it: help, wrong usage, errors, Ctrl-C."""

import os
import signal
import subprocess
import time

import pytest

from cli_call import LAUNCHER
from ullnic.cli import COMMANDS
from ullnic.paths import ROOT

HELP_LIMIT_S = 1.0  # the promise is 0.5 s; doubled for a loaded machine


def test_help_names_every_subcommand(ullnic):
    shown = ullnic("--help")
    assert shown.returncode == 0
    for name, (_, line) in COMMANDS.items():
        assert f"  {name}" in shown.stdout and line in shown.stdout


def test_overview_says_of_each_subcommand_what_its_own_help_begins_with(ullnic):
    """`run` was once described as a different demonstration."""
    for name, (_, line) in COMMANDS.items():
        begins = " ".join(ullnic(name, "--help").stdout.partition("\n\n")[2].split())
        assert begins.startswith(line.rstrip(".")), (name, begins[:200])


def test_version_is_the_one_of_the_project(ullnic):
    shown, version = ullnic("--version"), (ROOT / "VERSION").read_text()
    assert (shown.returncode, shown.stdout) == (0, f"ullnic {version}")
    cores = {path: path.read_text() for path in ROOT.glob("cores/*/*.core")}
    assert cores and all(f":{version}" in text for text in cores.values()), "FuseSoC has it from the files themselves"


def test_help_is_quick(ullnic):
    times_s = []
    for _ in range(5):
        start_s = time.monotonic()
        assert ullnic("--help").returncode == 0
        times_s.append(time.monotonic() - start_s)
    print(f"./ullnic --help: {min(times_s):.3f} s at best, {max(times_s):.3f} s at worst")
    assert min(times_s) < HELP_LIMIT_S


@pytest.mark.parametrize("name", COMMANDS)
def test_each_subcommand_has_help_with_examples(ullnic, name):
    shown = ullnic(name, "--help")
    assert shown.returncode == 0, shown.stderr
    assert f"Usage: ullnic {name}" in shown.stdout
    parts = shown.stdout.partition("\nCommands:\n")[2].partition("\n\n")[0]
    for part in [line.split()[0] for line in parts.splitlines() if line.startswith("  ") and line[2] != " "] or [None]:
        text = ullnic(name, part, "--help").stdout if part else shown.stdout
        assert f"./ullnic {name}" in text.split("Options:")[1], f"no example for {name} {part or ''}"


@pytest.mark.parametrize(
    "argv, complaint",
    [
        (["dance"], "No such command 'dance'"),
        (["--dance"], "No such option '--dance'"),
        (["doctor", "--dance"], "No such option '--dance'"),
        (["test", "--workers", "none"], "'none' is not a valid integer"),
        (["test", "--workers", "0"], "0 is not in the range"),
        (["lint", "--only", "taste"], "'taste' is not one of"),
    ],
)
def test_wrong_usage_is_named(ullnic, argv, complaint):
    refused = ullnic(*argv)
    assert refused.returncode == 2
    assert complaint in refused.stderr
    assert "Traceback" not in refused.stderr


def test_error_has_cause_and_remedy_and_no_traceback(ullnic):
    failed = ullnic("lint", "--only", "verilator", ULLNIC_VERILATOR="/bin/true", ULLNIC_DEBUG=None)
    assert failed.returncode == 1
    assert failed.stderr.splitlines() == [
        "error: ULLNIC_VERILATOR=/bin/true is not Verilator 5.036 or newer",
        "remedy: unset it, or name a newer one",
    ]


def test_debug_shows_the_traceback(ullnic):
    failed = ullnic("lint", ULLNIC_VERILATOR="/bin/true", ULLNIC_DEBUG="1")
    assert failed.returncode == 1
    assert "Traceback" in failed.stderr and "find_verilator" in failed.stderr


def test_works_from_elsewhere_through_a_link(ullnic, tmp_path):
    link = tmp_path / "ullnic-link"
    link.symlink_to(LAUNCHER)
    shown = subprocess.run([link, "--help"], cwd=tmp_path, capture_output=True, text=True)
    assert shown.returncode == 0 and "Usage: ullnic" in shown.stdout


def test_modules_of_another_project_do_not_get_in(ullnic, tmp_path):
    (tmp_path / "click.py").write_text("raise SystemExit('the wrong click')\n")
    assert ullnic("--help", PYTHONPATH=str(tmp_path), PYTHONHOME=str(tmp_path)).returncode == 0


def test_closed_pipe_is_no_failure():
    piped = subprocess.run(["bash", "-c", f"{LAUNCHER} doctor --json | head -n 1"], capture_output=True, text=True)
    assert piped.stdout == "{\n" and piped.stderr == ""


def test_ctrl_c_ends_it_with_130_and_no_traceback(tmp_path):
    started = tmp_path / "started"
    (tmp_path / "test_waits.py").write_text(
        f"import pathlib, time\ndef test_waits():\n    pathlib.Path({str(started)!r}).touch()\n    time.sleep(120)\n"
    )
    process = subprocess.Popen(
        [LAUNCHER, "test", "--workers", "1", "--", tmp_path / "test_waits.py"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        deadline_s = time.monotonic() + 600  # it may have to build first
        while not started.exists():
            assert process.poll() is None and time.monotonic() < deadline_s, process.communicate()
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as from a terminal: to the whole foreground group
        out, err = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "interrupted" and "Traceback" not in out + err
    assert "KeyboardInterrupt" in out, "pytest said where it was"
