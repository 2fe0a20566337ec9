# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""card_dma: packets both ways whole and in order, what is dropped, held ports, flush, latencies and rates."""

from pathlib import Path

import cocotb
import pytest

from card_dma_bed import (
    ANSWER_CYCLES,
    BEAT,
    C2H_DEPTH,
    DROP,
    H2C_DEPTH,
    HEADER,
    HOLD,
    INVALID,
    PORTS,
    STUCK_CYCLES,
    TO_CARD,
    TOO_LONG,
    YES,
    C2h,
    H2c,
    card_packet,
    fresh,
)
from ullnic.sources import listed_files
from ullnic_tb import Bench, cocotb_tests, long_run, main_and_kept, rounds

ROOT = Path(__file__).resolve().parents[3]
LONGEST = 9618  # bytes
MOST = min(LONGEST, BEAT * H2C_DEPTH)  # of an H2C packet


def slow(bed, least: float = 0.2) -> None:
    """Back pressure everywhere, of a rate of its own each."""
    rate = lambda: bed.rng.choice((1.0, bed.rng.uniform(least, 1)))  # noqa: E731
    bed.rates |= {name: rate() for name in ("h2c", "ask_ready", "beat_ready")} | {"noise": 0.1}
    bed.rates |= {name: [rate() for _ in range(PORTS)] for name in ("card", "card_ready")}


def each_port(bed, lengths) -> list[C2h]:
    """A packet of the card a length and port, of frames of these lengths."""
    return [C2h(port, card_packet(bed.rng, n)) for n in lengths for port in range(PORTS)]


@cocotb.test()
async def lengths(dut):
    """All short lengths and some long ones, both ways at once, at full rate and with back pressure."""
    bed = await fresh(dut)
    count = 0
    for is_slow in (0, 1):
        step = 1
        if is_slow:
            slow(bed)
            step = rounds(1, 3)
        long = [MOST, MOST - 1, MOST - 7, MOST - 8, MOST - 63, MOST - 64, bed.rng.randrange(200, MOST)]
        first = bed.rng.randrange(step)
        lengths_ = [*range(1 + first, 201, step), *long]
        frames = [*range(first, 201, step), LONGEST, LONGEST - 1, bed.rng.randrange(200, LONGEST)]
        count += len(frames) * PORTS
        bed.send(*(H2c(port, bed.rng.randbytes(n)) for n in lengths_ for port in range(PORTS)))
        bed.give(*each_port(bed, frames))
        await bed.run(400_000)
        await bed.quiet()
    assert len(bed.done) == count


@cocotb.test()
async def back_pressure(dut):
    """Random packets, rates, answers and events; noise on what is not valid."""
    bed = await fresh(dut)

    def answer(packet):
        event = bed.rng.randrange(1, 40)
        dropped = bed.rng.choice((DROP, TOO_LONG)), None
        return bed.rng.choice([(YES, None)] * 4 + [(HOLD, event), (INVALID, event), dropped])

    bed.answer = answer
    bed.delay = lambda: bed.rng.choice((1, 2, ANSWER_CYCLES, bed.rng.randrange(1, 40)))
    for _ in range(rounds(10, 3)):
        slow(bed, 0.05)
        for _ in range(60):
            size = bed.rng.choice((100, 300, 1518, MOST))
            data = bed.rng.randbytes(bed.rng.randrange(1, min(size, MOST) + 1))
            fails = bed.rng.choice((None,) * 5 + (bed.rng.randrange(len(data) // BEAT + 1),))
            qid = bed.rng.choice((*range(PORTS), *range(PORTS), 9))
            bed.send(H2c(qid, data, fails, bed.rng.random() < 0.5))
            frame = bed.rng.randrange(bed.rng.choice((100, 300, 1518)))
            bed.give(C2h(bed.rng.randrange(PORTS), card_packet(bed.rng, frame)))
        await bed.run(400_000)
        await bed.quiet()


@cocotb.test()
async def dropped_h2c(dut):
    """Packets with an error, too long, without bytes, for no port: dropped whole and counted; others come."""
    bed = await fresh(dut)
    full = BEAT * H2C_DEPTH
    for is_slow in (0, 1):
        if is_slow:
            slow(bed, 0.5)
        for port in range(PORTS):
            for data, fails, qid, *more in (
                *((bed.rng.randbytes(300), i, port, goes_on) for i in range(5) for goes_on in (False, True)),
                *(
                    (bed.rng.randbytes(n), None, port)
                    for n in (full, full + 1, full + 64, full + 65, 3 * full, full - 1)
                ),
                (bed.rng.randbytes(2 * full), 2 * H2C_DEPTH - 1, port),
                *((b"", None, qid) for qid in (port, PORTS)),
                *((bed.rng.randbytes(100), None, qid) for qid in (PORTS, 8 + port, 1024 + port, 2047)),
            ):
                bed.send(*(H2c(port, bed.rng.randbytes(bed.rng.randrange(1, 200))) for _ in range(2)))
                bed.send(H2c(qid, data, fails, *more))
        await bed.run(200_000)
        await bed.quiet()
    counted = {"h2c_error": 11, "h2c_too_long": 4, "h2c_no_port": 5, "h2c_empty": 1}
    assert {name: bed.stats[name] for name in counted} == {name: 2 * PORTS * n for name, n in counted.items()}


@cocotb.test()
async def waits_for_room(dut):
    """A card that does not read: its port's packets wait, none is lost; the other ports' before them arrive."""
    bed = await fresh(dut)
    for port in range(PORTS):
        bed.rates["card_ready"] = [float(i != port) for i in range(PORTS)]
        done = [len(packets) for packets in bed.h2c_done]
        bed.send(*(H2c((port + 1 + i) % PORTS, bed.rng.randbytes(150)) for i in range(PORTS)))
        bed.send(*(H2c(port, bed.rng.randbytes(BEAT * H2C_DEPTH // 4)) for _ in range(8)))
        bed.send(*(H2c(port, bed.rng.randbytes(8)) for _ in range(H2C_DEPTH)))
        for _ in range(2 * H2C_DEPTH * 8):
            await bed.step()
        assert bed.h2c.is_shown
        assert [len(p) - n for p, n in zip(bed.h2c_done, done, strict=True)] == [int(i != port) for i in range(PORTS)]
        bed.rates["card_ready"] = [1.0] * PORTS
        await bed.run(20_000)
        await bed.quiet()


@cocotb.test()
async def events(dut):
    """An event at each time relative to the answer that holds a packet: from the cycle after the ask on it counts."""
    bed = await fresh(dut)
    for ready in (1.0, 0.5):
        bed.rates["ask_ready"] = ready
        for event in range(1, 2 * ANSWER_CYCLES + 1):
            for port in range(PORTS):
                left = [(HOLD, event)] * 2
                bed.answer = lambda _, left=left: left.pop() if left else (YES, None)
                packet = C2h(port, card_packet(bed.rng, 100))
                bed.give(packet)
                await bed.run(500)
                assert packet.answers == [HOLD, HOLD, YES]
                if ready == 1.0:
                    # An ask 2 cycles after the later one of answer and event
                    assert (
                        packet.granted_at - packet.first_at == 2 + 2 * (max(event, ANSWER_CYCLES) + 2) + ANSWER_CYCLES
                    )
    await bed.quiet()


@cocotb.test()
async def no_event(dut):
    """A held packet is not asked for again without an event: of another queue, or before the ask, it does not count."""
    bed = await fresh(dut)
    bed.rates["noise"] = 0.2
    bed.answer = lambda packet: (HOLD, None) if packet.port == 0 else (YES, None)
    bed.events[bed.cycle + 1] = [0]
    bed.give(*(C2h(port, card_packet(bed.rng, 60)) for port in range(PORTS) for _ in range(20)))
    for _ in range(3000):
        await bed.step()
    assert len(bed.done) == 20 * (PORTS - 1) and bed.held[0].answers == [HOLD]
    bed.answer = lambda _: (YES, None)
    bed.events[bed.cycle] = [0]
    await bed.run(2000)
    await bed.quiet()


@cocotb.test()
async def dropped_c2h(dut):
    """Each answer that drops: the packet is discarded up to its end, whenever it ends, the others come."""
    bed = await fresh(dut)
    bed.answer = lambda packet: (bed.rng.choice((YES, YES, DROP, INVALID, TOO_LONG)), bed.rng.randrange(1, 400))
    for rate in (1.0, 0.3):
        bed.rates |= {"card": [rate] * PORTS, "beat_ready": rate}
        bed.give(*each_port(bed, [*range(0, 300, 3), 1500, LONGEST]))
        await bed.run(200_000)
        await bed.quiet()
    assert bed.gone and bed.done and len(bed.gone) + len(bed.done) == 2 * 102 * PORTS


@cocotb.test()
async def closed_queue(dut):
    """The packets of a closed queue are dropped whole without an ask, from C2H_INVALID to an event at any time: before
    a packet, in its midst, with its last word, before or after the answer. The other ports go on."""
    bed = await fresh(dut)
    is_open = [True] * PORTS
    bed.answer = lambda packet: (YES if is_open[packet.port] else INVALID, None)
    for rate in (1.0, 0.4):
        bed.rates["card"] = [rate] * PORTS
        step = 1 if rate == 1.0 else rounds(1, 3)
        for at in range(bed.rng.randrange(step), 70, step):
            port = at % PORTS
            is_open[port] = False
            done, gone, unasked = len(bed.done), len(bed.gone), bed.unasked_gone
            bed.give(*each_port(bed, [100, 0, 200, 30]))
            for _ in range(at):
                await bed.step()
            is_open[port] = True
            bed.events.setdefault(bed.cycle, []).append(port)
            bed.give(C2h(port, card_packet(bed.rng, 80)))
            await bed.run(2000)
            assert len(bed.done) - done + len(bed.gone) - gone == 4 * PORTS + 1
            assert all(packet.port == port for packet in bed.gone[gone:])
            assert bed.unasked_gone - unasked <= max(len(bed.gone) - gone - 1, 0)
        await bed.quiet()
    # For good: one ask, whatever comes.
    is_open[0] = False
    answers = len(bed.gone) - bed.unasked_gone
    bed.give(*(C2h(0, card_packet(bed.rng, bed.rng.randrange(300))) for _ in range(100)))
    await bed.run(20_000)
    assert len(bed.gone) - bed.unasked_gone == answers + 1
    await bed.quiet()


@cocotb.test()
async def mismatched(dut):
    """Packets of another length than their header says, or shorter than a header: sent as they are; others come."""
    bed = await fresh(dut)
    bed.answer = lambda packet: (bed.rng.choice((YES, YES, DROP)), None)
    for _ in range(2):
        for port in range(PORTS):
            for n in range(1, 25):
                bed.give(C2h(port, bed.rng.randbytes(n)))
                said = bed.rng.choice((0, 1, 65519, 65520, 65535, bed.rng.randrange(65536)))
                bed.give(C2h(port, card_packet(bed.rng, bed.rng.randrange(300), said)))
                bed.give(C2h(port, card_packet(bed.rng, n)))
            bed.give(*(C2h(port, bed.rng.randbytes(bed.rng.randrange(1, 9))) for _ in range(3 * C2H_DEPTH)))
        await bed.run(200_000)
        await bed.quiet()
        slow(bed)


@cocotb.test()
async def no_beat_is_accepted(dut):
    """A DMA that accepts no beat, and grants: asks stop while there is no place for a grant, and nothing is lost."""
    bed = await fresh(dut)
    for rate in (1.0, 0.5):
        bed.rates |= {"beat_ready": 0.0, "ask_ready": rate}
        bed.give(*each_port(bed, [bed.rng.randrange(49) for _ in range(2 * C2H_DEPTH)]))
        for _ in range(2 * C2H_DEPTH * 20):
            await bed.step()
        if rate == 1.0:
            # A packet is in the output, the others in the stores.
            assert len(bed.sending) >= min(64 - PORTS - 2, PORTS * (C2H_DEPTH - 4))
        bed.rates["beat_ready"] = 1.0
        await bed.run(20_000)
        await bed.quiet()


@cocotb.test()
async def flush(dut):
    """At any time, both ways, with qdma's reset some cycles later: then everything comes whole again."""
    bed = await fresh(dut)
    bed.delay = lambda: bed.rng.randrange(1, 30)
    bed.answer = lambda packet: bed.rng.choice([(YES, None)] * 3 + [(HOLD, 20), (HOLD, 3), (DROP, None)])
    for i in range(rounds(120, 28)):
        slow(bed, 0.1)
        if i % 3 == 0:
            bed.rates["card_ready"] = [bed.rng.choice((0.0, 0.02, 1.0)) for _ in range(PORTS)]
        for _ in range(30):
            n = bed.rng.randrange(1, bed.rng.choice((20, 200) * 8 + (MOST + 100, 2 * BEAT * H2C_DEPTH)))
            fails = bed.rng.choice((None, None, None, 0))
            bed.send(H2c(bed.rng.randrange(PORTS + 1), bed.rng.randbytes(n), fails, goes_on=True))
            frame = bed.rng.randrange(bed.rng.choice((20, 200, 2000)))
            bed.give(C2h(bed.rng.randrange(PORTS), card_packet(bed.rng, frame)))
        for _ in range(bed.rng.randrange(1, 300)):
            await bed.step()
        await bed.flushes(bed.rng.randrange(8, 60), bed.rng.randrange(6))
        if i % 4 == 3:
            bed.rates["card_ready"] = [1.0] * PORTS
            await bed.run(100_000)
            await bed.quiet()
    bed.rates["card_ready"] = [1.0] * PORTS
    await bed.run(100_000)
    await bed.quiet()
    assert bed.flushed > rounds(100, 23)


@cocotb.test()
async def flush_keeps_what_was_shown(dut):
    """A flush at each cycle of a packet's way to a card: it ends if its first word was shown, else it is gone."""
    bed = await fresh(dut)
    fates, step = set(), rounds(1, 3)
    for at in range(bed.rng.randrange(step), 60, step):
        for ready in (0.0, 1.0):
            bed.rates["card_ready"] = [ready] * PORTS
            bed.send(*(H2c(port, bed.rng.randbytes(150)) for port in range(PORTS) for _ in range(2)))
            for _ in range(at):
                await bed.step()
            done = len(bed.h2c_done[0])
            await bed.flushes(30, 0)
            bed.rates["card_ready"] = [1.0] * PORTS
            bed.send(*(H2c(port, bed.rng.randbytes(BEAT * H2C_DEPTH)) for port in range(PORTS)))
            await bed.run(10_000 * PORTS)
            fates.add(len(bed.h2c_done[0]) - done)
    assert fates >= {1, 2}
    await bed.quiet()


@cocotb.test()
async def reset(dut):
    """A reset at any time: nothing of before comes after it."""
    bed = await fresh(dut)
    for _ in range(rounds(40, 12)):
        bed.send(*(H2c(bed.rng.randrange(PORTS), bed.rng.randbytes(200)) for _ in range(20)))
        bed.give(*each_port(bed, [10, 200, 50]))
        for _ in range(bed.rng.randrange(1, 100)):
            await bed.step()
        bed = await fresh(dut)
    out = await bed.step()
    assert not (out.m_h2c_tvalid or out.c2h_ask_valid or out.m_axis_c2h_tvalid)


@cocotb.test()
async def from_registers(dut):
    """What goes to the card follows no input, at any time within a cycle."""
    bed = await fresh(dut)
    bed.is_mixed = True
    bed.answer = lambda packet: bed.rng.choice([(YES, None)] * 3 + [(HOLD, 20), (DROP, None)])
    for i in range(rounds(12, 6)):
        slow(bed)
        for _ in range(30):
            data = bed.rng.randbytes(bed.rng.randrange(1, min(MOST, 1000) + 50))
            bed.send(H2c(bed.rng.randrange(PORTS + 1), data, bed.rng.choice((None, None, None, 1))))
            bed.give(C2h(bed.rng.randrange(PORTS), card_packet(bed.rng, bed.rng.randrange(500))))
        for _ in range(500):
            await bed.step()
        if i % 3 == 2:
            await bed.flushes(20, 2)
    assert bed.done and all(bed.h2c_done)
    # Nor do the edges that are none move them.
    before = (await bed.s.look())._asdict()
    bed.s.set(m_h2c_tready=(1 << PORTS) - 1, s_c2h_tvalid=(1 << PORTS) - 1, flush=1, rst=1)
    after = (await bed.s.look())._asdict()
    assert all(before[name] == after[name] for name in TO_CARD)


# ---------------------------------------------------------------- latencies and rates


@cocotb.test()
async def latency(dut):
    """Those that the header and the README say, on an idle bridge."""
    bed = await fresh(dut)
    for n in (1, 8, 9, 64, 65, 300, 512):
        for port in range(PORTS):
            bed.send(H2c(port, bed.rng.randbytes(n)))
            await bed.run(200)
            sent, _ = bed.h2c_done[port][-1]
            words = -(-n // 8)
            assert bed.word_cycles[port][-words:] == list(range(sent + 3, sent + 3 + words))
            packet = C2h(port, card_packet(bed.rng, n))
            bed.give(packet)
            await bed.run(300)
            assert packet.asked_at - packet.first_at == 2
            first_beat = min(7, -(-(n + HEADER) // 8) - 1)
            assert packet.beat_at == max(packet.granted_at + 2, packet.first_at + first_beat + 3)
            assert packet.done_at == max(packet.last_at + 3, packet.beat_at + -(-(n + HEADER) // BEAT) - 1)


@cocotb.test()
async def h2c_rate(dut):
    """A word in each cycle for each port, from packet to packet."""
    bed = await fresh(dut)
    for size in (8, 76, 512, MOST):
        count = max(3 * 4000 // size, 6)
        for _ in range(count):
            bed.send(*(H2c(port, bed.rng.randbytes(size)) for port in range(PORTS)))
        starts = [len(cycles) for cycles in bed.word_cycles]
        await bed.run(100_000)
        for port in range(PORTS):
            cycles = bed.word_cycles[port][starts[port] :]
            assert len(cycles) == count * -(-size // 8)
            # Packets of a word and those of a beat are limited by what all ports get, a beat a cycle.
            beats = PORTS * -(-size // BEAT)
            spread = max(len(cycles), count * beats) * (1 if H2C_DEPTH > 8 else 1.5)
            dut._log.info(f"h2c {size} bytes, port {port}: {(cycles[-1] - cycles[0] + 1) / count:.2f} cycles a packet")
            assert cycles[-1] - cycles[0] + 1 <= spread + 2 * beats


@cocotb.test()
async def c2h_rate(dut):
    """All sizes on all ports at once, at least as fast as a line of 10 Gb/s brings them."""
    bed = await fresh(dut)
    is_deep = (64 if PORTS <= 2 else 256) <= C2H_DEPTH
    frames = (60, 61, 100, 124, 125, 256, 508, 600, 1514, 4096, LONGEST - 4)
    for frame in frames if is_deep else bed.rng.sample(frames, rounds(len(frames), 4)):
        count = max(40, 8000 // frame) if frame < 2000 else 12
        packets = each_port(bed, [frame] * count)
        bed.give(*packets)
        await bed.run(400_000)
        last = sorted(packet.done_at for packet in packets if packet.port == 0)
        half = count // 2
        cycles = (last[-1] - last[half]) / (count - 1 - half)
        line = (frame + 4 + 20) * 8 / 10 / 4  # cycles of 4 ns: FCS, preamble, gap
        dut._log.info(f"c2h frame of {frame} bytes, {PORTS} ports: {cycles:.2f} cycles a packet, the line's {line:.1f}")
        if is_deep:
            assert cycles <= line, frame


@cocotb.test()
async def held_port(dut):
    """A port that is held for good: the others keep their rate."""
    bed = await fresh(dut)
    bed.answer = lambda packet: (HOLD, None) if packet.port == 0 else (YES, None)
    count = 300
    bed.give(*each_port(bed, [60] * count))
    start = bed.cycle
    await bed.run(count * 17, lambda: bed.held[0] and len(bed.done) == count * (PORTS - 1))
    dut._log.info(f"with a held port: {(bed.cycle - start) / count:.2f} cycles a packet")
    assert bed.held[0] and not any(packet.port == 0 for packet in bed.done)
    # A flush frees it.
    bed.answer = lambda packet: (YES, None)
    await bed.flushes(100, 0)
    await bed.run(20_000)


@cocotb.test()
async def stuck_port(dut):
    """A card that takes no word of a port: others wait for a time, then what has no room is dropped, and they go on."""
    bed = await fresh(dut)
    for port in range(PORTS):
        others = [other for other in range(PORTS) if other != port]
        # One is shown, the others fill the store; the last one does not fit, or only in part.
        stored = [H2c(port, bed.rng.randbytes(BEAT)) for _ in range(H2C_DEPTH // 2 + 1)]
        lost = [H2c(port, bed.rng.randbytes(BEAT * n), finds_port_stuck=True) for n in (H2C_DEPTH // 2 + 1, H2C_DEPTH)]
        behind = [H2c(other, bed.rng.randbytes(100)) for other in others]
        bed.rates["card_ready"] = [float(other != port) for other in range(PORTS)]
        done = [len(packets) for packets in bed.h2c_done]
        bed.send(*stored, *lost, *behind)
        for _ in range(STUCK_CYCLES - 20):
            await bed.step()
        assert bed.stats["h2c_stuck"] == 2 * port and bed.h2c.is_shown
        for _ in range(20 + 8 * H2C_DEPTH):
            await bed.step()
        assert [len(p) - n for p, n in zip(bed.h2c_done, done, strict=True)] == [int(i in others) for i in range(PORTS)]
        assert bed.stats["h2c_stuck"] == 2 * (port + 1)
        bed.rates["card_ready"] = [1.0] * PORTS
        await bed.run(20_000)
        # It waits again: less than the time, again and again, drops nothing.
        bed.send(*(H2c(port, bed.rng.randbytes(BEAT * H2C_DEPTH // 2)) for _ in range(6)))
        for _ in range(4):
            bed.rates["card_ready"] = [float(other != port) for other in range(PORTS)]
            for _ in range(STUCK_CYCLES - 2):
                await bed.step()
            bed.rates["card_ready"] = [1.0] * PORTS
            await bed.step()
        await bed.run(20_000)
        await bed.quiet()


# Of the cores: what the bridge is made of
USED = {"ram_sdp", "qdma_context_pkg", "qdma_tlp_pkg", "qdma_c2h_pkg", "qdma_arbiter", "qdma_small_fifo"}
USED |= {path.stem for path in listed_files(ROOT / "cards/common/card_dma.f")}
EIGHT_PORTS = [(test, 8, 256, 256) for test in ("back_pressure", "flush", "h2c_rate", "c2h_rate", "held_port")]
CASES = [
    (test, *depths)
    for depths in ((2, 256, 64), (4, 8, 8), (1, 16, 16))
    for test in cocotb_tests(__name__)
    if test != "stuck_port" or depths[1] < 256
]
CASES += EIGHT_PORTS
WITH_ROUNDS = ("lengths", "back_pressure", "closed_queue", "flush", "flush_keeps_what_was_shown", "reset")
WITH_ROUNDS += ("from_registers", "c2h_rate")


def sources() -> list[Path]:
    lists = ("cores/common/common.f", "cores/qdma/qdma.f", "cards/common/card_dma.f")
    return [path for name in lists for path in listed_files(ROOT / name) if path.stem in USED]


def bench(ports: int, h2c_depth: int, c2h_depth: int) -> Bench:
    parameters = {"PORTS": ports, "H2C_DEPTH": h2c_depth, "C2H_DEPTH": c2h_depth}
    if h2c_depth < 256:
        parameters["STUCK_CYCLES"] = 600  # more than any test waits for room
    return Bench("card_dma", sources(), parameters)


@pytest.mark.parametrize(
    "test, ports, h2c_depth, c2h_depth", main_and_kept(__file__, CASES, lambda _, ports, *__: ports == 2)
)
def test_card_dma(test, ports, h2c_depth, c2h_depth):
    bench(ports, h2c_depth, c2h_depth).run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("test, ports, h2c_depth, c2h_depth", [case for case in CASES if case[0] in WITH_ROUNDS])
def test_card_dma_long(test, ports, h2c_depth, c2h_depth):
    bench(ports, h2c_depth, c2h_depth).run(__name__, test, long_seed=1)
