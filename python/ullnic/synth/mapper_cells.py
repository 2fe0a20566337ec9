# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The mapper's library: the cells of yosys' Xilinx library with the delays of UltraScale+ (delays.py).

Yosys has delays of the 7 series, in which a LUT costs more than a net. On UltraScale+ a net costs twice a LUT, and a
mapper that knows it uses fewer and fuller levels. abc counts one net delay for each LUT; where a LUT's output needs no
routing (into a carry chain) or the endpoint needs it (a register's CE, R), the endpoint's own figure compensates.
"""

from ullnic.synth import delays
from ullnic.synth.netlist import LINE_IN, LINE_OUT, READ_ONLY

# A net of fan-out 3 with the loose model, on which the verdict is based.
NET_PS = round(delays.net_model("loose").delay_ps(3))
NAMED_LUT6 = "ULLNIC_LUT6"
RAM_PORTS = "ABCDEFGH"
LUTRAMS = {"RAM32M16": (5, 2), "RAM64M8": (6, 1)}  # what yosys generates for UltraScale+: bits of an address, of a word
LUT_AREA = {1: 1, 2: 2, 3: 3, 4: 3, 5: 3, 6: 5, 7: 10, 8: 20}  # yosys' own
ROUTED_END_PS = NET_PS - delays.LUT_TO_REGISTER_PS - delays.SETUP_PS["D"]


def library() -> str:
    """Verilog for `read_verilog -lib -specify -overwrite`."""
    modules = [_lut(width) for width in range(1, 7)] + [_wide_lut(7), _wide_lut(8)]
    modules += [_register("FDRE", "R"), _register("FDSE", "S"), _carry4(), _line_in(), _line_out()]
    modules += [kind(name) for name in LUTRAMS for kind in (_lutram, _read_lutram)]
    return "\n".join([*modules, _named_lut()]) + "\n"


def _module(attributes: str, header: str, arcs: list[str], body: str = "") -> str:
    return (
        f"(* {attributes} *)\nmodule {header};\n{body}  specify\n    "
        + "\n    ".join(arcs)
        + "\n  endspecify\nendmodule"
    )


def _paths(pins: list[str], times_ps: list[float]) -> list[str]:
    return [f"({pin} => O) = {round(time_ps)};" for pin, time_ps in zip(pins, times_ps, strict=True)]


def _lut(width: int) -> str:
    pins = [f"I{i}" for i in range(width)]
    header = f"LUT{width} #(parameter [{2**width - 1}:0] INIT = 0) (output O, input {', '.join(pins)})"
    return _module(f"abc9_lut = {LUT_AREA[width]}", header, _paths(pins, list(reversed(delays.LUT_PS[:width]))))


def _named_lut() -> str:
    """A LUT6 instantiated by the RTL: a box, so that the mapper knows when its output arrives. A box counts no net."""
    pins = [f"I{i}" for i in range(6)]
    header = f"{NAMED_LUT6} #(parameter [63:0] INIT = 0) (output O, input {', '.join(pins)})"
    times_ps = [NET_PS + delays.LUT_PS[2]] * 6
    return _module("abc9_box, blackbox", header, _paths(pins, times_ps))


def _wide_lut(width: int) -> str:
    """Two or four LUT6 and the multiplexers after them, as abc sees them: one LUT."""
    seven, eight = delays.MUXF["MUXF7"], delays.MUXF["MUXF8"]
    behind_ps = delays.LUT_TO_MUXF7_PS + seven["I"]
    times_ps = [lut_ps + behind_ps for lut_ps in reversed(delays.LUT_PS)] + [seven["S"]]
    if width == 8:
        times_ps = [time_ps + eight["I"] for time_ps in times_ps] + [eight["S"]]
    pins = [f"I{i}" for i in range(width)]
    header = f"\\$__ABC9_LUT{width} (output O, input {', '.join(pins)})"
    return _module(f"abc9_lut = {LUT_AREA[width]}", header, _paths(pins, times_ps))


def _register(name: str, reset: str) -> str:
    # The mapper does not accept negative setup times: all are relative to that of D.
    arcs = ["$setup(D, posedge C, 0);"]
    arcs += [f"$setup({pin}, posedge C, {delays.SETUP_PS[pin] + ROUTED_END_PS});" for pin in ("CE", reset)]
    arcs.append(f"(posedge C => (Q : D)) = {delays.CLOCK_TO_Q_PS};")
    parameters = ", ".join(
        f"parameter [0:0] {p} = 0" for p in ("INIT", "IS_C_INVERTED", "IS_D_INVERTED", f"IS_{reset}_INVERTED")
    )
    return _module("blackbox", f"{name} #({parameters}) (output Q, input C, CE, D, {reset})", arcs)


def _lutram(name: str) -> str:
    """A distributed RAM, written through port H; yosys has no times for it. Its read data starts at 0."""
    setup_ps = delays.LUTRAM_SETUP_PS + ROUTED_END_PS
    written = [f"DI{letter}" for letter in RAM_PORTS] + ["ADDRH", "WE"]
    arcs = [f"$setup({pin}, posedge WCLK, {setup_ps});" for pin in written]
    return _module("blackbox", _ram_header(name, name), arcs)


def _read_lutram(name: str) -> str:
    """One whose write port belongs to another clock: read through like a LUT, and a box for that.

    abc would sweep away the logic that leads to a box that nobody reads, so the other kind cannot be a box.
    """
    read_ps = NET_PS + delays.LUTRAM_READ_PS  # a box counts no net
    arcs = [f"(ADDR{letter} *> DO{letter}) = {read_ps};" for letter in RAM_PORTS]
    return _module("abc9_box, blackbox", _ram_header(READ_ONLY + name, name), arcs)


def _ram_header(name: str, kind: str) -> str:
    address_bits, data_bits = LUTRAMS[kind]
    inits = ", ".join(f"parameter [63:0] INIT_{letter} = 0" for letter in RAM_PORTS)
    data, address = f"[{data_bits - 1}:0]", f"[{address_bits - 1}:0]"
    ports = [f"output {data} DO{letter}" for letter in RAM_PORTS] + [f"input {data} DI{letter}" for letter in RAM_PORTS]
    ports += [f"input {address} ADDR{letter}" for letter in RAM_PORTS] + ["input WCLK, WE"]
    return f"{name} #({inits}, parameter [0:0] IS_WCLK_INVERTED = 0) ({', '.join(ports)})"


def _line_in() -> str:
    return _module(
        "blackbox", f"{LINE_IN} (output Q, input C, D)", [f"(posedge C => (Q : D)) = {delays.LINE_CLOCK_TO_OUT_PS};"]
    )


def _line_out() -> str:
    setup_ps = delays.LINE_SETUP_PS + ROUTED_END_PS
    return _module("blackbox", f"{LINE_OUT} (output Q, input C, D)", [f"$setup(D, posedge C, {setup_ps});"])


def _carry4() -> str:
    saved_ps = NET_PS - delays.LUT_TO_CARRY_PS  # the LUT before it needs no routing
    arcs = []
    for j in range(4):
        for port, from_s, from_ci in (
            ("O", delays.CARRY_S_TO_O_PS, delays.CARRY_CI_TO_O_PS),
            ("CO", delays.CARRY_S_TO_CO_PS, delays.CARRY_CI_TO_CO_PS),
        ):
            ci_ps = delays.CARRY4_CI_TO_CO3_PS if (port, j) == ("CO", 3) else from_ci[j]
            arcs += [f"({pin} => {port}[{j}]) = {ci_ps};" for pin in ("CI", "CYINIT")]
            arcs += [f"(S[{i}] => {port}[{j}]) = {max(0, from_s[j - i] - saved_ps)};" for i in range(j + 1)]
            arcs += [f"(DI[{i}] => {port}[{j}]) = {from_s[j - i]};" for i in range(j + (port == "CO"))]
    ports = (
        "(* abc9_carry *) output [3:0] CO, output [3:0] O, (* abc9_carry *) input CI, input CYINIT, input [3:0] DI, S"
    )
    body = "  wire [4:0] c;\n  assign c = {(S & c[3:0]) | (~S & DI), CI | CYINIT};\n"
    body += "  assign CO = c[4:1];\n  assign O = S ^ c[3:0];\n"
    return _module("abc9_box, lib_whitebox", f"CARRY4 ({ports})", arcs, body)
