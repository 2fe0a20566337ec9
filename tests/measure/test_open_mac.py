# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The error of the method: how another core's latency is counted, and a copy that is none. That core is not in the
project, so nothing of it runs here."""

import pytest
from click.testing import CliRunner

from ullnic.errors import UllnicError
from ullnic.measure import open_mac
from ullnic.measure.command import measure
from ullnic.measure.open_mac import CYCLE_NS, FILES, TABLES, Figures, counted, figures, published
from ullnic.paths import ROOT


def board(edge_ns: float) -> int:
    """The board's counter, step by step: a word at the user's register from the receive edge before `edge_ns` on."""
    set_ns, sync, latency = edge_ns - CYCLE_NS, [False, False], 0
    while not sync[1]:
        latency += 1
        sync = [latency * CYCLE_NS > set_ns + 0.002, sync[0]]  # times are rounded; one in the same edge is not seen
    return latency


@pytest.mark.parametrize("lead_ui", [0, 1, 13, 31])
@pytest.mark.parametrize("cycles", [5, 18, 19])
def test_latency_is_counted_as_the_counter_on_the_board_does(cycles, lead_ui):
    """At sampled edges whole cycles less the phase; rounded to picoseconds, as the bench gives them."""
    edge_ns = round(cycles * CYCLE_NS - lead_ui / 10.3125, 3)
    assert counted([(edge_ns, 7)]) == {board(edge_ns): 7}


def point(lost: int, *histogram: tuple[float, int]) -> dict:
    return {"lost": lost, "damaged": 0, "sop_to_sop_ns": {"histogram": list(histogram)}}


def test_phases_that_lose_a_frame_are_left_out():
    found = figures([point(0, (17.5 * CYCLE_NS, 1), (18.5 * CYCLE_NS, 3)), point(1, (900.0, 5))])
    assert (found.samples, found.phases, found.of_phases, found.counted) == (4, 1, 2, {18: 1, 19: 3})
    assert found.counted_mean_ns == pytest.approx(58.18, abs=0.01)  # what the board showed: 58.2
    with pytest.raises(UllnicError, match="no phase"):
        figures([point(1, (900.0, 5))])


def test_a_folder_that_is_no_copy_is_refused_with_what_is_missing(tmp_path):
    for name in FILES[:-1]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    result = CliRunner().invoke(measure, ["open-mac", str(tmp_path)])
    assert isinstance(result.exception, UllnicError)
    assert FILES[-1] in result.exception.message and TABLES in result.exception.message
    assert FILES[0] not in result.exception.message and "submodule" in result.exception.remedy
    assert CliRunner().invoke(measure, ["open-mac", str(tmp_path / "none")]).exit_code == 2


def test_a_path_that_verilator_cannot_name_is_refused(tmp_path):
    copy = tmp_path / "a copy"
    for name in (*FILES, TABLES):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("")
    result = CliRunner().invoke(measure, ["open-mac", str(copy)])
    assert isinstance(result.exception, UllnicError) and "has a space" in result.exception.message


def test_the_table_has_the_difference():
    text = open_mac.text(Figures(4, 52.75, 55.79, 58.76, {18: 1, 19: 1}, 16, 32, (56.1, 58.9)), "a command")
    assert "**The difference is -0.8 ns, -0.26 cycles.** 4 frames at 16 of 32 phases." in text
    assert "| cycles of the counter | 18 or 19 | 18 or 19 |" in text and "a command --update-docs" in text


def test_the_published_mean_is_that_of_its_plot():
    """A quarter of the packets took 18 cycles, the rest 19; the starts of frame are a cycle and two earlier."""
    known = published()
    mean = known["sop_to_sop_with_crossing", "mean"]
    plot_ns = (0.25 * 18 + 0.75 * 19) * CYCLE_NS
    assert mean == pytest.approx(plot_ns, abs=0.05)
    earlier = [mean - known[f"{item}_with_crossing", "mean"] for item in ("sop_to_sfd", "sop_to_start")]
    assert earlier == [pytest.approx(n * CYCLE_NS, abs=0.06) for n in (1, 2)]


def test_the_document_holds_the_difference():
    text = (ROOT / "docs/measurement.md").read_text()
    assert "<!-- measured: open-mac -->\n| SoP to SoP | on the board | in this bench |" in text
    assert "**The difference is " in text and "./ullnic measure open-mac COPY" in text
