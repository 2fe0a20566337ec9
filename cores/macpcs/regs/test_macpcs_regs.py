# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The generated files of the register map, as their users see them; tests/cli checks whether they are up to date."""

import shutil
import subprocess
from pathlib import Path

import pytest

GENERATED = Path(__file__).resolve().parent / "generated"
OFFSETS = {  # the contract with software: never changed within a major version
    "ID": 0x00,
    "VERSION": 0x04,
    "CAPABILITY": 0x08,
    "FIFO_DEPTH": 0x0C,
    "TX_CLK_FREQ": 0x10,
    "RX_CLK_FREQ": 0x14,
    "FRAME_LENGTH": 0x18,
    "PAUSE_LENGTH": 0x1C,
    "CONTROL": 0x20,
    "MAC_ADDRESS_LO": 0x24,
    "MAC_ADDRESS_HI": 0x28,
    "MAX_LENGTH": 0x2C,
    "CAPABILITY2": 0x30,
    "STATUS": 0x40,
    "STICKY": 0x44,
    "SNAPSHOT": 0x48,
    "RX_STATS.BYTES_GOOD": 0x80,
    "RX_STATS.BYTES_BAD": 0x88,
    "RX_STATS.PATTERN_ERRORS": 0x90,
    "RX_STATS.FRAMES_GOOD": 0x98,
    "RX_STATS.BAD_BLOCKS": 0xF0,
    "RX_STATS.FILTERED": 0xF8,
    "TX_STATS.BYTES": 0x100,
    "TX_STATS.PAUSE": 0x120,
}


@pytest.mark.parametrize("language", ["c", "c++"])
def test_c_header(language, tmp_path):
    """It compiles alone, without a warning, in C and C++; registers are where the contract has them."""
    asserts = "".join(
        f'static_assert(offsetof(macpcs_regs_t, {name}) == {offset}, "{name}");\n' for name, offset in OFFSETS.items()
    )
    text = f'#include "macpcs_regs.h"\n#include <stddef.h>\n{asserts}'
    text += (
        "uint32_t f(volatile macpcs_regs_t *regs) { return regs->CONTROL & MACPCS_REGS__CONTROL__PAUSE_REQUEST_bm; }\n"
    )
    compiler = shutil.which("cc" if language == "c" else "c++")
    argv = [compiler, "-x", language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{GENERATED}", "-"]
    done = subprocess.run(argv, input=text, text=True, capture_output=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_every_source_says_that_it_is_made():
    for path in GENERATED.iterdir():
        assert "by ./ullnic regs; do not edit" in path.read_text()[:400], path
