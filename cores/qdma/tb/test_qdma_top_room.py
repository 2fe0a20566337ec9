# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""H2C queues of the whole that have a room at the user: it never holds more, and none of them waits for ever."""

import cocotb
import pytest

from qdma_top_bed import LIMITED, TOPS, top_bench
from qdma_top_driver import Driver, all_out, ready
from test_qdma_top import post_some
from ullnic_tb import cocotb_tests


class LimitedUser:
    """The user of the queues that have a room: how many beats it holds of each, some of which leave now and then."""

    MARGIN = 8  # that it may hold beyond what it reports
    LONGEST = 64 * 248  # bytes of a packet that is held

    def __init__(self, driver: Driver):
        self.bed, self.rng = driver.bed, driver.rng
        self.size = [self.rng.choice((250, 300, 600)) for _ in range(LIMITED)]
        self.held = [0] * LIMITED
        self.leaving = [0.0] * LIMITED  # chance that a beat leaves, in a cycle
        self.accepted, driver.bed.packet = driver.bed.packet, self._packet
        driver.bed.each = self._each
        self._each(0)

    def _packet(self, cycle: int, out) -> None:
        qid = out.m_axis_h2c_tuser_qid
        if qid < LIMITED:
            self.held[qid] += 1
            assert self.held[qid] <= self.size[qid] + self.MARGIN, f"queue {qid}: more than there is room for"
        self.accepted(cycle, out)

    def _each(self, _cycle: int) -> None:
        for qid in range(LIMITED):
            self.held[qid] -= int(self.held[qid] > 0 and self.rng.random() < self.leaving[qid])
        room = (max(size - held, 0) for size, held in zip(self.size, self.held, strict=True))
        self.bed.s.set(h2c_room=sum(beats << 10 * qid for qid, beats in enumerate(room)))


@cocotb.test()
async def limited(dut):
    """Queues whose packets are read only while the user has room: it never holds more, also of chains over batches;
    while it stands still h2c_blocked is high, and the other queues go on; what was held comes once there is room."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    user = LimitedUser(driver)
    limited, others = [driver.add_h2c(qid, 3) for qid in range(LIMITED)], [driver.add_h2c(qid, 2) for qid in (2, 25)]
    for _ in range(5):
        # They stand still, one of them or both, and have more to do than there is room for.
        still = rng.choice(([0], [1], [0, 1]))
        user.leaving = [0.0 if qid in still else rng.choice((0.1, 0.6, 1.0)) for qid in range(LIMITED)]
        for _ in range(40):
            for queue in limited:
                if queue.room() > 60 and len(bed.requests) < 6:
                    count = rng.choice((1, 1, 3, 40))
                    driver.post(queue, [rng.randint(1, min(8000, user.LONGEST // count)) for _ in range(count)])
                    post_some(driver, queue)
            post_some(driver, rng.choice(others))
            await bed.steps(rng.choice((20, 80)))
        for queue in (limited[qid] for qid in still):
            for _ in range(min(queue.room(), 8)):
                driver.post(queue, [8000])
            driver.ring(queue)
        await bed.settle()
        assert all(limited[qid].wanted for qid in still) and int(dut.h2c_blocked.value)
        assert not any(queue.wanted for queue in others)
        user.leaving = [rng.choice((0.3, 1.0)) for _ in range(LIMITED)]
        await bed.until(lambda: not any(queue.wanted for queue in limited))
        await bed.settle()
        assert not int(dut.h2c_blocked.value)
        all_out(driver)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_top_room(test):
    top_bench(TOPS[0]).run(__name__, test)
