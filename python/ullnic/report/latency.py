# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Sections of the report on macpcs in simulation: latency, jitter, frame sizes, rate."""

from collections.abc import Iterable, Sequence
from functools import cache

from ullnic.configs import UI_PS, Config, transceivers
from ullnic.measure.macpcs import METRICS, records_of, sweeps
from ullnic.measure.records import TIE_NS, Record, verdict
from ullnic.points.simulated import LATENCY, MAIN_SWEEP, RATE, SIZE, SIZES, variant_of
from ullnic.report.model import Band, Column, Histogram, Plot, Range, Section, Table
from ullnic.report.results import Results

TITLES = {"sop_to_sop": "SoP to SoP", "sop_to_sof": "SoP to SoF"}
FCS_BYTES = 4
ROUNDING_NS = 0.0025  # of two times, each rounded to ps
OVERHEAD_OCTETS = 8 + 12  # preamble and mean gap
SIZES_SHOWN = (60, 128, 256, 512, 1024, 1514, 8996)


def sections(configs: Sequence[Config], results: Results) -> list[Section]:
    return [
        latency(configs, results),
        wire(configs, results),
        jitter(configs, results),
        against_size(configs, results),
        line_rate(configs, results),
        constants(),
    ]


@cache
def records(config: Config, results: Results) -> tuple[Record, ...]:
    """The records of every latency sweep of a configuration."""
    found = []
    for sweep in sweeps(config, results.frames):
        point = results.point(LATENCY, config.name, variant_of(sweep))
        found += records_of(config, sweep, results.of(point), point.command)
    return tuple(found)


def of_metric(configs: Sequence[Config], results: Results, metric: str) -> list[tuple[Config, Record]]:
    return [(config, next(r for r in records(config, results) if r.metric == metric)) for config in configs]


def commands(configs: Sequence[Config], results: Results, kind: str, variant: str) -> tuple[str, ...]:
    return tuple(results.point(kind, config.name, variant).command for config in configs)


def published(record: Record) -> tuple[float, float] | None:
    return None if record.published_min is None else (record.published_min, record.published_max)


def difference(ours: float, theirs: float | None) -> float | None:
    return None if theirs is None else round(ours - theirs, 2)


def latency(configs: Sequence[Config], results: Results) -> Section:
    text = (
        "The transmitter of macpcs is joined to its receiver through a delay, the published latency of the "
        "transceiver (see the constants below). SoP is the first clock edge at which the user offers the first word, "
        "or at which the first user word is valid; SoF is the edge at which `rx_sof` is high. Waiting for a block "
        "boundary counts. Every frame's content is checked: as received, and by an independent decoder on the line.",
        "Without FIFO the latency contains the phase between the transmit and the receive clock, which is no property "
        "of the core. The published figures are no whole number of cycles, so they contain one: 13.3 bit times at 32 "
        "bits, 5.3 at 16. Ours stand beside them at the same phase. The range over every phase, in steps of a bit "
        "time, has columns of its own. With a FIFO each row has every phase. `docs/measurement.md` has the derivation.",
        "A row is compared with the generics that its published one states. Ours at 16 bits differ: each is there once "
        "more with theirs, and that one is compared.",
    )
    items = [
        item for metric in METRICS for item in (beside(configs, results, metric), ranges(configs, results, metric))
    ]
    return Section("latency", "Latency", text, (*items, histograms(configs, results)))


def beside(configs: Sequence[Config], results: Results, metric: str) -> Table:
    """A row for each configuration: ours, the published figure, and the difference."""
    ns = {"unit": "ns", "digits": 2}
    columns = (
        Column("config", "configuration", words=True),
        *(Column(name, name, **ns) for name in ("min", "mean", "max")),
        Column("published_min", "published min", **ns),
        Column("published_max", "published max", **ns),
        Column("difference_min", "Δ min", **ns),
        Column("difference_max", "Δ max", **ns),
        Column("against", "against it", words=True),
        Column("any_phase_min", "any phase, min", **ns),
        Column("any_phase_max", "any phase, max", **ns),
        Column("aligned_min", "aligned, min", **ns),
        Column("aligned_max", "aligned, max", **ns),
        Column("samples", "samples"),
        Column("lost", "lost"),
    )
    rows, alone = [], [each for each in configs if not each.fifo]
    for config, r in of_metric(configs, results, metric):
        own = {each.metric: each for each in records(config, results)}
        every, aligned = own.get(f"{metric}_any_phase", r), own.get(f"{metric}_aligned")
        phases = (every.min, every.max, *((aligned.min, aligned.max) if aligned else (None, None)))
        differences = difference(r.min, r.published_min), difference(r.max, r.published_max)
        figures = (r.min, r.mean, r.max, r.published_min, r.published_max, *differences, verdict(r))
        rows.append((config.label, *figures, *phases, r.samples, r.lost))
    return Table(
        f"macpcs-{metric.replace('_', '-')}",
        f"{TITLES[metric]}, with the transceiver",
        "Simulated. Frames of 1 to 64 bytes, random gaps, every phase of the gearbox, the published phase of the "
        f"receive clock. Δ: ours minus the published one; a tie is a difference of at most {TIE_NS} ns. Any phase, "
        "aligned edges: of the receive clock. Lost: or damaged. '-': nothing was published, or there is none.",
        columns,
        tuple(rows),
        commands(configs, results, LATENCY, MAIN_SWEEP)
        + commands(alone, results, LATENCY, "any_phase")
        + commands(alone, results, LATENCY, "aligned"),
    )


def ranges(configs: Sequence[Config], results: Results, metric: str) -> Plot:
    found = of_metric(configs, results, metric)
    return Plot(
        f"macpcs-{metric.replace('_', '-')}-plot",
        f"{TITLES[metric]}, with the transceiver, beside the published figures",
        f"Simulated; {samples_of(r.samples for _, r in found)} a configuration, at the published phase of the receive "
        "clock. From minimum to maximum; the mark is the mean. Grey: published minimum to maximum.",
        "latency, ns",
        tuple(Range(config.label, r.min, r.mean, r.max, published(r)) for config, r in found),
    )


def samples_of(counts: Iterable[int]) -> str:
    low, high = min(counted := list(counts)), max(counted)
    return f"{low} samples" if low == high else f"{low} to {high} samples"


def histograms(configs: Sequence[Config], results: Results) -> Plot:
    marks = []
    for config, r in of_metric(configs, results, "sop_to_sop"):
        found = results.of(results.point(LATENCY, config.name, MAIN_SWEEP))["sop_to_sop"]
        values = joined(found["histogram"])
        marks.append(Histogram(config.label, values, r.samples, published(r)))
    return Plot(
        "macpcs-histograms",
        "How often each latency occurs, SoP to SoP",
        "Simulated, at the published phase of the receive clock; share of the samples of each configuration. Grey: "
        "published minimum to maximum.",
        "latency, ns",
        tuple(marks),
        "share of samples, %",
    )


def joined(histogram: Sequence[tuple[float, int]]) -> tuple[tuple[float, int], ...]:
    """Merges values that differ only by the rounding of times to picoseconds; sorted."""
    bars: list[tuple[float, int]] = []
    for value, count in sorted(map(tuple, histogram)):
        if bars and value - bars[-1][0] <= ROUNDING_NS:
            bars[-1] = (bars[-1][0], bars[-1][1] + count)
        else:
            bars.append((value, count))
    return tuple(bars)


def wire(configs: Sequence[Config], results: Results) -> Section:
    columns = (
        Column("config", "configuration", words=True),
        Column("metric", "metric", words=True),
        Column("offsets", "bit offsets", words=True),
        Column("unit", "unit", words=True),
        *(Column(name, name, digits=2) for name in ("min", "mean", "max")),
        Column("cycle_ns", "cycle", "ns", 3),
        Column("samples", "samples"),
        Column("lost", "lost or damaged"),
    )
    rows = []
    for offsets, suffix in (("0", "_wire_offset0"), ("0 to 65", "_wire")):
        for metric, title in TITLES.items():
            for config, r in of_metric(configs, results, metric + suffix):
                cycle_ns = float(config.user_period_ps) / 1000
                rows.append((config.label, title, offsets, r.unit, r.min, r.mean, r.max, cycle_ns, r.samples, r.lost))
    table = Table(
        "macpcs-wire",
        "Latency on a wire, without transceiver",
        "Simulated. In cycles of the user's clock; in ns where the two users have clocks of their own.",
        columns,
        tuple(rows),
        tuple(commands(configs, results, LATENCY, "wire_offset0") + commands(configs, results, LATENCY, "wire")),
    )
    text = (
        "The primary figure: `pma_tx_data` joined to `pma_rx_data` through an offset of 0 to 65 bits and nothing else. "
        "It holds whatever the transceiver is.",
    )
    return Section("wire", "Latency on a wire", text, (table,))


def jitter(configs: Sequence[Config], results: Results) -> Section:
    plots = []
    for metric, title in TITLES.items():
        bands = []
        for config in configs:
            rows = results.of(results.point(LATENCY, config.name, MAIN_SWEEP))["by_phase"]
            bands.append(band(config.label, "bit", rows, metric))
        plots.append(
            Plot(
                f"macpcs-jitter-{metric.replace('_', '-')}",
                f"Latency by phase of the gearbox, {title}",
                f"Simulated, with the transceiver; {samples_of(each.samples for each in bands)} a configuration. Band: "
                "minimum to maximum; line: mean.",
                "bit of the 66-bit block with which the transmitter's word begins at the offer",
                tuple(bands),
                "latency, ns",
            )
        )
    text = (
        "A block has 66 bits and the transceiver's word 16 or 32, so a block begins at another bit of each word, and "
        "the wait for the next one differs: this is where the spread of the latency comes from. The phase is read from "
        "the line by the link partner's decoder. With neither FIFO nor bridge all frames of a phase have the same "
        "latency; with them the phase of the user's clock adds to it.",
    )
    return Section("jitter", "Jitter by gearbox phase", text, tuple(plots))


def band(label: str, x: str, rows: Sequence[dict], metric: str, shift: int = 0) -> Band:
    rows = [row for row in rows if row[metric]["samples"]]
    low, mean, high = (tuple(row[metric][name] for row in rows) for name in ("min", "mean", "max"))
    samples = sum(row[metric]["samples"] for row in rows)
    return Band(label, tuple(row[x] + shift for row in rows), low, mean, high, samples)


def against_size(configs: Sequence[Config], results: Results) -> Section:
    found = {config: results.of(results.point(SIZE, config.name, MAIN_SWEEP))["sizes"] for config in configs}
    plots = []
    for metric, title in TITLES.items():
        bands = tuple(band(config.label, "bytes", rows, metric, FCS_BYTES) for config, rows in found.items())
        plots.append(
            Plot(
                f"macpcs-size-{metric.replace('_', '-')}",
                f"Latency against frame size, {title}",
                f"Simulated, with the transceiver; {samples_of(each.samples for each in bands)} a configuration, "
                f"{len(SIZES)} sizes alike, so a rare extreme may be missing. Band: minimum to maximum; line: mean.",
                "bytes of the frame with FCS",
                bands,
                "latency, ns",
                log_x=True,
            )
        )
    text = (
        "Cut-through in both directions: the first word does not wait for the last, whatever the size of the frame.",
    )
    return Section("size", "Latency against frame size", text, tuple(plots))


def line_rate(configs: Sequence[Config], results: Results) -> Section:
    found = {
        config: {row["bytes"]: row for row in results.of(results.point(RATE, config.name, "back-to-back"))["sizes"]}
        for config in configs
    }
    columns = (
        Column("bytes", "bytes with FCS"),
        Column("limit", "the line's limit", digits=3),
        *(Column(config.name, config.label, digits=3) for config in configs),
    )
    rows = []
    for length in SIZES_SHOWN:
        # computed, and labelled as such: the reference for the figures
        limit = 1e4 / (8 * (length + FCS_BYTES + OVERHEAD_OCTETS))
        rows.append((length + FCS_BYTES, limit, *(sizes[length]["frames_per_s"] / 1e6 for sizes in found.values())))
    frames = samples_of(sizes[length]["frames"] for sizes in found.values() for length in SIZES_SHOWN)
    lost = sum(results.of(results.point(RATE, config.name, "back-to-back"))["lost"] for config in configs)
    table = Table(
        "macpcs-rate",
        "Frames in a second, Mpps",
        f"Simulated; {frames.replace('samples', 'frames')} a size and configuration, {lost} lost or damaged. The "
        "line's limit is computed: preamble of 8 octets, mean gap of 12.",
        columns,
        tuple(rows),
        commands(configs, results, RATE, "back-to-back"),
    )
    text = ("A user who always has the next frame ready. The starts of frames are taken from the line, to a bit time.",)
    return Section("rate", "Line rate", text, (table,))


def constants() -> Section:
    columns = (Column("bits", "word, bits"), Column("ui", "UI"), Column("ns", "ns", digits=2))
    rows = tuple((bits, ui, float(ui * UI_PS) / 1000) for bits, ui in sorted(transceivers().items()))
    table = Table(
        "transceiver-latency",
        "Latency of the transceiver, transmitter and receiver together",
        "Published, not measured: `reference/transceiver.csv`. 1 UI is the time of a bit at 10.3125 Gb/s.",
        columns,
        rows,
        (),
    )
    text = ("All figures with the transceiver contain these constants, ours and the published ones alike.",)
    return Section("transceiver", "Transceiver constants", text, (table,))
