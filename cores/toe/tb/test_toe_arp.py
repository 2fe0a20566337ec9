# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_arp against scapy: server, client, table, announcements, and hosts that lie or shout."""

from itertools import pairwise

import cocotb
import pytest
from scapy.layers.l2 import ARP, Dot1Q, Ether

from toe_raw_bed import RawBed, toe_sources
from toe_rx_fields import Interface
from ullnic_tb import Bench, cocotb_tests, kept, parameter

ENTRIES = parameter("ARP_TABLE_ENTRY_COUNT", 16)
INTERFACES = parameter("INTERFACES", 1)
REFRESH = parameter("ARP_GRATUITOUS_REFRESH_EN", 1)
SERVER = parameter("ARP_SERVER_EN", 1)
RETRY = parameter("ARP_RETRY_TICKS", 1000)
RETRIES = parameter("ARP_RETRIES", 3)
AGE = parameter("ARP_AGE_TICKS", 60000)
TICK = 8  # cycles
FIRST = Interface(mac=b"\x02\0\0\0\0\x01", ip=b"\x0a\0\0\x01")
# The second one shares the MAC address of the first; the third and fourth are in VLANs, with the same address in both.
ALL = (
    FIRST,
    Interface(mac=FIRST.mac, ip=b"\x0a\0\0\x02"),
    Interface(mac=b"\x02\0\0\0\0\x03", ip=b"\x0a\x01\0\x01", vlan=0x6005),
    Interface(mac=b"\x02\0\0\0\0\x04", ip=b"\x0a\x01\0\x01", vlan=0x0006),
)[:INTERFACES]


def dotted(ip: bytes) -> str:
    return ".".join(map(str, ip))


def colons(mac: bytes) -> str:
    return mac.hex(":")


def packet(interface: Interface, mac: bytes, ip: bytes, target: bytes, op=1, dst=None, tha=b"\0" * 6, **more) -> Ether:
    """An ARP message on the network of an interface."""
    ether = Ether(src=colons(mac), dst=dst and colons(dst) or "ff:ff:ff:ff:ff:ff")
    if interface.vlan is not None:
        ether /= Dot1Q(vlan=interface.vlan & 0xFFF, prio=1)
    fields = {"op": op, "hwsrc": colons(mac), "psrc": dotted(ip), "hwdst": colons(tha), "pdst": dotted(target)} | more
    return ether / ARP(**fields)


def padded(frame) -> bytes:
    return bytes(frame).ljust(60, b"\0")


def sent(interface: Interface, target: bytes, op=1, to: bytes | None = None) -> bytes:
    """What an interface of ours should send."""
    tags = () if interface.vlan is None else (interface.vlan,)
    frame = Ether(src=colons(interface.mac), dst=colons(to) if to else "ff:ff:ff:ff:ff:ff")
    for tag in tags:
        frame /= Dot1Q(prio=tag >> 13, id=tag >> 12 & 1, vlan=tag & 0xFFF)
    tha = colons(to) if op == 2 else "00:00:00:00:00:00"
    frame /= ARP(op=op, hwsrc=colons(interface.mac), psrc=dotted(interface.ip), hwdst=tha, pdst=dotted(target))
    return bytes(frame)


class ArpBed(RawBed):
    OUTPUTS = (
        *("resolve_done", "resolve_found", "resolve_mac"),
        *("changed_valid", "changed_iface", "changed_ip", "changed_mac"),
        *("stat_malformed", "stat_conflict", "stat_dropped", "stat_unasked"),
    )
    INPUTS = {"tick": 0, "resolve_valid": 0, "resolve_iface": 0, "resolve_ip": 0, "changed_ready": 1}

    def __init__(self, dut, interfaces=ALL):
        super().__init__(dut, interfaces)
        self.wants: tuple[int, bytes] | None = None
        self.answer: bytes | None = None
        self.answered = 0
        self.changes: list[tuple[int, bytes, bytes]] = []
        self.changed_rate, self.ticking = 1.0, True

    async def cycle(self, rx=None, **inputs):
        iface, ip = self.wants or (0, b"\0")
        ready = int(self.rng.random() < self.changed_rate)
        out = await super().cycle(
            rx,
            tick=int(self.ticking and self.stepper.cycle % TICK == 0),
            resolve_valid=int(self.wants is not None),
            resolve_iface=iface,
            resolve_ip=int.from_bytes(ip),
            changed_ready=ready,
            **inputs,
        )
        if out.resolve_done:
            assert self.wants is not None
            self.answer = out.resolve_mac.to_bytes(6) if out.resolve_found else None
            self.wants = None
            self.answered += 1
        if out.changed_valid and ready:
            self.changes.append((out.changed_iface, out.changed_ip.to_bytes(4), out.changed_mac.to_bytes(6)))
        return out

    async def resolve(self, iface: int, ip: bytes, cycles: int | None = None) -> bytes | None:
        """The answer of the table, or of nobody; AssertionError if it is not there in time."""
        before = self.answered
        self.wants = (iface, ip)
        for _ in range(cycles or (RETRIES + 1) * (RETRY + 2) * TICK + 100):
            await self.cycle()
            if self.answered != before:
                return self.answer
        raise AssertionError("no end of a resolution")

    async def known(self, iface: int, ip: bytes) -> bytes | None:
        """What the table has; asks nobody (and spoils the client for later)."""
        before, self.ticking = self.answered, False
        self.wants = (iface, ip)
        for _ in range(2 * ENTRIES + 20):
            await self.cycle()
            if self.answered != before:
                self.ticking = True
                return self.answer
        return None

    def host(self, n: int, interface: Interface = FIRST) -> tuple[bytes, bytes]:
        return b"\x02\xaa" + n.to_bytes(4), interface.ip[:2] + (n + 256).to_bytes(2)


async def quiet(dut, interfaces=ALL) -> ArpBed:
    """Behind the announcements."""
    bed = await ArpBed(dut, interfaces).reset()
    await bed.drain(3 * (RETRY + 1) * TICK + 100)
    return bed


@cocotb.test()
async def announces(dut):
    """Each interface announces its address twice when it is enabled, and again when it comes back."""
    off = [Interface(mac=i.mac, ip=i.ip, vlan=i.vlan, enable=False) for i in ALL]
    bed = await ArpBed(dut, off).reset()
    assert await bed.drain(3 * RETRY * TICK) == []
    for _ in range(2):
        for i, interface in enumerate(ALL):
            bed.configure(i, interface)
            start = bed.stepper.cycle
            assert await bed.drain(60) == [sent(interface, interface.ip)]
            first = bed.began[-1]
            assert first - start < 20
            assert await bed.drain(3 * (RETRY + 1) * TICK) == [sent(interface, interface.ip)]
            assert RETRY * TICK - 20 <= bed.began[-1] - first <= 2 * RETRY * TICK + 20
        for i, interface in enumerate(off):
            bed.configure(i, interface)
            await bed.idle(5)


@cocotb.test()
async def serves(dut):
    """Requests for our addresses are answered, to whom they came from, on the interface that they are for."""
    bed = await quiet(dut)
    expected = []
    for n in range(40):
        i = bed.rng.randrange(INTERFACES)
        interface = ALL[i]
        mac, ip = bed.host(n % 5, interface)
        kind = bed.rng.randrange(6)
        target = bytes([10, 9, 9, 9]) if kind == 0 else interface.ip
        op = 2 if kind == 1 else 1
        probe = kind == 2
        dst = interface.mac if bed.rng.random() < 0.5 else None
        frame = packet(interface, mac, b"\0" * 4 if probe else ip, target, op, dst)
        if kind == 3:  # for nobody here
            frame.dst = "02:00:00:00:00:99"
        bed.ready_rate = bed.rng.choice((1, 0.6))
        await bed.send(padded(frame), pauses=bed.rng.choice((0, 0.2)), late=bed.rng.randrange(3), good=kind != 4)
        await bed.idle(60)
        if op == 1 and kind not in (0, 3, 4) and SERVER:
            expected.append(sent(interface, b"\0" * 4 if probe else ip, 2, mac))
    got = await bed.drain()
    polls = [frame for frame in got if frame not in expected]
    assert [frame for frame in got if frame in expected] == expected
    assert all(frame[:1] == b"\x02" and Ether(frame)[ARP].op == 1 for frame in polls)  # refreshes
    assert bed.stats["malformed"] == bed.stats["conflict"] == bed.stats["dropped"] == 0


@cocotb.test()
async def reply_latency(dut):
    """The first word of the answer 5 cycles behind the verdict; a frame without padding, too, that ends with it."""
    bed = await quiet(dut)
    mac, ip = bed.host(1)
    for octets in (padded(packet(FIRST, mac, ip, FIRST.ip)), bytes(packet(FIRST, mac, ip, FIRST.ip))):
        bed.model.fcs = len(octets) == 60
        await bed.send(octets, gap=0)
        end = bed.stepper.cycle
        await bed.idle(40)
        assert bed.frames.pop() == sent(FIRST, ip, 2, mac)
        assert bed.began[-1] - end == 5


@cocotb.test()
async def other_vlan(dut):
    """Frames with a tag that we do not have, or without the one that we have, are not for us."""
    bed = await quiet(dut)
    for vlan in (None, 0, 5, 6, 7):
        for interface in ALL:
            mac, ip = bed.host(3, interface)
            stranger = Interface(mac=interface.mac, ip=interface.ip, vlan=vlan)
            await bed.send(padded(packet(stranger, mac, ip, interface.ip)))
            frames = await bed.drain(80)
            here = [i for i in ALL if i.ip == interface.ip and (i.vlan or 0) & 0xFFF == (vlan or 0)]
            assert frames == [sent(i, ip, 2, mac) for i in here], vlan
            twice = packet(stranger, mac, ip, interface.ip)
            twice = Ether(src=twice.src, dst=twice.dst) / Dot1Q(vlan=vlan or 0) / Dot1Q(vlan=vlan or 0) / twice[ARP]
            await bed.send(padded(twice))
            assert await bed.drain(80) == []


@cocotb.test()
async def asks(dut):
    """The client asks, RETRIES times, RETRY_TICKS apart, and takes the answer, whenever it comes."""
    bed = await quiet(dut)
    for i, interface in enumerate(ALL):
        _, nobody = bed.host(77, interface)
        await bed.drain()
        bed.began.clear()
        assert await bed.resolve(i, nobody) is None
        timed = list(zip(bed.began, await bed.drain(), strict=True))
        asked = [(cycle, frame) for cycle, frame in timed if frame[:1] == b"\xff"]  # the others are refreshes
        assert [frame for _, frame in asked] == [sent(interface, nobody)] * RETRIES
        gaps = [after - before for (before, _), (after, _) in pairwise(asked)]
        assert all(RETRY * TICK - TICK <= gap <= (RETRY + 1) * TICK + 20 for gap in gaps), gaps
        for n in range(RETRIES):
            mac, ip = bed.host(10 + 4 * i + n, interface)
            bed.wants = (i, ip)
            await bed.idle(n * (RETRY + 1) * TICK + 60)
            asked = [frame for frame in await bed.drain(1) if frame[:1] == b"\xff"]
            assert asked == [sent(interface, ip)] * (n + 1)
            # An answer about somebody else does not count.
            other_mac, other_ip = bed.host(66, interface)
            await bed.send(padded(packet(interface, other_mac, other_ip, interface.ip, 2, interface.mac)))
            await bed.idle(2 * ENTRIES + 20)
            assert bed.wants is not None
            await bed.send(padded(packet(interface, mac, ip, interface.ip, 2, interface.mac, interface.mac)))
            await bed.idle(2 * ENTRIES + 20)
            assert bed.wants is None and bed.answer == mac
            assert await bed.resolve(i, ip, 2 * ENTRIES + 20) == mac  # now from the table
            assert b"\xff" not in [frame[:1] for frame in await bed.drain()]


@cocotb.test()
async def asks_in_vain(dut):
    """An interface that is off, is not there, or is switched off meanwhile, ends a resolution."""
    bed = await quiet(dut)
    assert INTERFACES == 8 or await bed.resolve(7, b"\x0a\0\0\x63", 10) is None
    bed.wants = (0, b"\x0a\0\0\x63")
    await bed.idle(60)
    assert bed.wants is not None
    bed.configure(0, Interface(mac=FIRST.mac, ip=FIRST.ip, enable=False))
    await bed.idle(3)
    assert bed.wants is None and bed.answer is None
    assert await bed.resolve(0, b"\x0a\0\0\x63", 10) is None


@cocotb.test()
async def learns(dut):
    """RFC 826: a sender that is known is updated by anything, one that is not is added only if we are the target."""
    bed = await quiet(dut)
    for i, interface in enumerate(ALL):
        mac, ip = bed.host(20 + i, interface)
        new, newer = b"\x02\xbb" + mac[2:], b"\x02\xcc" + mac[2:]
        await bed.send(padded(packet(interface, mac, ip, b"\x0a\x09\x09\x09")))  # of a talk that is not ours
        await bed.send(padded(packet(interface, mac, ip, ip)))  # gratuitous
        await bed.idle(2 * ENTRIES)
        assert bed.changes == []
        await bed.send(padded(packet(interface, mac, ip, interface.ip)))
        await bed.idle(2 * ENTRIES)
        assert bed.changes == [(i, ip, mac)]
        await bed.send(padded(packet(interface, mac, ip, interface.ip)))
        await bed.idle(2 * ENTRIES)
        assert bed.changes == [(i, ip, mac)]  # nothing new
        await bed.send(padded(packet(interface, new, ip, ip)))  # a gratuitous request, then a gratuitous reply
        await bed.send(padded(packet(interface, newer, ip, ip, 2)))
        await bed.idle(3 * ENTRIES)
        assert bed.changes == [(i, ip, mac), (i, ip, new), (i, ip, newer)]
        bed.changes.clear()
        assert await bed.known(i, ip) == newer
    assert await bed.known(0, b"\x0a\x09\x09\x09") is None


@cocotb.test()
async def networks_apart(dut):
    """The same IP address in two VLANs is two hosts."""
    bed = await quiet(dut)
    ip = b"\x0a\x01\0\x63"
    macs = {2: b"\x02\xdd\0\0\0\x02", 3: b"\x02\xdd\0\0\0\x03"}
    for i, mac in macs.items():
        await bed.send(padded(packet(ALL[i], mac, ip, ALL[i].ip)))
    await bed.idle(3 * ENTRIES)
    new = b"\x02\xee\0\0\0\x03"
    await bed.send(padded(packet(ALL[3], new, ip, ip)))
    await bed.idle(3 * ENTRIES)
    assert bed.changes == [(2, ip, macs[2]), (3, ip, macs[3]), (3, ip, new)]
    assert await bed.known(2, ip) == macs[2]
    assert await bed.known(3, ip) == new


@cocotb.test()
async def changes_wait(dut):
    """A reader of changes that is slow loses none that the table has taken, each is right when it is reported."""
    bed = await quiet(dut)
    bed.changed_rate = 0.01  # so slow that some are dropped for certain
    table, known = {}, {}
    for n in range(60):
        number = n % min(4, ENTRIES)
        _, ip = bed.host(number)
        mac = b"\x02\xaa\0\0" + bytes([n, number])
        await bed.send(padded(packet(FIRST, mac, ip, FIRST.ip)), gap=0)
        table[ip] = mac
    bed.changed_rate = 1.0
    await bed.idle(20 * (ENTRIES + 5))
    for _, ip, mac in bed.changes:
        assert known.get(ip) != mac
        known[ip] = mac
    dropped = bed.stats["dropped"]
    assert 0 < dropped < 60 and len(bed.changes) == 60 - dropped
    for ip in table:
        assert await bed.known(0, ip) == known[ip]


@cocotb.test()
async def ages(dut):
    """Who is silent is asked three times, by itself, and then forgotten; who answers stays."""
    bed = await quiet(dut)
    here_mac, here = bed.host(1)
    gone_mac, gone = bed.host(2)
    for mac, ip in ((here_mac, here), (gone_mac, gone)):
        await bed.send(padded(packet(FIRST, mac, ip, FIRST.ip)))
    polls = {here: 0, gone: 0}
    start = bed.stepper.cycle
    forgotten = None
    await bed.drain(100)
    while bed.stepper.cycle - start < 3 * AGE * TICK:
        await bed.idle(2)
        for frame in bed.frames:
            poll = Ether(frame)[ARP]
            ip = bytes(map(int, poll.pdst.split(".")))
            mac = {here: here_mac, gone: gone_mac}[ip]
            want = bytearray(sent(FIRST, ip))
            want[:6] = mac
            assert frame == bytes(want)
            polls[ip] += 1
            if ip == here:
                await bed.send(padded(packet(FIRST, here_mac, here, FIRST.ip, 2, FIRST.mac, FIRST.mac)))
        bed.frames.clear()
        if polls[gone] == 3 or not REFRESH:
            forgotten = forgotten or bed.stepper.cycle - start
    if REFRESH:
        assert polls[gone] == 3 and polls[here] >= 2
        assert forgotten <= (AGE + 2 * ENTRIES) * TICK
        assert await bed.known(0, here) == here_mac
    else:
        assert polls == {here: 0, gone: 0}
    assert bed.stats["unasked"] == 0
    assert await bed.known(0, gone) is None


@cocotb.test()
async def reset_at_any_moment(dut):
    """Nothing is known then, nothing is to be done; the first message is learnt, as early as it can come."""
    bed = await quiet(dut)
    rng, off = bed.rng, Interface(mac=FIRST.mac, ip=FIRST.ip, enable=False)
    for turn in range(8):
        bed.changed_rate = bed.ready_rate = rng.choice((0.1, 1))
        if rng.random() < 0.3:
            bed.configure(0, off)
            await bed.idle(2)
            bed.configure(0, FIRST)
        _, before = old = bed.host(rng.randrange(20))
        bed.wants = (0, rng.choice((old, bed.host(50)))[1])
        await bed.idle(rng.randrange(2 * ENTRIES))
        for _ in range(rng.randrange(1, 4)):
            await bed.send(padded(packet(FIRST, *old, FIRST.ip)), gap=rng.randrange(2 * ENTRIES))
        bed.configure(0, rng.choice((off, FIRST)))
        await bed.idle(rng.randrange(20))
        bed.configure(0, FIRST)
        bed.wants, bed.ticking = None, True
        await bed.reset()
        bed.changes, bed.changed_rate, bed.ready_rate, bed.model.fcs = [], 1.0, 1.0, False
        mac, ip = bed.host(100 + turn)
        await bed.send(bytes(packet(FIRST, mac, ip, FIRST.ip)), gap=3 * ENTRIES)
        bed.model.fcs = True
        announced = {sent(each, each.ip) for each in ALL}
        assert {*await bed.drain(100)} == announced | ({sent(FIRST, ip, 2, mac)} if SERVER else set())
        assert bed.changes == [(0, ip, mac)]
        assert await bed.known(0, ip) == mac and await bed.known(0, before) is None


@cocotb.test()
async def lives_long_enough(dut):
    """An entry is there for AGE_TICKS less a round of visits, and not a round longer."""
    bed = await quiet(dut)
    mac, ip = bed.host(5)
    for ticks, there in ((AGE - 2 * ENTRIES, True), (AGE + 2 * ENTRIES, False)):
        await bed.send(padded(packet(FIRST, mac, ip, FIRST.ip)))
        await bed.drain(ticks * TICK)
        assert (await bed.known(0, ip) == mac) == there
        if there:
            await bed.drain(100)


@cocotb.test()
async def comes_back_elsewhere(dut):
    """What an interface had learnt is forgotten when it is enabled again; the others keep theirs."""
    bed = await quiet(dut)
    for i, interface in enumerate(ALL):
        mac, ip = bed.host(30 + i, interface)
        await bed.send(padded(packet(interface, mac, ip, interface.ip)))
    await bed.idle(3 * ENTRIES)
    bed.configure(0, Interface(mac=FIRST.mac, ip=FIRST.ip, enable=False))
    await bed.idle(2)
    bed.configure(0, FIRST)
    await bed.idle(3 * ENTRIES)
    for i, interface in enumerate(ALL[1:], 1):
        mac, ip = bed.host(30 + i, interface)
        assert await bed.known(i, ip) == mac
    assert await bed.known(0, bed.host(30)[1]) is None


@cocotb.test()
async def malformed(dut):
    """Wrong lengths, types, opcodes, senders, ends: counted, not answered, not learnt."""
    bed = await quiet(dut)
    mac, ip = bed.host(1)
    good = {"op": 1, "hwlen": 6, "plen": 4, "hwtype": 1, "ptype": 0x0800}
    wrong = [{"op": op} for op in (0, 3, 4, 8, 9, 0x0101, 0x0201, 0xFFFF)]
    wrong += [{"hwlen": n} for n in (0, 5, 7, 255)] + [{"plen": n} for n in (0, 3, 5, 16)]
    wrong += [{"hwtype": n} for n in (0, 2, 6, 0x0100)] + [{"ptype": n} for n in (0x0801, 0x86DD, 0x0008)]
    wrong += [{"hwsrc": m} for m in ("00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01")]
    wrong += [{"psrc": a} for a in ("255.255.255.255", "224.0.0.1", "240.0.0.1", "127.0.0.1", "127.1.2.3")]
    for n, change in enumerate(wrong):
        raw = packet(FIRST, mac, ip, FIRST.ip)
        for name, value in (good | change).items():
            if name in ("hwlen", "plen"):
                continue
            setattr(raw[ARP], name, value)
        octets = bytearray(padded(raw))
        arp = 14
        octets[arp + 4] = change.get("hwlen", 6)
        octets[arp + 5] = change.get("plen", 4)
        if "ptype" in change or "hwtype" in change:  # scapy lays out other addresses then
            octets[arp + 8 :] = bytes(packet(FIRST, mac, ip, FIRST.ip))[arp + 8 :].ljust(60 - arp - 8, b"\0")
        await bed.send(bytes(octets))
        await bed.idle(4)
        assert bed.stats["malformed"] == n + 1, change
    bed.model.fcs = False
    whole = bytes(packet(FIRST, mac, ip, FIRST.ip))
    for size in range(18, 42):
        await bed.send(whole[:size])
        await bed.idle(4)
    assert bed.stats["malformed"] == len(wrong) + 42 - 18
    assert await bed.drain() == [] and bed.changes == []
    assert bed.stats["dropped"] == bed.stats["conflict"] == bed.stats["unasked"] == 0
    # Nothing is counted in the cycle after a reset, wherever that comes
    words = [*bed.model.frame(whole[:41]), *[None] * 4]
    for at in range(len(words) - 1):
        for i, rx in enumerate(words):
            await bed.cycle(rx, rst=int(i == at))
            if i == at:
                bed.part, bed.held, before = b"", None, bed.stats.copy()
            elif i == at + 1:
                assert bed.stats == before


@cocotb.test()
async def not_good(dut):
    """A wrong FCS: nothing at all."""
    bed = await quiet(dut)
    mac, ip = bed.host(1)
    for late in (0, 1, 2):
        await bed.send(padded(packet(FIRST, mac, ip, FIRST.ip)), good=False, late=late)
    assert await bed.drain() == [] and bed.changes == [] and not +bed.stats


@cocotb.test()
async def conflict(dut):
    """Somebody else with our address: counted, never learnt or answered.  Our own frames that come back: nothing."""
    bed = await quiet(dut)
    mac, ip = bed.host(1)
    count = 0
    for interface in ALL:
        for op, target in ((1, interface.ip), (2, interface.ip), (1, ip), (2, ip)):
            await bed.send(padded(packet(interface, mac, interface.ip, target, op)))
            await bed.idle(10)
            count += 1
            assert bed.stats["conflict"] == count
            await bed.send(padded(packet(interface, interface.mac, interface.ip, target, op)))
            await bed.idle(10)
            assert bed.stats["conflict"] == count
    assert await bed.drain() == [] and bed.changes == []
    for i, interface in enumerate(ALL):
        if interface.ip != FIRST.ip:
            continue
        assert await bed.known(i, interface.ip) is None


@cocotb.test()
async def no_address_yet(dut):
    """An interface without an IP address has no conflict with those that probe (RFC 5227: they send from 0)."""
    bed = await quiet(dut)
    bed.configure(0, Interface(mac=FIRST.mac, ip=bytes(4)))
    mac, ip = bed.host(1)
    await bed.send(padded(packet(FIRST, mac, bytes(4), ip)))
    assert await bed.drain() == [] and not +bed.stats


@cocotb.test()
async def unasked(dut):
    """Replies that nobody asked for are counted; RFC 826 has them learnt, but not in the place of a wanted one."""
    bed = await quiet(dut)
    bed.ticking = False
    wanted = []
    for n in range(ENTRIES - 1):
        mac, ip = bed.host(n)
        bed.wants = (0, ip)
        await bed.idle(2 * ENTRIES + 30)
        await bed.send(padded(packet(FIRST, mac, ip, FIRST.ip, 2, FIRST.mac, FIRST.mac)))
        await bed.idle(2 * ENTRIES)
        assert bed.answer == mac
        wanted.append((mac, ip))
    assert bed.stats["unasked"] == 0
    for n in range(100, 100 + 2 * ENTRIES):
        mac, ip = bed.host(n)
        await bed.send(padded(packet(FIRST, mac, ip, FIRST.ip, 2, FIRST.mac, FIRST.mac)))
        await bed.idle(2 * ENTRIES)
    assert bed.stats["unasked"] == 2 * ENTRIES
    last_mac, last = mac, ip
    for mac, ip in [*wanted, (last_mac, last)]:
        assert await bed.resolve(0, ip, 2 * ENTRIES + 20) == mac


@cocotb.test()
async def full_of_wanted(dut):
    """More peers than entries: each is found when it is asked for, and a stranger does not get in."""
    bed = await quiet(dut)
    bed.ticking = False
    for n in range(2 * ENTRIES + 1):
        mac, ip = bed.host(n)
        bed.wants = (0, ip)
        await bed.idle(2 * ENTRIES + 30)
        await bed.send(padded(packet(FIRST, mac, ip, FIRST.ip, 2, FIRST.mac, FIRST.mac)))
        await bed.idle(2 * ENTRIES)
        assert bed.answer == mac and bed.wants is None
    bed.changes.clear()
    mac, ip = bed.host(1000)
    await bed.send(padded(packet(FIRST, mac, ip, FIRST.ip)))
    await bed.idle(2 * ENTRIES)
    assert bed.changes == []
    # In turn: the last ENTRIES are there.
    for n in range(ENTRIES + 1, 2 * ENTRIES + 1):
        mac, ip = bed.host(n)
        assert await bed.resolve(0, ip, 2 * ENTRIES + 20) == mac


@cocotb.test()
async def flood(dut):
    """Requests at line rate from ever new hosts: a wanted peer stays, a new one is found, all taken are answered."""
    bed = await quiet(dut)
    mac, ip = bed.host(1)
    bed.wants = (0, ip)
    await bed.idle(2 * ENTRIES + 30)
    await bed.send(padded(packet(FIRST, mac, ip, FIRST.ip, 2, FIRST.mac, FIRST.mac)))
    await bed.drain()
    bed.changes.clear()
    bed.stats.clear()
    new_mac, new = bed.host(2)
    count, slow = 150, ENTRIES > 16
    bed.ticking = False
    for n in range(count):
        if n == 50:
            bed.wants = (0, new)
        if n == 120:
            await bed.send(padded(packet(FIRST, new_mac, new, FIRST.ip, 2, FIRST.mac, FIRST.mac)), gap=5)
            if slow:  # until one of the answers finds place
                for _ in range(60):
                    await bed.send(padded(packet(FIRST, new_mac, new, FIRST.ip, 2, FIRST.mac, FIRST.mac)), gap=5)
        flooder, address = bed.host(1000 + n)
        await bed.send(padded(packet(FIRST, flooder, address, FIRST.ip)), gap=5)  # 21 cycles a frame
    await bed.idle(40 * ENTRIES + 100)
    frames, bed.frames = bed.frames, []
    replies = [Ether(frame)[ARP] for frame in frames if Ether(frame)[ARP].op == 2]
    assert frames.count(sent(FIRST, new)) == 1
    assert len({reply.pdst for reply in replies}) == len(replies)
    assert (bed.stats["dropped"] > 0) == slow
    if SERVER and not slow:
        assert len(replies) == count
    assert bed.answer == new_mac and bed.wants is None
    for peer, address in ((mac, ip), (new_mac, new)):
        assert await bed.resolve(0, address, 2 * ENTRIES + 20) == peer


CONFIGURATIONS = (
    {"INTERFACES": 1, "ARP_TABLE_ENTRY_COUNT": 16},
    {"INTERFACES": 4, "ARP_TABLE_ENTRY_COUNT": 7},
    {"INTERFACES": 2, "ARP_TABLE_ENTRY_COUNT": 40, "ARP_GRATUITOUS_REFRESH_EN": 0},
    {"INTERFACES": 1, "ARP_TABLE_ENTRY_COUNT": 16, "ARP_SERVER_EN": 0},
)
TIMES = {"ARP_AGE_TICKS": 1000, "ARP_RETRY_TICKS": 40, "ARP_RETRIES": 3}
PARTS = [f"toe_arp_{part}" for part in ("pkg", "rx", "table", "client", "announce", "frames")]
SERVER_TESTS = ("serves", "flood")  # what there is to see of a server that is off
FOUR = ("networks_apart",)  # needs as many interfaces


def applies(configuration: dict[str, int], test: str) -> bool:
    return (test in SERVER_TESTS or configuration.get("ARP_SERVER_EN", 1)) and (
        test not in FOUR or configuration["INTERFACES"] >= 4
    )


@pytest.mark.parametrize(
    "configuration, test",
    [
        pytest.param(
            configuration,
            test,
            id="-".join([*map(str, configuration.values()), test]),
            marks=() if configuration is CONFIGURATIONS[0] else kept(__file__),
        )
        for configuration in CONFIGURATIONS
        for test in cocotb_tests(__name__)
        if applies(configuration, test)
    ],
)
def test_toe_arp(configuration, test):
    Bench("toe_arp", toe_sources(*PARTS, "toe_arp"), TIMES | configuration).run("test_toe_arp", test)
