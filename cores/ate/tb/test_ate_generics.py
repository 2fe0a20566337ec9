# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A parameter that cannot be stops elaboration with a message; those at the limits do not."""

import subprocess

import pytest

from ullnic_places import CORES
from ullnic_tb import rtl

SOURCES = [path for path in rtl("common", "ate") if path.stem in ("ones_pkg", "ram_sdp", "frame_fifo")]
SOURCES += rtl("ate")
SOURCES += [CORES / "common/common.vlt", CORES / "ate/ate.vlt"]
REFUSED = {
    "CONNECTIONS=100": "CONNECTIONS must be a power of two, 16 to 65536",
    "CONNECTIONS=8": "CONNECTIONS must be a power of two, 16 to 65536",
    "MAX_PAYLOAD=0": "MAX_PAYLOAD must be 1 to 9000",
    "MAX_PAYLOAD=9001": "MAX_PAYLOAD must be 1 to 9000",
    "MAX_RAW=63": "MAX_RAW must be 64 to 65532",
    "MIRROR_DEPTH=256": "MIRROR_DEPTH must hold a frame of MAX_PAYLOAD bytes",
    "HOST_DEPTH=256": "HOST_DEPTH must hold a chunk of MAX_PAYLOAD bytes",
}
TAKEN = ("", "CONNECTIONS=16", "CONNECTIONS=65536", "MAX_PAYLOAD=1 MIRROR_DEPTH=32 HOST_DEPTH=32", "MAX_RAW=65532")
TAKEN += ("MAX_PAYLOAD=9000 MIRROR_DEPTH=4096 HOST_DEPTH=4096",)


def elaborate(settings: str) -> str:
    generics = [f"-G{setting}" for setting in settings.split()]
    command = ["verilator", "--lint-only", "--quiet", "-Wall", "--top-module", "ate", *generics, *map(str, SOURCES)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode == 0) == (done.stderr == "")
    return done.stderr


@pytest.mark.parametrize("settings", REFUSED)
def test_ate_refuses(settings):
    assert REFUSED[settings] in elaborate(settings)


@pytest.mark.parametrize("settings", TAKEN)
def test_ate_takes(settings):
    assert elaborate(settings) == ""
