# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""axil_demux alone, cycle by cycle: valid and ready of both sides come and go at random, and resets with them."""

import os
from dataclasses import dataclass
from types import SimpleNamespace

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, rtl, seeded

TARGETS = parameter("TARGETS", 3)
NONE = TARGETS  # the number of a target that is not there
OKAY, SLVERR = 0, 2
BITS = {"awaddr": 10, "awvalid": 1, "wdata": 32, "wstrb": 4, "wvalid": 1, "araddr": 10, "arvalid": 1}
ANSWERS = {"bresp": 2, "rdata": 32, "rresp": 2}
READIES = ("awready", "wready", "arready", "bvalid", "rvalid")
VALIDS = ("awvalid", "wvalid", "arvalid", "bready", "rready")
OUTPUTS = [f"s_axil_{name}" for name in (*READIES, *ANSWERS)] + [f"m_axil_{name}" for name in VALIDS]
OUTPUTS += ["m_addr", "m_axil_wdata", "m_axil_wstrb"]


@dataclass
class Access:
    is_write: bool
    address: int
    data: int
    strobes: int
    pending: set[str]  # channels on which the target has not taken it
    answer: tuple[int, int] | None = None  # response and data, for the slave's side

    @property
    def target(self) -> int:
        return min(self.address >> 8, NONE)

    @property
    def needs(self) -> set[str]:
        """The channels that are valid at the target."""
        return self.pending if self.answer is None and self.target != NONE else set()


class Demux:
    """What its ports must show in each cycle, and what the two sides may do."""

    def __init__(self, dut, rng):
        self.rng = rng
        self.stepper = Stepper(dut, OUTPUTS)
        self.access: Access | None = None
        self.offered = {"aw": False, "w": False, "ar": False}
        self.inputs = dict.fromkeys((f"s_axil_{name}" for name in BITS), 0)
        self.done = dict.fromkeys(range(TARGETS + 1), 0)
        self.rate = 0.5

    def chance(self) -> int:
        return int(self.rng.random() < self.rate)

    def noise(self, bits: int) -> int:
        return self.rng.getrandbits(bits)

    def offer(self) -> None:
        """An address or data that is offered stays; what is not offered is noise."""
        for channel, names in {"aw": ("awaddr",), "w": ("wdata", "wstrb"), "ar": ("araddr",)}.items():
            if not self.offered[channel]:
                self.inputs |= {f"s_axil_{name}": self.noise(BITS[name]) for name in names}
                self.offered[channel] = bool(self.chance())
            self.inputs[f"s_axil_{channel}valid"] = int(self.offered[channel])

    def targets(self) -> dict[str, int]:
        """The targets' side. One that has taken an access may answer at once; those that are not asked say anything."""
        ports = {f"m_axil_{name}": self.noise(TARGETS) for name in READIES}
        ports |= {f"m_axil_{name}": self.noise(TARGETS * bits) for name, bits in ANSWERS.items()}
        access = self.access
        if access is None or access.answer is not None or access.target == NONE:
            return ports
        bit = 1 << access.target
        for name in READIES:
            ports[f"m_axil_{name}"] &= ~bit
            if self.chance():
                ports[f"m_axil_{name}"] |= bit
        name = "bvalid" if access.is_write else "rvalid"
        if any(not ports[f"m_axil_{channel}ready"] & bit for channel in access.pending):
            ports[f"m_axil_{name}"] &= ~bit
        return ports

    def expected(self, inputs: dict[str, int]) -> dict[str, int]:
        """Of the outputs that say something in this cycle."""
        access = self.access
        bit = 0 if access is None or access.target == NONE or access.answer is not None else 1 << access.target
        takes_write = access is None and inputs["s_axil_awvalid"] and inputs["s_axil_wvalid"]
        takes_read = access is None and inputs["s_axil_arvalid"] and not takes_write
        answered = access is not None and access.answer is not None
        want = {
            "s_axil_awready": takes_write,
            "s_axil_wready": takes_write,
            "s_axil_arready": takes_read,
            "s_axil_bvalid": answered and access.is_write,
            "s_axil_rvalid": answered and not access.is_write,
        }
        for channel in self.offered:
            want[f"m_axil_{channel}valid"] = bit if access and channel in access.needs else 0
        want["m_axil_bready"] = bit if access and access.is_write else 0
        want["m_axil_rready"] = bit if access and not access.is_write else 0
        if bit:
            want["m_addr"] = access.address
        if want["m_axil_wvalid"]:
            want |= {"m_axil_wdata": access.data, "m_axil_wstrb": access.strobes}
        if want["s_axil_bvalid"]:
            want["s_axil_bresp"] = access.answer[0]
        if want["s_axil_rvalid"]:
            want["s_axil_rresp"], want["s_axil_rdata"] = access.answer
        return want

    def follow(self, inputs: dict[str, int]) -> None:
        """What this cycle has done."""
        access = self.access
        if access is None:
            self.take(inputs)
        elif access.answer is not None:
            if inputs["s_axil_bready" if access.is_write else "s_axil_rready"]:
                self.done[access.target] += 1
                self.access = None
        elif access.target == NONE:
            access.answer = SLVERR, 0
        else:
            access.pending -= {name for name in access.pending if inputs[f"m_axil_{name}ready"] >> access.target & 1}
            name = "b" if access.is_write else "r"
            if inputs[f"m_axil_{name}valid"] >> access.target & 1:
                resp = inputs[f"m_axil_{name}resp"] >> 2 * access.target & 3
                access.answer = resp, inputs["m_axil_rdata"] >> 32 * access.target & 0xFFFFFFFF

    def take(self, inputs: dict[str, int]) -> None:
        given = SimpleNamespace(**{name: inputs[f"s_axil_{name}"] for name in BITS})
        if given.awvalid and given.wvalid:
            self.access = Access(True, given.awaddr, given.wdata, given.wstrb, {"aw", "w"})
            self.offered |= {"aw": False, "w": False}
        elif given.arvalid:
            self.access = Access(False, given.araddr, 0, 0, {"ar"})
            self.offered["ar"] = False

    async def step(self, rst: int = 0) -> None:
        self.offer()
        inputs = self.inputs | self.targets()
        inputs |= {"s_axil_bready": self.chance(), "s_axil_rready": self.chance()}
        seen = await self.stepper.look(rst=rst, **inputs)
        number = min(seen.m_addr >> 8, NONE)
        seen = await self.stepper.step(target=0 if number == NONE else 1 << number)
        for name, value in self.expected(inputs).items():
            assert getattr(seen, name) == value, (name, self.access, inputs)
        self.follow(inputs)
        if rst:
            self.access = None


@cocotb.test()
async def at_random(dut):
    """Each access is at its target alone, until the target has taken it, and what that answers is answered until it is
    taken. Writes go before reads, and a reset ends what is under way.
    """
    demux = Demux(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    await demux.stepper.reset(**{f"s_axil_{name}": 0 for name in BITS})
    for turn in range(4000):
        if turn % 50 == 0:
            demux.rate = demux.rng.choice((0.1, 0.3, 0.5, 0.9, 1))
        await demux.step(rst=int(demux.rng.random() < 0.01))
    assert all(count > 50 for count in demux.done.values()), demux.done


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_axil_demux(test):
    Bench("axil_demux", rtl("common"), {"TARGETS": 3, "ADDR_WIDTH": 10}).run(__name__, test)
