# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proof of the scoreboard of SACK, and mutations that it must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

CHECK, TOUCH, INSERT, ADVANCE = (f"toe/rtl/toe_sack_{part}.sv" for part in ("check", "touch", "insert", "advance"))
SACK_BOARD = Proof(
    sources=(CHECK, TOUCH, INSERT, ADVANCE, "toe/formal/sack_board.sv"),
    depth=1,
    mutations=(
        Mutation("from_una", CHECK, "(left != 0) & ", "", 1),
        Mutation("reversed", CHECK, "(left < right) & ", "", 1),
        Mutation("beyond_snd_nxt", CHECK, " & (right <= 32'(flight))", "", 1),
        Mutation("one_beyond", CHECK, "right <= 32'(flight)", "right <= 32'(flight) + 1", 1),
        Mutation("hole_counts", TOUCH, "(list_stop[i] >= start)", "(list_stop[i] + 1'b1 >= start)", 1),
        Mutation("not_joined", TOUCH, "(list_start[i] <= stop)", "(list_start[i] < stop)", 1),
        Mutation("known_by_two", TOUCH, "(lower & higher) != 0", "lower != 0 && higher != 0", 1),
        Mutation("joined_kept", INSERT, "i + int'(joined)", "i + int'(joined != 0)", 1),
        Mutation("end_lost", INSERT, "if (higher[i]) behind = list_stop[i];", "", 1),
        Mutation("cut_counts", ADVANCE, "(list_start[i] > bytes)", "(list_stop[i] > bytes)", 1),
        Mutation("not_moved", ADVANCE, "list_stop[k] - bytes", "list_stop[k]", 1),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(SACK_BOARD))
def test_formal(proof, mutation):
    check(proof, mutation)
