# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of the common modules, and mutations that each must see."""

import pytest

from formal_run import Mutation, Proof, cases, check

CRC = "common/rtl/crc32_pkg.sv"
REGISTER = "common/rtl/axis_register.sv"

AXIS_REGISTER = Proof(
    sources=(REGISTER, "common/formal/axis_register_order.sv"),
    mutations=(
        Mutation("word_lost", REGISTER, "else if (s_valid && s_ready)", "else if (s_valid && m_ready)", 8),
        Mutation("word_repeated", REGISTER, "      spare_valid_q <= 1'b0;\n    end else", "    end else", 8),
    ),
)
CRC32_WORDS = Proof(
    sources=(CRC, "common/formal/crc32_words.sv"),
    mutations=(
        Mutation("polynomial", CRC, "32'hedb88320", "32'hedb88322", 1),
        Mutation("one_shift_too_few", CRC, "crc32_matrix(32)", "crc32_matrix(31)", 1),
        Mutation("residue", CRC, "32'hdebb20e3", "32'hc704dd7b", 1),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(AXIS_REGISTER, CRC32_WORDS))
def test_formal(proof, mutation):
    check(proof, mutation)
