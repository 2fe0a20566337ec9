# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Limits of latency: which figure, which limit, and the change since the last commit."""

import pytest

from ullnic.budget import budget_path, budgets, check, committed_text
from ullnic.configs import NAMES
from ullnic.errors import UllnicError
from ullnic.measure.budget import limits
from ullnic.measure.records import Record

NAME = NAMES[0]
RECORD = Record("macpcs", NAME, "sop_to_sop", "ns", 24.82, 27.0, 31.03, 100, 0, None, None, "a command")
WIRE = Record("macpcs", NAME, "sop_to_sop_wire", "cycle", 6.0, 8.0, 14.0, 100, 0, None, None, "a command")


def test_both_ends_have_a_limit():
    budget = {NAME: {"sop_to_sop_ns": [24.82, 31.03]}}
    found = limits([RECORD, WIRE], budget, budget)  # the wire over all offsets has none here
    assert [(each.figure, each.over) for each in found] == [("sop_to_sop_ns min", False), ("sop_to_sop_ns max", False)]
    check(found, "macpcs")


def test_a_figure_over_its_limit_is_named_with_its_change():
    budget, committed = {NAME: {"sop_to_sop_ns": [24.82, 29.48]}}, {NAME: {"sop_to_sop_ns": [24.82, 30.0]}}
    with pytest.raises(UllnicError) as failure:
        check(limits([RECORD], budget, committed), "macpcs")
    text = f"{NAME}: sop_to_sop_ns max 31.03, limit 29.48 (+1.03 since the last commit)"
    assert failure.value.message == f"over budget:\n{text}"
    [_, new] = limits([RECORD], budget, {})
    assert str(new).endswith("(new)")


def test_a_configuration_without_limits_is_answered_with_what_to_put_in():
    with pytest.raises(UllnicError, match=rf"no table \[{NAME}\].*sop_to_sop_ns = \[24.82, 31.03\]"):
        limits([RECORD], {}, {})


def test_the_core_s_own_budget_has_limits_for_every_configuration():
    budget, committed = budgets("macpcs")
    for name in NAMES:
        assert {"sop_to_sop_ns", "sop_to_sof_ns"} <= budget[name].keys()
    path = budget_path("macpcs")
    assert committed or not (path.parents[2] / ".git").exists()
    assert committed_text(path.with_name("no_such_file.toml")) == ""
