# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_icmp against scapy: answers of every length, byte for byte, and what must not be answered."""

import cocotb
import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.l2 import Dot1Q, Ether

from toe_raw_bed import RawBed, toe_sources
from toe_rx_fields import Interface, ones_sum, wrong_checksum
from ullnic_tb import Bench, cocotb_tests, main_and_kept, parameter

INTERFACES = parameter("INTERFACES", 1)
DEPTH = parameter("DEPTH", 1024)
MTU = 1500
LONGEST = min(MTU, 4 * DEPTH - 17) - 28  # bytes of data
ALL = (
    Interface(mac=b"\x02\0\0\0\0\x01", ip=b"\x0a\0\0\x01"),
    Interface(mac=b"\x02\0\0\0\0\x03", ip=b"\x0a\x01\0\x01", vlan=0x6005),
    Interface(mac=b"\x02\0\0\0\0\x04", ip=b"\x0a\x01\0\x01", vlan=0x0006),
)[:INTERFACES]


class IcmpBed(RawBed):
    OUTPUTS = ("stat_answered", "stat_dropped", "stat_bad")


def dotted(ip: bytes) -> str:
    return ".".join(map(str, ip))


def ether(interface: Interface, src: str, dst: str, prio: int) -> Ether:
    frame = Ether(src=src, dst=dst)
    if interface.vlan is not None:
        frame /= Dot1Q(prio=prio, vlan=interface.vlan & 0xFFF)
    return frame


def request(rng, interface: Interface, data: bytes, ip: dict | None = None, icmp: dict | None = None) -> Ether:
    """An echo request as a host sends it."""
    header = {
        "src": dotted(bytes([10, rng.randrange(256), rng.randrange(256), rng.randrange(1, 255)])),
        "dst": dotted(interface.ip),
        "ttl": rng.choice((1, 63, 64, 65, 128, 255, rng.randrange(1, 256))),
        "id": rng.getrandbits(16),
        "flags": rng.choice(("", "DF")),
        "tos": rng.choice((0, 0, rng.getrandbits(8))),
    } | (ip or {})
    message = {"type": 8, "id": rng.getrandbits(16), "seq": rng.getrandbits(16)} | (icmp or {})
    mac = (b"\x02" + rng.randbytes(5)).hex(":")
    return ether(interface, mac, interface.mac.hex(":"), 2) / IP(**header) / ICMP(**message) / data


def answer(frame: Ether, interface: Interface) -> bytes:
    """What scapy makes of it, all checksums anew."""
    ip, icmp = frame[IP], frame[ICMP]
    out = ether(interface, interface.mac.hex(":"), frame.src, (interface.vlan or 0) >> 13)
    out /= IP(src=ip.dst, dst=ip.src, ttl=64, id=ip.id, flags=ip.flags, tos=ip.tos)
    out /= ICMP(type=0, id=icmp.id, seq=icmp.seq) / bytes(icmp.payload)
    return bytes(out)


def padded(frame) -> bytes:
    return bytes(frame).ljust(60, b"\0")


@cocotb.test()
async def every_length(dut):
    """0 to 40 bytes, and the longest ones: answered exactly, with Ethernet padding that is not 0."""
    bed = await IcmpBed(dut, ALL).reset()
    for n in [*range(41), *range(LONGEST - 4, LONGEST + 1)]:
        i = n % INTERFACES
        frame = request(bed.rng, ALL[i], bed.rng.randbytes(n))
        octets = bytes(frame)
        octets += bed.rng.randbytes(max(0, 60 - len(octets)))
        bed.model.fcs = bool(bed.rng.getrandbits(1))
        await bed.send(octets, late=bed.rng.randrange(3), pauses=bed.rng.choice((0, 0.1)))
        assert await bed.drain(len(octets) // 4 + 40) == [answer(frame, ALL[i])], n
    assert bed.stats["answered"] == 46 and not bed.stats["dropped"] and not bed.stats["bad"]


@cocotb.test()
async def stream(dut):
    """Requests of any length back to back, a reader that pauses, other frames between: none is lost or mixed."""
    bed = await IcmpBed(dut, ALL).reset()
    expected = []
    for _ in range(120):
        i = bed.rng.randrange(INTERFACES)
        n = bed.rng.choice((0, 1, 2, 3, 18, 56, bed.rng.randrange(min(LONGEST, 4 * DEPTH // 3 - 60))))
        frame = request(bed.rng, ALL[i], bed.rng.randbytes(n))
        kind = bed.rng.randrange(6)
        if kind == 0:
            frame[IP].proto = 6
        await bed.send(padded(frame), gap=bed.rng.choice((1, 3, 5)), good=kind != 1)
        if kind > 1:
            expected.append(answer(frame, ALL[i]))
        bed.ready_rate = bed.rng.choice((1, 0.9))
        await bed.idle(len(frame) // 8 + 10)
    got = await bed.drain(3000)
    assert got == expected
    assert not bed.stats["dropped"] and not bed.stats["bad"]


@cocotb.test()
async def latency(dut):
    """The first word of the answer 7 cycles behind the verdict, whenever that comes."""
    bed = await IcmpBed(dut, ALL).reset()
    for late in (0, 1, 3):
        frame = request(bed.rng, ALL[0], b"hello")
        await bed.send(padded(frame), late=late, gap=0)
        end = bed.stepper.cycle
        assert await bed.drain(60) == [answer(frame, ALL[0])]
        assert bed.began[-1] - end == 7


@cocotb.test()
async def checksums(dut):
    """Data that bring the checksums to 0, 0xffff and round the corner, in both headers."""
    bed = await IcmpBed(dut, ALL).reset()
    for target in (0x0000, 0xFFFF, 0xFFFE, 1, 0x07FF, 0x0800, 0x0801, 0xF7FE, 0xF7FF, 0xF800, 0xF7FD):
        for which in ("icmp", "ip"):
            frame = request(bed.rng, ALL[0], bytes(2), icmp={"id": 0x1234})
            # A word that makes the checksum of the request what is wanted, if that can be
            part = frame[ICMP] if which == "icmp" else frame[IP]
            octets = bytes(part) if which == "icmp" else bytes(part)[:20]
            have = ones_sum(octets[:2] + b"\0\0" + octets[4:]) if which == "icmp" else 0
            if which == "icmp":
                missing = ((~target & 0xFFFF) - have) % 0xFFFF
                frame[ICMP].payload.load = missing.to_bytes(2)
            else:
                frame[IP].id = 0
                octets = bytes(frame[IP])[:20]
                have = ones_sum(octets[:10] + b"\0\0" + octets[12:])
                frame[IP].id = ((~target & 0xFFFF) - have) % 0xFFFF
            await bed.send(padded(frame))
            assert await bed.drain(60) == [answer(frame, ALL[0])], (hex(target), which)
    # Nothing but zeros: the sum is 0, its checksum 0xffff.  The same sum as 0xffff: the checksum is 0.
    for one, two in ((0, 0), (0xFFFF, 0), (0, 0xFFFF), (0x8000, 0x7FFF)):
        fields = {"id": one, "seq": two}
        for data in (b"", bytes(9), b"\xff\xff"):
            frame = request(bed.rng, ALL[0], data, icmp=fields)
            await bed.send(padded(frame))
            assert await bed.drain(60) == [answer(frame, ALL[0])], (fields, data)


@cocotb.test()
async def bad(dut):
    """A bit that is wrong in the message, or a packet shorter than its headers: counted, not answered."""
    bed = await IcmpBed(dut, ALL).reset()
    count = 0
    for n in (0, 1, 2, 3, 20):
        frame = bytes(request(bed.rng, ALL[0], bed.rng.randbytes(n)))
        base = 14 + 4 * (ALL[0].vlan is not None)
        for at in range(base + 22, base + 28 + n):
            wrong = bytearray(frame)
            wrong[at] ^= 1 << bed.rng.randrange(8)
            await bed.send(bytes(wrong).ljust(60, b"\0"))
            count += 1
    for length in range(20, 28):  # with a checksum of what there is
        frame = request(bed.rng, ALL[0], b"", ip={"len": length})
        frame[ICMP].chksum = 0
        frame[ICMP].chksum = ~ones_sum(bytes(frame[ICMP])[: length - 20]) & 0xFFFF
        await bed.send(padded(frame))
        count += 1
    assert await bed.drain(60) == []
    assert bed.stats["bad"] == count and not bed.stats["dropped"]
    frame = request(bed.rng, ALL[0], b"and on")
    await bed.send(padded(frame))
    assert await bed.drain(60) == [answer(frame, ALL[0])]


@cocotb.test()
@pytest.mark.rfc9293("MUST-55")
async def not_asked(dut):
    """No request, or not to us, or not from a host, or not good: nothing, not even counted."""
    bed = await IcmpBed(dut, ALL).reset()
    us = ALL[0]

    async def silent(frame, **how):
        await bed.send(padded(frame), **how)
        assert await bed.drain(60) == [] and not +bed.stats, bytes(frame).hex()

    for kind in (0, 3, 4, 5, 9, 10, 11, 12, 13, 16, 255):
        await silent(request(bed.rng, us, b"data", icmp={"type": kind}))
    for code in (1, 128):
        await silent(request(bed.rng, us, b"data", icmp={"code": code}))
    for dst in ("10.0.0.255", "10.0.0.2", "255.255.255.255", "224.0.0.1"):
        await silent(request(bed.rng, us, b"data", ip={"dst": dst}))
    for src in ("0.0.0.0", "0.1.2.3", "127.0.0.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"):
        await silent(request(bed.rng, us, b"data", ip={"src": src}))
    for more in ({"flags": "MF"}, {"frag": 1}, {"frag": 8000}, {"proto": 17}, {"proto": 0}, {"proto": 129}):
        await silent(request(bed.rng, us, b"data", ip=more))
    await silent(request(bed.rng, us, b"data", ip={"version": 6}))
    frame = request(bed.rng, us, b"data")
    await silent(wrong_checksum(bytes(frame), len(frame) - len(frame[IP]) + 10, bed.rng.choice((0, 0x1234))))
    await silent(request(bed.rng, us, b"data", ip={"options": b"\x07\x07\x04\0\0\0\0\0"}))
    everyone = request(bed.rng, us, b"data")
    everyone.dst = "ff:ff:ff:ff:ff:ff"
    await silent(everyone)
    group = request(bed.rng, us, b"data")
    group.src = "01:00:5e:00:00:01"
    await silent(group)
    other = request(bed.rng, us, b"data")
    other.dst = "02:00:00:00:00:77"
    await silent(other)
    for late in (0, 2):
        await silent(request(bed.rng, us, b"data"), good=False, late=late)
    await silent(request(bed.rng, us, b"data", ip={"len": 200}))  # more than there is
    frame = request(bed.rng, us, b"and on")
    await bed.send(padded(frame))
    assert await bed.drain(60) == [answer(frame, us)]


@cocotb.test()
async def no_room(dut):
    """Nobody reads: requests that do not fit are counted, all others come out, also those behind them."""
    bed = await IcmpBed(dut, ALL).reset()
    sent, words = [], 0
    bed.ready_rate = 0
    for _ in range(3 * DEPTH // 20):
        n = bed.rng.randrange(min(LONGEST, DEPTH))
        frame = request(bed.rng, ALL[0], bed.rng.randbytes(n))
        before = bed.stats["dropped"]
        await bed.send(padded(frame), gap=3)
        await bed.idle(6)
        need = (len(bytes(frame)) - 4 * (ALL[0].vlan is not None) + 3) // 4
        if bed.stats["dropped"] == before:
            sent.append(answer(frame, ALL[0]))
            words += need
        else:
            # The first one may have its first words in the reply already.
            assert words + need > DEPTH - 1
    assert bed.stats["dropped"] > 3 and len(sent) > 1
    assert words <= DEPTH + 4
    assert await bed.drain(3 * DEPTH) == sent
    for _ in range(3):
        frame = request(bed.rng, ALL[0], bed.rng.randbytes(min(LONGEST, 100)))
        await bed.send(padded(frame))
        assert await bed.drain(100) == [answer(frame, ALL[0])]
    too_long = request(bed.rng, ALL[0], bed.rng.randbytes(4 * DEPTH - 40))
    before = bed.stats["dropped"]
    await bed.send(padded(too_long))
    assert await bed.drain(60) == [] and bed.stats["dropped"] == before + 1


CONFIGURATIONS = ({"INTERFACES": 1, "DEPTH": 1024}, {"INTERFACES": 3, "DEPTH": 256})
PARTS = [f"toe_icmp{part}" for part in ("_pkg", "_store", "_reply", "")]


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize(
    "configuration", main_and_kept(__file__, CONFIGURATIONS), ids=lambda c: "-".join(map(str, c.values()))
)
def test_toe_icmp(configuration, test):
    Bench("toe_icmp", toe_sources(*PARTS), configuration).run("test_toe_icmp", test)
