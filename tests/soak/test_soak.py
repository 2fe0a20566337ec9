# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A short slice of `ullnic soak macpcs`, and that a failure of a point is reported as one.

That the program's checks see each kind of wrong is tested in C++ (sim/tests/soak_test.cc).
"""

import itertools
import json
import os
import random
import stat

import pytest
from click.testing import CliRunner

from ullnic import soak
from ullnic.build import build_sim
from ullnic.configs import NAMES
from ullnic.errors import UllnicError

SEED = int(os.environ.get("ULLNIC_SEED", "1"))
FRAMES = 100
# Values at which something happens in so few frames; random ones are for the long run.
SLICE = {
    "none": {"clock-ppm": 200},
    "bit errors": {"ber": 1e-5},
    "slips": {"slip-bits": 100_000},
    "loss of signal": {"loss-cycles": 10_000, "loss-length": 3000},
    "resets": {"reset-cycles": 3000},
    "back-pressure": {"stall": 0.01, "stall-edges": 20},
    "all at once": {"ber": 1e-4, "slip-bits": 500_000, "loss-cycles": 50_000, "reset-cycles": 10_000, "stall": 0.001},
}


@pytest.fixture(scope="module")
def program():
    return build_sim(targets=("ullnic-macpcs-soak",), configs=NAMES) / "ullnic-macpcs-soak"


@pytest.mark.parametrize("config", NAMES)
def test_gets_over_rough_conditions(program, config):
    print(f"seed {SEED} (repeat with ULLNIC_SEED={SEED})")
    for condition, options in SLICE.items():
        point = soak.Point(config, condition, tuple(({"seed": SEED, "frames": FRAMES} | options).items()))
        result = soak.run_point(program, point)
        assert result["sent"] == result["delivered"] + result["lost"]
        harmed = condition != "none" and not (condition == "back-pressure" and "rxfifo" not in config)
        assert (result["bad"] + result["lost"] > 0) == harmed, f"{condition}: {result}"
        if condition in ("slips", "loss of signal"):
            assert result["relocks"] > 0, f"{condition}: {result}"
        if condition == "resets":
            assert result["resets"] > 4


def test_a_point_is_repeatable(program):
    point = soak.draw_point(random.Random(SEED), "rxfifo_pma16_mac32", "all at once", 20)
    assert soak.run_point(program, point) == soak.run_point(program, point)


def test_points_are_those_of_the_seed_and_cover_everything():
    count = len(soak.CONDITIONS) * len(NAMES)
    drawn = list(itertools.islice(soak.points(5, NAMES, 10), count))
    assert drawn == list(itertools.islice(soak.points(5, NAMES, 10), count))
    assert drawn != list(itertools.islice(soak.points(6, NAMES, 10), count))
    assert {(p.config, p.condition) for p in drawn} == set(itertools.product(NAMES, soak.CONDITIONS))


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A program in place of the real one, which fails under slips."""
    script = tmp_path / "ullnic-macpcs-soak"
    good = json.dumps(dict.fromkeys((*soak.COUNTS, "relock_us_max"), 1))
    script.write_text(
        f"#!/bin/sh\ncase \"$*\" in *--slip-bits*) echo 'error: wrong passed' >&2; exit 1;; esac\necho '{good}'\n"
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(soak, "build_sim", lambda **_: tmp_path)
    monkeypatch.setattr(soak, "DIRECTORY", tmp_path / "report")
    return script


def test_a_failure_stops_the_soak_and_says_how_to_repeat_it(fake):
    done = CliRunner().invoke(soak.soak, ["macpcs", "--minutes", "1", "--seed", "3", "--jobs", "1"])
    assert isinstance(done.exception, UllnicError)
    assert "slips: wrong passed" in done.exception.message
    assert f"{fake} --config" in done.exception.remedy and "--slip-bits" in done.exception.remedy
    report = json.loads((fake.parent / "report/macpcs.json").read_text())
    assert "wrong passed" in report["failure"]["message"]
    assert report["points"] == 2 * len(NAMES)  # under no harm and bit errors


def test_a_soak_without_failure_ends_in_tables(fake, monkeypatch):
    monkeypatch.setattr(soak, "CONDITIONS", ("none", "resets"))
    done = CliRunner().invoke(soak.soak, ["macpcs", "--minutes", "0.02", "--config", NAMES[0], "--jobs", "2"])
    assert done.exit_code == 0, done.output
    report = json.loads((fake.parent / "report/macpcs.json").read_text())
    assert report["failure"] is None and report["points"] > 1
    assert report["configuration"][NAMES[0]]["sent"] == report["points"]
    assert "condition" in done.output and NAMES[0] in done.output
