# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_rx_user: every byte of every segment once and in order, in the cycle that is promised, and what room says."""

import os
from dataclasses import dataclass

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, kept, main_and_kept, parameter, rtl, seeded

WIDTH, STORE = parameter("TCP2USER_DATA_WIDTH", 64), parameter("STORE_FORWARD", 0)
DEPTH_BYTES, PACKETS = parameter("DEPTH_BYTES", 256), parameter("RX_FIFO_PACKET_COUNT", 4)
PIPE = parameter("RX_OUTPUT_PIPE_COUNT", 0)
BYTES = WIDTH // 8
# Most that fits: a beat less for the end in cut-through, and two bytes less in the first beat of 32 bits.
FREE = DEPTH_BYTES - (0 if STORE else BYTES) - (2 if WIDTH == 32 else 0)
MOST = 0xFFFF
ROOM = min(FREE, MOST)
OUTPUTS = ("room", *(f"m_axis_{name}" for name in ("tdata", "tkeep", "tvalid", "tlast", "tuser", "tdest")))
APART = 13  # cycles from the end of a segment to the first word of the next, at least
IDLE = {f"data_{name}": 0 for name in ("valid", "word", "keep", "first", "final", "last", "bad", "sid")}


@dataclass
class Segment:
    payload: bytes
    sid: int
    bad: bool = False
    cut: int | None = None  # words that come of it, then it ends
    gap: float = 0.0
    behind: int = 1  # cycles from the last word to the end

    def beats(self) -> list[tuple[bytes, bool, bool, int]]:
        """Bytes, last, bad and session of each beat that the user should get."""
        if STORE and self.bad:
            return []
        payload = self.payload if self.cut is None else self.payload[: 4 * self.cut - 2]
        head = 2 if WIDTH == 32 else 0
        chunks = [payload[:head]] if head else []
        chunks += [payload[i : i + BYTES] for i in range(head, len(payload), BYTES)]
        if self.cut is not None and WIDTH == 64 and len(chunks[-1]) < 8:
            chunks.pop()  # what does not fill a beat is not shown
        ends = [bool(STORE and i == len(chunks) - 1) for i in range(len(chunks))]
        found = [(chunk, end, False, self.sid) for chunk, end in zip(chunks, ends, strict=True)]
        return found if STORE else [*found, (b"", True, self.bad, self.sid)]

    def cycles(self, rng) -> list[dict[str, int]]:
        """Ports in each cycle; what means nothing is chance."""
        chunks = [self.payload[:2], *(self.payload[i : i + 4] for i in range(2, len(self.payload), 4))]
        cycles = []
        for i, chunk in enumerate(chunks[: self.cut]):
            while i and rng.random() < self.gap:
                cycles.append(quiet(rng) | {"data_sid": self.sid})
            octets = rng.randbytes(2) * (i == 0) + chunk
            octets += rng.randbytes(4 - len(octets))
            keep = ((1 << len(chunk)) - 1) << (2 if i == 0 else 0)
            final = int(i == len(chunks) - 1)
            word = {"data_valid": 1, "data_word": int.from_bytes(octets, "little"), "data_keep": keep, "data_last": 0}
            cycles.append(word | {"data_first": int(i == 0), "data_final": final, "data_bad": rng.getrandbits(1)})
        cycles += [quiet(rng) for _ in range(self.behind - 1)]
        end = {"data_valid": 1, "data_last": 1, "data_keep": 0, "data_first": 0, "data_final": 0}
        cycles.append(end | {"data_word": rng.getrandbits(32), "data_bad": int(self.bad)})
        return [cycle | {"data_sid": self.sid} for cycle in cycles]


def quiet(rng) -> dict[str, int]:
    """The verdict's wire means nothing without data_last, and neither does the session without a segment."""
    return IDLE | {"data_word": rng.getrandbits(32), "data_bad": rng.getrandbits(1), "data_sid": rng.getrandbits(10)}


class User:
    """Takes beats, watches that what is on offer stays, and compares."""

    def __init__(self, dut, rng):
        self.s, self.rng, self.ready = Stepper(dut, OUTPUTS), rng, 1.0
        self.expected: list = []
        self.offered, self.cycle, self.seen = None, 0, []

    async def reset(self) -> None:
        await self.s.reset(**IDLE, m_axis_tready=0)
        for _ in range(4):
            await self.s.step()

    async def step(self, inputs=None):
        ready = int(self.rng.random() < self.ready)
        out = await self.s.step(**(inputs or quiet(self.rng)), m_axis_tready=ready)
        beat = (out.m_axis_tdata, out.m_axis_tkeep, out.m_axis_tlast, out.m_axis_tuser, out.m_axis_tdest)
        if self.offered is not None:
            assert out.m_axis_tvalid and beat == self.offered
        self.offered = beat if out.m_axis_tvalid and not ready else None
        if out.m_axis_tvalid and ready:
            octets = beat[0].to_bytes(BYTES, "little")
            got = bytes(octet for i, octet in enumerate(octets) if beat[1] >> i & 1)
            assert self.expected, "a beat that nobody sent"
            want = self.expected.pop(0)
            assert (got, bool(beat[2]), bool(beat[3]), beat[4]) == want
            self.seen.append((self.cycle, got))
        self.cycle += 1
        return out

    async def send(self, segment: Segment, apart: int = APART) -> list[int]:
        """The cycles of its words and, last, of its end."""
        for _ in range(apart - 1):
            await self.step()
        self.expected += segment.beats()
        at = []
        for inputs in segment.cycles(self.rng):
            if inputs["data_valid"]:
                at.append(self.cycle)
            await self.step(inputs)
        return at

    async def drain(self) -> None:
        self.ready = 1.0
        for _ in range(DEPTH_BYTES // BYTES * 2 + 10 + 2 * PIPE):
            out = await self.step()
        assert not self.expected and out.room == ROOM

    async def room(self) -> int:
        for _ in range(4 + STORE):
            out = await self.step()
        return out.room


async def user_of(dut) -> User:
    user = User(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    await user.reset()
    assert await user.room() == ROOM
    return user


def some_segment(rng, most: int) -> Segment:
    length = min(most, rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, rng.randrange(1, most + 1), most]))
    segment = Segment(rng.randbytes(length), rng.getrandbits(10), rng.random() < 0.25)
    segment.gap, segment.behind = rng.choice([0, 0, 0.3]), rng.choice([1, 1, 2, 3, 9])
    words = 1 + (length + 1) // 4
    if segment.bad and words > 1 and rng.random() < 0.5:
        segment.cut = rng.randrange(1, words)
    return segment


@cocotb.test()
async def stream(dut):
    """Segments of all lengths, good, bad and cut, for users who are quick and slow, whenever there is room."""
    user = await user_of(dut)
    rng = user.rng
    for rate in (1.0, 0.7, 0.3, 0.15, 0.9):
        user.ready = rate
        for n in range(160):
            if n % 40 == 39:
                user.ready = 0.0  # for a while
            waited, out = 0, None
            while out is None or out.room == 0 or waited < APART - 1:
                if waited > 60:
                    user.ready = rate
                out = await user.step()
                waited += 1
            await user.send(some_segment(rng, out.room), 1 + rng.choice([0, 0, 0, 1, 5]))
            if n % 40 == 20:
                user.ready = rate
        await user.drain()


@cocotb.test()
async def fills(dut):
    """A user who takes nothing: room is used to its last byte, and comes back to its last byte; bad segments, too."""
    user = await user_of(dut)
    rng = user.rng
    for most in (1, 2, 3, 7, 8, 9, ROOM // 3, ROOM):
        for bad in (0.0, 0.5):
            user.ready = 0.0
            sent = 0
            for _ in range(3 * PACKETS):
                room = await user.room()
                if room == 0:
                    break
                length = min(most, room)
                segment = Segment(rng.randbytes(length), rng.getrandbits(10), rng.random() < bad)
                await user.send(segment)
                sent += not (STORE and segment.bad)
            if not bad:  # a segment of two beats finds place in each of the output registers
                assert room == 0 and (PACKETS <= sent <= PACKETS + PIPE or most >= 7)
            await user.drain()


@cocotb.test()
async def large(dut):
    """Of a FIFO that can take more than a segment has, room is that most, until less is left."""
    user = await user_of(dut)
    user.ready = 0.0
    left = FREE + 2 * BYTES  # two beats wait in the output register
    while left > MOST - 10_000:
        await user.send(Segment(user.rng.randbytes(1480), user.rng.getrandbits(10)))
        left -= 1480 + BYTES  # a beat for its end
        assert await user.room() == min(left, MOST)
    await user.drain()


@cocotb.test()
async def latency(dut):
    """Each beat of a user who is ready in its cycle, each length up to 200; its end one and two cycles after it."""
    user = await user_of(dut)
    for length, behind in ((length, behind) for length in range(1, 201) for behind in ((1, 2) if STORE else (2,))):
        segment = Segment(user.rng.randbytes(length), length % 1024, behind=behind)
        user.seen.clear()
        at = await user.send(segment, APART + 10)
        for _ in range(70 + PIPE):
            await user.step()
        assert not user.expected
        cycles = [cycle - PIPE for cycle, octets in user.seen]
        if STORE:
            # The end comes one cycle behind the verdict, and the first beat two
            assert cycles[0] == at[-1] + 1, length
            continue
        assert cycles[-1] == at[-1]
        done = 0
        for cycle, octets in zip(cycles, [octets for _, octets in user.seen][:-1], strict=False):
            done += len(octets)
            word = (done + 1) // 4  # that completes it
            left = WIDTH == 64 and done == length and length % 8 in (1, 2) and length > 2
            assert cycle == at[word] + left, (length, done)


@cocotb.test()
async def stalled(dut):
    """A user who is a cycle late for the first beat gets each of the others at most a cycle behind its word."""
    user = await user_of(dut)
    for length in (9, 40, 160):
        segment = Segment(user.rng.randbytes(length), 5, behind=2)
        for _ in range(APART):
            await user.step()
        user.expected += segment.beats()
        user.seen.clear()
        offered = None
        due = []  # cycles of the words that complete a beat, and of the end
        done = 0
        for inputs in segment.cycles(user.rng):
            done += inputs["data_keep"].bit_count()
            if inputs["data_last"] or (inputs["data_valid"] and (WIDTH == 32 or done % 8 < 4 and done >= 8)):
                due.append(user.cycle)
            user.ready = float(offered is not None or not due)
            out = await user.step(inputs)
            offered = offered if offered is not None or not out.m_axis_tvalid else user.cycle
        user.ready = 1.0
        for _ in range(20):
            await user.step()
        assert not user.expected
        late = [cycle for cycle, octets in user.seen if octets or cycle == user.seen[-1][0]]
        assert late[0] == due[0] + 1
        assert all(due_at <= cycle <= due_at + 1 for cycle, due_at in zip(late, due, strict=False)), (late, due)


CASES = {
    "cut_64": {"TCP2USER_DATA_WIDTH": 64},
    "cut_32": {"TCP2USER_DATA_WIDTH": 32},
    "store_64": {"TCP2USER_DATA_WIDTH": 64, "STORE_FORWARD": 1},
    "store_32": {"TCP2USER_DATA_WIDTH": 32, "STORE_FORWARD": 1},
    "cut_64_pipe": {"TCP2USER_DATA_WIDTH": 64, "RX_OUTPUT_PIPE_COUNT": 2},
}
LARGE = {"large": {"TCP2USER_DATA_WIDTH": 64, "DEPTH_BYTES": 131072, "RX_FIFO_PACKET_COUNT": 64}}
FILES = ("toe_pkg", "toe_fifo", "toe_rx_pack", "toe_rx_beats", "toe_rx_user")


def bench(case: str) -> Bench:
    common = [path for path in rtl("common") if path.stem in ("axis_register", "ram_sdp")]
    sources = common + [path for path in rtl("toe") if path.stem in FILES]
    given = {"STORE_FORWARD": 0, "RX_OUTPUT_PIPE_COUNT": 0, "DEPTH_BYTES": 256, "RX_FIFO_PACKET_COUNT": 4}
    return Bench("toe_rx_user", sources, given | (CASES | LARGE)[case])


@kept(__file__)
def test_toe_rx_user_large():
    bench("large").run(__name__, "large")


@pytest.mark.parametrize("case", main_and_kept(__file__, ["cut_64", "cut_32"]))
def test_toe_rx_user_stalled(case):
    bench(case).run(__name__, "stalled")


@pytest.mark.parametrize("case", main_and_kept(__file__, CASES, lambda case: case in ("cut_64", "store_64")))
@pytest.mark.parametrize("test", ["stream", "fills", "latency"])
def test_toe_rx_user(test, case):
    bench(case).run(__name__, test)
