# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`deep`, the mark of tests whose results are kept (docs/tests.md). A copy of a core without the ullnic package keeps
none: there they are tests as others."""

try:
    from ullnic.deep import deep
except ImportError:
    import pytest

    def deep(*_) -> pytest.MarkDecorator:
        return pytest.mark.filterwarnings()  # no filter: a mark without effect


__all__ = ["deep"]
