# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Tick to trade: what the card's budget promises, the answers as scapy reads them, and what percentiles are."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.utils import PcapNgReader

from ullnic.budget import budgets, check
from ullnic.build import build_sim
from ullnic.cards import card
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.measure.ate import (
    LOW_LATENCY_UI,
    METRICS,
    NAMES,
    PERCENTILES,
    figures,
    in_steps,
    measure_sweep,
    published,
    run_sweep,
    sweeps,
    to_ns,
)
from ullnic.measure.budget import limits
from ullnic.measure.command import measure
from ullnic.measure.markdown import percentiles
from ullnic.measure.records import Record
from ullnic.pytest_seed import drawn_seed
from ullnic.report.standing import of_cards

SEED = drawn_seed()
GUARDED_SEED = 1  # of the budget: a median is a bit time (0.1 ns) more or less with another
CARD = card("trigger_pma16")
FRAMES = 4000
SAMPLES = 4026  # the same number at each of the 66 offsets


@pytest.fixture(scope="module")
def binaries(seed):
    return build_sim(targets=("ullnic-ate-sweep",), configs=(CARD.name,))


@pytest.fixture(scope="module")
def measured(binaries, tmp_path_factory):
    """What the command says and writes, for one card and few triggers, against its budget."""
    out = tmp_path_factory.mktemp("ate") / "records.json"
    arguments = ["ate", "--config", CARD.name, "--frames", str(FRAMES), "--seed", str(GUARDED_SEED)]
    result = CliRunner().invoke(measure, [*arguments, "--budget", "--json", str(out)])
    assert result.exit_code == 0, result.output or result.exception
    return {r["metric"]: r for r in json.loads(out.read_text())}, result.output


def test_every_trigger_is_answered_within_the_budget(measured):
    """The command would have failed if not; and the published percentiles are beaten, each of them."""
    rows, _ = measured
    assert {*rows} == {metric + sweep.suffix for metric in METRICS for sweep in sweeps(CARD, FRAMES)}
    for row in rows.values():
        assert (row["samples"], row["lost"]) == (SAMPLES, 0)
        assert tuple(row["percentiles"]) == PERCENTILES
        assert [row["percentiles"]["0"], row["percentiles"]["100"]] == [row["min"], row["max"]]
    for name, theirs in published(CARD).items():
        ours = rows["sof_to_sof"]["mean"] if name == "average" else rows["sof_to_sof"]["percentiles"][name]
        assert ours < theirs, name
    assert [rows["sof_to_sof"][f"published_{end}"] for end in ("min", "max")] == [33.25, 46.25]
    assert rows["actionable"]["published_min"] is rows["sof_to_sof_low_latency"]["published_min"] is None


def test_with_any_seed_nothing_is_beyond_what_is_promised(binaries):
    promised = budgets(CARD.kind)[0][CARD.name]["sof_to_sof_ns"]
    result = measure_sweep(binaries, CARD, sweeps(CARD, FRAMES)[0], SEED)
    found = result["sof_to_sof"]
    assert (result["lost"], found["samples"]) == (0, SAMPLES)
    assert round(found["max"], 2) <= promised["max"] and round(found["min"], 2) >= promised["min"]
    assert found["percentiles"]["50"] < promised["median"] + to_ns(2)


def test_the_byte_that_decides_and_the_transceiver_are_what_lies_between_the_figures(measured):
    """Byte 3 ends 98 bits behind the start character, 97 for a frame that starts in lane 4; delays are whole UI."""
    rows, _ = measured
    for suffix in ("", "_low_latency"):
        between = rows[f"sof_to_sof{suffix}"]["mean"] - rows[f"actionable{suffix}"]["mean"]
        assert to_ns(97) - 0.01 < between < to_ns(98) + 0.01
    less = rows["sof_to_sof"]["mean"] - rows["sof_to_sof_low_latency"]["mean"]
    assert less == pytest.approx(to_ns(CARD.transceiver_ui - LOW_LATENCY_UI), abs=1.0)  # other phases, few samples


def test_the_table_has_the_published_percentiles_beside_ours(measured):
    rows, said = measured
    assert f"{SAMPLES} and {SAMPLES} triggers, 0 lost" in said
    records = [Record(**row) for row in rows.values()]
    header, table = percentiles(records)
    assert [row[0] for row in table] == [*PERCENTILES, "mean"]
    by_name = {row[0]: dict(zip(header, row, strict=True)) for row in table}
    assert by_name["50"]["published"] == "40.50" and by_name["99.9"]["published"] == "-"
    assert float(by_name["50"]["diff"]) == pytest.approx(rows["sof_to_sof"]["percentiles"]["50"] - 40.5, abs=0.011)
    for row in table:
        assert " ".join(row) in " ".join(said.split())


def test_answers_are_what_scapy_would_have_sent(binaries, tmp_path):
    """Every checksum computed again, sequence numbers in a row, an answer to each trigger."""
    file = tmp_path / "frames.pcapng"
    sweep = replace(sweeps(CARD, FRAMES)[0], triggers=40)
    for offset in (7, 8):
        result = run_sweep(binaries, CARD, sweep, SEED, "--offsets", str(offset), str(offset), "--pcapng", str(file))
        with PcapNgReader(str(file)) as reader:
            frames = [bytes(packet) for packet in reader]
        triggers = [frame for frame in frames if frame[:4] == b"\xff" * 4]
        answers = [frame for frame in frames if frame[12:14] == b"\x08\x00" and frame[46:48] == b"\x50\x18"]
        assert len(triggers) == len(answers) == result["answers"] == 40
        assert len(frames) == 80 + result["points"][0]["others"]
        expected = None
        for number, frame in enumerate(answers):
            packet = Ether(frame)
            payload = bytes(packet[TCP].payload)[: packet[IP].len - 40]
            assert expected in (None, packet[TCP].seq)
            expected = (packet[TCP].seq + len(payload)) % 2**32
            first = int.from_bytes(bytes(Ether(answers[0])[TCP].payload)[:4], "big")
            assert int.from_bytes(payload[:4], "big") == (first + number) % 2**32
            again = Ether(frame[: 14 + packet[IP].len])
            del again[IP].chksum, again[TCP].chksum
            assert bytes(again).ljust(60, b"\0") == frame


def test_a_trigger_that_is_not_answered_fails_the_run(binaries):
    """Its answer comes later than any answer may take."""
    sweep = replace(sweeps(CARD, FRAMES)[0], delay_ui=16000, triggers=1)
    with pytest.raises(UllnicError, match=r"of 1 triggers 1 were not answered(.|\n)*offset 4") as failure:
        run_sweep(binaries, CARD, sweep, SEED, "--offsets", "4", "4")
    assert "ullnic-ate-sweep" in failure.value.remedy and f"--seed {SEED}" in failure.value.remedy


@deep(__file__, "python/ullnic/measure", lambda: of_cards("trigger"))
def test_a_clock_of_its_own_costs_two_to_three_cycles(measured):
    """TRIGGER_CROSSING, the market data 100 ppm off: a toggle and two synchroniser registers, at every phase."""
    own = card("trigger_pma16_crossing")
    binaries = build_sim(targets=("ullnic-ate-sweep",), configs=(own.name,))
    sweep = replace(sweeps(own, FRAMES)[0], triggers=40)
    result = measure_sweep(binaries, own, sweep, SEED)
    assert (result["lost"], result["answers"]) == (0, 66 * 40)
    found, without = result["sof_to_sof"], measured[0]["sof_to_sof"]
    assert found["min"] > without["min"] + to_ns(2 * own.pma_bits) - 0.01
    assert found["max"] < without["max"] + to_ns(3 * own.pma_bits + 1)
    assert to_ns(2 * own.pma_bits) < found["mean"] - without["mean"] < to_ns(3 * own.pma_bits)
    for name, theirs in published(own).items():
        assert (found["mean"] if name == "average" else found["percentiles"][name]) < theirs, name


def test_percentiles_are_values_that_occur():
    """1000 samples: each the lowest value that so many of them do not exceed."""
    found = figures([(value, 10) for value in range(100, 200)])
    wanted = {"0": 100, "1": 100, "5": 104, "10": 109, "50": 149, "99": 198, "99.9": 199, "100": 199}
    assert {name: found["percentiles"][name] for name in wanted} == {n: to_ns(ui) for n, ui in wanted.items()}
    assert found["samples"] == 1000 and found["mean"] == pytest.approx(to_ns(149.5))
    assert figures([]) == {"samples": 0}


def test_steps_are_those_of_the_published_figures():
    assert all(in_steps(value) == value for name, value in published(CARD).items() if name != "average")
    assert [in_steps(ns) for ns in (28.12, 28.13, 28.24)] == [28.0, 28.25, 28.25]


def test_the_low_latency_transceiver_is_the_nearest_whole_number_of_bit_times():
    assert abs(to_ns(LOW_LATENCY_UI) - 2.34) < to_ns(0.5)


def test_every_card_has_limits_for_what_was_promised():
    """The promise: at most 30, 34 and 38 ns with the 16-bit transceiver."""
    for name in NAMES:
        budget, _ = budgets(card(name).kind)
        for metric in ("actionable_ns", "actionable_low_latency_ns"):
            assert {*budget[name][metric]} >= {"min", "median"}
    promised = budgets("trigger")[0]["trigger_pma16"]["sof_to_sof_ns"]
    assert promised["min"] <= 30.0 and promised["median"] <= 34.0 and promised["max"] <= 38.0


def test_a_figure_over_its_limit_is_named(measured):
    records = [Record(**row) for row in measured[0].values()]
    budget = {CARD.name: {"sof_to_sof_ns": {"median": 7.0}}}
    [found] = limits(records, budget, {})
    assert found.over and str(found).startswith(f"{CARD.name}: sof_to_sof_ns median ")
    with pytest.raises(UllnicError, match="over budget:\n.*median .*, limit 7") as failure:
        check([found], CARD.kind)
    assert "cards/trigger/budget.toml" in failure.value.remedy
    with pytest.raises(UllnicError, match="'typical', which is not measured"):
        limits(records, {CARD.name: {"sof_to_sof_ns": {"typical": 7.0}}}, {})


def test_all_cards_or_none_go_into_the_documents():
    result = CliRunner().invoke(measure, ["ate", "--config", CARD.name, "--update-docs"])
    assert result.exit_code == 2 and "--update-docs" in result.output
