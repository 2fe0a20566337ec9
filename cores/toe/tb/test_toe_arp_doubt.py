# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_arp_doubt alone: whom it asks for, and that it asks once in INTERVAL ticks, to the tick."""

import os

import cocotb
import pytest

from toe_structs import interface_number, interfaces_number
from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded

INTERVAL, LATENCY = 5, 2  # cycles from a doubt to its question
INPUTS = dict.fromkeys(("tick", "doubt", "doubt_iface", "doubt_ip", "send_ready", "iface"), 0)
EVERYONE = 1 << 80  # in send: {iface, reply, everyone, mac, ip}
# Interface 0: 10.0.0.1/24 with a gateway; 1: 10.1.0.1/16 without one
ADDRESSES = ((0x0A000001, 0xFFFFFF00, 0x0A0000FE), (0x0A010001, 0xFFFF0000, 0))
NEAR, FAR = (0x0A000063, 0x0A01FF63), 0xCB007109


def interfaces(enable=(1, 1)) -> int:
    return interfaces_number(
        interface_number(enable=on, ip=ip, mask=mask, gateway=gateway)
        for on, (ip, mask, gateway) in zip(enable, ADDRESSES, strict=True)
    )


def question(iface: int, ip: int) -> int:
    return iface << 82 | EVERYONE | ip


class Bed:
    def __init__(self, dut):
        self.s = Stepper(dut, ("send_valid", "send"))

    async def reset(self) -> "Bed":
        await self.s.reset(**INPUTS | {"iface": interfaces(), "send_ready": 1})
        return self

    async def step(self, **inputs):
        return await self.s.step(**dict.fromkeys(("tick", "doubt"), 0) | inputs)

    async def asked(self, cycles: int = 8, ticks: int = 0) -> list[tuple[int, int]]:
        """Cycle, from now, and question of each that leaves; the ticks come first."""
        found = []
        for cycle in range(cycles):
            out = await self.step(tick=int(cycle < ticks))
            if out.send_valid:
                found.append((cycle, out.send))
        return found

    async def doubts(self, iface: int, ip: int, **inputs) -> None:
        await self.step(doubt=1, doubt_iface=iface, doubt_ip=ip, **inputs)


@cocotb.test()
async def whom(dut):
    """The peer in the same network, else the gateway; nobody without one, or if the interface is off."""
    for iface, ip, wanted in ((0, NEAR[0], NEAR[0]), (1, NEAR[1], NEAR[1]), (0, FAR, 0x0A0000FE), (1, FAR, None)):
        bed = await Bed(dut).reset()
        await bed.doubts(iface, ip)
        assert await bed.asked() == ([] if wanted is None else [(LATENCY - 1, question(iface, wanted))])
    for iface in (0, 1):
        bed = await Bed(dut).reset()
        bed.s.set(iface=interfaces((iface, 1 - iface)))
        await bed.doubts(iface, NEAR[iface])
        assert await bed.asked() == []
        bed.s.set(iface=interfaces())
        assert await bed.asked() == [], "it is not kept for later"


@cocotb.test()
async def seldom(dut):
    """The next one after INTERVAL ticks, however many cycles have passed; a reset ends the wait."""
    bed = await Bed(dut).reset()
    for ticks in (INTERVAL - 1, INTERVAL, 0, 1, INTERVAL + 2):
        bed = await Bed(dut).reset()
        await bed.doubts(0, NEAR[0])
        assert len(await bed.asked(4 * INTERVAL)) == 1
        assert await bed.asked(4 * INTERVAL, ticks) == []
        await bed.doubts(1, NEAR[1])
        assert await bed.asked() == ([(LATENCY - 1, question(1, NEAR[1]))] if ticks >= INTERVAL else [])
    # A tick in the very cycle of a doubt is not enough for it.
    bed = await Bed(dut).reset()
    await bed.doubts(0, NEAR[0])
    await bed.asked()
    await bed.asked(8, INTERVAL - 1)
    await bed.doubts(0, NEAR[0], tick=1)
    assert await bed.asked() == []
    await bed.doubts(0, NEAR[0])
    assert len(await bed.asked()) == 1


@cocotb.test()
async def waits(dut):
    """It is held until it is taken; a doubt meanwhile, or in the cycle after another, changes nothing."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for _ in range(20):
        bed = await Bed(dut).reset()
        await bed.doubts(0, NEAR[0])
        for cycle in range(INTERVAL + 4 + rng.randrange(10)):
            out = await bed.step(send_ready=0, tick=1, doubt=int(cycle < 8), doubt_iface=1, doubt_ip=NEAR[1])
            assert out.send_valid == (cycle >= LATENCY - 1)
            assert not out.send_valid or out.send == question(0, NEAR[0])
        out = await bed.step(send_ready=1)
        assert (out.send_valid, out.send) == (1, question(0, NEAR[0]))
        assert await bed.asked() == [], "once"
        await bed.doubts(1, NEAR[1])
        assert await bed.asked() == [(LATENCY - 1, question(1, NEAR[1]))]


@cocotb.test()
async def resets(dut):
    """In each cycle after a doubt: none is left of it, and the next one is asked at once."""
    for after in range(5):
        bed = await Bed(dut).reset()
        await bed.doubts(0, NEAR[0])
        for _ in range(after):
            await bed.step(send_ready=0)
        await bed.step(rst=1)
        bed.s.set(rst=0, send_ready=1)
        assert await bed.asked() == []
        await bed.doubts(1, NEAR[1])
        assert await bed.asked() == [(LATENCY - 1, question(1, NEAR[1]))]


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_arp_doubt(test):
    wanted = ("toe_pkg", "toe_arp_pkg", "toe_arp_doubt")
    sources = sorted((path for path in rtl("toe") if path.stem in wanted), key=lambda path: wanted.index(path.stem))
    Bench("toe_arp_doubt", sources, {"INTERFACES": 2, "INTERVAL": INTERVAL}).run(__name__, test)
