# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of macpcs.tcl for Vivado and Quartus, in an interpreter with stubs of their commands."""

import re
from pathlib import Path

import pytest

from modules import CORES, FILES
from ullnic.paths import ROOT
from vendor_tcl import QUARTUS, added_to_vivado, properties, run, vivado

SCRIPT = CORES / "macpcs/macpcs.tcl"
CONSTRAINTS = CORES / "macpcs/constraints"
BY_TOP = {top: f"set macpcs_top {top}\nsource {{{SCRIPT}}}\n" for top in FILES}
SCOPED = {"USED_IN_SYNTHESIS": "false", "PROCESSING_ORDER": "LATE"}


def check_vivado(calls: list[list[str]], top: str) -> None:
    assert added_to_vivado(calls) == list(map(str, FILES[top]))
    constraints = [call[-1] for call in calls if "constrs_1" in call]
    assert constraints == [str(CONSTRAINTS / "macpcs.xdc")]
    assert properties(calls, "macpcs.xdc") == SCOPED | {"SCOPED_TO_REF": top}
    assert properties(calls, "sources_1") == {"verilog_define": "ULLNIC_LUT6"}


@pytest.mark.parametrize("top", FILES)
def test_vivado(tmp_path, top):
    check_vivado(run(BY_TOP[top], vivado(), tmp_path), top)


@pytest.mark.parametrize("top", FILES)
def test_quartus(tmp_path, top):
    calls = run(BY_TOP[top], QUARTUS, tmp_path)
    sources = [["set_global_assignment", "-name", "SYSTEMVERILOG_FILE", str(file)] for file in FILES[top]]
    constraints = ["set_global_assignment", "-name", "SDC_FILE", str(CONSTRAINTS / "macpcs.sdc")]
    assert calls[:-1] == [*sources, constraints]
    assert calls[-1][:3] == ["set_instance_assignment", "-name", "SYNCHRONIZER_IDENTIFICATION"]
    assert calls[-1][3:] == ["FORCED_IF_ASYNCHRONOUS", "-to", "*|stage_q*"]


def test_macpcs_itself_is_what_one_gets_unasked(tmp_path):
    check_vivado(run(f"source {{{SCRIPT}}}\n", vivado(), tmp_path), "macpcs")


@pytest.mark.parametrize("mine, then", [("MINE=1 OTHER", "MINE=1 OTHER ULLNIC_LUT6"), ("A ULLNIC_LUT6=1", None)])
def test_the_users_own_definitions_stay(tmp_path, mine, then):
    calls = run(BY_TOP["macpcs"], vivado(mine), tmp_path)
    assert properties(calls, "sources_1").get("verilog_define") == then


def test_nothing_is_left_in_the_users_namespace(tmp_path):
    script = "set before [info globals]\n" + BY_TOP["macpcs"] + "write_down {*}[info globals] : {*}$before\n"
    *_, names = run(script, vivado(), tmp_path)
    after, before = names[: names.index(":")], names[names.index(":") + 1 :]
    assert set(after) - set(before) == {"macpcs_top", "before"}


@pytest.mark.parametrize("vendor", [vivado(), QUARTUS], ids=["vivado", "quartus"])
def test_wrong_name_is_refused(tmp_path, vendor):
    with pytest.raises(AssertionError, match='macpcs_top is "macpc": set it to macpcs or macpcs_managed'):
        run(f"set macpcs_top macpc\nsource {{{SCRIPT}}}\n", vendor, tmp_path)


def test_another_tool_is_refused(tmp_path):
    with pytest.raises(AssertionError, match="neither Vivado nor Quartus"):
        run(BY_TOP["macpcs"], "", tmp_path)


def test_the_guides_lines_work(tmp_path):
    """Unchanged, from the folder that contains the project's folder as `ullnic`."""
    (tmp_path / "ullnic").symlink_to(ROOT)
    (script,) = re.findall(r"```tcl\n(.*?)```", (ROOT / "docs/integrating.md").read_text(), re.S)
    calls = run(script, vivado(), tmp_path)
    assert [Path(file).resolve() for file in added_to_vivado(calls)] == list(FILES["macpcs_managed"])
    assert properties(calls, "macpcs.xdc")["SCOPED_TO_REF"] == "macpcs_managed"
