# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Each field of a session's context has one writer.

In the elaborated engine each memory with one entry for each session has one write port, and README.md lists all of
these memories with their writers. Planted second writers are detected.
"""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from formal_run import PROOFS, YOSYS
from ullnic_places import CORES
from ullnic_tb import deep

SESSIONS = 32  # no other memory has this many entries
CONFIGURATIONS = {"reordering": {"RX_REORDERING_EN": 1, "TIMESTAMPS_EN": 1, "SACK_EN": 1}, "default": {}}
SCRIPT = """\
read_slang -j 1 --unroll-limit 100000 {parameters} {files} --top toe
hierarchy -check -top toe
proc
opt_expr
opt_clean
memory_share
memory_collect
write_json netlist.json
"""


@dataclass(frozen=True)
class SecondWriter:
    """`text`, inserted before `before`, which the source has once, is a second write port of `memory`."""

    name: str
    source: str  # of rtl/
    before: str
    text: str
    memory: str

    @property
    def anchor(self) -> tuple[Path, str]:
        return CORES / "toe" / "rtl" / self.source, self.before


PLANTED = (
    SecondWriter(
        "process",
        "toe_tx.sv",
        "  // --- The user's packets",
        "  always @(posedge clk) if (over) fin_left[index_t'(tcp_sid)] <= '0;\n",
        "u_tx.fin_left",
    ),
    SecondWriter(
        "context",
        "toe_tcp.sv",
        '  (* ram_style = "distributed" *) logic [3:0] states[SESSIONS];',
        "  always @(posedge clk) if (rst) contexts[0] <= '0;\n",
        "u_tcp.contexts",
    ),
    SecondWriter(
        "same_process",
        "toe_rx_rcv.sv",
        "    if (wr) begin",
        "    if (rst) open_ram[0] <= 1'b0;\n",
        "u_rx.u_accept.u_rcv.open_ram",
    ),
)


def sources(core: str) -> list[Path]:
    lines = (CORES / core / f"{core}.f").read_text().splitlines()
    return [CORES / core / line for line in lines if line and not line.startswith("//")]


def writers(name: str, parameters: dict[str, int], planted: SecondWriter | None = None) -> dict[str, int]:
    """Each memory with one entry for each session, and the number of its write ports."""
    directory = PROOFS / f"one_writer-{name}"
    directory.mkdir(parents=True, exist_ok=True)
    files = []
    for path in sources("common") + sources("toe"):
        if planted and path.name == planted.source:
            text = path.read_text()
            assert text.count(planted.before) == 1, f"adapt what is planted in {path.name}"
            path = directory / path.name
            path.write_text(text.replace(planted.before, planted.text + planted.before))
        files.append(str(path))
    arguments = {"SESSION_COUNT": SESSIONS, **parameters}
    (directory / "run.ys").write_text(
        SCRIPT.format(
            parameters=" ".join(f"-G {key}={value}" for key, value in arguments.items()), files=" ".join(files)
        )
    )
    run = subprocess.run(
        YOSYS,
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, "\n".join(run.stdout.splitlines()[-30:])
    found = {}
    for module in json.loads((directory / "netlist.json").read_text())["modules"].values():
        for cell, content in module["cells"].items():
            if content["type"] == "$mem_v2" and int(content["parameters"]["SIZE"], 2) == SESSIONS:
                found[cell] = int(content["parameters"]["WR_PORTS"], 2)
    return found


def listed() -> set[str]:
    """The memories of the table in README.md."""
    text = (CORES / "toe" / "README.md").read_text()
    table = text.split("<!-- one writer -->")[1].split("<!-- end -->")[0]
    return {
        name
        for line in table.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(.+?)`", line.split("|")[1])
    }


DEEP = deep(__file__, "cores/toe/rtl", "cores/common/rtl")


@pytest.mark.parametrize("name", ["reordering", pytest.param("default", marks=DEEP)])
def test_one_writer(name):
    found = writers(name, CONFIGURATIONS[name])
    assert {memory for memory, ports in found.items() if ports != 1} == set()
    if name == "default":
        assert set(found) < listed()
    else:
        assert set(found) == listed()


@DEEP
@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name)
def test_second_writer_is_seen(planted):
    found = writers(f"planted-{planted.name}", CONFIGURATIONS["reordering"], planted)
    assert {name for name, ports in found.items() if ports != 1} == {planted.memory}
