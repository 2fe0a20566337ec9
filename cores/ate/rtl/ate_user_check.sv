// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulation only: says in words which rule of the user's port was broken, and stops the simulation where assertions are
// on.  The engine counts the same mistakes in hardware; this finds them where they are made.
module ate_user_check #(
    parameter int WIDTH = 32,   // of the transceiver
    parameter bit AMEND = 1'b0
) (
    input logic        clk,
    input logic        rst,
    input logic        sof,
    input logic        eof,
    input logic [ 1:0] len,
    input logic        raw,
    input logic [31:0] data,
    input logic [15:0] conn,
    input logic [15:0] length,
    input logic [31:0] csum,
    input logic        ack,
    input logic        started,  // the first word of the user's accelerated frame leaves the engine
    input logic        stray     // with 16 bits: tx_start has begun a frame, and tx_sof_net is not there
);
  // Cycles from `started` on; with 16 bits that comes one cycle after tx_start, or two in its second half.
  localparam bit [3:0] LENGTH_DUE = WIDTH == 16 ? 4'd2 : AMEND ? 4'd5 : 4'd4;
  localparam bit [3:0] CSUM_DUE = WIDTH == 16 ? 4'd8 : AMEND ? 4'd12 : 4'd11;
  logic sof_q, eof_q, raw_q, ack_q;
  logic [1:0] len_q;
  logic [31:0] data_q, csum_q;
  logic [15:0] conn_q, length_q;
  logic [3:0] cycle_q;  // since `started`, until 15 or tx_ack_net
  logic waiting, open_q;
  assign waiting = sof_q & ~ack_q;  // the first word was on offer and not taken
  always_ff @(posedge clk) begin
    {sof_q, eof_q, raw_q, len_q, data_q, conn_q, length_q, csum_q} <= {sof, eof, raw, len, data, conn, length, csum};
    ack_q <= ack & ~rst;
    cycle_q <= started ? 4'd1 : ack || cycle_q == 4'd15 ? 4'd15 : cycle_q + 1'b1;
    if (ack) open_q <= ~eof;
    if (rst) begin
      sof_q   <= 1'b0;
      open_q  <= 1'b0;
      cycle_q <= 4'd15;
    end
  end

  always_ff @(posedge clk) begin
    if (!rst && waiting) begin
      if (!sof) $error("ate: tx_sof_net fell before tx_ack_net: hold the first word until it is taken");
      else if ({eof, len, raw, data} != {eof_q, len_q, raw_q, data_q})
        $error("ate: tx_eof_net, tx_len_net, tx_raw_net or tx_data_net changed before tx_ack_net");
      if (!raw && conn != conn_q)
        $error("ate: payload_conn_id changed after the first cycle of tx_sof_net: hold it until tx_ack_net");
      if (!raw && cycle_q > LENGTH_DUE && cycle_q != 4'd15 && length != length_q)
        $error(
            "ate: payload_length changed in cycle %0d: it is due in cycle %0d and stays until tx_ack_net",
            cycle_q,
            LENGTH_DUE
        );
      if (!raw && cycle_q > CSUM_DUE && cycle_q != 4'd15 && csum != csum_q)
        $error(
            "ate: payload_csum changed in cycle %0d: it is due in cycle %0d and stays until tx_ack_net",
            cycle_q,
            CSUM_DUE
        );
    end
    if (!rst && stray) $error("ate: tx_start without tx_sof_net in the next cycle of clk");
    // With 16 bits the frame waits for it.
    if (!rst && WIDTH == 32 && !AMEND && sof && !sof_q && !raw && conn != conn_q)
      $error("ate: payload_conn_id came with tx_sof_net: it is due one cycle before");
    if (!rst && sof && (ack_q ? open_q && !eof_q : open_q))
      $error("ate: tx_sof_net came before tx_eof_net of the frame before it was taken");
  end
endmodule
