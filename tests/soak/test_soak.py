# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A short run of `ullnic soak macpcs` in one configuration that the seed draws, in each after a change (deep); and a
check that a failing point is reported.

sim/tests/soak_test.cc tests that the program's checks detect each kind of error.
"""

import itertools
import json
import random
import re
import stat
import subprocess

import pytest
from click.testing import CliRunner

from ullnic import random_generics, soak
from ullnic.build import build_sim
from ullnic.configs import NAMES
from ullnic.deep import deep, hardware
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.points.sources import BUILD_FILES, program_sources
from ullnic.random_generics import RandomConfig
from ullnic.toolchain import find_verilator, tool_env

FRAMES = 100
# Values that have an effect in so few frames; random ones are for the long run.
SLICE = {
    "none": {"clock-ppm": 200},
    "every length": {"episodes": 1, "first-len": 9599, "len-step": soak.LENGTH_STEP},
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


@deep(__file__, "python/ullnic/soak.py", *BUILD_FILES, lambda: program_sources("soak"), hardware)
@pytest.mark.parametrize("config", NAMES)
def test_each_gets_over_rough_conditions(program, config):
    gets_over(program, config, seed=1)


def test_one_gets_over_rough_conditions(program, seed):
    config = random.Random(seed).choice(NAMES)
    print(f"drawn: {config}")
    gets_over(program, config, seed)


def gets_over(program, config: str, seed: int) -> None:
    for condition, options in SLICE.items():
        point = soak.Point(config, condition, tuple(({"seed": seed, "frames": FRAMES} | options).items()))
        result = soak.run_point(program, point)
        assert result["sent"] == result["delivered"] + result["lost"]
        harmed = condition not in ("none", "every length") and not (
            condition == "back-pressure" and "rxfifo" not in config
        )
        assert (result["bad"] + result["lost"] > 0) == harmed, f"{condition}: {result}"
        if condition in ("slips", "loss of signal"):
            assert result["relocks"] > 0, f"{condition}: {result}"
        if condition == "resets":
            assert result["resets"] > 4
        assert result["lengths"] == (FRAMES if condition == "every length" else 0)


def test_a_point_is_repeatable(program, seed):
    point = soak.draw_point(random.Random(seed), "rxfifo_pma16_mac32", "all at once", 20)
    assert soak.run_point(program, point) == soak.run_point(program, point)


def test_points_are_those_of_the_seed_and_cover_everything():
    count = len(soak.CONDITIONS) * len(NAMES)
    drawn = list(itertools.islice(soak.points(5, NAMES, 10), count))
    assert drawn == list(itertools.islice(soak.points(5, NAMES, 10), count))
    assert drawn != list(itertools.islice(soak.points(6, NAMES, 10), count))
    assert {(p.config, p.condition) for p in drawn} == set(itertools.product(NAMES, soak.CONDITIONS))


@pytest.mark.parametrize("frames", [480, 7])
def test_points_of_a_configuration_go_on_until_every_length_has_passed(frames, seed):
    point_frames = soak.LENGTHS_A_FRAME * frames
    wanted = -(-soak.MAX_BYTES // point_frames)
    source = (p for p in soak.points(seed, NAMES[:2], frames) if p.condition == soak.EVERY_LENGTH)
    for name in NAMES[:2]:
        lengths = []
        drawn = (dict(p.options) for p in source if p.config == name)
        for options in itertools.islice(drawn, wanted):
            assert options["frames"] == point_frames and options["episodes"] == 1
            assert options["max-len"] == soak.MAX_BYTES and "min-len" not in options
            steps = range(options["frames"])
            # As in SoakRun::SteppedLength.
            lengths += [1 + (options["first-len"] - 1 + k * options["len-step"]) % soak.MAX_BYTES for k in steps]
        assert set(lengths[: soak.MAX_BYTES]) == set(range(1, soak.MAX_BYTES + 1))


def test_the_summary_says_which_part_of_the_lengths_has_passed():
    totals = soak.Totals()
    result = dict.fromkeys((*soak.COUNTS, "relock_us_max"), 0) | {"lengths": 2000}
    for _ in range(4):
        totals.add(soak.Point("some", soak.EVERY_LENGTH, ()), result)
    assert totals.lengths_passed("some") == 8000 / 9600 and totals.lengths_passed("other") == 0
    totals.add(soak.Point("some", soak.EVERY_LENGTH, ()), result)
    assert totals.lengths_passed("some") == 1


def lint(top: str, generics: dict) -> subprocess.CompletedProcess:
    words = [f"-G{name}={value}" for name, value in generics.items()]
    command = [find_verilator(), "--lint-only", "-Wno-lint", "-Wno-style", "--top-module", top, *words]
    command += ["-f", "cards/link/rtl/link_card.f"]
    return subprocess.run(command, cwd=ROOT, env=tool_env(), capture_output=True, text=True)


def test_random_generics_are_legal(seed):
    for each in soak.random_sets(seed, 8):
        done = lint("link_card", each.parameters)
        assert done.returncode == 0, f"{each.name} {each.parameters}:\n{done.stderr}"
    # An invalid one.
    done = lint("link_card", {"DUAL_CLOCK_FIFO_TX_ENABLE": 1, "DUAL_CLOCK_FIFO_TX_DEPTH": 8})
    assert done.returncode != 0 and "DEPTH must be at least START_WORDS + 7" in done.stderr


def test_random_generics_of_a_transmit_fifo_know_its_start():
    # The table in the header of macpcs_tx_fifo.sv, and what the module itself accepts.
    for pma, table in {32: (1, 2, 3, 22), 16: (1, 2, 2, 22)}.items():
        for khz, start in zip((350_000, 322_266, 312_500, 310_000), table, strict=True):
            assert random_generics.start_words(32, pma, khz) == start
    for khz in (310_700, 310_800, 311_100, 311_200):
        start = random_generics.start_words(32, 32, khz)
        generics = {"S_AXIS_CLK_FREQ_KHZ": khz, "DEPTH": 16}
        assert (lint("macpcs_tx_fifo", generics).returncode == 0) == (start + 7 <= 16), f"{khz} kHz: {start}"


def test_random_generics_are_those_of_the_seed_and_each_takes_several_values(seed):
    sets = soak.random_sets(seed, 300)
    assert sets == soak.random_sets(seed, 300) and sets[:3] == soak.random_sets(seed, 3)
    assert sets != soak.random_sets(seed + 1, 300)
    assert len({each.name for each in sets}) > 290
    header = re.search(r"module link_card #\((.*?)\) \(", (ROOT / "cards/link/rtl/link_card.sv").read_text(), re.DOTALL)
    names = re.findall(r"parameter \w+ (\w+) =", header[1])
    assert len(names) > 20
    for name in names:
        default = random_generics.DEFAULTS.get(name, 0)
        assert len({each.parameters.get(name, default) for each in sets}) > 1, f"{name} never changes"
    assert {name for each in sets for name in each.parameters} <= set(names)


def test_a_random_set_is_kept_in_a_file_and_read_again(tmp_path, seed):
    for each in soak.random_sets(seed, 20):
        path = each.write(tmp_path / "deep")
        assert RandomConfig.read(path) == each and path.stem == each.name
    for text in ("", "{}", "[]", '{"tx_user_clock": "tx", "rx_user_clock": "rx", "generics": 1}'):
        path.write_text(text)
        with pytest.raises(UllnicError, match="holds no generics"):
            RandomConfig.read(path)


# It covers much of what makes the program treat frames differently; a test may build one more model.
UNUSUAL = RandomConfig(
    "312500kHz",
    "rx",
    tuple(
        {
            "DUAL_CLOCK_FIFO_TX_ENABLE": 1,
            "MAC_TX_CLK_FREQ_KHZ": 312_500,
            "MAC_RX_LATENCY_MODE": 1,
            "MAC_RX_CRC32_LATENCY": 2,
            "MAC_RX_CRC32_REMOVE": 1,
            "MAC_RX_MIN_PKT_LENGTH": 90,
            "MAC_TX_CRC32_ADD": 0,
            "MAC_TX_PADDING_SIZE": 72,
            "MAC_TX_IFG_COUNT": 17,
        }.items()
    ),
)


def test_unusual_generics_get_over_rough_conditions(seed):
    program = build_sim(targets=("ullnic-macpcs-soak",), random_configs=(UNUSUAL,)) / "ullnic-macpcs-soak"
    for condition, options in SLICE.items():
        point = soak.Point(UNUSUAL.name, condition, tuple(({"seed": seed, "frames": FRAMES} | options).items()))
        result = soak.run_point(program, point)
        assert result["sent"] == result["delivered"] + result["lost"]
        harmed = condition not in ("none", "every length", "back-pressure")
        assert (result["bad"] + result["lost"] > 0) == harmed, f"{condition}: {result}"


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A fake program, which fails under slips."""
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
    sets = [each.name for each in soak.random_sets(3, soak.RANDOM_SETS)]
    assert isinstance(done.exception, UllnicError)
    assert "slips: wrong passed" in done.exception.message
    assert f"{fake} --config" in done.exception.remedy and "--slip-bits" in done.exception.remedy
    report = json.loads((fake.parent / "report/macpcs.json").read_text())
    assert "wrong passed" in report["failure"]["message"]
    assert report["points"] == 3 * (len(NAMES) + len(sets))  # without faults, every length, bit errors
    assert list(report["generics"]) == sets


def test_a_failure_of_random_generics_says_how_to_build_them_again(fake):
    runner = CliRunner()
    done = runner.invoke(
        soak.soak, ["macpcs", "--config", NAMES[0], "--random-generics", "1", "--frames", "1", "--jobs", "1"]
    )
    assert "anew" not in done.exception.remedy  # a reported one has failed
    kept = soak.random_sets(5, 1)[0].write(fake.parent / "elsewhere")
    done = runner.invoke(soak.soak, ["macpcs", "--generics", str(kept), "--jobs", "1"])
    assert kept.stem in done.exception.message
    again = re.search(r"soak macpcs --generics (\S+)", done.exception.remedy)[1]
    assert RandomConfig.read(kept) == RandomConfig.read(type(kept)(again))
    assert list(json.loads((fake.parent / "report/macpcs.json").read_text())["configuration"]) == [kept.stem]


def test_a_soak_without_failure_ends_in_tables(fake, monkeypatch):
    monkeypatch.setattr(soak, "CONDITIONS", ("none", "resets"))
    done = CliRunner().invoke(soak.soak, ["macpcs", "--minutes", "0.02", "--config", NAMES[0], "--jobs", "2"])
    assert done.exit_code == 0, done.output
    report = json.loads((fake.parent / "report/macpcs.json").read_text())
    assert report["failure"] is None and report["points"] > 1
    assert report["configuration"][NAMES[0]]["sent"] == report["points"]
    assert "condition" in done.output and NAMES[0] in done.output
    assert " % " in done.output and "lengths 1 to 9600" in done.output
