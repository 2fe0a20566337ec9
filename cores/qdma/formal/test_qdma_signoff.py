# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""../signoff.md agrees with proofs and tests."""

import signoff


def test_its_tables_are_those_of_now():
    text = signoff.PAGE.read_text()
    assert text == signoff.made(text), "remedy: .venv/bin/python cores/qdma/formal/signoff.py"


def test_what_it_names_is_there():
    assert not signoff.unknown(signoff.PAGE.read_text())


def test_what_is_not_there_is_found():
    text = "`formal/none.sv`, `tb/test_qdma_top.py` `disabled`, `never`; `test_none.py`"
    assert signoff.unknown(text) == ["none.sv", "test_qdma_top.py: never", "test_none.py"]
