# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proof of toe_lookup, and mutations that it must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

LOOKUP = "toe/rtl/toe_lookup.sv"
LOOKUP_FOUND = Proof(
    sources=(
        "toe/rtl/toe_pkg.sv",
        "common/rtl/ram_sdp.sv",
        "toe/formal/abstract/toe_hash_peer.sv",
        "toe/formal/abstract/toe_hash_own.sv",
        "toe/rtl/toe_equal.sv",
        "toe/tb/toe_hash_bench.sv",
        LOOKUP,
        "toe/formal/lookup_found.sv",
    ),
    depth=6,
    clocks=True,
    # Mutations that need one tuple to displace another are too deep; the tests in tb/ detect them.
    mutations=(
        Mutation("put_nowhere", LOOKUP, "if (put) wr = free;", "if (put) wr = '0;", 20, calm=True),
        Mutation("twice", LOOKUP, "match_q != 0 || aside_q != 0", "aside_q != 0", 20, calm=True),
        Mutation("found_while_clearing", LOOKUP, "look & (step_q != CLEAR)", "look", 20, calm=True),
        Mutation("another_session", LOOKUP, "if (match[w]) ram_sid |= there[w].sid;", "ram_sid = '0;", 20, calm=True),
        Mutation("found_too_soon", LOOKUP, "  live_q  <= '0;", "  live_q  <= '1;", 20, calm=True),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(LOOKUP_FOUND))
def test_formal(proof, mutation):
    check(proof, mutation)
