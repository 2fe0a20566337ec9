# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The driver's part for cards in slots, without a slot: pci_played.c."""

import subprocess

import pytest

from ullnic import apt, dpdk
from ullnic.build import HOST_DIRECTORY, build_host


def test_cards_in_slots():
    """What probe() opens, creates, closes and returns, for each call that can fail."""
    if absent := dpdk.absent():
        pytest.skip(f"DPDK is not installed; {apt.remedy(absent)}")
    dpdk.look_again(HOST_DIRECTORY / "CMakeCache.txt")
    program = build_host(progress=False, targets=("net_ullnic_pci_test",)) / "bin/net_ullnic_pci_test"
    run = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.returncode) == ("0 faults\n", 0), run.stdout + run.stderr
