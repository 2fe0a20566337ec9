# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Memory-mapped transfers between two that nobody here wrote: cocotbext-pcie's root complex and device as the host, and
cocotbext-axi's RAM as the card's memory, which pauses."""

from itertools import cycle as repeat

import cocotb
import pytest
from cocotbext.axi import AxiBus, AxiRam

from qdma_contract import CLEAR, HW_C2H, HW_H2C, INVALIDATE, SW_C2H, SW_H2C
from qdma_mm_bed import ALL_MM, C2H_CTL, H2C_CTL, IS_MM, PAGE, SIZE_32, mm_bench
from test_qdma_peer import IRQ_EN, QEN, RING, VECTOR, WBI_CHK, WBK_EN, Peer
from ullnic_tb import cocotb_tests, kept

QID = 6
RAM_BYTES = 1 << 22
SIZES = [1, 3, 63, 64, 65, 255, 256, 257, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE + 7, 10_000]


async def transfers(peer: Peer, ram: AxiRam, *, is_c2h: bool) -> None:
    """From and to anywhere; all bytes, and none around them; status and interrupt."""
    rng = peer.rng
    base, ring = peer.rc.alloc_region(PAGE)
    ring[:] = bytes(PAGE)
    word = QEN | WBI_CHK | WBK_EN | IRQ_EN | SIZE_32 | IS_MM | base << 64 | VECTOR << 128
    await peer.context(HW_C2H if is_c2h else HW_H2C, QID, 0, CLEAR)
    await peer.context(SW_C2H if is_c2h else SW_H2C, QID, word)
    wanted = []
    card = is_c2h * RAM_BYTES // 2
    for i, size in enumerate(SIZES):
        page, buffer = peer.rc.alloc_region(PAGE + size + 128)
        host, card = 64 + rng.randrange(PAGE), card + 128 + rng.randrange(PAGE)
        around = rng.randbytes(size + 128)
        data = rng.randbytes(size)
        buffer[host - 64 : host + size + 64] = around
        ram.write(card - 64, around)
        if is_c2h:
            ram.write(card, data)
        else:
            buffer[host : host + size] = data
        src, dst = (card, page + host) if is_c2h else (page + host, card)
        descriptor = src | (size | 7 << 28) << 64 | dst << 128
        ring[32 * i : 32 * i + 32] = descriptor.to_bytes(32, "little")
        wanted.append((memoryview(buffer)[host - 64 : host + size + 64], card, around[:64] + data + around[-64:]))
        card += size
    peer.messages[:4] = bytes(4)
    await peer.write(0x18000 + 16 * QID + (8 if is_c2h else 4), len(SIZES) | 1 << 16)
    at = 32 * (RING - 1)
    await peer.until(lambda: int.from_bytes(ring[at + 2 : at + 4], "little") == len(SIZES), "no status")
    assert int.from_bytes(ring[at : at + 2], "little") & 3 == 0
    for host, card, whole in wanted:
        got = bytes(host) if is_c2h else ram.read(card - 64, len(whole))
        assert got == whole
    await peer.until(lambda: bytes(peer.messages[:4]) == (0x1234).to_bytes(4, "little"), "no interrupt")
    await peer.context(SW_C2H if is_c2h else SW_H2C, QID, 0, INVALIDATE)


async def everything(dut, *, mps: int, mrrs: int, rcb: int) -> None:
    peer = Peer(dut, mps=mps, mrrs=mrrs, rcb=rcb)
    ram = AxiRam(AxiBus.from_prefix(dut, "m_axi_mm"), dut.clk, dut.rst, size=RAM_BYTES)
    for part in (ram.write_if, ram.read_if):
        part.log.setLevel("WARNING")
    w, r = ram.write_if, ram.read_if
    for channel in (w.aw_channel, w.w_channel, w.b_channel, r.ar_channel, r.r_channel):
        channel.set_pause_generator(repeat([peer.rng.random() < 0.2 for _ in range(997)]))
    await peer.start()
    await peer.set_up()
    assert await peer.read(0x118) == ALL_MM
    await peer.write(C2H_CTL, 1)
    await peer.write(H2C_CTL, 1)
    await transfers(peer, ram, is_c2h=False)
    await transfers(peer, ram, is_c2h=True)
    assert int(dut.stat_read_failed.value) == int(dut.stat_completion_unexpected.value) == 0


@cocotb.test()
async def mps_256_mrrs_512_rcb_64(dut):
    await everything(dut, mps=256, mrrs=512, rcb=64)


@cocotb.test()
async def mps_128_mrrs_4096_rcb_128(dut):
    await everything(dut, mps=128, mrrs=4096, rcb=128)


@kept(__file__)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_mm_peer(test):
    mm_bench("qdma_usp").run(__name__, test)
