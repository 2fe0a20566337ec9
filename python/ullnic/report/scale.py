# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The x axis of a plot: its limits, and as many ticks as their labels have room for."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ullnic.report.svg import SMALL, Axes, round_steps, set_ticks, text_width

EDGE = 8  # how far a tick's label may extend beyond the axis, pixels
LEFT_EDGE = 4  # the same on the left, where the lowest label of the y axis may be


@dataclass(frozen=True)
class Scale:
    """Limits of an x axis that leave room at both ends, in pixels."""

    low: float
    high: float
    width: float  # pixels
    log: bool

    @classmethod
    def of(cls, values: Sequence[float], width: float, before: float, after: float, log: bool) -> "Scale":
        low, high = min(values), max(values)
        if log and low <= 0:
            raise ValueError(f"{low} on a logarithmic axis")
        if log:
            low, high = math.log(low), math.log(high)
        if low == high:
            low, high = low - 0.5, high + 0.5
        pixel = (high - low) / (width - before - after)
        low, high = low - before * pixel, high + after * pixel
        return cls(math.exp(low), math.exp(high), width, True) if log else cls(low, high, width, False)

    def at(self, value: float) -> float:
        """Position of a value in pixels."""
        if self.log:
            return self.width * math.log(value / self.low) / math.log(self.high / self.low)
        return self.width * (value - self.low) / (self.high - self.low)

    def value(self, place: float) -> float:
        """The value `place` pixels from the left."""
        if self.log:
            return self.low * (self.high / self.low) ** (place / self.width)
        return self.low + (self.high - self.low) * place / self.width

    def apply(self, axes: Axes, labels: bool = True, own: Sequence[float] = ()) -> None:
        """Sets limits and ticks. `own`: preferred ticks, used if their labels have room."""
        axes.set_xlim(self.low, self.high)
        if self.log:
            axes.set_xscale("log")
        choices = ([tick for tick in choice if self._inside(tick)] for choice in self._choices(own))
        ticks = next((found for found in choices if found and self._apart(found)), [])
        set_ticks(axes, "x", ticks, labels)

    def _choices(self, own: Sequence[float]) -> Iterator[list[float]]:
        if self.log:
            yield sorted(own)
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            for steps in ((1, 2, 5), (1, 3), (1,)):
                ticks = [step * 10.0**decade for decade in range(first, last + 1) for step in steps]
                yield [tick for tick in ticks if self.low <= tick <= self.high]
        else:
            for most in range(max(4, int(self.width // 70)), 0, -1):
                yield round_steps(self.low, self.high, most)

    def _inside(self, tick: float) -> bool:
        half = text_width(f"{tick:g}", SMALL) / 2
        return half - LEFT_EDGE <= self.at(tick) <= self.width + EDGE - half

    def _apart(self, ticks: list[float]) -> bool:
        halves = [(self.at(tick), text_width(f"{tick:g}", SMALL) / 2) for tick in ticks]
        return all(b - a >= half_a + half_b + 8 for (a, half_a), (b, half_b) in pairwise(halves))
