// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Received words of 64 bits to 32 bits, low half first, and the verdict after the last of them.
// Latency: the low half 1 cycle, the high half 2; a verdict that comes with a word leaves with its last half, one that comes
// after it 1 cycle later, or as soon as what came before has left.
//
// A word with tlast and tkeep[7:4] = 0 has a low half only.
//
// Two words in four cycles can be carried for ever, as the line gives them; what comes faster for a while waits in a FIFO
// of DEPTH words.  A word that finds it full is thrown away, and its frame's verdict is bad: two places are kept for what ends
// a frame.
module toe_mac_narrow #(
    parameter int DEPTH = 32  // a power of two, 4 at least
) (
    input logic clk,
    input logic rst,

    input logic [63:0] s_axis_tdata,
    input logic [ 7:0] s_axis_tkeep,
    input logic        s_axis_tvalid,
    input logic        s_axis_tlast,
    input logic        s_status_valid,
    input logic        s_status_good,

    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    output logic        m_axis_tlast,
    output logic        m_status_valid,
    output logic        m_status_good
);
  localparam int BITS = $clog2(DEPTH);
  typedef struct packed {
    logic [63:0] data;
    logic [7:0]  keep;
    logic        valid;
    logic        last;
    logic        verdict;
    logic        good;
  } entry_t;
  entry_t in, head, next;
  (* ram_style = "distributed" *) entry_t ram[DEPTH];
  logic [BITS:0] wr_q, rd_q, used;
  logic comes, ends, empty, room, push, pop, single;
  logic spoilt_q;  // a word of the frame that is coming has been thrown away
  logic high_q;  // a high half waits
  logic [31:0] data_q;
  logic [3:0] keep_q;
  logic last_q, verdict_q, good_q;
  assign in = '{
          data: s_axis_tdata,
          keep: s_axis_tkeep,
          valid: s_axis_tvalid,
          last: s_axis_tlast,
          verdict: s_status_valid,
          good: s_status_good & ~spoilt_q
      };
  assign used = wr_q - rd_q;
  assign empty = used == 0;
  assign comes = s_axis_tvalid | s_status_valid;
  assign ends = s_status_valid | s_axis_tlast;
  assign room = used < (ends ? (BITS + 1)'(DEPTH) : (BITS + 1)'(DEPTH - 2));
  assign push = comes & room & (high_q | ~empty);
  assign pop = ~high_q & ~empty;
  assign head = ram[rd_q[BITS-1:0]];
  assign next = empty ? in : head;
  assign single = ~next.valid | (next.last & (next.keep[7:4] == 0));

  always_ff @(posedge clk) begin
    if (push) ram[wr_q[BITS-1:0]] <= in;
    wr_q <= wr_q + (BITS + 1)'(push);
    rd_q <= rd_q + (BITS + 1)'(pop);
    if (s_status_valid) spoilt_q <= 1'b0;
    else if (comes && !room) spoilt_q <= 1'b1;

    if (high_q) begin
      m_axis_tdata   <= data_q;
      m_axis_tkeep   <= keep_q;
      m_axis_tvalid  <= 1'b1;
      m_axis_tlast   <= last_q;
      m_status_valid <= verdict_q;
      m_status_good  <= good_q;
      high_q         <= 1'b0;
    end else begin
      m_axis_tdata                <= next.data[31:0];
      m_axis_tkeep                <= next.keep[3:0];
      m_axis_tvalid               <= (comes | ~empty) & next.valid;
      m_axis_tlast                <= next.last & single;
      m_status_valid              <= (comes | ~empty) & next.verdict & single;
      m_status_good               <= next.good;
      {data_q, keep_q}            <= {next.data[63:32], next.keep[7:4]};
      {last_q, verdict_q, good_q} <= {next.last, next.verdict, next.good};
      high_q                      <= (comes | ~empty) & ~single;
    end
    if (rst) begin
      {wr_q, rd_q, spoilt_q, high_q} <= '0;
      m_axis_tvalid                  <= 1'b0;
      m_status_valid                 <= 1'b0;
    end
  end
endmodule
