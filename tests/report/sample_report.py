# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A report with made-up contents, similar to the real one in size and shape, with pitfalls for a page."""

import math

from ullnic.report.model import Band, Column, Headline, Histogram, Pair, Plot, Range, Report, Section, Table

HOSTILE = '<script>alert(1)</script> & "$x_1$" {{ 7 * 7 }} </title></svg>'
CONFIGS = (  # label, lowest, mean, highest, published
    ("no FIFO, 16/16", 24.82, 27.28, 31.03, (28.44, 34.66)),
    ("no FIFO, 16/32", 27.93, 31.17, 35.68, (31.56, 37.76)),
    ("no FIFO, 32/32", 34.13, 38.28, 40.34, (35.42, 41.64)),
    ("RX FIFO, 16/16", 29.48, 32.78, 37.24, None),
    ("RX FIFO, 16/32", 34.13, 36.7, 40.34, (40.34, 46.54)),
    ("RX FIFO, 32/32", 40.34, 46.14, 49.65, (46.54, 52.75)),
    ("TX+RX FIFO, 32/32, clocks of the user's own at 350 MHz", 48.57, 53.25, 60.0, (57.14, 62.86)),
)
CLOCKS = (  # clock, needs, loose, typical, tight
    ("tx_clk", 644.53, 767, 878, 1027),
    ("rx_clk", 644.53, 703, 816, 972),
    ("s_axis_clk", 322.27, 2157, 2406, 2719),
    ("m_axis_clk", 322.27, 758, 758, 758),
)
LONG = "bit of the 66-bit block with which the transmitter's word begins at the first edge of the offer"
SIZES = (60, 64, 128, 256, 512, 1024, 1280, 1518)
COMMAND = "./ullnic measure macpcs --frames 20000 --seed 1 --config nofifo_pma16_mac16 --config rxfifo_pma32_mac32"


def sample() -> Report:
    return Report(
        title="ullnic: figures measured",
        summary=(
            "Every figure of the cores, **simulated** or estimated from the RTL, beside the published one of a "
            "commercial core. No board has run any of it.",
            "Made by `./ullnic report`; a lone ` stays, and so does " + HOSTILE,
        ),
        headlines=(
            Headline("16 bits, SoP to SoP, with the transceiver", "24.82 to 31.03 ns", "published 28.44 to 34.66 ns"),
            Headline("32 bits, SoP to SoP, with the transceiver", "34.13 to 40.34 ns", "published 35.42 to 41.64 ns"),
            Headline("LUTs, 16 bits, packed", "693", "published 1050, of another tool"),
            Headline("Clocks expected to close", "22 of 22", "at 644.53 and 322.27 MHz, grade -2, estimated"),
        ),
        sections=(
            Section("latency", "Latency beside the published rows", (), latency_items()),
            Section("shape", "Distribution, size and jitter", ("From `SoP` to `SoP`.",), shape_items()),
            Section("timing", "Area and timing", ("Estimated, pre-layout.",), timing_items()),
            Section("bare", "A section of words only: " + HOSTILE, ("Words.",), ()),
        ),
        made={
            "commit": "16f533a1f4b9c1c1a2b9d7a1ad0c6a4a1be5dd60 with changes",
            "command": "./ullnic report --frames 20000 --seed 1",
            "versions": "Verilator 5.048, Yosys 0.70, Python 3.11.7, " + "a-long-word-without-any-space" * 5,
            "hostile": HOSTILE,
        },
    )


def latency_items() -> tuple[Table | Plot, ...]:
    columns = (
        Column("configuration", "configuration", words=True),
        Column("wire", "wire", words=True),
        Column("min", "min", "ns", 2),
        Column("mean", "mean", "ns", 2),
        Column("max", "max", "ns", 2),
        Column("published_min", "published min", "ns", 2),
        Column("published_max", "published max", "ns", 2),
        Column("difference", "difference of max", "ns", 2),
        Column("samples", "samples"),
        Column("lost", "lost"),
    )
    rows = []
    for label, low, mean, high, published in CONFIGS:
        shown = (*published, round(high - published[1], 2)) if published else (None, None, None)
        rows.append((label, "6 to 14 x 1.552 ns", low, mean, high, *shown, 160000, 0))
    rows.append((HOSTILE, None, 1, 2.005, 1e-9, None, None, -0.0, 0, None))
    note = "Simulated. `samples` frames each; `lost` counts lost and damaged ones. " + HOSTILE
    bars = [Range(*row) for row in CONFIGS]
    return (
        Table("sop-sop", "Start of packet to start of packet", note, columns, tuple(rows), (COMMAND, "second | line")),
        Plot(
            "sop-sop-plot",
            "Start of packet to start of packet, beside the published range",
            "Simulated, 20000 samples each, 160000 with a user's clock of its own.",
            "latency with the transceiver, ns",
            (*bars, Range(HOSTILE, 30.0, 30.0, 30.0)),
        ),
    )


def shape_items() -> tuple[Table | Plot, ...]:
    note = "Simulated, 20000 samples each."
    histograms = tuple(
        Histogram(label, tuple(values(low, high, 7 if number < 3 else 150)), 20000, published)
        for number, (label, low, _, high, published) in enumerate(CONFIGS)
    )
    sizes = tuple(
        Band(label, SIZES, (low,) * 8, tuple(mean + k / 10 for k in range(8)), (high,) * 8, 1000, known_at_some(known))
        for label, low, mean, high, known in CONFIGS
    )
    phases = tuple(
        Band(
            label,
            tuple(range(33)),
            tuple(low + 1.55 * (k % 2) for k in range(33)),
            tuple(mean + math.sin(k) for k in range(33)),
            tuple(high - 1.55 * (k % 3 == 0) for k in range(33)),
            20000,
        )
        for label, low, mean, high, _ in CONFIGS[:2]
    )
    one = (Band(HOSTILE, (7,), (1.0,), (2.0,), (3.0,), 1), Band("flat", (7,), (5.0,), (5.0,), (5.0,), 1))
    return (
        Plot("histograms", "Latency histograms", note, "latency, ns", histograms),
        Plot("sizes", "Latency against size", note, "frame, bytes", sizes, "latency, ns", log_x=True),
        Plot("phases", "Jitter by gearbox phase", note, LONG, phases, f"latency, ns: {LONG}"),
        Plot("points", "Bands of one point", note, "x", one, "y"),
        Plot("one", "One histogram", note, "ns", (Histogram("single value", ((5.0, 3),), 3, (4.0, 4.5)),)),
    )


def known_at_some(published: tuple[float, float] | None) -> tuple[float | None, ...] | None:
    """Published for none of eight sizes, or for some: not for the first, and for one beyond all of ours."""
    return published and (None, published[0], None, None, published[1], None, published[0], 1.2 * published[1])


def values(low: float, high: float, steps: int):
    for k in range(steps):
        share = math.sin(math.pi * (k + 1) / (steps + 1))
        yield round(low + (high - low) * k / (steps - 1), 3), int(20000 * share / steps) + 1


def timing_items() -> tuple[Table | Plot, ...]:
    columns = (
        Column("configuration", "configuration", words=True),
        Column("lut", "LUT packed"),
        Column("published", "published LUT, -3"),
        Column("verdict", "verdict", words=True),
    )
    rows = tuple(
        (label, 693 + 100 * n, 1050 if n % 2 else None, "expected to close") for n, (label, *_) in enumerate(CONFIGS)
    )
    ranges = tuple(
        Range(f"{label} {clock}", loose, typical, tight, None, needs)
        for label, *_ in CONFIGS[:3]
        for clock, needs, loose, typical, tight in CLOCKS
    )
    luts = tuple(Pair(label, 693 + 100 * n, 1050 if n % 2 else None) for n, (label, *_) in enumerate(CONFIGS))
    return (
        Table("luts", "Area", "Estimated, no samples.", columns, rows, ()),
        Plot("luts-plot", "LUTs beside the published count", "Estimated.", "LUTs, packed", luts),
        Plot("pairs-alone", "Pairs without a published one", "Estimated.", "LUTs", (Pair("one", 0, None),) + luts[:1]),
        Plot(
            "clocks",
            "Highest clock with the loose and the tight model",
            "Estimated, pre-layout, grade -2.",
            "MHz",
            ranges,
            mid="typical model",
        ),
        Plot("clocks-log", "The same, logarithmic", "Estimated.", "MHz", ranges[:4], log_x=True),
    )
