# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Market data generated from a seed: UDP, of which every second frame on average triggers an order."""

import functools
import random
from pathlib import Path

MARKET = "market.pcap"  # in the folder of the run
TRIGGER_MAC = "ff:ff:ff:ff:00:01"  # cards/trigger looks at the first four bytes
OTHER_MAC = "01:00:5e:00:00:01"
PAYLOAD_BYTES = (18, 400)


def write_market(path: Path, triggers: int, seed: int) -> int:
    """A capture file with this many triggers and as many other frames, mixed. Returns the number of frames."""
    from scapy.utils import RawPcapWriter

    numbers = random.Random(seed)
    frames = [TRIGGER_MAC] * triggers + [OTHER_MAC] * triggers
    numbers.shuffle(frames)
    with RawPcapWriter(str(path), linktype=1, sync=False) as writer:
        writer.write_header(None)
        for number, mac in enumerate(frames):
            payload = number.to_bytes(8, "big") + numbers.randbytes(numbers.randint(*PAYLOAD_BYTES) - 8)
            writer.write_packet(headers(mac, len(payload)) + payload)
    return len(frames)


@functools.cache
def headers(mac: str, payload_bytes: int) -> bytes:
    """Headers of a frame with this much UDP payload."""
    from scapy.layers.inet import IP, UDP
    from scapy.layers.l2 import Ether

    # A UDP checksum of 0 means none (RFC 768).
    packet = Ether(src="02:00:00:00:00:fd", dst=mac) / IP(src="198.18.1.1", dst="233.54.12.111")
    packet = packet / UDP(sport=26400, dport=26400, chksum=0) / bytes(payload_bytes)
    return bytes(packet)[:-payload_bytes]
