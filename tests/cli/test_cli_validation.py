# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Invalid options are refused before anything is installed or built, and before waiting for another build."""

import re
import struct
import time

import click
import pytest

from ullnic import apt
from ullnic.cli import cli
from ullnic.errors import UllnicError
from ullnic.locks import file_lock
from ullnic.options import FaultSpec
from ullnic.packetdrill.flags import ENGINES, NAMES, NUMBERS
from ullnic.paths import BUILD, ROOT

PCAP = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
RECORD = struct.pack("<IIII", 0, 0, 60, 60) + bytes(60)


@pytest.fixture
def call(monkeypatch):
    """Calls the command on a machine that lacks a package that each subcommand needs; returns the reason for the
    refusal.
    """
    users = (*apt.BUILD_USERS, "lint")
    need = apt.Need("no-such-package", "testing", users, commands=("no-such-command",))
    monkeypatch.setattr(apt, "NEEDS", (need,))
    monkeypatch.setattr(apt, "can_install", lambda: False)
    monkeypatch.setenv("ULLNIC_CHROMIUM", "/nope")

    def refused(*argv: object) -> str:
        with pytest.raises((click.ClickException, UllnicError)) as error:
            cli.main([str(each) for each in argv], prog_name="ullnic", standalone_mode=False)
        return getattr(error.value, "message", "") or str(error.value)

    return refused


FAULTS = [
    ("dorp=0.1", "'dorp=0.1' is none of drop=P"),
    ("drop", "'drop' is none of"),
    ("drop=0.1,", "'' is none of"),
    (" drop=0.1", "is none of"),
    ("DROP=0.1", "is none of"),
    ("drop=0.1,drop=0.1", "'drop' is given twice"),
    *(
        (f"drop={text}", "not a probability")
        for text in ("", "2", "-0.1", "nan", "inf", "1e", "0x1", "1_0", " 0.1", "+0")
    ),
    ("ber=1e-999", "not a probability"),  # the simulation could not read it
]


@pytest.mark.parametrize("spec, said", FAULTS)
def test_faults(call, spec, said):
    assert said in call("run", "--fault", spec)


@pytest.mark.parametrize(
    "spec", ["", "drop=0", "drop=1", "drop=.5,dup=1.,reorder=1e-3,corrupt=0.01,ber=1E-12", "drop=0e9"]
)
def test_faults_that_are_right(spec):
    assert FaultSpec().convert(spec, None, None) == spec


WRONG = [
    (["run", "--market", "/nope"], "/nope does not exist"),
    (["run", "--market", "/"], "Is a directory"),
    (["run", "--seed", "-1"], "not in the range"),
    (["run", "--out", "LONG"], "the path of a socket in"),
    (["soak", "ate", "--out", "LONG"], "the path of a socket in"),
    (["run", "--out", "/proc/x"], "cannot be written"),
    (["run", "link", "--replay", "/nope"], "/nope does not exist"),
    (["run", "link", "--replay", "TEXT"], "unknown file format"),
    (["run", "link", "--replay", "CUT"], "damaged after frame 1"),
    (["run", "--market", "CUT"], "damaged after frame 1"),
    (["run", "link", "--replay", "WHOLE", "--keep"], "--keep is for the live link"),
    (["run", "link", "--fault-ab", "dorp=1"], "is none of"),
    (["run", "link", "--fault-ba", "drop=1.5"], "not a probability"),
    (["run", "link", "--bulk", "nan"], "is not a size"),
    (["run", "link", "--config", "none"], "is not one of"),
    (["run", "link", "--out", "/proc/x"], "cannot be written"),
    (["run", "toe", "--fault", "dorp=1"], "is none of"),
    (["run", "toe", "--out", "/proc/x"], "cannot be written"),
    (["soak", "ate", "--fault", "dorp=1"], "is none of"),
    (["soak", "ate", "--stall", "nan"], "not a finite number"),
    (["soak", "ate", "--out", "/proc/x"], "cannot be written"),
    (["soak", "toe", "--fault", "dorp=1"], "is none of"),
    (["soak", "toe", "--hostile", "nan"], "not a finite number"),
    (["soak", "toe", "--out", "/proc/x"], "cannot be written"),
    (["soak", "hostile", "--minutes", "nan"], "not a finite number"),
    (["soak", "hostile", "--only", "none"], "is not one of"),
    (["soak", "macpcs", "--minutes", "nan"], "not a finite number"),
    (["soak", "macpcs", "--minutes", "inf"], "not a finite number"),
    (["soak", "macpcs", "--seed", 2**63], "not in the range"),
    (["soak", "macpcs", "--generics", "TEXT"], "holds no generics"),
    *(
        (["measure", core, *wrong], said)
        for core in ("macpcs", "ate", "toe", "link")
        for wrong, said in (
            (["--seed", "-1"], "not in the range"),
            (["--frames", 10**12], "not in the range"),
            (["--json", "/proc/x"], "cannot be written"),
            (["--json", "/nope/x.json"], "No such file or directory"),
        )
    ),
    (["measure", "qdma", "--seed", "-1"], "not in the range"),
    (["measure", "qdma", "--json", "/proc/x"], "cannot be written"),
    (["measure", "qdma", "--sizes", "64,5000"], "a packet has at most 4096 bytes; more are for --mode mm_c2h"),
    (["measure", "macpcs", "--update-docs", "--config", "nofifo_pma16_mac16"], "--update-docs writes all"),
    (["synth", "macpcs", "--json", "/nope/x.json"], "No such file or directory"),
    (["report", "--output", "/proc/x"], "cannot be written"),
    (["report", "--executor", "nope"], "there is no executor 'nope'"),
    (["report", "--picture"], "ULLNIC_CHROMIUM=/nope is not a program"),
    (["report", "--seed", "-1"], "not in the range"),
    (["report", "--", "--forceall"], "--executor was not given"),
    (["run-point", "nope"], "there is no point 'nope'"),
    (["run-point", "--config", "nofifo_pma16_mac16"], "--config goes with --build only"),
    (["guest", "--run", "/nope"], "does not exist"),
    (["guest", "--run", "/"], "is a directory"),
    (["guest", "--run", "TEXT", "--share", "TEXT"], "is a file"),
    (["guest", "--run", "TEXT", "--card", "nope"], "is not one of"),
    (["guest", "--run", "TEXT", "--port", "0=sink"], "--port is for --card"),
    (["guest", "--run", "TEXT", "--forward", "80"], "'80' is not HOST:GUEST"),
    (["guest", "--run", "TEXT", "--forward", "0:80"], "'0:80' is not HOST:GUEST"),
    (["guest", "--run", "TEXT", "--forward", "8080:65536"], "is not HOST:GUEST"),
    (
        ["guest", "--run", "TEXT", "--forward", "48080:80", "--forward", "48080:81"],
        "port 48080 of this machine is given",
    ),
    (["guest", "--run", "TEXT", "--memory", "64"], "not in the range"),
    (["guest", "--run", "TEXT", "--kernel-package", "bash"], "'bash' is not the name of a package of a kernel"),
    (["guest", "--run", "TEXT", "--mirror", "mirror"], "'mirror' is not a URL"),
    (["guest", "word"], "ARGUMENTS are for the script of --run"),
    (["packetdrill", "/nope"], "does not exist"),
    (["packetdrill", "TEXT"], "TEXT:1: 'text' is no time"),
    (["packetdrill", "FLAGS"], "FLAGS: --so_flags: 'dorp=1' is no flag"),
    (["packetdrill", "SCRIPT", "--flags", "dorp=1"], "'dorp=1' is no flag"),
    (["packetdrill", "SCRIPT", "--flags", "retries=16"], "no number from 0 to 15"),
    (["packetdrill", "SCRIPT", "--flags", "ip=nope"], "nope"),
    (["packetdrill", "SCRIPT", "--flags", "engine=large"], "write engine=full or engine=small"),
    (["packetdrill", "SCRIPT", "--pcapng", "/proc/x"], "cannot be written"),
    (["packetdrill", "SCRIPT", "SCRIPT", "--pcapng", "."], "have the same name"),
    (["packetdrill", "SCRIPT", "--program", "/nope"], "there is no program '/nope'"),
    (["packetdrill"], "name scripts, or a folder of them with --suite"),
    (["packetdrill", "--suite", "."], "needs --program"),
    (["packetdrill", "SCRIPT", "--kernel"], "go with --suite"),
    (["test", "--workers", "0"], "not in the range"),
    (["test", "tests/nope.py::test_it"], "there is no 'tests/nope.py::test_it'"),
    (["lint", "--only", "taste"], "is not one of"),
]


@pytest.mark.parametrize(
    "argv, said", WRONG, ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else ""
)
def test_wrong_options(call, files, argv, said):
    assert said in call(*(files.get(each, each) for each in argv))


RIGHT = [
    ["run"],
    ["run", "--market", "WHOLE"],
    ["run", "link"],
    ["run", "link", "--replay", "WHOLE"],
    ["run", "toe"],
    ["guest", "--run", "TEXT"],
    ["guest", "--run", "TEXT", "--card", "trigger_pma16", "--port", "0=sink", "--dma", "model", "--", "--word"],
    ["soak", "ate"],
    ["soak", "toe"],
    ["soak", "macpcs", "--minutes", "1"],
    *(["measure", core] for core in ("macpcs", "ate", "toe", "link", "qdma")),
    ["report", "--frames", "101"],
    ["run-point", "--force", "macpcs/latency/nofifo_pma32_mac32/transceiver"],
    ["run-point", "--build"],
    ["packetdrill", "SCRIPT"],
    ["test"],
    ["test", "--", "tests/cli", "tests/cli/test_cli_validation.py::test_faults", "--junitxml", "no/such.xml"],
    ["lint"],
]


@pytest.mark.parametrize("argv", RIGHT, ids=" ".join)
def test_what_is_missing_is_named_once_the_options_are_right(call, files, argv):
    """So whatever the tests above saw refused was refused before this step."""
    assert "needs what is not installed: no-such-package (testing)" in call(*(files.get(each, each) for each in argv))


@pytest.fixture
def files(tmp_path, monkeypatch) -> dict:
    monkeypatch.setattr("ullnic.run.folder.RUNS", tmp_path / "runs")
    contents = {
        "TEXT": b"text\n",
        "WHOLE": PCAP + RECORD,
        "CUT": PCAP + RECORD + RECORD[:-1],
        "SCRIPT": b"0.000 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n",
        "FLAGS": b'--so_flags="dorp=1"\n0.000 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n',
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    return {name: tmp_path / name for name in contents} | {"LONG": tmp_path / ("long" * 25)}


def test_another_build_is_not_waited_for(ullnic):
    with file_lock(BUILD / "sim.lock", "build"), file_lock(BUILD / "host.lock", "build"):
        start_s = time.monotonic()
        refused = ullnic("run", "link", "--fault-ab", "dorp=0.1"), ullnic("run", "--market", "/nope")
        print(f"{time.monotonic() - start_s:.1f} s")
    assert [each.returncode for each in refused] == [2, 1]
    assert not any("waiting" in each.stderr for each in refused)


def test_the_flags_are_those_of_the_engine():
    source = (ROOT / "sim/src/packetdrill/flags.cc").read_text()
    limits = {"k4": 15, "k16": 0xFFFF, "k32": 0xFFFF_FFFF}
    numbers = re.findall(r'\{"(\w+)", \[&\]\(auto& v\) \{ Number\(v, (\w+),', source)
    assert {name: limits[limit] for name, limit in numbers} == NUMBERS
    assert set(NAMES) == set(re.findall(r'\{"(\w+)", \[&\]', source))
    assert all(f'"{engine}"' in source for engine in ENGINES)


def test_the_faults_are_those_of_the_simulation():
    source = (ROOT / "sim/src/link/spec.cc").read_text()
    assert re.findall(r'spec\.Probability\("(\w+)"\)', source) == list(FaultSpec.NAMES)
