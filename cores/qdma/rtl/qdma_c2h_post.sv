// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Posts the completion entry of each packet once the last write of its payload has been accepted.
//
// Latency: post_valid 1 cycle after `sent`; a packet in each cycle.
//
// Interface: entries and sent come in the order of the packets.  done is for a cycle, for each packet.
//
// Operation: counts the packets whose payload has been sent.  So an entry is never posted before its payload was accepted:
// formal/entry_after_payload.sv proves it.  An entry of a queue that was stopped is dropped, unless it is shown already.
module qdma_c2h_post
  import qdma_context_pkg::*;
  import qdma_write_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter bit INLINE = 1'b0  // there are inline packets
) (
    input logic clk,
    input logic rst,

    input  logic       entry_valid,
    output logic       entry_ready,
    input  c2h_entry_t entry,
    input  logic       sent,             // the payload of the next packet
    input  logic       entry_is_stopped,

    output logic   post_valid,
    input  logic   post_ready,
    output entry_t post,

    output c2h_done_t done,
    output serial_t   done_serial, // of the next packet that leaves

    output logic [31:0] stat_mismatched,
    output logic [31:0] stat_stopped
);
  serial_t sent_serial_q;  // of the next packet whose payload is sent
  logic shown_q, is_ready, drops, leaves;
  assign is_ready = entry_valid & (sent_serial_q != done_serial);
  assign drops = entry_is_stopped & ~shown_q;
  assign post_valid = is_ready & entry.packet.has_completion & ~drops;
  assign leaves = is_ready & (~entry.packet.has_completion | drops | post_ready);
  assign entry_ready = leaves;
  assign post = '{
          qid: entry.packet.qid,
          is_user_trigger: entry.user.is_user_trigger,
          has_user_format: entry.user.has_user_format,
          place: entry.user.place,
          has_error: entry.user.has_error | entry.is_mismatched,
          has_used_descriptor: (entry.packet.bytes != '0) & ~(INLINE & entry.packet.is_inline),
          length: entry.packet.bytes,
          user: entry.user.data
      };

  always_ff @(posedge clk) begin
    if (sent) sent_serial_q <= sent_serial_q + 1'b1;
    shown_q <= post_valid & ~post_ready;
    done <= '{
        valid: leaves,
        qid: entry.packet.qid,
        is_marker: entry.packet.is_marker,
        is_mismatched: entry.is_mismatched,
        is_stopped: drops
    };
    if (leaves) begin
      done_serial <= done_serial + 1'b1;
      if (entry.is_mismatched) stat_mismatched <= stat_mismatched + 1'b1;
      if (drops) stat_stopped <= stat_stopped + 1'b1;
    end
    if (rst) begin
      sent_serial_q   <= '0;
      shown_q         <= 1'b0;
      done.valid      <= 1'b0;
      done_serial     <= '0;
      stat_mismatched <= '0;
      stat_stopped    <= '0;
    end
  end
endmodule
