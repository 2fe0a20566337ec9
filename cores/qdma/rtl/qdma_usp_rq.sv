// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Packs posted writes and reads into the requester request interface (RQ) of the PCIe block, straddled at 32 bytes.
//
// Latency: 1 cycle from a beat or read to tvalid.  A TLP takes ceil((16 + its bytes) / 32) halves of beats, and none is
// left empty while there is a TLP to fill it: 64 bytes take a beat and a half.
//
// Interface: channels of qdma_tlp_pkg.  The beats of a posted TLP come in cycles that follow each other, ready aside: the
// PCIe block does not allow a pause within a TLP.  Posted TLPs have sequence numbers, for qdma_usp_order.
//
// Operation: a beat of a posted TLP becomes up to three halves, the descriptor or the last four dwords of the beat before
// it first; a read is one.  In each cycle a beat, a read, or a read and a beat are taken, if at most four halves are then
// there; two of them leave.  A half that is alone leaves alone.  Neither channel waits for more than a TLP of the other.
module qdma_usp_rq
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::*;
  import qdma_usp_pkg::*;
#(
    parameter int COUNT_BITS = 10
) (
    input logic clk,
    input logic rst,

    input  logic        posted_valid,
    output logic        posted_ready,
    input  write_beat_t posted,
    input  logic        read_valid,
    output logic        read_ready,
    input  read_t       read,

    output logic [COUNT_BITS-1:0] begun,  // posted TLPs that were accepted, ever

    output logic     s_axis_rq_tvalid,
    input  logic     s_axis_rq_tready,
    output beat_t    s_axis_rq_tdata,
    output rq_user_t s_axis_rq_tuser
);
  localparam int HALF_DWORDS = BEAT_DWORDS / 2, DESCRIPTOR_DWORDS = 4;

  typedef struct packed {
    logic [32*HALF_DWORDS-1:0] data;
    logic is_sop;
    logic is_eop;
    logic is_read;
    logic [2:0] eop_ptr;  // dword
    logic [3:0] first_be;
    logic [3:0] last_be;
  } half_t;

  // --- What a beat of a posted TLP becomes
  logic in_tlp_q, has_second, has_third;
  logic [4:0] dwords;  // of this beat
  logic [32*DESCRIPTOR_DWORDS-1:0] carry_q;
  logic [1:0] halves;
  rq_descriptor_t write_descriptor, read_descriptor;
  half_t [2:0] piece;
  half_t read_half;

  always_comb begin
    write_descriptor = '{
        request_type: TYPE_WRITE,
        addr: posted.header.addr[63:2],
        dwords: posted.header.dwords,
        requester_func: posted.header.func,
        tc: posted.header.tc,
        attr: posted.header.attr,
        default: '0
    };
    read_descriptor = '{
        request_type: TYPE_READ,
        addr: read.addr[63:2],
        dwords: read.dwords,
        requester_func: read.func,
        tag: read.tag,
        tc: read.tc,
        attr: read.attr,
        default: '0
    };
    dwords = !posted.last || posted.header.dwords[3:0] == '0 ? 5'd16 : 5'(posted.header.dwords[3:0]);
    has_second = dwords > 5'd4;
    has_third = posted.last & (dwords > 5'd12);
    halves = 2'd1 + 2'(has_second) + 2'(has_third);

    piece[0] = '{
        data: {posted.data[127:0], in_tlp_q ? carry_q : write_descriptor},
        is_sop: ~in_tlp_q,
        is_eop: posted.last & ~has_second,
        is_read: 1'b0,
        eop_ptr: 3'(dwords + 5'd3),
        first_be: posted.header.first_be,
        last_be: posted.header.last_be
    };
    piece[1] = '{
        data: posted.data[383:128],
        is_eop: posted.last & ~has_third,
        eop_ptr: 3'(dwords + 5'd3),
        default: '0
    };
    piece[2] = '{data: 256'(posted.data[511:384]), is_eop: 1'b1, eop_ptr: 3'(dwords + 5'd3), default: '0};
    read_half = '{
        data: 256'(read_descriptor),
        is_sop: 1'b1,
        is_eop: 1'b1,
        is_read: 1'b1,
        eop_ptr: 3'd3,
        first_be: read.first_be,
        last_be: read.last_be
    };
  end

  // --- What is taken in this cycle, after `count_q` halves that wait
  logic advance, take_read, take_posted, both_fit, posted_fits;
  logic [1:0] count_q;
  logic [2:0] total;
  assign posted_fits = ~(count_q[1] & (halves == 2'd3));
  assign both_fit = 3'(count_q) + 3'(halves) < 3'd4;
  assign take_read = read_valid & ~in_tlp_q & (~posted_valid | both_fit | count_q[1]);
  assign take_posted = posted_valid & posted_fits & (~take_read | both_fit);
  assign posted_ready = advance & posted_fits & (~take_read | both_fit);
  assign read_ready = advance & ~in_tlp_q & (~posted_valid | both_fit | count_q[1]);
  assign total = 3'(count_q) + 3'(take_read) + (take_posted ? 3'(halves) : '0);

  // --- The first two leave
  half_t [1:0] wait_q, leave;
  half_t [3:0] fresh;
  logic [1:0] leave_valid, sop, eop;
  logic [1:0][4:0] number;
  logic [4:0] left_q;  // of the posted TLP that leaves next
  assign fresh = take_read ? {piece, read_half} : {piece[2], piece};
  assign leave[0] = count_q == '0 ? fresh[0] : wait_q[0];
  assign leave[1] = count_q[1] ? wait_q[1] : fresh[~count_q[0]];
  assign leave_valid = {total > 3'd1, total != '0};
  assign number = {left_q + 5'(sop[0] && !leave[0].is_read), left_q};
  assign sop = leave_valid & {leave[1].is_sop, leave[0].is_sop};
  assign eop = leave_valid & {leave[1].is_eop, leave[0].is_eop};

  always_ff @(posedge clk) begin
    if (advance) begin
      count_q   <= total > 3'd2 ? 2'(total - 3'd2) : '0;
      wait_q[0] <= fresh[2'd2-count_q];
      wait_q[1] <= fresh[2'd3-count_q];
      begun     <= begun + COUNT_BITS'(take_posted && !in_tlp_q);
      left_q    <= number[1] + 5'(sop[1] && !leave[1].is_read);
      if (take_posted) begin
        in_tlp_q <= ~posted.last;
        carry_q  <= posted.data[511:384];
      end
    end
    if (rst) begin
      count_q  <= '0;
      in_tlp_q <= 1'b0;
      begun    <= '0;
      left_q   <= '0;
    end
  end

  // --- As tuser has it
  rq_user_t user;
  always_comb begin
    user             = '0;
    user.is_sop      = {&sop, |sop};
    user.sop_ptr     = {2'd2, sop[0] ? 2'd0 : 2'd2};
    user.is_eop      = {&eop, |eop};
    user.eop_ptr     = {1'b1, leave[1].eop_ptr, ~eop[0], eop[0] ? leave[0].eop_ptr : leave[1].eop_ptr};
    user.first_be[0] = sop[0] ? leave[0].first_be : leave[1].first_be;
    user.first_be[1] = leave[1].first_be;
    user.last_be[0]  = sop[0] ? leave[0].last_be : leave[1].last_be;
    user.last_be[1]  = leave[1].last_be;
    // Reads may wait for credits and be passed: their numbers say nothing, as bit 5 shows.
    user.seq_num[0]  = sop[0] ? {leave[0].is_read, number[0]} : {leave[1].is_read, number[1]};
    user.seq_num[1]  = {leave[1].is_read, number[1]};
  end

  axis_register #(
      .WIDTH(BEAT_BITS + RQ_USER_BITS)
  ) channel (
      .clk,
      .rst,
      .s_data ({user, leave[1].data, leave[0].data}),
      .s_valid(leave_valid[0]),
      .s_ready(advance),
      .m_data ({s_axis_rq_tuser, s_axis_rq_tdata}),
      .m_valid(s_axis_rq_tvalid),
      .m_ready(s_axis_rq_tready)
  );
endmodule
