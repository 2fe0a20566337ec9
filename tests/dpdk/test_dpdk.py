# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The distribution's dpdk-testpmd on the virtual card in RTL, by our driver: frames that scapy has made are forwarded byte
by byte, and what the driver says of itself is so."""

import random
import re
import struct

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether

from testpmd import Card, Testpmd

MTU_BYTES = 18  # of Ethernet and a VLAN tag
SCATTER, TIMESTAMP = 1 << 13, 1 << 14  # RTE_ETH_RX_OFFLOAD_*
PEER = "02:00:00:00:00:99"


def frame(rng: random.Random, number: int, length: int, vlan: bool = False) -> bytes:
    ether = Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02")
    head = ether / Dot1Q(vlan=7) if vlan else ether
    packet = bytes(head / IP(src="198.18.0.1", dst="198.18.0.2") / UDP(sport=1, dport=2) / struct.pack(">I", number))
    return packet + rng.randbytes(length - len(packet))


def frames(seed: int, count: int, least: int = 64, most: int = 1514) -> list[bytes]:
    rng = random.Random(seed)
    made = [frame(rng, number, rng.randint(least, most)) for number in range(count)]
    return [*made, frame(rng, count, least), frame(rng, count + 1, most)]


@pytest.fixture
def started(tmp_path, programs):
    """Starts cards and testpmds, and leaves none."""
    sim, plugin = programs
    running = []

    class Started:
        def card(self, sent: dict[int, list[bytes]] | None = None, *options: str) -> Card:
            running.append(Card(tmp_path / f"card{len(running)}", sim, sent or {}, *options))
            return running[-1]

        def testpmd(self, card: Card, *options: str, **more) -> Testpmd:
            running.append(Testpmd(plugin, card.name, *options, **more))
            return running[-1]

    yield Started()
    for each in reversed(running):
        each.kill()


def test_frames_of_both_lines_are_forwarded_byte_by_byte(started):
    sent = {0: frames(1, 400), 1: frames(2, 300)}
    sent[0].append(frame(random.Random(3), 9, 1518, vlan=True))
    card = started.card(sent)
    pmd = started.testpmd(card)
    assert "Link status: up" in pmd("show port info 0") and "Link speed: 10 Gbps" in pmd("show port info 1")
    pmd("start")
    card.start()
    for port in (0, 1):
        pmd.wait(port, "mac_tx_frames", len(sent[1 - port]))
    counters = {port: pmd.counters(port) for port in (0, 1)}
    basic = {port: pmd(f"show port stats {port}") for port in (0, 1)}
    assert pmd.quit().count(" is closed") == 2
    card.stop()
    assert [card.sent(1), card.sent(0)] == [sent[0], sent[1]]
    for port in (0, 1):
        there, back = (len(sent[port]), sum(map(len, sent[port]))), (len(sent[1 - port]), sum(map(len, sent[1 - port])))
        for names, (count, total) in {
            ("rx_good_packets", "rx_good_bytes"): there,
            ("rx_queue_packets", "rx_queue_bytes"): there,
            ("tx_good_packets", "tx_good_bytes"): back,
            ("tx_queue_packets", "tx_queue_bytes"): back,
        }.items():
            assert [counters[port][name] for name in names] == [count, total], names
        assert counters[port]["host_rx_frames"] == counters[port]["mac_rx_frames_good"] == there[0]
        assert counters[port]["mac_rx_bytes_good"] == there[1] + 4 * there[0]  # with FCS
        assert counters[port]["host_chunks"] == counters[port]["mac_tx_frames"] == back[0]
        for name, value in counters[port].items():
            harmless = not re.search("error|missed|drop|refused|cut|bad|no_room|over|lost|underrun", name)
            assert value == 0 or harmless, (name, counters[port])
        assert re.search(rf"RX-packets: {there[0]} +RX-missed: 0 +RX-bytes: +{there[1]}\b", basic[port]), basic[port]
        assert re.search(rf"TX-packets: {back[0]} +TX-errors: 0 +TX-bytes: +{back[1]}\b", basic[port]), basic[port]
