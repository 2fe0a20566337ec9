# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Mailboxes through the whole of qdma, beside traffic: messages with their MSI-X messages; a VF that writes anything
anywhere, and disturbs nobody."""

import cocotb
import pytest

from qdma_contract import COMMAND, PF_MSIX, TRQ, VF_MSIX
from qdma_mailbox_model import ACKS, PF_BASE, VF_BASE
from qdma_top_bed import TOPS, top_bench
from qdma_top_driver import OF_PF, ready
from qdma_top_functions import PARENT, Box, Traffic
from ullnic_tb import cocotb_tests, main_and_kept

HOSTILE = 6  # a VF of PF 1, as VF 7, whose queues have traffic
ASKING = 4 * 32


async def converse(bed, vf: Box, pf: Box, others: dict[int, Box]) -> None:
    """A request and its answer. The PF is interrupted, and answers whoever has sent; the VF is interrupted."""
    rng = bed.rng
    request, answer = rng.randbytes(ASKING), rng.randbytes(ASKING)
    seen = len(bed.messages)

    def was_sent(func: int) -> bool:
        return any(message[1:] == (func, 0) for message in bed.messages[seen:])

    assert await vf.send(request)
    await bed.until(lambda: was_sent(pf.func))
    for turn in range(len(others) + 2):
        got = await pf.receive()
        if got and got[0] == vf.func:
            break
        assert got is None or (got[0] in others and turn <= len(others)), "others go before it again and again"
    assert got == (vf.func, request)
    assert await pf.send(answer, to=vf.func)
    await bed.until(lambda: was_sent(vf.func))
    assert await vf.receive() == (0, answer)
    word = vf.func // 32
    assert await pf.read(ACKS + 4 * word) >> vf.func % 32 & 1
    pf.write(ACKS + 4 * word, 1 << vf.func % 32)


@cocotb.test()
async def messages(dut):
    """Requests and answers of each VF, beside packets of a PF and a VF."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    assert await bed.read(0, 0x134) & 1
    traffic = await Traffic(driver, [0, 1, OF_PF], [2, OF_PF + 1]).start()
    boxes = {func: Box(bed, func) for func in (0, 1, *PARENT)}
    bed.each = traffic.step
    for _ in range(12):
        traffic.serve()
        vf = rng.choice(list(PARENT))
        await converse(bed, boxes[vf], boxes[PARENT[vf]], {})
    bed.each = lambda *_: None
    await traffic.finish()
    assert await bed.read(0, TRQ[0]) == 0


def anything(rng) -> tuple[int, list[int]]:
    """Where a hostile VF writes, and what: registers, contexts and doorbells of PFs and VFs, its mailbox, any table."""
    near = rng.choice((0x804, 0x824, COMMAND, 0x204, 0xAB0, 0xB04, 0x2500, 0x3000, 0x3004, 0x3008, 0x300C, 0x18004,
                       PF_MSIX[0], VF_MSIX[0], 0x5004, 0x5004, 0x500C, 0x5010, 0x5020, 0x5800, 0x5C00, PF_BASE,
                       VF_BASE, PF_BASE + 4, PF_BASE + 0xC00))  # fmt: skip
    addr = rng.choice((near, near, near + 16 * rng.randrange(32), 4 * rng.randrange(1 << 16)))
    count = rng.choice((1, 1, 1, 2, 8))
    command = rng.getrandbits(6) << 7 | rng.choice((0, 1, 3)) << 5 | rng.choice((0, 1, 6, 7, 8, 12)) << 1
    return addr, [rng.choice((rng.getrandbits(32), command, 1, 3, 0xFFFFFFFF)) for _ in range(count)]


@cocotb.test()
async def hostile(dut):
    """Beside a hostile VF, the packets of a PF and a VF and the conversations of the other VFs are as ever; what it has
    no right to is logged as its own."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    traffic = await Traffic(driver, [0, 1, OF_PF], [2, OF_PF + 1]).start()
    boxes = {func: Box(bed, func) for func in (0, 1, 4, 7)}
    await bed.settle(20)
    settings = await bed.read(0, 0x204, 16), await bed.read(0, 0xAB0, 16)
    written, own = driver._written, []

    def owned(func: int, addr: int, data: bytes) -> None:
        if func == HOSTILE:
            own.append(addr)  # its interrupt, to wherever its table says
        else:
            written(func, addr, data)

    bed.written = owned

    def step(cycle: int) -> None:
        traffic.step(cycle)
        if rng.random() < 0.08 and len(bed.requests) < 8:
            addr, values = anything(rng)
            bed.write(HOSTILE, addr, *values)

    bed.each = step
    for turn in range(30):
        traffic.serve()
        await bed.steps(rng.randint(0, 150))
        if turn % 2:
            vf = rng.choice((4, 7))
            await converse(bed, boxes[vf], boxes[PARENT[vf]], {HOSTILE: None} if PARENT[vf] == PARENT[HOSTILE] else {})
    bed.each = lambda *_: None
    await traffic.finish()
    assert (await bed.read(0, 0x204, 16), await bed.read(0, 0xAB0, 16)) == settings
    assert await bed.read(0, TRQ[0]) and (await bed.read(0, 0x26C)) >> 17 & 0x3FF == HOSTILE


@pytest.mark.parametrize("top", main_and_kept(__file__, TOPS))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_top_mailbox(test, top):
    top_bench(top).run(__name__, test)
