# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic lint` on a small tree: silent while it is clean, and each checker finds the fault planted for it."""

import re
import shutil
import subprocess

import pytest
from click.testing import CliRunner

from ullnic import cells, lint, sources
from ullnic.core_configs import KINDS, path_of
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.toolchain import find_verilator, tool_env

HASH = "# SPDX-License-Identifier: Apache-2.0\n"
SLASHES = "// SPDX-License-Identifier: Apache-2.0\n"
TOP = """module top (
    input  logic       clk,
    input  logic [3:0] d,
    output logic [3:0] q
);
  always_ff @(posedge clk) q <= d;
endmodule
"""
CORE = """CAPI=2:
# SPDX-License-Identifier: Apache-2.0
name: ullnic:cores:toy:1
filesets:
  rtl: {files: [rtl/toy.sv], file_type: systemVerilogSource}
targets:
  default: {filesets: [rtl]}
  lint: &lint
    filesets: [rtl]
    flow: lint
    flow_options: {tool: verilator, verilator_options: [-Wall]}
    toplevel: toy
"""
TOY = TOP.replace("module top", "module toy")
CARD = 'name = "toy"\ntitle = "nothing but a register"\ntop = "top"\n'
QUOTES = (
    HASH
    + '''"""A test."""

from dataclasses import dataclass
from pathlib import Path

RTL = Path(__file__).parents[1] / "rtl"


@dataclass
class Fault:
    name: str
    source: str
    old: str

    @property
    def anchor(self):
        return RTL / self.source, self.old


FAULTS = {"late": [Fault("late", "toy.sv", "q <= d")]}
'''
)
SHOWS = SLASHES + '`verilator_config\npublic_flat_rd -module "toy" -var "q"\n'
CLEAN = {path_of(core): "# SPDX-License-Identifier: Apache-2.0\n" for core in KINDS} | {
    "cores/toy/formal/test_toy_formal.py": QUOTES,
    "cores/toy/tb/toy.vlt": SHOWS,
    "cores/toy/toy.core": CORE,
    "cores/toy/rtl/toy.sv": SLASHES + TOY,
    "cards/toy/card.toml": HASH + CARD,
    "cards/toy/rtl/top.sv": SLASHES + TOP,
    "cards/toy/rtl/top.f": SLASHES + "cards/toy/rtl/top.sv\n",
    "python/tool.py": HASH + '"""A module."""\n\nVALUE = 1\n',
    "sim/main.cc": SLASHES + "int main() { return 0; }\n",
    "README.md": "# Toy\n\n[How](CONTRIBUTING.md#adding-a-top), [here](#toy).\n",
    "CONTRIBUTING.md": "# How\n\n## Adding a `top`\n\n`cards/CARD/rtl/top.sv`, then `./ullnic lint`.\n",
    "run.sh": "#!/bin/bash\n" + HASH + 'echo "$1"\n',
}
FAULTS = [  # checker, file, its content, text expected in the report
    ("licence", "python/bare.py", '"""A module."""\n', "python/bare.py: no line"),
    (
        "anchors",
        "cores/toy/tb/toy.vlt",
        SHOWS.replace('"q"', '"r"'),
        "cores/toy/tb/toy.vlt:3: cores/toy/rtl/toy.sv declares no r",
    ),
    ("verilator", "cards/toy/rtl/top.sv", SLASHES + TOP.replace("q <= d", "q <= d[2:0]"), "WIDTHEXPAND"),
    (
        "waivers",
        "cores/toy/rtl/toy.sv",
        SLASHES + TOY.replace("  always", "  // verilator lint_off WIDTH\n  always"),
        "cores/toy/rtl/toy.sv:7: a pragma of Verilator's lint: write a waiver with its reason into cores/toy/toy.vlt",
    ),
    ("slang", "cards/toy/rtl/top.sv", SLASHES + TOP.replace("q <= d", "q <= nobody"), "undeclared identifier 'nobody'"),
    ("fusesoc", "cores/toy/rtl/toy.sv", SLASHES + TOY.replace("q <= d", "q <= d[2:0]"), "WIDTHEXPAND"),
    ("verible", "cards/toy/rtl/top.sv", SLASHES + TOP.replace("\n", " \n", 1), "trailing spaces"),
    ("verible format", "cards/toy/rtl/top.sv", SLASHES + TOP.replace("  always", "   always"), "Needs formatting"),
    ("ruff", "python/tool.py", HASH + '"""A module."""\n\nimport os\n', "F401"),
    ("ruff format", "python/tool.py", HASH + '"""A module."""\n\nVALUE =  1\n', "-VALUE =  1"),
    ("clang-format", "sim/main.cc", SLASHES + "int main()   { return 0; }\n", "clang-format-violations"),
    ("documents", "README.md", "# Toy\n[How](HOW.md)\n", "README.md:2: there is no HOW.md"),
    (
        "cells",
        "README.md",
        f"# Toy\n\n| a |\n| --- |\n| {'word ' * 40}|\n| {'long ' * 41}|\n",
        "README.md:6: a cell of 41 words ('long long long long long ...')",
    ),
    ("words", "README.md", "# Toy\n\nWhat is Owed.\n", "README.md:3: 'Owed': write pending (docs/glossary.md)"),
    ("shellcheck", "run.sh", "#!/bin/bash\n" + HASH + "echo $1\n", "SC2086"),
]
REPAIRED = ["verible format", "ruff", "ruff format", "clang-format"]


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for name in ("pyproject.toml", ".clang-format", ".rules.verible_lint"):
        shutil.copy(ROOT / name, tmp_path)
    for name, text in CLEAN.items():
        write(tmp_path / name, text)
    monkeypatch.setattr(lint, "ROOT", tmp_path)
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def run_lint(*argv):
    result = CliRunner().invoke(lint.lint, argv, standalone_mode=False)
    assert result.exception is None, result.exception
    return result.return_value, result.output


def test_clean_tree_passes_every_checker(tree):
    code, output = run_lint()
    assert code == 0, output
    for checker in lint.CHECKERS:
        assert f"{checker.name} " in output, "this checker looked at nothing"


def test_a_fault_is_planted_for_every_checker():
    assert [fault[0] for fault in FAULTS] == sorted(
        (checker.name for checker in lint.CHECKERS), key=[fault[0] for fault in FAULTS].index
    )


@pytest.mark.parametrize("checker, name, text, complaint", FAULTS, ids=[fault[0] for fault in FAULTS])
def test_planted_fault_is_found(tree, checker, name, text, complaint):
    write(tree / name, text)
    code, output = run_lint("--only", checker)
    assert code == 1
    assert complaint in output and "faults found" in output


def test_one_fault_is_enough_among_all_checkers(tree):
    _, name, text, complaint = FAULTS[0]
    write(tree / name, text)
    code, output = run_lint()
    assert code == 1 and complaint in output and output.count("faults found") == 1


@pytest.mark.parametrize(
    "name, text, complaint",
    [
        ("cores/toy/formal/test_toy_formal.py", QUOTES.replace("q <= d", "q <= e"), "toy.sv has 'q <= e' 0 times"),
        ("cores/toy/formal/test_toy_formal.py", QUOTES.replace("q <= d", "logic"), "toy.sv has 'logic' 3 times"),
        ("cores/toy/formal/test_toy_formal.py", QUOTES.replace("toy.sv", "tox.sv"), "tox.sv is not there"),
        ("cores/toy/tb/toy.vlt", SHOWS.replace('"toy"', '"tox"'), "toy.vlt:3: no module tox"),
        (
            "cores/toy/rtl/toy.sv",
            SLASHES + TOY.replace("] q", "] q_out, q_old").replace("q <= d", "if (q_old) q_out <= d; // q <= d"),
            "declares no q",
        ),
    ],
    ids=("no text", "text thrice", "no file", "no module", "renamed"),
)
def test_what_is_quoted_of_rtl_is_there_once(tree, name, text, complaint):
    write(tree / name, text)
    code, output = run_lint("--only", "anchors")
    assert code == 1 and complaint in output


@pytest.mark.parametrize("checker, name, text", [fault[:3] for fault in FAULTS if fault[0] in REPAIRED])
def test_fix_repairs(tree, checker, name, text):
    write(tree / name, text)
    assert run_lint("--only", checker)[0] == 1
    assert run_lint("--fix", "--only", checker)[0] == 0
    assert (tree / name).read_text() != text
    assert run_lint("--only", checker)[0] == 0


def test_fault_in_a_branch_that_only_a_variant_builds_is_found(tree):
    hidden = TOP.replace("top (", "top #(\n    parameter bit EXTRA = 0\n) (").replace(
        "endmodule", "  if (EXTRA) begin : gen_extra\n    logic [7:0] wide = 9'h1ff;\n  end\nendmodule"
    )
    write(tree / "cards/toy/rtl/top.sv", SLASHES + hidden)
    assert run_lint("--only", "verilator")[0] == 0
    write(tree / "cards/toy/card.toml", HASH + CARD + 'lint = ["EXTRA=1"]\n')
    code, output = run_lint("--only", "verilator")
    assert code == 1 and "WIDTHTRUNC" in output


def test_every_variant_sets_parameters_that_exist():
    for top, variants in lint.variants().items():
        (source,) = ROOT.glob(f"c*/*/rtl/{top}.sv")  # cards, cores
        for variant in variants:
            for setting in variant.split():
                wanted = rf" {setting.split('=')[0]} +="
                assert re.search(wanted, source.read_text()), f"{top} has no parameter for {setting}"


def test_a_file_that_a_card_lists_and_does_not_have_is_reported(tree):
    (tree / "cards/toy/rtl/top.sv").unlink()
    with pytest.raises(UllnicError, match="cards/toy/rtl/top.f: there is no cards/toy/rtl/top.sv"):
        list(lint.outcomes(("licence",), False))


def test_generated_directories_are_left_out(tree):
    write(tree / "build" / "generated.py", "import os\n")
    write(tree / ".venv" / "other.py", "import os\n")
    assert {str(path) for path in sources.project_files()} >= {"python/tool.py"}
    assert run_lint()[0] == 0


def test_layout_of_generated_sources_is_left_alone(tree):
    text = SLASHES + TOP.replace("  always", "   always") + "\n"
    write(tree / "cores/toy/regs/generated/made.sv", text)
    write(tree / "cores/toy/regs/generated/made.h", SLASHES + "int   made;\n")
    assert run_lint("--fix")[0] == 0
    assert (tree / "cores/toy/regs/generated/made.sv").read_text() == text
    write(tree / "cores/toy/regs/generated/made.h", "int   made;\n")
    assert run_lint("--only", "licence")[0] == 1


@pytest.mark.parametrize(
    "text, complaint",
    [
        (CORE + "  lint_other: {<<: *lint, toplevel: nobody}\n", "'nobody'"),
        (CORE.replace("rtl/toy.sv", "rtl/gone.sv"), "gone.sv"),
        (CORE.replace("filesets: [rtl]", "filesets: [rtl], colour: red", 1), "colour"),
    ],
    ids=["another target", "file that is not there", "unknown key"],
)
def test_what_is_wrong_with_a_core_is_found(tree, text, complaint):
    assert text != CORE
    write(tree / "cores/toy/toy.core", text)
    code, output = run_lint("--only", "fusesoc")
    assert code == 1 and complaint in output, output


@pytest.mark.parametrize(
    "name, text, complaint",
    [
        ("README.md", "[How](CONTRIBUTING.md#why)\n", "README.md:1: CONTRIBUTING.md has no heading #why"),
        ("README.md", "```\n[a](b)\n# Why\n```\n[Here](#why)\n", "README.md:5: README.md has no heading #why"),
        ("CONTRIBUTING.md", "# Adding a `top`\n`cores/CORE/regs/CORE.rdl`\n", "there is no cores/CORE/regs/CORE.rdl"),
        ("CONTRIBUTING.md", "# Adding a `top`\n`./ullnic dance`\n", "has no subcommand dance"),
    ],
    ids=("heading", "code", "path", "command"),
)
def test_what_pages_point_to_is_there(tree, name, text, complaint):
    write(tree / name, text)
    code, output = run_lint("--only", "documents")
    assert code == 1 and complaint in output and output.count(name) <= 2, output


@pytest.mark.parametrize(
    "cell, words",
    [
        ("one [two three](four/five.md) `six` - &", 4),
        ("a<br>b, c", 3),
        (r"one \| two", 2),
    ],
    ids=("link", "line break", "escaped border"),
)
def test_words_of_a_cell_are_those_that_a_reader_sees(cell, words):
    assert [cells.words(each) for each in cells.BORDER.split(cell)] == [words]


def test_code_has_no_cells(tmp_path):
    (tmp_path / "page.md").write_text(f"```\n| {'long ' * 41}|\n```\n")
    assert list(cells.faults(tmp_path / "page.md")) == []


def test_core_without_a_lint_target_is_refused(tree):
    write(tree / "cores/toy/toy.core", CORE.replace("lint: &lint", "sim: &lint"))
    result = CliRunner().invoke(lint.lint, ["--only", "fusesoc"], standalone_mode=False)
    assert isinstance(result.exception, UllnicError) and "toy.core has no target lint" in str(result.exception)


def test_fusesoc_keeps_to_the_build_directory(tree, monkeypatch):
    """It also ignores the user's own settings, which here name an unavailable library."""
    home = tree / "home"
    write(home / ".config/fusesoc/fusesoc.conf", "[library.other]\nlocation = nowhere\nsync-uri = nowhere\n")
    before = sorted(tree.rglob("*"))
    for name, value in {"HOME": home, "XDG_CONFIG_HOME": home / ".config", "XDG_CACHE_HOME": home / ".cache"}.items():
        monkeypatch.setenv(name, str(value))
    code, output = run_lint("--only", "fusesoc")
    assert code == 0, output
    assert sorted(path for path in tree.rglob("*") if tree / "build" not in [path, *path.parents]) == before
    assert (tree / "build/fusesoc/ullnic_cores_toy_1/lint").is_dir()


def test_waiver_silences_verilator_for_its_files_only(tree):
    fault = TOP.replace("q <= d", "q <= d[2:0]")
    write(tree / "cores/toy/regs/generated/made.sv", SLASHES + fault.replace("module top", "module made"))
    write(
        tree / "cards/toy/rtl/top.sv",
        SLASHES + TOP.replace("  always_ff @(posedge clk) q <= d;", "  made u_made (.*);"),
    )
    write(tree / "cards/toy/rtl/top.f", SLASHES + "cores/toy/regs/generated/made.sv\ncards/toy/rtl/top.sv\n")
    code, output = run_lint("--only", "verilator")
    assert code == 1 and "WIDTHEXPAND" in output
    rules = [f'lint_off -rule {rule} -file "*/regs/generated/*.sv"\n' for rule in ("WIDTHEXPAND", "UNUSEDSIGNAL")]
    write(tree / "cores/toy/regs/toy.vlt", SLASHES + "`verilator_config\n" + "".join(rules))
    assert run_lint("--only", "verilator")[0] == 0
    write(tree / "cards/toy/rtl/top.sv", SLASHES + fault)
    assert run_lint("--only", "verilator")[0] == 1


CAUGHT = 'lint_off -rule UNUSEDSIGNAL -file "*/rtl/top.sv" -match "{}"\n'


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("Signal is not used: 'd'", "'d'[3]"),
        ("Bits of signal are not used: 'd'[2]", "'d'[3]"),
        ("Bits of signal are not used: 'd'[3]", None),
        ("Bits of signal are not used: 'd'[?]", None),
        ("*: 'd'[*", None),
    ],
    ids=["whole signal", "another bit", "the bit", "any bit", "any bits"],
)
def test_waiver_covers_what_verilator_lets_it(tree, text, complaint):
    """We compare as Verilator does, which says the same with the waivers read."""
    write(tree / "cards/toy/rtl/top.sv", SLASHES + TOP.replace("q <= d", "q <= {1'b0, d[2:0]}"))
    waivers = tree / "cards/toy/toy.vlt"
    write(waivers, SLASHES + "`verilator_config\n// why\n" + CAUGHT.format(text))
    command = [find_verilator(), "--lint-only", "-Wall", "--top", "top", waivers, "cards/toy/rtl/top.sv"]
    done = subprocess.run(command, cwd=tree, env=tool_env(), capture_output=True, text=True)
    code, output = run_lint("--only", "verilator")
    if complaint is None:
        assert (code, done.returncode) == (0, 0), output + done.stderr
    else:
        assert code == 1 and done.returncode != 0
        assert complaint in output and complaint in done.stderr
        assert "cards/toy/toy.vlt:4: Verilator reports nothing that this waives: remove the line" in output


def test_waiver_of_nothing_is_found(tree):
    write(tree / "cards/toy/toy.vlt", SLASHES + "`verilator_config\n// why\n" + CAUGHT.format("*: 'd'"))
    code, output = run_lint("--only", "verilator")
    assert code == 1 and "cards/toy/toy.vlt:4: Verilator reports nothing that this waives: remove the line" in output


@pytest.mark.parametrize(
    "lines, complaint",
    [
        (CAUGHT, "toy.vlt:3: a waiver without its reason: write a comment before it"),
        ("//\n" + CAUGHT, "toy.vlt:4: a waiver without its reason"),
        ("// why\n" + CAUGHT + "\n" + CAUGHT, "toy.vlt:6: a waiver without its reason"),
        ("// why\nlint_off -rule UNUSEDSIGNAL\n", "toy.vlt:4: not as narrow as a waiver is"),
        ('// why\nlint_off -file "*/rtl/top.sv"\n', "toy.vlt:4: not as narrow as a waiver is"),
        ("// why\n" + CAUGHT + CAUGHT, None),
        ("\n// why\n\n// because\n" + CAUGHT, None),
    ],
    ids=["none", "empty", "in another paragraph", "no file", "no rule", "one for two", "after another"],
)
def test_waiver_has_a_reason(tree, lines, complaint):
    write(tree / "cores/toy/toy.vlt", SLASHES + "`verilator_config\n" + lines)
    code, output = run_lint("--only", "waivers")
    assert code == (complaint is not None) and (complaint or "ok") in output


@pytest.mark.parametrize(
    "name, text, place",
    [
        (
            "cards/toy/rtl/top.sv",
            TOP.replace("endmodule", "endmodule  // verilator lint_on WIDTH"),
            "cards/toy/toy.vlt",
        ),
        ("cores/toy/tb/bench.sv", "/* verilator lint_save */\n", "cores/toy/toy.vlt"),
        ("cores/toy/formal/claim.sv", "/*verilator lint_off UNUSED*/\n", "cores/toy/toy.vlt"),
    ],
    ids=["rtl", "bench", "formal"],
)
def test_pragma_is_found(tree, name, text, place):
    write(tree / name, SLASHES + text)
    code, output = run_lint("--only", "waivers")
    assert code == 1 and f"{name}:" in output and f"into {place} instead" in output
