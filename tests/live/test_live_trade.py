# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run`: orders of FPGA logic and of a socket program reach the kernel's server, whatever the line does."""

import gzip
import json
import struct
import sys

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.utils import RawPcapReader, RawPcapWriter

from live_run import ORDINARY_USER, run_argv, run_trade
from ullnic.budget import budgets
from ullnic.run.trade.command import WRITES
from ullnic.run.trade.records import order, software

ROUNDING_NS = 0.005
GAP_NS = (12 + 4 + 4) * 66 / 8 * 0.09697  # gap, FCS, and the position of the start in its block


def good_trade(tmp_path, *arguments: str, prefix: list[str] | None = None) -> dict:
    done = run_trade("--out", str(tmp_path), *arguments, prefix=prefix)
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["ok"] and summary["failures"] == []
    assert summary["stream"]["orders"] == summary["logic"]["orders"]
    assert ("frames that the line harmed, " in done.stdout) == bool(summary["config"]["fault"])
    return summary


@pytest.mark.parametrize("prefix", [[], ORDINARY_USER], ids=["as-we-are", "ordinary-user"])
def test_every_order_arrives_within_the_promised_time(tmp_path, prefix, seed):
    summary = good_trade(tmp_path, "--triggers", "300", "--messages", "20", "--seed", str(seed), prefix=prefix)
    assert summary["logic"]["triggers"] == 300 and summary["logic"]["orders"] > 250
    assert summary["stream"]["messages"] == 20 and summary["stream"]["switches"] > 0
    latency = summary["tick_to_trade"]["sof_to_sof"]
    assert latency["samples"] == summary["logic"]["orders"]
    promised = budgets("trigger")[0]["trigger_pma16"]["sof_to_sof_ns"]
    assert promised["min"] - ROUNDING_NS <= latency["min"]
    # The promise is for an idle line. Directly after a frame of software an order waits for the gap between frames.
    assert latency["percentiles"]["95"] <= promised["max"] + ROUNDING_NS
    assert latency["max"] <= promised["max"] + GAP_NS
    stream = sent_stream(tmp_path / "port-1.pcapng")
    assert stream == (tmp_path / "received.bin").read_bytes()
    assert order(1) in stream and software(20) in stream


def sent_stream(path) -> bytes:
    """The stream that left the card, reassembled from its segments by scapy alone."""
    start, pieces = None, {}
    for data, _ in RawPcapReader(str(path)):
        packet = Ether(data)
        if TCP not in packet or packet[TCP].dport != 50000:
            continue
        if packet[TCP].flags.S:
            start = packet[TCP].seq + 1
        length = packet[IP].len - 20 - 4 * packet[TCP].dataofs
        if length:
            pieces[(packet[TCP].seq - start) % 2**32] = bytes(packet[TCP].payload)[:length]
    stream = b""
    for offset in sorted(pieces):
        assert offset <= len(stream)
        stream += pieces[offset][len(stream) - offset :]
    return stream


def test_a_line_that_loses_doubles_and_reorders(tmp_path, seed):
    bad = "drop=0.02,dup=0.02,reorder=0.02"
    summary = good_trade(tmp_path, "--triggers", "300", "--messages", "60", "--fault", bad, "--seed", str(seed))
    ways = summary["card"]["ports"][1]
    harmed = [sum(ways[way]["faults"].values()) for way in ("to_card", "from_card")]
    assert all(harmed), f"the line did no harm: {harmed}"


def test_a_slice_of_the_soak(tmp_path, seed):
    """A faulty line, bulk data, and a server that stops reading."""
    soak = [sys.executable, "-m", "ullnic", "soak", "ate", "--bytes", "300K", "--stall", "0.1", "--seed", str(seed)]
    done = run_argv([*soak, "--out", str(tmp_path)], timeout_s=300)
    assert done.returncode == 0, done.stderr
    stream = json.loads((tmp_path / "summary.json").read_text())["stream"]
    assert stream["stalls"] > 0 and stream["orders"] > 0 and stream["messages"] == 300 * 1024 // 32


def test_the_32_bit_card(tmp_path):
    summary = good_trade(tmp_path, "--card", "trigger_pma32", "--triggers", "100", "--messages", "5")
    assert summary["config"]["delay_ui"] == 282
    assert summary["logic"]["orders"] > 80


def test_market_data_of_the_user(tmp_path):
    frames = [bytes.fromhex("ffffffff0001020000000001") + b"\x08\x00" + bytes(46)] * 5
    frames += [bytes.fromhex("fffffffe0001020000000001") + b"\x08\x00" + bytes(46)] * 7
    with RawPcapWriter(str(tmp_path / "feed.pcap"), linktype=1) as writer:
        writer.write_header(None)
        for frame in frames:
            writer.write_packet(frame)
    good, cut = (tmp_path / "feed.pcap").read_bytes(), struct.pack("<IIII", 0, 0, 60, 1500) + frames[0]
    (tmp_path / "feed.gz").write_bytes(gzip.compress(good + cut))
    substituted = ["bash", "-c", f'"$@" --market <(cat {tmp_path}/feed.gz)', "bash"]
    summary = good_trade(tmp_path / "out,1", "--messages", "3", prefix=substituted)
    assert summary["logic"]["triggers"] == 5
    assert summary["card"]["ports"][0]["to_card"]["frames"] == summary["market"]["sent"] == 12
    assert summary["notes"] == ["left out of 13 frames: 1 cut by the capture's snap length (number 13)"]
    assert {path.name for path in (tmp_path / "out,1").iterdir()} <= {*WRITES}


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--card", "nonsense"], "nonsense"),
        (["--market", "/nonexistent.pcap"], "does not exist"),
        (["--fault", "drop=2", "--triggers", "1"], "drop=2"),
        (["--triggers", "0"], "triggers"),
    ],
)
def test_wrong_use_is_explained(tmp_path, arguments, said):
    done = run_trade("--out", str(tmp_path), *arguments)
    assert done.returncode != 0 and said in done.stderr
    assert "Traceback" not in done.stderr


def test_help_names_the_other_demonstration():
    done = run_trade("--help")
    assert done.returncode == 0 and "./ullnic run link --help" in done.stdout
