# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""qdma_usp on cocotbext-pcie's UltraScale+ device and root complex: a PCIe that nobody here wrote. It enumerates the
card, holds tags, credits and lengths against its own rules, and answers reads in completions of its own size."""

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer
from cocotbext.axi import AxiStreamBus
from cocotbext.pcie.core import RootComplex
from cocotbext.pcie.core.caps import PciCapId
from cocotbext.pcie.xilinx.us import UltraScalePlusPcieDevice

from qdma_bed import running_test
from qdma_contract import (
    COMMAND,
    COMPLETION,
    FMAP,
    HW_C2H,
    HW_H2C,
    INVALIDATE,
    PF_MSIX,
    PLAIN,
    PREFETCH,
    RING_SIZES,
    SW_C2H,
    SW_H2C,
)
from qdma_source import SOURCE_IDLE, YES
from qdma_top_bed import PFS, VFS, top_bench
from ullnic_tb import cocotb_tests, kept, reader, seeded

QEN, WBI_CHK, WBK_EN, IRQ_EN = 1 << 32, 1 << 34, 1 << 52, 1 << 53
RING = 65  # descriptors, the status slot among them
WRITE = 1  # of a context command
ENTRY = 16  # bytes of a completion
BUFFER = 4096
PACKETS = 40
VECTOR, USER_VECTOR = 5, 6
FUNCTION_MASK = 1 << 14  # of the control of the MSI-X capability
SETTLE_NS = 4000
USER_OUTPUTS = (
    *("m_axis_h2c_tvalid", "m_axis_h2c_tdata", "m_axis_h2c_tlast", "m_axis_h2c_tuser_mty", "m_axis_h2c_tuser_qid"),
    *("m_axis_h2c_tuser_zero_byte", "m_axis_h2c_tuser_err", "c2h_ask_ready", "c2h_answer_valid", "c2h_answer"),
    *("s_axis_c2h_tready", "user_irq_ack", "user_irq_fail"),
)


class Peer:
    """The card behind a root complex, and the user's side of it: `packets` of H2C; those to be sent go to `send`."""

    def __init__(self, dut, *, mps: int, mrrs: int, rcb: int):
        self.dut, self.rng = dut, seeded(running_test())
        self.packets: list[tuple[int, bytes]] = []
        bus = {
            name: AxiStreamBus.from_prefix(dut, name) for name in ("s_axis_rq", "m_axis_rc", "m_axis_cq", "s_axis_cc")
        }
        names = ("cfg_max_payload", "cfg_max_read_req", "cfg_function_status", "cfg_vf_status", "pcie_cq_np_req")
        names += ("cfg_interrupt_msix_enable", "cfg_interrupt_msix_mask", "cfg_interrupt_msix_vf_enable")
        names += ("cfg_interrupt_msix_vf_mask", "pcie_rq_seq_num0", "pcie_rq_seq_num_vld0", "pcie_rq_seq_num1")
        names += ("pcie_rq_seq_num_vld1",)
        self.rc = RootComplex()
        self.rc.log.setLevel("WARNING")
        self.rc.max_payload_size = {128: 0, 256: 1, 512: 2}[mps]
        self.rc.max_read_request_size = {128: 0, 256: 1, 512: 2, 4096: 5}[mrrs]
        self.rc.read_completion_boundary = rcb == 128
        self.rc.split_on_all_rcb = rcb == 64
        self.device = UltraScalePlusPcieDevice(
            pcie_generation=3,
            pcie_link_width=16,
            user_clk_frequency=250e6,
            alignment="dword",
            rq_straddle=True,
            rc_straddle=True,
            rc_4tlp_straddle=True,
            max_payload_size=512,
            enable_client_tag=True,
            enable_extended_tag=True,
            pf0_msix_enable=True,
            pf0_msix_table_size=31,
            pf0_msix_table_bir=0,
            pf0_msix_table_offset=PF_MSIX[0],
            pf0_msix_pba_bir=0,
            pf0_msix_pba_offset=PF_MSIX[1],
            user_clk=dut.clk,
            user_reset=dut.rst,
            rq_bus=bus["s_axis_rq"],
            rc_bus=bus["m_axis_rc"],
            cq_bus=bus["m_axis_cq"],
            cc_bus=bus["s_axis_cc"],
            **{name: getattr(dut, name) for name in names},
        )
        for stream in (self.device.rq_sink, self.device.rc_source, self.device.cq_source, self.device.cc_sink):
            stream.log.setLevel("WARNING")
        self.device.functions[0].configure_bar(0, 1 << 18)
        self.rc.make_port().connect(self.device)

    async def start(self) -> "Peer":
        dut = self.dut
        for name, value in SOURCE_IDLE.items():
            getattr(dut, name).value = value
        dut.m_axis_h2c_tready.value = 1
        dut.user_irq_valid.value = dut.user_irq_func.value = dut.user_irq_vector.value = 0
        dut.cfg_flr_in_process.value = dut.cfg_vf_flr_in_process.value = 0
        cocotb.start_soon(self._watch())
        while int(dut.rst.value) or int(dut.clearing.value):
            await RisingEdge(dut.clk)
        await self.rc.enumerate()
        function = self.function = self.rc.find_device(self.device.functions[0].pcie_id)
        await function.enable_device()
        await function.set_master()
        await function.msix_set_enable(True)
        self.bar = function.bar_window[0]
        self.message, self.messages = self.rc.alloc_region(4096)
        self.messages[:8] = bytes(8)
        return self

    async def _watch(self) -> None:
        look, data = reader(USER_OUTPUTS), b""
        while True:
            await RisingEdge(self.dut.clk)
            seen = look()
            if seen.m_axis_h2c_tvalid:
                assert not seen.m_axis_h2c_tuser_err
                count = 0 if seen.m_axis_h2c_tuser_zero_byte else 64 - seen.m_axis_h2c_tuser_mty
                data += seen.m_axis_h2c_tdata.to_bytes(64, "little")[:count]
                if seen.m_axis_h2c_tlast:
                    self.packets.append((seen.m_axis_h2c_tuser_qid, data))
                    data = b""

    async def write(self, addr: int, *values: int) -> None:
        await self.bar.write(addr, b"".join(value.to_bytes(4, "little") for value in values))

    async def read(self, addr: int) -> int:
        return int.from_bytes(await self.bar.read(addr, 4), "little")

    async def context(self, selector: int, index: int, word: int, operation: int = WRITE) -> None:
        await self.write(0x804, *(word >> 32 * i & 0xFFFFFFFF for i in range(8)))
        await self.write(0x824, *[0xFFFFFFFF] * 8)
        await self.write(COMMAND, index << 7 | operation << 5 | selector << 1)
        for _ in range(400):
            if not await self.read(COMMAND) & 1:
                return
        raise AssertionError("the command stays busy")

    async def set_up(self) -> None:
        await self.write(RING_SIZES, *[RING] * 16)
        await self.write(0xAB0, *[BUFFER] * 16)
        await self.write(0xBC4, *[2 << 16 | 1] * 7)
        await self.context(FMAP, 0, 32 << 32)
        await self.write(PF_MSIX[0] + 16 * VECTOR, self.message & 0xFFFFFFFF, self.message >> 32, 0x1234, 0)

    async def user_irq(self, func: int, vector: int) -> bool:
        """An interrupt of the user: whether it has ack."""
        dut, look = self.dut, reader(USER_OUTPUTS)
        dut.user_irq_func.value, dut.user_irq_vector.value, dut.user_irq_valid.value = func, vector, 1
        for _ in range(200):
            await RisingEdge(dut.clk)
            seen = look()
            if seen.user_irq_ack or seen.user_irq_fail:
                dut.user_irq_valid.value = 0
                return bool(seen.user_irq_ack)
        raise AssertionError("an interrupt of the user has no answer")

    async def until(self, condition, what: str) -> None:
        for _ in range(400):
            if condition():
                return
            await Timer(200, "ns")
        raise AssertionError(what)

    async def send(self, qid: int, data: bytes) -> None:
        """A C2H packet: asked for, granted, sent."""
        dut, look = self.dut, reader(USER_OUTPUTS)
        dut.c2h_ask_qid.value, dut.c2h_ask_len.value, dut.c2h_ask_has_cmpt.value = qid, len(data), 1
        dut.c2h_ask_valid.value = 1
        await RisingEdge(dut.clk)
        while not look().c2h_ask_ready:
            await RisingEdge(dut.clk)
        dut.c2h_ask_valid.value = 0
        while not (seen := look()).c2h_answer_valid:
            await RisingEdge(dut.clk)
        assert seen.c2h_answer == YES
        for i in range(0, len(data), 64):
            beat = data[i : i + 64]
            dut.s_axis_c2h_tdata.value = int.from_bytes(beat, "little")
            dut.s_axis_c2h_tuser_mty.value = 64 - len(beat)
            dut.s_axis_c2h_tlast.value = int(i + 64 >= len(data))
            dut.s_axis_c2h_tvalid.value = 1
            await RisingEdge(dut.clk)
            while not look().s_axis_c2h_tready:
                await RisingEdge(dut.clk)
        dut.s_axis_c2h_tvalid.value = 0


async def registers(peer: Peer) -> None:
    """Every plain register of the contract: what was written is read, as far as it can be."""
    for addr, (reset, writable) in PLAIN.items():
        value = peer.rng.getrandbits(32)
        assert await peer.read(addr) == reset, hex(addr)
        await peer.write(addr, value)
        assert await peer.read(addr) == value & writable, hex(addr)
        await peer.write(addr, reset)


async def h2c(peer: Peer, sizes: list[int]) -> None:
    """Packets of these sizes, from anywhere in a page; status and interrupt after them."""
    base, ring = peer.rc.alloc_region(4096)
    ring[:] = bytes(4096)
    word = QEN | WBI_CHK | WBK_EN | IRQ_EN | 1 << 48 | base << 64 | VECTOR << 128
    await peer.context(HW_H2C, 3, 0, 0)
    await peer.context(SW_H2C, 3, word)
    wanted = []
    for i, size in enumerate(sizes):
        page, buffer = peer.rc.alloc_region(2 * BUFFER)
        offset = peer.rng.randrange(BUFFER)
        data = peer.rng.randbytes(size)
        buffer[offset : offset + size] = data
        ring[16 * i : 16 * i + 16] = (size << 32 | 3 << 48 | page + offset << 64).to_bytes(16, "little")
        wanted.append((3, data))
    peer.packets.clear()
    peer.messages[:4] = bytes(4)
    await peer.write(0x18000 + 16 * 3 + 4, len(sizes) | 1 << 16)
    at = 16 * (RING - 1)
    await peer.until(lambda: int.from_bytes(ring[at + 2 : at + 4], "little") == len(sizes), "no status of H2C")
    assert peer.packets == wanted and int.from_bytes(ring[at : at + 2], "little") & 3 == 0
    await peer.until(lambda: bytes(peer.messages[:4]) == (0x1234).to_bytes(4, "little"), "no interrupt of H2C")


async def c2h(peer: Peer, sizes: list[int]) -> None:
    """Packets of these sizes into buffers anywhere in a page, then an entry of each; a queue that is invalidated."""
    base, ring = peer.rc.alloc_region(4096)
    entries_at, entries = peer.rc.alloc_region(4096)
    entries[:] = bytes(4096)
    buffers = []
    for i in range(RING - 2):
        page, buffer = peer.rc.alloc_region(2 * BUFFER)
        offset = peer.rng.randrange(BUFFER)
        buffers.append(memoryview(buffer)[offset : offset + BUFFER])
        ring[8 * i : 8 * i + 8] = (page + offset).to_bytes(8, "little")
    # Status with every entry, colour 1; entries of 16 bytes, ring from entries_at on
    word = 1 | 1 << 2 | 1 << 27 | entries_at >> 6 << 32 | 1 << 90 | 1 << 124
    await peer.context(COMPLETION, 4, word)
    await peer.write(0x18000 + 16 * 4 + 12, 1 << 24)
    await peer.context(PREFETCH, 4, 1 << 45)
    await peer.context(HW_C2H, 4, 0, 0)
    await peer.context(SW_C2H, 4, QEN | WBK_EN | base << 64)
    await peer.write(0x18000 + 16 * 4 + 8, RING - 2)
    await Timer(SETTLE_NS, "ns")
    packets = [peer.rng.randbytes(size) for size in sizes]
    for data in packets:
        await peer.send(4, data)
    last = ENTRY * (len(sizes) - 1)
    await peer.until(lambda: entries[last] & 2, "no entry of C2H")
    for i, data in enumerate(packets):
        entry = int.from_bytes(entries[ENTRY * i : ENTRY * i + ENTRY], "little")
        assert entry & 2 and entry >> 3 & 1 and entry >> 4 & 0xFFFF == len(data), f"entry {i}: {entry:#x}"
        assert bytes(buffers[i][: len(data)]) == data, f"packet {i}"
    await peer.context(SW_C2H, 4, 0, INVALIDATE)


async def user_interrupts(peer: Peer) -> None:
    """MSI-X as software sets it in the capability: on, masked, off; no bus master; a function without it."""
    data, function = (0x5678).to_bytes(4, "little"), peer.function

    async def mask(is_masked: bool) -> None:
        control = await function.capability_read_word(PciCapId.MSIX, 2)
        await function.capability_write_word(PciCapId.MSIX, 2, control & ~FUNCTION_MASK | FUNCTION_MASK * is_masked)

    async def expect(is_ack: bool, is_sent: bool) -> None:
        peer.messages[4:8] = bytes(4)
        await Timer(SETTLE_NS, "ns")
        assert await peer.user_irq(0, USER_VECTOR) == is_ack
        await Timer(SETTLE_NS, "ns")
        assert bytes(peer.messages[4:8]) == (data if is_sent else bytes(4))

    addr = peer.message + 4
    await peer.write(PF_MSIX[0] + 16 * USER_VECTOR, addr & 0xFFFFFFFF, addr >> 32, 0x5678, 0)
    await expect(True, True)
    await mask(True)
    await expect(True, False)
    assert await peer.read(PF_MSIX[1]) == 1 << USER_VECTOR
    await mask(False)
    await peer.until(lambda: bytes(peer.messages[4:8]) == data, "a pending message is not sent")
    await function.msix_set_enable(False)
    await expect(False, False)
    await function.msix_set_enable(True)
    await function.clear_master()
    await expect(False, False)
    await function.set_master()
    await expect(True, True)
    assert not await peer.user_irq(1, USER_VECTOR)  # nobody has enabled it
    assert await peer.read(PF_MSIX[1]) == 0
    assert int(peer.dut.stat_user_irq_failed.value) == 3


async def everything(dut, *, mps: int, mrrs: int, rcb: int) -> None:
    peer = await Peer(dut, mps=mps, mrrs=mrrs, rcb=rcb).start()
    await registers(peer)
    await peer.set_up()
    sizes = [1, 2, 3, 63, 64, 65, 127, 128, 255, 256, 257, 511, 512, 513, 1024, 1500, 4095, 4096]
    sizes += [peer.rng.randint(1, 4096) for _ in range(PACKETS - len(sizes))]
    peer.rng.shuffle(sizes)
    await h2c(peer, sizes)
    await c2h(peer, sizes)
    await user_interrupts(peer)
    assert int(dut.stat_read_failed.value) == int(dut.stat_completion_unexpected.value) == 0
    assert int(dut.stat_answer_expired.value) == int(dut.stat_write_dropped.value) == 0


@cocotb.test()
async def mps_256_mrrs_512_rcb_64(dut):
    await everything(dut, mps=256, mrrs=512, rcb=64)


@cocotb.test()
async def mps_128_mrrs_4096_rcb_128(dut):
    await everything(dut, mps=128, mrrs=4096, rcb=128)


@kept(__file__)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_peer(test):
    assert (PFS, VFS) == (2, 4)
    top_bench("qdma_usp").run(__name__, test)
