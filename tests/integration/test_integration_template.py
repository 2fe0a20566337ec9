# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The instantiation template of macpcs elaborates without a warning, and names every port and parameter."""

import re
import subprocess

import pytest

try:
    from pyslang.ast import Compilation
    from pyslang.syntax import SyntaxTree
except ImportError:  # before pyslang 12
    from pyslang import Compilation, SyntaxTree

from ullnic.paths import ROOT
from ullnic.synth.flow import MACPCS_FILES

TEMPLATE = ROOT / "cores/macpcs/template/macpcs_template.sv"


def instance(top: str, *path: str, files=MACPCS_FILES) -> tuple[dict[str, str], dict[str, str]]:
    """Parameters with their values, and ports with their directions, of an instance in an elaborated design."""
    compilation = Compilation()  # must outlive whatever is taken from it
    for file in files:
        compilation.addSyntaxTree(SyntaxTree.fromFile(str(file)))
    assert not [each for each in compilation.getAllDiagnostics() if each.isError()]
    root = compilation.getRoot()
    found = next(each for each in root.topInstances if each.name == top)
    for name in path:
        found = next(each for each in found.body if each.name == name)
    parameters = {each.name: str(each.value) for each in found.body.parameters if not each.isLocalParam}
    return parameters, {port.name: port.direction.name for port in found.body.portList}


@pytest.fixture(scope="module")
def core():
    return instance("macpcs")


def given() -> tuple[dict[str, str | None], dict[str, str | None]]:
    """What the text of the template joins: parameters and ports, by name; None for a port that is joined by
    its name alone."""
    text = re.sub(r"//.*", "", TEMPLATE.read_text())
    parameters, ports = re.search(r"macpcs #\((.*?)\n  \) u_macpcs \((.*?)\n  \);", text, re.S).groups()
    joined = re.compile(r"\.(\w+)\s*(?:\(([^()]*)\))?")
    return {m[1]: m[2] for m in joined.finditer(parameters)}, {m[1]: m[2] for m in joined.finditer(ports)}


def test_template_lints():
    argv = [
        "verilator",
        "--lint-only",
        "-Wall",
        "--top-module",
        "macpcs_template",
        *map(str, MACPCS_FILES),
        str(TEMPLATE),
    ]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Warning" not in done.stderr, done.stderr[-2000:]


def test_template_names_every_port(core):
    _, ports = core
    assert len(ports) > 50
    assert list(given()[1]) == list(ports), "each once, in the order of the module"


def test_template_names_every_parameter_with_its_default(core):
    defaults, _ = core
    assert len(defaults) > 20
    assert list(given()[0]) == list(defaults)
    assert instance("macpcs_template", "u_macpcs", files=(*MACPCS_FILES, TEMPLATE))[0] == defaults


def test_template_leaves_no_input_open(core):
    open_ports = {name for name, expression in given()[1].items() if expression is not None and not expression.strip()}
    inputs = {name for name, direction in core[1].items() if direction == "In"}
    assert len(inputs) > 20 and open_ports
    assert not open_ports & inputs


def test_guide_names_what_is_there():
    """Links and source files of docs/integrating.md."""
    guide = ROOT / "docs/integrating.md"
    links = {link.split("#")[0] for link in re.findall(r"\]\(([^)]+)\)", guide.read_text())} - {""}
    assert len(links) > 5
    assert not [link for link in links if not (guide.parent / link).exists()]
    sources = set(re.findall(r"\bmacpcs_\w+\.sv\b", guide.read_text()))
    assert len(sources) == 6
    assert not [name for name in sources if not list((ROOT / "cores/macpcs").rglob(name))]


def test_guide_names_parameters_and_ports_of_the_core(core):
    """What it calls by a name in capitals, or by a name that only a port can have."""
    text = (ROOT / "docs/integrating.md").read_text()
    parameters = set(re.findall(r"`((?:MAC|PCS|PMA|SYNC|DUAL|USER)_[A-Z0-9_]+)`", text))
    ports = set(re.findall(r"`((?:stat|rx|tx)_\w+)`", text))
    assert len(parameters) > 10 and len(ports) > 15
    assert not parameters - set(core[0])
    assert not ports - set(core[1])
