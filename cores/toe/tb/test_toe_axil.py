# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_axil: the register map as it is documented, orders, events, counters, sessions."""

import os
from functools import partial
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

import toe_structs
from ullnic_tb import Bench, checkers, cocotb_tests, kept, main_and_kept, parameter, seeded
from ullnic_tb.structs import unpack

CORE = Path(__file__).resolve().parents[1]
SOURCES = [
    *(CORE / "rtl" / f"toe_{name}.sv" for name in ("pkg", "fifo", "counters", "interfaces", "axil")),
    *(CORE / "regs/generated" / f"toe_regs{name}.sv" for name in ("_pkg", "")),
    *checkers(),
    CORE / "tb" / "toe_axil_checks.sv",
]

# The map, written down a second time.
ID, VERSION, CAPABILITY, FEATURES, TX_MEMORY, RX_MEMORY = range(0, 0x18, 4)
IP_HEADER, RTO_INITIAL, RTO_MIN, RTO_MAX, TIME_WAIT, DELAYED_ACK, KEEPALIVE, RETRIES, SECRET = range(0x1C, 0x40, 4)
ORDER_PEER_IP, ORDER_PORTS, ORDER, ORDER_STATUS, EVENT, EVENT_INFO, POLICY, HOST = range(0x40, 0x60, 4)
COUNTERS, INTERFACES, SESSIONS, URGENT = 0x80, 0x100, 0x1000, 0x2000
BUSY, POLICY_BUSY, LOST, POLICY_LOST, REFUSED = 1, 2, 1 << 8, 1 << 9, 1 << 16
HOST_DEFAULT = 3
WRITABLE = {address: 0xFFFF for address in range(RTO_INITIAL, KEEPALIVE, 4)}
WRITABLE |= {
    IP_HEADER: 0x3FFF,
    TIME_WAIT: 0xFFFFFFFF,
    KEEPALIVE: 0x80FFFFFF,
    RETRIES: 0xF0F,
    ORDER_PEER_IP: 0xFFFFFFFF,
    ORDER_PORTS: 0xFFFFFFFF,
    HOST: 0xFF,
}
DEFAULTS = {RTO_INITIAL: 1000, RTO_MIN: 200, RTO_MAX: 60000, TIME_WAIT: 60000 << 16 | 60000, DELAYED_ACK: 40}
DEFAULTS |= {IP_HEADER: 64, KEEPALIVE: 7200_000, RETRIES: 0xF07, ORDER_PEER_IP: 0, ORDER_PORTS: 0}
DEFAULTS |= {HOST: HOST_DEFAULT}
INTERFACE_BITS = (0xFFFF0003, 0xFFFFFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0, 0)
STATS = (
    *("ip_bad", "ip_options", "fragment", "checksum", "malformed", "no_room", "syn_dropped", "table_full"),
    *("arp_bad", "arp_claimed", "arp_dropped", "arp_unasked"),
    *("echo_sent", "echo_full", "echo_bad"),
)
MORE_STATS = ("icmp_reported", "icmp_bad", "icmp_other", "icmp_busy", "host_passed", "host_full", "host_other")
EVENTS_LOST, ORDERS_REFUSED, COUNTER_COUNT = 15, 23, 24
NAMES = {"SESSION_COUNT": 64, "VIRTUAL_INTERFACES_COUNT": 1, "MTU": 1500, "RX_FIFO_BYTES": 16384}
NAMES |= {"TX_RETRANSMIT_MEM_DEPTH": 8192, "ARP_TABLE_ENTRY_COUNT": 16}
FLAGS = {  # in the order of FEATURES
    "RX_STORE_FORWARD": 0,
    "RX_CHECKSUM_VERIFICATION_EN": 1,
    "TX_CONGESTION_CONTROL_EN": 1,
    "TX_PUSH_BIT_VALUE": 1,
    "INSTANT_ACK_EN": 0,
    "ARP_SERVER_EN": 1,
    "ARP_GRATUITOUS_REFRESH_EN": 1,
    "ICMP_SERVER_EN": 1,
    "RX_REORDERING_EN": 0,
    "TIMESTAMPS_EN": 0,
    "RX_URGENT_EN": 0,
    "SOFT_ERRORS_EN": 0,
    "SESSION_POLICY_EN": 0,
    "HOST_EN": 0,
    "SACK_EN": 0,
}
G = {name: parameter(name, default) for name, default in {**NAMES, **FLAGS}.items()}
LARGE = {"SESSION_COUNT": 1024, "VIRTUAL_INTERFACES_COUNT": 8, "MTU": 9000, "RX_FIFO_BYTES": 65536}
LARGE |= {"TX_RETRANSMIT_MEM_DEPTH": 32768, "ARP_TABLE_ENTRY_COUNT": 300, "SESSION_POLICY_EN": 1}
READ_ONLY = {
    ID: int.from_bytes(b"TOE0"),
    VERSION: 1 << 16 | 2,
    CAPABILITY: G["SESSION_COUNT"] - 1 | G["VIRTUAL_INTERFACES_COUNT"] << 12 | G["ARP_TABLE_ENTRY_COUNT"] << 16,
    FEATURES: G["MTU"] | sum(G[name] << 16 + i for i, name in enumerate(FLAGS)),
    TX_MEMORY: G["TX_RETRANSMIT_MEM_DEPTH"],
    RX_MEMORY: G["RX_FIFO_BYTES"],
}
NOTHING = [0x18, 0x60, 0x7C, 0xE0, 0xFC, 0x200, 0x400, 0xFFC, 0x3000, 0x3FFC]


class Bus:
    """The clock, quiet inputs, and a master whose accesses may not take for ever."""

    def __init__(self, dut):
        self.dut, self.rng = dut, seeded(os.environ["ULLNIC_TEST_NAME"])
        for name in (*STATS, *MORE_STATS):
            getattr(dut, f"stat_{name}").value = 0
        inputs = ("order_ready", "event_valid", "event_code", "event_sid", "look_state")
        for name in (*inputs, "event_info", "look_urgent", "policy_ready"):
            getattr(dut, name).value = 0
        dut.rst.value = 1
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        for logger in (self.master.write_if.log, self.master.read_if.log):
            logger.setLevel("WARNING")

    async def start(self):
        Clock(self.dut.clk, 3104, "ps").start()
        await self.cycles(5)
        self.dut.rst.value = 0
        await self.cycles(20)
        return self

    async def cycles(self, n: int) -> None:
        for _ in range(n):
            await RisingEdge(self.dut.clk)

    async def read(self, address: int, resp=AxiResp.OKAY) -> int:
        done = await with_timeout(cocotb.start_soon(self.master.read(address, 4)), 2, "us")
        assert done.resp == resp, f"read of {address:#x}: {done.resp.name}"
        return int.from_bytes(done.data, "little")

    async def write(self, address: int, value: int, resp=AxiResp.OKAY, length: int = 4) -> None:
        octets = value.to_bytes(length, "little")
        done = await with_timeout(cocotb.start_soon(self.master.write(address, octets)), 2, "us")
        assert done.resp == resp, f"write of {address:#x}: {done.resp.name}"

    async def event(self, code: int, sid: int, info: int = 0) -> None:
        self.dut.event_valid.value, self.dut.event_code.value, self.dut.event_sid.value = 1, code, sid
        self.dut.event_info.value = info
        await RisingEdge(self.dut.clk)
        self.dut.event_valid.value = 0

    def settings(self) -> list[int]:
        """From the output: as the registers from IP_HEADER on have them."""
        found = unpack(toe_structs.SETTINGS, int(self.dut.settings.value))
        self.host = found["host"]
        times = [found[name] for name in ("rto_initial", "rto_min", "rto_max", "time_wait", "delayed_ack", "keepalive")]
        times[3] |= found["fin_wait"] << 16
        last = (found["retries"] << 8 | found["syn_retries"], found["secret"])
        return [found["dscp"] << 8 | found["ttl"], *times, *last]

    def interface(self, i: int) -> list[int]:
        """From the output: as its registers have it."""
        bits = sum(toe_structs.IFACE.values())
        found = unpack(toe_structs.IFACE, int(self.dut.interfaces.value) >> bits * i & (1 << bits) - 1)
        flags, mac = found["vlan"] << 16 | found["vlan_on"] << 1 | found["enable"], found["mac"]
        return [flags, mac & 0xFFFFFFFF, mac >> 32, found["ip"], found["mask"], found["gateway"], 0, 0]


@cocotb.test()
async def rules(dut):
    """Values after a reset, bits that are kept, byte strobes; SLVERR for what is not there or cannot be written."""
    bus = await Bus(dut).start()
    values = dict(DEFAULTS)
    for address, value in {**READ_ONLY, **DEFAULTS}.items():
        assert await bus.read(address) == value, hex(address)
    for _ in range(100):
        address = bus.rng.choice([*WRITABLE])
        length = bus.rng.choice((1, 2, 4))
        offset = bus.rng.randrange(0, 5 - length)
        data = bus.rng.getrandbits(8 * length)
        await bus.write(address + offset, data, length=length)
        mask = (1 << 8 * length) - 1 << 8 * offset
        values[address] = (values[address] & ~mask | data << 8 * offset) & WRITABLE[address]
        assert await bus.read(address) == values[address]
        wanted = [values[a] for a in range(IP_HEADER, SECRET, 4)]
        wanted[6] = wanted[6] & 0xFFFFFF if wanted[6] >> 31 else 0
        assert bus.settings()[:-1] == wanted and bus.host == values[HOST]
    await bus.write(SECRET, 0x89ABCDEF)
    await bus.read(SECRET, AxiResp.SLVERR)
    assert bus.settings()[-1] == 0x89ABCDEF
    for address in [*READ_ONLY, EVENT, EVENT_INFO, *range(COUNTERS, COUNTERS + 4 * COUNTER_COUNT, 4)]:
        await bus.write(address, bus.rng.getrandbits(32), AxiResp.SLVERR)
    for address in (SESSIONS, SESSIONS + 4092, URGENT, URGENT + 4092):
        await bus.write(address, bus.rng.getrandbits(32), AxiResp.SLVERR)
    for address in NOTHING:
        await bus.write(address, 1, AxiResp.SLVERR)
        await bus.read(address, AxiResp.SLVERR)
    for address, value in {**READ_ONLY, **values}.items():
        assert await bus.read(address) == value, hex(address)


@cocotb.test()
@pytest.mark.rfc9293("MUST-23", "MUST-25", "MUST-28", "MUST-40", "SHLD-11")
async def times_after_a_reset(dut):
    """A SYN is tried for 3 minutes, data for 100 s; keepalives are off, or two hours apart; ACKs wait for 40 ms."""
    bus = await Bus(dut).start()
    _, initial, least, most, _, delayed_ack, keepalive, retries, _ = bus.settings()

    def tried(first: int, times: int) -> int:
        """Ticks until the peer is given up, each timeout twice as long as the last."""
        return sum(min(first << i, most) for i in range(times + 1))

    assert tried(initial, retries & 15) >= 180_000 and tried(least, retries >> 8) >= 100_000
    assert keepalive == 0 and delayed_ack == 40
    await bus.write(KEEPALIVE + 3, 0x80, length=1)
    assert bus.settings()[6] >= 2 * 60 * 60 * 1000


@cocotb.test()
async def interfaces(dut):
    """Each register of each interface by itself; what is not there reads 0."""
    bus = await Bus(dut).start()
    there = G["VIRTUAL_INTERFACES_COUNT"]
    values = [[0] * 8 for _ in range(8)]
    for _ in range(200):
        i, word = bus.rng.randrange(8), bus.rng.randrange(8)
        length = bus.rng.choice((1, 2, 4, 4))
        offset = bus.rng.randrange(0, 5 - length)
        data = bus.rng.getrandbits(8 * length)
        await bus.write(INTERFACES + 32 * i + 4 * word + offset, data, length=length)
        if i < there:
            mask = (1 << 8 * length) - 1 << 8 * offset
            values[i][word] = (values[i][word] & ~mask | data << 8 * offset) & INTERFACE_BITS[word]
            assert bus.interface(i) == values[i]
    for i in range(8):
        for word in range(8):
            assert await bus.read(INTERFACES + 32 * i + 4 * word) == values[i][word]
        if i < there:
            assert bus.interface(i) == values[i]


@cocotb.test()
async def orders(dut):
    """An order stands until it is taken, whatever is written meanwhile; a second one is lost, and said to be."""
    bus = await Bus(dut).start()
    for n in range(30):
        peer, ports = bus.rng.getrandbits(32), bus.rng.getrandbits(32)
        sid, command = bus.rng.randrange(G["SESSION_COUNT"]), n % 4
        iface = bus.rng.randrange(G["VIRTUAL_INTERFACES_COUNT"]) if command < 2 else bus.rng.getrandbits(3)
        await bus.write(ORDER_PEER_IP, peer)
        await bus.write(ORDER_PORTS, ports)
        assert not dut.order_valid.value
        await bus.write(ORDER, iface << 20 | command << 16 | sid)
        expected = {"command": command, "sid": sid, "iface": iface, "peer_ip": peer, "peer_mac": 0}
        expected |= {"peer_port": ports & 0xFFFF, "local_port": ports >> 16}
        assert await bus.read(ORDER_STATUS) == BUSY
        second = n % 3 == 0
        if second:
            await bus.write(ORDER_PEER_IP, ~peer & 0xFFFFFFFF)
            await bus.write(ORDER, bus.rng.randrange(G["SESSION_COUNT"]) | bus.rng.getrandbits(2) << 16)
        assert await bus.read(ORDER_STATUS) == BUSY | (LOST if second else 0)
        assert dut.order_valid.value and unpack(toe_structs.FLAT_ORDER, int(dut.order.value)) == expected
        dut.order_ready.value = 1
        await RisingEdge(dut.clk)
        dut.order_ready.value = 0
        await FallingEdge(dut.clk)
        assert not dut.order_valid.value
        assert await bus.read(ORDER_STATUS) == (LOST if second else 0)
        await bus.write(ORDER_STATUS, LOST)
        assert await bus.read(ORDER_STATUS) == 0


@cocotb.test()
async def events(dut):
    """In order, each once; of those that find no place the number is known."""
    bus = await Bus(dut).start()
    assert await bus.read(EVENT) >> 31 == 0 and await bus.read(EVENT_INFO) == 0
    sent = []

    async def drain():
        while sent:
            code, sid, info = sent.pop(0)
            assert await bus.read(EVENT) == 1 << 31 | code << 16 | sid
            assert await bus.read(EVENT_INFO) == info
        for _ in range(3):
            assert await bus.read(EVENT) >> 31 == 0
            assert await bus.read(EVENT_INFO) == info

    for count in (1, 5, 64):
        for _ in range(count):
            sent.append((bus.rng.randrange(14), bus.rng.getrandbits(10), bus.rng.getrandbits(32)))
            await bus.event(*sent[-1])
        await bus.cycles(2)
        await drain()
    before = await bus.read(COUNTERS + 4 * EVENTS_LOST)
    for _ in range(64 + 17):
        sent.append((bus.rng.randrange(14), bus.rng.getrandbits(10), bus.rng.getrandbits(32)))
        await bus.event(*sent[-1])
    del sent[64:]
    await bus.cycles(40)
    assert await bus.read(COUNTERS + 4 * EVENTS_LOST) == before + 17
    await drain()


@cocotb.test()
async def counters(dut):
    """Each event counts in its own counter, all of them in every cycle too."""
    bus = await Bus(dut).start()
    names = [*STATS, None, *MORE_STATS, None]
    total = [0] * COUNTER_COUNT

    async def same():
        await bus.cycles(40)
        assert [await bus.read(COUNTERS + 4 * i) for i in range(COUNTER_COUNT)] == total

    for rate in (1.0, 0.5, 0.02):
        for _ in range(400):
            for i, name in enumerate(names):
                if name:
                    on = int(bus.rng.random() < rate)
                    total[i] += on
                    getattr(dut, f"stat_{name}").value = on
            await RisingEdge(dut.clk)
        for name in filter(None, names):
            getattr(dut, f"stat_{name}").value = 0
        await same()
    for i, name in enumerate(names):
        if name:
            getattr(dut, f"stat_{name}").value = 1
            await bus.cycles(i + 1)
            getattr(dut, f"stat_{name}").value = 0
            total[i] += i + 1
    await same()


@cocotb.test()
async def refusals(dut):
    """An order or a policy for what is not there is not given, but refused and counted; the next one is given."""
    bus = await Bus(dut).start()
    sessions, interfaces = G["SESSION_COUNT"], G["VIRTUAL_INTERFACES_COUNT"]
    wrong = [
        (ORDER, command << 16 | sid) for command in range(4) for sid in (sessions, 1023) if sid in range(sessions, 1024)
    ]
    wrong += [
        (ORDER, command << 16 | i << 20) for command in (0, 1) for i in (interfaces, 7) if i in range(interfaces, 8)
    ]
    wrong += [(POLICY, sid) for sid in (sessions, 1023) if sid in range(sessions, 1024)]
    wrong += [(POLICY, 0)] * (not G["SESSION_POLICY_EN"])
    for count, (address, value) in enumerate(wrong, 1):
        await bus.write(address, value)
        await bus.cycles(40)
        assert not dut.order_valid.value and not dut.policy_valid.value
        assert await bus.read(ORDER_STATUS) == REFUSED, hex(value)
        assert await bus.read(COUNTERS + 4 * ORDERS_REFUSED) == count
        await bus.write(ORDER_STATUS, REFUSED)
        assert await bus.read(ORDER_STATUS) == 0
    # While one waits, too: it stays what it is
    await bus.write(ORDER, sessions - 1)
    await bus.cycles(3)
    for address, value in wrong:
        await bus.write(address, value)
        assert await bus.read(ORDER_STATUS) == BUSY | REFUSED
    assert dut.order_valid.value and unpack(toe_structs.ORDER, int(dut.order.value))["sid"] == sessions - 1
    for command in (2, 3):  # the interface is none of theirs
        dut.order_ready.value = 1
        await bus.write(ORDER_STATUS, REFUSED)
        await bus.cycles(3)
        dut.order_ready.value = 0
        await bus.write(ORDER, command << 16 | 7 << 20)
        assert await bus.read(ORDER_STATUS) == BUSY


@cocotb.test()
async def policies(dut):
    """A policy stands until it is taken; a second one is lost, and said to be; orders do not mind."""
    bus = await Bus(dut).start()
    if not G["SESSION_POLICY_EN"]:
        return
    for n in range(20):
        sid, own, keepalive = bus.rng.randrange(G["SESSION_COUNT"]), n & 1, bus.rng.getrandbits(1)
        retries, dscp = bus.rng.getrandbits(4), bus.rng.getrandbits(6)
        await bus.write(POLICY, dscp << 20 | retries << 16 | keepalive << 13 | own << 12 | sid)
        assert await bus.read(ORDER_STATUS) == POLICY_BUSY
        second = n % 3 == 0
        if second:
            await bus.write(POLICY, sid ^ 1)
        assert await bus.read(ORDER_STATUS) == POLICY_BUSY | (POLICY_LOST if second else 0)
        assert dut.policy_valid.value and int(dut.policy_sid.value) == sid
        policy = {"own": own, "keepalive": keepalive, "retries": retries, "dscp": dscp}
        assert unpack(toe_structs.POLICY, int(dut.policy.value)) == policy
        assert not dut.order_valid.value
        dut.policy_ready.value = 1
        await RisingEdge(dut.clk)
        dut.policy_ready.value = 0
        await FallingEdge(dut.clk)
        assert not dut.policy_valid.value
        await bus.write(ORDER_STATUS, POLICY_LOST)
        assert await bus.read(ORDER_STATUS) == 0


@cocotb.test()
async def sessions(dut):
    """The state of the session that was asked for, from a table that answers at once or a cycle later."""
    bus = await Bus(dut).start()
    states = [bus.rng.randrange(11) for _ in range(1024)]
    urgent = [bus.rng.getrandbits(32) for _ in range(1024)]

    async def table(late):
        before = 0
        while True:
            await FallingEdge(dut.clk)
            now = int(dut.look_sid.value)
            at = before if late else now
            dut.look_state.value, dut.look_urgent.value = states[at], urgent[at]
            before = now

    for late in (False, True):
        task = cocotb.start_soon(table(late))
        for sid in [0, 1, 1023, G["SESSION_COUNT"] - 1, G["SESSION_COUNT"] % 1024, *bus.rng.sample(range(1024), 40)]:
            there = sid < G["SESSION_COUNT"]
            expected = {SESSIONS: 1 << 31 | states[sid] if there else 0, URGENT: urgent[sid] if there else 0}
            for base in bus.rng.sample([*expected] * 2, 3):
                assert await bus.read(base + 4 * sid) == expected[base], (base, sid)
        task.cancel()


@cocotb.test()
async def many_at_once(dut):
    """Reads and writes that wait for each other, and answers that are not taken at once: each gets its own answer, and
    each write happens once."""
    bus = await Bus(dut).start()
    master = bus.master
    dut.look_state.value = 5
    last = {address: DEFAULTS[address] for address in (RTO_INITIAL, RTO_MIN, RTO_MAX)}
    last |= {INTERFACES + 12: 0, INTERFACES + 16: 0}
    fixed = {ID: 0x544F4530, TX_MEMORY: G["TX_RETRANSMIT_MEM_DEPTH"], COUNTERS: 0, SESSIONS: 1 << 31 | 5, URGENT: 0}
    fixed |= {COUNTERS + 4: 0, INTERFACES + 24: 0, SECRET: None, 0x18: None, 0x3000: None}

    async def reads():
        for _ in range(bus.rng.randrange(1, 12)):
            address = bus.rng.choice([*fixed])
            expected = fixed[address]
            pending.append((address, expected, cocotb.start_soon(master.read(address, 4))))

    async def writes():
        for _ in range(bus.rng.randrange(12)):
            address, value = bus.rng.choice([*last, ID]), bus.rng.getrandbits(16)
            if address != ID:
                last[address] = value
            done = cocotb.start_soon(master.write(address, value.to_bytes(4, "little")))
            pending.append((address, None if address == ID else value, done))

    for share in (0.0, 0.5, 0.9):
        stalls = partial(lambda share: bus.rng.random() < share, share)
        for channel in (master.read_if.r_channel, master.write_if.b_channel):
            channel.set_pause_generator(iter(stalls, None))
        for _ in range(60):
            pending = []
            for part in bus.rng.sample((reads, writes), 2):
                await part()
                await bus.cycles(bus.rng.choice((0, 0, 1, 2)))
            for address, expected, task in pending:
                done = await with_timeout(task, 4, "us")
                assert done.resp == (AxiResp.SLVERR if expected is None else AxiResp.OKAY), hex(address)
                if hasattr(done, "data") and expected is not None:
                    assert int.from_bytes(done.data, "little") == expected, hex(address)
            for address, value in last.items():
                assert await bus.read(address) == value, hex(address)


@cocotb.test()
async def answers_in_time(dut):
    """As many cycles after the request as the head of the module says."""
    bus = await Bus(dut).start()

    async def cycles(request, response):
        taken, count = set(), 0
        while True:
            await FallingEdge(dut.clk)
            if taken == set(request):
                count += 1
            for channel in request:
                if getattr(dut, f"s_axil_{channel}valid").value and getattr(dut, f"s_axil_{channel}ready").value:
                    taken.add(channel)
            if getattr(dut, f"s_axil_{response}valid").value and getattr(dut, f"s_axil_{response}ready").value:
                return count

    for address, reads, writes in (
        (ID, 5, 0),
        (RTO_MIN, 5, 3),
        (COUNTERS, 6, 0),
        (INTERFACES, 6, 4),
        (SESSIONS, 8, 0),
        (URGENT, 8, 0),
    ):
        watch = cocotb.start_soon(cycles(["ar"], "r"))
        await bus.read(address)
        assert await watch == reads, hex(address)
        if writes:
            watch = cocotb.start_soon(cycles(["aw", "w"], "b"))
            await bus.write(address, 1)
            assert await watch == writes, hex(address)


def bench(generics: dict[str, int]) -> Bench:
    return Bench("toe_axil", sorted(SOURCES, key=lambda path: not path.stem.endswith("_pkg")), generics)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("generics", main_and_kept(__file__, ({}, LARGE)), ids=("default", "large"))
def test_toe_axil(generics, test):
    bench(generics).run("test_toe_axil", test)


@kept(__file__)
@pytest.mark.parametrize(
    "flags",
    (["INSTANT_ACK_EN"], [*FLAGS][:4], [*FLAGS][5:8], [*FLAGS][8:11], [*FLAGS][11:]),
    ids=lambda flags: flags[0],
)
def test_toe_axil_features(flags):
    bench({name: 1 - FLAGS[name] for name in flags}).run("test_toe_axil", "rules")
