# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The results of the report's points, and the published figures."""

from collections.abc import Sequence

from ullnic.errors import UllnicError
from ullnic.points.point import Point


class Results:
    """Read once, on first use. `frames`: of a latency sweep."""

    def __init__(self, points: Sequence[Point], frames: int):
        self.frames = frames
        self._points = {(point.kind, point.config, point.variant): point for point in points}
        self._read: dict[str, dict] = {}

    def point(self, kind: str, config: str, variant: str) -> Point:
        return self._points[kind, config, variant]

    def has(self, kind: str, config: str, variant: str) -> bool:
        return (kind, config, variant) in self._points

    def of(self, point: Point) -> dict:
        if point.name not in self._read:
            result = point.result()
            if result is None:
                raise UllnicError(f"{point.name} has no result: {point.path}", f"measure it: {point.command} --force")
            self._read[point.name] = result
        return self._read[point.name]
