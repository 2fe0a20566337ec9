# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Two macpcs_managed back to back (macpcs_managed_bench.py): resets, link faults, patterns, loopbacks; its lint."""

import shutil
import subprocess
import sys

import cocotb
import pytest
from cocotb.triggers import Timer

from baser import IDLE_BLOCK, Line
from macpcs_managed_bench import (
    CONTROL,
    CORES,
    ENDS,
    HI_BER,
    IGNORE_FAULT,
    LOCAL,
    LOCK,
    LOCK_US,
    PMA_LOOPBACK,
    REACTION,
    REMOTE,
    REMOTE_FAULT_BLOCK,
    RX_PATTERN,
    SOURCES,
    STICKY,
    TX_PATTERN,
    UP,
    USER_LOOPBACK,
    WIDTH,
    User,
    managed,
    new,
    read_rx,
)
from ullnic_tb import cocotb_tests, main_and_kept


@cocotb.test()
async def bring_up(dut):
    """Resets go one by one, under users that offer frames: none is sent before the link is good, and none is lost."""
    link = await new(dut).clocks()
    dut.go.value = 3
    await link.release_tx(0)
    await Timer(link.rng.randrange(500, 2000), "ns")
    await link.release_rx(0)  # what it hears is a transmitter in reset
    assert await link.status(0) == LOCAL
    await link.release_tx(1)  # with its receiver in reset: it has to say remote fault
    for _ in range(LOCK_US):
        await Timer(1, "us")
        if await link.status(0) & LOCK:
            break
    await Timer(1, "us")
    assert await link.status(0) == LOCK | REMOTE
    await link.release_rx(1)
    await link.up()
    await Timer(2, "us")
    for end in range(2):
        assert await link.status(end) == LOCK | UP
        assert await link.read(end, STICKY) & 0x31D == 0x31D & ~(REMOTE if end else 0), ENDS[end]
        await link.write(end, STICKY, 0xFFFF)
        assert await link.read(end, STICKY) == 0
    await Timer(3, "us")
    await link.quiet()
    for end, line in enumerate(await link.lines()):
        line.read().starts_need_a_link()
        link.check_sent(end, line)
        assert len(link.check_delivered(1 - end, line)) == len(line.frames) > 10
        assert line.blocks.count(REMOTE_FAULT_BLOCK) > 50


@cocotb.test()
async def unplugged(dut):
    """Zeros or noise in one direction: local fault here, remote fault there, silence; then as before."""
    link = await new(dut).started()
    silences, ignored = [], ([], [])
    for mode in (1, 2):
        for end in range(2):  # whose line it is
            await Timer(link.rng.randrange(1000, 2000), "ns")
            link.channel(end, mode)
            await Timer(2500, "ns")
            assert await link.status(1 - end) == LOCAL
            assert await link.status(end) == LOCK | REMOTE
            first = [link.get("cycles", e, 32) for e in range(2)]
            await Timer(500, "ns")
            silences.append((end, first, [link.get("cycles", e, 32) for e in range(2)]))
            link.channel(end, 0)
            await link.up()
            assert await link.read(1 - end, STICKY) & 0x1F & ~HI_BER == LOCK | LOCAL | UP
            assert await link.read(end, STICKY) & 0x1F == REMOTE | UP
            for e in range(2):
                await link.write(e, STICKY, 0x3FF)
    # A frame may go although the receiver beside has a fault, if software says so.
    await Timer(1, "us")
    link.channel(1, 1)
    await Timer(2500, "ns")
    assert await link.status(0) == LOCAL and await link.status(1) == LOCK | REMOTE
    sent = link.get("user_frames", 0, 16)
    await Timer(1, "us")
    assert link.get("user_frames", 0, 16) == sent
    begin = link.get("cycles", 0, 32)
    await link.write(0, CONTROL, IGNORE_FAULT)
    await Timer(2, "us")
    assert link.get("user_frames", 0, 16) >= sent + 3
    assert await link.status(0) == LOCAL and await link.status(1) == LOCK | UP
    await link.write(0, CONTROL, 0)
    ignored[0].append((begin, link.get("cycles", 0, 32) + REACTION))
    await Timer(2500, "ns")
    sent = link.get("user_frames", 0, 16)
    assert await link.status(1) == LOCK | REMOTE
    await Timer(1, "us")
    assert link.get("user_frames", 0, 16) == sent
    link.channel(1, 0)
    await link.up()
    await Timer(2, "us")
    await link.quiet()
    lines = [line.read() for line in await link.lines()]
    for end, line in enumerate(lines):
        line.starts_need_a_link(ignored[end])
        link.check_sent(end, line)
        delivered = link.check_delivered(1 - end, line, 6 * 4)
        assert sum(not d.errors for d in delivered) > 10
    for end, first, last in silences:
        assert lines[1 - end].kinds(first[1 - end], last[1 - end]) == {REMOTE_FAULT_BLOCK}
        assert lines[end].kinds(first[end], last[end]) == {IDLE_BLOCK}


def faulty_line(rng) -> list[int]:
    """Local and remote faults of any length, close together and far apart, in any column."""
    line = Line().idle_blocks(4500)  # in which lock is found
    for _ in range(250):
        code = rng.choice([1, 2])
        for _ in range(rng.choice([1, 3, 4, 5, 5, 6, 9, 40])):
            line.ordered_set(bytes([0, 0, code]), lane=rng.choice([None, None, 0, 4]))
        line.align(4 * rng.getrandbits(1))
        line.idle(4 * rng.choice([0, 1, 2, 3, 10, 60, 127, 128, 129, 140, 200]))
    line.idle_blocks(400)
    return line.words(rng.randrange(66), width=WIDTH)


@cocotb.test()
async def faults_come_and_go(dut):
    """Faults at any time under a user who always has a frame: remote fault blocks are whole, and every frame is."""
    link = await new(
        dut, lambda rng: [User().saturate(rng, 1_000_000, longest=200), User().saturate(rng, 1000)], faulty_line
    ).clocks()
    link.channel(1, 3)
    dut.go.value = 1
    for end in range(2):
        await link.release_tx(end)
        await link.release_rx(end)
    await Timer((4500 + 250 * 45) * 66 // 10, "ns")
    await link.quiet()
    line = (await link.lines())[0].read()
    line.starts_need_a_link()
    link.check_sent(0, line)
    link.check_delivered(1, line)
    faults = [block == REMOTE_FAULT_BLOCK for block in line.blocks]
    assert sum(b and not a for a, b in zip(faults, faults[1:], strict=False)) > 20
    assert len(line.frames) > 100


@cocotb.test()
async def patterns(dut):
    """Both patterns in both directions: no error on a good line, as many as there are on a bad one; then frames."""
    link = await new(dut).started()
    await Timer(1, "us")
    headers = [line.first_bit for line in await link.lines()]

    before = [0, 0]

    async def errors(waited_ns):
        """Since the last call."""
        await Timer(waited_ns, "ns")
        now = [(await link.counters(end))[0]["pattern_errors"] for end in range(2)]
        new, before[:] = [n - b for n, b in zip(now, before, strict=True)], now
        return new

    for pattern in (1, 2):
        for end in range(2):
            await link.write(end, CONTROL, TX_PATTERN(pattern))
        await Timer(1, "us")
        for end in range(2):
            await link.write(end, CONTROL, TX_PATTERN(pattern) | RX_PATTERN(pattern))
            assert link.get("tx_stopped", end)
        if pattern == 1:
            frames_before = [(await link.counters(end))[0]["good"] for end in range(2)]
        await Timer(500, "ns")
        if pattern == 2:
            for _ in range(LOCK_US):
                if all([await link.status(end) & LOCK for end in range(2)]):
                    break
                await Timer(1, "us")
        await Timer(500, "ns")
        await errors(1)
        assert await errors(2000) == [0, 0]
        for _ in range(6):
            wanted = [0, 0]
            for end in range(2):
                phase, bit, count = link.rng.randrange(33), link.rng.randrange(WIDTH), link.rng.randrange(1, 12)
                place = (phase * WIDTH + bit - headers[end]) % 66 - 2  # in the payload
                # Behind the descrambler: the bit, and those 39 and 58 bits later.
                weight, mask = 1 if place < 0 else len({0, (place + 39) // 64, (place + 58) // 64}), 1 << bit
                if pattern == 1:  # two bits in a word, but not those that the checker says it cannot distinguish
                    weight = 2
                    mask |= 1 << link.rng.choice([b for b in range(WIDTH) if abs(b - bit) not in (0, 28, 31)])
                wanted[1 - end] = count * weight
                link.set("flip_go", end, 0)
                link.set("flip_phase", end, phase, 6)
                link.set("flip_mask", end, mask, 32)
                link.set("flip_count", end, count, 16)
            await Timer(20, "ns")
            dut.flip_go.value = 3
            link.values["flip_go"] = 3
            assert await errors(1700) == wanted
            assert int(dut.flip_done.value) == 3
    assert [(await link.counters(end))[0]["good"] for end in range(2)] == frames_before
    for end in range(2):
        await link.write(end, CONTROL, 0)
    await link.up()
    await Timer(3, "us")
    await link.quiet()
    await link.lines()
    for end in range(2):
        rx, _ = await link.counters(end)
        lost = link.get("user_frames", 1 - end, 16) - rx["good"]
        assert 0 <= lost <= 2 and rx["good"] > frames_before[end] + 5  # PRBS31 cuts the frame under way
        good = [d.octets[:-4] for d in read_rx(ENDS[end]) if not d.errors]
        sent = [octets for octets, _ in link.users[1 - end].frames]
        assert good == sent[: frames_before[end]] + sent[frames_before[end] + lost :][: rx["good"] - frames_before[end]]


@cocotb.test()
async def high_bit_error_ratio(dut):
    """16 bad headers in 125 us, too few for the lock to be lost: local fault, until a window was good. 15: nothing."""
    link = await new(dut).started()
    await Timer(1, "us")
    line = (await link.lines())[0]
    in_period = [(line.first_bit + 66 * n) % (33 * WIDTH) for n in range(33 * WIDTH // 66)]
    header = link.rng.choice(in_period)
    phase, bit = divmod(header, WIDTH)
    link.set("flip_phase", 0, phase, 6)
    link.set("flip_mask", 0, 1 << bit, 32)

    async def bad_headers(n):
        link.set("flip_go", 0, 0)
        link.set("flip_count", 0, n, 16)
        await Timer(20, "ns")
        link.set("flip_go", 0, 1)
        await Timer(2500, "ns")
        assert link.get("flip_done", 0)

    await bad_headers(15)
    assert await link.status(1) == LOCK | UP
    await bad_headers(1)
    await Timer(1, "us")
    assert await link.status(1) == LOCK | HI_BER | LOCAL
    assert await link.status(0) == LOCK | REMOTE
    rx, _ = await link.counters(1)
    assert (rx["bad_headers"], rx["hi_ber"], rx["lock_losses"]) == (16, 1, 0)
    # Not bit 5, bad_after: a bad header may be that of the block after a frame
    assert await link.read(1, STICKY) & ~32 == HI_BER | LOCAL | UP
    begin = [link.get("cycles", e, 32) for e in range(2)]
    await Timer(1, "us")
    end = [link.get("cycles", e, 32) for e in range(2)]
    dut.go.value = 0
    link.axil.stop()
    for _ in range(255):
        if link.get("rx_link_up", 1):
            break
        await Timer(1, "us")
    else:
        raise AssertionError("the bit error ratio stays high")
    link.axil.start()
    await link.up()
    assert await link.status(1) == LOCK | UP
    await bad_headers(15)
    assert await link.status(1) == LOCK | UP
    dut.go.value = 3
    await Timer(2, "us")
    await link.quiet()
    rx, _ = await link.counters(1)
    assert (rx["bad_headers"], rx["hi_ber"], rx["lock_losses"]) == (31, 1, 0)
    lines = [line.read() for line in await link.lines()]
    assert lines[1].kinds(begin[1], end[1]) == {REMOTE_FAULT_BLOCK} and lines[0].kinds(begin[0], end[0]) == {IDLE_BLOCK}
    for e, line in enumerate(lines):
        line.starts_need_a_link()
        link.check_sent(e, line)
        # A bad header breaks the frame that it is in.
        assert sum(not d.errors for d in link.check_delivered(1 - e, line, 40 * (1 - e))) > 10


@cocotb.test()
async def loopback_bits(dut):
    """Each bit of CONTROL comes to its own end's macpcs."""
    link = await new(dut).clocks()
    for end in range(2):
        for bits in (PMA_LOOPBACK, USER_LOOPBACK, PMA_LOOPBACK | USER_LOOPBACK, 0):
            await link.write(end, CONTROL, bits)
            assert link.get("loopbacks", end, 2) == bits >> 12 and link.get("loopbacks", 1 - end, 2) == 0


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_managed(width, test):
    managed(width).run(__name__, test)


@pytest.mark.parametrize(
    "settings",
    [
        "-GMAC_TX_PAUSE_LENGTH=1",
        "-GMAC_RX_ADDRESS_FILTER_ENABLE=1 -GPMA_LOOPBACK_ENABLE=1 -GUSER_LOOPBACK_ENABLE=1",
        "-GPMA_DATA_WIDTH=16 -GSYNC_DUAL_CLOCK_TX_ENABLE=1 -GDUAL_CLOCK_FIFO_RX_ENABLE=1",
    ],
)
def test_macpcs_managed_lint(settings):
    """As ./ullnic lint looks at a card, with parameters that no card has."""
    waivers = [CORES / name for name in ("common/common.vlt", "macpcs/macpcs.vlt", "macpcs/regs/macpcs_regs.vlt")]
    tools = [
        [shutil.which("verilator"), "--lint-only", "-Wall", "--quiet", *waivers],
        [sys.executable, "-I", "-B", CORES / "common/tb/slang_check.py"],
    ]
    for tool in tools:
        argv = [*tool, "--top", "macpcs_managed", *settings.split(), *SOURCES]
        done = subprocess.run(argv, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
