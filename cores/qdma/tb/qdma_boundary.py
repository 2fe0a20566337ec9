# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Where the TLPs of qdma are driven and observed: at its channels, or at the streams of the PCIe block, with its
adapter.

Each class provides the inputs of a cycle, and reports its outputs as accesses and writes of a Bed.
"""

from collections import deque

from qdma_write_bed import names

LANES = 16  # dwords of a beat
HELD = 90  # cycles
EVERYONE = (1 << 256) - 1  # all functions


def fields(value: int, *places: tuple[int, int]) -> list[int]:
    """The fields of a word, at (lowest bit, bits)."""
    return [value >> low & (1 << bits) - 1 for low, bits in places]


class Channels:
    """qdma itself: its flat channels."""

    OUTPUTS = names(
        "bar_request_ready bar_answer_valid bar_answer_status bar_answer_tag bar_answer_data host_write_valid "
        "host_write_func host_write_addr host_write_dwords host_write_first_be host_write_last_be host_write_data "
        "host_write_last host_read_valid host_read_func host_read_addr host_read_dwords host_read_first_be "
        "host_read_last_be host_read_tag flr_done flr_func intx"
    )
    IDLE = dict.fromkeys(
        names(
            "bar_request_valid bar_request_is_write bar_request_func bar_request_bar bar_request_addr "
            "bar_request_dwords bar_request_first_be bar_request_last_be bar_request_requester bar_request_tag "
            "bar_request_tc bar_request_attr bar_request_data host_completion_valid host_completion_last "
            "host_read_ready host_write_ready"
        ),
        0,
    ) | {"bar_request_last": 1}

    def __init__(self, bed):
        self.bed = bed
        self.beats: list[bytes] = []
        self.intx = self.inta = 0  # legacy interrupt: PFs that have one, a bit each; the wire

    def settings(self, mps: int, mrrs: int, credits: int) -> dict[str, int]:
        return (
            {
                "max_payload": mps.bit_length() - 8,
                "max_read_request": mrrs.bit_length() - 8,
                "credit_limit": credits,
            }
            | self.msix(EVERYONE)
            | self.masters(EVERYONE)
            | self.resets(0)
        )

    def masters(self, functions: int) -> dict[str, int]:
        """Functions that may be bus master, one bit each."""
        return {"master_enable": functions}

    def msix(self, enabled: int, masked: int = 0) -> dict[str, int]:
        """Functions with MSI-X enabled, and those with the function mask, one bit each."""
        return {"msix_enable": enabled, "msix_mask": masked}

    def resets(self, functions: int) -> dict[str, int]:
        """Functions that are being reset (FLR), one bit each."""
        return {"flr_in_process": functions}

    def inputs(self, cycle: int) -> dict[str, int]:
        bed = self.bed
        completion = bed.host.beat(cycle)
        inputs = {f"host_completion_{key.removeprefix('completion_')}": value for key, value in completion.items()}
        self.request = bed.requests[0] if bed.requests else None
        inputs["bar_request_valid"] = int(self.request is not None)
        inputs["bar_answer_ready"] = 1
        inputs |= {f"bar_request_{key}": value for key, value in (self.request or {}).items()}
        self.write_ready, self.read_ready = bed.is_ready("write"), bed.is_ready("read")
        return inputs | {"host_write_ready": self.write_ready, "host_read_ready": self.read_ready}

    def seen(self, cycle: int, out) -> bool:
        """Whether anything was in flight."""
        bed = self.bed
        if self.request and out.bar_request_ready:
            bed.request_accepted(cycle)
        if out.bar_answer_valid:
            bed.answered(out.bar_answer_status, out.bar_answer_tag, out.bar_answer_data)
        if out.flr_done:
            bed.reset_done(out.flr_func)
        self.intx, self.inta = out.intx, int(out.intx != 0)
        if out.host_read_valid and self.read_ready:
            bed.sent(out.host_read_func)
            be = out.host_read_last_be << 4 | out.host_read_first_be
            bed.host.accept(cycle, out.host_read_tag, out.host_read_func, out.host_read_addr, out.host_read_dwords, be)
        if out.host_write_valid and self.write_ready:
            bed.sent(out.host_write_func)
            self.beats.append(out.host_write_data.to_bytes(64, "little"))
            if out.host_write_last:
                data, self.beats = b"".join(self.beats), []
                assert 0 <= len(data) - 4 * out.host_write_dwords < 64
                be = out.host_write_last_be << 4 | out.host_write_first_be
                bed.host_write(out.host_write_func, out.host_write_addr, out.host_write_dwords, be, data)
        return bool(out.host_read_valid or out.host_write_valid)


class UltraScalePlus:
    """qdma_usp: the streams of the PCIe block, after PG213.

    A completion of RC begins where the previous one has ended, at the next multiple of four dwords; a beat of RC is
    sent when it is full, or nothing more is pending.
    """

    OUTPUTS = names(
        "s_axis_rq_tvalid s_axis_rq_tdata s_axis_rq_tuser m_axis_rc_tready m_axis_cq_tready s_axis_cc_tvalid "
        "s_axis_cc_tdata s_axis_cc_tkeep s_axis_cc_tlast cfg_flr_done cfg_vf_flr_done cfg_vf_flr_func_num "
        "cfg_interrupt_int cfg_interrupt_pending"
    )
    IDLE = dict.fromkeys(
        names(
            "s_axis_rq_tready m_axis_rc_tvalid m_axis_rc_tdata m_axis_rc_tuser m_axis_cq_tvalid m_axis_cq_tdata "
            "m_axis_cq_tuser m_axis_cq_tlast s_axis_cc_tready pcie_rq_seq_num0 pcie_rq_seq_num_vld0 "
            "pcie_rq_seq_num1 pcie_rq_seq_num_vld1 cfg_interrupt_sent"
        ),
        0,
    )
    BAR_BITS = 18
    READ = 0

    def __init__(self, bed):
        self.bed = bed
        self.open: list[int] = []  # dwords of the TLP of RQ in progress
        self.enables = 0
        self.lanes: deque[tuple[int, bool, bool]] = deque()  # of RC: dword, whether a TLP begins, whether it ends
        self.rc: dict[str, int] | None = None  # the valid beat
        self.cq: deque[dict[str, int]] = deque()  # the beats of the valid request
        self.cc: list[int] = []
        self.beats: dict[str, list[int]] = {"RQ": [], "RC": []}  # cycles of the beats of each
        # Writes and reads that RQ has accepted: when they leave the block, sequence number, arguments of _request
        self.through: tuple[deque, deque] = (deque(), deque())
        self.sequence = self.number = 0
        self.delay = 20, 22  # cycles through the block, within the latency of a read
        self.hold_rate = 0.02  # of reads that wait for credits
        # Legacy interrupt: status of PFs, a bit each; the wire as the last message to the host has it, and as shown
        self.intx = self.inta = self.wire = 0
        self.message_at: int | None = None  # when the block has sent the message of a change
        self.intx_disabled = 0  # PFs whose interrupt disable is 1

    def settings(self, mps: int, mrrs: int, credits: int) -> dict[str, int]:
        """The completions that the block holds are a parameter of qdma_usp."""
        return (
            {
                "cfg_max_payload": mps.bit_length() - 8,
                "cfg_max_read_req": mrrs.bit_length() - 8,
            }
            | self.msix(EVERYONE)
            | self.masters(EVERYONE)
            | self.resets(0)
        )

    def masters(self, functions: int) -> dict[str, int]:
        """Bit 2 of a PF's four bits of status, bit 1 of a VF's two. Bit 3 of a PF's is its interrupt disable."""
        bits = [functions >> i & 1 for i in range(256)]
        disabled = sum((self.intx_disabled >> i & 1) << 4 * i + 3 for i in range(4))
        return {
            "cfg_function_status": sum(bit << 4 * i + 2 for i, bit in enumerate(bits[:4])) | disabled,
            "cfg_vf_status": sum(bit << 2 * i + 1 for i, bit in enumerate(bits[4:])),
        }

    def msix(self, enabled: int, masked: int = 0) -> dict[str, int]:
        return {
            "cfg_interrupt_msix_enable": enabled & 15,
            "cfg_interrupt_msix_vf_enable": enabled >> 4,
            "cfg_interrupt_msix_mask": masked & 15,
            "cfg_interrupt_msix_vf_mask": masked >> 4,
        }

    def resets(self, functions: int) -> dict[str, int]:
        return {"cfg_flr_in_process": functions & 15, "cfg_vf_flr_in_process": functions >> 4}

    # --- What the block shows

    def inputs(self, cycle: int) -> dict[str, int]:
        bed = self.bed
        if not self.cq and bed.requests:
            self.cq.extend(self._cq(bed.requests[0]))
        inputs = {"m_axis_cq_tvalid": int(bool(self.cq)), "s_axis_cc_tready": 1}
        inputs |= self.cq[0] if self.cq else {}
        if self.rc is None:
            self.rc = self._rc(cycle)
        inputs |= self.rc or {"m_axis_rc_tvalid": 0}
        self.rq_ready = bed.is_ready("write")
        inputs["cfg_interrupt_sent"] = int(self.message_at == cycle)
        if self.message_at == cycle:
            self.message_at, self.inta = None, self.wire
        return inputs | {"s_axis_rq_tready": self.rq_ready} | self._come_through(cycle)

    def _come_through(self, cycle: int) -> dict[str, int]:
        """TLPs that are on the link now, and their sequence numbers: at most two. Writes pass reads that are held."""
        inputs = {}
        for i in range(2):
            queue = next((queue for queue in self.through if queue and queue[0][0] <= cycle), None)
            inputs[f"pcie_rq_seq_num_vld{i}"] = int(queue is not None)
            if queue:
                _, inputs[f"pcie_rq_seq_num{i}"], tlp = queue.popleft()
                self._request(*tlp)
        return inputs

    def _cq(self, request: dict) -> list[dict[str, int]]:
        data = request["addr"] | request["dwords"] << 64 | request["is_write"] << 75 | request["tag"] << 96
        data |= request["func"] << 104 | self.BAR_BITS << 115
        dwords = 4
        if request["is_write"]:
            data |= request["data"] << 128
            dwords += request["dwords"]
        user = request["first_be"] | request["last_be"] << 8
        starts = range(0, dwords, LANES)
        mask = (1 << 512) - 1
        return [
            {"m_axis_cq_tdata": data >> 32 * at & mask, "m_axis_cq_tuser": user, "m_axis_cq_tlast": at == starts[-1]}
            for at in starts
        ]

    def _rc(self, cycle: int) -> dict[str, int] | None:
        while len(self.lanes) < LANES:
            beat = self.bed.host.beat(cycle)
            if not beat["completion_valid"]:
                break
            self._completion(cycle, beat)
        if not self.lanes:
            return None
        lanes = [self.lanes.popleft() for _ in range(min(LANES, len(self.lanes)))]
        data = sum(dword << 32 * i for i, (dword, _, _) in enumerate(lanes))
        begins = [i for i, (_, begin, _) in enumerate(lanes) if begin]
        ends = [i for i, (_, _, end) in enumerate(lanes) if end]
        user = ((1 << len(begins)) - 1) << 64 | ((1 << len(ends)) - 1) << 76
        user |= sum(at // 4 << 68 + 2 * i for i, at in enumerate(begins))
        user |= sum(at << 80 + 4 * i for i, at in enumerate(ends))
        return {"m_axis_rc_tvalid": 1, "m_axis_rc_tdata": data, "m_axis_rc_tuser": user}

    def _completion(self, cycle: int, beat: dict) -> None:
        """Queues a whole completion, of which this is the first beat."""
        count = beat["completion_dwords"]
        code = 9 if beat["is_timeout"] else 2 if beat["completion_status"] else int(beat["is_poisoned"])
        header = beat["lower_addr"] | code << 12 | beat["byte_count"] << 16 | int(beat["is_final"] or code == 9) << 30
        header |= count << 32 | beat["completion_status"] << 43 | int(beat["is_poisoned"]) << 46
        header |= beat["completion_tag"] << 64
        data, at = beat["completion_data"], 512
        while not beat["completion_last"]:
            beat = self.bed.host.beat(cycle)
            data |= beat["completion_data"] << at
            at += 512
        dwords = [header >> 32 * i & 0xFFFFFFFF for i in range(3)]
        dwords += [data >> 32 * i & 0xFFFFFFFF for i in range(count)]
        self.lanes.extend((dword, i == 0, i == len(dwords) - 1) for i, dword in enumerate(dwords))
        self.lanes.extend([(0, False, False)] * (-len(dwords) % 4))

    # --- What it sees

    def seen(self, cycle: int, out) -> bool:
        bed = self.bed
        self.intx = out.cfg_interrupt_pending
        if out.cfg_interrupt_int != self.wire:
            assert self.message_at is None, "a change before the message of the previous one"
            self.wire, self.message_at = out.cfg_interrupt_int, cycle + bed.rng.randint(1, 30)
            assert self.wire in (0, 1), "INTA alone"
        if out.cfg_flr_done or out.cfg_vf_flr_done:
            assert bool(out.cfg_flr_done) != bool(out.cfg_vf_flr_done)
            pf = out.cfg_flr_done.bit_length() - 1
            bed.reset_done(out.cfg_vf_flr_func_num if out.cfg_vf_flr_done else pf)
        if self.cq and out.m_axis_cq_tready and self.cq.popleft()["m_axis_cq_tlast"]:
            bed.request_accepted(cycle)
        if self.rc and out.m_axis_rc_tready:
            self.beats["RC"].append(cycle)
            self.rc = None
        if out.s_axis_cc_tvalid:
            self.cc += [out.s_axis_cc_tdata >> 32 * i & 0xFFFFFFFF for i in range(out.s_axis_cc_tkeep.bit_count())]
            if out.s_axis_cc_tlast:
                answer, self.cc = sum(dword << 32 * i for i, dword in enumerate(self.cc)), []
                status, tag = fields(answer, (43, 3), (64, 8))
                bed.answered(status, tag, answer >> 96)
        if out.s_axis_rq_tvalid and self.rq_ready:
            self.beats["RQ"].append(cycle)
            self._rq(cycle, out.s_axis_rq_tdata, out.s_axis_rq_tuser)
        return bool(out.s_axis_rq_tvalid or self.lanes or self.rc or any(self.through))

    def _rq(self, cycle: int, data: int, user: int) -> None:
        sops, first, second, eops, end0, end1 = fields(user, (20, 2), (22, 2), (24, 2), (26, 2), (28, 4), (32, 4))
        begins = [4 * at for i, at in enumerate((first, second)) if sops >> i & 1]
        ends = [at for i, at in enumerate((end0, end1)) if eops >> i & 1]
        assert all(at in (0, 8) for at in begins) and sops in (0, 1, 3) and eops in (0, 1, 3)
        assert bool(self.open) != (0 in begins), "a TLP in a TLP, or a beat of none"
        at = 0
        while True:
            if not self.open:
                index = begins.index(at)
                first_be, last_be, number = fields(user, (4 * index, 4), (8 + 4 * index, 4), (61 + 6 * index, 6))
                self.enables = first_be | last_be << 4
                self.number = number
                if number < 32:
                    assert number == self.sequence % 32
                    self.sequence += 1
            end = next((end for end in ends if end >= at), LANES - 1)
            self.open += [data >> 32 * i & 0xFFFFFFFF for i in range(at, end + 1)]
            if end not in ends:
                return
            self.bed.sent(self.open[2] >> 16 & 0xFF)
            is_read, rng = self.open[2] >> 11 & 15 == self.READ, self.bed.rng
            assert is_read == (self.number >= 32)
            due = cycle + rng.randint(*self.delay) + (HELD if is_read and rng.random() < self.hold_rate else 0)
            self.through[is_read].append((due, self.number, (cycle, self.open, self.enables)))
            self.open = []
            if 8 not in begins or at == 8:
                return
            assert end < 8
            at = 8

    def _request(self, cycle: int, dwords: list[int], enables: int) -> None:
        header = sum(dword << 32 * i for i, dword in enumerate(dwords[:4]))
        count, kind, func, tag = fields(header, (64, 11), (75, 4), (80, 8), (96, 8))
        addr = header & (1 << 64) - 4
        if kind == self.READ:
            assert len(dwords) == 4
            self.bed.host.accept(cycle, tag, func, addr, count, enables)
        else:
            assert kind == 1 and len(dwords) == 4 + count
            data = b"".join(dword.to_bytes(4, "little") for dword in dwords[4:])
            self.bed.host_write(func, addr, count, enables, data)
