# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""However a run ends, no process, network namespace or device is left, and the cause is reported."""

import os
import re
import shlex
import signal
import subprocess

import pytest

from capture_bytes import pcap
from live_run import ORDINARY_USER, Background, Leftovers, crash, run

LONG = ("--bulk", "500M", "--no-capture")


def in_the_middle(job: Background) -> Leftovers:
    """Waits until bulk data crosses, so that workers are running too."""
    job.wait_for(r"bulk .*MiB of")
    leftovers = Leftovers(job.process.pid)
    assert len(leftovers.processes) >= 9  # run, unshare, job, link, two holders, four bulk programs
    assert len(leftovers.namespaces) == 3  # the link's, A's and B's
    return leftovers


@pytest.mark.parametrize("prefix", [[], ORDINARY_USER], ids=["as-we-are", "ordinary-user"])
@pytest.mark.parametrize(
    "how, number",
    [("group", signal.SIGINT), ("alone", signal.SIGTERM), ("alone", signal.SIGKILL)],
    ids=["ctrl-c", "sigterm", "sigkill"],
)
def test_nothing_is_left_after_a_signal(background, tmp_path, prefix, how, number):
    job = background("link", *LONG, "--out", str(tmp_path), prefix=prefix)
    leftovers = in_the_middle(job)
    if how == "group":
        os.killpg(job.process.pid, number)  # like a terminal on Ctrl-C
    else:
        os.kill(job.process.pid, number)
    code = job.finish(timeout_s=15)
    leftovers.check()
    assert code == (-number if number == signal.SIGKILL else 128 + number)
    assert "Traceback" not in job.text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_replay_leaves_nothing(background, tmp_path, number):
    header, one = pcap(), pcap(bytes(1514))
    (tmp_path / "in.pcap").write_bytes(header + 50000 * one[len(header) :])
    job = background("link", "--replay", str(tmp_path / "in.pcap"), "--no-capture", "--out", str(tmp_path))
    job.wait_for(r"replay .*Mcycle/s")
    leftovers = Leftovers(job.process.pid)
    assert len(leftovers.processes) == 2  # run and link
    os.kill(job.process.pid, number)
    code = job.finish(timeout_s=15)
    leftovers.check()
    assert code == (-number if number == signal.SIGKILL else 128 + number)
    assert "Traceback" not in job.text
    assert "frames sent" not in job.text  # it was truncated


def test_a_crash_of_the_link_is_reported(background, tmp_path):
    job = background("link", *LONG, "--out", str(tmp_path))
    leftovers = in_the_middle(job)
    crash(job.process.pid, "ullnic-link")
    assert job.finish(timeout_s=15) == 1
    leftovers.check()
    assert re.search(r"^error: ullnic-link was killed by SIGSEGV", job.text, re.MULTILINE)
    assert "Traceback" not in job.text


@pytest.mark.parametrize("prefix", [[], ORDINARY_USER], ids=["as-we-are", "ordinary-user"])
def test_keep_prints_commands_that_work(background, tmp_path, prefix):
    job = background("link", "--bulk", "256K", "--keep", "--out", str(tmp_path), prefix=prefix)
    ping = job.wait_for(r"^\s+(nsenter .* ping \S+)$")[1]
    job.wait_for("Ctrl-C ends it")
    leftovers = Leftovers(job.process.pid)
    enter = shlex.split(ping)
    assert ("-U" in enter) == (bool(prefix) or os.geteuid() != 0)
    if prefix:  # the shell of the same ordinary user
        enter = ["nsenter", "-t", str(job.process.pid), "-U", "--preserve-credentials", *enter]
    done = subprocess.run([*enter, "-c", "3", "-i", "0.2"], capture_output=True, text=True, timeout=30)
    print(done.stdout, done.stderr)
    assert "3 packets transmitted, 3 received" in done.stdout
    os.killpg(job.process.pid, signal.SIGINT)
    assert job.finish(timeout_s=30) == 0
    leftovers.check()
    assert "every byte arrived; no error, no lost frame" in job.text


def test_without_any_namespace_the_cause_and_the_way_out_are_named(tmp_path):
    # In a separate user namespace that allows no further ones, and with no capability.
    script = 'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all -- "$@"'
    prefix = ["unshare", "--user", "--map-root-user", "--", "sh", "-c", script, "sh"]
    done = run("--out", str(tmp_path), prefix=prefix)
    assert done.returncode == 1
    assert "network namespaces cannot be made here" in done.stderr
    assert "sysctl user.max_user_namespaces" in done.stderr
    assert "--replay FILE.pcap" in done.stderr
    assert "Traceback" not in done.stderr
