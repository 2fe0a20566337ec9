# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The user of descriptor bypass: it accepts descriptors, keeps them for a while, and provides them again.

It checks what leaves: each descriptor is that of its ring, in order, in one piece up to a doorbell, with the fields of
its context; it is held until it is accepted, or its queue is stopped; after the stop none of it comes.
"""

from collections import deque
from dataclasses import dataclass, field

C2H_MM, H2C_MM, C2H_ST, H2C_ST = range(4)
CHANNELS = 4
SOP, EOP = 1, 2
OUT = {"dsc": 256, "dsc_sz": 2, "qid": 11, "func": 8, "port_id": 3, "cidx": 16, "error": 1}
IN = {
    **{"addr": 64, "card_addr": 64, "len": 28, "sop": 1, "eop": 1, "sdi": 1, "mrkr_req": 1, "no_dma": 1, "error": 1},
    **{"qid": 11, "func": 8, "cidx": 16, "mdata": 32},
}
MARKER = {"qid": 11, "cidx": 16, "error": 1}
BYPASS_OUTPUTS = (
    *("byp_out_valid", "byp_in_ready", "byp_marker_valid", "byp_stop_valid", "byp_stop_qid", "stat_byp_dropped"),
    *(f"byp_out_{name}" for name in OUT),
    *(f"byp_marker_{name}" for name in MARKER),
)
BYPASS_IDLE = {"byp_out_ready": 0, "byp_in_valid": 0} | {f"byp_in_{name}": 0 for name in IN}


def of_channel(out, prefix: str, fields: dict[str, int], channel: int) -> dict[str, int]:
    return {name: getattr(out, f"{prefix}_{name}") >> bits * channel & (1 << bits) - 1 for name, bits in fields.items()}


@dataclass
class Channel:
    """`loop`: what has left is provided again. `rates`: of a cycle, that it accepts one, that it provides one."""

    waits: deque = field(default_factory=deque)  # to be provided
    open_qid: int | None = None  # of the packet that has begun
    shown: dict | None = None  # on the output, not accepted
    provides: bool = False  # shown on the input, until it is accepted
    rates: dict = field(default_factory=lambda: {"out": 1.0, "in": 1.0})
    loops: bool = True
    left: list = field(default_factory=list)  # queue and index of each that has left
    markers: list = field(default_factory=list)
    stopped: list = field(default_factory=list)
    provided: int = 0


class BypassUser:
    def __init__(self, bed):
        self.bed, self.rng = bed, bed.rng
        self.channels = [Channel() for _ in range(CHANNELS)]
        self.rings: dict[tuple[int, int], dict] = {}  # by channel and queue: what its context has
        self.disabling: set[tuple[int, int]] = set()  # queues whose command is busy: their descriptors may be withdrawn
        self.gone: set[tuple[int, int]] = set()  # those whose command is done
        self.forgets = True  # what it has of a queue that is stopped
        self.dropped = [0] * CHANNELS
        self.changes = lambda channel, descriptor: [descriptor]  # of what is provided

    def ring(self, channel: int, qid: int, *, func: int, base: int, size: int, port_id: int = 0, dsc_sz: int) -> None:
        """A queue that is set up."""
        self.gone.discard((channel, qid))
        self.rings[channel, qid] = {"func": func, "base": base, "size": size, "port_id": port_id, "dsc_sz": dsc_sz,
                                    "next": 0}  # fmt: skip

    def inputs(self) -> dict[str, int]:
        inputs = dict.fromkeys(BYPASS_IDLE, 0)
        for number, channel in enumerate(self.channels):
            inputs["byp_out_ready"] |= int(self.rng.random() < channel.rates["out"]) << number
            if channel.waits and (channel.provides or self.rng.random() < channel.rates["in"]):
                channel.provides = True
                inputs["byp_in_valid"] |= 1 << number
                for name, bits in IN.items():
                    inputs[f"byp_in_{name}"] |= channel.waits[0][name] << bits * number
        self.ready = inputs["byp_out_ready"]
        return inputs

    def seen(self, out) -> None:
        self.dropped = [out.stat_byp_dropped >> 32 * i & (1 << 32) - 1 for i in range(CHANNELS)]
        for number, channel in enumerate(self.channels):
            bit = 1 << number
            if channel.provides and out.byp_in_ready & bit:
                channel.waits.popleft()
                channel.provides = False
                channel.provided += 1
            self._output(number, channel, out)
            if out.byp_marker_valid & bit:
                channel.markers.append(of_channel(out, "byp_marker", MARKER, number))
            if out.byp_stop_valid & bit:
                self._stop(number, channel, out.byp_stop_qid >> 11 * number & 0x7FF)

    def _output(self, number: int, channel: Channel, out) -> None:
        bit = 1 << number
        now = of_channel(out, "byp_out", OUT, number) if out.byp_out_valid & bit else None
        was, channel.shown = channel.shown, None
        if was and (number, was["qid"]) not in self.disabling:
            assert now == was, "a descriptor is not held"
        if now is None:
            return
        assert (number, now["qid"]) not in self.gone, f"queue {now['qid']}: a descriptor leaves after its stop"
        if not self.ready & bit:
            channel.shown = now
            return
        self._check(number, now)
        channel.left.append((now["qid"], now["cidx"]))
        if channel.loops:
            for descriptor in self.changes(number, self.converted(number, channel, now)):
                channel.waits.append(descriptor)

    def ended(self, number: int, qid: int) -> None:
        self.disabling.discard((number, qid))
        self.gone.add((number, qid))

    def _check(self, number: int, now: dict) -> None:
        ring = self.rings[number, now["qid"]]
        assert [now[name] for name in ("func", "port_id", "dsc_sz")] == [
            ring[name] for name in ("func", "port_id", "dsc_sz")
        ]
        # One with an error stands for the rest of its batch; of a queue that is being stopped some have been removed.
        follows = ring["next"] in (None, now["cidx"]) or (number, now["qid"]) in self.disabling
        assert follows, f"queue {now['qid']}: {now['cidx']} leaves, not {ring['next']}"
        ring["next"] = None if now["error"] else (now["cidx"] + 1) % (ring["size"] - 1)
        count = 8 << ring["dsc_sz"]
        if now["error"]:
            assert now["dsc"] == 0
            return
        data = int.from_bytes(self.bed.memory.read(ring["base"] + count * now["cidx"], count), "little")
        assert now["dsc"] == data, f"queue {now['qid']}: not the descriptor of its ring"

    def converted(self, number: int, channel: Channel, now: dict) -> dict:
        """As the user provides what has left."""
        word = now["dsc"]
        descriptor = dict.fromkeys(IN, 0) | {name: now[name] for name in ("qid", "func", "cidx", "error")}
        if number == H2C_ST:
            flags = word >> 48 & 3
            is_open = channel.open_qid == now["qid"]
            if not is_open and (number, channel.open_qid) in self.disabling:
                channel.open_qid = None
            assert is_open or channel.open_qid is None, "a packet is not in one piece"
            eop = bool(now["error"] or flags & EOP or not (is_open or flags & SOP))
            descriptor |= {
                "addr": word >> 64 & (1 << 64) - 1,
                "len": word >> 32 & 0xFFFF,
                "mdata": word & (1 << 32) - 1,
            }
            descriptor |= {"sop": int(not is_open or flags & SOP), "eop": int(eop), "sdi": int(eop)}
            channel.open_qid = None if eop else now["qid"]
        elif number == C2H_ST:
            descriptor["addr"] = word & (1 << 64) - 1
        else:
            source, target = word & (1 << 64) - 1, word >> 128 & (1 << 64) - 1
            host, card = (target, source) if number == C2H_MM else (source, target)
            descriptor |= {"addr": host, "card_addr": card, "len": word >> 64 & (1 << 28) - 1, "sdi": 1}
        if now["error"]:
            descriptor |= {"no_dma": 1, "len": 0}
        return descriptor

    def _stop(self, number: int, channel: Channel, qid: int) -> None:
        """What it has of the queue, and what it shows, is dropped."""
        channel.stopped.append(qid)
        if not self.forgets:
            return
        if channel.waits and channel.waits[0]["qid"] == qid:
            channel.provides = False
        channel.waits = deque(each for each in channel.waits if each["qid"] != qid)
        if channel.open_qid == qid:
            channel.open_qid = None

    def is_busy(self) -> bool:
        """Of what goes on by itself."""
        return any(
            (channel.waits and channel.rates["in"]) or (channel.shown and channel.rates["out"])
            for channel in self.channels
        )
