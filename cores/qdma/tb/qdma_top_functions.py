# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Several functions on the whole of qdma: traffic of a few queues in both directions, mailboxes as drivers use them."""

from qdma_mailbox_model import (
    COMMAND,
    ENABLE,
    INBOUND,
    OUTBOUND,
    PF_BASE,
    RECEIVE,
    SEND,
    STATUS,
    TARGET,
    VF_BASE,
    WORDS,
)
from qdma_top_bed import Bed
from qdma_top_c2h import SIZE_64, SIZE_256
from qdma_top_driver import Driver, all_out
from test_qdma_top import post_some
from test_qdma_top_c2h import RING_33, RING_129, add, all_in, any_count, drain

PARENT = {4: 0, 5: 0, 6: 1, 7: 1}


class Traffic:
    """Packets in both directions on these queues; the driver checks their bytes, order and entries against what it has
    posted.
    """

    def __init__(self, driver: Driver, h2c: list[int], c2h: list[int]):
        self.driver, self.rng = driver, driver.rng
        self.h2c = [driver.add_h2c(qid, self.rng.choice((0, 1, 2))) for qid in h2c]
        self.c2h = [add(driver, qid, self.rng.choice((RING_33, RING_129)), self.rng.choice((SIZE_64, SIZE_256)),
                        cmpt_ix=RING_129) for qid in c2h]  # fmt: skip

    async def start(self) -> "Traffic":
        await self.driver.bed.settle()
        return self

    def step(self, _: int) -> None:
        """In each cycle: sometimes a packet of the source."""
        queue, ring = self.rng.choice(self.c2h)
        if self.rng.random() < 0.1 and self.driver.pending[queue.qid] < 4 and not queue.is_dead:
            self.driver.send(ring, any_count(self.rng, queue) % 1500)

    def serve(self) -> None:
        """The driver's occasional work."""
        if len(self.driver.bed.requests) > 6:
            return
        queue = self.rng.choice(self.h2c)
        if queue.room():
            post_some(self.driver, queue)
        for queue, ring in self.c2h:
            if queue.room() > 4 and not queue.is_dead:
                self.driver.serve(ring)

    async def finish(self) -> None:
        await drain(self.driver)
        await self.driver.bed.settle()
        all_out(self.driver)
        all_in(self.driver)


class Box:
    """The mailbox of a function, as the public drivers use it."""

    def __init__(self, bed: Bed, func: int, vector: int = 0):
        self.bed, self.func = bed, func
        self.base = PF_BASE if func < 4 else VF_BASE
        bed.vector(func, vector)
        self.write(8, vector)
        self.write(ENABLE, 1)

    def write(self, offset: int, *values: int) -> None:
        self.bed.write(self.func, self.base + offset, *values)

    async def read(self, offset: int, dwords: int = 1) -> int:
        return await self.bed.read(self.func, self.base + offset, dwords)

    async def send(self, message: bytes, to: int | None = None) -> bool:
        """False: the message before it has not been received."""
        if to is not None:
            self.write(TARGET, to)
        if await self.read(STATUS) & 2:
            return False
        words = [int.from_bytes(message[i : i + 4], "little") for i in range(0, 4 * WORDS, 4)]
        self.write(OUTBOUND, *words[:16])
        self.write(OUTBOUND + 64, *words[16:])
        self.write(COMMAND, SEND)
        return True

    async def receive(self) -> tuple[int, bytes] | None:
        status = await self.read(STATUS)
        if not status & 1:
            return None
        if self.func < 4:
            self.write(TARGET, status >> 4)
        message = b"".join([(await self.read(INBOUND + at, 16)).to_bytes(64, "little") for at in (0, 64)])
        self.write(COMMAND, RECEIVE)
        return status >> 4, message
