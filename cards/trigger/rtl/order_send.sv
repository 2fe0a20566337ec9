// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of an order to ate, one after the other as it takes them, and how the order ended.  All in tx_user_clk.
// Latency: tx_sof_net is up from the edge that takes `start` on.
//
//   IDLE    tx_data_net holds word 0
//   SEND    until ate has taken the last word
//   SETTLE  ate counts SEQ and reads the connection again: then window_available means the next order
//
// `index` says which word is wanted, of `length` bytes; `word` answers in the same cycle.  What belongs to the order
// (length, words, metadata) must not change while `sending`; payload_conn_id may change with its fall.
//
// ate refuses an order whose window or connection has closed since it was looked at: it acknowledges the words and drops
// them, and says so beside the last one.
module order_send (
    input logic clk,
    input logic rst,

    input  logic        start,
    input  logic [15:0] length,  // bytes, from 1 on
    output logic [13:0] index,
    input  logic [31:0] word,

    output logic busy,     // from the edge that takes `start` until the next order may begin
    output logic sending,
    output logic sent,     // pulse: every word is taken
    output logic refused,  // pulse: every word is dropped

    output logic [31:0] tx_data_net,
    output logic        tx_sof_net,
    output logic        tx_eof_net,
    output logic [ 1:0] tx_len_net,
    input  logic        tx_ack_net,
    input  logic        tx_drop_net
);
  typedef enum logic [1:0] {
    IDLE,
    SEND,
    SETTLE
  } state_e;
  // Cycles from the last word's tx_ack_net to a valid window: word in ate, pause of the line, ate's SETTLE, its table
  localparam logic [3:0] AGAIN = 4'd10;

  state_e state_q;
  logic [3:0] cycle_q;  // in SETTLE: since its begin
  logic ends;
  assign ends       = tx_ack_net & tx_eof_net & (state_q == SEND);
  assign sent       = ends & ~tx_drop_net;
  assign refused    = ends & tx_drop_net;
  assign busy       = state_q != IDLE;
  assign sending    = state_q == SEND;
  assign tx_len_net = length[1:0];

  always_ff @(posedge clk) begin
    case (state_q)
      IDLE: begin
        tx_data_net <= word;
        tx_eof_net  <= length <= 16'd4;
        index       <= '0;
        if (start) begin
          tx_sof_net <= 1'b1;
          index      <= 14'd1;
          state_q    <= SEND;
        end
      end
      SEND: begin
        if (tx_ack_net) begin
          tx_sof_net  <= 1'b0;
          tx_data_net <= word;
          tx_eof_net  <= {index, 2'b00} + 16'd4 >= length;
          index       <= index + 1'b1;
          if (tx_eof_net) begin
            state_q <= SETTLE;
            cycle_q <= '0;
          end
        end
      end
      default: begin
        cycle_q <= cycle_q + 1'b1;
        index   <= '0;
        if (cycle_q == AGAIN) state_q <= IDLE;
      end
    endcase
    if (rst) begin
      state_q    <= IDLE;
      index      <= '0;
      tx_sof_net <= 1'b0;
    end
  end
endmodule
