# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proof that a FIFO with its data in a register is one without, and mutations that it must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

FIFO = "toe/rtl/toe_fifo.sv"

AHEAD = Proof(
    sources=(FIFO, "toe/formal/fifo_ahead.sv"),
    depth=3,
    clocks=True,
    mutations=(
        Mutation("not_what_comes", FIFO, "wr_valid && (!rd_valid || (rd_ready && last))", "1'b0", 8),
        Mutation("only_into_an_empty_one", FIFO, "(!rd_valid || (rd_ready && last))", "!rd_valid", 8),
        Mutation("whatever_comes", FIFO, "(rd_ready && last)", "rd_ready", 8),
        Mutation("the_last_again", FIFO, "data_q <= ram[rd_next", "data_q <= ram[rd_ptr_q", 8),
        Mutation("does_not_wait", FIFO, "else if (rd_ready) data_q", "else data_q", 8),
        Mutation("ends_early", FIFO, "~(rd_ready & last)", "~rd_ready", 8),
        Mutation("does_not_end", FIFO, "~(rd_ready & last)", "1'b1", 8),
        Mutation(
            "not_what_comes_meanwhile",
            FIFO,
            "put | (rd_valid & ~(rd_ready & last))",
            "rd_valid ? ~(rd_ready & last) : put",
            8,
        ),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(AHEAD, Proof(AHEAD.sources, 3, (), {"DEPTH": 2}, True)))
def test_toe_fifo_formal(proof, mutation):
    check(proof, mutation)
