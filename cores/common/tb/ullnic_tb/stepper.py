# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Steps a small module cycle by cycle: inputs, settle, what is seen at the clock edge, the edge."""

from types import SimpleNamespace

from cocotb.triggers import Timer


class Stepper:
    """A module with one clock called clk; `outputs` are the ports that each step returns, as integers.

    Most of a test's time is cocotb's way from a value to a Python object and back.  So an input that stays is not
    written again (nothing else may write those that this one has written), and outputs are read as the text that the
    simulator gives, below `value`.
    """

    def __init__(self, dut, outputs):
        self.dut, self.given = dut, {}
        self.outputs = {name: getattr(dut, name)._handle.get_signal_val_binstr for name in outputs}
        self.cycle = -1
        dut.clk.value = 0

    def set(self, **inputs: int) -> None:
        for name, value in inputs.items():
            if self.given.get(name) != value:
                getattr(self.dut, name).value = self.given[name] = value

    async def look(self, **inputs: int) -> SimpleNamespace:
        """Outputs for these inputs, without an edge: what is combinational has followed, registers have not."""
        self.set(**inputs)
        await Timer(1, "ns")
        return SimpleNamespace(**{name: int(bits(), 2) for name, bits in self.outputs.items()})

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
