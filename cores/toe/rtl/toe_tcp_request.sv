// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The frame that an event asks for, in one register.  One that finds it occupied is not asked for: only a refusal can.
// Latency: 1 cycle after `write`; what is computed here needs the other inputs a cycle before.
module toe_tcp_request
  import toe_pkg::*;
  import toe_tcp_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic             write,
    input context_t         c,
    input decision_t        d,
    input logic      [ 7:0] seg_flags,
    input logic      [31:0] seg_ack,
    input logic      [31:0] seg_end,     // SEG.SEQ + length
    input sid_t             sid,
    input tuple_t           tuple,
    input logic      [47:0] mac,
    input logic      [31:0] snd_nxt,
    input logic             flight_any,
    input logic             data,        // of it, not only FIN
    input logic             probe,
    input logic             piece,       // sent again: of `length`, or FIN
    input logic      [15:0] length,

    output logic     request_valid,
    input  logic     request_ready,
    output request_t request
);
  logic sends, acks;
  logic [31:0] probe_seq, answer_ack;
  assign sends = d.refuse | d.reset | d.syn_go | d.fin_go | probe | (piece & (length != 0 | c.fin));
  assign acks  = (seg_flags & ACK) != 0;
  always_ff @(posedge clk) begin
    probe_seq  <= c.una - 32'(!flight_any);
    answer_ack <= seg_end + 32'(seg_flags[1]) + 32'(seg_flags[0]);

    if (request_ready) request_valid <= 1'b0;
    if (write && sends && !request_valid) begin
      request_valid      <= 1'b1;
      request            <= '0;
      request.no_session <= d.refuse;
      request.sid        <= sid;
      request.tuple      <= tuple;
      request.peer_mac   <= mac;
      request.ack        <= answer_ack;
      request.options    <= d.syn_go;
      request.scale      <= d.syn_go & (c.state == SYN_SENT | c.scale_on);
      request.length     <= probe ? 16'(data) : piece ? length : 16'h0;
      if (d.refuse) begin
        request.seq   <= acks ? seg_ack : 32'h0;
        request.flags <= acks ? RST : RST | ACK;
      end else if (d.reset) begin
        request.seq   <= snd_nxt;
        request.flags <= RST | ACK;
      end else if (d.syn_go) begin
        request.seq   <= c.una;
        request.flags <= c.state == SYN_SENT ? SYN : SYN | ACK;
      end else if (d.fin_go) begin
        request.seq   <= snd_nxt;
        request.flags <= FIN | ACK;
      end else if (probe) begin
        request.seq   <= probe_seq;
        request.flags <= flight_any & ~data ? FIN | ACK : ACK;
      end else begin
        request.seq   <= c.rtx;
        request.flags <= length != 0 ? ACK : FIN | ACK;
      end
    end
    if (rst) request_valid <= 1'b0;
  end
endmodule
