# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ARP and ICMP downstream of the real parser: the MAC's words in, frames out, scapy on both sides."""

import zlib
from pathlib import Path

import cocotb
import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import ARP, Dot1Q, Ether

from toe_raw_bed import RawBed
from toe_rx_fields import Interface
from toe_rx_model import Arrival
from ullnic_tb import Bench, cocotb_tests, main_and_kept, parameter, rtl

INTERFACES = parameter("INTERFACES", 1)
FCS = parameter("FCS", 1)
ALL = (
    Interface(mac=b"\x02\0\0\0\0\x01", ip=b"\x0a\0\0\x01"),
    Interface(mac=b"\x02\0\0\0\0\x02", ip=b"\x0a\x01\0\x01", vlan=0x6005),
)[:INTERFACES]


class LineBed(RawBed):
    OUTPUTS = tuple(f"stat_{n}" for n in ("malformed", "conflict", "dropped", "unasked", "icmp_dropped", "icmp_bad"))
    INPUTS = {"tick": 0, "s_axis_tvalid": 0, "rx_status_valid": 0}
    RX = False

    async def frame(self, octets: bytes, **how) -> None:
        octets = octets.ljust(60, b"\0")
        octets += zlib.crc32(octets).to_bytes(4, "little") if FCS else b""
        for word in Arrival(**how).cycles(octets, self.rng):
            await self.cycle(**word.inputs(self.rng))
        await self.idle(self.rng.randrange(1, 5))

    async def idle(self, cycles: int) -> None:
        for _ in range(cycles):
            await self.cycle(s_axis_tvalid=0, rx_status_valid=0)


def header(interface: Interface, mac: str, tagged: bool, ours: bool) -> Ether:
    frame = Ether(src=interface.mac.hex(":"), dst=mac) if ours else Ether(src=mac, dst=interface.mac.hex(":"))
    if interface.vlan is not None:
        frame /= Dot1Q(prio=interface.vlan >> 13 if ours else 1, vlan=interface.vlan & 0xFFF)
    elif tagged and not ours:
        frame /= Dot1Q(prio=5, vlan=0)  # a priority, no VLAN
    return frame


@cocotb.test()
async def mixed(dut):
    """Pings and ARP requests between all kinds of other frames: each answered, exactly, in its protocol's order."""
    bed = await LineBed(dut, ALL).reset()
    await bed.drain(60)  # announcements
    pings, arps = [], []
    for _ in range(150):
        interface = bed.rng.choice(ALL)
        n = bed.rng.randrange(5)
        mac, ip = f"02:aa:00:00:00:{n:02x}", f"{interface.ip[0]}.{interface.ip[1]}.0.{100 + n}"
        us = ".".join(map(str, interface.ip))
        kind, good = bed.rng.randrange(8), bed.rng.random() < 0.8
        link = header(interface, mac, bed.rng.random() < 0.3, ours=False)
        back = header(interface, mac, False, ours=True)
        if kind < 3:
            data = bed.rng.randbytes(bed.rng.choice((0, 1, 5, 17, 18, 19, 56, 200, 1472 - 28)))
            ident, seq, number = (bed.rng.getrandbits(16) for _ in range(3))
            frame = link / IP(src=ip, dst=us, id=number, ttl=bed.rng.randrange(1, 256)) / ICMP(id=ident, seq=seq) / data
            if good:
                pings.append(
                    bytes(back / IP(src=us, dst=ip, id=number, ttl=64) / ICMP(type=0, id=ident, seq=seq) / data)
                )
        elif kind < 6:
            frame = link / ARP(op=1, hwsrc=mac, psrc=ip, pdst=us)
            if good:
                arps.append(bytes(back / ARP(op=2, hwsrc=interface.mac.hex(":"), psrc=us, hwdst=mac, pdst=ip)))
        else:
            protocol = TCP(dport=80) if kind == 6 else UDP(dport=53)
            frame = link / IP(src=ip, dst=us) / protocol / bed.rng.randbytes(bed.rng.randrange(100))
        bed.ready_rate = bed.rng.choice((1, 0.8))
        how = {"gap": bed.rng.choice((0, 0.1)), "behind": bed.rng.randrange(3), "good": good}
        await bed.frame(bytes(frame), empty=bool(bed.rng.getrandbits(1)), **how)
        await bed.idle(len(frame) // 3)
    got = await bed.drain(2000)
    assert [frame for frame in got if ARP in Ether(frame)] == arps
    assert [frame for frame in got if ARP not in Ether(frame)] == pings
    assert pings and arps and not +bed.stats


@cocotb.test()
async def reset_within_an_answer(dut):
    """Its rest is gone, and nobody waits for it: announcements leave, and the answer to what comes next."""
    bed = await LineBed(dut, ALL).reset()
    us, mac = ".".join(map(str, ALL[0].ip)), "02:aa:00:00:00:01"
    link, back = header(ALL[0], mac, False, ours=False), header(ALL[0], mac, False, ours=True)
    for turn in range(4):
        ping = IP(src="10.0.0.9", dst=us, id=turn) / ICMP(id=turn) / bed.rng.randbytes(200)
        asks = ARP(op=1, hwsrc=mac, psrc="10.0.0.9", pdst=us)
        await bed.drain()
        bed.ready_rate = 0.5
        await bed.frame(bytes(link / (ping if turn % 2 else asks)), behind=1)
        while not bed.part:
            await bed.cycle(s_axis_tvalid=0, rx_status_valid=0)
        await bed.idle(bed.rng.randrange(6))
        await bed.reset()
        bed.ready_rate = 1.0
        await bed.idle(100)
        announced = bytes(Ether() / ARP(hwsrc=back.src, psrc=us, pdst=us))[14:]
        assert announced in [frame[14:] for frame in bed.frames]
        assert all(ARP in Ether(frame) and Ether(frame)[ARP].op == 1 for frame in bed.frames)
        bed.frames.clear()
        await bed.frame(bytes(link / asks), behind=1)
        answer = back / ARP(op=2, hwsrc=back.src, psrc=us, hwdst=mac, pdst="10.0.0.9")
        assert bytes(answer) in await bed.drain()


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize(
    "configuration",
    main_and_kept(__file__, ({"INTERFACES": 2, "FCS": 1}, {"INTERFACES": 1, "FCS": 0})),
    ids=("fcs", "bare"),
)
def test_toe_raw(configuration, test):
    sources = [*rtl("common", "toe"), Path(__file__).resolve().parent / "toe_raw_bench.sv"]
    names = ("_pkg", "toe_rx_parse", "toe_rx_ones", "toe_fifo", "ram_sdp", "toe_arp", "toe_icmp", "toe_raw")
    used = [path for path in sources if any(name in path.stem for name in names)]
    order = sorted(used, key=lambda path: (path.stem != "toe_pkg", not path.stem.endswith("_pkg")))
    Bench("toe_raw_bench", order, configuration).run("test_toe_raw", test)
