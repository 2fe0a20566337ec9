# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run` stays up with --keep, and however it ends, no process, network namespace or device is left."""

import os
import re
import shlex
import signal
import subprocess
import sys

import pytest

from live_run import ORDINARY_USER, Leftovers, crash

LONG = ("--triggers", "100000", "--no-capture")
ECHO = """
import socket
with socket.create_server(("0.0.0.0", 7)) as listener:
    print("listening", flush=True)
    peer, _ = listener.accept()
    while data := peer.recv(4096):
        peer.sendall(data)
"""
ASK = """
import socket
with socket.create_connection(("198.18.0.2", 7), 20) as peer:
    peer.sendall(b"through the card")
    print(peer.recv(100).decode())
"""


def in_the_middle(job) -> Leftovers:
    """Waits until orders are sent."""
    job.wait_for(r"market [\d,]+ of")
    leftovers = Leftovers(job.process.pid)
    assert len(leftovers.namespaces) == 2  # the card's and the server's
    return leftovers


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_after_a_signal(background, tmp_path, number):
    job = background(*LONG, "--out", str(tmp_path))
    leftovers = in_the_middle(job)
    os.kill(job.process.pid, number)
    code = job.finish(timeout_s=15)
    leftovers.check()
    assert code == (-number if number == signal.SIGKILL else 128 + number)
    assert "Traceback" not in job.text


@pytest.mark.parametrize("program", ["ullnic-card", "ullnicd"])
def test_a_crash_is_reported(background, tmp_path, program):
    job = background(*LONG, "--out", str(tmp_path))
    leftovers = in_the_middle(job)
    crash(job.process.pid, program)
    assert job.finish(timeout_s=30) == 1
    leftovers.check()
    assert re.search(rf"^error: .*{program}", job.text, re.MULTILINE)
    assert "Traceback" not in job.text


@pytest.mark.parametrize("prefix", [[], ORDINARY_USER], ids=["as-we-are", "ordinary-user"])
def test_keep_prints_commands_that_work(background, tmp_path, prefix):
    job = background("--triggers", "50", "--messages", "3", "--keep", "--out", str(tmp_path), prefix=prefix)
    export = job.wait_for(r"^\s+export (.*)$")[1]
    enter = shlex.split(job.wait_for(r"^\s+(nsenter .* bash)\s")[1])[:-1]
    job.wait_for("Ctrl-C ends it")
    leftovers = Leftovers(job.process.pid)
    assert ("-U" in enter) == (bool(prefix) or os.geteuid() != 0)
    if prefix:  # the shell of the same ordinary user
        enter = ["nsenter", "-t", str(job.process.pid), "-U", "--preserve-credentials", *enter]

    def shell(command: str) -> str:
        argv = ["bash", "-c", f"export {export}; {command}"]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert re.search(r"triggers\D+50\b", shell("ullnic-trigger status"))
    echo = subprocess.Popen([*enter, sys.executable, "-c", ECHO], stdout=subprocess.PIPE, text=True)
    try:
        assert echo.stdout.readline() == "listening\n"
        assert shell(f"exasock {sys.executable} -c {shlex.quote(ASK)}") == "through the card\n"
        assert echo.wait(timeout=10) == 0
    finally:
        echo.kill()
    os.killpg(job.process.pid, signal.SIGINT)
    assert job.finish(timeout_s=30) == 0
    leftovers.check()
    assert "every order that the FPGA logic sent was received" in job.text
