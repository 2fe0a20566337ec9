# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The card's memory behind the AXI4 port m_axi_mm, cycle by cycle: one ID, words of 64 bytes, responses in order.

test_qdma_mm_peer.py has cocotbext-axi's memory instead.
"""

from collections import deque
from dataclasses import dataclass

from qdma_host import PAGE
from qdma_write_bed import names

WORD = 64
OKAY, SLVERR = 0, 2
LATENCY = 2  # cycles from an address to the first word of its burst: a block RAM with a register at its output
CARD_OUTPUTS = names(
    "m_axi_mm_awaddr m_axi_mm_awlen m_axi_mm_awvalid m_axi_mm_wdata m_axi_mm_wstrb m_axi_mm_wlast m_axi_mm_wvalid "
    "m_axi_mm_bready m_axi_mm_araddr m_axi_mm_arlen m_axi_mm_arvalid m_axi_mm_rready"
)
CARD_IDLE = dict.fromkeys(names("m_axi_mm_awready m_axi_mm_wready m_axi_mm_bvalid m_axi_mm_arready m_axi_mm_rvalid"), 0)


@dataclass
class Burst:
    addr: int  # of the next word
    left: int  # words
    due: int = 0  # cycle of the first word
    is_bad: bool = False  # a word of it had an error


class CardMemory:
    """64-bit addresses. `writes` is called for each run of bytes, `reads` for each word; an access to a bad page gets
    an error response. `pauses` is the share of the cycles in which each channel waits.
    """

    def __init__(self, rng):
        self.rng, self.pages, self.bad, self.pauses = rng, {}, set(), 0.0
        self.latency = LATENCY
        self.writes = self.reads = lambda *_: None
        self.aw: deque[Burst] = deque()
        self.ar: deque[Burst] = deque()
        self.w: deque[tuple[int, int, int]] = deque()  # words that no address has: data, strobes, whether the last
        self.b: deque[int] = deque()
        self.b_shown = self.r_shown = False
        self.cycle = 0

    def page(self, addr: int) -> bytearray:
        if addr // PAGE not in self.pages:
            self.pages[addr // PAGE] = bytearray(self.rng.randbytes(PAGE))
        return self.pages[addr // PAGE]

    def peek(self, addr: int, count: int) -> bytes:
        data = b""
        while count:
            part = min(count, PAGE - addr % PAGE)
            data += self.page(addr)[addr % PAGE :][:part]
            addr, count = addr + part, count - part
        return data

    def _is_going(self) -> bool:
        return not self.pauses or self.rng.random() >= self.pauses

    def inputs(self) -> dict[str, int]:
        self.ready = self._is_going(), self._is_going(), self._is_going()
        inputs = dict(zip(("m_axi_mm_awready", "m_axi_mm_wready", "m_axi_mm_arready"), self.ready, strict=True))
        if self.b and not self.b_shown and self._is_going():
            self.b_shown, inputs["m_axi_mm_bresp"] = True, self.b[0]
        if self.ar and self.ar[0].due <= self.cycle and not self.r_shown and self._is_going():
            self.r_shown = True
            inputs |= self._read(self.ar[0])
        return inputs | {"m_axi_mm_bvalid": self.b_shown, "m_axi_mm_rvalid": self.r_shown}

    def seen(self, out) -> None:
        aw_ready, w_ready, ar_ready = self.ready
        if self.b_shown and out.m_axi_mm_bready:
            self.b.popleft()
            self.b_shown = False
        if self.r_shown and out.m_axi_mm_rready:
            self._next(self.ar)
            self.r_shown = False
        if out.m_axi_mm_awvalid and aw_ready:
            self.aw.append(Burst(out.m_axi_mm_awaddr, out.m_axi_mm_awlen + 1))
        if out.m_axi_mm_wvalid and w_ready:
            self.w.append((out.m_axi_mm_wdata, out.m_axi_mm_wstrb, out.m_axi_mm_wlast))
        if out.m_axi_mm_arvalid and ar_ready:
            self.ar.append(Burst(out.m_axi_mm_araddr, out.m_axi_mm_arlen + 1, self.cycle + self.latency))
        while self.aw and self.w:
            self._write(self.aw[0], *self.w.popleft())
        self.cycle += 1

    def _next(self, bursts: deque[Burst]) -> None:
        burst = bursts[0]
        burst.addr = (burst.addr // WORD + 1) * WORD
        burst.left -= 1
        if not burst.left:
            bursts.popleft()

    def _read(self, burst: Burst) -> dict[str, int]:
        addr = burst.addr - burst.addr % WORD
        self.reads(addr, WORD)
        is_bad = addr // PAGE in self.bad
        return {
            "m_axi_mm_rdata": 0 if is_bad else int.from_bytes(self.peek(addr, WORD), "little"),
            "m_axi_mm_rresp": SLVERR if is_bad else OKAY,
            "m_axi_mm_rlast": int(burst.left == 1),
        }

    def _write(self, burst: Burst, data: int, strobes: int, last: int) -> None:
        assert last == (burst.left == 1), "WLAST is not at the end of the burst"
        base = burst.addr - burst.addr % WORD
        burst.is_bad |= base // PAGE in self.bad
        taken = data.to_bytes(WORD, "little")
        while strobes and base // PAGE not in self.bad:
            first = (strobes & -strobes).bit_length() - 1
            end = first + (~(strobes >> first) & (strobes >> first) + 1).bit_length() - 1
            self.writes(base + first, taken[first:end])
            self.page(base)[base % PAGE + first : base % PAGE + end] = taken[first:end]
            strobes = strobes >> end << end
        if last:
            self.b.append(SLVERR if burst.is_bad else OKAY)
        self._next(self.aw)
