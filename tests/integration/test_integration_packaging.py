# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The cores' lists of files and FuseSoC descriptions: complete, consistent, true to the modules, usable in a copy."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

from modules import COMMON, CORES, FILES, MACPCS, MANAGED, TOPS, instance
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.sources import listed_files
from vendor_tcl import properties, run, vivado

FOLDERS = {path.stem: path.parent.name for path in sorted(CORES.glob("*/*.core"))}
USER = """CAPI=2:
name: user:lib:card:1
filesets:
  rtl:
    file_type: systemVerilogSource
    depend: [ullnic:cores:macpcs_managed]
    files: [card.sv]
  waivers: {files: [card.vlt: {file_type: vlt}]}
targets:
  lint: {filesets: [rtl, waivers], flow: lint, toplevel: card, flags: {tool: verilator},
         flow_options: {tool: verilator, verilator_options: [-Wall]}}
  vivado: {filesets: [rtl], flow: vivado, toplevel: card, flags: {tool: vivado}, flow_options: {part: some}}
  quartus: {filesets: [rtl], default_tool: quartus, toplevel: card, tools: {quartus: {family: some, device: some}}}
"""

# Parameters that others follow from, and those.
OTHER = {core: ".PMA_DATA_WIDTH(16), .MAC_TX_DATA_WIDTH(16), .MAC_RX_DATA_WIDTH(16)" for core in FILES}
OTHER |= {"qdma": ".PFS(1), .VFS(4)"}
FOLLOW = {core: {"MAC_TX_CLK_FREQ_KHZ", "MAC_RX_CLK_FREQ_KHZ", "MAC_RX_CRC32_LATENCY"} for core in FILES}
FOLLOW |= {"qdma": {"VF_SHARE"}}


def described(core: str) -> dict:
    return yaml.safe_load((CORES / FOLDERS[core] / f"{core}.core").read_text())


def parameters_of(target: dict) -> list[str]:
    return target.get("parameters", [])


@pytest.fixture
def copy(tmp_path) -> Path:
    """The two folders, copied, and a design that uses them."""
    for name in ("common", "macpcs"):
        shutil.copytree(CORES / name, tmp_path / "cores" / name)
    template = (CORES / "macpcs/template/macpcs_managed_template.sv").read_text()
    (tmp_path / "cores/card").mkdir()
    (tmp_path / "cores/card/card.sv").write_text(template.replace("module macpcs_managed_template", "module card"))
    (tmp_path / "cores/card/card.core").write_text(USER)
    waiver = 'lint_off -rule PINCONNECTEMPTY -file "*/card.sv"'  # as macpcs.vlt has it for the template
    (tmp_path / "cores/card/card.vlt").write_text(f"`verilator_config\n{waiver}\n")
    return tmp_path


def fusesoc(directory: Path, *words: str) -> subprocess.CompletedProcess:
    """FuseSoC as a new user has it, with an empty home."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "FUSESOC_"))}
    command = ["fusesoc", "--monochrome", "--cores-root=cores", "run", "--build-root=build", *words]
    env = kept | {"HOME": str(directory / "home")}
    return subprocess.run(command, capture_output=True, text=True, cwd=directory, env=env)


def test_every_source_is_in_a_list_once():
    lists = {path: [file.resolve() for file in listed_files(path)] for path in CORES.glob("*/*.f")}
    sources = {*CORES.glob("*/rtl/*.sv"), *CORES.glob("*/regs/generated/*.sv")}
    assert {file for files in lists.values() for file in files} == sources
    assert not [path for path, files in lists.items() if len(files) != len(set(files))]
    assert len(set(MANAGED)) == len(MANAGED) > len(MACPCS) > len(COMMON) > 10


def test_the_card_is_made_of_what_the_lists_name():
    card = ROOT / "cards/link/rtl/link_card"
    assert list(listed_files(card.with_suffix(".f"), ROOT)) == [*MACPCS, card.with_suffix(".sv")]


@pytest.mark.parametrize("core", FOLDERS)
def test_fusesoc_has_the_files_of_the_list(core):
    folder = CORES / FOLDERS[core]
    files = [path.resolve() for path in listed_files(folder / f"{core}.f")]
    names = [str(path.relative_to(folder)) for path in files if folder in path.parents]
    rtl = described(core)["filesets"]["rtl"]
    assert rtl["files"] == names
    assert rtl["file_type"] == "systemVerilogSource" and {"common", *FILES} <= set(FOLDERS)


def test_fusesoc_has_the_waivers():
    """Every .vlt file that is not a test's: for a design that depends on the core, and in each lint target."""
    found = {}
    for core, folder in FOLDERS.items():
        filesets, targets = described(core)["filesets"], described(core)["targets"]
        if "verilator" not in filesets:
            continue
        assert "tool_verilator ? (verilator)" in targets["default"]["filesets"], core
        assert all("verilator" in target["filesets"] for name, target in targets.items() if name != "default"), core
        for each in filesets["verilator"]["files"]:
            ((name, attributes),) = each.items()
            assert attributes == {"file_type": "vlt"}
            found[CORES / folder / name] = core
    assert found.keys() == {*CORES.glob("*/*.vlt"), *CORES.glob("*/regs/*.vlt")} and len(found) > len(FILES) + 3


def test_fusesoc_looks_at_every_module_of_common():
    """A module that no other contains is the top of a lint target."""
    contained = {
        name for path in COMMON for name in re.findall(r"^\s+(\w+) #\($", path.read_text(), re.M) if name != path.stem
    }
    modules = {path.stem for path in COMMON if not path.stem.endswith("_pkg")}
    targets = described("common")["targets"]
    assert {target["toplevel"] for name, target in targets.items() if name != "default"} == modules - contained
    assert contained & modules


@pytest.mark.parametrize("core", [name for name in FOLDERS if name != "common"])
def test_fusesoc_has_the_parameters_of_the_modules(core):
    """With the modules' defaults, except those that follow from another parameter; all settable in the lint target."""
    expected, names = {}, {}
    for top in [top for top, (of, _) in TOPS.items() if of == core]:
        defaults = values(top, "")
        others = values(top, OTHER.get(core, ""))
        set_here = set(re.findall(r"\.(\w+)", OTHER.get(core, "")))
        follow = {name for name, value in others.items() if value != defaults[name] and name not in set_here}
        assert follow == FOLLOW.get(core, set())
        expected |= {name: None if name in follow else value for name, value in defaults.items()}
        names[top] = list(defaults)
    parameters = described(core)["parameters"]
    assert {name: each.get("default") for name, each in parameters.items()} == expected
    assert {(each["datatype"], each["paramtype"]) for each in parameters.values()} == {("int", "vlogparam")}
    targets = [target for name, target in described(core)["targets"].items() if name.startswith("lint")]
    assert {target["toplevel"]: parameters_of(target) for target in targets if target["toplevel"] in names} == names


def values(top: str, setting: str) -> dict[str, int]:
    """The parameters of a module with this setting of some, elaborated inside another."""
    text = f"module outside; {top} #({setting}) u_it (); endmodule"
    return instance("outside", "u_it", files=TOPS[top][1], text=text)[0]


def documented(pages: Iterable[Path]) -> list[tuple[Path, str]]:
    """The commands that lint, as the pages show them."""
    return [(page, line) for page in pages for line in re.findall(r"^verilator .*$", page.read_text(), re.M)]


LINTS = documented([ROOT / "docs/integrating.md", *sorted(CORES.glob("*/README.md"))])


def lint_case(page: Path, command: str):
    """Those of toe and qdma take a second and more: their results are kept."""
    name = re.search(r"--top (\w+)", command)[1]
    core = name.split("_")[0]
    is_kept = core in ("toe", "qdma")
    marks = deep(__file__, page, *(f"cores/{each}/rtl" for each in ("common", core))) if is_kept else ()
    return pytest.param(page, command, id=f"{page.parent.name}-{name}", marks=marks)


@pytest.mark.parametrize("page, command", [lint_case(*each) for each in LINTS])
def test_documented_lint_finds_nothing_in_a_copy(tmp_path, page, command):
    """The guide has the tree in ./ullnic; a core's README is read in the folder of the cores."""
    here = tmp_path if page.parent == ROOT / "docs" else tmp_path / "ullnic/cores"
    for core in {"common", *re.findall(r"(?:^|/| )(\w+)/\w+\.f", command)}:
        shutil.copytree(CORES / core, tmp_path / "ullnic/cores" / core)
    done = subprocess.run(command.split(), capture_output=True, text=True, cwd=here)
    assert (done.returncode, "Warning" in done.stderr) == (0, False), done.stderr[-2000:]


def test_a_command_to_lint_each_top_level_is_documented():
    assert [re.search(r"--top (\w+)", line)[1] for page, line in LINTS if page.name == "integrating.md"] == list(TOPS)


def test_fusesoc_sets_the_parameters(copy):
    narrow = [f"--{name}=16" for name in ("PMA_DATA_WIDTH", "MAC_TX_DATA_WIDTH", "MAC_RX_DATA_WIDTH")]
    done = fusesoc(copy, "--target=lint", "ullnic:cores:macpcs", *narrow, "--MAC_TX_IFG_COUNT=13")
    assert done.returncode == 0, done.stderr[-2000:]
    done = fusesoc(copy, "--target=lint", "ullnic:cores:macpcs", *narrow, "--MAC_TX_IFG_COUNT=11")
    assert done.returncode != 0 and "MAC_TX_IFG_COUNT must be 12" in done.stderr, "the module's own complaint"


def test_fusesoc_builds_a_design_from_a_copy(copy):
    """Without a warning, with the registers' waivers, without changing the copy, and leaving only FuseSoC's own cache
    in the home.
    """
    before = {path: path.stat().st_mtime_ns for path in (copy / "cores").rglob("*")}
    done = fusesoc(copy, "--target=lint", "user:lib:card")
    assert done.returncode == 0, done.stderr[-2000:]
    assert {path: path.stat().st_mtime_ns for path in (copy / "cores").rglob("*")} == before
    assert {path.name for path in copy.iterdir()} == {"cores", "build", "home"}
    edam = yaml.safe_load((copy / "build/user_lib_card_1/lint/user_lib_card_1.eda.yml").read_text())
    assert edam["parameters"] == {}, "the core's parameters are none of the design's top level"


def test_fusesoc_gives_vivado_the_constraints(copy):
    """Its output for Vivado, run with stubs of Vivado's commands."""
    done = fusesoc(copy, "--setup", "--target=vivado", "user:lib:card")
    assert done.returncode == 0, done.stderr[-2000:]
    project = copy / "build/user_lib_card_1/vivado"
    calls = run((project / "user_lib_card_1.tcl").read_text(), vivado(), project)
    (xdc,) = [call[-1] for call in calls if "constrs_1" in call]
    assert Path(xdc).read_bytes() == (CORES / "macpcs/constraints/macpcs.xdc").read_bytes()
    found = properties(calls, "macpcs.xdc")
    assert found == {"SCOPED_TO_REF": "macpcs_managed", "USED_IN_SYNTHESIS": "false", "PROCESSING_ORDER": "LATE"}
    assert properties(calls, "sources_1")["verilog_define"].split() == ["ULLNIC_LUT6=1"]


def test_fusesoc_gives_quartus_the_constraints(copy):
    done = fusesoc(copy, "--setup", "--target=quartus", "user:lib:card")
    assert done.returncode == 0, done.stderr[-2000:]
    project = copy / "build/user_lib_card_1/quartus-quartus"
    text = (project / "user_lib_card_1.tcl").read_text()
    (sdc,) = re.findall(r"SDC_FILE (\S+)", text)
    assert (project / sdc).read_bytes() == (CORES / "macpcs/constraints/macpcs.sdc").read_bytes()
    (script,) = re.findall(r"^source (\S+)", text, re.M)
    assert (project / script).read_bytes() == (CORES / "macpcs/constraints/macpcs_qsf.tcl").read_bytes()
    assert "ULLNIC_LUT6" not in text


def test_a_list_with_what_is_not_known_is_refused(tmp_path):
    (tmp_path / "inner.f").write_text("// a comment\na.sv  // another\n\n")
    (tmp_path / "outer.f").write_text("-F inner.f\nb.sv\n+incdir+here\n")
    found = listed_files(tmp_path / "outer.f")
    assert [next(found), next(found)] == [tmp_path / "a.sv", tmp_path / "b.sv"]
    with pytest.raises(UllnicError, match=r"outer.f:3: '\+incdir\+here' is not known"):
        next(found)
