# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The remaining time of a report: better late than wrong, and steady."""

import random

import pytest

from ullnic.points.plan import all_points
from ullnic.points.point import Point
from ullnic.report import remaining
from ullnic.report.cluster import Progress

LOOK_S = 0.5  # how often it is shown


class Clock:
    def __init__(self, monkeypatch):
        self.now_s = 1000.0
        monkeypatch.setattr(remaining.time, "monotonic", lambda: self.now_s)


@pytest.fixture
def clock(monkeypatch, tmp_path):
    monkeypatch.setenv("ULLNIC_POINTS", str(tmp_path))  # nothing was measured before
    return Clock(monkeypatch)


def point(number: int, cost_s: float) -> Point:
    return Point("core", "kind", f"config{number}", "variant", (("frames", 100),), "content", cost_s)


def measured(clock, points, takes_s, jobs):
    """Runs the points on a simulated clock, `jobs` at once. Returns what was shown when, and the time of the end."""
    left, waiting, running, shown = remaining.Remaining(points, jobs), list(points), {}, []
    while waiting or running:
        while waiting and len(running) < jobs:
            each = waiting.pop(0)
            left.began(each)
            running[each] = clock.now_s + takes_s[each]
        clock.now_s += LOOK_S
        for each in [each for each, end_s in running.items() if end_s <= clock.now_s]:
            del running[each]
            left.done(each)
        shown.append((clock.now_s, left.seconds()))
    return shown, clock.now_s


@pytest.mark.parametrize("slower", [0.2, 1, 6])
@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_what_is_shown_of_a_whole_report_is_near_the_truth_and_does_not_jump(clock, slower, jobs, seed):
    """For a machine that is slower or faster than the costs assume, and points that deviate from them."""
    draw = random.Random(seed)
    points = all_points()
    takes_s = {each: each.cost_s * slower * draw.uniform(0.6, 1.4) for each in points}
    begin_s = clock.now_s
    shown, end_s = measured(clock, points, takes_s, jobs)
    known = [(at_s, left_s) for at_s, left_s in shown if left_s is not None]
    assert known[0][0] - begin_s < 0.5 * (end_s - begin_s), "too late to be of use"
    for at_s, left_s in known:
        assert abs(at_s + left_s - end_s) < 0.5 * (end_s - begin_s), f"{left_s} s at {at_s}, of {end_s - begin_s}"
    for (_, before_s), (_, after_s) in zip(known, known[1:], strict=False):
        assert abs(after_s - (before_s - LOOK_S)) < 0.06 * (end_s - begin_s) + LOOK_S


def test_nothing_is_said_before_enough_is_known(clock):
    points = [point(number, 10) for number in range(20)]
    left = remaining.Remaining(points, jobs=2)
    left.began(points[0])
    clock.now_s += 30
    left.done(points[0])
    assert left.text() == "time left not known yet"
    left.began(points[1])
    clock.now_s += 30
    left.done(points[1])
    assert left.seconds() == pytest.approx(18 * 30 / 2) and left.text() == "about 4 min left"


def test_one_that_takes_long_counts_as_long_as_it_does(clock):
    """Two cores do not halve a single point."""
    points = [point(0, 100), *(point(number, 1) for number in range(1, 30))]
    left = remaining.Remaining(points, jobs=2)
    left.began(points[0])
    for each in points[1:]:
        left.began(each)
        clock.now_s += 1
        left.done(each)
    assert left.seconds() == pytest.approx(100 - 29)


def test_what_a_point_took_the_last_time_is_its_cost(clock, tmp_path):
    before, now = point(0, 10), Point("core", "kind", "config0", "variant", (("frames", 100),), "newer", 10)
    assert now.expected_s() == 10
    before.keep({}, 42.04)
    assert now.expected_s() == 42.0 and before.took_s() == 42.0 and now.took_s() is None
    assert Point("core", "kind", "config0", "variant", (("frames", 9),), "newer", 10).expected_s() == 10


def test_snakemake_is_believed_by_what_the_points_took(clock):
    points = [point(number, 10) for number in range(4)]
    progress = Progress(points, jobs=2)
    assert progress("Select jobs to execute...") == "0 of 4 points, time left not known yet"
    for each in points[:2]:
        each.keep({}, 40)
    assert progress("Finished jobid: 3 (Rule: point)") == "2 of 4 points, about 40 s left"
