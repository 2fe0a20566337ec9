# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ullnic-latency against cards in RTL."""

import csv
import json
import subprocess

import pytest
from scapy.utils import RawPcapNgReader

SHAPES = {"long": 503, "short": 64}


def measure(bench, *options, code: int = 0) -> dict:
    files = ["--samples", bench.folder / "tool.csv", "--json", bench.folder / "tool.json"]
    bench.table = bench.run("ullnic-latency", "--card", bench.tester_name, *files, *options, code=code)
    return json.loads((bench.folder / "tool.json").read_text())


def rows(bench) -> list[dict]:
    with open(bench.folder / "tool.csv", newline="") as file:
        return list(csv.DictReader(file))


def nearest_rank(values: list[float], per_cent: float) -> float:
    ordered = sorted(values)
    return next(v for n, v in enumerate(ordered, 1) if n * 1000 >= round(per_cent * 10) * len(ordered))


def test_report(make_bench):
    """Table, JSON and samples agree with each other and with what the simulation saw on the lines."""
    bench = make_bench()
    offset = 2.125
    pcapng = bench.folder / "tool.pcapng"
    report = measure(bench, "--count", 40, "--offset", offset, "--size", 77, "--pcapng", pcapng)
    bench.stop_card()
    table = rows(bench)
    assert [int(row["sample"]) for row in table] == list(range(40))
    for row, sample in zip(table, bench.samples(), strict=True):
        assert float(row["tx_ns"]) == int(sample["trigger_ps"]) // 250 / 4
        assert float(row["rx_ns"]) == int(sample["order_ps"]) // 250 / 4
    latencies = [float(row["rx_ns"]) - float(row["tx_ns"]) - offset for row in table]
    for row, latency in zip(table, latencies, strict=True):
        assert float(row["latency_ns"]) == pytest.approx(latency, abs=0.006)
    counts = {"sent": 40, "expected": 40, "answered": 40, "lost": 0, "wrong": 0, "other": 0}
    assert {name: report[name] for name in counts} == counts
    assert report["min_ns"] == pytest.approx(min(latencies), abs=0.006)
    assert report["max_ns"] == pytest.approx(max(latencies), abs=0.006)
    assert report["mean_ns"] == pytest.approx(sum(latencies) / 40, abs=0.001)
    for per_cent, value in report["percentiles_ns"].items():
        assert value == pytest.approx(nearest_rank(latencies, float(per_cent)), abs=0.006), per_cent
    frames = list(RawPcapNgReader(str(pcapng)))
    assert [len(data) for data, _ in frames] == [77, 66] * 40
    for first, size, port in ((0, 77, 0), (1, 66, 1)):  # as the simulation saw them, which may have an FCS
        seen = [data[:size] for data, _ in RawPcapNgReader(str(bench.folder / f"port-{port}.pcapng"))]
        assert [data for data, _ in frames[first::2]] == seen, port
    assert [meta.ifname for _, meta in frames[:2]] == [b"tx-port-0", b"rx-port-1"]
    times = [((meta.tshigh << 32 | meta.tslow), meta.tsresol) for _, meta in frames]
    wanted = [int(float(row[name])) for row in table for name in ("tx_ns", "rx_ns")]
    assert times == [(ns, 10**9) for ns in wanted]
    assert f"{report['median_ns']:.2f}   median" in bench.table
    assert "less 2.125" in bench.table


def test_lost_answers_are_counted(make_bench):
    """The card stops after 6 orders: the rest is lost after the time-out, and the exit code shows it."""
    bench = make_bench(setting=6)
    report = measure(bench, "--count", 9, "--timeout", 20, code=1)
    assert (report["answered"], report["lost"]) == (6, 3)
    table = rows(bench)
    assert [row["latency_ns"] != "" for row in table] == [True] * 6 + [False] * 3
    assert "lost              3   no answer within 20 us" in bench.table


def test_card_that_is_not_armed(make_bench):
    """Silence gives no report: the tool says what is missing and what to do, after the first frames, and after a short
    run.
    """
    bench = make_bench(setting=None)
    report = measure(bench, "--count", 9, "--timeout", 5, code=1)
    assert (report["answered"], report["lost"]) == (0, 9)
    assert bench.err.count("\n") == 1 and "no answer to 8 frames: the card is not armed" in bench.err
    assert "ullnic-trigger arm" in bench.err
    report = measure(
        bench, "--count", 2, "--timeout", 5, "--stac", "short", "--every", "--mask", 3, "--rx-port", 1, code=1
    )
    assert report["answered"] == 0
    assert bench.err == (
        "ullnic-latency: no answer to 2 frames: the card is not armed, or its mask is not --mask 3, or its answers do "
        "not leave on the port that --rx-port 1 is joined to; start its host program first\n"
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_stac_t0(make_bench, shape, seed):
    """Indexes that fit the mask are answered with an echo; the others are not answered."""
    bench = make_bench("stac_t0_pma16", setting=0x3)
    saved = bench.folder / "saved.txt"
    report = measure(bench, "--stac", shape, "--count", 40, "--mask", 3, "--seed", seed, "--save", saved)
    triggers = [int(row["index"], 16) for row in rows(bench) if int(row["index"], 16) & 3 == 0]
    assert 0 < len(triggers) < 40
    assert report["sent"] == 40 and report["expected"] == report["answered"] == len(triggers)
    assert report["lost"] == report["wrong"] == report["other"] == 0
    lines = [line.split() for line in saved.read_text().splitlines()]
    assert [int(index, 16) for kind, _, index, _ in lines if kind == "RX"] == triggers
    assert sum(kind == "TX" for kind, *_ in lines) == 40
    every = measure(bench, "--stac", shape, "--count", 5, "--mask", 3, "--every")
    assert every["answered"] == 5
    # A card with a narrower mask than the tool assumes does not answer.
    fewer = measure(bench, "--stac", shape, "--count", 40, "--mask", 1, "--timeout", 10, "--seed", seed, code=1)
    assert 0 < fewer["answered"] < fewer["expected"] == fewer["answered"] + fewer["lost"]
    summary = bench.stop_card()
    assert {each["to_card"]["frames"] for each in summary["ports"]} == {0, 85}


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--count", "0"], "--count 0: give a number from 1"),
        (["--size", "59"], "give a number from 60 to 9618"),
        (["--offset", "x"], "give nanoseconds"),
        (["--offset", "1x"], "give nanoseconds"),
        (["--offset", "inf"], "give nanoseconds"),
        (["--stac", "short", "--any"], "--stac sets the size, and its answers are TCP"),
        (["--seed", "1"], "need --stac"),
        (["--mask", "1"], "need --stac"),
        (["--connection", "1"], "need --stac"),
        (["--save", "/dev/null"], "need --stac"),
        (["--any", "--card", "none"], "none: not a card's name"),
        (["--stac", "huge"], "give long or short"),
        (["--every"], "need --stac"),
        (["--stac", "long", "--size", "70"], "--stac sets the size"),
        (["--nonsense"], "usage: ullnic-latency"),
        (["word"], "there is no such argument"),
        (["--card", "vfio-user:/nonexistent/socket"], "/nonexistent/socket"),
        (["--samples", "/nonexistent/x.csv"], "/nonexistent/x.csv: cannot write it"),
    ],
)
def test_mistakes(host_build, options, text):
    done = subprocess.run([host_build / "bin" / "ullnic-latency", *options], capture_output=True, text=True)
    assert done.returncode == 2
    assert text in done.stderr


# Least and largest number of an option; some need --stac.
NUMBERS = {
    "tx-port": (0, 7), "rx-port": (0, 7), "size": (60, 9618), "count": (1, 100_000_000), "timeout": (1, 10_000_000),
    "connection": (0, 65535), "seed": (0, 2**64 - 1),
}  # fmt: skip


@pytest.mark.parametrize("option", [*NUMBERS, "mask"])
def test_edges_of_numbers(host_build, option):
    """Both ends are accepted, so that the card's name is the mistake; one beyond, signs and blanks are not."""
    stac = ["--stac", "long"] if option in ("connection", "seed", "mask") else []
    least, most = NUMBERS.get(option, (0, 2**64 - 1))

    def said(text: str) -> str:
        command = [host_build / "bin" / "ullnic-latency", "--card", "none", *stac, f"--{option}", text]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 2
        return done.stderr

    form = "{:x}" if option == "mask" else "{}"
    for number in (least, most):
        assert "none: not a card's name" in said(form.format(number)), number
    for text in (form.format(most + 1), form.format(least - 1), "", "x", f"{least}x", "9" * 99):
        assert f"--{option} {text}: give a number from {least} to {most}" in said(text), text


FIRST_BYTES = {"--samples": b"sample,", "--json": b"{", "--save": b"TX ", "--pcapng": b"\n\r\r\n"}


def test_a_file_on_standard_output(make_bench):
    """ "-" as a file's name: standard output has only the file, and standard error the table."""
    bench = make_bench("stac_t0_pma16", setting=0x3)
    for option, first in FIRST_BYTES.items():
        tool = [bench.host / "bin" / "ullnic-latency", "--card", bench.tester_name]
        done = subprocess.run(
            [*tool, "--stac", "short", "--every", "--count", "3", "--mask", "3", option, "-"], capture_output=True
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(first) and b" median\n" not in done.stdout, (option, done.stdout)
        assert done.stderr.startswith(b"sent ") and b" median\n" in done.stderr, (option, done.stderr)


def test_wrong_card_and_port(make_bench):
    bench = make_bench()
    bench.run("ullnic-latency", "--card", bench.tester_name, "--tx-port", 5, code=2)
    assert "port 5 of the tester is joined to nothing" in bench.err
    bench.holder.kill()
    bench.holder.communicate()
    bench.run("ullnic-latency", "--card", bench.card_name, code=2)
    assert "is no tester" in bench.err
