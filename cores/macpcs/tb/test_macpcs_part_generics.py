# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of the modules inside macpcs: values just beyond each limit stop the elaboration with the module's
message, those at the limits do not. macpcs itself refuses most of them first: test_macpcs_generics. All are tried when
something has changed, one of each module in every run."""

import pytest

from ullnic_tb import deep, illegal, legal, own_refusals, refusals, rtl, sliced

SOURCES = rtl("common", "macpcs")
WIDTH = "WIDTH must be 16 or 32"
WIDTHS = "WIDTH=8", "WIDTH=24", "WIDTH=64"
REFUSED = {  # module: message: settings
    **{
        f"macpcs_{name}": {WIDTH: WIDTHS}
        for name in ("idle_check", "pma_loopback", "prbs31_check", "prbs31_gen", "rx_fault", "tx_fcs_take")
    },
    "macpcs_pause_rx": {WIDTH: WIDTHS, "LATENCY must be 0 to 3": ("LATENCY=-1", "LATENCY=4")},
    "macpcs_pause_timer": {
        "UNIT_BITS / WIDTH a power of two and at least 4": ("UNIT_BITS=64", "UNIT_BITS=496", "WIDTH=64"),
    },
    "macpcs_pause_tx": {
        WIDTH: WIDTHS,
        "PAUSE_LENGTH must be 1 to 65535": ("PAUSE_LENGTH=0", "PAUSE_LENGTH=65536"),
    },
    "macpcs_rx_ber": {
        WIDTH: ("WIDTH=24", "WIDTH=64"),
        "32 <= WINDOW_CYCLES < 2**20": ("WINDOW_CYCLES=31", "WINDOW_CYCLES=1048576"),
    },
    "macpcs_rx_check": {
        "LATENCY must be 0 to 2": ("LATENCY=-1", "LATENCY=3"),
        "MIN_BYTES must be 1 to 65535": ("MIN_BYTES=0", "MIN_BYTES=65536"),
    },
    "macpcs_rx_fifo": {
        "WIDTH not less than IN_WIDTH": ("WIDTH=16", "WIDTH=64", "IN_WIDTH=8", "IN_WIDTH=64 WIDTH=64"),
        "DEPTH must be at least 8": ("DEPTH=4",),
    },
    "macpcs_rx_filter": {
        WIDTH: WIDTHS,
        "VERDICT_LATENCY must be 0 to 6": ("VERDICT_LATENCY=-1", "VERDICT_LATENCY=7"),
    },
    "macpcs_rx_join": {"LATENCY must be 0 to 6": ("LATENCY=-1", "LATENCY=7")},
    "macpcs_stats": {
        "COUNTERS must be at least 2": ("COUNTERS=1",),
        "each ROUND_WIDTH must be 1 to 32": ("ROUND_WIDTH=32'h00010101", "ROUND_WIDTH=32'h01010121"),
        "ROUND_WIDTH must not grow": ("ROUND_WIDTH=32'h01010201", "ROUND_WIDTH=32'h02010101"),
    },
    "macpcs_tx_fault": {"1 <= DRAIN <= 7 must hold": ("DRAIN=0", "DRAIN=8")},
    "macpcs_tx_fifo": {
        "WIDTH not less than CORE_WIDTH": ("WIDTH=16", "WIDTH=64", "CORE_WIDTH=8", "CORE_WIDTH=64 WIDTH=64"),
        "DEPTH must be at least START_WORDS + 7": (
            "START_WORDS=-1",
            "START_WORDS=10",
            "START_WORDS=1 DEPTH=4",
            "START_WORDS=2 DEPTH=8",
        ),
    },
    "macpcs_tx_gap": {"IFG_COUNT must be 12": ("IFG_COUNT=11", "IFG_COUNT=256")},
    "macpcs_user_loopback": {
        WIDTH: WIDTHS,
        "VERDICT_LATENCY must be 0, 1 or 2": ("VERDICT_LATENCY=-1", "VERDICT_LATENCY=3"),
    },
}
LEGAL = {
    "macpcs_pause_rx": ("WIDTH=16 LATENCY=0", "LATENCY=3"),
    "macpcs_pause_timer": ("WIDTH=16 UNIT_BITS=64", "UNIT_BITS=128"),
    "macpcs_pause_tx": ("WIDTH=16 PAUSE_LENGTH=1", "PAUSE_LENGTH=65535"),
    "macpcs_rx_ber": ("WIDTH=16 WINDOW_CYCLES=32", "WINDOW_CYCLES=1048575"),
    "macpcs_rx_check": ("LATENCY=0 MIN_BYTES=1", "LATENCY=2 MIN_BYTES=65535"),
    "macpcs_rx_fifo": ("IN_WIDTH=16 DEPTH=8", "IN_WIDTH=16 WIDTH=16"),
    "macpcs_rx_filter": ("WIDTH=16 VERDICT_LATENCY=0", "VERDICT_LATENCY=6"),
    "macpcs_rx_join": ("LATENCY=0", "LATENCY=6"),
    "macpcs_stats": ("COUNTERS=2", "ROUND_WIDTH=32'h01010120"),
    "macpcs_tx_fault": ("DRAIN=1", "DRAIN=7"),
    "macpcs_tx_fcs_take": ("WIDTH=16", "WIDTH=32"),
    "macpcs_tx_fifo": ("CORE_WIDTH=16 START_WORDS=1 DEPTH=8", "START_WORDS=9", "WIDTH=16 CORE_WIDTH=16"),
    "macpcs_tx_gap": ("IFG_COUNT=12", "IFG_COUNT=255"),
    "macpcs_user_loopback": ("WIDTH=16 VERDICT_LATENCY=0", "VERDICT_LATENCY=2"),
}
ALL = deep(__file__, "cores/common/tb/ullnic_tb/generics.py", lambda: SOURCES)


@pytest.mark.parametrize(("module", "settings", "message"), sliced(illegal(REFUSED), ALL))
def test_part_refuses(module, settings, message):
    found = own_refusals(module, SOURCES, settings)
    assert found and all(message in line for line in found), found


@pytest.mark.parametrize(("module", "settings"), sliced(legal(LEGAL), ALL))
def test_part_takes(module, settings):
    assert refusals(module, SOURCES, settings) == []
