# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Steps a small module cycle by cycle: inputs, settle, what is seen at the clock edge, the edge."""

from types import SimpleNamespace

from cocotb.triggers import Timer


class Stepper:
    """A module with one clock called clk; `outputs` are the ports that each step returns, as integers."""

    def __init__(self, dut, outputs):
        self.dut, self.outputs = dut, {name: getattr(dut, name) for name in outputs}
        self.cycle = -1
        dut.clk.value = 0

    def set(self, **inputs: int) -> None:
        for name, value in inputs.items():
            getattr(self.dut, name).value = value

    async def look(self, **inputs: int) -> SimpleNamespace:
        """Outputs for these inputs, without an edge: what is combinational has followed, registers have not."""
        self.set(**inputs)
        await Timer(1, "ns")
        return SimpleNamespace(**{name: int(handle.value) for name, handle in self.outputs.items()})

    async def step(self, **inputs: int) -> SimpleNamespace:
        """One cycle with these inputs: returns the outputs as the edge at its end sees them."""
        seen = await self.look(**inputs)
        self.dut.clk.value = 1
        await Timer(1, "ns")
        self.dut.clk.value = 0
        self.cycle += 1
        return seen

    async def reset(self, cycles: int = 2, **inputs: int) -> None:
        for _ in range(cycles):
            await self.step(rst=1, **inputs)
        self.set(rst=0)
        self.cycle = -1
