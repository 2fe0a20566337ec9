# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The configurations of a core, as benches read them."""

from ullnic_places import CORES

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib


def configurations(core: str) -> dict[str, dict]:
    """The sections of CORE/configs.toml, whose head explains the keys; `./ullnic lint` checks them."""
    return tomllib.loads((CORES / core / "configs.toml").read_text())
