# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_bridge, and axis_narrow in it: every half at once, once, in order; tready right at the slow edges."""

import os

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded

SOURCES = [path for path in rtl("common", "macpcs") if path.stem in ("axis_narrow", "macpcs_tx_bridge")]
OUTPUTS = ["s_axis_tready", *(f"m_axis_{name}" for name in ("tvalid", "tdata", "tkeep", "tlast", "tuser"))]
IDLE = {f"s_axis_{name}": 0 for name in ("tvalid", "tdata", "tkeep", "tlast", "tuser")} | {"m_axis_tready": 0}


def halves(word) -> list[tuple[int, int, int, int]]:
    """(data, keep, last, user) at 32 bits -> at 16."""
    data, keep, last, user = word
    if last and keep < 4:
        return [(data & 0xFFFF, keep, 1, user)]
    return [(data & 0xFFFF, keep & 3, 0, user), (data >> 16, keep >> 2, last, 0)]


def frame(rng, octets: bytes) -> list[tuple[int, int, int, int]]:
    words = [octets[i : i + 4] for i in range(0, len(octets), 4)]
    return [
        (int.from_bytes(w + rng.randbytes(4 - len(w)), "little"), (1 << len(w)) - 1, i == len(words) - 1, 0)
        for i, w in enumerate(words)
    ]


def legal(half) -> bool:
    return half[1] == 3 or (half[1] == 1 and half[2] == 1)


class User:
    """Shows a word on the slow clock until it is taken; `due` are the halves shown that the core has not taken."""

    def __init__(self, bridge: bool):
        self.bridge, self.word, self.due, self.left = bridge, None, [], 0

    def show(self, word) -> None:
        self.word = word
        self.due += halves(word)
        self.left = len(halves(word)) - 1  # of its halves that may be left when it counts as taken

    async def cycle(self, s, second: bool, ready: bool, rng):
        """A fast cycle; the half that the core takes, if it takes one."""
        data, keep, last, user = self.word or (rng.getrandbits(32), *(rng.getrandbits(n) for n in (4, 1, 1)))
        out = await s.step(
            **({"second": second} if self.bridge else {}),
            s_axis_tvalid=self.word is not None,
            s_axis_tdata=data,
            s_axis_tkeep=keep,
            s_axis_tlast=last,
            s_axis_tuser=user,
            m_axis_tready=ready,
        )
        assert out.m_axis_tvalid == bool(self.due), "a half is offered as soon as it is there, and not twice"
        taken = None
        if self.due:
            half = out.m_axis_tdata, out.m_axis_tkeep, out.m_axis_tlast, out.m_axis_tuser
            assert half == self.due[0]
            if ready:
                taken = self.due.pop(0)
        if second and self.word:
            assert out.s_axis_tready == (len(self.due) <= self.left)
            if out.s_axis_tready:
                self.word = None
        return taken


@cocotb.test()
async def frames(dut):
    """A core like macpcs_tx (one pause in 33 cycles), a user who never pauses in a frame: no underrun, no loss."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bridge = hasattr(dut, "second")
    s = Stepper(dut, OUTPUTS)
    for phase in (0, 1):
        await s.reset(**IDLE, **({"second": 0} if bridge else {}))
        lengths = [*range(1, 25), *rng.sample(range(25, 300), 16)]
        rng.shuffle(lengths)
        payloads = [rng.randbytes(n) for n in lengths]
        words = [word for payload in payloads for word in frame(rng, payload)]
        user, got, octets = User(bridge), [], b""
        inside, gap, user_gap, stall = False, 0, 0, rng.randrange(33)
        ready = False
        for n in range(6000):
            second = not bridge or (n + phase) % 2 == 1
            if (not bridge or not second) and user.word is None and words:
                if user_gap == 0:
                    user.show(words.pop(0))
                    user_gap = rng.choice([0, 0, 0, 1, 6]) if user.word[2] else 0
                else:
                    user_gap -= 1
            # the first word is held until tready; later ones are due
            ready = n % 33 != stall and (inside or (gap == 0 and rng.random() < 0.3))
            half = await user.cycle(s, second, ready, rng)
            if inside and ready:
                assert half, "underrun"
            gap = max(gap - 1, 0)
            if half:
                data, keep, last, _ = half
                assert legal(half)
                octets += data.to_bytes(2, "little")[: keep.bit_length()]
                inside = not last
                if last:
                    got.append(octets)
                    octets, gap = b"", rng.choice([1, 5, 8])
            if not words and not user.due and user.word is None:
                break
        assert got == payloads


@cocotb.test()
async def anything(dut):
    """Any words, any tready (a core that swallows, one that waits): every half as the table says; and resets."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bridge = hasattr(dut, "second")
    s = Stepper(dut, OUTPUTS)
    for ready_rate in (0.1, 0.5, 0.9, 1):
        await s.reset(**IDLE, **({"second": 0} if bridge else {}))
        user = User(bridge)
        for n in range(700):
            second = not bridge or n % 2 == 1
            if (not bridge or not second) and user.word is None and rng.random() < 0.8:
                user.show(
                    (rng.getrandbits(32), rng.choice([rng.getrandbits(4), 15]), rng.getrandbits(1), rng.getrandbits(1))
                )
            await user.cycle(s, second, rng.random() < ready_rate, rng)
            if rng.random() < 0.01:
                await s.reset(1, **IDLE, **({"second": second} if bridge else {}))
                user = User(bridge)
    for last in (0, 1):
        for keep in range(16):
            ok = keep == 15 or (last and keep in (1, 3, 7))
            assert all(legal(half) for half in halves((0, keep, last, 0))) == ok


CASES = ("macpcs_tx_bridge", "axis_narrow")


@pytest.mark.parametrize("top", CASES)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_tx_bridge(test, top):
    Bench(top, SOURCES).run(__name__, test)
