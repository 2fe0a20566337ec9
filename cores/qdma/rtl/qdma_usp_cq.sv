// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes requests to our BARs out of the completer request interface (CQ) of the PCIe block, not straddled.
//
// Latency: 2 cycles from the last beat of CQ.
//
// Interface: target request channel of qdma_tlp_pkg.  The address is that in the BAR, as its aperture has it.
//
// Operation: the descriptor has four dwords, so a beat of the channel is twelve dwords of one beat of CQ and four of
// the next.
//
// What is neither a read nor a write of memory: a posted request (a message) is dropped, `dropped` for a cycle; another
// one is passed on as a read of a BAR that is not there, so that it is answered as an unsupported request.
module qdma_usp_cq
  import qdma_tlp_pkg::*;
  import qdma_usp_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic     m_axis_cq_tvalid,
    output logic     m_axis_cq_tready,
    input  beat_t    m_axis_cq_tdata,
    input  logic     m_axis_cq_tlast,
    input  cq_user_t m_axis_cq_tuser,

    output logic            request_valid,
    input  logic            request_ready,
    output target_request_t request,
    output beat_t           request_data,
    output logic            request_last,
    output logic            dropped
);
  localparam int HEADER_DWORDS = 4, HEADER_BITS = 32 * HEADER_DWORDS;
  localparam logic [2:0] NO_BAR = 3'd7;

  // --- The descriptor
  cq_descriptor_t  descriptor;
  target_request_t header;
  logic is_message, is_memory;
  assign descriptor = cq_descriptor_t'(m_axis_cq_tdata[HEADER_BITS-1:0]);
  assign is_message = descriptor.request_type[3:2] == 2'b11;
  assign is_memory  = descriptor.request_type inside {TYPE_READ, TYPE_WRITE};
  always_comb begin
    header = '{
        is_write: descriptor.request_type == TYPE_WRITE,
        func: descriptor.func,
        bar: is_memory ? descriptor.bar : NO_BAR,
        addr: {descriptor.addr[29:0], 2'b00} & ~(32'hFFFF_FFFF << descriptor.bar_aperture),
        dwords: is_memory ? descriptor.dwords : 11'd1,
        first_be: is_memory ? m_axis_cq_tuser.first_be[0] : '1,
        last_be: is_memory ? m_axis_cq_tuser.last_be[0] : '0,
        transaction: '{
            requester: descriptor.requester_id,
            tag: 10'(descriptor.tag),
            tc: descriptor.tc,
            attr: descriptor.attr
        }
    };
  end

  // --- The beat that waits: its dwords after the first four, and whether it is the last one
  logic valid_q, last_q, in_tlp_q, drops_q, has_data_q;
  logic accept, begins, drops, leaves;
  target_request_t header_q;
  logic [BEAT_BITS-HEADER_BITS-1:0] carry_q;
  logic [10:0] left_q;  // dwords that have not left
  assign begins           = ~in_tlp_q;
  assign drops            = begins ? is_message : drops_q;
  assign m_axis_cq_tready = ~request_valid | request_ready;
  assign accept           = m_axis_cq_tvalid & m_axis_cq_tready;

  // A beat leaves with the last beat of CQ, or with the one after it that has its other four dwords.
  assign leaves           = valid_q & (last_q | (accept & ~begins)) & m_axis_cq_tready;

  always_ff @(posedge clk) begin
    dropped <= accept & m_axis_cq_tlast & drops;
    if (m_axis_cq_tready) begin
      request_valid <= leaves;
      request       <= header_q;
      request_data  <= {m_axis_cq_tdata[HEADER_BITS-1:0], carry_q};
      request_last  <= left_q <= 11'(BEAT_DWORDS) | ~has_data_q;
      if (leaves) begin
        valid_q <= 1'b0;
        left_q  <= left_q - 11'(BEAT_DWORDS);
      end
      if (accept) begin
        in_tlp_q <= ~m_axis_cq_tlast;
        drops_q  <= drops;
        carry_q  <= m_axis_cq_tdata[BEAT_BITS-1:HEADER_BITS];
        last_q   <= m_axis_cq_tlast;
        if (begins) begin
          header_q   <= header;
          has_data_q <= header.is_write;
          left_q     <= header.dwords;
        end
        // The last beat of a TLP may have left whole, with the beat before it.
        valid_q <= ~drops & (begins | (has_data_q & (~m_axis_cq_tlast | (left_q > 11'(BEAT_DWORDS)))));
      end
    end
    if (rst) begin
      valid_q       <= 1'b0;
      in_tlp_q      <= 1'b0;
      request_valid <= 1'b0;
      dropped       <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, m_axis_cq_tuser, descriptor};
endmodule
