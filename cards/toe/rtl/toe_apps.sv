// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The applications of the card at toe's user ports: echo, discard, generator, HTTP.
//
//   m_axis ──┬── echo ──────────┐
//            ├── (discard)      ├── app_merge ──► s_axis
//   events ──┼── app_generator ─┤
//            ├── app_http ──────┘
//            └── app_orders ──► orders
//
// An echo that its peer does not read holds up the echoes of all others, and with them everything received: payload waits in one
// order for all sessions.
module toe_apps
  import toe_pkg::*;
  import app_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int PACKETS  = 64
) (
    input logic clk,
    input logic rst,

    output logic   order_valid,
    input  logic   order_ready,
    output order_t order,

    input  logic   event_valid,
    output logic   event_ready,
    input  event_e event_code,
    input  sid_t   event_sid,

    input  logic [63:0] rx_tdata,
    input  logic [ 7:0] rx_tkeep,
    input  logic        rx_tvalid,
    output logic        rx_tready,
    input  logic        rx_tlast,
    input  sid_t        rx_tdest,

    output logic [63:0] tx_tdata,
    output logic [ 7:0] tx_tkeep,
    output logic        tx_tvalid,
    input  logic        tx_tready,
    output logic        tx_tlast,
    output sid_t        tx_tdest,
    output logic        tx_length_given,
    output logic [15:0] tx_length,

    input logic        credit_valid,
    input sid_t        credit_sid,
    input logic [31:0] credit
);
  localparam int BITS = $clog2(SESSIONS);
  app_e rx_app;
  assign rx_app = app_of(rx_tdest, BITS);

  logic close_valid, close_ready;
  sid_t close_sid;
  app_orders #(
      .SESSIONS(SESSIONS),
      .PACKETS (PACKETS)
  ) u_orders (
      .clk,
      .rst,
      .event_valid,
      .event_ready,
      .event_code,
      .event_sid,
      .rx_waiting(rx_tvalid),
      .rx_last   (rx_tvalid & rx_tready & rx_tlast),
      .close_valid,
      .close_ready,
      .close_sid,
      .order_valid,
      .order_ready,
      .order
  );

  logic [2:0][63:0] tdata;
  logic [2:0][ 7:0] tkeep;
  logic [2:0] tvalid, tready, tlast;
  sid_t [2:0] tdest;
  logic [1:0][15:0] length;
  app_merge #(
      .APPS(3)
  ) u_merge (
      .clk,
      .rst,
      .s_tdata       (tdata),
      .s_tkeep       (tkeep),
      .s_tvalid      (tvalid),
      .s_tready      (tready),
      .s_tlast       (tlast),
      .s_tdest       (tdest),
      .s_length_given(3'b110),
      .s_length      ({length, 16'd0}),
      .m_tdata       (tx_tdata),
      .m_tkeep       (tx_tkeep),
      .m_tvalid      (tx_tvalid),
      .m_tready      (tx_tready),
      .m_tlast       (tx_tlast),
      .m_tdest       (tx_tdest),
      .m_length_given(tx_length_given),
      .m_length      (tx_length)
  );

  // Echo: as it comes
  assign tdata[0]  = rx_tdata;
  assign tkeep[0]  = rx_tkeep;
  assign tvalid[0] = rx_tvalid & (rx_app == ECHO);
  assign tlast[0]  = rx_tlast;
  assign tdest[0]  = rx_tdest;
  assign rx_tready = rx_app == ECHO ? tready[0] : 1'b1;

  app_generator #(
      .SESSIONS(SESSIONS / 4)
  ) u_generator (
      .clk,
      .rst,
      .event_valid (event_valid & event_ready & (app_of(event_sid, BITS) == GENERATOR)),
      .event_code,
      .event_sid,
      .credit_valid(credit_valid & (app_of(credit_sid, BITS) == GENERATOR)),
      .credit_sid,
      .credit,
      .m_tdata     (tdata[1]),
      .m_tkeep     (tkeep[1]),
      .m_tvalid    (tvalid[1]),
      .m_tready    (tready[1]),
      .m_tlast     (tlast[1]),
      .m_tdest     (tdest[1]),
      .m_length    (length[0])
  );

  app_http #(
      .SESSIONS(SESSIONS / 4)
  ) u_http (
      .clk,
      .rst,
      .s_tdata (rx_tdata),
      .s_tkeep (rx_tkeep),
      .s_tvalid(rx_tvalid & (rx_app == HTTP)),
      .s_tlast (rx_tlast),
      .s_tdest (rx_tdest),
      .m_tdata (tdata[2]),
      .m_tkeep (tkeep[2]),
      .m_tvalid(tvalid[2]),
      .m_tready(tready[2]),
      .m_tlast (tlast[2]),
      .m_tdest (tdest[2]),
      .m_length(length[1]),
      .close_valid,
      .close_ready,
      .close_sid
  );
endmodule
