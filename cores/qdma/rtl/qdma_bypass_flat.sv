// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Ports of descriptor bypass, flat for the top levels: channel 0 in the lowest bits.
//
// Latency: none, combinational.
module qdma_bypass_flat
  import qdma_bypass_pkg::*;
(
    // Of qdma_core
    input  logic           [BYPASS_CHANNELS-1:0]       bypass_out_valid,
    output logic           [BYPASS_CHANNELS-1:0]       bypass_out_ready,
    input  bypass_out_t    [BYPASS_CHANNELS-1:0]       bypass_out,
    output logic           [BYPASS_CHANNELS-1:0]       bypass_in_valid,
    input  logic           [BYPASS_CHANNELS-1:0]       bypass_in_ready,
    output bypass_in_t     [BYPASS_CHANNELS-1:0]       bypass_in,
    input  bypass_marker_t [BYPASS_CHANNELS-1:0]       bypass_marker,
    input  bypass_stop_t   [BYPASS_CHANNELS-1:0]       bypass_stop,
    input  logic           [BYPASS_CHANNELS-1:0][31:0] stat_bypass_dropped,

    // Of the user
    output logic [BYPASS_CHANNELS-1:0] byp_out_valid,
    input logic [BYPASS_CHANNELS-1:0] byp_out_ready,
    output logic [256*BYPASS_CHANNELS-1:0] byp_out_dsc,
    output logic [2*BYPASS_CHANNELS-1:0] byp_out_dsc_sz,
    output logic [11*BYPASS_CHANNELS-1:0] byp_out_qid,
    output logic [8*BYPASS_CHANNELS-1:0] byp_out_func,
    output logic [3*BYPASS_CHANNELS-1:0] byp_out_port_id,
    output logic [16*BYPASS_CHANNELS-1:0] byp_out_cidx,
    output logic [BYPASS_CHANNELS-1:0] byp_out_error,
    input logic [BYPASS_CHANNELS-1:0] byp_in_valid,
    output logic [BYPASS_CHANNELS-1:0] byp_in_ready,
    input logic [64*BYPASS_CHANNELS-1:0] byp_in_addr,
    input logic [64*BYPASS_CHANNELS-1:0] byp_in_card_addr,
    input logic [28*BYPASS_CHANNELS-1:0] byp_in_len,
    input logic [BYPASS_CHANNELS-1:0] byp_in_sop,
    input logic [BYPASS_CHANNELS-1:0] byp_in_eop,
    input logic [BYPASS_CHANNELS-1:0] byp_in_sdi,
    input logic [BYPASS_CHANNELS-1:0] byp_in_mrkr_req,
    input logic [BYPASS_CHANNELS-1:0] byp_in_no_dma,
    input logic [BYPASS_CHANNELS-1:0] byp_in_error,
    input logic [11*BYPASS_CHANNELS-1:0] byp_in_qid,
    input logic [8*BYPASS_CHANNELS-1:0] byp_in_func,
    input logic [16*BYPASS_CHANNELS-1:0] byp_in_cidx,
    input logic [32*BYPASS_CHANNELS-1:0] byp_in_mdata,
    output logic [BYPASS_CHANNELS-1:0] byp_marker_valid,
    output logic [11*BYPASS_CHANNELS-1:0] byp_marker_qid,
    output logic [16*BYPASS_CHANNELS-1:0] byp_marker_cidx,
    output logic [BYPASS_CHANNELS-1:0] byp_marker_error,
    output logic [BYPASS_CHANNELS-1:0] byp_stop_valid,
    output logic [11*BYPASS_CHANNELS-1:0] byp_stop_qid,
    output logic [32*BYPASS_CHANNELS-1:0] stat_byp_dropped
);
  assign byp_out_valid = bypass_out_valid;
  assign bypass_out_ready = byp_out_ready;
  assign bypass_in_valid = byp_in_valid;
  assign byp_in_ready = bypass_in_ready;
  assign stat_byp_dropped = stat_bypass_dropped;
  for (genvar i = 0; i < BYPASS_CHANNELS; i++) begin : gen_channels
    assign byp_out_dsc[256*i+:256] = bypass_out[i].data;
    assign byp_out_dsc_sz[2*i+:2] = bypass_out[i].dsc_sz;
    assign byp_out_qid[11*i+:11] = bypass_out[i].qid;
    assign byp_out_func[8*i+:8] = bypass_out[i].func;
    assign byp_out_port_id[3*i+:3] = bypass_out[i].port_id;
    assign byp_out_cidx[16*i+:16] = bypass_out[i].cidx;
    assign byp_out_error[i] = bypass_out[i].has_error;
    assign bypass_in[i] = '{
            qid: byp_in_qid[11*i+:11],
            func: byp_in_func[8*i+:8],
            cidx: byp_in_cidx[16*i+:16],
            wants_status: byp_in_sdi[i],
            wants_marker: byp_in_mrkr_req[i],
            no_dma: byp_in_no_dma[i],
            has_error: byp_in_error[i],
            is_sop: byp_in_sop[i],
            is_eop: byp_in_eop[i],
            metadata: byp_in_mdata[32*i+:32],
            bytes: byp_in_len[28*i+:28],
            card: byp_in_card_addr[64*i+:64],
            host: byp_in_addr[64*i+:64]
        };
    assign byp_marker_valid[i] = bypass_marker[i].valid;
    assign byp_marker_qid[11*i+:11] = bypass_marker[i].qid;
    assign byp_marker_cidx[16*i+:16] = bypass_marker[i].cidx;
    assign byp_marker_error[i] = bypass_marker[i].has_error;
    assign byp_stop_valid[i] = bypass_stop[i].valid;
    assign byp_stop_qid[11*i+:11] = bypass_stop[i].qid;
  end
endmodule
