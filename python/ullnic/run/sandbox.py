# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the live job inside its own namespaces, so that nothing can be left behind.

The job is process 1 of a new PID namespace in a new network namespace. When it ends, for whatever reason, the kernel
kills every process in there, and the network namespaces and their devices vanish with the processes. A chain of death
signals (this process, unshare, the job) ensures this even if this process is killed with SIGKILL.

/proc is deliberately not remounted: containers often forbid it. With the outer /proc the job also knows its process
numbers as the user's other shells see them, which `--keep` prints.
"""

import os
import signal
import subprocess

from ullnic.errors import UllnicError
from ullnic.paths import module_command
from ullnic.run.signals import SIGNALS

USER_NAMESPACE = ["--user", "--map-root-user"]
SYSCTLS = {  # setting: the value that allows unprivileged namespaces
    "/proc/sys/kernel/unprivileged_userns_clone": "1",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "0",
}


def unshare_command(user_namespace: bool) -> list[str]:
    kinds = USER_NAMESPACE if user_namespace else []
    return ["setpriv", "--pdeathsig", "KILL", "--", "unshare", *kinds, "--net", "--pid", "--fork", "--kill-child", "--"]


def choose_user_namespace() -> bool:
    """False if plain namespaces work (root), True if they need a user namespace; else raises an error."""
    reasons = []
    for user_namespace in (False, True):
        command = unshare_command(user_namespace) + ["ip", "link", "set", "lo", "up"]
        try:
            attempt = subprocess.run(command, capture_output=True, text=True, timeout=20)
        except FileNotFoundError as missing:
            raise UllnicError(
                f"'{missing.filename}' is not installed", "install util-linux and iproute2 (./ullnic doctor)"
            ) from missing
        if attempt.returncode == 0:
            return user_namespace
        reasons.append(
            f"{'with' if user_namespace else 'without'} a user namespace: "
            f"{attempt.stderr.strip() or f'exit code {attempt.returncode}'}"
        )
    raise UllnicError("network namespaces cannot be made here (" + "; ".join(reasons) + ")", remedy())


def remedy() -> str:
    parts = ["run it as root"]
    for path, wanted in SYSCTLS.items():
        name = path.removeprefix("/proc/sys/").replace("/", ".")
        if read(path) not in (None, wanted):
            parts.append(f"sudo sysctl {name}={wanted}")
    if read("/proc/sys/user/max_user_namespaces") == "0":
        parts.append("sudo sysctl user.max_user_namespaces=10000")
    if os.path.exists("/.dockerenv") or os.path.exists("/run/.containerenv"):
        parts.append("start the container with --privileged")
    return (
        "; or ".join(parts) + "; or, with no privilege at all, send a capture through the same RTL: "
        "./ullnic run --replay FILE.pcap"
    )


def read(path: str) -> str | None:
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return None


def run_inside(job: str, options_json: str, user_namespace: bool) -> int:
    """Runs a job in the namespaces and returns its exit code; signals are passed on to it.

    `job`: MODULE:FUNCTION, called with the options' JSON (ullnic.run.inside).
    """
    pid_reader, pid_writer = os.pipe()
    command = [*unshare_command(user_namespace), *module_command("ullnic.run.inside", pid_writer, job, options_json)]
    caught: list[int] = []
    previous = {number: signal.signal(number, lambda number, _frame: caught.append(number)) for number in SIGNALS}
    # The job starts with these signals blocked and unblocks them when it can act on them.
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    process = subprocess.Popen(command, pass_fds=[pid_writer])
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    os.close(pid_writer)
    try:
        with os.fdopen(pid_reader) as pid_file:
            job_pid = pid_file.readline().strip()
        while True:
            for number in drain(caught):
                forward(process, job_pid, number)
            try:
                code = process.wait(timeout=0.2)
                break
            except subprocess.TimeoutExpired:
                continue
    finally:
        process.kill()  # has no effect after a normal end; otherwise the job dies with it
        for number, handler in previous.items():
            signal.signal(number, handler)
    return code if code >= 0 else 128 - code


def drain(caught: list[int]) -> list[int]:
    numbers = caught[:]
    del caught[: len(numbers)]
    return numbers


def forward(process: subprocess.Popen, job_pid: str, number: int) -> None:
    try:
        if job_pid:
            os.kill(int(job_pid), number)
        else:
            process.kill()
    except ProcessLookupError:
        pass
