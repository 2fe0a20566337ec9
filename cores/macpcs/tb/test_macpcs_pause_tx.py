# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_pause_tx: the user's frames untouched, without a lost cycle; PAUSE frames when the request asks for them."""

import os

import cocotb
import pytest

from macpcs_pause import pause_frame
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
LENGTH = parameter("PAUSE_LENGTH", 1)
OCTETS = WIDTH // 8
KEEP = (1 << OCTETS) - 1
OWN = bytes.fromhex("02a1b2c3d4e5")
HALF = LENGTH * 256 // WIDTH  # payload words
OUTPUTS = ["s_axis_tready", "m_axis_tdata", "m_axis_tkeep", "m_axis_tvalid", "m_axis_tlast", "m_axis_tuser"]
REACTION = 4  # cycles from an input to what it does, at most


class Rig:
    """A user and a transmitter around the module; notes what comes out, and holds it against the AXI-Stream rules."""

    def __init__(self, dut, rng):
        self.s, self.rng = Stepper(dut, [*OUTPUTS, "stat_tx_pause"]), rng
        self.user_rate, self.ready_rate, self.user_gap, self.stall_between = 1.0, 1.0, 0.0, 0
        self.max_words = 40

    async def reset(self):
        idle = {name: 0 for name in ("tdata", "tkeep", "tvalid", "tlast", "tuser")}
        await self.s.reset(
            **{f"s_axis_{name}": value for name, value in idle.items()},
            m_axis_tready=0,
            tx_pause_req=0,
            hold=0,
            step=0,
            own_address=int.from_bytes(OWN, "big"),
        )
        self.words, self.word = [], None  # still to be offered; on offer
        self.sent, self.got, self.frame = [], [], []  # user words; all frames
        self.offered = None  # by the module, and not taken
        self.wait = 0
        self.steps = 0  # payload words so far
        self.begin = None
        self.pauses = []  # (steps when its first word was offered, quanta)
        self.user_open = False  # a frame of the user's is under way behind the module
        self.holds, self.let_in = [0] * REACTION, False
        await self.cycle()

    def next_word(self):
        rng = self.rng
        if not self.words and rng.random() >= self.user_gap:
            n = rng.randrange(1, self.max_words)
            tail = rng.randrange(1, OCTETS + 1)
            self.words = [(rng.getrandbits(WIDTH), KEEP, 0, int(rng.random() < 0.05)) for _ in range(n - 1)]
            self.words.append((rng.getrandbits(WIDTH), (1 << tail) - 1, 1, int(rng.random() < 0.05)))
        if self.words and rng.random() < self.user_rate:
            return self.words.pop(0)
        return None

    async def cycle(self, req=0, hold=0, ready=None):
        rng = self.rng
        if self.word is None:
            self.word = self.next_word()
        data, keep, last, user = self.word or (rng.getrandbits(WIDTH), KEEP, rng.getrandbits(1), rng.getrandbits(1))
        if ready is None:
            ready = int(self.wait == 0 and rng.random() < self.ready_rate)
        self.wait = max(0, self.wait - 1)
        step = int(rng.random() < 32 / 33)
        out = await self.s.step(
            s_axis_tdata=data,
            s_axis_tkeep=keep,
            s_axis_tlast=last,
            s_axis_tuser=user,
            s_axis_tvalid=self.word is not None,
            m_axis_tready=ready,
            tx_pause_req=req,
            hold=hold,
            step=step,
        )
        now = (out.m_axis_tdata, out.m_axis_tkeep, out.m_axis_tlast, out.m_axis_tuser)
        valid = out.m_axis_tvalid
        if self.offered is not None:
            assert valid and now == self.offered, "an offered word changed or went away"
        from_user = bool(valid and self.word == now and (out.s_axis_tready or not ready))
        if self.user_open:
            # In the midst of a user's frame there is nothing between the two sides.
            assert valid == (self.word is not None) and out.s_axis_tready == ready
            assert not valid or from_user
        elif from_user and not self.frame and all(self.holds):
            assert self.offered is not None or self.let_in, "a new frame in spite of hold"
        self.let_in = from_user and not all(self.holds)
        if valid and not self.frame and self.begin is None:
            self.begin = self.steps
        taken = valid and ready
        if taken:
            self.frame.append(now)
            if now[2]:
                self.got.append((self.begin, self.frame))
                if out.stat_tx_pause:
                    octets = b"".join(word[0].to_bytes(OCTETS, "little") for word in self.frame)
                    assert all(word[1] == KEEP and not word[3] for word in self.frame)
                    quanta = int.from_bytes(octets[16:18], "big")
                    assert octets == pause_frame(quanta, OWN) and quanta in (0, LENGTH)
                    self.pauses.append((self.begin, quanta))
                    self.got.pop()
                self.frame, self.begin, self.wait = [], None, self.stall_between
        assert not out.stat_tx_pause or (taken and now[2])
        if out.s_axis_tready and self.word is not None:
            assert taken and from_user
            self.sent.append(self.word)
            self.user_open = not self.word[2]
            self.word = None
        self.offered = now if valid and not ready else None
        self.holds = [*self.holds[1:], hold]
        self.steps += step
        return out

    def check_user(self):
        got = [word for _, frame in self.got for word in frame] + (self.frame if self.user_open else [])
        assert got == self.sent and len(self.got) > 0


@cocotb.test()
async def user_frames(dut):
    """Whatever the request, hold and both sides do."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = Rig(dut, rng)
    total = 0
    for rates in ((1, 1, 0, 0), (1, 1, 0, 5), (0.7, 0.9, 0.5, 2), (0.3, 0.3, 0.9, 0), (1, 0.5, 0.1, 1)):
        rig.user_rate, rig.ready_rate, rig.user_gap, rig.stall_between = rates
        await rig.reset()
        req = hold = 0
        for _ in range(4000):
            req ^= rng.random() < 0.02
            hold ^= rng.random() < 0.03
            await rig.cycle(req, hold)
        rig.check_user()
        total += len(rig.pauses)
    assert total > 50


@cocotb.test()
async def no_lost_cycle(dut):
    """A user and a transmitter that never wait: there is a word in every cycle, PAUSE frames or not."""
    rig = Rig(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    await rig.reset()
    for n in range(3000):
        out = await rig.cycle(req=n % 700 > 300)
        assert out.m_axis_tvalid
    rig.check_user()
    assert len(rig.pauses) >= 8


@cocotb.test()
async def held_back(dut):
    """hold: nothing of the user's begins, what is under way or on offer goes on; PAUSE frames leave all the same."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = Rig(dut, rng)
    for _ in range(20):
        await rig.reset()
        for _ in range(rng.randrange(5, 80)):
            await rig.cycle()
        await rig.cycle(hold=1)  # in which hold is seen: a frame of one word can begin and end in it
        begun = len(rig.got) + bool(rig.user_open or rig.word)
        for _ in range(199):
            await rig.cycle(hold=1)
        assert begun <= len(rig.got) <= begun + 1 and not rig.user_open
        held = len(rig.got)
        for _ in range(300):
            await rig.cycle(hold=1, req=1)
        assert len(rig.got) == held and rig.pauses
        for _ in range(REACTION + 60):  # a PAUSE frame may be under way, and the last one has to leave
            await rig.cycle()
        await rig.cycle()
        assert rig.user_open or len(rig.got) > held
        rig.check_user()


@cocotb.test()
async def on_offer_stays(dut):
    """A first word that the transmitter has seen goes first: it may have started the frame."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = Rig(dut, rng)
    rig.max_words = 3
    for _ in range(30):
        await rig.reset()
        while not (rig.word and not rig.user_open and rig.offered):
            await rig.cycle(ready=0)
        for _ in range(rng.randrange(2, 20)):
            await rig.cycle(ready=0, req=1, hold=1)  # the rig sees to it that the offer stays
        for _ in range(40):
            await rig.cycle(req=1, hold=1)
        assert len(rig.got) == 1 and len(rig.pauses) == 1


@cocotb.test()
async def pauses(dut):
    """One frame when the request comes, again after half of its time, quanta 0 when it goes."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = Rig(dut, rng)
    rig.ready_rate, rig.user_gap = 32 / 33, 0.5
    frame_words = 60 // OCTETS
    for busy in (False, True):
        rig.user_gap = 0.0 if busy else 1.0
        slack = REACTION + 2 + busy * 2 * rig.max_words
        await rig.reset()
        # A request of each length up to six renewals, in any order, so that there are always some of each kind.
        n = 4 if HALF > 1000 else 12
        for part in rng.sample(range(n), n):
            for _ in range(rng.randrange(100, 400)):
                await rig.cycle()
            before, at = len(rig.pauses), rig.steps
            held = rng.randrange(30 + 6 * HALF * part // n, 60 + 6 * HALF * (part + 1) // n)
            for _ in range(held):
                await rig.cycle(req=1)
            let_go = rig.steps
            for _ in range(3 * frame_words + 2 * slack):
                await rig.cycle()
            new = rig.pauses[before:]
            if not new:
                assert busy and held < slack
                continue
            assert [quanta for _, quanta in new] == [LENGTH] * (len(new) - 1) + [0]
            times = [begin for begin, _ in new]
            assert times[0] - at <= slack and 0 <= times[-1] - let_go <= slack + frame_words * 34 // 32 + 2
            for one, next_ in zip(times[:-1], times[1:-1], strict=False):
                again = max(HALF, frame_words)
                assert HALF - 1 <= next_ - one <= again + slack + 4
            assert times[-1] - times[-2] <= max(HALF, frame_words) + 2 * slack + 4
        assert len(rig.pauses) >= 12


@cocotb.test()
async def short_requests(dut):
    """A request that is over before its frame has begun sends nothing; each that was begun is taken back."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = Rig(dut, rng)
    rig.max_words = 60
    await rig.reset()
    for _ in range(150):
        for _ in range(rng.randrange(1, 8)):
            await rig.cycle(req=1)
        for _ in range(rng.randrange(1, 60)):
            await rig.cycle()
    for _ in range(300):
        await rig.cycle()
    kinds = [quanta for _, quanta in rig.pauses]
    # No quanta 0 but behind a pause; no second pause behind one, if it is not so short that it is renewed.
    assert kinds and kinds[0] == LENGTH and kinds[-1] == 0
    pairs = set(zip(kinds, kinds[1:], strict=False))
    assert pairs - ({(LENGTH, LENGTH)} if HALF < 500 else set()) == {(LENGTH, 0), (0, LENGTH)}
    assert len(kinds) < 280
    rig.check_user()


@pytest.mark.parametrize("width, length", main_and_kept(__file__, [(32, 3), (32, 300), (16, 40)]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_pause_tx(width, length, test):
    sources = [path for path in rtl("macpcs") if path.stem in ("macpcs_pause_timer", "macpcs_pause_tx")]
    Bench("macpcs_pause_tx", sources, {"WIDTH": width, "PAUSE_LENGTH": length}).run(__name__, test)
