# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The transmit side with its retransmit memory outside (toe_memory.sv): its other tests with several latencies,
what that costs, and bytes that have only just been written."""

import cocotb
import pytest

from toe_tx_play import DATA, MSS, SESSIONS, Bed, Packet, toe_tx_bench
from ullnic_tb import Bench, long_run, main_and_kept, parameter, seeded

LATENCY, WRITE_LATENCY = parameter("MEM_LATENCY", 6), parameter("MEM_WRITE_LATENCY", 4)
HOLD = max(0, LATENCY - 6)  # cycles that a frame from the queue begins later


@cocotb.test()
async def cost(dut):
    """Cut-through and the other first transmissions cost nothing; a frame from the queue LATENCY - 6 cycles or 0."""
    bed = await Bed(dut).reset()
    for size in (1, 8, 64, 96, 97, 500, MSS):
        for given in (-1, None):
            bed.begun.clear()
            bed.user.append(Packet(1, bed.rng.randbytes(size), -1 if given == -1 or size > 96 else None, given))
            want = bed.data_frame(1, bed.user[-1].payload)
            [frame] = await bed.drain()
            assert frame.octets == want
            beats = -(-size // 8)
            assert frame.valid - bed.begun[0] == (1 if given == -1 else max(1, beats - 11) if size > 96 else beats), (
                size
            )
    for size in (400, 900):
        for part in (size, size // 4):  # the second one is in the memory before the first has left
            bed.user.append(Packet(2, bed.rng.randbytes(part)))
        wants = [bed.data_frame(2, packet.payload) for packet in bed.user]
        first, second = await bed.drain()
        assert [first.octets, second.octets] == wants
        assert second.valid - first.end == 2 + HOLD, (size, second.valid - first.end)


@cocotb.test()
async def just_sent(dut):
    """What has left in this cycle is asked for again, at places of the ring that were written before: no old byte."""
    bed = await Bed(dut, dense=True).reset()
    for i in range(60):
        sid = i % 2
        session, payload = bed.sessions[sid], bed.rng.randbytes(bed.rng.choice((1, 3, 8, 100, 1000)))
        seq = session.seq
        bed.user.append(Packet(sid, payload))
        want = bed.data_frame(sid, payload)
        while not bed.mac.frames:
            await bed.step()
        bed.ask(sid, seq, DATA, length=len(payload))
        again = session.frame(seq, bed.ack_of(sid), bed.room, DATA, payload)
        assert [frame.octets for frame in await bed.drain(quiet=len(payload) // 4 + 60)] == [want, again]


@cocotb.test()
async def just_queued(dut):
    """Small packets of all sessions as fast as they can be given, the line busy: none with an old byte."""
    bed = await Bed(dut, dense=True).reset()
    wants = []
    for _ in range(300):
        sid, payload = bed.rng.randrange(SESSIONS), bed.rng.randbytes(bed.rng.choice((1, 2, 9, 20, 40, MSS)))
        bed.user.append(Packet(sid, payload, gap=bed.rng.choice((0, 0, 0, 60))))
        wants.append(bed.data_frame(sid, payload))
        if bed.rng.random() < 0.2:
            await bed.note(bed.rng.randrange(SESSIONS), now=1)
        if len(bed.user) > 6:
            await bed.cycles(bed.rng.randrange(200))
    frames = [frame for frame in await bed.drain() if len(frame.octets) > 58 or frame.octets in wants]
    assert [frame.octets for frame in frames] == wants and not bed.events


@cocotb.test()
async def fast_user(dut):
    """Long packets without a pause, the MAC takes nothing for a while: what it has still to read is kept."""
    bed = await Bed(dut).reset()
    wants = []
    for _ in range(12):
        payload = bed.rng.randbytes(bed.rng.choice((MSS, MSS - 1, 700)))
        bed.user.append(Packet(3, payload))
        wants.append(bed.data_frame(3, payload))
    await bed.cycles(20)
    for _ in range(6):
        bed.mac.gap = 3000  # words: a PAUSE frame
        await bed.cycles(3200)
    assert [frame.octets for frame in await bed.drain()] == wants


ALL = {
    "test_toe_tx": ("cut_through", "store_and_forward", "full_line", "full_line_cut_through", "wraps"),
    "test_toe_tx_long": ("cut_at_the_mss", "very_long", "full_line", "closed_within", "not_as_said", "small_window"),
    "test_toe_tx_mistakes": ("too_short", "pause", "overtaken", "just_too_late", "wrong_sum", "limit", "everything"),
    "test_toe_tx_races": ("overwritten", "overwritten_before", "not_overwritten", "fin_waits"),
    "test_toe_tx_requests": ("again", "settled", "note_and_frame", "raw_and_order"),
}
LINE = ("full_line", "full_line_cut_through")  # without a cycle to spare
CASES = [(module, test, 64, 6, 4) for module, tests in ALL.items() for test in tests]
SOME = ("wraps", "cut_at_the_mss", "just_too_late", "everything", "overwritten", "again")
CASES += [(module, test, 64, 16, 24) for module, tests in ALL.items() for test in tests if test in SOME]
CASES += [(module, test, 32, 48, 64) for module, tests in ALL.items() for test in tests if test in SOME]
CASES += [(module, test, 128, 1, 1) for module, tests in ALL.items() for test in tests if test in (*SOME, *LINE)]
OWN = ("just_sent", "just_queued", "fast_user")
CASES += [(__name__, test, *memory) for test in OWN for memory in ((64, 6, 4), (32, 16, 24), (128, 48, 64))]
CASES += [(__name__, "cost", 64, *memory) for memory in ((2, 4), (6, 1), (7, 4), (16, 24))]
MAIN = [(test, 64, 6, 4) for test in ("just_sent", "fast_user")]
DEEP_CASES = [(module, test, 64, 16, 24) for module, tests in ALL.items() for test in tests]
DEEP_CASES = [case for case in DEEP_CASES if case not in CASES and case[1] not in LINE]


def bench(module: str, test: str, width: int, latency: int, write: int) -> Bench:
    size = 2048 if module == __name__ and test == "just_sent" else 4096 if module == "test_toe_tx_races" else 16384
    memory = {"MEM_LATENCY": latency, "MEM_WRITE_LATENCY": write}
    return toe_tx_bench(USER2TCP_DATA_WIDTH=width, RING_BYTES=size, **memory)


@pytest.mark.parametrize(
    ("module", "test", "width", "latency", "write"),
    main_and_kept(__file__, CASES, lambda _, *case: case in MAIN),
)
def test_toe_tx_outside(module, test, width, latency, write):
    bench(module, test, width, latency, write).run(module, test)


@long_run(__file__)
@pytest.mark.parametrize(("module", "test", "width", "latency", "write"), DEEP_CASES)
def test_toe_tx_outside_slow(module, test, width, latency, write):
    """A memory as slow as this one, beside the tests that it is ordinarily run with."""
    bench(module, test, width, latency, write).run(module, test, long_seed=1)


def test_toe_tx_outside_drawn():
    """One of those, drawn by the run's seed, which it has, too."""
    module, test, *memory = seeded("test_toe_tx_outside_drawn").choice(DEEP_CASES)
    bench(module, test, *memory).run(module, test)
