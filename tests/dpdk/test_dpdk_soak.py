# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A short run of `ullnic soak dpdk`, and checks that it detects errors."""

import re

import pytest
from click.testing import CliRunner
from scapy.utils import PcapNgWriter

from ullnic import dpdk
from ullnic.dpdk import soak
from ullnic.errors import UllnicError

FRAMES = [bytes([number]) * 60 for number in range(3)]


def test_a_slice(programs, seed):
    result = CliRunner().invoke(soak.dpdk, ["--packets", "3000", "--seed", str(seed)], standalone_mode=False)
    assert result.exception is None and result.return_value == 0, result.stdout
    assert "received 3000, sent 3000, missed 0; arrived 3000, each the next one" in result.stdout


def arrivals(folder, frames: list[bytes]) -> soak.Arrivals:
    reader = soak.Arrivals(folder / "fifo", FRAMES, 6)
    with PcapNgWriter(str(folder / "fifo")) as writer:
        for frame in frames:
            writer.write(frame)
    reader.join(10)
    return reader


@pytest.mark.parametrize(
    ("frames", "count", "wrong"),
    [
        (FRAMES * 2, 6, ""),
        (FRAMES + FRAMES[:2], 5, ""),
        (FRAMES + FRAMES[1:], 4, "packet 3 is not"),
        ([*FRAMES, FRAMES[2], *FRAMES], 4, "packet 3 is not"),
        ([FRAMES[0], FRAMES[1][:-1] + b"x"], 2, "packet 1 is not"),
        ([FRAMES[0], FRAMES[1][:-1]], 2, "packet 1 is not"),
    ],
)
def test_arrivals_are_compared(tmp_path, frames, count, wrong):
    reader = arrivals(tmp_path, frames)
    assert reader.count == count and reader.wrong.startswith(wrong) and bool(reader.wrong) == bool(wrong)


COUNTERS = {"rx_good_packets": 6, "tx_good_packets": 6, "rx_missed_errors": 0, "rx_errors": 0}


@pytest.mark.parametrize(
    ("count", "changes", "said"),
    [
        (6, {}, ""),
        (5, {}, "1 packets did not arrive"),
        (6, {"rx_missed_errors": 1}, "statistics are not those of the line"),
        (6, {"tx_good_packets": 7}, "statistics are not those of the line"),
    ],
)
def test_the_judge(capsys, count, changes, said):
    class Counted:
        expected, wrong = 6, ""

    Counted.count = count
    assert soak.judge(Counted, {0: COUNTERS | changes, 1: COUNTERS | changes}, 1.0) == (1 if said else 0)
    assert re.search(f"^WRONG: .*{said}" if said else r"each the next one$", capsys.readouterr().out, re.MULTILINE)


def test_without_dpdk_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(dpdk, "absent", lambda: [need for need in dpdk.apt.NEEDS if need.package in dpdk.PACKAGES])
    with pytest.raises(UllnicError, match="DPDK is not installed") as raised:
        CliRunner().invoke(soak.dpdk, [], standalone_mode=False, catch_exceptions=False)
    assert "pkg-config libdpdk-dev dpdk-dev" in raised.value.remedy
