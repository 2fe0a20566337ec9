# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Delays of UltraScale+ cells and nets in ps, speed grade -2, slow corner.

Cells: the figures published with RapidWright's timing model (Maidee et al., FPT 2019). Where it has none (block RAM,
UltraRAM, wide multiplexers): the -1 delays of the open prjuray database, scaled. Nets: a statistical model, fitted to
33 nets of routed paths that users of Vivado have posted; `./ullnic synth --calibrate` shows how well it fits.
"""

import math
from dataclasses import dataclass

# Factor for all delays of the grade, relative to -2. The -1 factor is for calibration only: a core is judged at -2 or
# -3.
GRADES = {1: 1.17, 2: 1.00, 3: 0.93}

CLOCK_UNCERTAINTY_PS = 35  # jitter of a good clock
CLOCK_SKEW_PS = 10  # within one clock region or two

# --- Registers
CLOCK_TO_Q_PS = 77
SETUP_PS = {"D": -25, "CE": 55, "R": 62, "S": 62, "CLR": 62, "PRE": 62}

# --- LUT: by rank of the input's arrival, the last one first. The pins have 35, 50, 90, 100, 125 and 150 ps, but the
# router does not always give the last signal the fastest pin: the two fast ones have the values of posted paths.
LUT_PS = (72, 80, 90, 100, 125, 150)

# --- Wide multiplexers
MUXF = {"MUXF7": {"I": 70, "S": 77}, "MUXF8": {"I": 35, "S": 88}}

# --- Carry chain (CARRY8), by the number of bits passed
CARRY_S_TO_O_PS = (65, 96, 134, 139, 206, 240, 226, 241)  # S or DI to O
CARRY_S_TO_CO_PS = (71, 109, 115, 186, 216, 201, 217, 199)
CARRY_CI_TO_O_PS = (56, 76, 67, 82, 86, 116, 103, 116)
CARRY_CI_TO_CO_PS = (52, 42, 57, 60, 92, 77, 92, 23)
CARRY4_CI_TO_CO3_PS = 12  # the mapper makes two CARRY4 of a CARRY8: half of its 23 ps each, and half of the net between
CARRY_NET_PS = {"CARRY4": 13, "CARRY8": 26}

# --- Distributed RAM
LUTRAM_READ_PS = 90  # address to output: a LUT
LUTRAM_WRITE_PS = 560  # clock to output
LUTRAM_SETUP_PS = 60

# --- Block RAM and UltraRAM
BRAM_CLOCK_TO_OUT_PS = {False: 1003, True: 225}  # without and with output register
BRAM_SETUP_PS = {"ADDR": 358, "WE": 394, "EN": 342, "DIN": 291, "RST": 313, "REGCE": 313}
URAM_CLOCK_TO_OUT_PS = 1126
URAM_SETUP_PS = 400

# --- Connections within a slice, the same in all net models
LUT_TO_CARRY_PS = 15
LUT_TO_MUXF7_PS = 23
LUT_TO_REGISTER_PS = 50  # and from a wide multiplexer or a carry chain

# --- Pins of the transceiver: no published figures found, these are allowances
LINE_CLOCK_TO_OUT_PS = 800
LINE_SETUP_PS = 300


@dataclass(frozen=True)
class NetModel:
    """Delay of a routed net by its fan-out."""

    name: str
    base_ps: float
    per_doubling_ps: float

    def delay_ps(self, fanout: int) -> float:
        return self.base_ps + self.per_doubling_ps * math.log2(max(1, fanout))


# Typical is the least-squares fit (165 + 19.7 log2(fan-out), residual 83 ps); the others are half a deviation away.
NET_MODELS = (
    NetModel("tight", 125, 15),  # a small block with room and constraints
    NetModel("typical", 165, 20),
    NetModel("loose", 205, 25),  # a full device
)


def net_model(name: str) -> NetModel:
    return next(model for model in NET_MODELS if model.name == name)
