# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tcp with SACK: the peer's blocks, what is retransmitted and what not (RFC 2018, 5 and 8; RFC 6675)."""

import os

import cocotb
import pytest

from test_toe_sack import Receiver
from toe_tcp_play import ACK, CLOSE, FIN, MASK, RING, Bed, State, ahead, parameter, plus, toe_tcp_bench
from ullnic_tb import cocotb_tests, main_and_kept, seeded

CONGESTION = parameter("TX_CONGESTION_CONTROL_EN", 1)
SIZE = 700  # of a segment
LATE = {"rto_initial": 500, "rto_min": 500, "rto_max": 600}  # no timeout comes in between


def blocks(*pairs: tuple[int, int]) -> dict[str, int]:
    """Fields of a record with these blocks, in numbers."""
    word = 0
    for place, (left, right) in enumerate(pairs):
        word |= ((left & MASK) << 32 | right & MASK) << 64 * place
    return {"sack_count": len(pairs), "sacks": word}


async def served(dut, sack: int = 1, segments: int = 11, **settings: int):
    """A session with SACK, its congestion window the ring, so many segments in flight; `at` is a segment's number."""
    bed = await Bed(dut).reset(**(LATE | settings))
    peer = await bed.serve(mss=SIZE, sack_on=sack)
    while peer.allowance() < RING:
        await bed.send(SIZE)
        await peer.take(SIZE)
    for _ in range(segments):
        await bed.send(SIZE)
    bed.asked()
    base = peer.ack
    return bed, peer, lambda count: plus(base, count * SIZE)


def sacks(at, *pairs):
    return blocks(*((at(left), at(right)) for left, right in pairs))


@cocotb.test()
async def recovery(dut):
    """Segments 0, 3 and 5 of 11 are lost: each goes once, when it counts as lost and the pipe has room."""
    bed, peer, at = await served(dut)
    half = max(11 * SIZE // 2, 2 * SIZE)
    seen = []

    async def answer(*pairs):
        seen.append([(seq, length) for _, _, seq, length in (await peer.send(**sacks(at, *pairs))).frames])

    def allowed(sacked: int) -> bool:
        return not CONGESTION or peer.allowance() == min(half + sacked * SIZE, RING)

    await answer((1, 2))
    assert not CONGESTION or peer.allowance() == RING
    await answer((1, 3))
    assert seen == [[], []]
    await answer((4, 5), (1, 3))  # three segments behind 0
    assert seen.pop() == [(at(0), SIZE)] and allowed(3)
    await answer((6, 7), (4, 5), (1, 3))  # two behind 3
    assert seen.pop() == [] and allowed(4)
    await answer((6, 8), (4, 5), (1, 3))  # 3 is lost, but 11 - 5 - 1 + 1 segments are more than half of 11
    if CONGESTION:
        assert seen.pop() == [] and allowed(5)
        await answer((6, 9), (4, 5), (1, 3))
        assert seen.pop() == [(at(3), SIZE), (at(5), SIZE)] and allowed(6)
    else:
        assert seen.pop() == [(at(3), SIZE)]
        await answer((6, 9), (4, 5), (1, 3))
        assert seen.pop() == [(at(5), SIZE)]
    await answer((6, 10), (4, 5), (1, 3))
    await answer((6, 11), (4, 5), (1, 3))
    # The same once more is nothing new; partial ACKs: all has gone that was missing
    await answer((6, 11), (4, 5), (1, 3))
    for count, pairs in ((3, ((6, 11), (4, 5))), (5, ((6, 11),))):
        peer.ack = at(count)
        await answer(*pairs)
    assert seen[2:] == [[]] * 5
    peer.ack = at(11)
    await answer()
    assert seen.pop() == []
    if CONGESTION:
        assert peer.allowance() == min(half, 2 * SIZE)
    # The next loss begins anew, with the first ACK that says so
    for _ in range(2 if CONGESTION else 5):
        await bed.send(SIZE)
    if not CONGESTION:
        await answer((13, 16), (12, 12))
        assert seen.pop() == [(at(11), SIZE), (at(12), SIZE)]


@cocotb.test()
async def one_ack(dut):
    """ACKs are lost, too: one that says that more than two segments have come behind a hole is enough (IsLost)."""
    bed, peer, at = await served(dut)
    assert (await peer.send(**sacks(at, (1, 3)))).frames == []
    frames = (await peer.send(**blocks((at(1), plus(at(3), 1))))).frames
    assert frames == [(0, ACK, at(0), SIZE)]
    # And three pieces of a byte each
    bed, peer, at = await served(dut)
    pieces = [(plus(at(place), 5), plus(at(place), 6)) for place in (7, 2, 5)]
    assert (await peer.send(**blocks(*pieces[:2]))).frames == []
    assert (await peer.send(**blocks(*pieces))).frames[:1] == [(0, ACK, at(0), SIZE)]


@cocotb.test()
async def no_news(dut):
    """Of a peer that SACKs an ACK with nothing new is no duplicate (RFC 6675, 2): it starts no recovery."""
    bed, peer, at = await served(dut)
    for _ in range(5):
        assert (await peer.send(**sacks(at, (2, 3)))).frames == []
    assert (await peer.send(**sacks(at, (2, 4)))).frames == []
    assert (await peer.send(**sacks(at, (2, 5)))).frames[:1] == [(0, ACK, at(0), SIZE)]


@cocotb.test()
async def cut(dut):
    """A piece ends where the next SACKed byte is; one in the middle of a segment."""
    bed, peer, at = await served(dut)
    middle = (plus(at(0), 100), plus(at(0), 101))
    assert (await peer.send(**blocks((at(5), at(7)), middle))).frames == [(0, ACK, at(0), 100)]
    frames = []
    for end in (8, 9, 10, 11):
        frames += (await peer.send(**blocks((at(5), at(end)), middle))).frames
    hole = [plus(middle[1], SIZE * count) for count in range(7)]
    assert frames[:2] == [(0, ACK, start, SIZE) for start in hole[:2]]
    if not CONGESTION:
        assert frames[2:] == [(0, ACK, start, SIZE) for start in hole[2:4]] + [(0, ACK, hole[4], SIZE - 101)]


@cocotb.test()
async def nonsense(dut):
    """Blocks that are not of what is under way, empty, reversed, or of an ACK that does not count: nothing happens."""
    bed, peer, at = await served(dut)
    start = peer.allowance()
    far, window = 1 << 31, 60000
    for pair in (
        (at(0), at(5)),  # begins at SND.UNA
        (plus(at(0), -5), at(5)),
        (plus(at(0), -5), plus(at(0), -1)),
        (at(5), at(5)),
        (at(5), at(2)),
        (at(5), plus(at(11), 1)),  # beyond SND.NXT
        (plus(at(0), far), plus(at(3), far)),
        (at(1), plus(at(1), far)),
        (0, 0),
        (MASK, 0),
    ):
        window -= 1  # not the window of the last, so no duplicate
        assert (await peer.send(window=window, **blocks(pair, pair, pair, pair))).frames == [], pair
        assert peer.allowance() == start, pair
    # Good ones, beside an ACK of nothing, or far away
    good = sacks(at, (1, 2), (3, 4), (5, 6), (7, 8))
    assert (await peer.send(ack=plus(peer.ack, 12 * SIZE), **good)).frames == []
    assert (await peer.send(seq=peer.seq + far, **good)).frames == []
    assert (await peer.send(flags=0, **good)).frames == []
    assert peer.allowance() == start
    # And one good among bad ones counts
    asked = await peer.send(**blocks((0, 0), (at(5), at(4)), (at(2), at(6))))
    assert [frame[2:] for frame in asked.frames] in ([(at(0), SIZE)], [(at(0), SIZE), (at(1), SIZE)])


@cocotb.test()
async def not_agreed(dut):
    """Without SACK-permitted blocks are nothing: NewReno, as ever."""
    bed, peer, at = await served(dut, sack=0)
    good = sacks(at, (1, 3), (4, 5), (6, 9))
    assert [(await peer.send(**good)).frames for _ in range(3)] == [[], [], [(0, ACK, at(0), SIZE)]]
    if CONGESTION:
        assert peer.allowance() == min(11 * SIZE // 2 + 3 * SIZE, RING)
    peer.ack = at(1)
    assert (await peer.send(**sacks(at, (2, 3)))).frames == [(0, ACK, at(1), SIZE)]
    peer.ack = at(2)
    assert (await peer.send(**sacks(at, (3, 11)))).frames == [(0, ACK, at(2), SIZE)]


@cocotb.test()
async def silent(dut):
    """Agreed, but the peer has no blocks (no memory for what is behind a hole): NewReno, as ever."""
    bed, peer, at = await served(dut)
    assert [(await peer.send()).frames for _ in range(3)] == [[], [], [(0, ACK, at(0), SIZE)]]
    if CONGESTION:
        assert peer.allowance() == min(11 * SIZE // 2 + 3 * SIZE, RING)
    for count in (1, 2, 4):
        peer.ack = at(count)
        assert (await peer.send()).frames == [(0, ACK, at(count), SIZE)]
    peer.ack = at(11)
    assert (await peer.send()).frames == []


@cocotb.test()
async def timeout(dut):
    """A timeout forgets what has been SACKed (RFC 2018, 8): all goes again, but what is SACKed from then on."""
    for renege in (True, False):
        bed, peer, at = await served(dut, rto_initial=20, rto_min=20, rto_max=100)
        await peer.send(**sacks(at, (2, 3), (5, 6)))
        await bed.due()
        frames = [frame[2:] for frame in bed.asked().frames]
        gone = 1
        if not CONGESTION:
            gone = 11
            assert frames == [(at(place), SIZE) for place in range(11)]
        else:
            assert frames == [(at(0), SIZE)]
        while gone < 11:
            peer.ack = at(gone)
            pairs = [] if renege or gone > 2 else [(2, 3), (5, 6)]
            frames = [frame[2:] for frame in (await peer.send(**sacks(at, *pairs))).frames]
            sent = [(seq - at(0) & MASK) // SIZE for seq, _ in frames]
            assert sent and sent[0] == (gone if renege or gone not in (2, 5) else gone + 1), (gone, sent)
            if not renege:
                assert not {2, 5} & set(sent)
            gone = sent[-1] + 1
            if not renege and gone in (2, 5):
                gone += 1
        peer.ack = at(11)
        assert (await peer.send()).frames == []


@cocotb.test()
async def behind(dut):
    """RFC 6675, 5: behind a timeout no recovery begins before all that was sent until then is acknowledged."""
    bed, peer, at = await served(dut, rto_initial=20, rto_min=20, rto_max=100)
    await bed.due()
    bed.asked()
    for end in (3, 5, 7):
        asked = await peer.send(**sacks(at, (1, end)))
        assert not [frame for frame in asked.frames if frame[2] == at(0)]
    peer.ack = at(11)
    await peer.send()
    count = 0
    while ahead(plus(bed.snd_nxt(0), SIZE), bed.limit(0)) <= 0 and count < 4:
        await bed.send(SIZE)
        count += 1
    if count == 4:
        assert (await peer.send(**sacks(at, (12, 15)))).frames == [(0, ACK, at(11), SIZE)]


@cocotb.test()
async def closes(dut):
    """FIN behind data of which some are lost; the peer has SACKed it; no FIN while a recovery goes on, then at once."""
    bed, peer, at = await served(dut)
    asked = await bed.order(CLOSE)
    assert asked.frames == [(0, FIN | ACK, at(11), 0)]
    await peer.send(**sacks(at, (1, 4)))
    frames = (await peer.send(**blocks((at(1), plus(at(11), 1))))).frames
    assert not frames or frames == [(0, ACK, at(0), SIZE)]
    peer.ack = plus(at(11), 1)
    await peer.send()
    assert bed.state(0) == State.FIN_WAIT_2
    bed, peer, at = await served(dut)
    assert (await peer.send(**sacks(at, (1, 4)))).frames == [(0, ACK, at(0), SIZE)]
    assert (await bed.order(CLOSE)).frames == []
    peer.ack = at(11)
    assert (await peer.send()).frames == [(0, FIN | ACK, at(11), 0)]


@cocotb.test()
async def next_connection(dut):
    """What was SACKed of one connection is nothing to the next; nor is it to another session."""
    bed, peer, at = await served(dut)
    await peer.send(**sacks(at, (1, 2), (3, 4)))
    other = await bed.serve(1, port=40001, mss=SIZE, sack_on=1)
    for _ in range(3):
        await bed.send(SIZE, 1)
    await peer.send(4, seq=peer.seq)  # RST
    again = await bed.serve(0, port=40002, seq=5000, mss=SIZE, sack_on=1)
    for _ in range(3):
        await bed.send(SIZE)
    for who in (other, again):
        assert [(await who.send()).frames for _ in range(3)] == [[], [], [(who.sid, ACK, who.ack, SIZE)]]


@cocotb.test()
async def random_losses(dut):
    """Any losses, of ACKs, too: no SACKed byte goes again, nothing goes twice in a recovery, all arrives."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset(rto_initial=30, rto_min=30, rto_max=60, retries=15)
    peer = await bed.serve(mss=SIZE, sack_on=1)
    recoveries = timeouts = spared = 0
    receiver = Receiver(0, 4, 16)
    base = peer.ack
    sacked: set[int] = set()  # bytes, in units of 10, that ACKs have reported since the last timeout
    again: set[int] = set()  # and that have been sent again
    edge = 0  # behind the loss
    for turn in range(600):
        if turn >= 40 and recoveries > 20 and spared:  # a congestion window leaves few recoveries to chance
            break
        loss = rng.choice((0.05, 0.2, 0.4))
        wire: list[tuple[int, int]] = []
        room = ahead(bed.limit(0), bed.snd_nxt(0))
        while room >= 10 and len(wire) < 12:
            size = min(SIZE, room // 10 * 10)
            wire.append((ahead(bed.snd_nxt(0), base), size))
            await bed.send(size)
            room -= size
        while True:
            asked = bed.asked()
            if wire:
                start, size = wire.pop(0)
                if rng.random() < loss:
                    continue
                receiver.segment(start, start + size)
                if rng.random() < loss / 2:
                    continue
                pairs = receiver.reported()
                for left, right in pairs:
                    sacked |= set(range(left, right, 10))
                before = ahead(peer.ack, base)
                peer.ack = plus(base, receiver.nxt)
                if receiver.nxt > before:
                    sacked = {byte for byte in sacked if byte >= receiver.nxt}
                asked = await peer.send(**blocks(*((plus(base, left), plus(base, right)) for left, right in pairs)))
            elif receiver.nxt < ahead(bed.snd_nxt(0), base):
                await bed.due(700)
                asked = bed.asked()
                assert asked.frames, "it has come to a stop"
                timeouts += 1
                sacked, again = set(), set()
            elif ahead(peer.ack, base) < receiver.nxt:
                peer.ack = plus(base, receiver.nxt)
                asked = await peer.send()
            else:
                break
            una = ahead(peer.ack, base)
            if una >= edge:
                again = set()
            for _, flags, seq, length in asked.frames:
                start = ahead(seq, base)
                piece = set(range(start, start + length, 10))
                assert flags == ACK, (flags, seq, length)
                assert length % 10 == 0 and 0 < length <= SIZE and start >= una
                assert start + length <= ahead(bed.snd_nxt(0), base)
                if not again:
                    recoveries += 1
                    edge = ahead(bed.snd_nxt(0), base)
                assert len(receiver.got) > 4 or not piece & sacked, "SACKed, and sent again"
                assert not piece & again or not sacked, "sent again twice"
                again |= piece
                spared += len(sacked)
                wire.append((start, length))
    dut._log.info(f"{recoveries} recoveries, {timeouts} timeouts")
    assert recoveries > 20 and spared


@pytest.mark.parametrize("congestion", main_and_kept(__file__, (1, 0)))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tcp_sack(test, congestion):
    toe_tcp_bench(SACK_EN=1, TX_CONGESTION_CONTROL_EN=congestion).run(__name__, test)
