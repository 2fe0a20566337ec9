# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tx: the user's packets on the wire, byte by byte against scapy's frames, in time and without gaps."""

import cocotb
import pytest

from toe_tx_play import BEAT, MASK32, MSS, RING, SESSIONS, Bed, Packet, toe_tx_bench
from ullnic_tb import cocotb_tests, main_and_kept

SIZES = (*range(1, 36), 63, 64, 65, 127, 128, 129, 536, 1459, 1460)


def ceil(a: int, b: int) -> int:
    return -(-a // b)


async def latency_of(bed: Bed, packet: Packet) -> int:
    """From the user's first beat to the first word, with the line idle."""
    begun = len(bed.begun)
    bed.user.append(packet)
    want = bed.data_frame(packet.sid, packet.payload)
    [frame] = await bed.drain()
    assert (frame.octets, frame.bad) == (want, False)
    return frame.valid - bed.begun[begun]


@cocotb.test()
async def cut_through(dut):
    """Length and sum given: the header begins in the cycle behind the first beat, whatever the size and the session."""
    bed = await Bed(dut).reset()
    for size in SIZES:
        payload = bed.rng.choice((bed.rng.randbytes(size), bytes(size), b"\xff" * size))
        packet = Packet(bed.rng.randrange(SESSIONS), payload, gap=bed.rng.randrange(33))
        assert await latency_of(bed, packet) == 1, size
    assert not bed.events


@cocotb.test()
async def store_and_forward(dut):
    """Without the sum: max(1, ceil(P / B) - 11) cycles when the length is given, ceil(P / B) when not."""
    bed = await Bed(dut).reset()
    for size in SIZES:
        for given in (True, False):
            sid, gap = bed.rng.randrange(SESSIONS), bed.rng.randrange(33)
            packet = Packet(sid, bed.rng.randbytes(size), length=-1 if given else None, csum=None, gap=gap)
            beats = ceil(size, BEAT)
            assert await latency_of(bed, packet) == (max(1, beats - 11) if given else beats), (size, given)
    assert not bed.events


@cocotb.test()
async def full_line(dut):
    """Packets of any size behind each other: the MAC never waits for a word, and nothing is lost, over ring and
    sequence wraps."""
    bed = await Bed(dut, dense=True).reset()
    wants, packets = [], []
    for i in range(160):
        small = i < 60
        payload = bed.rng.randbytes(bed.rng.randrange(1, 40 if small else MSS + 1))
        packet = Packet(bed.rng.randrange(SESSIONS), payload)
        mode = bed.rng.randrange(3)
        packet.length, packet.csum = (-1, None)[mode == 2], (-1, None)[mode > 0]
        bed.user.append(packet)
        packets.append(packet)
        wants.append(bed.data_frame(packet.sid, payload))
    frames = await bed.drain()
    assert [frame.octets for frame in frames] == wants
    assert not bed.events and not any(frame.bad for frame in frames)
    # A packet without its sum begins behind its last beat: the line may be free before that.
    late = [i for i, frame in enumerate(frames) if i and frame.waited]
    print(f"{len(frames)} frames, the MAC waited in front of {late}")
    given = [bed.begun[i] + len(packets[i].payload) // BEAT for i in late]
    assert all(packets[i].csum is None and at + 12 > frames[i - 1].end for i, at in zip(late, given, strict=True))


@cocotb.test()
async def full_line_cut_through(dut):
    """With length and sum given the MAC never waits, whatever follows what."""
    bed = await Bed(dut, dense=True).reset()
    wants = []
    for _ in range(160):
        payload = bed.rng.randbytes(bed.rng.choice((bed.rng.randrange(1, 30), bed.rng.randrange(1, MSS + 1))))
        bed.user.append(Packet(bed.rng.randrange(SESSIONS), payload))
        wants.append(bed.data_frame(bed.user[-1].sid, payload))
    frames = await bed.drain()
    assert [frame.octets for frame in frames] == wants
    assert not bed.events and not any(frame.bad for frame in frames)
    assert not [i for i, frame in enumerate(frames) if i and frame.waited]


@cocotb.test()
@pytest.mark.pitfall("sequence-wrap")
async def wraps(dut):
    """Every place of the ring and the wrap of sequence numbers: SND.NXT and busy follow."""
    seqs = [(MASK32 - RING - 37 * i) & MASK32 for i in range(SESSIONS)]
    bed = await Bed(dut).reset(seqs)
    for sid in range(2):
        sent = 0
        while sent < 2 * RING + 100:
            size = bed.rng.randrange(1, MSS + 1)
            bed.user.append(Packet(sid, bed.rng.randbytes(size)))
            want = bed.data_frame(sid, bed.user[-1].payload)
            bed.s.set(tcp_sid=sid, snd_sid=sid)
            out = await bed.step()
            assert (not out.tcp_snd_busy or sent) and out.snd_none == (not sent)
            await bed.step()
            assert (await bed.step()).tcp_snd_busy
            [frame] = await bed.drain()
            assert frame.octets == want
            out = await bed.step()
            assert (out.tcp_snd_nxt, out.snd_nxt, out.tcp_snd_busy) == (bed.sessions[sid].seq,) * 2 + (0,)
            sent += size
    assert not bed.events


WIDTHS = (32, 64, 128)


@pytest.mark.parametrize("width", main_and_kept(__file__, WIDTHS, lambda width: width == 64))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tx(test, width):
    toe_tx_bench(USER2TCP_DATA_WIDTH=width, RAM_LATENCY=width // 32, RING_BYTES=16384).run(__name__, test)
