# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The real kernel's traffic across the simulated link, checked from the captures and not from the run's own report."""

import json
import re
import subprocess
from collections import Counter

import pytest
from scapy.utils import RawPcapNgReader

from live_run import ORDINARY_USER, good_summary, run

BULK_BYTES = 3 << 20
# Bounds for 32/32 bit without register stages, with 282 UI: docs of the MAC+PCS.
SOP_TO_SOP_NS = (34.133, 40.340)


def frames(path) -> Counter:
    with RawPcapNgReader(str(path)) as reader:
        return Counter(bytes(data) for data, _ in reader)


def padded(counted: Counter) -> Counter:
    """Frames after the transmitter has padded them to the Ethernet minimum."""
    result = Counter()
    for frame, count in counted.items():
        result[frame.ljust(60, b"\0")] += count
    return result


def tcp_payload_bytes(path, source_ip: str) -> int:
    """Payload of the bulk connection that `source_ip` served, according to tshark."""
    lines = tshark(path, "-Y", f"ip.src=={source_ip} && tcp.srcport==19", "-T", "fields", "-e", "tcp.len")
    return sum(map(int, lines.split()))


def tshark(path, *arguments: str) -> str:
    return subprocess.run(["tshark", "-r", str(path), *arguments], capture_output=True, text=True, check=True).stdout


def expert_items(path) -> set[tuple[str, str]]:
    """(severity, summary) of all results of tshark's expert analysis."""
    items, severity = set(), ""
    for line in tshark(path, "-q", "-z", "expert").splitlines():
        if heading := re.match(r"(Errors|Warns|Notes|Chats) \(", line):
            severity = heading[1]
        elif row := re.match(r"\s+\d+\s+\S+\s+\S+\s+(.*)", line):
            items.add((severity, row[1]))
    return items


def check_captures(out_dir, link: dict) -> None:
    port_a, port_b = out_dir / "port-a.pcapng", out_dir / "port-b.pcapng"
    assert padded(frames(port_a)) == padded(frames(port_b)), "the two ends did not see the same frames"
    assert frames(port_a).total() == link["a_to_b"]["frames"] + link["b_to_a"]["frames"]
    for source_ip in ("198.18.0.1", "198.18.0.2"):
        assert tcp_payload_bytes(port_a, source_ip) == BULK_BYTES // 2
    for path in (port_a, port_b):
        items = expert_items(path)
        assert ("Chats", "HTTP/1.0 200 OK\\r\\n") in items  # the analysis did examine the traffic
        wrong = {item for item in items if item[0] != "Chats" and "connection closing" not in item[1]}
        assert not wrong


@pytest.mark.parametrize("port", ["tap", "veth"])
def test_traffic_arrives_intact(port, tmp_path):
    done = run("--bulk", str(BULK_BYTES), "--port", port, "--out", str(tmp_path), "--json")
    summary = good_summary(tmp_path, done)
    assert json.loads(done.stdout) == summary
    link = summary["link"]
    for way in ("a_to_b", "b_to_a"):
        assert link[way]["delivered"] == link[way]["frames"] > BULK_BYTES // 2 // 1448
        assert link[way]["errors"] == link[way]["lost"] == 0
        latency = link[way]["latency_sop_to_sop_unqueued_ns"]
        assert latency["samples"] > 20
        assert SOP_TO_SOP_NS[0] <= latency["min"] <= latency["max"] <= SOP_TO_SOP_NS[1]
    assert summary["phases"]["ping"]["received"] == summary["phases"]["ping"]["sent"] == 10
    assert summary["kernel"]["A"]["Tcp.RetransSegs"] == summary["kernel"]["B"]["Tcp.RetransSegs"] == 0
    check_captures(tmp_path, link)
    assert (tmp_path / "latency.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("port", ["auto", "veth"])
def test_ordinary_user(port, tmp_path):
    done = run("--bulk", "1M", "--port", port, "--out", str(tmp_path), prefix=ORDINARY_USER)
    assert good_summary(tmp_path, done)["config"]["user_namespace"] is True


def test_jumbo_frames_bit_offset_and_the_partner_as_far_end(tmp_path):
    done = run("--bulk", "2M", "--mtu", "9000", "--offset-bits", "17", "--far-end", "partner", "--out", str(tmp_path))
    good_summary(tmp_path, done)
    assert "latency not measured" in done.stdout  # the partner has no user side
    longest = max(len(frame) for frame in frames(tmp_path / "port-b.pcapng"))
    assert longest == 9000 + 14


def test_tcp_gets_over_lost_frames(tmp_path, seed):
    done = run("--bulk", "4M", "--fault-ab", "drop=0.02", "--seed", str(seed), "--out", str(tmp_path))
    summary = good_summary(tmp_path, done)
    assert summary["link"]["a_to_b"]["dropped_by_fault"] > 10
    assert summary["link"]["b_to_a"]["dropped_by_fault"] == 0
    assert summary["kernel"]["A"]["Tcp.RetransSegs"] > 0  # A's data was lost, so A retransmitted
    assert "faults were asked for" in done.stdout


def test_short_captures_and_none(tmp_path):
    good_summary(tmp_path, run("--bulk", "64K", "--snaplen", "80", "--out", str(tmp_path)))
    assert max(len(frame) for frame in frames(tmp_path / "port-a.pcapng")) == 80
    without = tmp_path / "without"
    good_summary(without, run("--bulk", "64K", "--no-capture", "--out", str(without)))
    assert not list(without.glob("*.pcapng"))
