# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The mark of tests that set up a tree, which takes long."""

from pathlib import Path

from ullnic.deep import deep

HERE = Path(__file__).parent
TESTS = [HERE / f"{name}.py" for name in ("test_cli_setup", "test_cli_broken", "setting_up", "cli_call", "conftest")]
MODULES = ("bootstrap", "installed", "isolated", "mend", "doctor", "apt", "cli")
PACKAGE = [f"python/ullnic/{name}.py" for name in MODULES]
SETTING_UP = deep(*TESTS, *PACKAGE, "ullnic", "requirements.lock")
