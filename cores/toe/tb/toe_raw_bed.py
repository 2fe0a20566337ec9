# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Steps a module between rx_t and a stream of whole frames: frames in, frames out, pulses counted."""

import os
from collections import Counter
from pathlib import Path

from toe_rx_fields import RxModel, packed_interfaces
from ullnic_tb import Stepper, parameter, rtl, seeded


def toe_sources(*names: str) -> list[Path]:
    """The package, then these modules and their common dependencies."""
    order = {name: i for i, name in enumerate(("toe_pkg", "ones_pkg", "ram_sdp", "toe_fifo", *names))}
    found = [path for path in rtl("common", "toe") if path.stem in order]
    return sorted(found, key=lambda path: order[path.stem])


class RawBed:
    """`ready_rate`: how often the reader accepts a word."""

    OUTPUTS: tuple[str, ...] = ()
    INPUTS: dict[str, int] = {}
    RX = True  # the bench has the port rx

    def __init__(self, dut, interfaces):
        self.rng = seeded(os.environ["ULLNIC_TEST_NAME"])
        self.interfaces = list(interfaces)
        assert len(self.interfaces) == parameter("INTERFACES", 1)
        streams = ("m_tdata", "m_tkeep", "m_tvalid", "m_tlast")
        self.stepper = Stepper(dut, (*streams, *self.OUTPUTS))
        self.dut, self.ready_rate = dut, 1.0
        self.frames: list[bytes] = []
        self.began: list[int] = []  # the cycle of the first word of each
        self.stats: Counter[str] = Counter()
        self.part, self.held = b"", None
        self.model = RxModel(self.interfaces, self.rng)

    async def reset(self):
        inputs = {"rx": self.model.idle()} if self.RX else {}
        inputs |= {"m_tready": 0, "iface": packed_interfaces(self.interfaces)}
        await self.stepper.reset(**inputs, **self.INPUTS)
        self.part, self.held, self.frames = b"", None, []
        return self

    def configure(self, i: int, interface) -> None:
        self.interfaces[i] = interface
        self.model.interfaces = self.interfaces
        self.stepper.set(iface=packed_interfaces(self.interfaces))

    async def cycle(self, rx: int | None = None, **inputs: int):
        ready = int(self.rng.random() < self.ready_rate)
        if self.RX:
            inputs["rx"] = self.model.idle() if rx is None else rx
        out = await self.stepper.step(m_tready=ready, **inputs)
        seen = (out.m_tdata, out.m_tkeep, out.m_tlast)
        if self.held is not None:
            assert out.m_tvalid and seen == self.held, "a word that is offered stays until it is taken"
        assert out.m_tvalid or not self.part, "no pause within a frame"
        self.held = seen if out.m_tvalid and not ready else None
        if out.m_tvalid and ready:
            size = out.m_tkeep.bit_length()
            assert out.m_tkeep == (1 << size) - 1 and size and (size == 4 or out.m_tlast), "only the last word is short"
            if not self.part:
                self.began.append(self.stepper.cycle)
            self.part += out.m_tdata.to_bytes(4, "little")[:size]
            if out.m_tlast:
                self.frames.append(self.part)
                self.part = b""
        for name in self.OUTPUTS:
            if name.startswith("stat_"):
                self.stats[name.removeprefix("stat_")] += getattr(out, name)
        return out

    async def idle(self, cycles: int) -> None:
        for _ in range(cycles):
            await self.cycle()

    async def send(self, octets: bytes, gap: int | None = None, **how) -> None:
        """A frame comes in, and `gap` idle cycles, 3 at least on a line; without a FCS no padding is added."""
        for rx in self.model.frame(octets, **how):
            await self.cycle(rx)
        await self.idle(self.rng.randrange(3, 8) if gap is None else gap)

    async def drain(self, cycles: int = 400) -> list[bytes]:
        """What has left, when there has been time for everything."""
        self.ready_rate = 1.0
        await self.idle(cycles)
        frames, self.frames = self.frames, []
        return frames
