# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The verdict: each counter that must be zero makes a run fail, and requested faults do not."""

import copy

import pytest

from ullnic.run.link.options import Options
from ullnic.run.link.summary import FAULTS, MUST_BE_ZERO, assemble

ONE_WAY = {
    "frames": 10,
    "delivered": 10,
    "bytes": 1000,
    "fcs_errors": 0,
    "code_errors": 0,
    "runts": 0,
    "oversize": 0,
    "wrong_as_good": 0,
    **{name: 0 for name in (*MUST_BE_ZERO, *FAULTS)},
}
PHASES = {"ping": {"ok": True, "sent": 10, "received": 10}, "bulk": {"ok": True}, "http": {"ok": True}}
KERNEL = {end: {"Tcp.RetransSegs": 0, "port_dropped_frames": 0} for end in "AB"}


def verdict(way=None, name=None, phases=PHASES, kernel=KERNEL, error=None, **options) -> dict:
    link = {"a_to_b": dict(ONE_WAY), "b_to_a": dict(ONE_WAY), **({"error": error} if error else {})}
    if way:
        link[way][name] = 1
    return assemble(Options("bin", "out", **options), "what", link, phases, kernel)


def test_a_clean_run_is_good():
    assert verdict()["ok"]


@pytest.mark.parametrize("way", ["a_to_b", "b_to_a"])
@pytest.mark.parametrize("name", [*MUST_BE_ZERO, "wrong_as_good"])
def test_each_counter_fails_the_run(way, name):
    result = verdict(way, name)
    assert not result["ok"]
    assert len(result["failures"]) == 1


@pytest.mark.parametrize("name", MUST_BE_ZERO)
def test_faults_excuse_losses(name):
    assert verdict("a_to_b", name, fault_ba="drop=0.1")["ok"]


def test_faults_do_not_excuse_wrong_bytes():
    assert not verdict("a_to_b", "wrong_as_good", fault_ab="ber=1e-6")["ok"]


def test_what_the_simulator_finds_wrong_by_itself_fails_the_run():
    assert verdict(error="a to b: tlast twice", fault_ab="drop=0.1")["failures"] == ["a to b: tlast twice"]


@pytest.mark.parametrize("phase", PHASES)
def test_each_phase_fails_the_run_faults_or_not(phase):
    phases = copy.deepcopy(PHASES)
    phases[phase]["ok"] = False
    assert not verdict(phases=phases)["ok"]
    assert not verdict(phases=phases, fault_ab="drop=0.1")["ok"]


def test_frames_dropped_by_the_kernel_fail_and_resent_segments_are_noted():
    kernel = copy.deepcopy(KERNEL)
    kernel["B"]["port_dropped_frames"] = 3
    assert verdict(kernel=kernel)["failures"] == ["kernel B dropped 3 frames at its port"]
    kernel = copy.deepcopy(KERNEL)
    kernel["A"]["Tcp.RetransSegs"] = 2
    result = verdict(kernel=kernel)
    assert result["ok"] and "sent 2 TCP segments again" in result["notes"][0]
