# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Each core's signoff.md agrees with proofs, tests and coverage.toml."""

import pytest

import signoff

PAGES = [pytest.param(page, id=page.parent.name) for page in signoff.pages()]


@pytest.mark.parametrize("page", PAGES)
def test_what_is_generated_is_that_of_now(page):
    assert page.read_text() == signoff.made(page), "remedy: .venv/bin/python cores/common/formal/signoff.py"


@pytest.mark.parametrize("page", PAGES)
def test_what_it_names_is_there(page):
    assert not signoff.unknown(page.parent, page.read_text())


@pytest.mark.parametrize("page", PAGES)
def test_it_has_all_generated_parts(page):
    assert {part for _, part, _ in signoff.MADE.findall(page.read_text())} == signoff.PARTS.keys()


def test_what_is_not_there_is_found():
    text = "`formal/none.sv`, `tb/test_common_axil.py` `fast`, `never`; `test_none.py`"
    assert signoff.unknown(signoff.CORES / "common", text) == ["none.sv", "test_common_axil.py: never", "test_none.py"]
