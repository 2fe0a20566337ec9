# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A card is a folder: errors in its card.toml are reported, and the tools recognise a new folder without an edit."""

import re
import shutil
import subprocess
import sys

import pytest

from ullnic import lint, sources
from ullnic.card_file import check_files, read_all
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.toolchain import tool_env

TOY = """name = "toy"
title = "a toy"
top = "toy_card"

[shell]
kind = 7
ports = 2
tcp_ports = [1]
timing_port = 0

[config.toy_pma16]
pma_bits = 16

[trade]
rule = "trigger"
decides = "the 4th"

[fuzz]
toy = "toy_pma16"
"""
OTHER = 'name = "box"\ntitle = "a box"\ntop = "box_card"\n[shell]\nkind = 7\nports = 1\ntiming_port = 0\n'
WRONG = {  # what is replaced, by what, and the error message
    "missing": ('title = "a toy"\n', "", "cards/toy/card.toml: the key 'title' is missing"),
    "missing in a section": ("kind = 7\n", "", r"cards/toy/card.toml: \[shell\] the key 'kind' is missing"),
    "unknown": ('top = "', 'lints = []\ntop = "', "unknown key 'lints' .*did you mean 'lint'"),
    "unknown in a section": ("ports = 2", "ports = 2\ncolour = 1", r"\[shell\] unknown key 'colour' .*known: kind,"),
    "type": ("ports = 2", 'ports = "2"', r"\[shell\] 'ports' is '2', which is not a whole number"),
    "quote": ('"a toy"', "'a \"toy\"'", "'title' is .* not a line of text"),
    "no table": ("[trade]", "[[trade]]", "'trade' is a table"),
    "no table of tables": ("[config.toy_pma16]", "[config]", r"'config' is a table of tables .*\[config.NAME\]"),
    "TOML": ("kind = 7", "kind = ", "cards/toy/card.toml: .*line 6.*correct the TOML"),
    "range": ("timing_port = 0", "timing_port = 2", "timing_port is 2 .*0 to 1"),
    "bits": ("pma_bits = 16", "pma_bits = 8", r"\[config.toy_pma16\] pma_bits is 8 .*16 or 32"),
    "configuration's name": ("[config.toy_pma16]", "[config.pma16]", r"\[config.pma16\] .*begin with the folder's"),
    "reserved": ("kind = 7", "kind = 3", r"\[shell\] kind 3 is that of 'tester'"),
    "fuzzer": ('toy = "toy_pma16"', 'toy = "toy_pma32"', "no configuration 'toy_pma32' .*known: toy_pma16"),
    "no shell": (
        "[shell]\nkind = 7\nports = 2\ntcp_ports = [1]\ntiming_port = 0\n",
        "",
        "for cards with a .shell",
    ),
    "list": ('"toy_card"', '"toy_top"', "top: there is no cards/toy/rtl/toy_top.f"),
}


@pytest.fixture
def tree(tmp_path):
    """A tree with one card, whose only file exists."""
    add(tmp_path, "toy", TOY)
    (tmp_path / "cards/common/rtl").mkdir(parents=True)
    (tmp_path / "cards/gone/tb").mkdir(parents=True)  # left over from a card of another branch
    return tmp_path


def add(tree, folder, text):
    rtl = tree / "cards" / folder / "rtl"
    rtl.mkdir(parents=True)
    (rtl.parent / "card.toml").write_text(text)
    (rtl / f"{folder}_card.f").write_text(f"cards/{folder}/rtl/{folder}_card.sv\n")
    (rtl / f"{folder}_card.sv").write_text("module m;\nendmodule\n")


def test_a_right_one_is_read(tree):
    (card,) = read_all(tree)
    check_files(tree, [card])
    assert (card.folder, card.shell.kind, card.shell.tcp_ports) == ("toy", 7, (1,))
    assert card.config["toy_pma16"].pma_bits == 16 and not card.config["toy_pma16"].crossing
    assert card.trade.rule == "trigger" and not card.trade.published and card.synth is None


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_one_is_reported(tree, what):
    old, new, said = WRONG[what]
    assert TOY.count(old) == 1
    (tree / "cards/toy/card.toml").write_text(TOY.replace(old, new))
    with pytest.raises(UllnicError) as error:
        read_all(tree)
    assert re.search(said, str(error.value)), error.value
    assert "cards/toy" in str(error.value) and error.value.remedy


def test_two_cards_of_a_kind_are_both_named(tree):
    add(tree, "box", OTHER)
    with pytest.raises(UllnicError, match="cards/toy/card.toml: kind 7 is that of cards/box/card.toml, too"):
        read_all(tree)


def test_rtl_without_a_card_file_is_reported(tree):
    add(tree, "box", OTHER)
    (tree / "cards/box/card.toml").unlink()
    with pytest.raises(UllnicError, match="cards/box/card.toml: there is no such file beside the RTL of a card"):
        read_all(tree)


def test_a_listed_file_that_is_not_there_is_reported(tree):
    (tree / "cards/toy/rtl/toy_card.f").write_text("cards/toy/regs/generated/toy_kind_pkg.sv\n")
    with pytest.raises(UllnicError, match="toy_card.f: there is no cards/toy/regs/.*regs makes it"):
        check_files(tree, read_all(tree))


LEFT_OUT = shutil.ignore_patterns("tb", "formal", "__pycache__", "docs")
KNOWN = """
import sys
sys.path.insert(0, sys.argv[1] + "/python")
from ullnic import cards, regs
from ullnic.measure import ate
from ullnic.paths import ROOT
from ullnic.run.trade import command
from ullnic.soak_rtl import CORES
from ullnic.synth.cores import ALL

for directory, folder in regs.folders().items():
    if directory.parent.name in ("common", "twin") and directory.parent.parent.name == "cards":
        regs.update(directory, folder)
cards.main()
for names in (cards.NAMES, ate.NAMES, command.NAMES):
    assert {"twin_pma16", "twin_pma32"} <= set(names), names
assert "twin_pma16_crossing" in cards.NAMES and {"twin", "twin_crossing"} <= CORES.keys()
assert ALL["twin"].configs[0] == "twin_logic_pma16"
assert all(file.exists() for file in ALL["twin"].design("twin_card_pma16").files)
"""


def renamed(text):
    """Renames the trigger card's modules and configurations, and its entries of card.toml."""
    text = re.sub(r"\btrigger_(?=(card|logic|match|template|axil|regs|kind|pma\d))", "twin_", text)
    text = re.sub(r"^lint = .*", "lint = []", text, flags=re.MULTILINE)  # each takes seconds
    text = re.sub(r"^trigger(_crossing)? = ", r"twin\1 = ", text, flags=re.MULTILINE)
    return (
        text.replace("cards/trigger", "cards/twin").replace("TRIGGER_REGS", "TWIN_REGS").replace("kind = 1", "kind = 9")
    )


def contents(tree):
    return {path: path.read_bytes() for path in (tree / "cards").rglob("*") if path.is_file()}


def test_a_copied_folder_is_known_to_all_tools(tmp_path, monkeypatch):
    """./ullnic regs generates the new card's files and keeps all generated files of other cards."""
    for part in ("cards", "cores", "python", "reference"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=LEFT_OUT)
    shutil.copy(ROOT / "VERSION", tmp_path)
    before = contents(tmp_path)
    for path in (ROOT / "cards/trigger").rglob("*"):
        if path.is_file() and not {"tb", "generated"} & set(path.parts):
            to = tmp_path / renamed(str(path.relative_to(ROOT)).replace("regs/trigger.rdl", "regs/twin.rdl"))
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(renamed(path.read_text()))
    done = subprocess.run([sys.executable, "-B", "-c", KNOWN, tmp_path], capture_output=True, text=True, env=tool_env())
    assert done.returncode == 0, done.stderr
    assert "\ntwin_pma32|twin|twin_card|cards/twin/rtl/twin_card.f|32|2|2|0|0|282|trigger|0x800c|" in done.stdout
    assert "\nfuzz|twin_crossing|twin_pma16_crossing\n" in done.stdout
    after = contents(tmp_path)
    changed = {str(path.relative_to(tmp_path / "cards")) for path in before if after[path] != before[path]}
    assert changed == {
        f"common/regs/{name}" for name in ("README.md", "generated/card_kinds.h", "generated/card_kinds.rdl")
    }
    assert "ULLNIC_KIND_TWIN = 9," in (tmp_path / "cards/common/regs/generated/card_kinds.h").read_text()
    monkeypatch.setattr(lint, "ROOT", tmp_path)
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    [checker] = [each for each in lint.CHECKERS if each.name == "verilator"]
    tops = [top for top in checker.looks_at(sources.Sources.find()) if top.stem == "twin_card"]
    assert len(lint.verilator_commands(tops, False)) == 1
    found = lint.run_checker(checker, tops, False, tool_env()).output.splitlines()
    # Waivers for other tops and parameters waive nothing here.
    assert [line for line in found if not line.endswith("waives: remove the line")] == []
