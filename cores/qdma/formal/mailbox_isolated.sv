// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_mailbox_access, for any access of a VF and its PF to the state of their pair, in any order.
//   - each message is received once, after it was sent: as many were sent as have been received, but for one that waits
//   - a message that waits is not changed; what is not sent is not seen
//   - what is refused changes nothing, but for the half of a command that is allowed
//   - a PF whose target is not its VF sees and changes nothing of a pair
//   - a VF changes neither a target nor acknowledgements
module mailbox_isolated
  import qdma_mailbox_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic                   clk,         // there is an edge in this step
    input logic                   rst,
    input mailbox_access_t        access,
    input logic                   is_pf,
    input logic                   owns,        // of a PF: its target is this VF
    input logic            [31:0] word,
    input logic            [31:0] ack_word,
    input logic            [11:0] target,
    input logic                   has_sender,
    input logic            [ 7:0] sender,
    input logic                   has_acks
);
  logic [31:0] read_data;
  logic refused, writes_link, writes_word, writes_target, clears_acks, sends, receives, arms, has_link, is_command;
  logic in_window, out_window, inbound_waits, outbound_waits;
  mailbox_link_t link, link_next;
  assign has_link = ~is_pf | owns;
  qdma_mailbox_access dut (.*);

  assign is_command     = access.offset == REG_COMMAND;
  assign in_window      = access.offset >= REG_INBOUND && access.offset < REG_INBOUND + 12'd128;
  assign out_window     = access.offset >= REG_OUTBOUND && access.offset < REG_OUTBOUND + 12'd128;
  assign inbound_waits  = is_pf ? link.is_sent : link.is_posted;
  assign outbound_waits = is_pf ? link.is_posted : link.is_sent;

  // Messages of the VF, of the PF: sent, received
  logic [1:0][7:0] sent_q, received_q;
  logic reset_q;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    if (writes_link) link <= link_next;
    if (sends) sent_q[is_pf] <= sent_q[is_pf] + 1'b1;
    if (receives) received_q[!is_pf] <= received_q[!is_pf] + 1'b1;
    if (rst) begin
      link       <= '0;
      sent_q     <= '0;
      received_q <= '0;
    end
  end

  always_comb begin
    if (!reset_q)
      assume (rst);
      else begin
        once :
        assert (sent_q[0] - received_q[0] == 8'(link.is_sent) && sent_q[1] - received_q[1] == 8'(link.is_posted));
        if (sends) assert (!outbound_waits);
        if (receives) assert (inbound_waits);
        unchanged : if (writes_word) assert (!outbound_waits && out_window && has_link);
        if (in_window && !inbound_waits) assert (read_data == '0);
        if (refused && !is_command) begin
          assert (!writes_link && !writes_target && !clears_acks);
          if (!access.is_write) assert (read_data == '0);
        end
        if (!has_link) begin
          assert (!writes_word && !sends && !receives);
          if (in_window || out_window) assert (refused && read_data == '0);
        end
        if (!is_pf) assert (!writes_target && !clears_acks);
        if (!access.is_write) assert (!writes_link && !writes_target && !clears_acks);
      end
  end

  logic unused;
  assign unused = &{1'b0, INVARIANTS, arms};
endmodule
