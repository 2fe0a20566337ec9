# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ullnicd has no privileges once its card and its socket are open. All other tests also run it this way."""

import os
import pwd
import signal
import subprocess

import pytest

from bench import PEER, UNCONFINED

pytestmark = pytest.mark.skipif(bool(UNCONFINED), reason="the sanitizers look from outside, so they run without")
ALLOWED = {"map memory", "protect memory", "make a pair of sockets"}
CAPABILITIES = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
NOBODY = "nobody"
PEER_END = (PEER, 5000)


def status_of(pid: int) -> dict[str, str]:
    with open(f"/proc/{pid}/status") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def assert_confined(status: dict[str, str]) -> None:
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert {name: int(status[name], 16) for name in CAPABILITIES} == dict.fromkeys(CAPABILITIES, 0)


def test_the_daemon_has_no_privileges_when_it_is_ready(bench):
    """It also works: a connection, and a normal end that writes its files."""
    pid = bench.daemon.process.pid
    assert_confined(status_of(pid))
    peer = bench.peer(
        f"s = socket.create_server({PEER_END})\nprint('ready', flush=True)\ns.accept()[0].sendall(b'hello')"
    )
    program = bench.program(f"print(socket.create_connection({PEER_END}).recv(5).decode())")
    assert program.finish() == "hello\n"
    peer.finish()
    assert_confined(status_of(pid))


def test_unconfined_is_what_it_says(make_bench):
    assert status_of(make_bench(daemon=("--unconfined",)).daemon.process.pid)["Seccomp"] == "0"


def confined(host_build, *arguments: str) -> tuple[dict[str, str], dict[str, str]]:
    """Attempts of a process that has dropped its privileges, and its status."""
    argv = [host_build / "bin" / "ullnicd-confined", *arguments]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("nonvoluntary_ctxt_switches"):  # the last one
                break
        owner = os.stat(f"/proc/{process.pid}/status").st_uid
        process.stdin.close()
    assert owner == 0, "its own user can look into it"
    x86 = os.uname().machine == "x86_64"
    assert process.returncode == (-signal.SIGSYS if x86 else 3), "it could call by another architecture's numbers"
    attempts = dict(line.split(": ", 1) for line in lines if ": " in line)
    return attempts, dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def test_what_it_has_no_use_for_is_refused(host_build):
    attempts, status = confined(host_build)
    assert_confined(status)
    assert {name for name, result in attempts.items() if result == "done"} == ALLOWED
    assert {result for name, result in attempts.items() if name not in ALLOWED} == {"EPERM"}
    assert len(attempts) == 16


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_it_becomes_another_user(host_build):
    attempts, status = confined(host_build, NOBODY)
    assert_confined(status)
    user = pwd.getpwnam(NOBODY)
    assert status["Uid"].split() == [str(user.pw_uid)] * 4
    assert status["Gid"].split() == [str(user.pw_gid)] * 4
    assert status["Groups"].split() == [str(group) for group in sorted(os.getgrouplist(NOBODY, user.pw_gid))]
    assert {name for name, result in attempts.items() if result == "done"} == ALLOWED


@pytest.mark.parametrize("options", [(), ("--unconfined",)], ids=["confined", "unconfined"])
def test_a_user_that_it_cannot_become_is_an_error(make_bench, options):
    """In the tests' namespace there is no other user. It does not continue as the old one."""
    with pytest.raises(AssertionError, match="cannot become user nobody: .*; start it as root, or without --user"):
        make_bench(daemon=("--user", NOBODY, *options))


def test_a_user_that_is_none_is_an_error(host_build):
    argv = [host_build / "bin" / "ullnicd", "--address", "0=10.0.0.1/24", "--user", "no-such-user"]
    done = subprocess.run(argv, capture_output=True, text=True)
    assert done.returncode == 2 and "--user no-such-user: give a user's name" in done.stderr
