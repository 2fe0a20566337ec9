# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""card_dma with qdma itself: a driver's rings on one side, the host ports of a card on the other."""

from collections import deque
from pathlib import Path
from types import SimpleNamespace

import cocotb
import pytest

from card_dma_bed import DROP, HOLD, INVALID, WORD, YES, card_packet, cut
from qdma_bed import sources
from qdma_boundary import Channels
from qdma_completion_model import EVERY
from qdma_contract import CLEAR, INVALIDATE
from qdma_source import SOURCE_OUTPUTS, Packet
from qdma_top_bed import BUFFER, MPS, OUTPUTS, TOPS
from qdma_top_bed import Bed as DmaBed
from qdma_top_c2h import SIZE_64, SIZE_256, SIZE_2048
from qdma_top_driver import RING_OF_2049, Driver
from qdma_write_bed import running_test
from ullnic.sources import listed_files
from ullnic_tb import Bench, Stepper, cocotb_tests, kept, long_run, rounds, seeded

ROOT = Path(__file__).resolve().parents[3]
PORTS = 2
RING_9, RING_33, RING_65 = 0, 1, 2
LATENCY = 175  # cycles of a read of the host: 700 ns
CARD = ("m_h2c_tdata", "m_h2c_tkeep", "m_h2c_tvalid", "m_h2c_tlast", "s_c2h_tready", "m_axis_h2c_tready")
CARD += ("c2h_ask_valid", "c2h_ask_qid", "stat_c2h_dropped", "stat_c2h_invalid", "unasked")


class Card:
    """The card's host ports, as the source of C2H packets of qdma's bed."""

    def __init__(self, rng):
        self.rng = rng
        self.words = [deque() for _ in range(PORTS)]
        self.waiting = [deque() for _ in range(PORTS)]  # without a final answer
        self.leaving: deque[Packet] = deque()
        self.held: dict[int, int] = {}
        self.got = [bytearray() for _ in range(PORTS)]
        self.packets = [[] for _ in range(PORTS)]  # that the card got
        self.answers = {qid: [] for qid in range(PORTS)}
        self.asked_at: deque[int] = deque()
        self.answer_cycles: set[int] = set()
        self.answered_at = [[] for _ in range(PORTS)]
        self.granted = self.done = self.dropped = lambda *_: None
        self.unasked = [0] * PORTS  # packets of closed queues
        self.rate = 1.0
        self.slow: dict[int, float] = {}  # rates of ports towards the card that are not that
        self.waited = 0  # cycles in which the bridge did not accept a beat
        self.shown = [False] * PORTS

    def packet(self, port: int, data: bytes) -> Packet:
        packet = Packet(port, data, len(data))
        words = cut(data, WORD)
        self.words[port].extend((word, i == len(words) - 1, i == 0, packet) for i, word in enumerate(words))
        self.waiting[port].append(packet)
        return packet

    def is_busy(self) -> bool:
        moves = any(words for port, words in enumerate(self.words) if port not in self.held)
        return bool(self.leaving or moves or any(self.got))

    def inputs(self) -> dict[str, int]:
        inputs = dict.fromkeys(("s_c2h_tdata", "s_c2h_tkeep", "s_c2h_tvalid", "s_c2h_tlast"), 0)
        for port, words in enumerate(self.words):
            self.shown[port] = bool(words) and (self.shown[port] or self.rng.random() < self.rate)
            if self.shown[port]:
                word, last, _, _ = words[0]
                inputs["s_c2h_tdata"] |= int.from_bytes(word, "little") << 64 * port
                inputs["s_c2h_tkeep"] |= ((1 << len(word)) - 1) << 8 * port
                inputs["s_c2h_tvalid"] |= 1 << port
                inputs["s_c2h_tlast"] |= last << port
        rates = [self.slow.get(port, self.rate) for port in range(PORTS)]
        self.ready = sum((self.rng.random() < rate) << port for port, rate in enumerate(rates))
        return inputs | {"m_h2c_tready": self.ready}

    def flushed(self) -> None:
        """qdma is in reset: packets that have begun are gone."""
        for port, waiting in enumerate(self.waiting):
            self.waiting[port] = deque(packet for packet in waiting if packet.first_at is None)
        self.leaving.clear()
        self.held.clear()
        self.asked_at.clear()

    def seen(self, cycle: int, out, is_flushed: bool) -> None:
        self.see_words(cycle, out)
        if is_flushed:
            self.flushed()
        else:
            self.see_dma(cycle, out)

    def see_words(self, cycle: int, out) -> None:
        for port in range(PORTS):
            if self.shown[port] and out.s_c2h_tready >> port & 1:
                _, _, is_first, packet = self.words[port].popleft()
                if is_first:
                    packet.first_at = cycle
                self.shown[port] = False
            if out.m_h2c_tvalid & self.ready & 1 << port:
                keep = out.m_h2c_tkeep >> 8 * port & 0xFF
                word = (out.m_h2c_tdata >> 64 * port & (1 << 64) - 1).to_bytes(8, "little")
                self.got[port] += word[: keep.bit_length()]
                if out.m_h2c_tlast >> port & 1:
                    self.packets[port].append(bytes(self.got[port]))
                    self.got[port].clear()

    def see_dma(self, cycle: int, out) -> None:
        self.waited += out.m_axis_h2c_tvalid and not out.m_axis_h2c_tready
        if out.c2h_ask_valid and out.c2h_ask_ready:
            self.held.pop(out.c2h_ask_qid, None)
            self.asked_at.append(cycle)
        for port in range(PORTS):
            if out.unasked >> port & 1:
                self.unasked[port] += 1
                self._settle(port, INVALID)
        if out.c2h_answer_valid:
            self._answer(cycle, out.c2h_answer_qid, out.c2h_answer)
        if out.c2h_done_valid:
            packet = self.leaving.popleft()
            assert (out.c2h_done_qid, out.c2h_done_mismatched) == (packet.qid, 0)
            self.done(packet, bool(out.c2h_done_stopped))

    def _answer(self, cycle: int, port: int, answer: int) -> None:
        self.answer_cycles.add(cycle - self.asked_at.popleft())
        self.answered_at[port].append(cycle)
        self._settle(port, answer)

    def _settle(self, port: int, answer: int) -> None:
        self.answers[port].append(answer)
        if answer == HOLD:
            self.held[port] = 1
            return
        packet = self.waiting[port].popleft()
        if answer == YES:
            self.granted(packet)
            self.leaving.append(packet)
        else:
            self.dropped(packet)


class Bed(DmaBed):
    """That of qdma, whose user is the bridge."""

    has_user_irq = False

    def __init__(self, dut, rng, card: Card | None = None, **host):
        super().__init__(SimpleNamespace(_name=TOPS[0]), rng, **host)
        self.s = Stepper(dut, (*OUTPUTS, *SOURCE_OUTPUTS, *Channels.OUTPUTS, *CARD))
        self.source = card or Card(rng)
        self.dma_rst = int(card is not None)

    async def start(self, credits: int = 1023) -> "Bed":
        """A reset of both; or, for a card that goes on, of qdma alone."""
        idle = self.boundary.settings(MPS, self.host.mrrs, credits) | self.boundary.IDLE
        if self.dma_rst:
            self.s.set(**idle)
            for _ in range(4):
                await self.step()
            self.dma_rst = 0
        else:
            await self.s.reset(**self.source.inputs(), **idle, dma_rst=0)
        while (await self.step()).clearing:
            pass
        return self

    async def step(self):
        cycle = self.s.cycle
        inputs = self.boundary.inputs(cycle) | self.source.inputs() | {"dma_rst": self.dma_rst}
        out = await self.s.step(**inputs)
        if not self.dma_rst:
            self.is_busy = self.boundary.seen(cycle, out) or out.m_axis_h2c_tvalid or out.m_h2c_tvalid
            if out.m_axis_h2c_tvalid and out.m_axis_h2c_tready:
                self.packet(cycle, out)
        self.source.seen(cycle, out, bool(self.dma_rst or out.clearing))
        return out


class Host:
    """A driver with a queue pair for each port."""

    def __init__(self, driver: Driver, ring_ix: int, buffer_ix: int, cmpt_ix: int, h2c_ix: int = RING_33, **more):
        self.driver, self.bed, self.card = driver, driver.bed, driver.bed.source
        self.sent = [[] for _ in range(PORTS)]
        driver.received = lambda queue, data: self.sent[queue.qid].append(data)
        self.h2c = [driver.add_h2c(port, h2c_ix) for port in range(PORTS)]
        self.rings, self.c2h = [], []
        self.options = ring_ix, buffer_ix, cmpt_ix, more
        self.card.dropped = lambda packet: self.took(packet.qid)

    def open(self, port: int) -> None:
        ring_ix, buffer_ix, cmpt_ix, more = self.options
        self.rings.append(self.driver.add_cmpt(port, cmpt_ix, 16, mode=EVERY))
        self.driver.formats[port] = 0, 0
        self.c2h.append(self.driver.c2h.add(port, ring_ix, buffer_ix, **more))
        self.driver.c2h.give(self.c2h[-1])

    def took(self, port: int) -> None:
        self.driver.pending[port] = self.driver.pending.get(port, 0) - 1

    def give(self, port: int, frame: int) -> None:
        """A packet of the card."""
        self.driver.pending[port] = self.driver.pending.get(port, 0) + 1
        self.card.packet(port, card_packet(self.bed.rng, frame))

    def traffic(self) -> None:
        """Some packets each way on each port."""
        rng = self.bed.rng
        for port, queue in enumerate(self.h2c):
            for _ in range(8):
                self.give(port, rng.choice((rng.randrange(100), rng.randrange(9602))))
                self.driver.post(queue, [rng.choice((rng.randrange(1, 100), rng.randrange(1, 4096)))])
            self.driver.ring(queue)

    async def drain(self) -> None:
        for _ in range(300):
            for ring in self.rings:
                self.driver.serve(ring)
            await self.bed.settle(60)
            if not any(self.card.waiting) and all(
                r.written == r.posted == self.driver.entries[r.qid] for r in self.rings
            ):
                return
        raise AssertionError("packets do not come")


async def host(dut, *options, card: Card | None = None, **more) -> Host:
    rng = card.rng if card else seeded(running_test())
    bed = await Bed(dut, rng, card, latency=(LATENCY, LATENCY)).start()
    return Host(await Driver(bed).start(), *options, **more)


@cocotb.test()
async def both_ways(dut):
    """Packets of short lengths, and long ones, of both ports, with buffers and entries that run out."""
    pair = await host(dut, RING_9, SIZE_2048, RING_33)
    bed, rng, driver = pair.bed, pair.bed.rng, pair.driver
    count = rounds(129, 14)  # of short lengths
    for port in range(PORTS):
        pair.open(port)
    await bed.settle()
    for rate in (1.0, 0.7):
        bed.source.rate = rate
        short = sorted(rng.sample(range(1, 130), count))
        frames = [0, *short, 1514, 9602, rng.randrange(9602)]
        sizes = [*short, 1514, 4096, rng.randrange(1, 4096)]
        while frames or sizes:
            for port in range(PORTS):
                for frame in frames[:8]:
                    pair.give(port, frame)
                for size in sizes[:8]:
                    driver.post(pair.h2c[port], [size])
                driver.ring(pair.h2c[port])
            del frames[:8], sizes[:8]
            await pair.drain()
    assert bed.source.packets == pair.sent and all(len(packets) == 2 * (count + 3) for packets in pair.sent)
    assert all(HOLD in answers for answers in bed.source.answers.values())
    assert out_of(await bed.step()) == (0, 0)


@cocotb.test()
async def dropped(dut):
    """A queue that is not set up, of which qdma is asked once, and one whose setting is to drop: counted; once it has
    buffers, packets come."""
    pair = await host(dut, RING_33, SIZE_64, RING_65, drop=True)
    bed = pair.bed
    pair.open(0)
    await bed.settle()
    for _ in range(50):
        for port in range(PORTS):
            pair.give(port, 100)
    await bed.until(lambda: not any(bed.source.waiting))
    await bed.settle()
    zero, one = bed.source.answers[0], bed.source.answers[1]
    assert set(zero) == {YES, DROP} and set(one) == {INVALID}
    assert out_of(await bed.step()) == (zero.count(DROP), len(one))
    assert bed.source.unasked == [0, len(one) - 1]
    pair.open(1)
    await bed.settle()
    for _ in range(10):
        for port in range(PORTS):
            pair.give(port, 0)
        await pair.drain()
    assert bed.source.answers[1][-10:] == bed.source.answers[0][-10:] == [YES] * 10


def out_of(out) -> tuple[int, int]:
    return out.stat_c2h_dropped, out.stat_c2h_invalid


@cocotb.test()
async def reset_of_qdma(dut):
    """Under traffic, at any time: what the card was shown ends, what it had begun is gone; all others come."""
    card, old = None, [[] for _ in range(PORTS)]
    for _ in range(rounds(12, 6)):
        begun = [len(packets) for packets in card.packets] if card else [0] * PORTS
        pair = await host(dut, RING_9, SIZE_2048, RING_33, card=card)
        card, rng = pair.card, pair.bed.rng
        for port in range(PORTS):
            pair.open(port)
        await pair.bed.settle()
        pair.traffic()
        await pair.drain()
        for got, wanted, before, count in zip(card.packets, pair.sent, old, begun, strict=True):
            held = len(got) - len(wanted)
            assert held - count in (0, 1) and got[:held] == before[:held] and got[held:] == wanted
            del got[:held]
        card.rate = rng.choice((1.0, 0.5))
        pair.traffic()
        await pair.bed.steps(rng.randrange(1, 3000))
        old = pair.sent


@cocotb.test()
async def rates(dut):
    """Frames of 64 bytes on both ports, faster than two lines of 10 Gb/s bring them; long frames too."""
    pair = await host(dut, RING_OF_2049, SIZE_256, RING_OF_2049)
    bed = pair.bed
    for port in range(PORTS):
        pair.open(port)
    await bed.settle()
    for frame, count in ((60, 300), (1514, 60), (4096, 20)):
        starts = [len(cycles) for cycles in bed.source.answered_at]
        for _ in range(count):
            for port in range(PORTS):
                pair.give(port, frame)
        await pair.drain()
        for port in range(PORTS):
            assert set(bed.source.answers[port]) == {YES}
            cycles = bed.source.answered_at[port][starts[port] :][count // 4 :]
            each = (cycles[-1] - cycles[0]) / (len(cycles) - 1)
            dut._log.info(f"qdma, frame of {frame} bytes, port {port}: {each:.2f} cycles a packet")
            assert each <= (frame + 24) * 8 / 10 / 4
    dut._log.info(f"cycles from ask to answer: {sorted(bed.source.answer_cycles)}")


async def keep_full(pair, ports, size: int, chain: int, cycles: int) -> None:
    """A driver keeps the rings of these ports full, with packets of `chain` descriptors."""
    for cycle in range(cycles):
        if cycle % 8 == 0:
            for port in ports:
                queue = pair.h2c[port]
                if queue.room() >= 8:
                    for _ in range(queue.room() // chain):
                        pair.driver.post(queue, [len(range(i, size, chain)) for i in range(chain)])
                    pair.driver.ring(queue)
        await pair.bed.step()


async def h2c_rate(pair, *traffic, cycles: int) -> list[float]:
    """Packets a cycle that each port gets meanwhile."""
    before = [len(packets) for packets in pair.card.packets]
    await keep_full(pair, *traffic, cycles)
    return [(len(packets) - count) / cycles for packets, count in zip(pair.card.packets, before, strict=True)]


@cocotb.test()
async def paused_port(dut):
    """A port that takes nothing, or little, while software sends to it: its packets wait in the host, none is lost, and
    the other port keeps its rate; nothing waits at the bridge."""
    pair = await host(dut, RING_33, SIZE_2048, RING_65, h2c_ix=RING_65)
    bed, card = pair.bed, pair.card
    cases = ((60, 1), (1514, 1), (4000, 1), (1514, 3), (9000, 5))
    for size, chain in bed.rng.sample(cases, rounds(5, 1)):
        cycles = max(12_000, 4 * size)  # the longest come six at a time, and are some 200
        await keep_full(pair, [0], size, chain, 3000)
        alone = (await h2c_rate(pair, [0], size, chain, cycles=cycles))[0]
        for card.slow in ({1: 0.0}, {1: 0.1}):
            card.waited = 0
            rates = await h2c_rate(pair, [0, 1], size, chain, cycles=cycles)
            of_alone = f"{rates[0] / alone:.3f} of the rate alone, {rates[1]:.5f} a cycle"
            dut._log.info(f"{size} bytes, {chain} descriptors, {card.slow}: {of_alone}")
            assert rates[0] >= 0.95 * alone
            assert not card.waited, "a packet was fetched that has no room"
        card.slow = {}
        await bed.settle(60)
        assert [[*map(len, got)] for got in card.packets] == [[*map(len, sent)] for sent in pair.sent]
        assert card.packets == pair.sent


@cocotb.test()
async def held_packets_and_errors(dut):
    """Packets of a paused port wait in the host. Then one of their buffers, or their ring, cannot be read: what is
    before it comes, the queue stops once, and the other port loses nothing. Disabled and set up again, the port has its
    rate."""
    pair = await host(dut, RING_33, SIZE_2048, RING_65, h2c_ix=RING_65)
    bed, card, driver = pair.bed, pair.card, pair.driver
    rng, stopped = bed.rng, 0
    alone = (await h2c_rate(pair, [1], 1514, 1, cycles=6000))[1]
    for turn in range(rounds(10, 5)):
        size, chain = rng.choice(((60, 1), (1514, 1), (4000, 1), (1514, 3), (9000, 5)))
        card.slow, queue = {1: rng.choice((0.0, 0.1))}, pair.h2c[1]
        await keep_full(pair, [0, 1], size, chain, 3000)
        waiting = [buffer for _, read in queue.reading for buffer, _ in read if buffer not in bed.host.answered]
        bed.host.bad.add(queue.base >> BUFFER if turn % 3 == 0 or not waiting else rng.choice(waiting))
        await keep_full(pair, [0], 60, 1, rng.randrange(500))
        card.slow = {}
        await keep_full(pair, [0], 60, 1, 1000)
        await bed.settle(60)
        stopped += queue.errors > 0
        await driver.disable_h2c(queue, rng.choice((INVALIDATE, CLEAR)))
        assert card.packets == pair.sent and not pair.h2c[0].wanted
        pair.h2c[1] = driver.add_h2c(1, RING_65)
        await bed.settle(60)
    assert stopped > rounds(5, 1)
    assert (await h2c_rate(pair, [1], 1514, 1, cycles=6000))[1] > 0.95 * alone > 0
    await bed.settle(60)
    assert card.packets == pair.sent


def pair_bench() -> Bench:
    bridge = listed_files(ROOT / "cards/common/card_dma.f")
    rtl = [*sources(), *bridge, Path(__file__).with_name("card_dma_qdma.sv")]
    return Bench("card_dma_qdma", rtl, optimized=True)


@kept(__file__)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_card_dma_qdma(test):
    pair_bench().run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("test", ("both_ways", "reset_of_qdma", "paused_port", "held_packets_and_errors"))
def test_card_dma_qdma_long(test):
    pair_bench().run(__name__, test, long_seed=1)
