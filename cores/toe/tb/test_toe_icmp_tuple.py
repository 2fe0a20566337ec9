# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_icmp_errors alone, with several interfaces: the connection that an error is about, beside other frames."""

import os

import cocotb
import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import Ether

from toe_raw_bed import toe_sources
from toe_rx_fields import Interface, RxModel
from ullnic_tb import Bench, Stepper, cocotb_tests, seeded

ALL = [Interface(mac=bytes([2, 0, 0, 0, 0, i]), ip=bytes([10, i, 0, 1])) for i in range(4)]
WAIT = 12  # cycles until it is over, at most; a frame takes more


def dotted(ip: bytes) -> str:
    return ".".join(map(str, ip))


def frame(rng, interface: Interface, upper) -> bytes:
    source, router = (b"\x02" + rng.randbytes(5)).hex(":"), f"10.9.{rng.randrange(256)}.9"
    return bytes(Ether(src=source, dst=interface.mac.hex(":")) / IP(src=router, dst=dotted(interface.ip)) / upper)


def error(rng, i: int) -> tuple[bytes, int, int]:
    """An error, its tuple_t, and the sequence number."""
    peer, ports, seq = rng.randbytes(4), [rng.getrandbits(16) for _ in range(2)], rng.getrandbits(32)
    tcp = TCP(sport=ports[0], dport=ports[1], seq=seq)
    quoted = bytes(IP(src=dotted(ALL[i].ip), dst=dotted(peer)) / tcp)[:28]
    kind = rng.choice((3, 11, 12))
    wanted = i << 64 | int.from_bytes(peer) << 32 | ports[1] << 16 | ports[0]
    return frame(rng, ALL[i], ICMP(type=kind, code=1) / quoted), wanted, seq


@cocotb.test()
async def interfaces(dut):
    """It is of the interface on which the error came, until it is over, whatever else comes."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    model = RxModel(ALL, rng)
    bench = Stepper(dut, ("valid", "tuple", "seq"))
    await bench.reset(rx=model.idle(), match=0, over=0, taken=0)
    for _ in range(60):
        octets, wanted, seq = error(rng, rng.randrange(len(ALL)))
        for rx in model.frame(octets):
            assert not (await bench.step(rx=rx)).valid
        other = model.frame(frame(rng, rng.choice(ALL), UDP(sport=1, dport=2) / bytes(30)))
        await bench.step(rx=model.idle())
        await bench.step(rx=model.idle())
        for cycle in range(rng.randrange(WAIT)):
            seen = await bench.step(rx=next(other) if cycle else model.idle())
            assert seen.valid and (seen.tuple, seen.seq) == (wanted, seq)
        await bench.step(rx=next(other), over=1)
        bench.set(over=0)
        for rx in other:
            assert not (await bench.step(rx=rx)).valid


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_icmp_tuple(test):
    Bench("toe_icmp_errors", toe_sources("toe_rx_ones", "toe_rx_sum", "toe_icmp_errors")).run(__name__, test)
