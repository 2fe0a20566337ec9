# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ate_tx: frames that begin with tx_start, on a transceiver of 16 bits in both halves of a cycle, and of 32."""

import os

import cocotb
import pytest

from ate_model import BANK, CHECK, ENABLE, Connection, raw_chunk, tcp_chunk
from ate_play import DUE, WIDTH, Bed, Script, ate_bench
from test_ate_line import ALIGNED, SIZES, padded
from ullnic_tb import cocotb_tests, main_and_kept, seeded

WAIT = 60  # cycles in which the connection is surely armed
HALVES = (1, 2) if WIDTH == 16 else (1,)
ONLY_16 = ("window", "connection_too_late", "no_frame")
MISTAKES = ("connection_too_late", "no_frame")  # that ate_user_check would report
ANY = 3  # tx_start that need not be obeyed


def due(late: int = 0) -> dict[str, int]:
    """With 32 bits the frame begins a cycle before tx_sof_net, and all is due a cycle earlier counted from that."""
    return {} if WIDTH == 16 else {name: DUE[name] + (1 if name == "conn" else -1) for name in DUE}


@cocotb.test()
async def no_cycle_added(dut):
    """Both lines alike bit for bit, from tx_start in every word of the gearbox's round, metadata as late as allowed."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    connections = {index: Connection.random(rng) for index in (0, 1, 255, 256, 510)}
    connections[511] = Connection.random(rng, control=ENABLE | BANK, vlan=rng.getrandbits(16))
    connections[300] = Connection.random(rng, vlan=0x2007)
    for index, connection in connections.items():
        await bed.open(index, connection)
    script, frames = Script(), []
    # One behind the other, then with the line idle.
    for i in range(100 + 33 * len(HALVES)):
        gap = 80 if i == 0 else rng.choice((1, 1, 2, 5)) if i < 100 else ALIGNED | (i - 100) % 33 << 8 | 80
        start = rng.choice(HALVES) if i < 100 else HALVES[(i - 100) // 33]
        index = rng.choice(list(connections))
        payload = rng.randbytes(rng.choice((*SIZES, 1460) if i % 20 == 0 else SIZES if i < 100 else SIZES[:9]))
        script.payload(index, payload, gap, start=start, **due())
        frames.append(connections[index].frame(payload))
        script.expect(frames[-1])
    line = await bed.play(script)
    assert line.good() == [padded(frame) for frame in frames]
    assert (line.differ, line.errors, line.underruns) == (0, 0, 0)
    if WIDTH == 16:
        # The 66 words of a round of user's cycles and halves: each has had a start.
        assert len({cycle % 66 for cycle in line.sof_cycles[100:]}) == 66
    # Those behind another frame came too early for the engine, but not for the MAC.
    assert line.unarmed <= 100
    print(f"{len(frames)} frames, {line.cycles} cycles, {line.unarmed} not armed, both lines alike")
    assert bed.mirror == [(frame, False) for frame in frames]
    for index, connection in connections.items():
        assert await bed.seq(index) == connection.seq
    assert await bed.counters() == {"sent_user": len(frames)}


@cocotb.test()
async def any_order(dut):
    """tx_start at any time or never, connections that change late, raw frames, software's frames: each leaves once."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    user = {index: Connection.random(rng) for index in range(4)}
    host = Connection.random(rng)
    for index, connection in {**user, 9: host}.items():
        await bed.open(index, connection)
    script, frames, raw = Script(), [], []
    for i in range(200):
        gap, start = 80 if i == 0 else rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 30)), rng.choice((0, 0, ANY))
        if rng.random() < 0.3:
            raw.append(rng.randbytes(rng.choice((1, 2, 3, 4, 5, 6, 60, 61, 100))))
            script.words(raw[-1], gap, raw=True, start=start, expected=False)
        else:
            index, payload = rng.randrange(4), rng.randbytes(rng.choice(SIZES))
            early = {"conn": rng.randrange(3 if WIDTH == 16 else 2, 8), "length": 1, "csum": 1}
            script.payload(index, payload, gap, start=start, **early)
            frames.append(user[index].frame(payload))
    sent = []

    async def software():
        for i in range(60):
            payload = rng.randbytes(rng.randrange(60))
            if i % 3:
                await bed.chunk(tcp_chunk(9, payload))
                sent.append(host.frame(payload))
            else:
                raw.append(b"\x02" + rng.randbytes(30))
                await bed.chunk(raw_chunk(raw[-1]))
            await bed.cycles(rng.randrange(1, 120))

    task = cocotb.start_soon(software())
    line = await bed.play(script, tail=3000)
    await task
    assert (line.errors, line.underruns) == (0, 0)
    good = line.good()
    assert sorted(good) == sorted(padded(frame) for frame in frames + raw + sent)
    assert [frame for frame, _ in bed.mirror if frame in set(frames)] == frames
    assert [frame for frame, _ in bed.mirror if frame in set(sent)] == sent
    assert sorted(frame for frame, _ in bed.mirror) == sorted(frames + sent)
    order = {padded(frame) for frame in frames + sent}
    assert [frame for frame in good if frame in order] == [padded(frame) for frame, _ in bed.mirror]
    counts = await bed.counters()
    assert counts == {"sent_user": len(frames), "sent_host": len(sent), "sent_raw": len(raw)}


@cocotb.test()
async def window(dut):
    """Strict mode: a closed window refuses the frame, tx_start or not; an open one lets it begin at once."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    connection = Connection.random(rng, control=ENABLE | CHECK)
    connection.max_seq = (connection.seq + 100) & 0xFFFFFFFF
    await bed.open(5, connection)
    assert await bed.write(64 * 512 + 12, 1) == 0
    script, frames = Script(), []
    for i, n in enumerate((60, 41, 40, 1, 0, 7)):
        fits = n in (60, 40, 0)
        payload = rng.randbytes(n)
        script.payload(5, payload, WAIT, start=HALVES[i % len(HALVES)] if fits else ANY, conn=9, length=15)
        if fits:
            frames.append(connection.frame(payload))
            script.expect(frames[-1])
    line = await bed.play(script)
    assert line.good() == [padded(frame) for frame in frames]
    assert bed.mirror == [(frame, False) for frame in frames]
    assert await bed.counters() == {"sent_user": 3, "no_window": 3}


@cocotb.test()
async def connection_too_late(dut):
    """A connection that changes in the cycle of tx_start or the one before: wrong FCS, counted, the next is right."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    connections = [Connection.random(rng) for _ in range(2)]
    for index, connection in enumerate(connections):
        await bed.open(index, connection)
    script, frames = Script(), []
    for i in range(12):
        late = i % 2 == 0
        payload = rng.randbytes(rng.choice(SIZES))
        # Until then the other one is shown, which is armed.
        script.payload(i // 2 % 2, payload, WAIT, start=ANY, **({"conn": 1 + i // 2 % 2} if late else {}))
        if not late:
            frames.append(connections[i // 2 % 2].frame(payload))
    line = await bed.play(script)
    assert line.good() == [padded(frame) for frame in frames]
    assert line.bad() == line.errors == 6 and line.underruns == 0
    assert await bed.counters() == {"sent_user": 6, "bad_late": 6}
    for index, connection in enumerate(connections):
        assert await bed.seq(index) == connection.seq


@cocotb.test()
async def no_frame(dut):
    """tx_start without tx_sof_net: wrong FCS, counted, no SEQ; the frame behind it is right, none of its words lost."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    connection = Connection.random(rng)
    await bed.open(5, connection)
    for i, n in enumerate((20, 0, 1, 1460)):
        seq = connection.seq
        bed.mirror.clear()
        errors, underruns = int(dut.errors.value), int(dut.underruns.value)
        await bed.start(5, n, HALVES[i % 2])
        assert (int(dut.errors.value) - errors, int(dut.underruns.value) - underruns) == (1, 0)
        assert [bad for _, bad in bed.mirror] == [True]
        assert await bed.seq(5) == seq
        payload = rng.randbytes(rng.choice(SIZES))
        script = Script()
        script.payload(5, payload, WAIT, start=HALVES[i % 2])
        frame = connection.frame(payload)
        line = await bed.play(script)
        assert line.good() == [padded(frame)]
        assert (line.errors, line.underruns, line.unarmed) == (0, 0, 0)
        assert bed.mirror[1:] == [(frame, False)]
    assert await bed.counters() == {"bad_late": 4, "sent_user": 4}


# With 32 bits tx_start is an early tx_sof_net, and that is tested elsewhere.
CASES = [(test, width) for test in cocotb_tests(__name__) for width in (16, 32) if width == 16 or test not in ONLY_16]


@pytest.mark.parametrize(
    "test, width", main_and_kept(__file__, CASES, lambda test, width: width == 32 or test in ONLY_16)
)
def test_ate_tx(test, width):
    mistakes = {"USER_CHECK": 0} if test in MISTAKES else {}
    ate_bench(PMA_DATA_WIDTH=width, **mistakes).run("test_ate_tx", test)
