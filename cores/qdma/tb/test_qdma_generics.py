# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters that qdma cannot have stop the elaboration with a message; those at the limits do not. All are tried when
something has changed, a few in every run."""

import pytest

from qdma_bed import sources
from ullnic_tb import deep, refusals, sliced

SOURCES = sources()
QUEUES = "qdma: QUEUES must be a power of two, 2 to 2048"
PFS = "qdma: PFS must be 1 to 4"
VFS = "qdma: VFS must be 0 to 252"
SHARE = "qdma: VF_SHARE must be at least VFS / PFS"
USER_BAR = "qdma: USER_BAR_BITS must be 7 to 24"
LIMITED = "qdma: H2C_LIMITED must be 0 to QUEUES"
MOST = "qdma: H2C_MOST must be 1 to 1023"
REFUSED = {
    "QUEUES=1": QUEUES,
    "QUEUES=3": QUEUES,
    "QUEUES=4096": QUEUES,
    "PFS=0 VFS=0": PFS,
    "PFS=5": PFS,
    "VFS=-1": VFS,
    "VFS=253 VF_SHARE=64": VFS,
    "VF_SHARE=62": SHARE,
    "USER_BAR_BITS=6": USER_BAR,
    "USER_BAR_BITS=25": USER_BAR,
    "H2C_LIMITED=-1": LIMITED,
    "QUEUES=16 H2C_LIMITED=17": LIMITED,
    "H2C_MOST=0": MOST,
    "H2C_MOST=1024": MOST,
}
# By the top itself: inside they have one bit
OPTIONS = {f"{option}=2": f"qdma: {option} must be 0 or 1" for option in ("MM", "BYPASS", "INLINE", "WATCHDOG")}
LEGAL = (
    "QUEUES=2 PFS=1 VFS=0 USER_BAR_BITS=7 H2C_MOST=1",
    "QUEUES=2048 PFS=4 VFS=252 USER_BAR_BITS=24 H2C_MOST=1023 MM=1 BYPASS=1 INLINE=1 WATCHDOG=1",
    "QUEUES=16 H2C_LIMITED=16",
)
SLICE = ("QUEUES=4096",)
THROUGH = ("QUEUES=3", "PFS=5", "VF_SHARE=62", "USER_BAR_BITS=25", "QUEUES=16 H2C_LIMITED=17", "H2C_MOST=1024")
ALL = deep(__file__, "cores/common/tb/ullnic_tb/generics.py", lambda: SOURCES)


@pytest.mark.parametrize("settings", sliced(zip(REFUSED), ALL, SLICE))
def test_qdma_limits_refuses(settings):
    assert refusals("qdma_limits", SOURCES, settings) == [REFUSED[settings]]


@pytest.mark.parametrize("settings", [pytest.param(each, marks=ALL) for each in (*THROUGH, *OPTIONS)])
def test_qdma_refuses(settings):
    """The whole core gives its parameters to qdma_limits."""
    assert (REFUSED | OPTIONS)[settings] in refusals("qdma", SOURCES, settings)


@pytest.mark.parametrize("settings", [pytest.param(each, marks=ALL) for each in LEGAL])
def test_qdma_takes(settings):
    assert refusals("qdma", SOURCES, settings) == []
