# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of the modules that all cores use: values just beyond each limit stop the elaboration with the module's
message, those at the limits do not. All are tried when something has changed, one of each module in every run."""

import pytest

from ullnic_tb import deep, illegal, legal, own_refusals, refusals, rtl, sliced

SOURCES = rtl("common")
REFUSED = {  # module: message: settings
    "async_fifo": {
        "DEPTH must be a power of two, at least 4": ("DEPTH=2", "DEPTH=6", "DEPTH=3"),
        "SYNC_STAGES must be at least 2": ("SYNC_STAGES=1", "SYNC_STAGES=0"),
    },
    "cdc_bits": {"STAGES must be at least 2": ("STAGES=1", "STAGES=0")},
    "frame_fifo": {
        "DEPTH must be a power of two, and NEED 1 to DEPTH": (
            "DEPTH=1023",
            "DEPTH=24 NEED=8",
            "NEED=0",
            "DEPTH=16 NEED=17",
        ),
    },
}
LEGAL = {
    "async_fifo": ("DEPTH=4 SYNC_STAGES=2", "DEPTH=64 SYNC_STAGES=4"),
    "cdc_bits": ("STAGES=2", "STAGES=4"),
    "frame_fifo": ("DEPTH=16 NEED=16", "NEED=1"),
}
ALL = deep(__file__, "cores/common/tb/ullnic_tb/generics.py", lambda: SOURCES)


@pytest.mark.parametrize(("module", "settings", "message"), sliced(illegal(REFUSED), ALL))
def test_common_part_refuses(module, settings, message):
    assert own_refusals(module, SOURCES, settings) == [message]


@pytest.mark.parametrize(("module", "settings"), sliced(legal(LEGAL), ALL))
def test_common_part_takes(module, settings):
    assert refusals(module, SOURCES, settings) == []
