#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the inputs of the targets here that are kept in corpus/: one for each fault found so far, and a few for each
operation, from which libFuzzer continues.

README.md lists the arguments of each operation.
"""

from pathlib import Path

from ullnic.fuzz import records
from ullnic.fuzz.records import little, whole

CORPUS = Path(__file__).parent / "corpus"
OPERATIONS = (
    "request",
    "request_bytes",
    "hang_up",
    "program",
    "sleep",
    "segment",
    "reply",
    "syn",
    "datagram",
    "arp",
    "frame",
    "patch",
    "quote",
)
PROBE, BIND, CONNECT, LISTEN, QUERY, OPTIONS, GROUP, READ, WRITE, RAW, DELEGATE, DELEGATED = range(1, 13)
UNDELEGATE, ROUTE, MORE, LINGER, DMA_QUEUE, DMA_ERRORS, DISCONNECT, _SHUTDOWN, DMA_EVENTS, DMA_WATCH = range(13, 23)
NEW = 0xFF  # no socket yet
PEER, CARD, ANY, OTHER_CARD, OTHER_PEER, GROUP_1, GROUP_2, BROADCAST, EVERYWHERE, ALL_HOSTS, FAR, SELF = range(12)
P0, P5000, P5001, P6000, P6001, P80 = range(6)
DATAGRAM, UNBOUND, SILENT, ANY_NEIGHBOUR, REUSE_ADDRESS, REUSE_PORT, MAY_BROADCAST, CORK = (1 << i for i in range(8))
FIN, SYN, RST, PSH, ACK = (1 << i for i in range(5))
# For wire_fuzz: its sockets, and the flows of those that have a peer.
LISTENER, PLAIN, ENGINE, UDP, CONNECTING = range(5)
FLOW = {PLAIN: 1, ENGINE: 2, CONNECTING: 3}


def record(operation: str, *arguments: int) -> bytes:
    return records.record(OPERATIONS.index(operation), *arguments)


def request(
    op,
    socket=NEW,
    peer=PEER,
    port=P5001,
    local=ANY,
    number=P0,
    flags=0,
    engine=0,
    action=0,
    value=0,
    link=0,
    laid=b"",
    every_field=False,
    data=b"",
    cut=0,
):
    fields = [link, op, socket, peer, port, local, number, flags, engine, action, *little(value)]
    overlay, more = whole(laid), whole(data)
    return record("request", *fields, len(overlay) // 16 << 1 | every_field, len(more) // 16, cut) + overlay + more


def program(socket: int, what: str, count: int = 0, to: int = 0, port: int = 0, flags: int = 0) -> bytes:
    whats = ["write", "write_again", "read", "shut", "accept", "close", "forget"]
    return record("program", socket, whats.index(what), *little(count), to, port, 0x41, flags)


def segment(flow, flags=ACK, seq=(0, 0), ack=(0, 0), window=0x4000, options=0, option=(0, 0), payload=0):
    """`seq`, `ack`: offsets from the expected numbers."""
    return record(
        "segment",
        flow,
        flags,
        seq[0],
        *little(seq[1]),
        ack[0],
        *little(ack[1]),
        *little(window),
        options,
        *option,
        *little(payload),
    )


def datagram(
    protocol, length, fragment=0, number=0, to=CARD, first=(P6000, 0), more=0, source=PEER, line=0, ttl=0, times=1
):
    protocols = {"udp": 0, "icmp": 1, "igmp": 2, "tcp": 3}
    return record(
        "datagram",
        line | times - 1 << 1,
        source,
        to - 1 & 0xFF,
        protocols[protocol],
        *little(length),
        *little(fragment),
        number,
        ttl,
        *first,
        *little(more),
    )


def sleep(choice: int = 3) -> bytes:
    return record("sleep", choice)


def reply(flow: int, payload: int = 0, fin: int = 0) -> bytes:
    return record("reply", flow, *little(payload), fin)


def window_0(flow: int) -> bytes:
    """A window shrinks only with new data."""
    return segment(flow, payload=1) + segment(flow, payload=1, window=0)


MORE_FRAGMENTS = 0x2000

WIRE = {
    "nothing": b"\0",
    # lwIP took the sequence number for an error of its own, and ended the process.
    "fault_sequence_half_round": segment(FLOW[PLAIN], seq=(5, 0), payload=1),
    "fault_sequence_half_round_engine": segment(FLOW[ENGINE], seq=(5, 0), payload=1),
    # An MSS option without SYN made a waiting segment longer than the MSS.
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
    "fast_retransmit": program(PLAIN, "write", 4380) + segment(FLOW[PLAIN], ack=(1, -2920)) * 5,
    "fragments": datagram("udp", 1480, MORE_FRAGMENTS, 1, more=2000)
    + datagram("udp", 520, 185, 1)
    + datagram("udp", 1480, MORE_FRAGMENTS, 2, more=2000)
    + datagram("udp", 520, 180, 2)
    + sleep(9),
    "fragments_many": b"".join(
        datagram("udp", 8, MORE_FRAGMENTS | place, 128 * i, more=64, times=128) for i in range(2) for place in range(6)
    )
    + datagram("udp", 8, 6, 0, times=128)
    + sleep(9),
    "icmp": datagram("icmp", 100, first=(8, 0))
    + program(UDP, "write", 100, PEER, P6001)
    + record("quote", 0, 0, 3, 3, 0, 0, 60),
    "igmp": datagram("igmp", 8, first=(0x11, 10), to=ALL_HOSTS, more=0, ttl=1) + sleep(6),
    "arp": record("arp", 0, 1, PEER, CARD, 0, 1)
    + record("arp", 0, 1, CARD, CARD)
    + record("arp", 0, 2, FAR, CARD, 1, 1),
    "any_frame": record("frame", 0, *little(60))
    + bytes(range(64))
    + record("patch", 14, 0x4A, 15, 1)
    + datagram("udp", 20),
    "vlan": datagram("udp", 100, line=1, to=OTHER_CARD, source=OTHER_PEER),
    "groups": datagram("udp", 100, to=GROUP_1) + datagram("udp", 100, to=BROADCAST) + program(UDP, "read", 2000) * 2,
}

CONTROL = {
    "nothing": b"\0",
    # A closed socket kept a pointer that lwIP had freed.
    "fault_options_after_close": request(BIND, local=CARD)
    + program(0, "close")
    + request(OPTIONS, 0, laid=bytes([0, 0x41, 0, 0, *b"AAAABBBBCCCC"])),
    "fault_more_after_close": request(BIND, local=CARD)
    + program(0, "close")
    + request(MORE, 0, value=5)
    + request(LINGER, 0),
    # A datagram socket, connected like one of TCP, kept an engine's connection.
    "fault_engine_of_datagrams": request(BIND, local=CARD, flags=DATAGRAM)
    + request(CONNECT, 0, engine=3)
    + program(0, "close"),
    "fault_stream_as_datagrams": request(BIND, local=CARD)
    + request(CONNECT, 0, flags=DATAGRAM)
    + program(0, "write", 50),
    "connect": request(CONNECT) + record("reply", 1) + request(QUERY, 0) + program(0, "write", 4000) + reply(1),
    "connect_engine": request(CONNECT, engine=5) + reply(1) + program(0, "write", 400) + reply(1) + program(0, "close"),
    "listen": request(BIND, local=CARD, number=P5000)
    + request(LISTEN, 0, value=5)
    + record("syn", 0, 0, 0, 0, 1)
    + reply(1)
    + program(0, "accept"),
    "share": (request(BIND, local=CARD, number=P5000, flags=REUSE_PORT)) * 2
    + request(LISTEN, 0)
    + request(LISTEN, 1)
    + program(0, "close"),
    "datagrams": request(BIND, local=CARD, number=P6000, flags=DATAGRAM)
    + program(0, "write", 300, PEER, P6001)
    + datagram("udp", 200)
    + request(GROUP, 0, GROUP_1, local=CARD)
    + request(GROUP, 0, GROUP_1, local=CARD, action=1),
    "disconnect": request(CONNECT, PEER, number=P6001, flags=DATAGRAM)
    + request(DISCONNECT, 0)
    + program(0, "write", 300, PEER, P6001)
    + request(CONNECT, 0, PEER, number=P6001, flags=DATAGRAM)
    + datagram("udp", 200),
    "delegate": request(CONNECT)
    + reply(1)
    + request(DELEGATE, 0, value=1000)
    + request(DELEGATED, 0, data=b"x" * 400)
    + reply(1)
    + request(UNDELEGATE, 0),
    "registers": request(READ, value=4)
    + request(WRITE, value=0x8000, number=0)
    + request(RAW, value=0)
    + program(0, "write", 60),
    "dma": request(DMA_QUEUE, value=1)
    + request(DMA_QUEUE, value=0xFFFF, link=1)
    + request(DMA_ERRORS)
    + request(DMA_EVENTS, value=30)
    + request(DMA_WATCH, value=2)
    + request(DMA_QUEUE, data=b"more"),
    "others": request(PROBE)
    + request(ROUTE)
    + request(CONNECT, link=1)
    + request(QUERY, 0, link=2)
    + request(OPTIONS, 0, link=3),
    "no_request": record("request_bytes", 0, *little(40))
    + bytes(48)
    + request(PROBE, cut=1)
    + request(PROBE, data=b"more"),
    "unread": request(BIND, local=CARD, link=0x80) * 3 + record("hang_up", 0),
}


CARD_OPERATIONS = (
    "lie",
    "open",
    "close",
    "packets",
    "memory",
    "receive",
    "arm",
    "send",
    "payload",
    "status",
    "hold",
    "engine",
    "end",
    "interrupt",
    "register",
    "dma",
)
# Registers that the driver reads, by their position in completion_fuzz.c.
ENGINE_CAPABILITY, ENGINE_1_CAPABILITY, CARD_KIND, TCP_ENABLES, MAX_FRAME, DMA_QUEUES = 16, 17, 11, 12, 13, 4


def card(operation: str, *arguments: int) -> bytes:
    return records.record(CARD_OPERATIONS.index(operation), *arguments)


def lie(register: int, value: int) -> bytes:
    return card("lie", 0, 0, 0, register, *little(value, 4))


def packets(
    length: int,
    count: int = 1,
    port: int = 0,
    entry: int = 0,
    written: int = 0,
    header: int = 0,
    kind: int = 0,
    of_port: int = 0,
    left_out: int = 0,
) -> bytes:
    return card(
        "packets",
        port,
        *little(length - 1),
        count - 1,
        entry,
        *little(written),
        *little(header),
        kind,
        of_port,
        left_out,
    )


OPENED = card("open")
COMPLETION = {
    "nothing": b"\0",
    # An engine that claims to accept more at once than a slot of the send ring can hold.
    "fault_longest_payload": lie(ENGINE_CAPABILITY, 0xFFFF_000F) + OPENED + card("payload", 0, *little(20_000), 0, 3),
    "fault_longest_payload_last_slot": lie(ENGINE_CAPABILITY, 0x2800_000F)
    + OPENED
    + card("send", 0, *little(60), 127)
    + card("status", 0)
    + card("send", 0, *little(60), 126)
    + card("payload", 0, *little(9710)),
    "receive": OPENED + packets(60, 3) + card("receive", 0, 3) + card("arm") + packets(9618, 2) + card("receive", 0, 5),
    "around_the_ring": OPENED + (packets(9618, 64) + card("receive", 0, 64)) * 10 + card("arm"),
    "colour": OPENED + packets(60, 64) * 33 + card("receive", 0, 255) * 9,
    "lengths": b"".join(
        OPENED + packets(60, written=written, header=header) + card("receive", 0, 1) + card("close")
        for written, header in ((0, 1), (1, 0), (0xFFFF, 0), (0, 0xFFFF), (0x2000, 0x2000))
    ),
    "entries": b"".join(
        OPENED + packets(60, entry=1 << bit) + card("receive", 0, 1) + card("close") for bit in range(4)
    ),
    "headers": OPENED
    + packets(60, kind=3)
    + card("receive")
    + card("open", 1)
    + packets(60, port=1, of_port=1)
    + card("receive", 1),
    "nothing_arrived": OPENED + packets(60, left_out=2) + card("receive", 0, 1) + card("receive", 0, 255) * 2,
    "send": OPENED
    + card("hold", 0)
    + card("send", 0, *little(1000), 127) * 3
    + card("hold", 0, 1)
    + card("status", 0, 0, 5)
    + card("payload", 0, *little(1460), 20, 3)
    + card("status", 0, 2)
    + card("send", 0, *little(60), 127) * 3,
    "status": OPENED
    + card("send", 0, *little(60), 127) * 2
    + card("status", 0, 0, 0, 1, *little(0xFFFF0000, 4))
    + card("send", 0, *little(60), 127) * 2,
    "engine": OPENED
    + b"".join(card("engine", port, call, *little(3), 1, 2, 3, 4) for port in (0, 1, 2) for call in range(7)),
    "engines": lie(TCP_ENABLES, 3) + OPENED + lie(ENGINE_1_CAPABILITY, 0) + OPENED,
    "ports": b"".join(lie(CARD_KIND, value) + OPENED for value in (0, 0xFFFFFFFF, 8 << 8, 3))
    + lie(DMA_QUEUES, 1)
    + OPENED,
    "frames": lie(MAX_FRAME, 0xFFFFFFFF) + OPENED + card("send", 0, *little(9618)) + card("send", 0, *little(9619)),
    "end": OPENED + card("end", 3) + card("arm") * 5 + card("receive", 0, 255) * 2 + card("close", 0, 1) + OPENED,
    "memory": OPENED
    + card("memory", 0, 0, 0, 0, 16, 2)
    + b"\xff" * 16
    + card("receive", 0, 3)
    + card("interrupt")
    + card("arm"),
    "dma": OPENED
    + card("dma", 0)
    + card("dma", 1)
    + card("dma", 0xFF, 7)
    + card("dma", 0, 8)
    + card("dma", 0, 0, 0, 0, 1)
    + card("end", 5)
    + card("dma", 0),
    "registers": OPENED
    + card("register", 4)
    + card("register", 1, 0, 0, 0, 1)
    + card("register", 0xFF, 0xFF, 0xFF, 0xFF),
}


def main() -> None:
    for name, inputs in (("wire", WIRE), ("control", CONTROL), ("completion", COMPLETION)):
        records.write(CORPUS / name, inputs)


if __name__ == "__main__":
    main()
