# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The instantiation templates elaborate without a warning, and name every port and parameter."""

import re
import subprocess

import pytest

from modules import CORES, FILES, TOPS, instance
from ullnic.paths import ROOT

SOURCES = FILES | {"ate": TOPS["ate"][1]}
TEMPLATES = {top: next(CORES.glob(f"*/template/{top}_template.sv")) for top in SOURCES}
FEWEST = {"ate": (40, 5, 20)}  # ports, parameters, inputs: at least one was found


@pytest.fixture(scope="module", params=SOURCES)
def top(request):
    return request.param


@pytest.fixture(scope="module")
def core(top):
    return instance(top, files=SOURCES[top])


def fewest(top: str) -> tuple[int, int, int]:
    return FEWEST.get(top, (50, 20, 20))


def given(top: str) -> tuple[dict[str, str | None], dict[str, str | None]]:
    """What the text of the template connects: parameters and ports, by name; None for a port connected by its name
    alone.
    """
    text = re.sub(r"//.*", "", TEMPLATES[top].read_text())
    parameters, ports = re.search(rf"{top} #\((.*?)\n  \) u_{top} \((.*?)\n  \);", text, re.S).groups()
    joined = re.compile(r"\.(\w+)\s*(?:\(([^()]*)\))?")
    return {m[1]: m[2] for m in joined.finditer(parameters)}, {m[1]: m[2] for m in joined.finditer(ports)}


def test_template_lints(top):
    waivers = [*sorted(CORES.glob("*/*.vlt")), CORES / "macpcs/regs/macpcs_regs.vlt"]
    argv = ["verilator", "--lint-only", "-Wall", "--top-module", f"{top}_template"]
    argv += [] if top in FILES else ["-Wno-UNUSEDPARAM"]  # constants of shared packages
    argv += map(str, [*waivers, *SOURCES[top], TEMPLATES[top]])
    done = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Warning" not in done.stderr, done.stderr[-2000:]


def test_template_names_every_port(top, core):
    _, ports = core
    assert len(ports) > fewest(top)[0]
    assert list(given(top)[1]) == list(ports), "each once, in the order of the module"


def test_template_names_every_parameter_with_its_default(top, core):
    defaults, _ = core
    assert len(defaults) > fewest(top)[1]
    assert list(given(top)[0]) == list(defaults)
    assert instance(f"{top}_template", f"u_{top}", files=(*SOURCES[top], TEMPLATES[top]))[0] == defaults


def test_template_leaves_no_input_open(top, core):
    open_ports = {name for name, value in given(top)[1].items() if value is not None and not value.strip()}
    inputs = {name for name, direction in core[1].items() if direction == "In"}
    assert len(inputs) > fewest(top)[2] and (open_ports or top == "ate")
    assert not open_ports & inputs


def test_guide_names_what_is_there():
    """Links and files of docs/integrating.md."""
    guide = ROOT / "docs/integrating.md"
    links = {link.split("#")[0] for link in re.findall(r"\]\(([^)]+)\)", guide.read_text())} - {""}
    assert len(links) > 10
    assert not [link for link in links if not (guide.parent / link).exists()]
    files = set(re.findall(r"\b(?:macpcs|common)\w*\.(?:sv|f|core|tcl|xdc|sdc)\b", guide.read_text()))
    assert {"macpcs.f", "macpcs.core", "macpcs.tcl", "macpcs.xdc"} <= files
    assert not [name for name in files if not list(CORES.rglob(name))]


def test_guide_names_parameters_and_ports_of_the_core():
    """Names in capitals, and names that only a port can have."""
    text = (ROOT / "docs/integrating.md").read_text()
    parameters = set(re.findall(r"`((?:MAC|PCS|PMA|SYNC|DUAL|USER)_[A-Z0-9_]+)`", text))
    ports = set(re.findall(r"`((?:stat|rx|tx)_\w+)`", text))
    assert len(parameters) > 10 and len(ports) > 15
    core = instance("macpcs", files=FILES["macpcs"])
    assert not parameters - set(core[0])
    assert not ports - set(core[1])
