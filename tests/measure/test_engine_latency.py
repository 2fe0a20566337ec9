# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The TCP engine's latency and bandwidth: what its budget promises, the known answers, and the published rows."""

import json

import pytest
from click.testing import CliRunner

from ullnic.budget import budgets
from ullnic.build import build_sim
from ullnic.deep import deep
from ullnic.engines import NAMES, engine
from ullnic.errors import UllnicError
from ullnic.measure.budget import key, limits
from ullnic.measure.command import measure
from ullnic.measure.records import Record
from ullnic.measure.toe import (
    BANDWIDTH,
    BEHIND,
    CLOCKS,
    LATENCY,
    LINE_MBIT_S,
    SIZES,
    beaten,
    measure_sweep,
    published,
    published_sizes,
    records_of,
    run_sweep,
    summaries,
)
from ullnic.measure.toe_tables import beside, latencies
from ullnic.pytest_seed import drawn_seed
from ullnic.report.standing import parts

SEED = drawn_seed()
GUARDED_SEED = 1  # of the budget, which is exact
CUT, STORE = engine("user128_cut_through"), engine("user128_store_forward")
AT = CLOCKS[0]
FEW = (1, 8, 2048)
# When something has changed. cores/toe/tb asserts latencies in every run.
PLACES = (__file__, "python/ullnic/measure", "cores/toe/budget.toml", lambda: parts()["toe"])
MEASURES, MEASURES_WITH_ANY_SEED = deep(*PLACES), deep(*PLACES, any_seed=True)


@pytest.fixture(scope="module")
def binaries(seed):
    return build_sim(targets=(CUT.program, STORE.program))


@pytest.fixture(scope="module")
def measured(binaries, tmp_path_factory):
    """What the command says and writes, for one engine, against its budget."""
    out = tmp_path_factory.mktemp("toe") / "records.json"
    arguments = ["toe", "--config", CUT.name, "--frames", "100", "--seed", str(GUARDED_SEED)]
    result = CliRunner().invoke(measure, [*arguments, "--budget", "--json", str(out)])
    assert result.exit_code == 0, result.output or result.exception
    return json.loads(out.read_text()), result.output


def of(rows: list[dict], metric: str, at=AT) -> dict[int, dict]:
    return {r["payload_bytes"]: r for r in rows if (r["metric"], r["clock_mhz"]) == (metric, float(at.mhz))}


@MEASURES
def test_every_size_is_measured_and_nothing_is_lost(measured):
    rows, _ = measured
    for at in CLOCKS:
        for metric in ("tx_cut_through", "tx_store_forward", "rx_cut_through", "rtt_cut_through"):
            assert tuple(of(rows, metric, at)) == SIZES[LATENCY]
        for metric in ("tx_cut_through", "tx_store_forward", "rx_cut_through", "tx_both_ways", "rx_both_ways"):
            assert tuple(of(rows, f"{metric}_line", at)) == SIZES[BANDWIDTH]
    assert not any(row["lost"] for row in rows)


@MEASURES
def test_cycles_are_those_that_the_bench_of_the_core_asserts(measured):
    """tb/test_toe.py, test_toe_tx.py and test_toe_rx_latency.py find them by other means."""
    rows, _ = measured
    cycle_ns = 102.4 / 33
    for payload in SIZES[LATENCY]:
        beats = -(-payload // 16)
        wanted = {
            "tx_cut_through": 1,
            "tx_store_forward": max(1, beats - 11),
            "tx_store_forward_no_length": beats,
            "rx_cut_through": 13 + (min(payload, 8) + 1) // 4,
        }
        wanted["rtt_cut_through"] = 1 + wanted["rx_cut_through"]
        for metric, cycles in wanted.items():
            row = of(rows, metric)[payload]
            assert row["min"] == row["max"] == pytest.approx(cycles * cycle_ns, abs=0.006), (metric, payload)


@MEASURES
def test_a_pause_of_the_line_is_a_cycle(measured):
    rows, _ = measured
    for at, pauses in zip(CLOCKS, (32, 25), strict=True):
        for payload in published_sizes(LATENCY):
            first, anywhere = (of(rows, f"rx_cut_through{name}", at)[payload] for name in ("", "_any_pause"))
            assert anywhere["samples"] == pauses and anywhere["min"] == first["min"]
            assert anywhere["max"] - first["max"] == pytest.approx(1000 / float(at.mhz), abs=0.011)


@MEASURES
def test_the_published_rows_stand_beside_ours_and_are_beaten(measured):
    rows, said = measured
    known = {k: ns for k, ns in published(LATENCY).items() if k[2] == "cut_through" or k[1] == "tx"}
    ours = beside(records_in(rows)).items()
    found = {(str(int(clock)), path, mode, payload): record for (mode, path, payload, clock), record in ours}
    assert {k: r.published_max for k, r in found.items()} == known
    assert beaten(found.values()) == (len(known), len(known))
    assert f"published latencies beaten: {len(known)} of {len(known)}" in said
    for _, *row in latencies(records_in(rows))[1]:
        assert " ".join(row) in " ".join(said.split())


def records_in(rows: list[dict]) -> list[Record]:
    return [Record(**row) for row in rows]


@MEASURES
def test_the_line_is_full_at_every_size(measured):
    rows, said = measured
    rates = [row for row in rows if row["unit"] == "Mbit/s"]
    assert {row["min"] for row in rates} == {LINE_MBIT_S} and {row["samples"] for row in rates} == {100}
    beside_ours = {
        row["payload_bytes"]: row["published_min"] for row in rates if row["metric"] == "rx_cut_through_line"
    }
    assert [size for size, known in beside_ours.items() if known] == published_sizes(BANDWIDTH)
    assert "Bandwidth: 10000 Mbit/s" in said


@MEASURES_WITH_ANY_SEED
def test_store_and_forward_waits_for_the_verdict_alone(binaries):
    """Two cycles behind the frame's last word, of 64 bytes or more with padding and FCS."""
    for at in CLOCKS:
        result = measure_sweep(binaries, STORE, at, LATENCY, 100, SEED, FEW)
        rows = {(row["mode"], row["payload_bytes"]): row for row in result["rows"] if row["path"] == "rx"}
        of_word = float(at.mhz) * 3.2e-3  # cycles in which the line has one
        for payload in FEW:
            behind, whole = rows[BEHIND, payload], rows["store_forward", payload]
            last = -(-max(54 + payload + 4, 64) // 4) - 1
            assert (behind["min"], behind["max"]) == (2, 2)
            assert (whole["min"], whole["max"]) == (int(last * of_word) + 2,) * 2
        records = records_of(STORE, at, LATENCY, result, "a command")
        assert beaten(records) == (6, 6)


@MEASURES_WITH_ANY_SEED
def test_a_figure_over_its_limit_is_named(binaries):
    result = measure_sweep(binaries, CUT, AT, LATENCY, 100, SEED, FEW)
    totals = summaries(CUT, AT, LATENCY, result, "a command")
    budget = {CUT.name: {"tx_cut_through_322mhz_cycles": {"max": 0}, "rx_cut_through_322mhz_cycles": {"max": 15}}}
    found = {limit.figure: limit.over for limit in limits(totals, budget, {})}
    assert found == {"tx_cut_through_322mhz_cycles max": True, "rx_cut_through_322mhz_cycles max": False}


@MEASURES_WITH_ANY_SEED
def test_every_engine_has_limits_for_all_that_is_measured(binaries):
    budget, _ = budgets("toe")
    assert set(NAMES) <= set(budget)
    for each in (CUT, STORE):
        for measured in (LATENCY, BANDWIDTH):
            result = measure_sweep(binaries, each, AT, measured, 100, SEED, (1,))
            for total in summaries(each, AT, measured, result, "a command"):
                assert "max" in budget[each.name][key(total)]


@MEASURES_WITH_ANY_SEED
def test_a_size_that_is_no_segment_fails_with_a_remedy(binaries):
    with pytest.raises(UllnicError, match="2049") as failure:
        run_sweep(binaries, CUT, AT, LATENCY, 100, SEED, (2049,))
    assert CUT.program in failure.value.remedy


def test_all_engines_or_none_go_into_the_documents():
    result = CliRunner().invoke(measure, ["toe", "--config", CUT.name, "--update-docs"])
    assert result.exit_code == 2 and "--update-docs" in result.output
