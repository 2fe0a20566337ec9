# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of the modules inside toe: values just beyond each limit stop the elaboration with the module's message,
those at the limits do not. toe refuses most of them first: test_toe_generics. All are tried when something has changed,
one of each module in every run."""

import pytest

from ullnic_tb import deep, illegal, legal, own_refusals, refusals, rtl, sliced

SOURCES = rtl("common", "toe")
REORDER_DEPTH = "DEPTH must be a power of two, 16 to 65536"
REFUSED = {  # module: message: settings
    "toe_arp_table": {
        "ENTRIES must be 2 or more, AGE_TICKS more than 4 * ENTRIES and 3 * POLL_TICKS": (
            "ENTRIES=1",
            "AGE_TICKS=2990",
            "AGE_TICKS=48 POLL_TICKS=1",
        ),
    },
    "toe_counters": {"COUNTERS must be a power of two": ("COUNTERS=15", "COUNTERS=3")},
    "toe_fifo": {"DEPTH must be a power of two, 2 or more": ("DEPTH=1", "DEPTH=12")},
    "toe_icmp": {"DEPTH must be a power of two, 32 to 16384": ("DEPTH=16", "DEPTH=48", "DEPTH=32768")},
    "toe_lookup": {
        "SESSIONS must be 2 to 1024, INDEX 1 to 9": ("SESSIONS=1", "SESSIONS=1025", "INDEX=0", "INDEX=10"),
    },
    "toe_rx_beats": {"DEPTH must be a power of two, 4 or more": ("DEPTH=2", "DEPTH=12")},
    "toe_rx_reorder": {
        REORDER_DEPTH: ("DEPTH=8", "DEPTH=24", "DEPTH=131072"),
        "INTERVALS must be 1 to 16": ("INTERVALS=0", "INTERVALS=17"),
    },
    "toe_rx_user": {"TCP2USER_DATA_WIDTH must be 32 or 64": ("TCP2USER_DATA_WIDTH=16", "TCP2USER_DATA_WIDTH=128")},
    "toe_tx": {
        "USER2TCP_DATA_WIDTH must be 32, 64 or 128": ("USER2TCP_DATA_WIDTH=16", "USER2TCP_DATA_WIDTH=256"),
        "RING_BYTES must be a power of two, 2048 to 65536": ("RING_BYTES=1024", "RING_BYTES=3072", "RING_BYTES=131072"),
        "MEM_LATENCY must be 0 to 48, MEM_WRITE_LATENCY 1 to 64": (
            "MEM_LATENCY=-1",
            "MEM_LATENCY=49",
            "MEM_WRITE_LATENCY=0",
            "MEM_WRITE_LATENCY=65",
        ),
    },
}
LEGAL = {
    "toe_arp_table": ("ENTRIES=2 AGE_TICKS=3002", "AGE_TICKS=64 POLL_TICKS=1"),
    "toe_counters": ("COUNTERS=2", "COUNTERS=128"),
    "toe_fifo": ("DEPTH=2", "DEPTH=64"),
    "toe_icmp": ("DEPTH=32", "DEPTH=16384"),
    "toe_lookup": ("SESSIONS=2 INDEX=1", "SESSIONS=1024 INDEX=9"),
    "toe_rx_beats": ("DEPTH=4", "DEPTH=4096"),
    "toe_rx_reorder": ("DEPTH=16 INTERVALS=1", "DEPTH=65536 INTERVALS=16"),
    "toe_rx_user": ("TCP2USER_DATA_WIDTH=32", "TCP2USER_DATA_WIDTH=64"),
    "toe_tx": ("USER2TCP_DATA_WIDTH=128 RING_BYTES=2048", "RING_BYTES=65536", "MEM_LATENCY=48 MEM_WRITE_LATENCY=64"),
}
ALL = deep(__file__, "cores/common/tb/ullnic_tb/generics.py", lambda: SOURCES)


@pytest.mark.parametrize(("module", "settings", "message"), sliced(illegal(REFUSED), ALL))
def test_toe_part_refuses(module, settings, message):
    assert own_refusals(module, SOURCES, settings) == [message]


@pytest.mark.parametrize(("module", "settings"), sliced(legal(LEGAL), ALL))
def test_toe_part_takes(module, settings):
    assert refusals(module, SOURCES, settings) == []
