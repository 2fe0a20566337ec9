# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ullnic-stack's transceivers: what a frame's way to the card and back takes."""

import subprocess

from scapy.layers.l2 import ARP, Ether
from scapy.utils import RawPcapNgReader, wrpcap

from ullnic.build import build_sim
from ullnic.run.toe.options import PROGRAMS

PEER_MAC = "02:00:00:00:00:77"


def round_trips(folder, program, *options: str) -> list[int]:
    """Nanoseconds from a request of ARP to its answer, where both are on the far end's side of the transceivers."""
    asked = Ether(src=PEER_MAC, dst="ff:ff:ff:ff:ff:ff")
    asked /= ARP(hwsrc=PEER_MAC, psrc="198.18.0.77", pdst="198.18.0.7")
    wrpcap(str(folder / "in.pcap"), [Ether(bytes(asked).ljust(60, b"\0"))] * 3)
    argv = [program, "--port", f"pcap:{folder / 'in.pcap'}", "--pcapng-dir", folder, "--seed", "3", *options]
    subprocess.run(argv, check=True, capture_output=True, timeout=60)
    frames = list(RawPcapNgReader(str(folder / "port-0.pcapng")))
    times = [(meta.tshigh << 32 | meta.tslow, Ether(octets)) for octets, meta in frames]
    requests = [ns for ns, frame in times if frame.src == PEER_MAC]
    answers = [ns for ns, frame in times if frame.dst == PEER_MAC]
    return [after - before for before, after in zip(requests, answers, strict=False)]


def test_both_transceivers_have_their_delay(tmp_path):
    """The answer is later by --delay-ui, to the words of both directions; --offset-bits is added to it."""
    program = build_sim(targets=(PROGRAMS[False],)) / PROGRAMS[False]
    none = min(round_trips(tmp_path, program, "--delay-ui", "0"))
    word_ns, bit_ns = 32 * 3.2 / 33, 3.2 / 33
    for delay, offset in ((66, 0), (67, 0), (2000, 0), (2001, 0), (8000, 0), (2000, 65)):
        found = round_trips(tmp_path, program, "--delay-ui", str(delay), "--offset-bits", str(offset))
        assert len(found) >= 2
        for ns in found:
            assert abs(ns - none - (delay + offset) * bit_ns) <= 2 * word_ns + 1, (delay, offset, found, none)
