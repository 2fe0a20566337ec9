// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// toe_tx with a receive side that knows an ACK number for each session: ack_base + 0x01030507 times its number.
module toe_tx_bench
  import toe_pkg::*;
#(
    parameter int SESSIONS = 8,
    parameter int INTERFACES = 2,
    parameter int RING_BYTES = 2048,
    parameter int USER2TCP_DATA_WIDTH = 64,
    parameter int MTU = 1500,
    parameter bit TX_DROP_IF_NOT_ESTABLISHED_EN = 1'b1,
    parameter int RAM_LATENCY = 2,
    parameter int MEM_LATENCY = 0,
    parameter int MEM_WRITE_LATENCY = 1,
    parameter bit TX_PUSH_BIT_VALUE = 1'b1
) (
    input  logic                                  clk,
    input  logic                                  rst,
    input  iface_t    [           INTERFACES-1:0] iface,
    input  settings_t                             settings,
    input  logic                                  tick,
    input  logic      [  USER2TCP_DATA_WIDTH-1:0] s_axis_tdata,
    input  logic      [USER2TCP_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  logic                                  s_axis_tvalid,
    output logic                                  s_axis_tready,
    input  logic                                  s_axis_tlast,
    input  sid_t                                  s_axis_tdest,
    input  logic                                  tx_length_given,
    input  logic      [                     15:0] tx_length,
    input  logic                                  tx_csum_given,
    input  logic      [                     15:0] tx_csum,
    input  logic                                  header_wr,
    input  sid_t                                  header_sid,
    input  tuple_t                                header_tuple,
    input  logic      [                     47:0] header_mac,
    input  logic                                  snd_wr,
    input  sid_t                                  snd_wr_sid,
    input  logic      [                     31:0] snd_wr_nxt,
    input  logic                                  snd_wr_syn,
    input  logic                                  limit_wr,
    input  sid_t                                  limit_sid,
    input  logic                                  limit_open,
    input  logic                                  limit_alive,
    input  logic      [                     31:0] limit,
    input  logic      [                     15:0] limit_mss,
    input  logic                                  request_valid,
    output logic                                  request_ready,
    input  request_t                              request,
    input  logic                                  over,
    output logic                                  tcp_settled,
    input  logic                                  ack_valid,
    input  sid_t                                  ack_note_sid,
    input  logic                                  ack_now,
    input  sid_t                                  tcp_sid,
    output logic      [                     31:0] tcp_snd_nxt,
    output logic                                  tcp_snd_busy,
    input  sid_t                                  snd_sid,
    output logic      [                     31:0] snd_nxt,
    output logic                                  snd_none,
    input  logic      [                     31:0] ack_base,
    input  logic      [                     15:0] room,
    input  logic      [                     31:0] s_raw_tdata,
    input  logic      [                      3:0] s_raw_tkeep,
    input  logic                                  s_raw_tvalid,
    output logic                                  s_raw_tready,
    input  logic                                  s_raw_tlast,
    output logic      [                     31:0] m_axis_tdata,
    output logic      [                      3:0] m_axis_tkeep,
    output logic                                  m_axis_tvalid,
    input  logic                                  m_axis_tready,
    output logic                                  m_axis_tlast,
    output logic                                  m_axis_tuser,
    output logic                                  credit_valid,
    output sid_t                                  credit_sid,
    output logic      [                     31:0] credit,
    output logic                                  event_valid,
    input  logic                                  event_ready,
    output event_e                                event_code,
    output sid_t                                  event_sid
);
  sid_t ack_sid;
  logic [31:0] ack_nxt;
  stamp_tx_t stamps;
  logic acked, no_session, advertise, advertise_syn, advertise_ack;
  logic [31:0] acked_nxt;
  assign stamps = '0;
  sack_tx_t sack;
  logic sack_look;
  assign sack = '0;
  assign ack_nxt = ack_base + 32'h01030507 * 32'(ack_sid);
  localparam int MEM_WORDS = SESSIONS * RING_BYTES * 8 / USER2TCP_DATA_WIDTH;
  logic [USER2TCP_DATA_WIDTH/8-1:0] mem_wr_en;
  logic [USER2TCP_DATA_WIDTH-1:0] mem_wr_data, mem_rd_data;
  logic [$clog2(MEM_WORDS)-1:0] mem_wr_addr, mem_rd_addr;
  logic mem_rd_en;
  toe_memory #(
      .WIDTH(USER2TCP_DATA_WIDTH),
      .DEPTH(MEM_WORDS),
      .LATENCY(MEM_LATENCY),
      .WRITE_LATENCY(MEM_WRITE_LATENCY)
  ) u_memory (
      .clk,
      .wr_en  (mem_wr_en),
      .wr_addr(mem_wr_addr),
      .wr_data(mem_wr_data),
      .rd_en  (mem_rd_en),
      .rd_addr(mem_rd_addr),
      .rd_data(mem_rd_data)
  );
  toe_tx #(
      .SESSIONS(SESSIONS),
      .INTERFACES(INTERFACES),
      .RING_BYTES(RING_BYTES),
      .USER2TCP_DATA_WIDTH(USER2TCP_DATA_WIDTH),
      .MTU(MTU),
      .TX_DROP_IF_NOT_ESTABLISHED_EN(TX_DROP_IF_NOT_ESTABLISHED_EN),
      .RAM_LATENCY(RAM_LATENCY),
      .MEM_LATENCY(MEM_LATENCY),
      .MEM_WRITE_LATENCY(MEM_WRITE_LATENCY),
      .TX_PUSH_BIT_VALUE(TX_PUSH_BIT_VALUE)
  ) dut (
      .*
  );
endmodule
