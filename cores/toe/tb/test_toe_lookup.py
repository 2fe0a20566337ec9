# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_lookup against a dictionary: look-ups in the cycles of every change, full tables, tables that are too small."""

import os
from itertools import count

import cocotb
import numpy as np
import pytest

from toe_cuckoo import Tables, hashed
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

SESSIONS, INDEX, KICKS = parameter("SESSIONS", 64), parameter("INDEX", 9), parameter("KICKS", 31)
BITS = 67
WAYS = 2 if SESSIONS <= 128 else 4
SMALL = INDEX < 9
OUTPUTS = ("found", "sid", "change_ready", "change_failed", "swap", "put_aside")  # the last two are internal
LONGEST = 6 * (KICKS + 2)  # cycles without a look-up, of the change before and the verdict


class Table:
    """The module and the dictionary; look-ups with the chance `looks`, of tuples that count now."""

    def __init__(self, dut, rng):
        self.s, self.rng, self.looks = Stepper(dut, OUTPUTS), rng, 0.9
        self.sessions: dict[int, int] = {}
        self.gone: list[int] = []
        self.planned: int | None = None  # its peer has been given
        self.due: list[int | None] = [None, None]  # what the look-ups of the last two cycles find; -1: nothing
        self.hot: int | None = None  # the tuple that changes
        self.looked = self.hits = self.hot_hits = self.kicked = self.put_aside = 0

    async def reset(self, secret: int | None = None):
        self.secret = self.rng.getrandbits(32) if secret is None else secret
        await self.s.reset(peer=0, read=0, look=0, change_valid=0, secret=self.secret)
        self.sessions, self.due, self.planned = {}, [None, None], None

    def pick(self) -> int:
        rng = self.rng
        kind = rng.randrange(8)
        if kind < 2 and self.hot is not None:
            return self.hot
        if kind == 2 and self.gone:
            return rng.choice(self.gone[-8:])
        if kind == 3 or not self.sessions:
            return rng.getrandbits(BITS)
        known = rng.choice(self.keys)
        return known ^ 1 << rng.randrange(BITS) if kind == 4 else known

    async def step(self, key: int | None = None, **inputs):
        """A cycle; with a key two of them: its peer, then its look-up."""
        if key is not None:
            await self._cycle(False, key, **inputs)
            return await self._cycle(True, None, **inputs)
        look = self.planned is not None and self.rng.random() < self.looks
        free = look or self.planned is None
        new = self.pick() if free and self.rng.random() < self.looks else None
        return await self._cycle(look, new, **inputs)

    async def _cycle(self, look: bool, new: int | None, **inputs):
        """Whether look-ups kept changes from something, and what was seen; `new`: the next tuple to be looked up."""
        rng = self.rng
        key = self.planned if look else rng.getrandbits(BITS)
        peer, read = new is not None, look or self.looks > rng.random() > 0.9
        hashed = rng.getrandbits(48) if new is None else new >> 16 & (1 << 48) - 1
        inputs |= {"peer": peer, "peer_ip": hashed >> 16, "peer_port": hashed & 0xFFFF}
        seen = await self.s.step(read=read, look=look, tuple=key, **inputs)
        if peer:
            self.planned = new
        elif look:  # or another of this peer
            self.planned = key ^ 1 << rng.choice((64, 65, 66, *range(16))) if rng.random() < 0.3 else None
        due = self.due.pop(0)
        if due is not None:
            assert (seen.found, seen.sid if due >= 0 else -1) == (due >= 0, due)
        else:
            assert not seen.found or self.s.cycle < 2
        self.due.append(self.sessions.get(key, -1) if look else None)
        self.kicked += seen.swap
        self.put_aside += seen.put_aside
        self.looked += look
        self.hits += look and key in self.sessions
        self.hot_hits += look and key in self.sessions and key == self.hot
        return peer or read, seen

    async def change(self, key: int, sid: int, insert: bool) -> tuple[bool, int]:
        """Whether it was done, and how long it took."""
        self.hot, self.keys, free_cycles = key, list(self.sessions), 0
        for cycle in count():
            busy, seen = await self.step(change_valid=1, change_insert=insert, change_tuple=key, change_sid=sid)
            free_cycles += not busy
            assert free_cycles <= LONGEST
            assert seen.change_ready or not seen.change_failed
            if seen.change_ready:
                done = not seen.change_failed
                if done and insert:
                    self.sessions[key] = sid
                elif done and self.sessions.pop(key, None) is not None:
                    self.gone.append(key)
                self.keys = list(self.sessions)
                self.s.set(change_valid=0, change_tuple=self.rng.getrandbits(BITS))
                return done, cycle

    async def rest(self, cycles: int):
        self.keys = list(self.sessions)
        for _ in range(cycles):
            await self.step(change_valid=0)


def row(rng, number: int) -> list[int]:
    """Tuples, all different: by chance, or of one peer with ports in a row."""
    if rng.random() < 0.5:
        return [rng.getrandbits(BITS) for _ in range(number)]  # the same one twice is out of reach
    first = rng.getrandbits(BITS)
    return [first & ~0xFFFF0000 | ((first >> 16) + i & 0xFFFF) << 16 for i in range(number)]


async def fresh(dut) -> Table:
    table = Table(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    await table.reset()
    table.keys = []
    while table.s.cycle < 2**INDEX + 2:
        await table.step(change_valid=0)
    return table


async def put(table: Table, key: int, sid: int) -> bool:
    done, _ = await table.change(key, sid, True)
    # Where a free place is certain it is never refused
    assert done or SMALL
    return done


@cocotb.test()
async def full_and_churn(dut):
    """To the last session, then one leaves and another comes; any gap between changes."""
    t = await fresh(dut)
    rng, refused = t.rng, 0
    rounds = 40 if SESSIONS == 2 else 4 if SESSIONS == 64 else 1
    for run in range(rounds):
        # In some runs the next change waits until the RAM is quiet: kicks have a cycle now and then.
        t.looks = (0.9, 0.5, 0.95, 0)[run % 4]
        for sid, key in zip(rng.sample(range(SESSIONS), SESSIONS), row(rng, SESSIONS), strict=True):
            refused += not await put(t, key, sid)
            if rng.random() < 0.2:
                await t.rest(rng.randrange(20))
        full = len(t.sessions)
        assert full == SESSIONS - refused if run == 0 else True
        if SMALL:
            # As many places as sessions.  Two ways are half full before there is no place, four nearly full.
            assert full >= SESSIONS * (0.5 if SESSIONS <= 128 else 0.9)
        for _ in range(min(SESSIONS, 200)):
            key = rng.choice(list(t.sessions))
            sid = t.sessions[key]
            done, _ = await t.change(key, rng.randrange(SESSIONS), False)
            assert done and key not in t.sessions
            if rng.random() < 0.5:
                await t.rest(rng.randrange(5))
            new = rng.choice((key, key ^ 1 << rng.randrange(BITS), rng.getrandbits(BITS)))
            if new not in t.sessions:
                await put(t, new, sid)
        for key in rng.sample(list(t.sessions), len(t.sessions)):
            await t.change(key, 0, False)
        await t.rest(30)
        assert not t.sessions
    print(f"{t.looked} look-ups, {t.hits} found, {t.hot_hits} of a tuple that changes")
    print(f"{refused} refused in {rounds} fills, {t.kicked} kicked, {t.put_aside} put aside")
    assert t.hot_hits > 5
    assert bool(refused) == bool(t.put_aside) == SMALL
    assert t.kicked or SESSIONS < 1024 and not SMALL  # at 64 seldom


@cocotb.test()
async def already_there(dut):
    """A tuple that is in the table is refused and stays as it was; one that is not may be removed."""
    t = await fresh(dut)
    keys = row(t.rng, SESSIONS)
    there = [key for i, key in enumerate(keys) if await put(t, key, i)]
    for key in t.rng.sample(there, min(100, len(there))):
        assert not (await t.change(key, t.rng.randrange(SESSIONS), True))[0]
    # What was put aside has free places now
    for key in t.rng.sample(there, len(there) // 2):
        assert (await t.change(key, 0, False))[0]
    there = list(t.sessions)
    for key in t.rng.sample(there, min(200, len(there))):
        assert not (await t.change(key, t.rng.randrange(SESSIONS), True))[0]
    before = dict(t.sessions)
    for _ in range(20):
        key = t.rng.choice(there) ^ 1 << t.rng.randrange(BITS)
        if key not in t.sessions:
            assert (await t.change(key, 0, False))[0]
    assert t.sessions == before
    # All, by name, whatever put them where they are
    t.looks = 1
    t.hot = None
    await t.rest(3 * SESSIONS)


def places_of(table: Table, keys: list[int]) -> list[np.ndarray]:
    fields = np.array([[key >> 64, key >> 32 & 0xFFFFFFFF, key >> 16 & 0xFFFF, key & 0xFFFF] for key in keys])
    return hashed(np.uint64(table.secret), *fields.astype(np.uint64).T, WAYS, INDEX)


@cocotb.test()
async def as_the_algorithm(dut):
    """As many are kicked, put aside and refused as in the model, change by change."""
    t = await fresh(dut)
    t.looks, changes = 0.3, 2 * SESSIONS
    new = [t.rng.getrandbits(BITS) for _ in range(changes)]
    numbers = {key: np.array([number]) for number, key in enumerate(new)}
    model, table = Tables(np.stack(places_of(t, new))[:, None], KICKS), np.zeros(1, np.int64)
    for _ in range(changes):
        insert = len(t.sessions) < SESSIONS and (not t.sessions or t.rng.random() < 0.8)
        key = new.pop() if insert else t.rng.choice(list(t.sessions))
        done, _ = await t.change(key, t.rng.randrange(SESSIONS), insert)
        # What a change moves is over when the next one has its verdict
        assert (t.kicked, t.put_aside) == (model.kicked, model.put_aside)
        before = model.refused[0]
        (model.insert if insert else model.remove)(table, numbers[key])
        assert done == (model.refused[0] == before)
    print(f"{model.kicked} kicked, {model.put_aside} put aside, {model.refused[0]} refused")
    assert not SMALL or model.kicked and model.put_aside and model.refused[0]


@cocotb.test()
async def exact(dut):
    """Tuples with the place of another one in a way, which differ in a bit and what makes up for it, are not found."""
    t = await fresh(dut)
    for sid, key in enumerate(row(t.rng, min(SESSIONS, 16))):
        await put(t, key, sid)
        others = [key ^ 1 << bit for bit in range(INDEX, BITS)] + [key ^ 1 << 16 ^ 1 << bit for bit in range(17, BITS)]
        for places in places_of(t, [key, *others]):
            for other, place in zip(others, places[1:], strict=True):
                await t.step(key=other ^ int(place ^ places[0]), change_valid=0)
        await t.step(key=key, change_valid=0)
    t.keys = list(t.sessions)
    await t.rest(4)


@cocotb.test()
async def latency_and_reset(dut):
    """The verdict in the fifth cycle; nothing is found from the reset on, and what was there is forgotten."""
    t = await fresh(dut)
    for _ in range(3):
        t.looks = 0
        keys = row(t.rng, 2)
        for sid, key in enumerate(keys):
            await t.rest(LONGEST)
            assert await t.change(key, sid, True) == (True, 5)
        await t.rest(4)
        assert await t.change(keys[0], 0, True) == (False, 5)
        await t.rest(4)
        assert await t.change(keys[0], 0, False) == (True, 5)
        # With the same secret, so that they are where they would be looked for
        await t.reset(t.secret)
        t.gone, t.looks, t.keys = keys, 1, []
        await t.rest(2**INDEX + 20)
        t.gone = []


CONFIGS = [
    {"SESSIONS": 2},
    {"SESSIONS": 64},
    {"SESSIONS": 1024},
    # As many places as sessions: many kicks, entries put aside, refusals
    {"SESSIONS": 64, "INDEX": 5},
    {"SESSIONS": 256, "INDEX": 6},
    {"SESSIONS": 1024, "INDEX": 8},
    {"SESSIONS": 64, "INDEX": 5, "KICKS": 1},
]


TESTS = cocotb_tests(__name__)
MAIN = ({"SESSIONS": 64}, {"SESSIONS": 64, "INDEX": 5})
CASES = [(test, config) for config in CONFIGS for test in TESTS]


def is_main(test: str, config: dict) -> bool:
    return config in MAIN or (test, config) == ("as_the_algorithm", {"SESSIONS": 256, "INDEX": 6})


@pytest.mark.parametrize("test, config", main_and_kept(__file__, CASES, is_main), ids=str)
def test_toe_lookup(test, config):
    stems = ("toe_pkg", "toe_hash_pkg", "toe_hash_peer", "toe_hash_own", "toe_equal", "toe_lookup", "ram_sdp")
    Bench("toe_lookup", [path for path in rtl("common", "toe") if path.stem in stems], config).run(__name__, test)
