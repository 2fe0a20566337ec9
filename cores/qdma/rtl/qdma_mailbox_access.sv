// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What an access of the mailbox answers and changes.
//
// Latency: none, combinational.
//
// Interface: link is the function's own for REG_VECTOR and REG_ENABLE, else that of the VF of the pair: of a VF its own, of a PF that of
// its target.
//
// Operation: a VF exchanges messages with its PF alone, a PF with its own VFs alone.  `refused`: the access changes nothing, or
// not all that it asks for, and is an error of its sender.
module qdma_mailbox_access
  import qdma_mailbox_pkg::*;
(
    input mailbox_access_t        access,
    input logic                   is_pf,
    input logic                   has_link,    // of a PF: its target is one of its VFs
    input mailbox_link_t          link,
    input logic            [31:0] word,        // of the message that the access looks at
    input logic            [31:0] ack_word,    // of a PF
    input logic            [11:0] target,
    input logic                   has_sender,  // of a PF: a message waits, this is the first sender
    input logic            [ 7:0] sender,
    input logic                   has_acks,

    output logic          [31:0] read_data,
    output logic                 refused,
    output logic                 writes_link,
    output mailbox_link_t        link_next,
    output logic                 writes_word,
    output logic                 writes_target,
    output logic                 clears_acks,
    output logic                 sends,          // a message leaves
    output logic                 receives,       // one has been received
    output logic                 arms            // its interrupt is enabled
);
  logic [4:0] index;  // of a word of a message
  logic in_window, out_window, in_acks, can_send, can_receive;
  assign index       = access.offset[6:2];
  assign in_window   = access.offset >> 7 == REG_INBOUND >> 7;
  assign out_window  = access.offset >> 7 == REG_OUTBOUND >> 7;
  assign in_acks     = access.offset >> 5 == REG_ACKS >> 5;
  assign can_send    = has_link & ~(is_pf ? link.is_posted : link.is_sent);
  assign can_receive = has_link & (is_pf ? link.is_sent : link.is_posted);

  logic [WORDS-1:0] inbound_words, outbound_words;
  assign inbound_words  = is_pf ? link.sent_words : link.posted_words;
  assign outbound_words = is_pf ? link.posted_words : link.sent_words;

  // --- Reads
  always_comb begin
    read_data = '0;
    if (in_window) read_data = can_receive & inbound_words[index] ? word : '0;
    else if (out_window) read_data = has_link & outbound_words[index] ? word : '0;
    else if (in_acks) read_data = is_pf ? ack_word : '0;
    else begin
      case (access.offset)
        REG_STATUS: begin
          read_data[0] = is_pf ? has_sender : link.is_posted;
          read_data[1] = has_link & ~can_send;
          if (is_pf) read_data[2] = has_acks;
          if (is_pf && has_sender) read_data[15:4] = 12'(sender);
        end
        REG_VECTOR: read_data = 32'(link.vector);
        REG_TARGET: read_data = is_pf ? 32'(target) : '0;
        REG_ENABLE: read_data = 32'(link.is_enabled);
        default: read_data = '0;
      endcase
    end
  end

  // --- Writes
  logic writes_setting;
  always_comb begin
    refused        = 1'b0;
    writes_setting = 1'b0;
    writes_word    = 1'b0;
    writes_target  = 1'b0;
    clears_acks    = 1'b0;
    sends          = 1'b0;
    receives       = 1'b0;
    arms           = 1'b0;
    link_next      = link;
    if (in_window) begin
      refused = ~has_link | access.is_write;
    end else if (out_window) begin
      refused     = ~has_link | (access.is_write & ~can_send);
      writes_word = access.is_write & can_send;
    end else if (in_acks) begin
      refused     = ~is_pf;
      clears_acks = access.is_write & is_pf;
    end else begin
      case (access.offset)
        REG_STATUS: refused = access.is_write;
        REG_COMMAND:
        if (access.is_write) begin
          sends    = access.data[SEND] & can_send;
          receives = access.data[RECEIVE] & can_receive;
          refused  = (access.data[SEND] & ~can_send) | (access.data[RECEIVE] & ~can_receive);
        end
        REG_VECTOR: begin
          writes_setting   = access.is_write;
          link_next.vector = access.data[4:0];
        end
        REG_TARGET: begin
          refused       = ~is_pf;
          writes_target = access.is_write & is_pf;
        end
        REG_ENABLE: begin
          writes_setting       = access.is_write;
          link_next.is_enabled = access.data[0];
          arms                 = access.is_write & access.data[0];
        end
        default:    refused = 1'b1;
      endcase
    end

    if (writes_word) begin
      if (is_pf) link_next.posted_words[index] = 1'b1;
      else link_next.sent_words[index] = 1'b1;
    end
    if (sends) begin
      if (is_pf) link_next.is_posted = 1'b1;
      else link_next.is_sent = 1'b1;
    end
    if (receives) begin
      if (is_pf) begin
        link_next.is_sent    = 1'b0;
        link_next.sent_words = '0;
      end else begin
        link_next.is_posted    = 1'b0;
        link_next.posted_words = '0;
      end
    end
  end
  assign writes_link = writes_setting | writes_word | sends | receives;

  logic unused;
  assign unused = &{1'b0, access.func, access.offset[1:0]};
endmodule
