# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of the modules inside ate: values just beyond each limit stop the elaboration with the module's message,
those at the limits do not. All are tried when something has changed, one of each module in every run."""

import pytest

from ullnic_tb import deep, illegal, legal, own_refusals, refusals, rtl, sliced

SOURCES = rtl("common", "ate")
REFUSED = {  # module: message: settings
    "ate_inject": {
        "HOST_DEPTH must hold a chunk of MAX_PAYLOAD bytes": ("MAX_PAYLOAD=440 DEPTH=128", "MAX_PAYLOAD=441 DEPTH=128"),
    },
    "ate_mirror": {
        "MIRROR_DEPTH must hold a frame of MAX_PAYLOAD bytes": (
            "DEPTH=128 MAX_WORDS=125",
            "DEPTH=128 MAX_WORDS=124 AMEND=1",
            "DEPTH=128 MAX_WORDS=121 PREFETCH=1",
        ),
    },
}
LEGAL = {
    "ate_inject": ("MAX_PAYLOAD=428 DEPTH=128",),
    "ate_mirror": ("DEPTH=128 MAX_WORDS=124", "DEPTH=128 MAX_WORDS=123 AMEND=1", "DEPTH=128 MAX_WORDS=120 PREFETCH=1"),
}
ALL = deep(__file__, "cores/common/tb/ullnic_tb/generics.py", lambda: SOURCES)


@pytest.mark.parametrize(("module", "settings", "message"), sliced(illegal(REFUSED), ALL))
def test_ate_part_refuses(module, settings, message):
    assert own_refusals(module, SOURCES, settings) == [message]


@pytest.mark.parametrize(("module", "settings"), sliced(legal(LEGAL), ALL))
def test_ate_part_takes(module, settings):
    assert refusals(module, SOURCES, settings) == []
