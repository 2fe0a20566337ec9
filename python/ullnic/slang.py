# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs slang_check.py of cores/common, which also the tests of a copied core run."""

import runpy

from ullnic.paths import ROOT

if __name__ == "__main__":
    runpy.run_path(str(ROOT / "cores" / "common" / "tb" / "slang_check.py"), run_name="__main__")
