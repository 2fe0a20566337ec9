# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`deep`, `kept` and `long_run`, the marks of tests whose results are kept (docs/tests.md).

A copy of a core without the ullnic package keeps none: there they are tests as others."""

from collections.abc import Callable, Iterable

import pytest

try:
    from ullnic.deep import deep, kept, long_run
except ImportError:

    def deep(*_) -> pytest.MarkDecorator:
        return pytest.mark.filterwarnings()  # no filter: a mark without effect

    kept = long_run = deep


def main_and_kept(file: str, cases: Iterable, is_main: Callable[..., bool] | None = None) -> list:
    """The cases of a `parametrize`: the main ones, by default the first, in every run, the others marked `kept`."""
    tuples = [case if isinstance(case, tuple) else (case,) for case in cases]
    main = [case for case in tuples if is_main(*case)] if is_main else tuples[:1]
    return [pytest.param(*case, marks=() if case in main else kept(file)) for case in tuples]


__all__ = ["deep", "kept", "long_run", "main_and_kept"]
