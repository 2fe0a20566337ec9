# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Missing optional requirements of a report."""

from dataclasses import replace

import pytest

from ullnic import extras
from ullnic.errors import UllnicError


def test_an_extra_that_needs_a_newer_python_says_so(monkeypatch):
    monkeypatch.setitem(extras.EXTRAS, "cluster", replace(extras.EXTRAS["cluster"], python=(4, 1)))
    with pytest.raises(UllnicError, match="Snakemake needs Python 4.1 or newer; this is 3") as failure:
        extras.ensure("cluster")
    assert "ULLNIC_PYTHON=python4.1" in failure.value.remedy and "--executor" in failure.value.remedy
