// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Link fault signalling, sending side (IEEE 802.3 clause 46.3.4): with local fault the line carries nothing but remote
// fault ordered sets, with remote fault nothing but idle.  A frame that is under way ends as it would.
//
// It says when blocks that are put into the payload pipeline may be other than idle, because a start on offer is an XOR
// on an idle block (macpcs_tx_line): no start may be on offer while a remote fault block is anywhere in the pipeline.
//
//   stop     no start may be offered; from 2 cycles after a fault comes until DRAIN + 1 whole blocks after the
//            last remote fault block have been put in; and in reset, until the end of a block
//   send_rf  put in remote fault blocks (55 00 00 02 00 00 00 02) in place of idle; only while stop, DRAIN + 1 idle
//            blocks after the last frame; changes only at the end of a block that is put in
module macpcs_tx_fault #(
    parameter int DRAIN = 2  // blocks: at least those between the input of the payload pipeline and the line, and one
) (
    input logic clk,
    input logic rst,

    input logic local_fault,   // of the receiver, brought to this clock
    input logic remote_fault,
    input logic block_end,     // the last payload word of a block is put into the pipeline in this cycle
    input logic idle,          // no frame is under way, nor does one start in this cycle

    output logic stop,
    output logic send_rf
);
  if (DRAIN < 1 || DRAIN > 7) begin : gen_bad_drain
    $error("macpcs_tx_fault: 1 <= DRAIN <= 7 must hold");
  end

  logic local_q, any_q;  // the two inputs may change a cycle apart: it does no harm
  logic [2:0] quiet_q;  // blocks since the last one that may not meet a start, or that was no idle
  logic drained, whole_q;  // whole_q: the transmitter was idle throughout this block so far
  assign drained = quiet_q == 3'(DRAIN);
  // A cycle late, for timing: no start can be on offer any more when it matters, DRAIN blocks after `stop`.
  logic idle_q;
  always_ff @(posedge clk) begin
    idle_q  <= idle;
    local_q <= local_fault;
    any_q   <= local_fault | remote_fault;
    whole_q <= idle_q & (whole_q | block_end);
    if (!stop) begin
      // Nothing has been sent in place of idle; count from when starts have ended.
      stop    <= any_q;
      quiet_q <= '0;
    end else if (!idle_q) begin
      quiet_q <= '0;
    end else if (block_end) begin
      send_rf <= local_q & drained;
      if (send_rf) quiet_q <= local_q ? 3'(DRAIN) : '0;
      else if (whole_q && !drained) quiet_q <= quiet_q + 3'd1;
      if (drained && !any_q && !send_rf) stop <= 1'b0;
    end
    if (rst) begin  // the pipeline is full of idle, and the faults have to be known before the first start
      stop    <= 1'b1;
      send_rf <= 1'b0;
      whole_q <= 1'b0;
      quiet_q <= 3'(DRAIN);
    end
  end
endmodule
