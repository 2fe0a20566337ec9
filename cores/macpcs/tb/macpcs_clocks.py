# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Steps a module with several clocks from edge to edge: what is seen at an edge, the edge, then the new inputs."""

from cocotb.triggers import Timer

APART_PS = 4  # edges of two clocks that are nearer than this are one


class Clocks:
    """`clocks`: name of a clock port -> (period, first edge), in ps, may be fractions; edges are off by jitter_ps."""

    def __init__(self, dut, clocks: dict[str, tuple[float, float]], rng=None, jitter_ps: float = 0):
        self.dut, self.now_ps, self.rng, self.jitter_ps = dut, 0, rng, jitter_ps
        self.steady_ps = {name: first + APART_PS for name, (_, first) in clocks.items()}
        self.next_ps = dict(self.steady_ps)
        self.period_ps = {name: period for name, (period, _) in clocks.items()}
        for name in clocks:
            getattr(dut, name).value = 0

    def set(self, **inputs: int) -> None:
        for name, value in inputs.items():
            getattr(self.dut, name).value = value

    async def to_edge(self) -> list[str]:
        """Waits until just before the next edge; the clocks that have it. Outputs are what this edge sees."""
        at = min(self.next_ps.values())
        names = [name for name, next_ps in self.next_ps.items() if next_ps < at + APART_PS]
        wait = round(at) - self.now_ps
        if wait > 0:
            await Timer(wait, "ps")
            self.now_ps += wait
        for name in names:
            self.steady_ps[name] += self.period_ps[name]
            self.next_ps[name] = self.steady_ps[name]
            if self.jitter_ps:
                self.next_ps[name] += self.rng.uniform(-self.jitter_ps, self.jitter_ps)
        return names

    async def edge(self, names: list[str]) -> None:
        for name in names:
            getattr(self.dut, name).value = 1
        await Timer(1, "ps")
        self.now_ps += 1
        for name in names:
            getattr(self.dut, name).value = 0


def read(dut, *names: str) -> tuple[int, ...]:
    return tuple(int(getattr(dut, name).value) for name in names)
