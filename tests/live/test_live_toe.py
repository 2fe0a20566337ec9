# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run toe`: programs on the kernel's stack use the card's, and tshark has nothing to complain of."""

import json
import re
import shutil
import subprocess

from live_run import command, run_argv
from ullnic.build import build_sim
from ullnic.deep import deep, hardware
from ullnic.points.sources import BUILD_FILES, program_sources
from ullnic.run.toe.judge import fields
from ullnic.run.toe.options import PROGRAMS

SMALL = ("--bulk", "64K")
WITH_ITS_SOURCES = deep(
    __file__, "python/ullnic/run/toe", *BUILD_FILES, lambda: program_sources("stack"), hardware, any_seed=True
)


def good_toe(tmp_path, *arguments: str) -> dict:
    # The time limit is the run's.
    build_sim(targets=(PROGRAMS["--timestamps" in arguments],))
    done = run_argv(command("toe", "--out", str(tmp_path), *SMALL, *arguments), timeout_s=300)
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["ok"] and summary["failures"] == []
    return summary


@WITH_ITS_SOURCES
def test_every_phase_is_good_on_a_good_line(tmp_path, seed):
    summary = good_toe(tmp_path, "--seed", str(seed))
    assert {name for name, phase in summary["phases"].items() if phase["ok"]} == {
        *("ping", "page", "echo", "many", "lines", "sink", "urgent", "churn")
    }
    sessions = summary["card"]["sessions"]
    opened = 1 + 1 + 16 + 1 + 1 + 1 + 100  # page, echo, many, lines, sink, urgent, churn
    assert sessions["connected"] == opened
    assert sessions["urgent"] == summary["phases"]["urgent"]["times"] == 20  # MSG_OOB of the kernel
    # Who has had enough lines closes with more on its way, and his kernel resets.
    assert (sessions["timed_out"], sessions["tx_dropped"]) == (0, 0) and sessions["reset"] <= 1
    # The page's session is closed by the app, and again behind its peer.
    assert sessions["bad_command"] <= 1
    assert summary["card"]["port"]["from_card"]["violations"] == 0
    # From the card's registers
    pings = summary["phases"]["ping"]["received"]
    assert pings > 0 and summary["card"]["pings"] == {"answered": pings, "dropped": 0, "bad": 0}
    assert not any(summary["card"]["drops"].values()), summary["card"]["drops"]
    assert (summary["kernel"]["Tcp.InCsumErrors"], summary["kernel"]["Tcp.RetransSegs"]) == (0, 0)
    assert shutil.which("tshark"), "tshark is missing: ./ullnic doctor says how to get it"
    printed = subprocess.run(
        ["tshark", "-r", str(tmp_path / "port-0.pcapng"), "-q", "-z", "expert"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "(FIN)" in printed  # it has looked
    assert not re.search(r"Errors \(|retransmission|not captured|[Oo]ut-[Oo]f-[Oo]rder|unseen", printed), printed


@WITH_ITS_SOURCES
def test_timestamps(tmp_path, seed):
    """RFC 7323 with the kernel: in every segment but resets, never going back; what comes back is what was sent."""
    good_toe(tmp_path, "--timestamps", "--seed", str(seed))
    names = ("stream", "srcport", "dstport", "flags", "options.timestamp.tsval", "options.timestamp.tsecr")
    sent: dict[tuple[str, str], list[int]] = {}  # by stream and sender
    echoes = 0
    for line in fields(tmp_path / "port-0.pcapng", tuple(f"tcp.{name}" for name in names), "-Y", "tcp"):
        stream, source, destination, flags, value, echo = line
        if not value:
            assert int(flags, 16) & 4, line
            continue
        mine = sent.setdefault((stream, source), [])
        assert not mine or 0 <= int(value) - mine[-1] & 0xFFFFFFFF < 1 << 31, line
        mine.append(int(value))
        if int(flags, 16) & 16:
            assert int(echo) in sent[stream, destination], line
            echoes += 1
    assert echoes > 500
    assert sum(values[-1] != values[0] for values in sent.values()) > len(sent) // 4


@WITH_ITS_SOURCES
def test_a_line_that_loses_doubles_and_reorders(tmp_path, seed):
    faults = "drop=0.01,dup=0.01,reorder=0.01,corrupt=0.01"
    summary = good_toe(tmp_path, "--fault", faults, "--seed", str(seed), "--no-capture")
    for way in ("to_card", "from_card"):
        faults = summary["card"]["port"][way]["faults"]
        assert min(faults.values()) > 0
    assert summary["kernel"]["Tcp.RetransSegs"] > 0
