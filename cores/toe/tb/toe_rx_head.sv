// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: toe_rx_accept behind toe_rx_parse.
module toe_rx_head
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int RING_BYTES = 8192,
    parameter bit RX_CHECKSUM_VERIFICATION_EN = 1'b1,
    parameter bit FCS = 1'b1
) (
    input  logic            clk,
    input  logic            rst,
    input  iface_t   [ 1:0] iface,
    input  logic     [31:0] s_axis_tdata,
    input  logic     [ 3:0] s_axis_tkeep,
    input  logic            s_axis_tvalid,
    input  logic            s_axis_tlast,
    input  logic            rx_status_valid,
    input  logic            rx_status_good,
    output logic            look,
    output tuple_t          tuple,
    input  logic            found,
    input  sid_t            found_sid,
    output sid_t            snd_sid,
    input  logic     [31:0] snd_nxt,
    input  logic            rcv_wr,
    output logic            rcv_wr_ready,
    input  sid_t            rcv_wr_sid,
    input  logic     [31:0] rcv_wr_nxt,
    input  logic            rcv_wr_open,
    input  sid_t            ack_sid,
    output logic     [31:0] ack_nxt,
    input  sid_t            tcp_sid,
    output logic     [31:0] tcp_nxt,
    output logic            data_valid,
    output logic     [31:0] data_word,
    output logic     [ 3:0] data_keep,
    output logic            data_first,
    output logic            data_final,
    output logic            data_last,
    output logic            data_bad,
    output sid_t            data_sid,
    input  logic     [15:0] room,
    output logic            segment_valid,
    output segment_t        segment,
    input  logic            segment_room,
    output logic            stat_ip_bad,
    output logic            stat_ip_options,
    output logic            stat_fragment,
    output logic            stat_checksum,
    output logic            stat_malformed,
    output logic            stat_no_room
);
  rx_t rx;
  toe_rx_parse #(
      .INTERFACES(2),
      .FCS(FCS)
  ) u_parse (
      .*
  );
  toe_rx_accept #(
      .SESSIONS(SESSIONS),
      .RING_BYTES(RING_BYTES),
      .RX_CHECKSUM_VERIFICATION_EN(RX_CHECKSUM_VERIFICATION_EN)
  ) u_accept (
      .*
  );
endmodule
