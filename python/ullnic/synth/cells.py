# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Timing roles of each kind of cell: where paths start and end, and how they pass through. Delays: delays.py."""

import re
from dataclasses import dataclass

from ullnic.errors import UllnicError
from ullnic.synth import delays
from ullnic.synth.netlist import BLOCK_RAM, FLIP_FLOPS, LINE_IN, LINE_OUT, Cell, is_lutram
from ullnic.synth.resources import is_lut

CARRY = ("CARRY4", "CARRY8")


@dataclass(frozen=True)
class Arc:
    """From an input pin of a combinational cell to one of its outputs. None: a LUT's, by the rank of the arrival."""

    port: str
    index: int
    delay_ps: float | None


def launch_ps(cell: Cell, port: str) -> float | None:
    """Clock to this output; None: no path starts here."""
    if cell.kind in FLIP_FLOPS:
        return delays.CLOCK_TO_Q_PS
    if is_lutram(cell.kind):
        return delays.LUTRAM_WRITE_PS
    if cell.kind in BLOCK_RAM:
        return delays.BRAM_CLOCK_TO_OUT_PS[cell.parameter("DOB_REG" if "DOUTB" in port else "DOA_REG") == 1]
    if cell.kind == "URAM288":
        return delays.URAM_CLOCK_TO_OUT_PS
    return {LINE_IN: delays.LINE_CLOCK_TO_OUT_PS, LINE_OUT: delays.CLOCK_TO_Q_PS}.get(cell.kind)


def setup_ps(cell: Cell, port: str) -> float | None:
    """Setup time of this input before the clock's edge; None: no path ends here."""
    if cell.kind in FLIP_FLOPS:
        return delays.SETUP_PS.get(port)
    if is_lutram(cell.kind):
        return delays.LUTRAM_SETUP_PS if _is_write_pin(cell.kind, port) else None
    if cell.kind in BLOCK_RAM:
        found = re.match("(?:CAS)?(ADDR|WE|EN|DIN|RST|REGCE)", port)
        return delays.BRAM_SETUP_PS[found[1]] if found else None
    if cell.kind == "URAM288":
        return None if port == "CLK" else delays.URAM_SETUP_PS
    if cell.kind == LINE_OUT and port == "D":
        return delays.LINE_SETUP_PS
    return None


def _is_write_pin(kind: str, port: str) -> bool:
    if port in ("WE", "D") or port.startswith("DI"):
        return True
    ganged = re.match(r"RAM\d+M(\d*)", kind)
    if ganged:  # the last of its ports is the one that writes
        return port == ("ADDRH" if ganged[1] else "ADDRD")
    return re.fullmatch(r"A\d*", port) is not None


def arcs(cell: Cell, port: str, index: int) -> list[Arc]:
    """The arcs to this output through a combinational cell, or through a distributed RAM from its address."""
    pins = [(name, i) for name, bits in cell.inputs.items() for i in range(len(bits))]
    if is_lut(cell.kind):
        return [Arc(name, i, None) for name, i in pins]
    if cell.kind in delays.MUXF:
        by_pin = delays.MUXF[cell.kind]
        return [Arc(name, i, by_pin["S" if name == "S" else "I"]) for name, i in pins]
    if cell.kind in CARRY:
        found = [Arc(name, i, _carry_ps(cell.kind, name, i, port, index)) for name, i in pins]
        return [arc for arc in found if arc.delay_ps is not None]
    if is_lutram(cell.kind):
        return [Arc(name, i, delays.LUTRAM_READ_PS) for name, i in pins if _reads(port, name)]
    if cell.kind.startswith("BUF"):
        return [Arc(name, i, 0) for name, i in pins]
    raise UllnicError(f"the delays of the cell {cell.kind} are not known", "add it to python/ullnic/synth/cells.py")


def _carry_ps(kind: str, source: str, i: int, port: str, j: int) -> float | None:
    to_sum = port == "O"
    if source in ("S", "DI"):
        if i > j or (source == "DI" and to_sum and i == j):
            return None
        return (delays.CARRY_S_TO_O_PS if to_sum else delays.CARRY_S_TO_CO_PS)[j - i]
    if to_sum:
        return delays.CARRY_CI_TO_O_PS[j]
    if kind == "CARRY4" and j == 3:
        return delays.CARRY4_CI_TO_CO3_PS
    return delays.CARRY_CI_TO_CO_PS[j]


def _reads(port: str, pin: str) -> bool:
    """Whether the address pin addresses the RAM's output: ADDRC to DOC, DPRA* to DPO, A* to SPO and O."""
    if port == "DPO":
        return pin.startswith("DPRA")
    if port in ("SPO", "O"):
        return re.fullmatch(r"A\d*", pin) is not None
    return pin == "ADDR" + port.removeprefix("DO")


def net_in_slice_ps(driver: Cell | None, fanout: int, sink: Cell, port: str) -> float | None:
    """Delay of a connection that needs no routing; None: it is routed."""
    kind = driver.kind if driver else ""
    if sink.kind in CARRY:
        if port in ("CI", "CIN") and kind in CARRY:
            return delays.CARRY_NET_PS[sink.kind]
        if port in ("S", "DI") and is_lut(kind) and fanout == 1:
            return delays.LUT_TO_CARRY_PS
    if sink.kind == "MUXF7" and port in ("I0", "I1") and is_lut(kind):
        return delays.LUT_TO_MUXF7_PS
    if sink.kind == "MUXF8" and port in ("I0", "I1") and kind == "MUXF7":
        return 0
    if sink.kind in FLIP_FLOPS and port == "D" and fanout == 1 and (is_lut(kind) or kind in (*CARRY, *delays.MUXF)):
        return delays.LUT_TO_REGISTER_PS
    return None


def through_lut_ps(driver: Cell | None, sink: Cell, port: str) -> float:
    """A carry chain's S and a wide multiplexer's data are LUT outputs: any other driver passes through a LUT."""
    needs = (sink.kind in CARRY and port == "S") or (sink.kind == "MUXF7" and port in ("I0", "I1"))
    return delays.LUT_PS[0] if needs and not (driver and is_lut(driver.kind)) else 0


def adds_level(cell: Cell, driver: Cell | None) -> bool:
    """A carry chain counts once, however long."""
    return not (cell.kind in CARRY and driver is not None and driver.kind in CARRY)
