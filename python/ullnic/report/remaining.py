# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Estimates the time that the remaining points take."""

import time
from collections.abc import Sequence

from ullnic.points.point import Point

KNOWN_SHARE = 0.1  # share of the expected work to be done before an estimate is shown
FOLLOWS = 0.1  # weight of a new estimate in the shown one


class Remaining:
    """The remaining time, estimated from each point's last duration (else its rough cost) and from the finished points.

    Nothing is shown before a tenth of the work is done. The shown time follows new estimates slowly, so that one point
    that takes longer than expected causes no jump.
    """

    def __init__(self, points: Sequence[Point], jobs: int):
        self.jobs = jobs
        self.costs_s = {point.name: point.expected_s() for point in points}
        self.running: dict[str, float] = {}  # start time
        self.done_s = self.took_s = 0.0
        self.all_s = sum(self.costs_s.values())
        self.end_s: float | None = None  # expected end, as shown

    def began(self, point: Point) -> None:
        self.running[point.name] = time.monotonic()

    def done(self, point: Point, took_s: float | None = None) -> None:
        """`took_s`: used if the start of the point was not reported."""
        if took_s is None:
            took_s = time.monotonic() - self.running.pop(point.name)
        self.done_s += self.costs_s.pop(point.name)
        self.took_s += took_s

    def seconds(self) -> float | None:
        """Seconds; None: not known yet."""
        if not self.costs_s:
            return 0.0
        if self.done_s < KNOWN_SHARE * self.all_s or not self.took_s:
            return None
        now_s, pace = time.monotonic(), self.took_s / self.done_s
        left_s = [
            max(0.0, cost_s * pace - (now_s - self.running.get(name, now_s))) for name, cost_s in self.costs_s.items()
        ]
        found_s = now_s + max(sum(left_s) / self.jobs, max(left_s, default=0.0))
        self.end_s = found_s if self.end_s is None else self.end_s + FOLLOWS * (found_s - self.end_s)
        return max(0.0, self.end_s - now_s)

    def text(self) -> str:
        seconds = self.seconds()
        if seconds is None:
            return "time left not known yet"
        return f"about {seconds / 60:.0f} min left" if seconds > 90 else f"about {max(1, seconds):.0f} s left"
