# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Packet rates of the DMA: each mode within bound and budget, the bounds against known figures, wrong options."""

import json
import random
import subprocess
from dataclasses import replace
from functools import partial

import pytest
from click.testing import CliRunner

from ullnic.budget import budgets
from ullnic.build import build_sim
from ullnic.deep import deep, hardware
from ullnic.errors import UllnicError
from ullnic.measure import qdma
from ullnic.measure.budget import key, limits
from ullnic.measure.command import measure
from ullnic.measure.qdma import (
    ALL_SIZES,
    BOTH,
    C2H,
    CALIBRATION_ERROR,
    FORWARDING,
    H2C,
    INLINE,
    LATENCIES,
    MM_BOTH,
    MM_MODES,
    MODES,
    OF_DDR4,
    OPTED_IN,
    PROGRAM,
    SYSTEMS,
    Options,
    Point,
    calibrate,
    measure_point,
    points,
    published,
    reached,
    records_of,
    with_limits,
)
from ullnic.measure.qdma_bounds import (
    DOWN,
    INLINE_ENTRY_BYTES,
    MEMORY,
    MM_C2H,
    MM_H2C,
    RC,
    RQ,
    STATED,
    STATED_INLINE,
    UP,
    Link,
    best,
    bound,
)
from ullnic.measure.records import Record
from ullnic.paths import ROOT
from ullnic.points.sources import BUILD_FILES, program_sources
from ullnic.pytest_seed import drawn_seed

SEED = drawn_seed()
GUARDED_SEED = 1  # of the budget, so that it is held to the digit
FEW = Options(packets=6000, seed=SEED)
FORWARDED = {C2H: 1.0, H2C: 1.0}
OTHER_LINKS = (Link("gen3x8"), Link("gen4x8", completion=128), Link(mps=512, completion=512, mrrs=1024))
# When something has changed. cores/qdma/tb asserts rates in every run.
PLACES = (__file__, "python/ullnic/measure", "cores/qdma/budget.toml", *BUILD_FILES)
PLACES += (lambda: program_sources("qdma_sweep"), partial(hardware, ROOT / "cores/qdma", ROOT / "cores/common"))
MEASURES, MEASURES_WITH_ANY_SEED = deep(*PLACES), deep(*PLACES, any_seed=True)


@pytest.fixture(scope="module")
def binaries(seed):
    return build_sim(targets=(PROGRAM,))


@pytest.fixture(scope="module")
def measured(binaries, tmp_path_factory):
    """What the command says and writes, of few points, against the budget."""
    out = tmp_path_factory.mktemp("qdma") / "records.json"
    arguments = ["qdma", "--sizes", "64", "--queues", "1,8", "--seed", str(GUARDED_SEED), "--budget"]
    result = CliRunner().invoke(measure, [*arguments, "--json", str(out)])
    assert result.exit_code == 0, result.output or result.exception
    return [Record(**row) for row in json.loads(out.read_text())], result.output


def reaches_the_formula(binaries, link: Link) -> None:
    assert calibrate(binaries, Options(link)) < CALIBRATION_ERROR


@MEASURES
@pytest.mark.parametrize("link", OTHER_LINKS, ids=str)
def test_a_perfect_source_reaches_the_formula_of_the_overheads(binaries, link):
    """On links beside that of the command, which calibrates its own."""
    reaches_the_formula(binaries, link)


@MEASURES_WITH_ANY_SEED
def test_a_perfect_source_reaches_that_of_one_drawn(binaries):
    reaches_the_formula(binaries, random.Random(SEED).choice(OTHER_LINKS))


@MEASURES_WITH_ANY_SEED
def test_a_link_that_is_off_its_formula_fails(binaries, monkeypatch):
    monkeypatch.setattr(qdma, "bound", lambda *_, **__: (150.0, UP))
    with pytest.raises(UllnicError, match="off its formula: c2h, 64 B"):
        calibrate(binaries, FEW)


@MEASURES
def test_every_mode_is_measured_within_bound_and_budget(measured):
    """The command would have failed if not, or if a packet had been lost or wrong."""
    records, said = measured
    names = [*(FORWARDING, C2H, H2C, f"{BOTH}_{C2H}", f"{BOTH}_{H2C}"), *OPTED_IN]
    for mode in MM_MODES:
        names += [f"{mode}_{C2H}", f"{mode}_{H2C}"] if MM_BOTH in mode else [mode]
    rates, latencies = ([r for r in records if r.unit == unit] for unit in ("Mpps", "cycle"))
    assert {r.metric for r in latencies} == {f"latency_{name}" for name in LATENCIES}
    assert {(r.metric, r.queues) for r in rates} == {(name, queues) for name in names for queues in (1, 8)}
    for record in rates:
        assert record.mean <= record.bound * (1 + qdma.edges(record.payload_bytes, record.samples))
        # Reads and writes of one DDR4 channel wait for each other's rows.
        assert record.mean > (0.5 if record.metric.startswith(f"{MM_BOTH}_ddr4") else 0.8) * record.bound
        assert all(0 < share <= 1.001 for share in record.busy.values()) and record.lost == 0
    assert "Simulated, link model, no CPU cost" in " ".join(said.split())
    assert "rows that ours are not below: 8 of 8" in said


@MEASURES
def test_the_published_rows_stand_beside_forwarding_alone(measured):
    records, _ = measured
    for record in records:
        known = record.metric == FORWARDING
        assert (record.published_by is not None) == known
        if known:
            assert tuple(record.published_by) == SYSTEMS
            assert record.published_max == max(record.published_by.values())
    assert reached(records) == (8, 0, 8)
    slower = replace(next(r for r in records if r.published_by), mean=25.0, bound=25.1)
    assert reached([slower]) == (0, 4, 4) and reached([replace(slower, bound=26.0)]) == (0, 0, 4)


def test_all_published_rows_are_there():
    assert {size for size, _ in published()} == set(ALL_SIZES)
    assert {queues for _, queues in published()} == {1, 2, 4, 8}
    assert sum(map(len, published().values())) == 1024
    assert published()[64, 8]["amd_pf"] == 82.78


def test_bounds_are_those_that_were_computed_by_hand():
    """64 bytes through RQ: a write takes 1.5 beats, its read 0.5; 16 entries 4.5, 32 and 64 descriptors 0.5."""
    link = Link()
    assert bound(64, link, FORWARDED) == (pytest.approx(250 / (2 + 4.5 / 16 + 0.5 / 32 + 0.5 / 64)), RQ)
    assert bound(64, link, {H2C: 1.0})[1] == DOWN
    assert bound(64, Link("gen3x8"), {C2H: 1.0})[1] == UP
    assert bound(4096, Link(completion=64, rcb=64), {H2C: 1.0})[1] in (DOWN, RC)
    # With batches of 8 entries and 16 descriptors: 104.6 Mpps, 135.0 Mpps
    assert bound(64, link, FORWARDED, STATED)[0] == pytest.approx(104.6, abs=0.05)
    assert bound(64, link, {C2H: 1.0}, STATED)[0] == pytest.approx(135.0, abs=0.05)


def test_bounds_of_inline_receive():
    """Two entries of 64 bytes in a write take 2.5 beats of RQ, four 4.5; no descriptors, no payload."""
    link = Link()
    alone = bound(60, link, {C2H: 1.0}, STATED_INLINE)
    assert alone == (pytest.approx(250 / (2.5 / 2 + 0.5 / 64)), RQ)
    assert bound(60, link, FORWARDED, best(link, INLINE_ENTRY_BYTES)) == (
        pytest.approx(250 / (4.5 / 4 + 0.5 + 0.5 / 32)),
        RQ,
    )
    # One byte more than fits: its payload is written, and its entry is as large.
    assert bound(61, link, FORWARDED, STATED_INLINE)[0] < 76 < 115 < bound(60, link, FORWARDED, STATED_INLINE)[0]


def test_bounds_of_memory_mapped_transfers():
    """4 KiB in 16 TLPs and a sixteenth of a read of descriptors: each way, AXI4, and a memory of 10 GB/s."""
    link = Link()
    down = 16 * 20 + 4096 + 8 / 4 * 16 + (2 * 20 + 512 + 16 / 4) / 16
    assert bound(4096, link, {MM_H2C: 1.0}) == (pytest.approx(link.bytes_per_us / down), DOWN)
    assert bound(4096, link, {MM_C2H: 1.0}) == (pytest.approx(250 / (16 * 4.5 + 0.5 / 16)), RQ)
    assert bound(4096, link, {MM_C2H: 1.0, MM_H2C: 1.0}, memory_bytes_per_us=1e4) == (
        pytest.approx(1e4 / 8192),
        MEMORY,
    )
    # A byte takes as much of a memory as 64 do.
    assert bound(1, link, {MM_H2C: 1.0}, memory_bytes_per_us=64) == (1, MEMORY)


@MEASURES_WITH_ANY_SEED
@pytest.mark.parametrize("mode", [MM_C2H, MM_H2C, *(each for each in OF_DDR4 if MM_BOTH not in each)])
def test_memory_mapped_transfers_of_4_kib_reach_the_limit(binaries, mode):
    """With one queue; every byte is checked."""
    row = measure_point(binaries, Options(packets=2000, seed=SEED), Point(mode, 4096, 1))
    [(direction, (most, *_))] = row["bounds"].items()
    assert row[f"{direction}_mpps"] > 0.98 * most and row["lost"] == 0


@MEASURES_WITH_ANY_SEED
def test_memory_mapped_transfers_of_any_size_and_offset(binaries):
    for mode in (MM_BOTH, f"{MM_BOTH}_ddr4"):
        for size, offset in ((1, 0), (63, 2), (65, 0), (5000, 77), (32768, 1)):
            options = Options(Link(offset=offset), packets=300, seed=SEED)
            assert measure_point(binaries, options, Point(mode, size, 3))["lost"] == 0


@MEASURES_WITH_ANY_SEED
@pytest.mark.parametrize("mode", [FORWARDING, BOTH, MM_BOTH])
def test_a_vf_has_the_rates_of_a_pf(binaries, mode):
    """Its contexts, doorbells and TLPs are a VF's; nothing on a packet's path differs."""
    pf, vf = (
        measure_point(binaries, Options(packets=3000, seed=SEED, is_vf=is_vf), Point(mode, 64, 8))
        for is_vf in (False, True)
    )
    for row in (pf, vf):
        row.pop("wall_s")
    assert pf == vf


@MEASURES_WITH_ANY_SEED
def test_inline_packets_of_any_size(binaries):
    for size in (1, 60, 61, 300):
        row = measure_point(binaries, Options(packets=2000, seed=SEED), Point(INLINE, size, 3))
        assert row["lost"] == 0


def test_buffers_that_begin_within_a_completion_cost_one_more():
    aligned, shifted = (bound(4096, Link(offset=offset), {H2C: 1.0})[0] for offset in (0, 64))
    assert shifted < aligned
    assert bound(64, Link(offset=64), FORWARDED) == bound(64, Link(), FORWARDED)


@MEASURES_WITH_ANY_SEED
@pytest.mark.parametrize(
    "link", [Link("gen3x8"), Link(offset=2), Link(completion=64), Link(mrrs=4096), Link(mps=512)], ids=str
)
def test_links_and_buffers_of_other_kinds(binaries, link):
    """Within its bound, and near it; every packet is checked."""
    options = Options(link, packets=3000, seed=SEED)
    for point in (Point(FORWARDING, 256, 4), Point(BOTH, 1000, 3)):
        row = measure_point(binaries, options, point)
        for direction, (most, *_) in row["bounds"].items():
            assert row[f"{direction}_mpps"] > 0.85 * most


@MEASURES_WITH_ANY_SEED
def test_packets_of_any_size(binaries):
    for size in (1, 63, 65, 333):
        row = measure_point(binaries, Options(packets=2000, seed=SEED), Point(FORWARDING, size, 2))
        assert row["lost"] == 0


@MEASURES_WITH_ANY_SEED
def test_a_row_above_its_bound_fails(binaries, monkeypatch):
    monkeypatch.setattr(qdma, "bound", lambda *_, **__: (50.0, RQ))
    with pytest.raises(UllnicError, match=r"h2c, 64 B, 1 queue: .* above the bound of 50\.000 \(RQ\)"):
        measure_point(binaries, FEW, Point(H2C, 64, 1))


@MEASURES_WITH_ANY_SEED
def test_the_same_seed_gives_the_same_figures(binaries):
    point = Point(C2H, 64, 8)
    first, second = (measure_point(binaries, FEW, point) for _ in range(2))
    first.pop("wall_s"), second.pop("wall_s")
    assert first == second


@MEASURES
def test_a_figure_over_its_limit_is_named(measured):
    records, _ = measured
    [first, *_] = with_limits(records)
    [found] = limits([first], {"gen3x16": {key(first): {"max": first.max - 1}}}, {})
    assert found.over and f"{first.metric}_ns max" in str(found)


def test_limits_are_of_figures_that_are_measured_by_default():
    """And those that were asked for: 100 Mpps with 8 queues, 80 with one, 115 with inline receive."""
    budget, _ = budgets("qdma")
    names = {f"{point.mode}_{point.size}b_{point.queues}q_packet_ns" for point in points(MODES, (), ())}
    names |= {f"latency_{name}_64b_cycles" for name in LATENCIES}
    assert set(budget["gen3x16"]) <= names
    assert budget["gen3x16"]["forwarding_64b_8q_packet_ns"]["max"] <= 1000 / 100
    assert budget["gen3x16"]["forwarding_64b_1q_packet_ns"]["max"] <= 1000 / 80
    assert all(budget["gen3x16"][f"{INLINE}_60b_{queues}q_packet_ns"]["max"] <= 1000 / 115 for queues in (1, 8))


@MEASURES_WITH_ANY_SEED
def test_records_keep_what_the_program_says(binaries):
    row = measure_point(binaries, FEW, Point(BOTH, 64, 8))
    both = records_of(Point(BOTH, 64, 8), FEW, row, "a command")
    assert [record.metric for record in both] == ["both_c2h", "both_h2c"]
    assert both[0].mean == round(row["c2h_mpps"], 3) and both[0].bound_by == both[1].bound_by


WRONG = [
    (["--sizes", "0"], "is not a whole number from 1 to 32768"),
    (["--sizes", "64,32769"], "'32769' is not"),
    (["--sizes", "64,4097"], "--sizes 4097: a packet has at most 4096 bytes; more are for --mode mm_c2h"),
    (["--sizes", "4097", "--mode", "mm_c2h", "--mode", "c2h"], "a packet has at most 4096 bytes"),
    (["--sizes", "64;128"], "is not a whole number"),
    (["--queues", "2049"], "from 1 to 2048"),
    (["--queues", "all"], "from 1 to 2048"),
    (["--mode", "backwards"], "is not one of"),
    (["--link", "gen5x16"], "is not one of"),
    (["--mrrs", "300"], "is not one of"),
    (["--completion", "512"], "must be from --rcb (64) to --mps (256)"),
    (["--rcb", "128", "--completion", "64"], "must be from --rcb (128)"),
    (["--offset", "4096"], "not in the range"),
    (["--packets", "-1"], "not in the range"),
    (["--update-docs", "--mode", "c2h"], "--update-docs writes all modes"),
    (["--update-docs", "--offset", "2"], "--update-docs is for the published link and host"),
    (["--update-docs", "--read-latency-ns", "900"], "--update-docs is for the published link and host"),
    (["--budget", "--link", "gen3x8"], "--budget is for the published link and host"),
    (["--budget", "--function", "vf"], "--budget is for the published link and host, and a PF"),
    (["--function", "qf"], "is not one of"),
    (["--function", "vf", "--queues", "8,257"], "--queues 257: a VF has at most 256"),
]


@pytest.mark.parametrize("arguments, said", WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_wrong_options(arguments, said):
    result = CliRunner().invoke(measure, ["qdma", *arguments])
    assert result.exit_code == 2 and said in " ".join(result.output.split())


@MEASURES
@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--queues", "0"], "take 1 to 2048"),
        (["--queues", "2049"], "take 1 to 2048"),
        (["--sizes", "4097"], "take 1 to 4096 bytes"),
        (["--mps", "2048"], "take a power of two from 128 to 1024"),
        (["--link", "gen9"], "take one of gen3x16"),
        (["--mode", "none"], "take one of forwarding"),
        (["--mode", "mm_both", "--sizes", "32769"], "take 1 to 32768 bytes"),
        (["--memory", "hbm"], "take one of bram, ddr4"),
        (["--vf", "--queues", "257"], "take 1 to 256: its BAR has so many doorbells"),
        (["--read-latency-ns", "1"], "not in range"),
        (["--read-spread-ns", "700"], "take a spread that is at most the latency, less 100 ns"),
        (["--packets", "100", "--json", "/nope/x.json"], "name a file in an existing directory"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_program_says_what_helps(binaries, arguments, said):
    done = subprocess.run([binaries / PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode and said in done.stderr
