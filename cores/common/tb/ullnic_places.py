# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Where the cores are, and where their tests and proofs write: nowhere else."""

import os
from pathlib import Path

CORES = Path(__file__).resolve().parents[2]  # whatever its name


def build_folder() -> Path:
    """$ULLNIC_BUILD, else build/ of the project, or of `common` where the cores are a copy."""
    if chosen := os.environ.get("ULLNIC_BUILD"):
        return Path(chosen).absolute()
    is_project = CORES.name == "cores" and (CORES.parent / "python" / "ullnic").is_dir()
    return (CORES.parent if is_project else CORES / "common") / "build"


BUILD = build_folder()
