# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Modules with two clocks: edges in the order of any two frequencies, at a fixed number of simulator steps each.

Only the order of the edges matters, and which of them coincide; simulated time has no meaning here. Edges closer than
WINDOW_PS coincide: both clocks rise at once, and with MetastableBench each crossing bit that changes there is randomly
seen old or new.
"""

import operator
import os
from pathlib import Path

from ullnic_tb import Bench, rtl
from ullnic_tb.signals import reader, writer
from ullnic_tb.stepper import wait

SOURCES = [path for path in rtl("common") if path.stem.startswith(("cdc_", "async_fifo"))]

WINDOW_PS = 40
HALF_PS = 1000  # of simulated time, between an edge and the next
PMA32_MHZ, PMA16_MHZ = 322.265625, 644.53125

# Pairs of frequencies: the transceiver's and the user's, a few ppm apart, a slow drift through all phases, far apart.
RATIOS_MHZ = [
    (PMA16_MHZ, PMA32_MHZ),
    (PMA32_MHZ, PMA16_MHZ),
    (PMA32_MHZ * (1 + 1e-4), PMA32_MHZ * (1 - 1e-4)),
    (PMA32_MHZ * (1 - 1e-4), PMA32_MHZ * (1 + 1e-4)),
    (PMA16_MHZ, PMA16_MHZ),
    (350.0, PMA32_MHZ),
    (PMA32_MHZ, 350.0),
    (PMA32_MHZ, PMA32_MHZ * 1.01),
    (PMA32_MHZ * 1.01, PMA32_MHZ),
    (10.0, PMA16_MHZ),
    (PMA16_MHZ, 10.0),
]


METASTABLE = "-metastable"  # end of such a bench's label


class MetastableBench(Bench):
    """A bench whose crossings resolve by chance (metastable/cdc_bits.sv)."""

    @property
    def label(self) -> str:
        return super().label + METASTABLE


def plain(top: str, **parameters: int) -> Bench:
    return Bench(top, SOURCES, parameters)


def metastable(top: str, **parameters: int) -> Bench:
    sources = [path for path in SOURCES if path.name != "cdc_bits.sv"]
    return MetastableBench(top, [Path(__file__).parent / "metastable" / "cdc_bits.sv", *sources], parameters)


def each_ratio(rng):
    """The pairs of frequencies, and two random ones; each is printed, so a failing test's log ends with its own."""
    by_chance = [(PMA32_MHZ, PMA32_MHZ * 2 ** rng.uniform(-3, 3)) for _ in range(2)]
    for mhz in (*RATIOS_MHZ, *by_chance):
        print(f"clocks of {mhz[0]:.4f} and {mhz[1]:.4f} MHz", flush=True)
        yield mhz


class Clocks:
    """Two clocks of a module. `outputs` are the ports that each step returns, as integers.

    Like Stepper, it drives the model by itself while no other coroutine waits.
    """

    def __init__(self, dut, names, mhz, rng, outputs, crossings=(), aligned=False):
        """`crossings`: paths of instances of cdc_bits, which a metastable bench resolves randomly. `aligned`: the first
        edges coincide.
        """
        self.rng, self.names = rng, names
        self.outputs, self.writers = reader(outputs), {name: writer(name) for name in names}
        by_chance = crossings if f"{METASTABLE}." in os.environ["ULLNIC_TEST_NAME"] else ()
        self.late = [operator.attrgetter(f"{path}.late")(dut) for path in by_chance]
        self.period_ps = {name: 1e6 / frequency for name, frequency in zip(names, mhz, strict=True)}
        self.next_ps = {name: 0.0 if aligned else rng.random() * self.period_ps[name] for name in names}
        self.set(**dict.fromkeys(names, 0))

    def set(self, **values: int) -> None:
        for name, value in values.items():
            if name not in self.writers:
                self.writers[name] = writer(name)
            self.writers[name](value)

    def due(self) -> list[str]:
        """The clocks that rise next."""
        first = min(self.next_ps.values())
        return [name for name in self.names if self.next_ps[name] <= first + WINDOW_PS]

    async def step(self, due: list[str], **inputs: int) -> tuple[int, ...]:
        """These clocks rise, with these inputs; returns the outputs as the edges see them."""
        self.set(**inputs)
        await wait(HALF_PS)
        seen = self.outputs()
        for late in self.late if len(due) > 1 else ():
            late.value = self.rng.getrandbits(len(late))
        for name in due:
            self.next_ps[name] += self.period_ps[name]
        self.set(**dict.fromkeys(due, 1))
        await wait(HALF_PS)
        self.set(**dict.fromkeys(due, 0))
        return seen
