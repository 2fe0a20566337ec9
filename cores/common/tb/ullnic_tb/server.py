# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs in the simulator (simulator.cc): forks a process for each test, in which Python and cocotb are already running.

A request is a line of JSON from standard input (simulator.py); the answer is the status of the process from waitpid, on
a line. Only one test runs at a time. When standard input ends, the running test and this process end.
"""

import contextlib
import ctypes
import gc
import json
import os
import select
import signal
import sys

# What most tests import is loaded once, except the project's modules: they read the parameters when they are loaded.
import cocotb.clock
import cocotb.queue
import cocotb.regression
import cocotb.triggers
import pytest  # noqa: F401

from ullnic_tb.simulator import ANSWERS

with contextlib.suppress(ImportError):  # some tests' own
    import cocotbext.axi  # noqa: F401
    import scapy.layers.inet  # noqa: F401


def serve() -> None:
    """Returns in the process of a test, with its model loaded: cocotb continues there. Never returns in the server."""
    cocotb.regression.RegressionManager.setup_pytest_assertion_rewriting()
    gc.collect()
    gc.freeze()  # the garbage collector would write to shared pages
    gc.set_threshold(100_000)  # a test ends soon, and makes few cycles
    answers = int(os.environ[ANSWERS])
    while line := sys.stdin.readline():
        lives, held = os.pipe()  # the process of the test holds one end for its lifetime
        pid = os.fork()
        if not pid:
            os.close(answers)
            begin(json.loads(line))
            return
        os.close(held)
        os.write(answers, f"{wait(pid, lives)}\n".encode())
        os.close(lives)
    os._exit(0)


def begin(request: dict) -> None:
    """Turns this process into that of a test."""
    log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for descriptor, file in ((0, os.open(os.devnull, os.O_RDONLY)), (1, log), (2, log)):
        os.dup2(file, descriptor)
    sys.stdout.reconfigure(line_buffering=True)  # a crash must show the earlier output
    os.chdir(request["directory"])
    os.environ.clear()
    os.environ.update(request["env"], COCOTB_REWRITE_ASSERTION_FILES="")  # serve() has set it up
    sys.path[:] = request["path"]
    ctypes.CDLL(None).ullnic_load(request["model"].encode(), request["start_seed"])


def end_with_cocotb() -> None:
    """Ends the process of a test once cocotb has shut down."""
    cocotb._shutdown.register(ctypes.CDLL(None).ullnic_exit)


def wait(pid: int, lives: int) -> int:
    """The status of a test's process, once it has ended. The process is killed once no client waits for it."""
    poll = select.poll()
    for descriptor in (lives, sys.stdin.fileno()):
        poll.register(descriptor, 0)  # POLLHUP is always reported
    if lives not in (descriptor for descriptor, _ in poll.poll()):
        os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]
