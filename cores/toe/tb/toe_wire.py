# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python side of toe_bench.sv: frames by scapy on the MAC's side, payload and events on the user's.

scapy rebuilds each frame that leaves and compares it, which checks every header field and checksum.
"""

import zlib
from collections import deque
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from scapy.layers.inet import ICMP, IP, TCP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw

from ullnic_tb import Bench, checkers, parameter, reader, rtl

PERIOD_PS = 3104
RX_BYTES = parameter("MAC2TCP_DATA_WIDTH", 32) // 8  # of the MAC's words
TX_BYTES = parameter("TCP2MAC_DATA_WIDTH", 32) // 8
MAC, PEER_MAC = "02:00:00:00:00:70", "02:00:00:00:00:0a"
CARD, PEER = "198.18.0.7", "198.18.0.1"
LISTEN, CONNECT, CLOSE, ABORT = range(4)
LISTENS = 1  # of state_e
EVENTS = (
    "connected",
    "peer_closed",
    "closed",
    "reset",
    "timed_out",
    "refused",
    "unreachable",
    "bad_command",
    "tx_dropped",
    "tx_cut",
    "tx_late",
    "urgent",
    "icmp_error",
    "unanswered",
)
MASK32 = (1 << 32) - 1
INPUTS = (
    *("tick", "order_valid", "order_command", "order_sid", "order_peer_ip", "order_peer_port", "order_local_port"),
    *("s_mac_tdata", "s_mac_tkeep", "s_mac_tvalid", "s_mac_tlast", "rx_status_valid", "rx_status_good", "look_sid"),
    *("s_axis_tdata", "s_axis_tkeep", "s_axis_tvalid", "s_axis_tlast", "s_axis_tdest"),
    *("tx_length_given", "tx_length", "tx_csum_given", "tx_csum", "policy_valid", "policy_sid", "policy_number"),
    *("host", "vlan", "m_host_tready"),
)
VALIDS = ("tick", "order_valid", "s_mac_tvalid", "rx_status_valid", "s_axis_tvalid", "policy_valid")
WATCHED = (
    *("s_mac_tvalid", "s_mac_tlast", "s_axis_tvalid", "s_axis_tready", "s_axis_tlast", "stat_drop", "stat_icmp"),
    *("m_mac_tdata", "m_mac_tkeep", "m_mac_tvalid", "m_mac_tready", "m_mac_tlast", "m_mac_tuser"),
    *("m_axis_tdata", "m_axis_tkeep", "m_axis_tvalid", "m_axis_tready", "m_axis_tlast", "m_axis_tdest", "m_axis_tuser"),
    *("event_valid", "event_ready", "event_code", "event_sid", "event_info"),
)


def number(text: str, separator: str = ".", base: int = 10) -> int:
    value = 0
    for part in text.split(separator):
        value = value << 8 | int(part, base)
    return value


def toe_bench(**parameters: int) -> Bench:
    beside = ("toe_axil", "toe_interfaces", "toe_counters")  # registers: not below toe
    sources = [path for path in rtl("common", "toe") if path.stem not in beside]
    here = Path(__file__).resolve().parent
    sources += [*checkers(), *(here / f"toe_{name}.sv" for name in ("checks", "memory", "bench"))]
    return Bench("toe_bench", sources, parameters, optimized=True)


class Wire:
    """The bench: `frames` that have left, `events`, and `payload` of each session as delivered to the user."""

    def __init__(self, dut):
        self.dut, self.edge = dut, RisingEdge(dut.clk)
        self.frames: deque[bytes] = deque()
        self.poisoned = 0
        self.events: deque[tuple[str, int]] = deque()
        self.infos: list[int] = []  # event_info of each event so far
        self.icmp = [0, 0, 0, 0]  # reported, bad, unmatched, busy
        self.icmp_before = list(self.icmp)  # for a test that counts them one by one
        self.payload: dict[int, bytearray] = {}
        self.segments: list[tuple[int, bytes, bool]] = []  # session, payload, aborted
        self.drops = 0
        self.cycle = 0
        # Cycles: first word of the last frame in and out, first beat of the last segment, first beat that the user
        # offered
        self.frame_in = self.frame_out = self.segment_out = self.user_in = -1

    async def reset(self, rto: int = 100, time_wait: int = 50, gateway: str = "0.0.0.0") -> "Wire":
        dut = self.dut
        for name in INPUTS:
            getattr(dut, name).value = 0
        dut.m_axis_tready.value = 1
        dut.event_ready.value = 1
        dut.mac.value = number(MAC, ":", 16)
        dut.ip.value = number(CARD)
        dut.gateway.value = number(gateway)
        dut.rto.value = rto
        dut.time_wait.value = time_wait
        dut.rst.value = 1
        cocotb.start_soon(Clock(dut.clk, PERIOD_PS, "ps").start())
        await self._started(8)
        self.frames.clear()
        return self

    async def reset_again(self, cycles: int, *begin) -> None:
        """In this cycle, whatever is going on; what has left since then stays to be looked at.  These begin with the
        first cycle after it.
        """
        self.dut.rst.value = 1
        self._watching.cancel()
        for name in VALIDS:
            getattr(self.dut, name).value = 0
        self.frames.clear()
        self.events.clear()
        self.payload.clear()
        await self._started(cycles, *begin)

    async def _started(self, reset_cycles: int, *begin) -> None:
        for _ in range(reset_cycles):
            await self.edge
        self.dut.rst.value = 0
        self._watching = cocotb.start_soon(self._watch())
        for each in begin:
            cocotb.start_soon(each)
        await self.cycles(700)  # the scans of the tables after a reset

    async def cycles(self, count: int) -> None:
        await Timer(count * PERIOD_PS, "ps")
        await self.edge

    async def _watch(self) -> None:
        frame, segment, look = bytearray(), bytearray(), reader(WATCHED)
        arriving = offering = False
        while True:
            await self.edge
            seen = look()
            self.cycle += 1
            if seen.s_mac_tvalid:
                if not arriving:
                    self.frame_in = self.cycle
                arriving = not seen.s_mac_tlast
            if seen.s_axis_tvalid:
                if not offering:
                    self.user_in = self.cycle
                offering = not (seen.s_axis_tready and seen.s_axis_tlast)
            # A 64-bit word arrives in every second cycle: when the MAC accepts it
            wants = TX_BYTES == 4 or seen.m_mac_tready
            assert not frame or not wants or seen.m_mac_tvalid, "a pause within a frame"
            if seen.m_mac_tvalid and seen.m_mac_tready:
                if not frame:
                    self.frame_out = self.cycle
                frame += kept(seen.m_mac_tdata, seen.m_mac_tkeep, TX_BYTES)
                if seen.m_mac_tlast:
                    if seen.m_mac_tuser:
                        self.poisoned += 1
                    else:
                        self.frames.append(bytes(frame))
                    frame = bytearray()
            if seen.m_axis_tvalid and seen.m_axis_tready:
                if not segment:
                    self.segment_out = self.cycle
                segment += kept(seen.m_axis_tdata, seen.m_axis_tkeep, 8)
                if seen.m_axis_tlast:
                    session, bad = seen.m_axis_tdest, bool(seen.m_axis_tuser)
                    self.segments.append((session, bytes(segment), bad))
                    if not bad:
                        self.payload.setdefault(session, bytearray()).extend(segment)
                    segment = bytearray()
            if seen.event_valid and seen.event_ready:
                self.events.append((EVENTS[seen.event_code], seen.event_sid))
                self.infos.append(seen.event_info)
            self.drops += seen.stat_drop.bit_count()
            if seen.stat_icmp:
                self.icmp = [count + (seen.stat_icmp >> bit & 1) for bit, count in enumerate(self.icmp)]

    # --- The MAC's side

    async def send(self, packet, good: bool = True, gap: int = 6, verdict_with_last: bool = False) -> None:
        """A frame as the MAC delivers it: padded, with FCS, the verdict a cycle behind the last word.  Words of 64 bits
        come in every second cycle."""
        dut, octets = self.dut, bytes(packet).ljust(60, b"\0")
        octets += zlib.crc32(octets).to_bytes(4, "little")
        for at in range(0, len(octets), RX_BYTES):
            part = octets[at : at + RX_BYTES]
            last = at + RX_BYTES >= len(octets)
            dut.s_mac_tdata.value = int.from_bytes(part, "little")
            dut.s_mac_tkeep.value = (1 << len(part)) - 1
            dut.s_mac_tvalid.value = 1
            dut.s_mac_tlast.value = int(last)
            if verdict_with_last and last:
                dut.rx_status_valid.value = 1
                dut.rx_status_good.value = int(good)
            await self.edge
            if RX_BYTES == 8 and not last:
                dut.s_mac_tvalid.value = 0
                await self.edge
        dut.s_mac_tvalid.value = 0
        dut.s_mac_tlast.value = 0
        dut.rx_status_valid.value = int(not verdict_with_last)
        dut.rx_status_good.value = int(good)
        await self.edge
        dut.rx_status_valid.value = 0
        for _ in range(gap):
            await self.edge

    async def frame(self, limit: int = 3000):
        """The next frame that has left, judged."""
        for _ in range(limit):
            if self.frames:
                return judged(self.frames.popleft())
            await self.edge
        raise AssertionError(f"no frame has left within {limit} cycles")

    async def segment(self, flags: str, limit: int = 3000, **fields):
        """The next frame, a TCP segment with these flags and fields."""
        packet = await self.frame(limit)
        assert TCP in packet, packet.summary()
        tcp = packet[TCP]
        assert set(str(tcp.flags)) == set(flags), f"{tcp.flags} instead of {flags}: {packet.summary()}"
        for name, value in fields.items():
            assert getattr(tcp, name) == value, f"{name} is {getattr(tcp, name)}, not {value}"
        return packet

    async def silence(self, cycles: int) -> None:
        await self.cycles(cycles)
        assert not self.frames, judged(self.frames[0]).summary()

    # --- The user's side

    async def order(self, command: int, session: int, local: int = 0, peer: int = 0, ip: str = PEER) -> None:
        dut = self.dut
        dut.order_command.value = command
        dut.order_sid.value = session
        dut.order_local_port.value = local
        dut.order_peer_port.value = peer
        dut.order_peer_ip.value = number(ip)
        dut.order_valid.value = 1
        await self.edge
        for _ in range(5000):
            if int(dut.order_ready.value):
                break
            await self.edge
        else:
            raise AssertionError("an order is not taken")
        dut.order_valid.value = 0

    async def listens(self, session: int, limit: int = 3000) -> None:
        """Waits for what the last order asked for: it is not heeded as soon as it is taken."""
        self.dut.look_sid.value = session
        for _ in range(limit):
            await self.edge
            if int(self.dut.look_state.value) == LISTENS:
                return
        raise AssertionError(f"session {session} does not listen")

    async def give(self, session: int, data: bytes, *, length: bool = True, csum: bool = False) -> None:
        """Payload of the user's; with length and csum, cut-through."""
        dut, limit = self.dut, 5000
        dut.s_axis_tdest.value = session
        dut.tx_length_given.value = int(length)
        dut.tx_length.value = len(data)
        dut.tx_csum_given.value = int(csum)
        dut.tx_csum.value = ones_sum(data)
        for at in range(0, len(data), 8):
            part = data[at : at + 8]
            dut.s_axis_tdata.value = int.from_bytes(part, "little")
            dut.s_axis_tkeep.value = (1 << len(part)) - 1
            dut.s_axis_tlast.value = int(at + 8 >= len(data))
            dut.s_axis_tvalid.value = 1
            await self.edge
            while not int(dut.s_axis_tready.value):
                limit -= 1
                assert limit > 0, "the user's payload is not taken"
                await self.edge
        dut.s_axis_tvalid.value = 0

    async def event(self, name: str, session: int, limit: int = 3000) -> None:
        for _ in range(limit):
            if self.events:
                assert self.events.popleft() == (name, session)
                return
            await self.edge
        raise AssertionError(f"no event {name} within {limit} cycles")

    async def ticks(self, count: int, spacing: int = 60) -> None:
        for _ in range(count):
            self.dut.tick.value = 1
            await self.edge
            self.dut.tick.value = 0
            for _ in range(spacing):
                await self.edge


class Peer:
    """One end of a connection, driven by a script: it tracks the numbers and decides nothing."""

    def __init__(self, wire: Wire, session: int, local: int, port: int, seq: int = 1000, window: int = 8000):
        self.wire, self.session, self.local, self.port = wire, session, local, port
        self.seq, self.ack, self.window = seq, 0, window
        self.mac, self.ip = PEER_MAC, PEER

    def packet(self, flags: str, data: bytes = b"", **fields):
        fields = {"seq": self.seq, "ack": self.ack, "window": self.window} | fields
        tcp = TCP(sport=self.port, dport=self.local, flags=flags, **fields)
        return Ether(src=self.mac, dst=MAC) / IP(src=self.ip, dst=CARD, ttl=64) / tcp / Raw(data)

    async def send(self, flags: str, data: bytes = b"", *, good: bool = True, **fields) -> None:
        await self.wire.send(self.packet(flags, data, **fields), good)

    async def say(self, data: bytes, flags: str = "PA") -> None:
        """Data in order."""
        await self.send(flags, data)
        self.seq = (self.seq + len(data) + ("F" in flags)) & MASK32

    async def connect(self) -> "Peer":
        """Opens a connection to a listening session."""
        await self.send("S", ack=0, options=[("MSS", 1460)])
        answer = await self.wire.segment("SA", ack=self.seq + 1 & MASK32)
        assert dict(answer[TCP].options)["MSS"] == 1460
        self.seq, self.ack = self.seq + 1 & MASK32, answer[TCP].seq + 1 & MASK32
        await self.send("A")
        await self.wire.event("connected", self.session)
        return self

    async def expect(self, flags: str, data: bytes = b"", **fields):
        """The next segment: in order, with this payload and the right acknowledgement."""
        packet = await self.wire.segment(flags, **({"seq": self.ack, "ack": self.seq} | fields))
        got = bytes(packet[TCP].payload)
        assert got == data, f"payload {got[:40]!r}, not {data[:40]!r}"
        return packet

    def take(self, packet) -> None:
        """The numbers advance over what has arrived."""
        tcp = packet[TCP]
        self.ack = (tcp.seq + len(bytes(tcp.payload)) + ("F" in tcp.flags) + ("S" in tcp.flags)) & MASK32


async def served(dut, window: int = 8000, **settings) -> tuple[Wire, Peer]:
    """Session 0 listens on port 7, and has been connected to."""
    wire = await Wire(dut).reset(**settings)
    await wire.order(LISTEN, 0, local=7)
    return wire, await Peer(wire, 0, 7, 50000, window=window).connect()


async def still_there(wire: Wire, peer: Peer) -> None:
    """The connection works, and the user got no event that says otherwise."""
    before = len(wire.payload.get(peer.session, b""))
    await peer.say(b"still there")
    await peer.expect("A")
    await wire.cycles(20)
    assert wire.payload[peer.session][before:] == b"still there" and not wire.events


def kept(data: int, keep: int, width: int) -> bytes:
    octets = data.to_bytes(width, "little")
    return bytes(octet for place, octet in enumerate(octets) if keep >> place & 1)


def ones_sum(data: bytes) -> int:
    """One's complement sum of the payload's bytes in 16-bit words, first byte lowest, an odd last byte alone."""
    total = 0
    for at in range(0, len(data), 2):
        total += int.from_bytes(data[at : at + 2], "little")
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def judged(octets: bytes):
    """Checks that scapy computes the same lengths and checksums for a frame; padding is ignored."""
    packet = Ether(octets)
    if IP not in packet:
        assert ARP in packet, packet.summary()
        return packet
    octets = octets[: packet[IP].len + 14]
    packet = Ether(octets)
    again = Ether(octets)
    del again[IP].chksum, again[IP].len
    for layer in (TCP, ICMP):
        if layer in again:
            del again[layer].chksum
    if TCP in again:
        del again[TCP].dataofs
    assert bytes(again) == octets, f"{packet.show2(dump=True)}\nscapy would have sent\n{again.show2(dump=True)}"
    return packet
