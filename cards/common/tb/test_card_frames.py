# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of software: line to host and host to line, whole, in order, at line rate, and counted."""

import cocotb
import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from ate_model import raw_chunk, tcp_chunk
from baser import Line, padded
from card_bench import RECEIVED, card, new, words_of
from ullnic_tb import cocotb_tests, main_and_kept


def frame(rng, length: int) -> bytes:
    """A UDP frame of this many bytes, without FCS."""
    head = Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02") / IP(dst="10.0.0.1", src="10.0.0.2") / UDP()
    return bytes(head / rng.randbytes(max(0, length - 42)))[:length]


MAX_FRAME = (9618, 1518)  # that a port takes from the host, without FCS
BAD_HEADERS = 12  # 16 would be a high bit error ratio, which stops the receiver
LENGTHS = [*range(60, 140), 1513, 1514, 9618]


def all_lengths(rng):
    frames = [frame(rng, n) for n in LENGTHS + [rng.randrange(60, 400) for _ in range(60)]]
    rng.shuffle(frames)
    return frames


def same(got: list[bytes], wanted: list[bytes]) -> None:
    for i, (have, want) in enumerate(zip(got, wanted, strict=False)):
        assert have == want, f"frame {i} of {len(wanted)}: {have.hex()} in place of {want.hex()}"
    assert len(got) == len(wanted)


class Lines:
    """All lengths back to back on both lines, with the smallest gap, and bad ones among them."""

    def __init__(self):
        self.good = ([], [])
        self.bad = [0, 0]

    def __call__(self, rng):
        lines = (Line(), Line())
        for port, line in enumerate(lines):
            for octets in all_lengths(rng):
                line.frame(octets).idle(rng.choice([8, 8, 8, 11, 40]))
                self.good[port].append(octets)
                kind = rng.randrange(8)
                if kind == 0:
                    line.frame(octets, check=bytes(4 * [0x55])).idle(8)
                elif kind == 1:
                    short = octets[: rng.randrange(56)]
                    line.frame(short).idle(8)
                elif kind == 2 and len(line.bad_headers) < BAD_HEADERS:
                    line.frame(octets).idle(8)
                    line.bad_headers[(line.frames[-1].start_char + 8 * rng.randrange(1, 8)) // 8] = 0  # cut there
                else:
                    continue
                self.bad[port] += 1
        return lines


@cocotb.test()
async def line_to_host(dut):
    """At line rate on both ports at once nothing is lost, and bad frames are counted."""
    lines = Lines()
    card_ = await new(dut, lines).started()
    await card_.lines_over()
    await card_.idle()
    for port in range(2):
        packets = await card_.got(port)
        same([p.frame for p in packets], lines.good[port])
        assert all(p.kind == RECEIVED for p in packets)
        times = [p.time for p in packets]
        assert times == sorted(times)
        counters = await card_.counters(port)
        assert counters["rx_frames"] == counters["packets"] == len(lines.good[port])
        assert counters["rx_bad"] == lines.bad[port]
        assert counters["rx_no_room"] == counters["rx_cut"] == counters["mirror_frames"] == 0


@cocotb.test()
async def host_to_line(dut):
    """Every length leaves as it is; chunks that are not right are counted, and those around them leave."""
    wanted, refused = ([], []), [0, 0]

    def packets(rng):
        out = ([], [])
        for port, host in enumerate(out):
            for octets in [frame(rng, n) for n in (1, 2, 3, 4, 5, 14, 59)] + all_lengths(rng):
                if len(octets) > MAX_FRAME[port]:
                    continue
                host.append(raw_chunk(octets))
                wanted[port].append(octets)
                for wrong in mistakes(rng, octets, port):
                    host.append(wrong)
                    refused[port] += 1
        return out

    card_ = await new(dut, packets=packets).started()
    dut.go.value = 3
    await card_.idle()
    for port in range(2):
        same(await card_.sent(port), [padded(octets) for octets in wanted[port]])
        counters = await card_.counters(port)
        assert (counters["chunks"], counters["chunks_refused"]) == (len(wanted[port]), refused[port])


def mistakes(rng, octets: bytes, port: int):
    """A chunk that is not right, now and then."""
    chunk = raw_chunk(octets)
    kind = rng.randrange(24)
    if kind == 0:
        yield chunk + bytes(rng.randrange(1, 40))
    elif kind == 1:
        yield chunk[: -rng.randrange(1, len(chunk) - 8)]
    elif kind == 2:
        yield tcp_chunk(0, bytes(1461) if port else octets[:1000])  # too long; no engine there
    elif kind == 3:
        yield chunk[:6] + bytes([rng.choice([0, 3, 255])]) + chunk[7:]
    elif kind == 4:
        yield chunk[: rng.randrange(1, 9)]
    elif kind == 5:
        yield raw_chunk(bytes(MAX_FRAME[port] + 1))
    elif kind == 6:
        yield raw_chunk(b"")
    elif kind == 7 and len(chunk) % 4 > 1:
        yield words_of(chunk, last_keep=(1 << (len(chunk) - 1) % 8) - 1)  # a byte too few, in as many words


@cocotb.test()
async def full(dut):
    """A host that reads nothing: frames are dropped whole and counted, and those kept are the first ones."""
    frames = []

    def lines(rng):
        line = Line()
        for _ in range(60):
            frames.append(frame(rng, rng.randrange(60, 1515)))
            line.frame(frames[-1]).idle(8)
        return (line, None)

    card_ = new(dut, lines)
    dut.host_mode.value = 0b0100
    await card_.started()
    await card_.lines_over()
    dut.host_mode.value = 0b0110
    await card_.idle()
    got = [p.frame for p in await card_.got(0)]
    counters = await card_.counters(0)
    assert counters["rx_frames"] == len(got) and counters["rx_frames"] + counters["rx_no_room"] == len(frames)
    assert counters["rx_no_room"] > 5 and len(got) > 5
    left = iter(frames)
    assert all(any(each == octets for each in left) for octets in got), "frames changed, or in another order"


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_card_frames(width, test):
    card(width).run(__name__, test)
