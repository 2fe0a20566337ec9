# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_fcs_take: frames lose their last four bytes, whatever the pauses on either side."""

import os

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
BYTES = WIDTH // 8
HELD = 4 // BYTES
FULL = (1 << BYTES) - 1
OUTPUTS = ["s_axis_tready", *(f"m_axis_{name}" for name in ("tvalid", "tdata", "tkeep", "tlast", "tuser", "fcs"))]


def words_of(octets: bytes):
    for at in range(0, len(octets), BYTES):
        part = octets[at : at + BYTES]
        yield int.from_bytes(part, "little"), (1 << len(part)) - 1, at + BYTES >= len(octets)


class Sink:
    """What has left. A word that is offered stands still until it is taken, as long as the user offers his."""

    def __init__(self):
        self.frames, self.octets, self.keeps, self.users = [], b"", [], []
        self.offered = None

    def see(self, out, ready: int, valid: int) -> None:
        if not out.m_axis_tvalid:
            assert self.offered is None or not valid, "an offer was withdrawn, and not by the user"
            self.offered = None
            return
        word = out.m_axis_tdata, out.m_axis_tkeep, out.m_axis_tlast, out.m_axis_tuser
        assert self.offered in (None, word), f"{self.offered} became {word} before it was taken"
        self.offered = None if ready else word
        if ready:
            self.octets += out.m_axis_tdata.to_bytes(BYTES, "little")[: out.m_axis_tkeep.bit_length()]
            self.keeps.append(out.m_axis_tkeep)
            self.users.append(out.m_axis_tuser)
            if out.m_axis_tlast:
                fcs = out.m_axis_fcs.to_bytes(4, "little")
                self.frames.append((self.octets, fcs, self.keeps, any(self.users)))
                self.octets, self.keeps, self.users = b"", [], []


class User:
    def __init__(self, dut, rng):
        self.s, self.rng, self.sink = Stepper(dut, OUTPUTS), rng, Sink()

    async def reset(self) -> None:
        names = ("s_axis_tvalid", "s_axis_tdata", "s_axis_tkeep", "s_axis_tlast", "s_axis_tuser", "m_axis_tready")
        await self.s.reset(**dict.fromkeys(names, 0))
        self.sink = Sink()

    async def cycle(self, ready: int, word=None, user: int = 0) -> int:
        """One cycle with a word or, without one, junk beside tvalid; whether it was taken."""
        junk = self.rng.getrandbits(WIDTH), self.rng.getrandbits(BYTES), self.rng.getrandbits(1)
        data, keep, last = word or junk
        out = await self.s.step(
            s_axis_tvalid=word is not None,
            s_axis_tdata=data,
            s_axis_tkeep=keep,
            s_axis_tlast=last,
            s_axis_tuser=user if word else self.rng.getrandbits(1),
            m_axis_tready=ready,
        )
        self.sink.see(out, ready, word is not None)
        return out.s_axis_tready

    async def send(self, words, p_ready: float, p_valid: float, users=()) -> None:
        for i, word in enumerate(words):
            while self.rng.random() > p_valid:
                await self.cycle(self.rng.random() < p_ready)
            while not await self.cycle(self.rng.random() < p_ready, word, i in users):
                pass

    async def drain(self) -> None:
        for _ in range(4):
            await self.cycle(1)


def check(got, octets: bytes, user: bool) -> None:
    data, fcs, keeps, seen = got
    if len(octets) <= 4:
        assert (data, keeps) == (b"", [0])
        return
    assert (data, fcs) == (octets[:-4], octets[-4:])
    assert set(keeps[:-1]) <= {FULL}
    assert seen == user


@cocotb.test()
async def frames(dut):
    """Each length to 24, with pauses on neither, either or both sides; tuser on any word is seen, of no other frame."""
    user = User(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    await user.reset()
    rng, wanted = user.rng, []
    for p_ready, p_valid in ((1, 1), (0.3, 1), (1, 0.3), (0.6, 0.6)):
        for n in rng.sample([*range(1, 25), *range(1, 13)], 36):
            octets = rng.randbytes(n)
            words = list(words_of(octets))
            users = [at for at in range(len(words)) if rng.random() < 0.05]
            await user.send(words, p_ready, p_valid, users)
            wanted.append((octets, bool(users)))
    await user.drain()
    assert len(user.sink.frames) == len(wanted)
    for got, (octets, marked) in zip(user.sink.frames, wanted, strict=True):
        check(got, octets, marked)


async def timing(user: User) -> None:
    """The words that are held are taken at once; then one leaves for each that comes; tready waits for none of them."""
    await user.reset()
    for n in (5, 8, 9, 16, 40):
        for i, word in enumerate(words_of(user.rng.randbytes(n))):
            before = len(user.sink.keeps) + sum(len(f[2]) for f in user.sink.frames)
            for _ in range(3):
                assert await user.cycle(0) == (i < HELD)
            if i >= HELD:
                assert not await user.cycle(0, word)
            assert await user.cycle(int(i >= HELD), word)
            after = len(user.sink.keeps) + sum(len(f[2]) for f in user.sink.frames)
            assert after - before == (i >= HELD)


@cocotb.test()
async def illegal_keep(dut):
    """Any tkeep on any word: an illegal one is still one when it leaves, with the word or with the one before."""
    user = User(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    await user.reset()
    rng, wanted = user.rng, []
    for n in (5, 12, 16, 24):
        n_words = len(list(words_of(bytes(n))))
        for at in range(n_words):
            for keep in range(FULL + 1):
                words = list(words_of(rng.randbytes(n)))
                words[at] = words[at][0], keep, words[at][2]
                await user.send(words, 0.8, 0.8)
                legal = keep == FULL or (words[at][2] and keep in (1, 3, 7))
                wanted.append((legal, n_words - HELD))
    await user.drain()
    assert len(user.sink.frames) == len(wanted)
    for (_, _, keeps, _), (legal, words) in zip(user.sink.frames, wanted, strict=True):
        assert len(keeps) == words
        assert legal == (set(keeps[:-1]) <= {FULL} and keeps[-1] in (1, 3, 7, FULL))


async def cut(user: User) -> None:
    """Words that nobody offers when they are asked for: before tlast, `fcs` shows the last four bytes that came."""
    await user.reset()
    for n_words in range(HELD + 1, HELD + 6):
        octets = user.rng.randbytes(BYTES * n_words)
        for data, keep, _ in words_of(octets):
            word = data, keep, 0
            user.s.set(s_axis_tvalid=1, s_axis_tdata=data, s_axis_tkeep=keep, s_axis_tlast=0, m_axis_tready=1)
            seen = (await user.s.look()).m_axis_fcs
            assert await user.cycle(1, word)
        assert seen.to_bytes(4, "little") == octets[-4:]
        for _ in range(user.rng.randrange(1, 4)):
            await user.cycle(1)
        await user.send(words_of(user.rng.randbytes(3)), 1, 1)


async def reset(user: User) -> None:
    """Whatever is held is gone, and so are its marks."""
    for n_words in [*range(HELD + 2)] * 4:
        await user.reset()
        for _ in range(n_words):
            keep = user.rng.choice([FULL, 0])
            word = user.rng.getrandbits(WIDTH), keep, user.rng.getrandbits(1)
            await user.cycle(0, word, user.rng.getrandbits(1))
        await user.reset()
        octets = user.rng.randbytes(user.rng.randrange(5, 20))
        await user.send(words_of(octets), 1, 1)
        await user.drain()
        (got,) = user.sink.frames
        check(got, octets, False)


@cocotb.test()
async def timing_cut_reset(dut):
    user = User(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    for case in (timing, cut, reset):
        await case(user)


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_tx_fcs_take(width, test):
    top = "macpcs_tx_fcs_take"
    Bench(top, [path for path in rtl("macpcs") if path.stem == top], {"WIDTH": width}).run(__name__, test)
