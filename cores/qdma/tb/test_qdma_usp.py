# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""qdma_usp_adapter between cocotbext-pcie's models of the PCIe block's four streams and the TLP channels of qdma."""

from collections import deque

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiStreamBus
from cocotbext.pcie.core.tlp import CplStatus, TlpAttr, TlpTc, TlpType
from cocotbext.pcie.core.utils import PcieId
from cocotbext.pcie.xilinx.us.interface import CcSink, CqSource, RcSource, RqSink, UsPcieFrame
from cocotbext.pcie.xilinx.us.tlp import ErrorCode, Tlp_us

from qdma_bed import CORE, running_test, sources
from ullnic_tb import Bench, cocotb_tests, reader, seeded

PERIOD_NS = 4
TLPS = 800
PAUSES = (0, 0.3)  # of each side, in turn
LIMIT = 40000  # cycles of a test
STATUS_OK, STATUS_UR, STATUS_CA = 0, 1, 4
PAGE = 4096
EXPIRES = 4096  # cycles after which an answer waits no longer


def adapter_bench() -> Bench:
    return Bench(
        "qdma_usp_adapter", [*sources(), *(CORE / "tb" / f"qdma_usp_{name}.sv" for name in ("no_pause", "checks"))]
    )


class Channel:
    """A TLP channel of qdma: fields by their names, without the prefix."""

    def __init__(self, dut, prefix: str, fields: tuple[str, ...]):
        self.dut, self.prefix, self.fields = dut, prefix, fields
        self.look = reader([f"{prefix}_{name}" for name in fields])

    def drive(self, values: dict[str, int]) -> None:
        for name, value in values.items():
            getattr(self.dut, f"{self.prefix}_{name}").value = value

    def seen(self) -> dict[str, int]:
        values = self.look()
        return {name: getattr(values, f"{self.prefix}_{name}") for name in self.fields}


WRITE = ("valid", "ready", "func", "addr", "dwords", "first_be", "last_be", "tc", "attr", "data", "last")
READ = ("valid", "ready", "func", "addr", "dwords", "first_be", "last_be", "tag", "tc", "attr")
COMPLETION = ("valid", "status", "is_poisoned", "is_timeout", "is_final", "tag", "dwords", "byte_count", "lower_addr")
COMPLETION += ("data", "last")
REQUEST = ("valid", "ready", "is_write", "func", "bar", "addr", "dwords", "first_be", "last_be", "requester", "tag")
REQUEST += ("tc", "attr", "data", "last")
ANSWER = ("valid", "ready", "status", "func", "dwords", "byte_count", "lower_addr", "requester", "tag", "tc", "attr")
ANSWER += ("data",)


class Bed:
    def __init__(self, dut):
        self.dut, self.rng = dut, seeded(running_test())

    async def start(self) -> "Bed":
        dut = self.dut
        for prefix, fields in (("host_write", WRITE), ("host_read", READ), ("bar_answer", ANSWER)):
            Channel(dut, prefix, fields).drive({name: 0 for name in fields if name != "ready"})
        dut.bar_request_ready.value = 0
        cocotb.start_soon(Clock(dut.clk, PERIOD_NS, "ns").start())
        bus = {
            name: AxiStreamBus.from_prefix(dut, name) for name in ("s_axis_rq", "m_axis_rc", "m_axis_cq", "s_axis_cc")
        }
        self.rq = RqSink(bus["s_axis_rq"], dut.clk, dut.rst, segments=2)
        self.rc = RcSource(bus["m_axis_rc"], dut.clk, dut.rst, segments=4)
        self.cq = CqSource(bus["m_axis_cq"], dut.clk, dut.rst)
        self.cc = CcSink(bus["s_axis_cc"], dut.clk, dut.rst)
        for stream in (self.rq, self.rc, self.cq, self.cc):
            stream.log.setLevel("WARNING")
        dut.rst.value = 1
        await self.edges(4)
        dut.rst.value = 0
        await self.edges(2)
        return self

    async def edges(self, count: int) -> None:
        for _ in range(count):
            await RisingEdge(self.dut.clk)

    def pause(self, stream, rate: float) -> None:
        stream.set_pause_generator(iter(lambda: self.rng.random() < rate, None))

    def write(self, dwords: int) -> dict:
        """A posted write that crosses no page."""
        rng = self.rng
        addr = (rng.getrandbits(52) << 12) + 4 * rng.randint(0, PAGE // 4 - dwords)
        return {
            "func": rng.getrandbits(8),
            "addr": addr,
            "dwords": dwords,
            "first_be": rng.choice((15, 14, 12, 8)),
            "last_be": rng.choice((15, 7, 3, 1)) if dwords > 1 else 0,
            "tc": rng.getrandbits(3),
            "attr": rng.getrandbits(3),
        }


async def offer(bed: Bed, channel: Channel, tlps: list, beats, rate: float) -> None:
    """Drives a channel; no pause within a TLP."""
    dut, ready = bed.dut, getattr(bed.dut, f"{channel.prefix}_ready")
    for tlp in tlps:
        while bed.rng.random() < rate:
            channel.drive({"valid": 0})
            await RisingEdge(dut.clk)
        for beat in beats(tlp):
            channel.drive({"valid": 1} | beat)
            await RisingEdge(dut.clk)
            while not int(ready.value):
                await RisingEdge(dut.clk)
    channel.drive({"valid": 0})


def write_beats(tlp: dict) -> list[dict]:
    header = {name: value for name, value in tlp.items() if name != "bytes"}
    data = tlp["bytes"].ljust(-(-len(tlp["bytes"]) // 64) * 64, b"\xee")
    starts = range(0, len(data), 64)
    return [header | {"data": int.from_bytes(data[i : i + 64], "little"), "last": i == starts[-1]} for i in starts]


def request_fields(tlp: Tlp_us) -> dict:
    return {
        "func": int(tlp.requester_id) & 0xFF,
        "addr": tlp.address,
        "dwords": tlp.length,
        "first_be": tlp.first_be,
        "last_be": tlp.last_be,
        "tc": int(tlp.tc),
        "attr": int(tlp.attr),
    }


@cocotb.test()
async def requests(dut):
    """Posted writes and reads of any length, both in their order, none lost."""
    bed = await Bed(dut).start()
    rng = bed.rng
    for rate in PAUSES:
        bed.pause(bed.rq, rate)
        writes = []
        for _ in range(TLPS // 2):
            dwords = rng.choice((1, 2, 4, 5, 12, 13, 16, 17, 28, 29, 32, 64, rng.randint(1, 64)))
            writes.append(bed.write(dwords) | {"bytes": rng.randbytes(4 * dwords)})
        reads = [bed.write(rng.choice((1, 4, 16, 128))) | {"tag": rng.getrandbits(8)} for _ in range(TLPS // 2)]
        left = {"write": deque(writes), "read": deque(reads)}
        sending = [
            cocotb.start_soon(offer(bed, Channel(dut, "host_write", WRITE), writes, write_beats, rate)),
            cocotb.start_soon(offer(bed, Channel(dut, "host_read", READ), reads, lambda read: [read], 2 * rate)),
        ]
        for _ in range(LIMIT):
            await RisingEdge(dut.clk)
            while not bed.rq.empty():
                frame = bed.rq.recv_nowait()
                tlp = Tlp_us.unpack_us_rq(frame)
                fields = request_fields(tlp)
                _, _, low, high = frame.data[:4]
                # The block fills in the bus; no address type, poison, completer, ECRC
                assert not (int(tlp.at) or low >> 15 & 1 or low >> 24 or high >> 8 & 0x1FFFF or high >> 31)
                assert not frame.discontinue
                if tlp.fmt_type in (TlpType.MEM_WRITE, TlpType.MEM_WRITE_64):
                    assert fields | {"bytes": bytes(tlp.data)} == left["write"].popleft() and tlp.tag == 0
                else:
                    assert fields | {"tag": tlp.tag} == left["read"].popleft()
            if not left["write"] and not left["read"]:
                break
        assert not left["write"] and not left["read"]
        for task in sending:
            await task


@cocotb.test()
async def packing(dut):
    """Beats that a stream of TLPs takes: no half of one is empty."""
    bed = await Bed(dut).start()
    count = 600
    for dwords, reads_each in ((16, 0), (16, 1), (64, 1), (4, 1), (12, 0)):
        halves = count * (-(-(16 + 4 * dwords) // 32) + reads_each)
        writes = [bed.write(dwords) | {"bytes": bed.rng.randbytes(4 * dwords)} for _ in range(count)]
        reads = [bed.write(16) | {"tag": 0} for _ in range(count * reads_each)]
        cocotb.start_soon(offer(bed, Channel(dut, "host_write", WRITE), writes, write_beats, 0))
        cocotb.start_soon(offer(bed, Channel(dut, "host_read", READ), reads, lambda read: [read], 0))
        beats = got = 0
        while got < count * (1 + reads_each):
            await RisingEdge(dut.clk)
            beats += int(dut.s_axis_rq_tvalid.value)
            while not bed.rq.empty():
                bed.rq.recv_nowait()
                got += 1
        print(f"{dwords} dwords, {reads_each} reads: {beats} beats for {halves} halves")
        # The last TLPs of the one channel may be alone.
        assert beats <= halves / 2 + count * reads_each / 2 * (dwords == 4) + 4


def completion(bed: Bed, count: int) -> tuple[Tlp_us, dict]:
    """A part of the answer to a read, of so many dwords: as RC has it, and as the channel is to have it."""
    rng = bed.rng
    tlp = Tlp_us()
    tlp.fmt_type = TlpType.CPL_DATA if count else TlpType.CPL
    tlp.length, tlp.tag = count, rng.getrandbits(8)
    tlp.data = bytearray(rng.randbytes(4 * count))
    tlp.requester_id, tlp.completer_id = PcieId.from_int(rng.getrandbits(16)), PcieId.from_int(rng.getrandbits(16))
    tlp.lower_address = rng.getrandbits(12)
    tlp.byte_count = rng.randint(max(1, 4 * count), 4096) if count else rng.randint(1, 4096)
    tlp.ep, tlp.request_completed = rng.random() < 0.1, bool(rng.getrandbits(1))
    tlp.tc, tlp.attr = TlpTc(rng.getrandbits(3)), TlpAttr(rng.getrandbits(3))
    if tlp.ep:
        tlp.error_code = ErrorCode.POISONED
    status = STATUS_OK
    if not count:
        bad = (ErrorCode.INVALID_TAG, ErrorCode.MISMATCH, ErrorCode.INVALID_ADDRESS, ErrorCode.FLR)
        tlp.error_code = rng.choice((ErrorCode.BAD_STATUS, ErrorCode.TIMEOUT, *bad))
        if tlp.error_code == ErrorCode.BAD_STATUS:
            tlp.status = CplStatus(status := rng.choice((STATUS_UR, STATUS_CA)))
        elif tlp.error_code in bad:
            status = STATUS_CA
    wanted = {
        "status": status,
        "is_poisoned": int(tlp.ep),
        "is_timeout": int(tlp.error_code == ErrorCode.TIMEOUT),
        "is_final": int(tlp.request_completed),
        "tag": tlp.tag,
        "dwords": count,
        "byte_count": tlp.byte_count,
        "lower_addr": tlp.lower_address & 0x7F,
    }
    return tlp, wanted


@cocotb.test()
async def completions(dut):
    """Of any length, errors among them: each as it was, in the order of RC."""
    bed = await Bed(dut).start()
    channel, rng = Channel(dut, "host_completion", COMPLETION), bed.rng
    for rate in PAUSES:
        bed.pause(bed.rc, rate)
        left = deque()
        for _ in range(TLPS):
            count = rng.choice((0, 1, 2, 4, 5, 8, 13, 16, 16, 17, 29, 32, 64, 128, rng.randint(1, 128)))
            tlp, wanted = completion(bed, count)
            bed.rc.send_nowait(tlp.pack_us_rc())
            left.append((wanted, bytes(tlp.data)))
        data = b""
        for _ in range(LIMIT):
            await RisingEdge(dut.clk)
            seen = channel.seen()
            if not seen.pop("valid"):
                continue
            wanted, payload = left[0]
            data += seen.pop("data").to_bytes(64, "little")
            last = seen.pop("last")
            assert seen == wanted and last == (len(data) >= len(payload))
            if last:
                assert data[: len(payload)] == payload
                left.popleft()
                data = b""
                if not left:
                    break
        assert not left
    bed.pause(bed.rc, 0)
    for number, count in enumerate((0, 1, 13), 1):  # one beat each
        frame = completion(bed, count)[0].pack_us_rc()
        frame.discontinue = True
        bed.rc.send_nowait(frame)
        await bed.edges(20)
        assert int(dut.stat_discontinued.value) == number


@cocotb.test()
async def completion_rate(dut):
    """Completions of 64 bytes come as fast as RC has them: five in four of its beats."""
    bed = await Bed(dut).start()
    count = 800
    for _ in range(count):
        bed.rc.send_nowait(completion(bed, 16)[0].pack_us_rc())
    got = cycles = 0
    while got < count:
        await RisingEdge(dut.clk)
        cycles += got > 0
        got += int(dut.host_completion_valid.value)
    assert cycles <= count * 5 / 4 + 4, cycles


def request(bed: Bed, kind: TlpType, dwords: int) -> tuple[UsPcieFrame, dict]:
    """A request to a BAR of 256 KiB, as CQ has it, and as the channel is to have it."""
    rng = bed.rng
    tlp = Tlp_us()
    tlp.fmt_type, tlp.length = kind, dwords
    addr = 4 * rng.randrange((1 << 16) - dwords)
    tlp.address = 7 << 40 | 5 << 18 | addr
    tlp.bar_id, tlp.bar_aperture = rng.choice((0, 2)), 18
    tlp.requester_id = PcieId.from_int(rng.getrandbits(16))
    tlp.tag, tlp.tc, tlp.attr = rng.getrandbits(8), TlpTc(rng.getrandbits(3)), TlpAttr(rng.getrandbits(3))
    tlp.first_be, tlp.last_be = rng.randint(1, 15), rng.randint(1, 15) if dwords > 1 else 0
    writes = kind in (TlpType.MEM_WRITE, TlpType.IO_WRITE, TlpType.FETCH_ADD)
    if writes:
        tlp.data = bytearray(rng.randbytes(4 * dwords))
    frame, func = tlp.pack_us_cq(), rng.getrandbits(8)
    frame.data[3] |= func << 8  # the library knows 8 functions
    is_memory = kind in (TlpType.MEM_WRITE, TlpType.MEM_READ)
    wanted = {
        "is_write": int(kind == TlpType.MEM_WRITE),
        "func": func,
        "bar": tlp.bar_id if is_memory else 7,
        "addr": addr,
        "dwords": dwords if is_memory else 1,
        "first_be": tlp.first_be if is_memory else 15,
        "last_be": tlp.last_be if is_memory else 0,
        "requester": int(tlp.requester_id),
        "tag": tlp.tag,
        "tc": int(tlp.tc),
        "attr": int(tlp.attr),
        "payload": bytes(tlp.data) if kind == TlpType.MEM_WRITE else b"",
    }
    return frame, wanted


@cocotb.test()
async def accesses(dut):
    """Reads and writes of a BAR, and what is neither; messages are dropped and counted."""
    bed = await Bed(dut).start()
    channel, rng, messages = Channel(dut, "bar_request", REQUEST), bed.rng, 0
    kinds = [TlpType.MEM_READ] * 4 + [TlpType.MEM_WRITE] * 4 + [TlpType.IO_READ, TlpType.IO_WRITE, TlpType.FETCH_ADD]
    for rate, waits in ((0, False), (0.3, False), (0, True)):  # waits: nobody is ready before there is a request
        bed.pause(bed.cq, rate)
        left = deque()
        for _ in range(TLPS):
            kind = rng.choice(kinds)
            dwords = rng.choice((1, 1, 2, 12, 13, 16, 17, 28, 29, 64)) if kind != TlpType.IO_READ else 1
            frame, wanted = request(bed, kind, dwords)
            if kind == TlpType.MEM_WRITE and rng.random() < 0.1:
                frame.data[2] = frame.data[2] & ~(15 << 11) | rng.choice((12, 13, 14)) << 11  # which it cannot pack
                messages += 1
            else:
                left.append((wanted, wanted.pop("payload")))
            bed.cq.send_nowait(frame)
        data = b""
        for _ in range(LIMIT):
            await RisingEdge(dut.clk)
            seen, ready = channel.seen(), int(dut.bar_request_ready.value)
            valid = seen.pop("valid")
            accepted, is_held = valid and ready, valid and not ready
            dut.bar_request_ready.value = int(rng.random() >= rate and (not waits or is_held))
            if not accepted:
                continue
            wanted, payload = left[0]
            data += seen.pop("data").to_bytes(64, "little")
            last = seen.pop("last")
            del seen["ready"]
            assert seen == wanted and last == (len(data) >= len(payload))
            if last:
                assert data[: len(payload)] == payload
                left.popleft()
                data = b""
                if not left:
                    break
        assert not left
    await bed.edges(20)
    assert int(dut.stat_request_dropped.value) == messages > 0


@cocotb.test()
async def answers(dut):
    """Completions of reads of BARs: with 0 to 16 dwords."""
    bed = await Bed(dut).start()
    channel, rng = Channel(dut, "bar_answer", ANSWER), bed.rng
    for rate in PAUSES:
        bed.pause(bed.cc, rate)
        wanted = []
        for i in range(TLPS // 2):
            dwords = i % 17
            wanted.append(
                {
                    "status": STATUS_OK if dwords else rng.choice((STATUS_UR, STATUS_CA)),
                    "func": rng.getrandbits(8),
                    "dwords": dwords,
                    "byte_count": rng.randint(1, 64),
                    "lower_addr": rng.getrandbits(7),
                    "requester": rng.getrandbits(16),
                    "tag": rng.getrandbits(8),
                    "tc": rng.getrandbits(3),
                    "attr": rng.getrandbits(3),
                    "data": rng.getrandbits(512),
                }
            )
        sending = cocotb.start_soon(offer(bed, channel, wanted, lambda answer: [answer], rate))
        left = deque(wanted)
        for _ in range(LIMIT):
            await RisingEdge(dut.clk)
            while not bed.cc.empty():
                frame = bed.cc.recv_nowait()
                tlp, answer = Tlp_us.unpack_us_cc(frame), left.popleft()
                data = answer["data"].to_bytes(64, "little")[: 4 * answer["dwords"]]
                assert bytes(tlp.data) == data and len(frame.data) == 3 + answer["dwords"]
                low, middle, high = frame.data[:3]
                assert low & ~(0x1FFF << 16 | 0x7F) == middle & 1 << 14 == high & (1 << 31 | 0x1FF << 16) == 0
                assert {
                    "status": int(tlp.status),
                    "func": int(tlp.completer_id) & 0xFF,
                    "dwords": tlp.length,
                    "byte_count": tlp.byte_count,
                    "lower_addr": tlp.lower_address,
                    "requester": int(tlp.requester_id),
                    "tag": tlp.tag,
                    "tc": int(tlp.tc),
                    "attr": int(tlp.attr),
                    "data": answer["data"],
                } == answer
            if not left:
                break
        assert not left
        await sending


async def cycles_until_answer(bed: Bed, limit: int) -> int | None:
    for cycle in range(limit):
        await RisingEdge(bed.dut.clk)
        if not bed.cc.empty():
            bed.cc.recv_nowait()
            return cycle
    return None


@cocotb.test()
async def order_of_answers(dut):
    """An answer waits for the writes that were accepted before it, not for those after it nor for reads; if a number
    never comes, it leaves after a time and is counted."""
    bed = await Bed(dut).start()
    answer = Channel(dut, "bar_answer", ANSWER)
    writes, reads = Channel(dut, "host_write", WRITE), Channel(dut, "host_read", READ)
    number = 0

    def numbered(valid: int, value: int = 0, port: int = 0) -> None:
        getattr(dut, f"pcie_rq_seq_num{port}").value = value
        getattr(dut, f"pcie_rq_seq_num_vld{port}").value = valid

    async def write(count: int) -> None:
        tlps = [bed.write(4) | {"bytes": bytes(16)} for _ in range(count)]
        await offer(bed, writes, tlps, write_beats, 0)

    async def ask() -> None:
        await offer(bed, answer, [{"status": STATUS_OK, "dwords": 1}], lambda each: [each], 0)

    for turn in range(70):
        count = bed.rng.randint(1, 20)
        await write(count)
        await offer(bed, reads, [bed.write(4) | {"tag": 0}], lambda each: [each], 0)
        asking = cocotb.start_soon(ask())
        assert await cycles_until_answer(bed, 40) is None, turn
        numbered(1, 0x20 | bed.rng.getrandbits(5))  # of a read
        later = cocotb.start_soon(write(3))
        assert await cycles_until_answer(bed, 20) is None, turn
        await later
        # All but the last by one number, as if the block had dropped those before it
        if count > 1:
            numbered(1, (number + count - 2) % 32)
            await RisingEdge(dut.clk)
            numbered(0)
            assert await cycles_until_answer(bed, 20) is None, turn
        numbered(1, (number + count - 1) % 32, port=turn % 2)
        await RisingEdge(dut.clk)
        numbered(0, port=turn % 2)
        numbered(0)
        assert await cycles_until_answer(bed, 8) is not None, turn
        await asking
        number += count + 3
        numbered(1, (number - 1) % 32)
        await RisingEdge(dut.clk)
        numbered(0)
    assert int(dut.stat_answer_expired.value) == 0
    await write(1)
    asking = cocotb.start_soon(ask())
    assert EXPIRES < await cycles_until_answer(bed, 2 * EXPIRES) < EXPIRES + 20
    await asking
    await bed.edges(4)
    assert int(dut.stat_answer_expired.value) == 1


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_usp(test):
    adapter_bench().run(__name__, test)
