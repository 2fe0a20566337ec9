# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Steps a module with several clocks from edge to edge: outputs as an edge sees them, the edge, then the new inputs.

Like Stepper, it drives the model by itself while no other coroutine waits.
"""

from functools import cache

from ullnic_tb.signals import values, writer
from ullnic_tb.stepper import wait

APART_PS = 4  # edges of two clocks that are closer than this coincide


class Clocks:
    """`clocks`: name of a clock port -> (period, first edge), in ps, may be fractions; edges are off by jitter_ps."""

    def __init__(self, clocks: dict[str, tuple[float, float]], rng=None, jitter_ps: float = 0):
        self.now_ps, self.rng, self.jitter_ps = 0, rng, jitter_ps
        self.steady_ps = {name: first + APART_PS for name, (_, first) in clocks.items()}
        self.next_ps = dict(self.steady_ps)
        self.period_ps = {name: period for name, (period, _) in clocks.items()}
        self.set(**dict.fromkeys(clocks, 0))

    def set(self, **inputs: int) -> None:
        for name, value in inputs.items():
            writer_of(name)(value)

    async def to_edge(self) -> list[str]:
        """Waits until just before the next edge; the clocks that have it. Outputs are what this edge sees."""
        at = min(self.next_ps.values())
        names = [name for name, next_ps in self.next_ps.items() if next_ps < at + APART_PS]
        left_ps = round(at) - self.now_ps
        if left_ps > 0:
            await wait(left_ps)
            self.now_ps += left_ps
        for name in names:
            self.steady_ps[name] += self.period_ps[name]
            self.next_ps[name] = self.steady_ps[name]
            if self.jitter_ps:
                self.next_ps[name] += self.rng.uniform(-self.jitter_ps, self.jitter_ps)
        return names

    async def edge(self, names: list[str]) -> None:
        self.set(**dict.fromkeys(names, 1))
        await wait(1)
        self.now_ps += 1
        self.set(**dict.fromkeys(names, 0))


writer_of = cache(writer)


def read(*names: str) -> list[int]:
    places, look = reader_of(names)
    found = look()
    return [found[place] for place in places]


@cache
def reader_of(names: tuple[str, ...]):
    order, look = values(names)
    return [order.index(name) for name in names], look
