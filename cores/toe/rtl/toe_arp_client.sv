// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The MAC address of an IP address that is wanted: from the table, or asked for, RETRIES times, RETRY_TICKS apart (RFC 1122,
// 2.3.2.1: not more often than once a second), until somebody answers.
//
//   IDLE   nobody wants anything
//   LOOK   the table is searched
//   ASK    a request waits to be sent; that takes no time off its answer
//   WAIT   for the answer
//   DONE   one cycle
module toe_arp_client
  import toe_pkg::*;
  import toe_arp_pkg::*;
#(
    parameter int RETRIES = 3,
    parameter int RETRY_TICKS = 1000
) (
    input logic clk,
    input logic rst,

    input logic       tick,
    input logic [7:0] enable,

    input  logic             resolve_valid,
    input  iface_id_t        resolve_iface,
    input  logic      [31:0] resolve_ip,
    output logic             resolve_done,
    output logic             resolve_found,
    output logic      [47:0] resolve_mac,

    output logic        look_valid,
    input  logic        look_done,
    input  logic        look_found,
    input  logic [47:0] look_mac,

    // Of every message that the table has taken
    output logic        asked,         // an answer is waited for
    input  logic        answer_valid,
    input  logic [47:0] answer_mac,

    output logic  send_valid,
    input  logic  send_ready,
    output send_t send
);
  localparam int BITS = $clog2(RETRY_TICKS + 1);
  localparam int TRY_BITS = $clog2(RETRIES + 1);
  typedef enum logic [2:0] {
    IDLE,
    LOOK,
    ASK,
    WAIT,
    DONE
  } state_e;
  state_e state_q;
  logic [BITS-1:0] timer_q;
  logic [TRY_BITS-1:0] tries_q;

  assign look_valid   = state_q == LOOK;
  assign asked        = state_q inside {ASK, WAIT};
  assign send_valid   = state_q == ASK;
  assign send         = '{iface: resolve_iface, reply: 1'b0, everyone: 1'b1, mac: '0, ip: resolve_ip};
  assign resolve_done = state_q == DONE;

  always_ff @(posedge clk) begin
    case (state_q)
      IDLE: begin
        tries_q       <= '0;
        resolve_found <= 1'b0;
        if (resolve_valid) state_q <= enable[resolve_iface] ? LOOK : DONE;
      end
      LOOK: begin
        resolve_mac   <= look_mac;
        resolve_found <= look_found;
        if (look_done) state_q <= look_found ? DONE : ASK;
      end
      ASK: begin
        timer_q <= BITS'(RETRY_TICKS);
        if (send_ready) begin
          tries_q <= tries_q + 1'b1;
          state_q <= WAIT;
        end
      end
      WAIT: begin
        if (tick) timer_q <= timer_q - 1'b1;
        if (timer_q == 0) state_q <= tries_q == TRY_BITS'(RETRIES) ? DONE : ASK;
      end
      default: state_q <= IDLE;
    endcase
    if (asked && !enable[resolve_iface]) state_q <= DONE;
    if (asked && answer_valid) begin
      resolve_mac   <= answer_mac;
      resolve_found <= 1'b1;
      state_q       <= DONE;
    end
    if (rst) state_q <= IDLE;
  end
endmodule
