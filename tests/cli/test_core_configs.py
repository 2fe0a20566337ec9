# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A configuration of a core is a row of its configs.toml: errors are reported, and the tools recognise a new row
without an edit.
"""

import re
import shutil
import subprocess
import sys

import pytest

from ullnic import configs, engines
from ullnic.core_configs import KINDS, check_all, path_of, read_all
from ullnic.errors import UllnicError
from ullnic.paths import ROOT

ROW = """[toy]
label = "a toy"
tx_user_clock = "own"
rx_user_clock = "rx/2"
measure = true
synth = true
run = true
parameters = { PMA_DATA_WIDTH = 16, MAC_TX_CLK_FREQ_KHZ = 350000 }
"""
WRONG = {  # what is replaced, by what, and the error message
    "missing": ('label = "a toy"\n', "", r"\[toy\] the key 'label' is missing"),
    "unknown": ("synth =", "synht =", r"\[toy\] unknown key 'synht' .*did you mean 'synth'"),
    "type": ("measure = true", "measure = 1", r"\[toy\] 'measure' is 1, which is not true or false"),
    "parameter's type": ("WIDTH = 16", 'WIDTH = "16"', r"\[toy\] 'parameters' is .* not a table of whole numbers"),
    "parameter": ("PMA_DATA_WIDTH", "PMA_WIDTH", r"\[toy\] macpcs has no parameter 'PMA_WIDTH' .*'PMA_DATA_WIDTH'"),
    "no section": ("[toy]\n", "", "macpcs/configs.toml: 'label' is not in a section"),
    "name": ("[toy]", "[Toy]", r"\[Toy\] .*lower-case"),
    "clock": ('"rx/2"', '"rx/4"', r"\[toy\] rx_user_clock is 'rx/4' .*one of rx, rx/2"),
    "frequency": ('"own"', '"tx"', r"\[toy\] tx_user_clock is 'tx' .*goes with MAC_TX_CLK_FREQ_KHZ"),
    "no frequency": (", MAC_TX_CLK_FREQ_KHZ = 350000", "", r"\[toy\] tx_user_clock is 'own' .*MAC_TX_CLK_FREQ_KHZ"),
    "module": ('label = "a toy"', 'label = "a toy"\ntop = "mac"', r"\[toy\] top: there is no mac.sv"),
    "run": ("measure = true\n", "", r"\[toy\] 'run' needs 'measure' and 'synth'"),
    "TOML": ("synth = true", "synth = ", "macpcs/configs.toml: .*line 6.*correct the TOML"),
}


@pytest.fixture
def tree(tmp_path):
    """A tree with the modules of macpcs, and one configuration."""
    shutil.copytree(ROOT / "cores/macpcs/rtl", tmp_path / "cores/macpcs/rtl")
    (tmp_path / path_of("macpcs")).write_text(ROW)
    return tmp_path


def test_a_right_one_is_read(tree):
    found = read_all(tree, "macpcs")["toy"]
    assert (found.label, found.run, found.published) == ("a toy", True, False)
    assert found.parameters == {"PMA_DATA_WIDTH": 16, "MAC_TX_CLK_FREQ_KHZ": 350000}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_one_is_reported(tree, what):
    old, new, said = WRONG[what]
    assert ROW.count(old) == 1
    (tree / path_of("macpcs")).write_text(ROW.replace(old, new))
    with pytest.raises(UllnicError) as error:
        read_all(tree, "macpcs")
    assert re.search(said, str(error.value)), error.value
    assert "cores/macpcs/configs.toml" in str(error.value) and error.value.remedy


def test_an_engine_that_is_measured_states_its_widths(tmp_path):
    shutil.copytree(ROOT / "cores/toe/rtl", tmp_path / "cores/toe/rtl")
    (tmp_path / path_of("toe")).write_text('[toy]\nlabel = "a toy"\nmeasure = true\nparameters = {}\n')
    with pytest.raises(UllnicError, match=r"toe/configs.toml: \[toy\] 'measure' needs USER2TCP_DATA_WIDTH"):
        read_all(tmp_path, "toe")


def test_a_name_belongs_to_one_core(tmp_path):
    for core in KINDS:
        shutil.copytree(ROOT / "cores" / core / "rtl", tmp_path / "cores" / core / "rtl")
        (tmp_path / path_of(core)).write_text("")
    check_all(tmp_path)
    for core in ("ate", "qdma"):
        (tmp_path / path_of(core)).write_text('[toy]\nlabel = "a toy"\nparameters = {}\n')
    with pytest.raises(UllnicError, match=r"qdma/configs.toml: \[toy\] is also in cores/ate/configs.toml"):
        check_all(tmp_path)


def test_each_core_has_a_kind_of_row():
    assert {path.parent.name for path in (ROOT / "cores").glob("*/configs.toml")} == set(KINDS)


LEFT_OUT = shutil.ignore_patterns("formal", "__pycache__", "docs")
ADDED = {
    "macpcs": ROW.replace('"own"', '"tx/2"').replace(", MAC_TX_CLK_FREQ_KHZ = 350000", ""),
    "toe": """[toy_engine]
label = "toe, a toy"
measure = true
synth = true
parameters = { USER2TCP_DATA_WIDTH = 32, TCP2USER_DATA_WIDTH = 64, RX_STORE_FORWARD = 1 }
""",
    "ate": '[toy_ate]\nlabel = "ate, a toy"\nsynth = true\nparameters = { CONNECTIONS = 16 }\n',
    "qdma": '[toy_qdma]\nlabel = "qdma, a toy"\nsynth = true\nparameters = { QUEUES = 64 }\n',
}
KNOWN = """
import sys
root = sys.argv[1]
sys.path[:0] = [root + "/python", root + "/cores/common/tb", root + "/cores/macpcs/tb"]
from click.testing import CliRunner
from macpcs_configs import CROSSINGS
from ullnic import configs, engines
from ullnic.measure.command import measure
from ullnic.paths import ROOT
from ullnic.points.plan import ALL_CONFIGS
from ullnic.run.link.command import NAMES
from ullnic.synth.command import synth
from ullnic.synth.cores import ALL
from ullnic_tb import configurations

assert str(ROOT) == root
assert "toy" in CROSSINGS and configurations("ate")["toy_ate"]
for core, name in (("macpcs", "toy"), ("toe", "toy_engine"), ("ate", "toy_ate"), ("qdma", "toy_qdma")):
    assert name in ALL[core].configs and ALL[core].design(name).parameters and ALL[core].label(name)
    assert name in CliRunner().invoke(synth, ["--help"]).output
for core, name in (("macpcs", "toy"), ("toe", "toy_engine")):
    assert name in CliRunner().invoke(measure, [core, "--help"]).output
assert {"toy", "toy_engine", "toy_ate"} <= set(ALL_CONFIGS) and "toy" in NAMES
configs.main()
engines.main()
"""


def test_a_new_row_is_known_to_benches_build_measure_synth_and_run(tmp_path):
    for part in ("python", "cores", "cards", "reference", "VERSION"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part, **{"ignore": LEFT_OUT} if copy is shutil.copytree else {})
    for core, row in ADDED.items():
        with (tmp_path / path_of(core)).open("a") as file:
            file.write("\n" + row)
    done = subprocess.run([sys.executable, "-B", "-c", KNOWN, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = dict(line.split("|", 1) for line in done.stdout.splitlines())
    assert lines["toy"] == "tx/2|rx/2|160|PMA_DATA_WIDTH=16|1"
    parameters = "USER2TCP_DATA_WIDTH=32 TCP2USER_DATA_WIDTH=64 RX_STORE_FORWARD=1"
    assert lines["toy_engine"] == f"ullnic-toe-sweep-toy_engine|32|64|1|{parameters}"


def test_configurations_are_keys():
    """The report has figures by configuration."""
    found = [*configs.MEASURED, *engines.ENGINES]
    assert len(dict.fromkeys(found)) == len(found)
