#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the inputs of control_fuzz and wire_fuzz that are kept in corpus/: one for each fault that was ever found, and
one for each operation, from which libFuzzer goes on. The arguments of an operation: README.md."""

import sys
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
OPERATIONS = "request request_bytes hang_up program sleep segment reply syn datagram arp frame patch quote".split()
PROBE, BIND, CONNECT, LISTEN, QUERY, OPTIONS, GROUP, READ, WRITE, RAW, DELEGATE, DELEGATED = range(1, 13)
UNDELEGATE, ROUTE, MORE, LINGER = range(13, 17)
NEW = 0xFF  # no socket yet
PEER, CARD, ANY, OTHER_CARD, OTHER_PEER, GROUP_1, GROUP_2, BROADCAST, EVERYWHERE, ALL_HOSTS, FAR, SELF = range(12)
P0, P5000, P5001, P6000, P6001, P80 = range(6)
DATAGRAM, UNBOUND, SILENT, ANY_NEIGHBOUR, REUSE_ADDRESS, REUSE_PORT, MAY_BROADCAST, CORK = (1 << i for i in range(8))
FIN, SYN, RST, PSH, ACK = (1 << i for i in range(5))
# Of wire_fuzz: its sockets, and the flows of those that have a peer.
LISTENER, PLAIN, ENGINE, UDP, CONNECTING = range(5)
FLOW = {PLAIN: 1, ENGINE: 2, CONNECTING: 3}


def two(value: int) -> list[int]:
    return list((value & 0xFFFF).to_bytes(2, "little"))


def record(operation: str, *arguments: int) -> bytes:
    return bytes([OPERATIONS.index(operation), *arguments]).ljust(16, b"\0")


def request(op, socket=NEW, peer=PEER, port=P5001, local=ANY, number=P0, flags=0, engine=0, action=0, value=0, link=0,
            laid=b"", every_field=False, data=b"", cut=0):  # fmt: skip
    fields = [link, op, socket, peer, port, local, number, flags, engine, action, *two(value)]
    overlay = laid.ljust(-(-len(laid) // 16) * 16, b"\0")
    more = data.ljust(-(-len(data) // 16) * 16, b"\0")
    return record("request", *fields, len(overlay) // 16 << 1 | every_field, len(more) // 16, cut) + overlay + more


def program(socket: int, what: str, count: int = 0, to: int = 0, port: int = 0, flags: int = 0) -> bytes:
    whats = ["write", "write_again", "read", "shut", "accept", "close", "forget"]
    return record("program", socket, whats.index(what), *two(count), to, port, 0x41, flags)


def segment(flow, flags=ACK, seq=(0, 0), ack=(0, 0), window=0x4000, options=0, option=(0, 0), payload=0):
    """`seq`, `ack`: how it misses what is expected, and by what."""
    return record("segment", flow, flags, seq[0], *two(seq[1]), ack[0], *two(ack[1]), *two(window), options, *option,
                  *two(payload))  # fmt: skip


def datagram(protocol, length, fragment=0, number=0, to=CARD, first=(P6000, 0), more=0, source=PEER, line=0, ttl=0):
    protocols = {"udp": 0, "icmp": 1, "igmp": 2, "tcp": 3}
    return record("datagram", line, source, to - 1 & 0xFF, protocols[protocol], *two(length), *two(fragment), number,
                  ttl, *first, *two(more))  # fmt: skip


def sleep(choice: int = 3) -> bytes:
    return record("sleep", choice)


def reply(flow: int, payload: int = 0, fin: int = 0) -> bytes:
    return record("reply", flow, *two(payload), fin)


def window_0(flow: int) -> bytes:
    """A window shrinks with data that is new only."""
    return segment(flow, payload=1) + segment(flow, payload=1, window=0)


MORE_FRAGMENTS = 0x2000

WIRE = {
    "nothing": b"\0",
    # lwIP took the sequence number for one of its own mistakes, and ended the process.
    "fault_sequence_half_round": segment(FLOW[PLAIN], seq=(5, 0), payload=1),
    "fault_sequence_half_round_engine": segment(FLOW[ENGINE], seq=(5, 0), payload=1),
    # An MSS option without SYN made a segment that waits longer than the MSS.
    "fault_mss_after_window_0": window_0(FLOW[PLAIN])
    + program(PLAIN, "write", 10)
    + segment(FLOW[PLAIN], window=0, options=1, option=(0, 4))
    + program(PLAIN, "write", 10)
    + sleep(6),
    "fault_mss_0_after_window_0": window_0(FLOW[PLAIN])
    + program(PLAIN, "write", 100)
    + segment(FLOW[PLAIN], window=9, options=1, option=(0, 0))
    + sleep(6),
    "data_both_ways": b"".join(
        reply(FLOW[flow], 700) + program(flow, "read", 4000) + program(flow, "write", 3000) + reply(FLOW[flow])
        for flow in (PLAIN, ENGINE)
    ),
    "close_by_peer": reply(FLOW[PLAIN], 10, FIN) + program(PLAIN, "close") + reply(FLOW[PLAIN]) + sleep(8),
    "close_by_program": program(PLAIN, "close") + reply(FLOW[PLAIN]) + reply(FLOW[PLAIN], 0, FIN) + sleep(8),
    "connects": reply(FLOW[CONNECTING]) + program(CONNECTING, "write", 100) + segment(FLOW[CONNECTING], RST),
    "accepted": record("syn", 0, 0, 0, 0, 1, 1, 2, 3, 4, 2, 0, 5)
    + reply(4)
    + program(LISTENER, "accept")
    + reply(4, 100)
    + program(5, "write", 5000)
    + reply(4),
    "out_of_order": segment(FLOW[PLAIN], seq=(1, 500), payload=500)
    + segment(FLOW[PLAIN], seq=(1, 200), payload=500)
    + segment(FLOW[PLAIN], payload=600),
    "retransmission": program(PLAIN, "write", 9000) + sleep(6) + segment(FLOW[PLAIN], ack=(1, -8000)) * 4 + sleep(7),
    "fragments": datagram("udp", 1480, MORE_FRAGMENTS, 1, more=2000)
    + datagram("udp", 520, 185, 1)
    + datagram("udp", 1480, MORE_FRAGMENTS, 2, more=2000)
    + datagram("udp", 520, 180, 2)
    + sleep(9),
    "icmp": datagram("icmp", 100, first=(8, 0)) + program(UDP, "write", 100, PEER, P6001) + record("quote", 0, 0, 3, 3, 0, 0, 60),
    "igmp": datagram("igmp", 8, first=(0x11, 10), to=ALL_HOSTS, more=0, ttl=1) + sleep(6),
    "arp": record("arp", 0, 1, PEER, CARD, 0, 1) + record("arp", 0, 1, CARD, CARD) + record("arp", 0, 2, FAR, CARD, 1, 1),
    "any_frame": record("frame", 0, *two(60)) + bytes(range(64)) + record("patch", 14, 0x4A, 15, 1) + datagram("udp", 20),
    "vlan": datagram("udp", 100, line=1, to=OTHER_CARD, source=OTHER_PEER),
    "groups": datagram("udp", 100, to=GROUP_1) + datagram("udp", 100, to=BROADCAST) + program(UDP, "read", 2000) * 2,
}  # fmt: skip

CONTROL = {
    "nothing": b"\0",
    # A socket that was closed kept what lwIP had freed.
    "fault_options_after_close": request(BIND, local=CARD)
    + program(0, "close")
    + request(OPTIONS, 0, laid=bytes([0, 0x41, 0, 0, *b"AAAABBBBCCCC"])),
    "fault_more_after_close": request(BIND, local=CARD) + program(0, "close") + request(MORE, 0, value=5) + request(LINGER, 0),
    # A socket of datagrams, connected as one of TCP, kept an engine's connection.
    "fault_engine_of_datagrams": request(BIND, local=CARD, flags=DATAGRAM) + request(CONNECT, 0, engine=3) + program(0, "close"),
    "fault_stream_as_datagrams": request(BIND, local=CARD) + request(CONNECT, 0, flags=DATAGRAM) + program(0, "write", 50),
    "connect": request(CONNECT) + record("reply", 1) + request(QUERY, 0) + program(0, "write", 4000) + reply(1),
    "connect_engine": request(CONNECT, engine=5) + reply(1) + program(0, "write", 400) + reply(1) + program(0, "close"),
    "listen": request(BIND, local=CARD, number=P5000) + request(LISTEN, 0, value=5) + record("syn", 0, 0, 0, 0, 1) + reply(1)
    + program(0, "accept"),
    "share": (request(BIND, local=CARD, number=P5000, flags=REUSE_PORT)) * 2 + request(LISTEN, 0) + request(LISTEN, 1)
    + program(0, "close"),
    "datagrams": request(BIND, local=CARD, number=P6000, flags=DATAGRAM) + program(0, "write", 300, PEER, P6001)
    + datagram("udp", 200) + request(GROUP, 0, GROUP_1, local=CARD) + request(GROUP, 0, GROUP_1, local=CARD, action=1),
    "delegate": request(CONNECT) + reply(1) + request(DELEGATE, 0, value=1000) + request(DELEGATED, 0, data=b"x" * 400)
    + reply(1) + request(UNDELEGATE, 0),
    "registers": request(READ, value=4) + request(WRITE, value=0x8000, number=0) + request(RAW, value=0) + program(0, "write", 60),
    "others": request(PROBE) + request(ROUTE) + request(CONNECT, link=1) + request(QUERY, 0, link=2) + request(OPTIONS, 0, link=3),
    "no_request": record("request_bytes", 0, *two(40)) + bytes(48) + request(PROBE, cut=1) + request(PROBE, data=b"more"),
    "unread": request(BIND, local=CARD, link=0x80) * 3 + record("hang_up", 0),
}  # fmt: skip


def main() -> None:
    for folder, inputs in (("wire", WIRE), ("control", CONTROL)):
        (CORPUS / folder).mkdir(parents=True, exist_ok=True)
        for name, data in inputs.items():
            (CORPUS / folder / name).write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
