# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Steps a small module cycle by cycle: inputs, settling, outputs as the clock edge sees them, the edge."""

from cocotb.triggers import Timer

from ullnic_tb.signals import advance, reader, writer

HALF_PS = 1000  # of a clock cycle


class Stepper:
    """A module with one clock called clk; `outputs` are the ports that each step returns, as integers.

    It drives the model by itself while no other coroutine waits (signals.py). An unchanged input is not written again,
    so no other code may write the inputs of a Stepper.
    """

    def __init__(self, dut, outputs):
        self.dut, self.given, self.writers = dut, {}, {}
        self.outputs = reader(outputs)
        self.clk = writer("clk")
        self.cycle = -1
        self.clk(0)

    def set(self, **inputs: int) -> None:
        self._set(inputs)

    def _set(self, inputs: dict[str, int]) -> None:
        for name, value in inputs.items():
            if self.given.get(name) != value:
                if name not in self.writers:
                    self.writers[name] = writer(name)
                self.writers[name](value)
                self.given[name] = value

    async def look(self, **inputs: int) -> tuple[int, ...]:
        """Outputs for these inputs, without an edge: what is combinational has followed, registers have not."""
        self._set(inputs)
        advance(HALF_PS) or await Timer(HALF_PS, "ps")
        return self.outputs()

    async def step(self, **inputs: int) -> tuple[int, ...]:
        """One cycle with these inputs: returns the outputs as the edge at its end sees them, a named tuple."""
        self._set(inputs)  # as look() does, without a coroutine of its own
        advance(HALF_PS) or await Timer(HALF_PS, "ps")
        seen = self.outputs()
        self.clk(1)
        advance(HALF_PS) or await Timer(HALF_PS, "ps")
        self.clk(0)
        self.cycle += 1
        return seen

    async def reset(self, cycles: int = 2, **inputs: int) -> None:
        for _ in range(cycles):
            await self.step(rst=1, **inputs)
        self.set(rst=0)
        self.cycle = -1


async def wait(picoseconds: int) -> None:
    if not advance(picoseconds):
        await Timer(picoseconds, "ps")
