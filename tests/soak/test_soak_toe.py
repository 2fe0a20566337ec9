# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A short run of `ullnic soak toe`, and a check that its judge detects what is wrong in a capture."""

import json
import os
import subprocess
import sys

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.utils import wrpcap

from ullnic.build import build_sim
from ullnic.paths import ROOT
from ullnic.run.netns import END_A
from ullnic.run.toe.judge import Judge, fields, tshark
from ullnic.run.toe.live import RTO_MIN_MS
from ullnic.run.toe.options import PROGRAMS
from ullnic.run.toe.soak_live import ATTACKER_MAC, CARD

BYTES, CONNECTIONS = 1 << 20, 120
HOSTILE = 0.3  # actions for each frame


@pytest.fixture(scope="module")
def folder(tmp_path_factory, seed):
    """The summary and the captures of a good run."""
    out = tmp_path_factory.mktemp("soak")
    build_sim(targets=(PROGRAMS[False],))  # the run's own time limit applies
    amount = ("--bytes", str(BYTES), "--connections", str(CONNECTIONS))
    amount += ("--hostile", str(HOSTILE), "--seed", str(seed))
    command = [sys.executable, "-m", "ullnic", "soak", "toe", *amount, "--keep-captures", "--out", out]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return out


def parts(folder) -> list[dict]:
    return json.loads((folder / "summary.json").read_text())["parts"]


def test_every_byte_and_nothing_left(folder):
    line, hostile = parts(folder)
    assert (line["phases"]["bulk"]["bytes"], hostile["phases"]["bulk"]["bytes"]) == (BYTES, BYTES // 10)
    assert line["phases"]["churn"]["connections"] == CONNECTIONS
    for part in (line, hostile):
        assert part["failures"] == []
        assert part["card"]["rest"] == {"stuck": {}, "left_inside": []}
        few = sum if part is hostile else min  # a tenth of the bytes: by chance it may be without one kind
        for way in ("to_card", "from_card"):
            assert few(part["card"]["port"][way]["faults"].values()) > 0
    assert line["judged"]["connections"] >= CONNECTIONS + 16 and line["judged"]["again_bytes"] > 0


def test_the_attacker_has_struck(folder):
    _, hostile = parts(folder)
    acts = hostile["card"]["port"]["source"]["hostile"]["acts"]
    assert sum(acts.values()) > 30 and acts["syn_flood"] > 0
    drops = hostile["card"]["drops"]
    assert drops["checksum"] > 0 and drops["malformed"] + drops["fragment"] + drops["ip_options"] > 0


def copy(folder, target, *capture_filter: str):
    """The captures of the part without an attacker; of the port's capture what passes the filter."""
    source = folder / "round-1" / "line"
    (target / "faults.pcapng").write_bytes((source / "faults.pcapng").read_bytes())
    for _ in tshark("-r", str(source / "port-0.pcapng"), *capture_filter, "-w", str(target / "port-0.pcapng")):
        pass
    return target


def complaints(folder, dropped_syns: int = 0) -> str:
    return "\n".join(Judge(folder, CARD, END_A, dropped_syns=dropped_syns).run().failures)


def test_judge_wants_a_fault_for_each_finding(folder, tmp_path):
    copy(folder, tmp_path)
    # On a slow machine connections may end after the next ones arrive: the card then has no room for a SYN
    assert complaints(tmp_path, parts(folder)[0]["card"]["drops"]["syn_dropped"]) == ""
    (tmp_path / "faults.pcapng").unlink()
    said = complaints(tmp_path)
    assert "without a fault" in said and "bytes sent again by the card for 0 faults" in said


def test_judge_misses_what_was_acknowledged(folder, tmp_path):
    """A segment that the card has accepted is missing from the capture."""
    names = ("frame.number", "eth.src", "tcp.stream", "tcp.nxtseq", "tcp.ack", "tcp.len", "tcp.analysis.flags")
    last: dict[str, list[str]] = {}  # in each stream
    for row in fields(folder / "round-1" / "line" / "port-0.pcapng", names, "-Y", "tcp"):
        _, source, stream, _, ack, *_ = row
        if source == CARD.mac and stream in last:
            _, sender, _, end, _, length, flags = last[stream]
            # It arrived once, and nothing followed it when it was acknowledged
            if sender != CARD.mac and int(length or 0) > 0 and end == ack and not flags:
                break
        last[stream] = row
    else:
        pytest.fail("no segment was acknowledged before the next one came")
    copy(folder, tmp_path, "-Y", f"frame.number!={last[stream][0]}")
    assert "bytes that have not arrived" in complaints(tmp_path)


def test_judge_sees_a_wrong_checksum(folder, tmp_path):
    capture = copy(folder, tmp_path) / "port-0.pcapng"
    octets = bytearray(capture.read_bytes())
    # The card's first TCP segment: destination, source, type, version; then its checksum.
    start = octets.index(bytes.fromhex((END_A.mac + CARD.mac).replace(":", "")) + b"\x08\x00\x45")
    octets[start + 14 + 20 + 16] ^= 1
    capture.write_bytes(octets)
    assert "a wrong checksum by the card" in complaints(tmp_path)


@pytest.mark.parametrize(("checksum", "taken"), [(0, 1), (0xFFFF, 1), (0xFFFE, 0)])
def test_judge_takes_both_zeros_of_a_checksum(tmp_path, checksum, taken):
    """Payload that makes the checksum 0, for which Linux sends 0xffff."""
    head = Ether(src=END_A.mac, dst=CARD.mac) / IP(src=END_A.ip, dst=CARD.ip) / TCP(dport=7, flags="A")
    rest = Ether(bytes(head / bytes(2)))[TCP].chksum
    head[TCP].chksum = checksum
    wrpcap(str(tmp_path / "port-0.pcapng"), [head / rest.to_bytes(2, "big")])
    assert Judge(tmp_path, CARD, END_A).run().frames == taken


@pytest.mark.parametrize(("payload", "said"), [(b"", ""), (b"late bytes", "17 bytes beyond the window")])
def test_judge_minds_a_window_for_what_has_bytes(tmp_path, payload, said):
    """The peer's only ACK is an old one from an attacker: the card may acknowledge, but send nothing."""
    ends = ((END_A, CARD, 4000, 7), (CARD, END_A, 7, 4000))
    peer, card = (
        Ether(src=a.mac, dst=b.mac) / IP(src=a.ip, dst=b.ip) / TCP(sport=from_port, dport=to_port)
        for a, b, from_port, to_port in ends
    )
    peer[TCP].setfieldval("flags", "A")
    peer[TCP].seq, peer[TCP].ack, peer[TCP].window = 5000, 9000, 3
    card[TCP].flags, card[TCP].seq, card[TCP].ack = "A", 9010, 5000
    wrpcap(str(tmp_path / "port-0.pcapng"), [peer, card / payload])
    assert said in complaints(tmp_path)
    assert ("beyond the window" in complaints(tmp_path)) == bool(payload)


@pytest.mark.parametrize(("option", "scale"), [("03030e", 14), ("03035d", 14), ("030302", 2), ("030205", 0)])
def test_judge_knows_a_scale_behind_wrong_options(tmp_path, option, scale):
    """According to RFC 7323: tshark reads none after them."""
    wrong = bytes.fromhex("030532560008020502e20760b586e72c0202" + option)
    ends = ((END_A, CARD, 4000, 19), (CARD, END_A, 19, 4000))
    peer, card = (
        Ether(src=a.mac, dst=b.mac) / IP(src=a.ip, dst=b.ip) / TCP(sport=from_port, dport=to_port)
        for a, b, from_port, to_port in ends
    )

    def segment(frame, options=b"", payload=b"", **settings):
        frame = frame.copy()
        for name, value in settings.items():
            setattr(frame[TCP], name, value)
        frame[TCP].dataofs = 5 + -(-len(options) // 4)
        return frame / (options.ljust((frame[TCP].dataofs - 5) * 4, b"\0") + payload)

    for beyond in (0, 1):
        frames = [
            segment(peer, wrong, seq=100, flags="S", window=5000),
            segment(card, b"\3\3\0", seq=500, ack=101, flags="SA", window=8192),
            segment(peer, seq=101, ack=501, flags="A", window=43),
            segment(card, payload=bytes((43 << scale if scale < 5 else 1400) + beyond), seq=501, ack=101, flags="PA"),
        ]
        wrpcap(str(tmp_path / "port-0.pcapng"), frames)
        assert ("beyond the window" in complaints(tmp_path)) == (beyond > 0 and scale < 5)


@pytest.mark.parametrize("dropped", [0, 1])
def test_judge_knows_of_syns_without_room(tmp_path, dropped):
    syn = Ether(src=END_A.mac, dst=CARD.mac) / IP(src=END_A.ip, dst=CARD.ip) / TCP(sport=4000, dport=7, flags="S")
    wrpcap(str(tmp_path / "port-0.pcapng"), [syn, syn])
    said = Judge(tmp_path, CARD, END_A, dropped_syns=dropped).run()
    assert said.findings == {"kernel retransmission": 1}
    assert len(said.failures) == 1 - dropped


def test_judge_knows_which_forged_syn_the_card_answers(tmp_path):
    """Of two on the ports of a connection that has ended: the answer comes after both, and is to the first."""
    ends = ((END_A.mac, END_A, CARD, 4000, 9), (ATTACKER_MAC, END_A, CARD, 4000, 9), (CARD.mac, CARD, END_A, 9, 4000))
    peer, attacker, card = (
        lambda mac=mac, a=a, b=b, ports=ports, **settings: (
            Ether(src=mac, dst=b.mac) / IP(src=a.ip, dst=b.ip) / TCP(sport=ports[0], dport=ports[1], **settings)
        )
        for mac, a, b, *ports in ends
    )
    frames = [
        peer(flags="S", seq=100),
        card(flags="SA", seq=500, ack=101),
        peer(flags="R", seq=101),
        attacker(flags="S", seq=1000),
        attacker(flags="S", seq=1 << 31),
        card(flags="SA", seq=700, ack=1001),
        card(flags="A", seq=701, ack=1001),
    ]
    wrpcap(str(tmp_path / "port-0.pcapng"), frames)
    judge = Judge(tmp_path, CARD, END_A, ATTACKER_MAC)
    assert judge.run().failures == [] and judge.said.frames == len(frames) - 1
    frames[-1][TCP].ack = 1002
    wrpcap(str(tmp_path / "port-0.pcapng"), frames)
    assert Judge(tmp_path, CARD, END_A, ATTACKER_MAC).run().failures == [
        "frame 6: acknowledges 1 bytes that have not arrived"
    ]


def test_attacker_is_the_one_of_the_simulation():
    source = (ROOT / "sim/src/stack/hostile_port.h").read_text()
    assert f"kAttackerMac = 0x{ATTACKER_MAC.replace(':', '')}" in source


def test_both_ends_have_the_same_least_timeout():
    assert f" RTO_MIN_MS={RTO_MIN_MS} " in (ROOT / "sim/src/stack/sources.cmake").read_text()
