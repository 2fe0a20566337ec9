# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_sack_piece alone against RFC 6675: SetPipe(), IsLost() and NextSeg() of random scoreboards."""

import os
from collections import Counter
from dataclasses import dataclass

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

CONGESTION = parameter("TX_CONGESTION_CONTROL_EN", 1)
INTERVALS = 4
BITS = 18  # of each place
SUMS = 4  # `at` with which sacked and lost are there
PIECE = 10  # and the rest
ROUNDS = 3000


@dataclass
class Board:
    intervals: list[tuple[int, int]]  # SACKed bytes, from SND.UNA on
    flight: int
    offset: int  # rtx
    wnd: int
    cwnd: int
    fin: bool
    fast: bool
    mss: int

    def inputs(self) -> dict[str, int]:
        return {
            "on": sum(1 << i for i in range(len(self.intervals))),
            "start": sum(start << BITS * i for i, (start, _) in enumerate(self.intervals)),
            "stop": sum(stop << BITS * i for i, (_, stop) in enumerate(self.intervals)),
        } | {name: int(getattr(self, name)) for name in ("flight", "offset", "wnd", "cwnd", "fin", "fast", "mss")}

    def sacked(self, from_interval: int = 0) -> int:
        return sum(stop - start for start, stop in self.intervals[from_interval:])

    def lost(self, hole: int) -> bool:
        """IsLost() of the bytes before interval `hole`."""
        after = len(self.intervals) - hole
        return after >= 3 or self.sacked(hole) > 2 * self.mss

    def hole(self, number: int) -> tuple[int, int]:
        return (self.intervals[number - 1][1] if number else 0), self.intervals[number][0]

    def place(self) -> int:
        return next((stop for start, stop in self.intervals if start <= self.offset < stop), self.offset)

    def pipe(self) -> int:
        """SetPipe(): HighRxt is the place of the next piece."""
        lost = [self.hole(i) for i, (start, _) in enumerate(self.intervals) if start > self.place() and self.lost(i)]
        return self.flight - self.sacked() - sum(stop - max(start, self.place()) for start, stop in lost)

    def piece(self, met: Counter) -> tuple[int, bool]:
        """Length of the next piece, and whether nothing is left but FIN."""
        place, sent = self.place(), self.flight - (self.fin and self.flight != 0)
        limits = [self.mss, sent - place]
        limits.append((min(self.wnd, self.cwnd) if CONGESTION and not self.fast else self.wnd) - place)
        ahead = [i for i in range(len(self.intervals)) if self.intervals[i][0] > place]
        if ahead:
            limits.append(self.intervals[ahead[0]][0] - place)
        length = max(0, min(limits))
        if not self.fast:
            return length, sent <= place
        roomy = not CONGESTION or self.pipe() + self.mss <= self.cwnd
        goes = place == 0 or (bool(ahead) and self.lost(ahead[0]) and roomy)
        met[f"fast, lost {bool(ahead) and ahead[0]}" if goes and length else "fast, none"] += 1
        return length if goes else 0, place == 0 and sent == 0


def draw(rng) -> Board:
    """Sizes from bytes to a full window; the edges of each comparison are often met exactly."""
    mss = rng.choice((1, 88, 536, 1460, 8960))
    unit = rng.choice((1, mss, mss, rng.randrange(1, 2 * mss + 1)))
    room, at, intervals = 65536, 0, []
    for _ in range(rng.randrange(INTERVALS + 1)):
        start = at + unit * rng.randrange(1, 4) + rng.choice((0, 0, -1, 1)) * (unit > 1)
        stop = start + unit * rng.randrange(1, 4) + rng.choice((0, 0, -1, 1)) * (unit > 1)
        if stop > room:
            break
        intervals.append((start, stop))
        at = stop
    flight = min(at + rng.choice((0, 1, unit, rng.randrange(room))), room)
    places = [0, flight, *(place for pair in intervals for place in pair)]
    offset = rng.choice((rng.choice(places), places[-1], places[-3 if intervals else 0], rng.randrange(flight + 1)))
    board = Board(
        intervals,
        flight,
        offset,
        wnd=rng.choice((0, flight, room, room, room, rng.randrange(room))),
        cwnd=room,
        fin=bool(rng.getrandbits(1)) and (flight > at or flight == 0),  # 0: it has been acknowledged
        fast=rng.random() < 0.7,
        mss=mss,
    )
    pipe = board.pipe()
    board.cwnd = min(
        max(rng.choice((pipe + mss, pipe + mss, pipe + mss - 1, offset, rng.randrange(room), room)), 0), room
    )
    return board


@cocotb.test()
async def against_the_rfc(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bench = Stepper(dut, ("sacked", "lost", "place", "length", "at_end"))
    met = Counter()
    for _ in range(ROUNDS):
        board = draw(rng)
        inputs = board.inputs()
        for at in range(PIECE + 1):
            seen = await bench.step(at=at, **inputs)
            if at >= SUMS:
                assert (seen.sacked, seen.lost) == (board.sacked(), bool(board.intervals) and board.lost(0)), board
        assert seen.place == board.place(), board
        assert (seen.length, seen.at_end) == board.piece(met), board
        met[f"{len(board.intervals)} intervals"] += 1
        for hole in range(len(board.intervals)):
            met[f"hole {hole} {'lost' if board.lost(hole) else 'not lost'}"] += 1
    dut._log.info("%s", dict(met))
    wanted = [f"fast, lost {hole}" for hole in range(INTERVALS)]
    wanted += [f"hole {hole} lost" for hole in range(INTERVALS)] + [f"hole {hole} not lost" for hole in (2, 3)]
    assert all(met[each] for each in wanted), met


@pytest.mark.parametrize("congestion", main_and_kept(__file__, [1, 0]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_sack_piece(test, congestion):
    sources = [path for path in rtl("toe") if path.stem in ("toe_pkg", "toe_tcp_pkg", "toe_sack_piece")]
    Bench("toe_sack_piece", sources, {"TX_CONGESTION_CONTROL_EN": congestion}).run("test_toe_sack_piece", test)
