// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of macpcs_rx_fifo_sof, for any two clocks, of which the reader's is less than twice as fast, and resets of the
// FIFO at any time: where the FIFO shows an entry with a bit, out_sof is that entry's bit at every edge of rd_clk; and it
// is the same at each of them.
//
// A step may hold an edge of either clock, of both or of none.  The FIFO is abstract: entries come out in order, an entry
// shows after the second edge of rd_clk at the earliest, one in the step of its writing counted (two stages of
// synchroniser), and resets follow each other as async_fifo_order proves of async_fifo: once either side is in reset, both
// have been before the reader leaves, and the writer leaves after it.  Entries without a bit do not matter and are left out.
//
// Assumed of the clocks: from the edge that writes an entry to the next one of wr_clk, both counted, there are two edges of
// rd_clk at most.
module rx_fifo_sof #(
    parameter bit INVARIANTS = 1'b1,
    parameter int DEPTH = 4
) (
    input logic wr_clk,    // there is an edge in this step
    input logic rd_clk,
    // Free in every step
    input logic put,
    input logic sof_next,
    input logic show,
    input logic take,
    input logic wr_rst,
    input logic rd_rst,
    input logic leave
);
  localparam int BITS = $clog2(DEPTH);
  typedef logic [BITS-1:0] place_t;
  typedef logic [BITS:0] count_t;

  logic every_step;
  assign every_step = 1'b1;

  // --- Resets
  typedef enum logic [1:0] {
    RUNS,
    WRITER_FIRST,  // old entries may still be read
    READER,  // is in reset; the writer follows, if it was not first
    WRITER_LAST
  } phase_t;
  phase_t phase_q;
  logic wr_in_q, wr_cleared_q, rd_cleared_q;  // in READER: the writer is in reset; a side had an edge in it
  logic wr_reset, rd_reset;
  assign rd_reset = phase_q == READER;
  assign wr_reset = phase_q == WRITER_FIRST || phase_q == WRITER_LAST || (rd_reset && wr_in_q);
  initial {phase_q, wr_in_q, wr_cleared_q, rd_cleared_q} = {READER, 3'b000};
  always_ff @(posedge every_step) begin
    case (phase_q)
      RUNS:
      if (rd_rst) phase_q <= READER;
      else if (wr_rst) phase_q <= WRITER_FIRST;
      WRITER_FIRST: if (rd_rst) phase_q <= READER;
      READER: if (leave && wr_cleared_q && rd_cleared_q) phase_q <= WRITER_LAST;
      default: if (leave) phase_q <= RUNS;
    endcase
    wr_in_q      <= phase_q == WRITER_FIRST || (rd_reset && (wr_in_q || wr_rst));
    wr_cleared_q <= rd_reset && (wr_cleared_q || (wr_in_q && wr_clk));
    rd_cleared_q <= rd_reset && (rd_cleared_q || rd_clk);
  end

  // --- What is proved
  logic out_sof, puts, takes, shows;
  macpcs_rx_fifo_sof #(
      .DEPTH(DEPTH)
  ) dut (
      .wr_clk,
      .wr_reset,
      .put (puts),
      .sof_next,
      .rd_clk,
      .rd_reset,
      .take(takes),
      .out_sof
  );

  // --- Reference: the entries, oldest in [0], each with its age in edges of rd_clk
  logic [DEPTH-1:0] bit_q;
  logic [DEPTH-1:0][1:0] age_q;
  count_t count_q, count;  // entries that the reader may get
  logic late_q, lost_q;  // the bit of the latest entry is still to come; the reader has dropped that entry
  logic [1:0] late_edges_q;  // edges of rd_clk since it was written
  logic put_now, take_now;
  assign puts     = put & ~wr_reset & (count_q < count_t'(DEPTH));
  assign shows    = show & (phase_q == RUNS || phase_q == WRITER_FIRST) & (count_q != 0) & (age_q[0] == 2'd2);
  assign takes    = take & shows;
  assign put_now  = wr_clk & puts & ~rd_reset;
  assign take_now = rd_clk & takes;
  assign count    = count_q - count_t'(take_now);
  initial {count_q, late_q, lost_q} = '0;
  function automatic logic [1:0] older(logic [1:0] age);
    return age + 2'(rd_clk && age != 2'd2);
  endfunction
  always_ff @(posedge every_step) begin
    for (int i = 0; i < DEPTH; i++) begin
      bit_q[i] <= take_now ? bit_q[(i+1)%DEPTH] : bit_q[i];
      age_q[i] <= older(take_now ? age_q[(i+1)%DEPTH] : age_q[i]);
      if (put_now && count == count_t'(i)) age_q[i] <= {1'b0, rd_clk};
      if (wr_clk && late_q && !lost_q && count == count_t'(i) + 1'b1) bit_q[i] <= sof_next;
    end
    count_q <= rd_reset ? '0 : count + count_t'(put_now);
    if (wr_clk) begin
      late_q       <= puts;
      lost_q       <= rd_reset;
      late_edges_q <= 2'(rd_clk);
    end else begin
      lost_q       <= lost_q | rd_reset;
      late_edges_q <= late_edges_q + 2'(rd_clk);
    end
  end

  always_comb assume (!(late_q && rd_clk && late_edges_q == 2'd2));

  // --- The claim
  always_comb if (rd_clk && shows) assert (out_sof == bit_q[0] && !(late_q && !lost_q && count_q == 1));

  // --- Invariants
  place_t written;
  assign written = place_t'(dut.wr_at_q - dut.rd_at_q);  // bits that are in the RAM
  always_comb
    if (INVARIANTS) begin
      assert (count_q <= count_t'(DEPTH));
      if (!rd_reset || wr_cleared_q) assert (dut.put_q == late_q);
      if (late_q) assert (late_edges_q <= 2'd2);
      if (late_q && !lost_q && !rd_reset) begin
        assert (count_q != 0 && age_q[place_t'(count_q-1'b1)] <= late_edges_q);
      end
      if (phase_q == RUNS) begin
        if (late_q) assert (!lost_q);
        assert (written == place_t'(count_q - count_t'(late_q)));
      end
      if (phase_q == WRITER_FIRST && late_q) assert (!lost_q && written == place_t'(count_q - 1'b1));
      if (phase_q == RUNS || phase_q == WRITER_FIRST)
        for (int i = 0; i < DEPTH; i++) begin
          if (count_t'(i) + count_t'(late_q) < count_q) assert (dut.ram[place_t'(dut.rd_at_q+place_t'(i))] == bit_q[i]);
          assert (count_t'(i) >= count_q || age_q[i] <= 2'd2);
        end
      if (wr_cleared_q) assert (wr_in_q);
      if (rd_reset && wr_cleared_q) assert (!late_q && dut.wr_at_q == 0);
      if (rd_reset && rd_cleared_q) assert (dut.rd_at_q == 0 && (count_q == 0));
      if (phase_q == WRITER_LAST) assert (!late_q && dut.wr_at_q == 0 && dut.rd_at_q == 0 && count_q == 0);
    end
endmodule
