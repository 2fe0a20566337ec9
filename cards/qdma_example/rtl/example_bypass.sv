// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The loop of bypassed descriptors: what leaves qdma is provided to it again, in the same cycle, so a driver sees what it sees
// without bypass.
//
// Latency: none, combinational.
//
// Interface: byp_* as qdma has them, by the same names.  loops, loops_c2h: else descriptors wait.  moves: one goes around.
//
// Operation: it stores no descriptor.  Of a stream it knows whether a packet is open, since a descriptor with neither SOP nor
// EOP is a packet outside of one; a queue that is stopped has none open.  Each packet, and each memory-mapped descriptor, has
// a status.
module example_bypass
  import qdma_bypass_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic loops,
    input  logic loops_c2h,  // of streaming C2H
    output logic moves,

    input  logic [    BYPASS_CHANNELS-1:0] byp_out_valid,
    output logic [    BYPASS_CHANNELS-1:0] byp_out_ready,
    input  logic [256*BYPASS_CHANNELS-1:0] byp_out_dsc,
    input  logic [ 11*BYPASS_CHANNELS-1:0] byp_out_qid,
    input  logic [  8*BYPASS_CHANNELS-1:0] byp_out_func,
    input  logic [ 16*BYPASS_CHANNELS-1:0] byp_out_cidx,
    input  logic [    BYPASS_CHANNELS-1:0] byp_out_error,

    output logic [   BYPASS_CHANNELS-1:0] byp_in_valid,
    input  logic [   BYPASS_CHANNELS-1:0] byp_in_ready,
    output logic [64*BYPASS_CHANNELS-1:0] byp_in_addr,
    output logic [64*BYPASS_CHANNELS-1:0] byp_in_card_addr,
    output logic [28*BYPASS_CHANNELS-1:0] byp_in_len,
    output logic [   BYPASS_CHANNELS-1:0] byp_in_sop,
    output logic [   BYPASS_CHANNELS-1:0] byp_in_eop,
    output logic [   BYPASS_CHANNELS-1:0] byp_in_sdi,
    output logic [   BYPASS_CHANNELS-1:0] byp_in_mrkr_req,
    output logic [   BYPASS_CHANNELS-1:0] byp_in_no_dma,
    output logic [   BYPASS_CHANNELS-1:0] byp_in_error,
    output logic [11*BYPASS_CHANNELS-1:0] byp_in_qid,
    output logic [ 8*BYPASS_CHANNELS-1:0] byp_in_func,
    output logic [16*BYPASS_CHANNELS-1:0] byp_in_cidx,
    output logic [32*BYPASS_CHANNELS-1:0] byp_in_mdata,

    input logic [   BYPASS_CHANNELS-1:0] byp_stop_valid,
    input logic [11*BYPASS_CHANNELS-1:0] byp_stop_qid
);
  logic [BYPASS_CHANNELS-1:0] open;
  always_comb begin
    open                = {BYPASS_CHANNELS{loops}};
    open[BYPASS_C2H_ST] = loops_c2h;
  end
  assign byp_in_valid = open & byp_out_valid;
  assign byp_out_ready = open & byp_in_ready;
  assign {byp_in_qid, byp_in_func, byp_in_cidx} = {byp_out_qid, byp_out_func, byp_out_cidx};
  assign {byp_in_error, byp_in_no_dma} = {2{byp_out_error}};
  assign byp_in_mrkr_req = '0;
  assign byp_in_sdi = byp_in_eop;
  assign moves = |byp_in_valid;

  // --- Streaming H2C: address 127:64, flags 49:48, bytes 47:32, metadata 31:0
  localparam int ST = BYPASS_H2C_ST;
  logic open_q, is_open, has_sop, has_eop, sop, eop;
  logic [10:0] open_qid_q, qid, stopped_qid;
  assign qid                = byp_out_qid[11*ST+:11];
  assign stopped_qid        = byp_stop_qid[11*ST+:11];
  assign is_open            = open_q & (open_qid_q == qid);
  assign {has_eop, has_sop} = byp_out_dsc[256*ST+48+:2];
  assign sop                = ~is_open | has_sop;
  assign eop                = byp_out_error[ST] | has_eop | (~is_open & ~has_sop);
  always_ff @(posedge clk) begin
    if (byp_in_valid[ST] && byp_in_ready[ST]) begin
      open_q     <= ~eop;
      open_qid_q <= qid;
    end else if (byp_stop_valid[ST] && stopped_qid == open_qid_q) begin
      open_q <= 1'b0;
    end
    if (rst) open_q <= 1'b0;
  end
  assign byp_in_addr[64*ST+:64]           = byp_out_dsc[256*ST+64+:64];
  assign byp_in_card_addr[64*ST+:64]      = '0;
  assign byp_in_len[28*ST+:28]            = {12'b0, byp_out_dsc[256*ST+32+:16]};
  assign byp_in_mdata[32*ST+:32]          = byp_out_dsc[256*ST+:32];
  assign {byp_in_sop[ST], byp_in_eop[ST]} = {sop, eop};

  // --- Streaming C2H: the buffer's address
  localparam int C2H = BYPASS_C2H_ST;
  assign byp_in_addr[64*C2H+:64] = byp_out_dsc[256*C2H+:64];
  assign {byp_in_card_addr[64*C2H+:64], byp_in_len[28*C2H+:28], byp_in_mdata[32*C2H+:32]} = '0;
  assign {byp_in_sop[C2H], byp_in_eop[C2H]} = '0;

  // --- Memory-mapped: destination 191:128, bytes 91:64, source 63:0
  for (genvar i = BYPASS_C2H_MM; i <= BYPASS_H2C_MM; i++) begin : gen_mm
    logic [63:0] source, destination;
    assign source                         = byp_out_dsc[256*i+:64];
    assign destination                    = byp_out_dsc[256*i+128+:64];
    assign byp_in_addr[64*i+:64]          = i == BYPASS_C2H_MM ? destination : source;
    assign byp_in_card_addr[64*i+:64]     = i == BYPASS_C2H_MM ? source : destination;
    assign byp_in_len[28*i+:28]           = byp_out_dsc[256*i+64+:28];
    assign byp_in_mdata[32*i+:32]         = '0;
    assign {byp_in_sop[i], byp_in_eop[i]} = 2'b11;
  end

  logic unused;
  assign unused = &{1'b0, byp_out_dsc, byp_stop_valid, byp_stop_qid};
endmodule
