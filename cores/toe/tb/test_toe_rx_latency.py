# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole receive path: cycles from word 0 of a frame to its payload at the user, and the line's rate."""

import os
from pathlib import Path

import cocotb
import pytest
from scapy.layers.inet import IP, TCP
from scapy.packet import Raw

from toe_rx_model import MASK32, Arrival, Interface, ether, interfaces_number, ip_text, link
from toe_structs import TUPLE
from ullnic_tb import Bench, Stepper, main_and_kept, parameter, rtl, seeded
from ullnic_tb.structs import pack

WIDTH, STORE = parameter("TCP2USER_DATA_WIDTH", 64), parameter("STORE_FORWARD", 0)
PIPE, FCS = parameter("RX_OUTPUT_PIPE_COUNT", 0), parameter("FCS", 1)
OUTPUTS = ("change_ready", "rcv_wr_ready", "ack_nxt", "segment_valid", "stat_no_room") + tuple(
    f"m_axis_{name}" for name in ("tdata", "tkeep", "tvalid", "tlast", "tuser", "tdest")
)
# Payloads: each length up to 80, then around each multiple of 64 up to 2048.
LENGTHS = [*range(1, 81), *(64 * k + d for k in range(2, 33) for d in (-1, 0, 1) if 64 * k + d <= 2048)]


class Line:
    def __init__(self, dut, rng):
        self.s, self.rng = Stepper(dut, OUTPUTS), rng
        self.interface = Interface.random(rng)
        self.peer = {"iface": 0, "peer_ip": rng.getrandbits(32), "peer_port": 4000, "local_port": 5000}
        self.seq = (MASK32 - rng.randrange(3000)) & MASK32
        dut.iface.value = interfaces_number([self.interface])
        dut.session.value = pack(TUPLE, self.peer)
        dut.sid.value = dut.rcv_wr_open.value = 1
        self.cycle, self.got, self.beats, self.records = 0, bytearray(), [], 0

    async def reset(self) -> None:
        idle = {
            "s_axis_tvalid": 0,
            "rx_status_valid": 0,
            "snd_nxt": 1000,
            "rcv_wr": 0,
            "change_valid": 0,
            "m_axis_tready": 1,
        }
        await self.s.reset(**idle)
        while not (await self.s.step(rcv_wr=1, rcv_wr_nxt=self.seq)).rcv_wr_ready:
            pass
        while not (await self.s.step(rcv_wr=0, change_valid=1)).change_ready:
            pass
        self.s.set(change_valid=0)
        for _ in range(6):  # until room is known
            await self.s.step()

    async def play(self, payload: bytes, arrival: Arrival) -> tuple[int, int]:
        """Cycles of word 0 and of the verdict."""
        ports = {"sport": self.peer["peer_port"], "dport": self.peer["local_port"]}
        header = link(self.interface, b"\2abcde") / IP(src=ip_text(self.peer["peer_ip"]), dst=self.interface.ip)
        packet = bytes(header / TCP(**ports, seq=self.seq, ack=1000, flags="PA") / Raw(payload))
        begin, end = self.cycle, None
        for word in arrival.cycles(ether(packet) if FCS else packet.ljust(60, b"\0"), self.rng):
            end = self.cycle if word.end else end
            out = await self.s.step(**word.inputs(self.rng))
            assert not out.stat_no_room
            self.records += out.segment_valid
            if out.m_axis_tvalid:
                assert out.m_axis_tdest == 1 and not out.m_axis_tuser
                octets = out.m_axis_tdata.to_bytes(WIDTH // 8, "little")
                kept = bytes(octet for i, octet in enumerate(octets) if out.m_axis_tkeep >> i & 1)
                self.got += kept
                self.beats.append((self.cycle, kept, out.m_axis_tlast))
            self.cycle += 1
        self.seq = (self.seq + len(payload)) & MASK32
        return begin, end


@cocotb.test()
async def first_byte(dut):
    """From word 0 to the first byte, and to the first full beat; or from the verdict to the first beat."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    line = Line(dut, rng)
    await line.reset()
    for n, length in enumerate(LENGTHS):
        payload = rng.randbytes(length)
        line.beats.clear()
        line.got.clear()
        idle = 4 + PIPE + (length // (WIDTH // 8) + 4 if STORE else 0)
        begin, end = await line.play(payload, Arrival(empty=bool(n % 2), behind=n % 3 % 2, idle=idle))
        assert bytes(line.got) == payload and line.s.dut.ack_nxt.value == line.seq
        first = line.beats[0][0] - PIPE
        if STORE:
            assert first == end + 2, length
        else:
            assert first - begin <= 14 or (WIDTH == 64 and length > 6)
            # Word 13 has two bytes, each word behind it four; a beat waits for eight or for the last byte
            waits = 0 if WIDTH == 32 else (min(length, 8) + 1) // 4
            assert first - begin == 13 + waits <= 15, length
            assert line.beats[-1] == (end + 1 + PIPE, b"", 1)


@cocotb.test()
async def line_rate(dut):
    """Frames that touch, word 0 in the cycle behind the verdict: nothing is dropped at any length."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    line = Line(dut, rng)
    await line.reset()
    sent = bytearray()
    lengths = [length for length in range(1, 513, 16) for _ in range(8)] + [1460] * 10
    for length in lengths:
        payload = rng.randbytes(length)
        sent += payload
        await line.play(payload, Arrival())
    await line.play(b"x", Arrival(idle=400))
    assert line.got == sent + b"x" and line.records == len(lengths) + 1


CASES = {
    "cut_64": {},
    "cut_32": {"TCP2USER_DATA_WIDTH": 32, "FCS": 0},
    "cut_64_pipe": {"RX_OUTPUT_PIPE_COUNT": 1},
    "store_64": {"STORE_FORWARD": 1},
    "store_64_no_fcs": {"STORE_FORWARD": 1, "FCS": 0},
    "store_32": {"STORE_FORWARD": 1, "TCP2USER_DATA_WIDTH": 32},
    "reorder_64": {"RX_REORDERING_EN": 1, "REORDER_BYTES": 16384},
}
HERE = Path(__file__).parent
OTHERS = (
    "toe_pkg",
    "toe_fifo",
    "toe_hash_pkg",
    "toe_hash_peer",
    "toe_hash_own",
    "toe_equal",
    "toe_lookup",
    "toe_tx_ring",
    "toe_tx_read",
)


@pytest.mark.parametrize("case", main_and_kept(__file__, CASES, lambda case: case in ("cut_64", "store_64")))
@pytest.mark.parametrize("test", ["first_byte", "line_rate"])
def test_toe_rx_latency(test, case):
    common = [path for path in rtl("common") if path.stem in ("axis_register", "ram_sdp")]
    own = [path for path in rtl("toe") if path.stem in OTHERS or path.stem.startswith("toe_rx_")]
    given = {"TCP2USER_DATA_WIDTH": 64, "STORE_FORWARD": 0, "RX_OUTPUT_PIPE_COUNT": 0, "FCS": 1}
    sources = [*common, *own, HERE / "toe_rx_head.sv", HERE / "toe_rx_path.sv"]
    Bench("toe_rx_path", sources, given | CASES[case]).run(__name__, test)
