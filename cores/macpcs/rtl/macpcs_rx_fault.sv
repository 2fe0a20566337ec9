// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Link fault signalling, receiving side: the reconciliation sublayer's machine of IEEE 802.3 clause 46.3.4, figure 46-9.
// Four sequence ordered sets of one kind, with fewer than 128 columns and no other kind between them, set its fault; 128
// columns without any clear it.  A column is 4 bytes: half a block.
// Latency: from the slot that completes the block of the deciding column, 4 cycles for its first column, 5 for its
// second.  rx_link_ok follows the faults 1 cycle later, and pcs_ok 2 cycles later.
//
// While `pcs_ok` is low (no block lock, high bit error ratio, test pattern) the receiver of clause 49 gives its MAC local
// fault in every column (LBLOCK_R); here too, so local fault comes after two blocks and stays for 64 good ones.
//
// Ordered sets in a block (figure 49-7), lowest bits first; O = 0 marks a sequence, {D1 D2 D3} = 0 0 1 local fault and
// 0 0 2 remote fault:
//
//   type  first half            second half
//   4b    4b  D1  D2  D3        O0, C4..C7
//   2d    2d  C0..C3            .., O4   D5  D6  D7
//   66    66  D1  D2  D3        O0, 0    S4 ..
//   55    55  D1  D2  D3        O0, O4   D5  D6  D7
//
// The control characters beside an ordered set are not looked at, nor whether it stands inside of a frame.
module macpcs_rx_fault
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32  // of a payload word
) (
    input logic clk,
    input logic rst,

    input slot_t             slot,    // payload word that completes in this cycle
    input logic  [      1:0] header,  // of its block
    input logic              pcs_ok,
    input logic  [WIDTH-1:0] word_q,  // payload word of the cycle before

    output logic local_fault,
    output logic remote_fault,
    output logic rx_link_ok  // pcs_ok and no fault
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_rx_fault: WIDTH must be 16 or 32");
  end

  // --- Halves of blocks
  slot_t slot_q;  // goes with word_q
  logic control_q, ok_q;
  always_ff @(posedge clk) begin
    slot_q    <= slot;
    control_q <= header == HEADER_CONTROL;
    ok_q      <= pcs_ok;
  end
  logic complete, second;
  logic [31:0] half;
  if (WIDTH == 32) begin : gen_whole
    assign {complete, second, half} = {~slot_q.stall, slot_q.pos[0], word_q};
  end else begin : gen_assemble
    logic [15:0] low_q;
    always_ff @(posedge clk) if (!slot_q.stall) low_q <= word_q;
    assign {complete, second, half} = {~slot_q.stall & slot_q.pos[0], slot_q.pos[1], word_q, low_q};
  end

  // --- What a half holds
  typedef struct packed {
    logic d01_zero;   // the first two of its three data bytes
    logic is_local;   // and the third
    logic is_remote;
    logic has0;       // as a first half: the type of the block says that column 0 is an ordered set
    logic has4;
  } half_t;
  half_t half_q, first_q;
  logic o0_q, o4_q;  // as a second half: they are sequences
  logic complete_q, second_q, block_control_q, block_ok_q;
  always_ff @(posedge clk) begin
    half_q.d01_zero  <= half[23:8] == 16'h0;
    half_q.is_local  <= half[31:24] == 8'h01;
    half_q.is_remote <= half[31:24] == 8'h02;
    half_q.has0      <= half[7:0] inside {TYPE_ORDERED0, TYPE_ORDERED_START4, TYPE_ORDERED04};
    half_q.has4      <= half[7:0] inside {TYPE_ORDERED4, TYPE_ORDERED04};
    o0_q             <= half[3:0] == 4'h0;
    o4_q             <= half[7:4] == 4'h0;
    complete_q       <= complete;
    second_q         <= second;
    block_control_q  <= control_q;
    block_ok_q       <= ok_q;
    if (complete_q && !second_q) first_q <= half_q;
    if (rst) begin
      complete_q <= 1'b0;
      first_q    <= '0;  // a block whose first half came before the reset is quiet
    end
  end

  // --- Columns, one a cycle: a block's first when it is complete, its second in the cycle after
  logic ordered0, ordered4;
  logic column0_q, column4_q, column;
  logic local_q, remote_q;  // what the column says
  logic local4_q, remote4_q;
  assign ordered0 = block_control_q & first_q.has0 & o0_q & first_q.d01_zero;
  assign ordered4 = block_control_q & first_q.has4 & o4_q & half_q.d01_zero;
  always_ff @(posedge clk) begin
    column0_q <= complete_q & second_q;
    column4_q <= column0_q;
    local4_q  <= ~block_ok_q | (ordered4 & half_q.is_local);
    remote4_q <= block_ok_q & ordered4 & half_q.is_remote;
    local_q   <= ~block_ok_q | (ordered0 & first_q.is_local);
    remote_q  <= block_ok_q & ordered0 & first_q.is_remote;
    if (column0_q) {local_q, remote_q} <= {local4_q, remote4_q};
    if (rst) begin
      column0_q <= 1'b0;
      column4_q <= 1'b0;
    end
  end
  assign column = column0_q | column4_q;

  // --- Figure 46-9
  localparam logic [6:0] LAST_QUIET = 7'd127;  // with one more column, 128 have been without a fault
  logic [1:0] sequences_q;  // of the latest kind, up to 3; 0: state INIT
  logic       last_local_q;  // the latest kind
  logic [6:0] quiet_q;  // columns without a fault since
  logic       quiet_full_q;  // quiet_q == LAST_QUIET
  always_ff @(posedge clk) begin
    if (column) begin
      if (local_q || remote_q) begin
        quiet_q      <= '0;
        quiet_full_q <= 1'b0;
        last_local_q <= local_q;
        if (sequences_q == 0 || last_local_q != local_q) begin
          sequences_q <= 2'd1;
        end else if (sequences_q == 3) begin
          local_fault  <= local_q;
          remote_fault <= ~local_q;
        end else begin
          sequences_q <= sequences_q + 2'd1;
        end
      end else if (quiet_full_q) begin
        sequences_q  <= 2'd0;
        local_fault  <= 1'b0;
        remote_fault <= 1'b0;
      end else begin
        quiet_q      <= quiet_q + 7'd1;
        quiet_full_q <= quiet_q == LAST_QUIET - 7'd1;
      end
    end
    rx_link_ok <= ok_q & ~local_fault & ~remote_fault;
    if (rst) begin
      sequences_q  <= '0;
      last_local_q <= 1'b0;
      quiet_q      <= '0;
      quiet_full_q <= 1'b0;
      local_fault  <= 1'b0;
      remote_fault <= 1'b0;
      rx_link_ok   <= 1'b0;
    end
  end
endmodule
