# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The protocol checkers of sva/: legal traffic passes, each breach is seen by the assertion meant for it."""

import os

import cocotb
import pytest

from ullnic_places import CORES
from ullnic_tb import Bench, Stepper

SVA = CORES / "common" / "sva"
# Cycles of inputs; what a cycle does not name is 0
STREAM_LEGAL = ({"valid": 1, "payload": 5}, {"valid": 1, "ready": 1, "payload": 5}, {"ready": 1}, {"payload": 3}, {})
STREAM_BREACHES = {
    "held-dropped": ({"valid": 1, "payload": 5}, {"payload": 5}, {}),
    "held-changed": ({"valid": 1, "payload": 5}, {"valid": 1, "payload": 4}, {}),
    "low_after_reset-valid": ({"rst": 1}, {"valid": 1, "ready": 1}, {}),
}
ADDRESS, DATA = {"awvalid": 1, "awaddr": 4}, {"wvalid": 1, "wdata": 7, "wstrb": 15}
WRITTEN = (ADDRESS | {"awready": 1}, DATA | {"wready": 1})
READ = ({"arvalid": 1, "araddr": 8, "arready": 1},)
AXIL_LEGAL = (
    *(ADDRESS, ADDRESS | {"awready": 1}, DATA, DATA | {"wready": 1}, {"bvalid": 1, "bresp": 2}),
    *({"bvalid": 1, "bresp": 2, "bready": 1}, *READ, {"rvalid": 1, "rdata": 9}, {"rvalid": 1, "rdata": 9, "rready": 1}),
    {},
)
AXIL_BREACHES = {
    "aw_held-dropped": (ADDRESS, {}, {}),
    "aw_held-changed": (ADDRESS, ADDRESS | {"awaddr": 8}, {}),
    "w_held-strobe": (DATA, DATA | {"wstrb": 1}, {}),
    "w_held-data": (DATA, DATA | {"wdata": 1}, {}),
    "b_held-dropped": (*WRITTEN, {"bvalid": 1}, {}, {}),
    "ar_held-changed": ({"arvalid": 1}, {"arvalid": 1, "araddr": 4}, {}),
    "r_held-changed": (*READ, {"rvalid": 1}, {"rvalid": 1, "rdata": 1}, {}),
    "b_has_cause-no_data": (ADDRESS | {"awready": 1}, {"bvalid": 1, "bready": 1}, {}),
    "b_has_cause-twice": (*WRITTEN, {"bvalid": 1, "bready": 1}, {"bvalid": 1, "bready": 1}, {}),
    "b_has_cause-exokay": (*WRITTEN, {"bvalid": 1, "bready": 1, "bresp": 1}, {}),
    "r_has_cause-none": ({"rvalid": 1, "rready": 1}, {}),
    "low_after_reset-valid": ({"rst": 1}, ADDRESS | {"awready": 1}, {}),
}
AW = {"awvalid": 1, "awaddr": 0x1FC3, "awlen": 0, "awsize": 6, "awburst": 1}
W = {"wvalid": 1, "wstrb": 1 << 3, "wlast": 1}
AR = {"arvalid": 1, "araddr": 0x1F80, "arlen": 1, "arsize": 6, "arburst": 1}
AW_OK, W_OK, AR_OK = AW | {"awready": 1}, W | {"wready": 1}, AR | {"arready": 1}
B_OK, R_OK = {"bvalid": 1, "bready": 1}, {"rvalid": 1, "rready": 1}
AXI_LEGAL = (
    *(AW, AW_OK, W, W_OK, {"bvalid": 1, "bresp": 2}, {"bvalid": 1, "bresp": 2, "bready": 1}, AW_OK | W_OK, B_OK),
    *(
        AR,
        AR_OK,
        {"rvalid": 1, "rdata": 5},
        R_OK | {"rdata": 5},
        R_OK | {"rlast": 1, "rresp": 3},
        W_OK,
        AW_OK,
        B_OK,
        {},
    ),
)
AXI_BREACHES = {
    "aw_held-changed": (AW, AW | {"awaddr": 0x1F80}, {}),
    "aw_held-dropped": (AW, {}, {}),
    "w_held-strobe": (W, W | {"wstrb": 3}, {}),
    "b_held-dropped": (AW_OK, W_OK, {"bvalid": 1}, {}, {}),
    "ar_held-changed": (AR, AR | {"arlen": 0}, {}),
    "r_held-changed": (AR_OK, {"rvalid": 1}, {"rvalid": 1, "rdata": 1}, {}),
    "low_after_reset-valid": ({"rst": 1}, AW_OK, {}),
    "aw_legal-crosses": (AW | {"awlen": 1}, {}),
    "aw_legal-size": (AW | {"awsize": 5}, {}),
    "ar_legal-crosses": (AR | {"arlen": 2}, {}),
    "ar_legal-wraps": (AR | {"arburst": 2}, {}),
    "w_last-early": (AW_OK | {"awaddr": 0, "awlen": 1}, W_OK, {}),
    "w_last-late": (AW_OK, W_OK | {"wlast": 0}, {}),
    "w_strobes-before": (AW_OK, W_OK | {"wstrb": 4}, {}),
    "aw_late-beats": (W_OK | {"wlast": 0}, W_OK, AW_OK, {}),
    "r_last-early": (AR_OK, R_OK | {"rlast": 1}, {}),
    "r_last-late": (AR_OK, R_OK, R_OK, {}),
    "b_has_cause-no_data": (AW_OK, B_OK, {}),
    "b_has_cause-twice": (AW_OK, W_OK, B_OK, B_OK, {}),
    "b_has_cause-exokay": (AW_OK, W_OK, B_OK | {"bresp": 1}, {}),
    "r_has_cause-none": (R_OK, {}),
}
CASES = {
    "axi_checker": {"legal": AXI_LEGAL} | AXI_BREACHES,
    "axis_checker": {"legal": STREAM_LEGAL} | STREAM_BREACHES,
    "axil_checker": {"legal": AXIL_LEGAL} | AXIL_BREACHES,
}
INPUTS = {top: {name for case in cases.values() for step in case for name in step} for top, cases in CASES.items()}


@cocotb.test()
async def play(dut):
    top = os.environ["COCOTB_TOPLEVEL"]
    steps = CASES[top][os.environ["CHECKER_CASE"]]
    quiet = dict.fromkeys(INPUTS[top], 0)
    stepper = Stepper(dut, ())
    await stepper.reset(**{name: 0 for name in quiet if name != "rst"})
    for step in ({}, *steps):
        await stepper.step(**(quiet | step))


@pytest.mark.parametrize("top, case", [(top, case) for top, cases in CASES.items() for case in cases])
def test_common_checkers(top, case, monkeypatch):
    monkeypatch.setenv("CHECKER_CASE", case)
    bench = Bench(top, [SVA / f"{top}.sv"])
    if case == "legal":
        bench.run("test_common_checkers", "play")
    else:
        with pytest.raises(pytest.fail.Exception, match=rf"{top}\.{case.split('-')[0]}\b"):
            bench.run("test_common_checkers", "play")
