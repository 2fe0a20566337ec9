# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The protocol checkers of sva/: legal traffic passes, each breach is seen by the assertion meant for it."""

import os

import cocotb
import pytest

from ullnic_tb import Bench, Stepper
from ullnic_tb.runner import CORES

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
CASES = {
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
