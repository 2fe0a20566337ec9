# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The generated C headers of toe, as their users see them; tests/cli checks whether they are up to date."""

import shutil
import subprocess
from pathlib import Path

import pytest

GENERATED = Path(__file__).resolve().parent / "generated"
OFFSETS = {  # the contract with software: never changed within a major version
    "toe_regs_t": {
        "ID": 0x00,
        "VERSION": 0x04,
        "CAPABILITY": 0x08,
        "FEATURES": 0x0C,
        "TX_MEMORY": 0x10,
        "RX_MEMORY": 0x14,
        "IP_HEADER": 0x1C,
        "RTO_INITIAL": 0x20,
        "SECRET": 0x3C,
        "ORDER_PEER_IP": 0x40,
        "ORDER_PORTS": 0x44,
        "ORDER": 0x48,
        "ORDER_STATUS": 0x4C,
        "EVENT": 0x50,
        "EVENT_INFO": 0x54,
        "POLICY": 0x58,
        "HOST": 0x5C,
        "COUNTERS": 0x80,
        "INTERFACES": 0x100,
        "SESSIONS": 0x1000,
        "URGENT": 0x2000,
    },
    "toe_interface_regs_t": {
        "CONTROL": 0x00,
        "MAC_ADDRESS_LO": 0x04,
        "MAC_ADDRESS_HI": 0x08,
        "IP": 0x0C,
        "MASK": 0x10,
        "GATEWAY": 0x14,
    },
    "toe_session_regs_t": {"STATE": 0x00},
}


@pytest.mark.parametrize("language", ["c", "c++"])
def test_c_headers(language, tmp_path):
    """They compile together, without a warning, in C and C++; registers are where the contract has them."""
    includes = "".join(f'#include "{name.removesuffix("_t")}.h"\n' for name in OFFSETS)
    asserts = "".join(
        f'static_assert(offsetof({structure}, {name}) == {offset}, "{name}");\n'
        for structure, offsets in OFFSETS.items()
        for name, offset in offsets.items()
    )
    compiler = shutil.which("cc" if language == "c" else "c++")
    argv = [compiler, "-x", language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{GENERATED}", "-"]
    text = f"{includes}#include <stddef.h>\n{asserts}"
    done = subprocess.run(argv, input=text, text=True, capture_output=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
