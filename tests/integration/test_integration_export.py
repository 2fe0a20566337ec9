# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`./ullnic export`: its Verilog-2005 is read by tools that know nothing later, and does what the core does."""

import re
import shutil
import subprocess
from pathlib import Path

import cocotb
import pytest
from click.testing import CliRunner
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge

from modules import TOPS, instance
from ullnic import export
from ullnic.configs import CONFIGS
from ullnic.core_configs import row, settings
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic_tb import Bench, cocotb_tests

QUEUES_128 = settings(row("qdma", "queues_128").parameters)
# What a user is likely to build, as PARAMETER=VALUE.
CONFIGURATIONS = {
    "macpcs": [settings(each.parameters) for each in CONFIGS],
    "macpcs_managed": ["", "DUAL_CLOCK_FIFO_TX_ENABLE=1 DUAL_CLOCK_FIFO_RX_ENABLE=1"],
    "ate": ["", "HOLD=1"],
    "ate_tx": ["", "PMA_DATA_WIDTH=16"],
    "toe": ["", "SESSION_COUNT=16 RX_REORDERING_EN=1 SACK_EN=1 TIMESTAMPS_EN=1 HOST_EN=1 SESSION_POLICY_EN=1"],
    "toe_axil": [""],
    "qdma": [QUEUES_128, settings(row("qdma", "bench_128").parameters | {"MM": 1})],
    "qdma_usp": [QUEUES_128, ""],
}
ALL = [(top, settings) for top, each in CONFIGURATIONS.items() for settings in each]
SOURCES = ("cores/common/rtl", "cores/ate/rtl")
SOURCES += tuple(f"cores/{core}/{kind}" for core in ("macpcs", "toe", "qdma") for kind in ("rtl", "regs/generated"))
DEEP = deep(__file__, "python/ullnic/export.py", *SOURCES)
TOE_AXIL = deep(__file__, "python/ullnic/export.py", "cores/toe/tb/test_toe_axil.py", *SOURCES, any_seed=True)


def made(top: str, settings: str, folder: Path, name: str = "") -> Path:
    return export.export(top, tuple(settings.split()), name or top, folder, show=False)


def read_by_others(verilog: Path, top: str) -> None:
    """By Icarus and Verilator as Verilog-2005; yosys' own reader has read it when it was written. The VHDL by GHDL."""
    tools = [
        ["iverilog", "-g2005", "-Wall", "-tnull", verilog],
        # Its warnings are of style.
        ["verilator", "--lint-only", "--quiet", "--language", "1364-2005", "-Wno-fatal", "--top", top, verilog],
    ]
    if shutil.which("ghdl"):
        component = export.write_component(verilog, top)
        tools += [["ghdl", "-a", f"--std={std}", f"--workdir={verilog.parent}", component] for std in ("93", "08")]
    for tool in tools:
        done = subprocess.run(tool, capture_output=True, text=True)
        assert done.returncode == 0, (tool[0], done.stderr[-2000:])
        assert not done.stderr or tool[0] == "verilator", done.stderr[-2000:]


def test_default_configuration_is_read_by_others(tmp_path):
    read_by_others(made("macpcs", "", tmp_path), "macpcs")


@DEEP
@pytest.mark.parametrize("top, settings", ALL, ids=lambda text: text or "default")
def test_is_read_by_others_and_has_the_ports(tmp_path, top, settings):
    verilog = made(top, settings, tmp_path)
    read_by_others(verilog, top)
    files = TOPS[top][1]
    given = ", ".join(f".{name}({value})" for name, value in (each.split("=") for each in settings.split()))
    ports = instance("outside", "u_it", files=files, text=f"module outside; {top} #({given}) u_it (); endmodule")[1]
    directions = {"input": "In", "output": "Out"}
    found = {name: directions[direction] for name, direction, _ in export.ports_of(verilog, top)}
    assert list(found.items()) == list(ports.items())
    names = re.findall(r"^module (\w+)", verilog.read_text(), re.M)
    assert len(names) == len(set(names)) and all(name == top or name.startswith(f"{top}__") for name in names)


def test_vhdl_of_the_guide_is_analysed(tmp_path):
    if not shutil.which("ghdl"):
        pytest.skip("no ghdl")
    component = export.write_component(made("macpcs", "", tmp_path), "macpcs")
    (text,) = re.findall(r"```vhdl\n(.*?)```", (ROOT / "docs/integrating.md").read_text(), re.S)
    user = tmp_path / "port0.vhd"
    for port, code in ((None, 0), ("rx_max_length", 1), ("tx_prbs31", 1)):  # without an input it is refused
        user.write_text("\n".join(line for line in text.splitlines() if not line.strip().startswith(f"{port} =>")))
        argv = ["ghdl", "-a", "--std=93", f"--workdir={tmp_path}", component, user]
        done = subprocess.run(argv, capture_output=True, text=True)
        assert done.returncode == code, done.stderr


# --- Simulation


EXPORTED, ZERO = "exported", "'0"
BESIDE = """\
module beside (
    input  logic        clk,
    input  logic        rst,
    output logic [31:0] frames,
    output logic [31:0] differences
);
  logic [31:0] random = 32'h1;  // LFSR
  logic [5:0] words_left = '0;
  logic tready;
  logic [31:0] line;
  logic [{bits}-1:0] ours, exported;
  always_ff @(posedge clk) begin
    random <= {{random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]}};
    if (tready) words_left <= words_left == '0 ? 6'd15 + 6'(random[4:0]) : words_left - 1'b1;
    if (rst) frames <= '0;
    else if (ours[0]) frames <= frames + 1'b1;
    if (rst) differences <= '0;
    else if (ours != exported) differences <= differences + 1'b1;
  end
{instances}
endmodule
"""
INPUTS = {
    **{name: "clk" for name in ("tx_clk", "rx_clk", "s_axis_clk", "m_axis_clk")},
    **{name: "rst" for name in ("tx_rst", "rx_rst", "s_axis_rst", "m_axis_rst")},
    "s_axis_tdata": "random",
    "s_axis_tkeep": "'1",
    "s_axis_tvalid": "1'b1",
    "s_axis_tlast": "words_left == '0",
    "rx_max_length": "16'd9622",
    "pma_rx_data": "line",  # what the core itself sends
    "m_axis_tready": "1'b1",
    "tx_ignore_fault": "1'b1",
}


def beside(verilog: Path) -> str:
    """A module with the core and its export: the same inputs for both, and all outputs compared."""
    ports = export.ports_of(verilog, EXPORTED)
    place, bits = {}, 1  # of each output; bit 0 is that of the verdict
    for name, direction, width in ports:
        if name == "rx_status_good":
            place[name] = "[0]"
        elif direction == "output":
            place[name] = f"[{bits}+:{width}]"
            bits += width
    lines = [f"  assign line = ours{place['pma_tx_data']};", f"  assign tready = ours{place['s_axis_tready']};"]
    for module, to in (("macpcs", "ours"), (EXPORTED, "exported")):
        pins = [f".{name}({to + place[name] if name in place else INPUTS.get(name, ZERO)})" for name, *_ in ports]
        lines.append(f"  {module} u_{to} ({', '.join(pins)});")
    return BESIDE.format(instances="\n".join(lines), bits=bits)


@cocotb.test()
async def compare(dut):
    """Long enough for block lock, and for hundreds of frames after it."""
    cocotb.start_soon(Clock(dut.clk, 3, "ns").start())
    dut.rst.value = 1
    await ClockCycles(dut.clk, 8)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 12000)
    await FallingEdge(dut.clk)
    frames, differences = int(dut.frames.value), int(dut.differences.value)
    assert frames > 200, frames
    assert differences == 0, f"{differences} cycles differ"


def run_beside(verilog: Path) -> None:
    bench = verilog.with_name("beside.sv")
    bench.write_text(beside(verilog))
    Bench("beside", [*TOPS["macpcs"][1], verilog, bench], starts_with_zeros=True).run(__name__, "compare")


@DEEP
def test_does_what_the_core_does_in_each_cycle(tmp_path):
    run_beside(made("macpcs", "", tmp_path, EXPORTED))


@DEEP
def test_a_difference_is_seen(tmp_path):
    """The verdict of each frame is the opposite one."""
    verilog = made("macpcs", "", tmp_path, EXPORTED)
    text, planted = verilog.read_text(), "assign rx_status_good = !"
    assert text.count(planted) == 1
    verilog.write_text(text.replace(planted, planted[:-1] + "|"))
    with pytest.raises(pytest.fail.Exception, match="cycles differ"):
        run_beside(verilog)


@TOE_AXIL
def test_passes_the_tests_of_the_core(tmp_path, seed):
    """Those of toe_axil, whose registers PeakRDL has generated."""
    import test_toe_axil as tests

    names = cocotb_tests(tests.__name__)
    assert len(names) > 5
    bench = Bench("toe_axil", [made("toe_axil", "", tmp_path)], starts_with_zeros=True)
    for name in names:
        bench.run(tests.__name__, name)


# --- The command


def run(*arguments: str):
    return CliRunner().invoke(export.command, arguments, standalone_mode=False)


def test_command_writes_what_it_names(tmp_path):
    result = run("ate", "--verilog", "--vhdl", "--set", "CONNECTIONS=16", "--name", "ate16", "--out", str(tmp_path))
    assert result.exception is None, result.output
    assert {path.name for path in tmp_path.iterdir()} == {"ate16.v", "ate16_component.vhd"}
    text = (tmp_path / "ate16.v").read_text()
    assert "ate of ullnic" in text and "CONNECTIONS=16" in text and "\nmodule ate16" in text
    assert str(ROOT) not in text and "(* src" not in text
    assert "component ate16 is" in (tmp_path / "ate16_component.vhd").read_text()


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("ate",), "Say what to write"),
        (("ate", "--verilog", "--set", "CONNECTIONS"), "'CONNECTIONS' is not PARAMETER=NUMBER"),
        (("ate", "--verilog", "--name", "2ate"), "'2ate' is not a name"),
        (("ate", "--verilog", "--set", "NOPE=1"), "ate has no parameter NOPE"),
        (("ate", "--verilog", "--set", "CONNECTIONS=17"), "CONNECTIONS"),
    ],
)
def test_command_refuses(tmp_path, arguments, said):
    result = run(*arguments, "--out", str(tmp_path / "out"))
    assert said in str(result.exception), result.exception
    if isinstance(result.exception, UllnicError):
        assert result.exception.remedy
    assert not (tmp_path / "out").exists()
