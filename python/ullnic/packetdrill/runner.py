# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a script against the engine, as packetdrill would, but slightly stricter.

Every packet that the engine sends must be in the script, checksums and payload are checked, and times must be right to
TOLERANCE_US.

A script's numbers are mapped as in packetdrill, for one connection at a time. Segments with SYN have absolute sequence
numbers; the engine's count from the initial number that the script chose. All others count from the initial numbers.
Ports and addresses are not in a script.
"""

import threading
from dataclasses import dataclass
from pathlib import Path

from scapy.layers.inet import IP, TCP
from scapy.packet import Raw

from ullnic.packetdrill.calls import LOCAL_IP, LOCAL_PORT, PEER_IP, PEER_PORT, Calls, Mismatch, pattern
from ullnic.packetdrill.library import Stack
from ullnic.packetdrill.script import Call, Event, Packet, Script

TOLERANCE_US = 2_000  # the engine's timers count milliseconds
MASK32 = (1 << 32) - 1
FIRST_PEER_PORT = 40000
THREAD_PATIENCE_S = 20  # of wall time, for a blocking call that should have returned
END_US = 20  # the engine has sent by then what it sends at once


@dataclass
class Failure(Exception):
    event: Event
    why: str

    def __str__(self) -> str:
        return f"line {self.event.line}: {self.why}\n    {self.event.text}"


@dataclass
class Connection:
    """The connection under test."""

    peer_port: int
    local_port: int | None  # None: the first SYN sets it
    peer_isn: int | None = None
    script_isn: int = 0  # the engine's, as in the script
    live_isn: int | None = None

    def ours(self, syn: bool) -> int:
        """Offset between the script's and the engine's numbers for the engine's side."""
        return (self.live_isn or 0) - (self.script_isn if syn else 0)

    def peers(self, syn: bool) -> int:
        return 0 if syn else self.peer_isn or 0


class Blocking:
    """A call in its own thread."""

    def __init__(self, calls: Calls, stack: Stack, call: Call):
        self.error: Exception | None = None
        self.end_us = 0
        self._calls, self._stack, self._call = calls, stack, call
        self.thread = threading.Thread(target=self._run, daemon=True)
        before = stack.waiting()
        self.thread.start()
        while self.thread.is_alive() and stack.waiting() == before:
            self.thread.join(0.001)

    def _run(self) -> None:
        try:
            self._calls(self._call)
        except Exception as error:  # set by the main thread
            self.error = error
        self.end_us = self._stack.now_us()


class Runner:
    def __init__(self, library: Path, script: Script, flags: str = ""):
        self.script = script
        self.tolerance_us = int(script.options.get("tolerance_usecs", TOLERANCE_US))
        self.stack = Stack(library, ",".join(filter(None, (script.options.get("so_flags"), flags))))
        self.calls = Calls(self.stack)
        self.start_us = self.before_us = self.stack.now_us()
        self.after_inbound = False
        self.connection: Connection | None = None
        self.listening = False
        self.connects = ""  # the descriptor that does, or listens: a second call opens nothing
        self.peer_port = FIRST_PEER_PORT
        self.blocking: tuple[Blocking, Event, int | None] | None = None
        self.log: list[str] = []

    def run(self) -> None:
        """Raises Failure."""
        event = None
        try:
            for event in self.script.events:
                self._event(event)
            if event is not None:
                self._end(event)
        except Mismatch as why:
            raise Failure(event, str(why)) from None
        finally:
            self.calls.close_all()
            self.stack.close()

    # --- Events and their times

    def _event(self, event: Event) -> None:
        when, what = event.when, event.what
        inbound = isinstance(what, Packet) and what.inbound
        if not when.relative:
            base = self.start_us
        elif inbound and self.after_inbound:
            base = self.before_us
        else:
            base = self.stack.now_us()
        start = None if when.start_s is None else base + round(when.start_s * 1e6)
        end = None if when.end_s is None else base + round(when.end_s * 1e6)
        if isinstance(what, Packet) and not inbound:
            self._receive(what, start, end)
        else:
            self._wait_until(start)
            if inbound:
                self._send(what)
            else:
                self._finish_blocking()
                self._note(event.text)
                self._about(what)
                if when.blocks:
                    self.blocking = (Blocking(self.calls, self.stack, what), event, end)
                else:
                    self.calls(what)
        self.before_us, self.after_inbound = start or self.stack.now_us(), inbound
        if self.blocking and not self.blocking[0].thread.is_alive():
            self._finish_blocking()

    def _wait_until(self, time_us: int | None) -> None:
        while time_us is not None and (left := time_us - self.stack.now_us()) > 0:
            self.stack.sleep_us(left)
        if time_us is not None and self.stack.now_us() > time_us + self.tolerance_us:
            raise Mismatch(f"time is {self._seconds(self.stack.now_us())} s already")

    def _finish_blocking(self) -> None:
        if self.blocking is None:
            return
        call, event, end = self.blocking
        self.blocking = None
        call.thread.join(THREAD_PATIENCE_S)
        if call.thread.is_alive():
            raise Failure(event, "it still waits")
        if call.error:
            raise Failure(event, str(call.error))
        if end is not None and abs(call.end_us - end) > self.tolerance_us:
            raise Failure(event, f"it was over at {self._seconds(call.end_us)} s, not {self._seconds(end)} s")

    def _end(self, event: Event) -> None:
        self._finish_blocking()
        self.stack.sleep_us(END_US)
        if self.stack.unread():
            packet, _ = self.stack.receive()
            raise Mismatch(f"the script ends, and the engine has sent {IP(packet).summary()}")

    def _seconds(self, time_us: int) -> str:
        return f"{(time_us - self.start_us) / 1e6:.6f}"

    def _note(self, text: str) -> None:
        self.log.append(f"{self._seconds(self.stack.now_us())} {text}")

    def _about(self, call: Call) -> None:
        """Notes what a call implies for the packets that follow."""
        if call.name == "listen" and call.result == "0":
            self.listening, self.connects = True, call.arguments[0]
        elif call.name == "connect" and self.connects != call.arguments[0]:
            self.connection = Connection(PEER_PORT, None)
            self.connects = call.arguments[0]
            self.listening = False

    # --- Packets

    def _send(self, packet: Packet) -> None:
        connection = self.connection
        if self.listening or connection is None:
            self.peer_port += 1
            connection = self.connection = Connection(self.peer_port, LOCAL_PORT, peer_isn=packet.seq)
            self.listening = False
        syn = "S" in packet.flags
        if syn and "A" in packet.flags and connection.peer_isn is None:
            connection.peer_isn = packet.seq
        tcp = TCP(
            sport=connection.peer_port,
            dport=connection.local_port or LOCAL_PORT,
            flags=packet.flags,
            seq=packet.seq + connection.peers(syn) & MASK32,
            ack=0 if packet.ack is None else packet.ack + connection.ours(syn) & MASK32,
            window=0 if packet.window is None else packet.window,
            options=_moved(packet.options or (), connection.ours(False)) if not syn else list(packet.options or ()),
        )
        payload = pattern(packet.seq - (connection.peer_isn or 0) + 1 if syn else packet.seq, packet.length)
        live = IP(src=PEER_IP, dst=LOCAL_IP, ttl=64) / tcp / Raw(payload)
        self._note(f"< {live.summary()}")
        self.stack.send(bytes(live))

    def _receive(self, wanted: Packet, start: int | None, end: int | None) -> None:
        while True:
            octets, time_us = self.stack.receive()
            if not octets:
                raise Mismatch("the engine sends nothing")
            live = _judged(octets)
            if TCP in live and self._ours(live[TCP]):
                break
        self._note(f"> {live.summary()}")
        self._learn(live[TCP], wanted)
        self._compare(live[TCP], wanted)
        late = start is not None and time_us > (end or start) + self.tolerance_us
        if late or (start is not None and time_us < start - self.tolerance_us):
            expected = self._seconds(start) + (f" to {self._seconds(end)}" if end else "")
            raise Mismatch(f"it left at {self._seconds(time_us)} s, not {expected} s")

    def _ours(self, tcp: TCP) -> bool:
        connection = self.connection
        if connection is None or tcp.dport != connection.peer_port:
            return False
        if connection.local_port is None and "S" in tcp.flags:
            connection.local_port = tcp.sport
        return tcp.sport == connection.local_port

    def _learn(self, tcp: TCP, wanted: Packet) -> None:
        if "S" in tcp.flags and self.connection.live_isn is None:
            self.connection.script_isn, self.connection.live_isn = wanted.seq, tcp.seq

    def _compare(self, tcp: TCP, wanted: Packet) -> None:
        connection, syn, payload = self.connection, "S" in tcp.flags, bytes(tcp.payload)
        seq = tcp.seq - connection.ours(syn) & MASK32
        got = {"flags": "".join(sorted(str(tcp.flags))), "seq": seq, "length": len(payload)}
        want = {"flags": "".join(sorted(wanted.flags)), "seq": wanted.seq, "length": wanted.length}
        got["ack"], want["ack"] = tcp.ack, 0
        if wanted.ack is not None:
            got["ack"], want["ack"] = tcp.ack - connection.peers(syn) & MASK32, wanted.ack
        if wanted.window is not None:
            got["win"], want["win"] = tcp.window, wanted.window
        if wanted.options is not None:
            here = tcp.options if syn else _moved(tcp.options, -connection.peers(False))
            got["options"], want["options"] = tuple(here), wanted.options
        wrong = [f"{name} {got[name]}, not {want[name]}" for name in want if got[name] != want[name]]
        # The payload of a probe of a closed window or of a silent peer is ignored.
        if not wrong and payload != pattern(wanted.seq, wanted.length):
            wrong.append("the payload is not that of the stream")
        if wrong:
            raise Mismatch("; ".join(wrong))


def _moved(options, distance: int) -> list[tuple[str, object]]:
    """TCP options with the SACK blocks moved this far: a script counts from the start of the stream."""
    return [
        (name, tuple(edge + distance & MASK32 for edge in value) if name == "SAck" else value)
        for name, value in options
    ]


def _judged(octets: bytes) -> IP:
    """Parses a packet and checks that scapy computes the same lengths and checksums."""
    again = IP(octets)
    if TCP in again:
        del again[IP].chksum, again[IP].len, again[TCP].chksum, again[TCP].dataofs
        if bytes(again) != octets:
            raise Mismatch(f"scapy would have made other checksums or lengths: {octets.hex()}")
    if again.ttl == 0:
        raise Mismatch("its time to live is 0")
    return IP(octets)
