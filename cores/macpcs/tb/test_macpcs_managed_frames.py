# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Two macpcs_managed back to back (macpcs_managed_bench.py): pause, counters, the longest frame, the address filter."""

import cocotb
import pytest
from cocotb.triggers import Timer

from baser import HEADER_CTRL, Line, fcs
from macpcs_managed_bench import (
    ADDRESS_FILTER,
    BYTES,
    CAPABILITY2,
    CONTROL,
    ENDS,
    FILTER,
    LOCAL,
    LOCK,
    MAC_HI,
    MAC_LO,
    MAX_BYTES,
    MAX_LENGTH,
    MIN_BYTES,
    PASS_GROUP,
    PAUSE_LENGTH,
    PAUSE_REQUEST,
    QUANTUM_PS,
    UP,
    WIDTH,
    Delivered,
    User,
    managed,
    new,
    read_rx,
)
from macpcs_pause import MULTICAST, pause_frame, pause_quanta
from ullnic_tb import cocotb_tests, main_and_kept

MACS = [bytes.fromhex("0200000000a1"), bytes.fromhex("06123456789b")]
OWN_QUANTA = (40, 70)  # that a's user asks for in PAUSE frames of his own


def pausing_users(rng):
    users = [User(), User().saturate(rng, 300_000, longest=300)]
    users[0].saturate(rng, 8000, longest=300)
    for quanta in OWN_QUANTA:
        users[0].frame(pause_frame(quanta, MACS[0], MACS[1]))
        users[0].saturate(rng, 9000, longest=300)
    users[0].own_pauses_end = len(users[0].frames)
    users[0].saturate(rng, 300_000, longest=300)
    return users


@cocotb.test()
async def pause(dut):
    """A request holds the other end within a frame, is renewed, and ends at once; quanta are as long as they say."""
    link = await new(dut, pausing_users).started(go=0)
    for end in range(2):
        await link.write(end, MAC_HI, int.from_bytes(MACS[end][:2], "big"))
        await link.write(end, MAC_LO, int.from_bytes(MACS[end][2:], "big"))
    dut.go.value = 3
    while link.get("user_frames", 0, 16) < link.users[0].own_pauses_end:
        await Timer(1, "us")
    # By the port of a, then by b's register.
    link.set("pause_req", 0, 1)
    await Timer(5, "us")
    assert int(dut.tx_paused.value) == 2
    link.set("pause_req", 0, 0)
    await Timer(2, "us")
    assert int(dut.tx_paused.value) == 0
    await link.write(1, CONTROL, PAUSE_REQUEST)
    await Timer(4, "us")
    assert int(dut.tx_paused.value) == 1
    # Both at once: a PAUSE frame goes to an end that is paused, and from one.
    link.set("pause_req", 0, 1)
    await Timer(4, "us")
    assert int(dut.tx_paused.value) == 3
    await link.write(1, CONTROL, 0)
    link.set("pause_req", 0, 0)
    await Timer(2, "us")
    assert int(dut.tx_paused.value) == 0
    await link.quiet()
    lines = [line.read() for line in await link.lines()]
    n_pauses = []
    for end, line in enumerate(lines):
        sent = [f for f in line.frames if f.octets[:6] == MULTICAST]
        assert {f.octets[:-4] for f in sent} <= {pause_frame(q, MACS[end]) for q in (0, PAUSE_LENGTH)}
        n_pauses.append(len(sent))
        link.check_sent(end, line, len(sent))
    for end, line in enumerate(lines):
        delivered = link.check_delivered(1 - end, line, n_pauses[end])
        assert [d.octets for d in delivered] == [f.octets for f in line.frames]
    for end in range(2):
        frames = lines[1 - end].frames
        asked = [(f.end_ps, pause_quanta(f.octets, MACS[end])) for f in frames]
        asked = [(at, quanta) for at, quanta in asked if quanta is not None]
        assert len(asked) > 8 and 0 in [quanta for _, quanta in asked]
        starts = [f.start_ps for f in lines[end].frames if f.octets[:6] != MULTICAST]
        check_pauses(asked, starts)
        rx, tx = await link.counters(end)
        assert tx["pause"] == n_pauses[end] and rx["pause"] == len(asked)
        assert (rx["good"], rx["bad"], tx["frames"]) == (len(frames), 0, len(lines[end].frames))
    assert len(asked) == n_pauses[0] + len(OWN_QUANTA)


def check_pauses(asked, starts) -> None:
    """asked: end and quanta of each PAUSE frame. One frame may start behind it; then none, for exactly its time."""
    react_ps, frame_ps, go_on_ps = 150_000, 300_000, 250_000
    for (at, quanta), (next_at, _) in zip(asked, [*asked[1:], (1e12, 0)], strict=True):
        until = at + quanta * QUANTUM_PS
        if quanta == PAUSE_LENGTH:  # a request: it is renewed after half of its time, or withdrawn before
            assert next_at <= at + quanta * QUANTUM_PS / 2 + frame_ps + 100_000
        held = [s for s in starts if at + react_ps < s < min(until, next_at)]
        assert len(held) <= 1 and all(s < at + react_ps + frame_ps for s in held), (at, until, held)
        if until < next_at:
            assert any(until <= s <= until + go_on_ps for s in starts), f"nothing starts after the pause of {at}"


def mixed(rng, n_frames: int) -> User:
    """Frames of all lengths, oversize ones too, some with errors or underruns; one underrun for certain."""
    user, certain = User(), rng.randrange(n_frames)
    for n in range(n_frames):
        octets = rng.randbytes(rng.choice([rng.randrange(1, 200), rng.randrange(1, 200), rng.randrange(1500, 1700)]))
        at = rng.randrange(1, 20)
        if n == certain:
            octets += rng.randbytes(BYTES * at)
        cut = n == certain or (rng.random() < 0.1 and BYTES * at < len(octets))
        user.frame(octets, rng.random() < 0.1, at if cut else None)
        if rng.random() < 0.2:
            user.pause(rng.randrange(200))
    return user


def short_frames(rng) -> list[int]:
    """What the transmitter never sends: runts, with a good FCS and with a bad one, and what is no block."""
    line = Line().idle_blocks(5000)
    for n in [*range(5, 60), *range(5, 60)]:
        line.idle(rng.randrange(12, 30))
        line.frame(rng.randbytes(n), check=rng.choice([None, rng.randbytes(4)]))
        if rng.random() < 0.3:
            line.raw[line.frames[-1].start_char // 8 + rng.randrange(3)] = HEADER_CTRL | 0xA5 << 2
    return line.idle_blocks(2000).words(width=WIDTH)


def rx_totals(frames: list[Delivered]) -> dict[str, int]:
    bad = [f for f in frames if f.errors]
    out = {"good": len(frames) - len(bad), "bad": len(bad)}
    out["bytes_good"] = sum(len(f.octets) for f in frames if not f.errors)
    out["bytes_bad"] = sum(len(f.octets) for f in bad)
    return out | {name: sum(name in f.errors for f in bad) for name in ("fcs", "code", "runt", "oversize")}


def verdict(octets: bytes) -> frozenset:
    found = {"fcs": fcs(octets[:-4]) != octets[-4:], "oversize": len(octets) > MAX_BYTES}
    found["runt"] = len(octets) < MIN_BYTES
    return frozenset(name for name, is_so in found.items() if is_so)


@cocotb.test()
async def statistics(dut):
    """Each snapshot, under traffic, holds what has come or gone up to one frame, and the last one holds all."""
    link = await new(dut, lambda rng: [mixed(rng, 150) for _ in ENDS], short_frames).started()
    snapshots = []
    for _ in range(8):
        await Timer(link.rng.randrange(300, 2500), "ns")
        end = link.rng.randrange(2)
        snapshots.append((end, *(await link.counters(end))))
    while int(dut.user_done.value) != 3:
        await Timer(1, "us")
    await Timer(3, "us")
    calm = [await link.counters(end) for end in range(2)]
    lines = [line.read() for line in await link.lines()]
    snapshots += [(end, *values) for end, values in enumerate(calm)]
    assert any(0 < rx["good"] + rx["bad"] < 140 for _, rx, _ in snapshots)
    sent = [[f.octets for f in line.frames] for line in lines]
    for end, rx, tx in snapshots:
        n = rx["good"] + rx["bad"]
        wanted = rx_totals([Delivered(octets, verdict(octets)) for octets in sent[1 - end][:n]])
        assert {name: rx[name] for name in wanted} == wanted, f"after {n} frames"
        n = tx["frames"]
        gone = [sum(map(len, sent[end][:m])) for m in (n, n + 1)]
        # A frame is counted about where its terminate block begins: some of its bytes, or of the next, are not yet.
        assert gone[0] - 8 <= tx["bytes"] <= gone[1]
        poisoned = [frame.poisoned for frame in lines[end].frames]
        assert tx["poisoned"] == sum(poisoned[:n])
    for end, (rx, tx) in enumerate(calm):
        link.check_sent(end, lines[end])
        assert tx == {
            "bytes": sum(map(len, sent[end])),
            "frames": 150,
            "poisoned": sum(bad for _, bad in link.users[end].frames),
            "underruns": link.users[end].underruns,
            "pause": 0,
        }
        assert tx["underruns"] and rx["oversize"] and rx["fcs"] and rx["good"] + rx["bad"] == 150
        names = ["pattern_errors", "code", "pause", "overflows", "lock_losses", "hi_ber", "bad_headers", "bad_blocks"]
        assert not any(rx[name] for name in names)
        link.check_delivered(end, lines[1 - end])
    # a: the line is cut, and then there is another one.
    link.channel(1, 1)
    await Timer(1, "us")
    assert await link.status(0) == LOCAL
    link.channel(1, 3)
    await Timer(7000 * 66 // 10, "ns")
    assert await link.status(0) == LOCK | UP
    rx, _ = await link.counters(0)
    await link.lines()
    wanted = rx_totals(read_rx("a"))
    assert {name: rx[name] for name in wanted} == wanted
    assert rx["runt"] > 50 and rx["code"] and rx["lock_losses"] == 1 and rx["bad_blocks"] and rx["bad_headers"] >= 16


async def phases(link, users_phases, begin) -> None:
    """b's user has a long pause after each phase: then `begin(n)` sets what is to hold for the next one."""
    end = 0
    for n, frames in enumerate(users_phases):
        await begin(n)
        link.dut.go.value = 2
        end += frames
        while link.get("user_frames", 1, 16) < end:
            await Timer(200, "ns")
        await Timer(700, "ns")
    await link.quiet()


def phase_of(user: User, frames) -> int:
    """A phase in which `frames` are sent, each with its four bytes of FCS to come; returns how many."""
    for octets, error in frames:
        user.frame(octets, error)
    user.pause(1300 * 32 // WIDTH)
    return len(frames)


@cocotb.test()
async def longest_frame(dut):
    """A frame of as many bytes as MAX_LENGTH says is good, one of one byte more oversize; both are whole."""
    limits, counts = [], []

    def users(rng):
        user = User()
        limits.extend([MAX_BYTES, 64, *rng.sample(range(66, 1600), 4), rng.randrange(9000, 9700)])
        for limit in limits:
            lengths = [n for n in (limit - 1, limit, limit, limit + 1, limit + 2) if n >= MIN_BYTES]
            rng.shuffle(lengths)
            counts.append(phase_of(user, [(rng.randbytes(n - 4), False) for n in lengths]))
        return [User(), user]

    link = await new(dut, users).started(go=0)
    assert await link.read(0, MAX_LENGTH) == MAX_BYTES  # the generic's value holds for the first phase

    async def begin(n):
        if n:
            await link.write(0, MAX_LENGTH, limits[n])

    await phases(link, counts, begin)
    sent = [f.octets for f in (await link.lines())[1].read().frames]
    delivered = read_rx("a")
    assert [d.octets for d in delivered] == sent
    limit_of = [limit for limit, n in zip(limits, counts, strict=True) for _ in range(n)]
    over = [len(octets) > limit for octets, limit in zip(sent, limit_of, strict=True)]
    assert [d.errors for d in delivered] == [frozenset({"oversize"}) if is_over else frozenset() for is_over in over]
    rx, _ = await link.counters(0)
    assert (rx["oversize"], rx["good"]) == (sum(over), len(over) - sum(over)) and sum(over) == 2 * len(limits)


@cocotb.test()
async def address_filter(dut):
    """Off, on, with and without groups: the user gets the frames that are for him, whole, and no trace of the others.
    Where there is no filter, the bits do nothing."""
    own, counts = MACS[0], []
    controls = [0, ADDRESS_FILTER, ADDRESS_FILTER | PASS_GROUP, PASS_GROUP]

    def users(rng):
        user = User()
        addresses = [own, own, b"\xff" * 6, MULTICAST, bytes([own[0] | 1]) + own[1:], rng.randbytes(6)]
        addresses += [own[:5] + bytes([own[5] ^ 0x80]), bytes([own[0] ^ 2]) + own[1:]]
        for _ in controls:
            to = rng.sample(addresses * 4, 30)  # each at least twice
            frames = [address + rng.randbytes(rng.randrange(60, 200)) for address in to]
            bad = rng.randrange(len(frames))  # one of those that pass for certain
            frames[bad] = own + frames[bad][6:]
            counts.append(phase_of(user, [(octets, n == bad or rng.random() < 0.1) for n, octets in enumerate(frames)]))
        return [User(), user]

    link = await new(dut, users).started(go=0)
    await link.write(0, MAC_HI, int.from_bytes(own[:2], "big"))
    await link.write(0, MAC_LO, int.from_bytes(own[2:], "big"))

    async def begin(n):
        await link.write(0, CONTROL, controls[n])

    await phases(link, counts, begin)
    sent = [f.octets for f in (await link.lines())[1].read().frames]
    control_of = [control for control, n in zip(controls, counts, strict=True) for _ in range(n)]
    wanted = []
    for octets, control in zip(sent, control_of, strict=True):
        to_us = octets[:6] in (own, b"\xff" * 6) or (control & PASS_GROUP and octets[0] & 1)
        if to_us or not (control & ADDRESS_FILTER and FILTER):
            wanted.append(octets)
    assert 10 < len(sent) - len(wanted) < 60 or not FILTER
    assert await link.read(0, CAPABILITY2) >> 18 & 1 == FILTER
    delivered = read_rx("a")
    assert [(d.octets, d.errors) for d in delivered] == [(octets, verdict(octets)) for octets in wanted]
    assert any(d.errors for d in delivered)
    rx, _ = await link.counters(0)
    assert rx["good"] + rx["bad"] == len(sent) and rx["filtered"] == len(sent) - len(wanted)


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_managed_frames(width, test):
    managed(width).run(__name__, test)
