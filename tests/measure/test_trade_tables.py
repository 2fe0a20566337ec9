# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What stands beside tick to trade, wherever it stands."""

import pytest

from ullnic.cards import TRADING, card
from ullnic.measure import trade_tables
from ullnic.measure.ate import PERCENTILES
from ullnic.measure.records import Record
from ullnic.measure.trade_tables import caveat_blocks, caveats, floors, notes, summary, whole_card_clocks
from ullnic.paths import ROOT
from ullnic.report.standing import RENEW

TRIGGER = [each for each in TRADING if each.kind == "trigger"]
STAC_T0 = [each for each in TRADING if each.kind == "stac_t0"]


@pytest.mark.parametrize("path", caveat_blocks(), ids=lambda path: path.parent.name)
def test_the_caveats_stand_beside_the_table_wherever_it_stands(path):
    block = f"<!-- end -->\n\n<!-- measured: trade-caveats -->\n{caveat_blocks()[path]}\n<!-- end -->"
    assert block in path.read_text(), (
        "./ullnic measure ate --update-docs or ./ullnic synth CARD --update-docs renews it"
    )


def test_the_caveats_stand_in_the_report():
    text = (ROOT / "docs/performance.md").read_text()
    assert [line for line in (*caveats(TRADING), floors()) if line not in text] == [], RENEW


def test_the_caveats_are_all_there():
    text = " ".join(notes(TRIGGER))
    for word in ("simulated", "board", "PCIe", "idle", "FCS", "loop-timed", "TRIGGER_CROSSING", "floors", "package"):
        assert word in text, word
    assert "board" not in " ".join(caveats(STAC_T0))  # nothing is published beside them


TABLES = """<!-- measured: synth -->
| configuration | LUT cells |
| --- | ---: |
| card of 2 ports, 16-bit transceiver | 8422 |

| configuration | clock | needs MHz | loose | verdict |
| --- | --- | ---: | ---: | ---: |
| user logic, 16-bit transceiver | `tx_clk` | 644.53 | 100 | not |
| card of 2 ports, 16-bit transceiver | `tx_clk` | 644.53 | {tx} | {verdict} |
| card of 2 ports, 16-bit transceiver | `rx_clk` | 644.53 | 671 | expected to close |
<!-- end -->
"""


@pytest.mark.parametrize(
    ("tx", "verdict", "words"),
    [
        ("595", "marginal", "`tx_clk` marginal (-8%), the others expected to close (+4% at least)"),
        ("419", "not", "`tx_clk` not expected to close (-35%), the others expected to close (+4% at least)"),
        ("700", "expected to close", "all expected to close (+4% at least)"),
    ],
)
def test_the_clocks_are_those_of_the_card_s_own_table(tmp_path, monkeypatch, tx, verdict, words):
    (tmp_path / "README.md").write_text(TABLES.format(tx=tx, verdict=verdict))
    monkeypatch.setattr(trade_tables, "budget_path", lambda kind: tmp_path / "budget.toml")
    assert whole_card_clocks(card("trigger_pma16")) == words
    assert whole_card_clocks(card("trigger_pma32")) == "not mapped yet"


def test_the_first_page_has_every_card_with_published_percentiles():
    def record(name: str) -> Record:
        percentiles = dict.fromkeys(PERCENTILES, 30.0)
        return Record("x", name, "sof_to_sof", "ns", 30.0, 31.0, 32.0, 66, 0, None, None, "command", percentiles)

    header, rows = summary([record(each.name) for each in TRADING])
    assert [name for name in header if "UI" in name] == [f"{each.label}, {each.transceiver_ui} UI" for each in TRIGGER]
    assert rows[0] == ["0", "33.25", *["30.00", "-3.25"] * len(TRIGGER)]
    assert rows[-1][:4] == ["mean", "39.70", "31.00", "-8.70"]
    assert dict(zip(header, rows[-2], strict=False))["published"] == "46.25"
