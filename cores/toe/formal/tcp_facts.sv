// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_tcp_compare: what it finds depends on the distances only, wherever the numbers lie in their 2^32.
// The claims are made of the distances, as integers; what is compared is a free base plus those.
module tcp_facts
  import toe_pkg::*;
  import toe_tcp_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1  // there is none beside the claim
) (
    input logic          clk,
    input logic   [31:0] una_in,
    input logic   [31:0] rcv_in,
    input logic   [16:0] flight_in,   // SND.NXT - SND.UNA
    input logic   [31:0] ack_in,      // SEG.ACK - SND.UNA
    input logic   [31:0] seq_in,      // SEG.SEQ - RCV.NXT
    input logic   [15:0] length_in,
    input logic   [16:0] left_in,     // of the advertised window
    input logic   [31:0] wl1_in,      // SEG.SEQ - SND.WL1
    input logic   [31:0] wl2_in,      // SEG.ACK - SND.WL2
    input logic   [31:0] timed_in,    // SEG.ACK - timed, and so on
    input logic   [31:0] recover_in,
    input logic   [31:0] rtx_in,      // rtx - SEG.ACK
    input logic   [31:0] stamp_in,
    input logic   [31:0] echo_in,     // our TSval - SEG.TSecr
    input ticks_t        now_in,
    input ticks_t        late_in,     // now - deadline
    input logic          timer_in
);
  localparam int RING_BYTES = 8192;
  // Chosen once
  logic began_q = 1'b0;
  logic [2:0] age_q = 3'd0;
  logic [31:0] una, rcv, ack, seq, wl1, wl2, timed, recover, rtx, stamp, echo;
  logic [16:0] flight;
  logic [15:0] length;
  logic [16:0] rcv_left;
  ticks_t now, late;
  logic timer;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (age_q != 3'd5) age_q <= age_q + 3'd1;
    if (!began_q) begin
      age_q                                <= 3'd0;
      {una, rcv, flight, ack, seq, length} <= {una_in, rcv_in, flight_in, ack_in, seq_in, length_in};
      {wl1, wl2, timed, recover, rtx}      <= {wl1_in, wl2_in, timed_in, recover_in, rtx_in};
      {stamp, echo, rcv_left}              <= {stamp_in, echo_in, left_in};
      {now, late, timer}                   <= {now_in, late_in, timer_in};
    end
  end

  context_t c;
  logic [31:0] seg_seq, seg_ack;
  assign seg_seq = rcv + seq;
  assign seg_ack = una + ack;
  always_comb begin
    c          = '0;
    c.una      = una;
    c.wl1      = seg_seq - wl1;
    c.wl2      = seg_ack - wl2;
    c.timed    = seg_ack - timed;
    c.recover  = seg_ack - recover;
    c.rtx      = seg_ack + rtx;
    c.deadline = now - late;
    c.timer    = timer ? RETRANSMIT_TIMER : NO_TIMER;
  end
  facts_t f;
  window_t in_flight, left, bytes, offset;
  logic [15:0] age;
  logic [31:0] seg_end;
  toe_tcp_compare #(
      .RING_BYTES(RING_BYTES)
  ) dut (
      .clk,
      .c,
      .segment_on(1'b1),
      .seq       (seg_seq),
      .ack       (seg_ack),
      .window    (16'h0),
      .length,
      .tuple     ('0),
      .stamp,
      .echo      (stamp - echo),
      .rcv_nxt   (rcv),
      .rcv_left,
      .snd_nxt   (una + 32'(flight)),
      .now,
      .facts     (f),
      .flight    (in_flight),
      .left,
      .bytes,
      .offset,
      .age,
      .seg_end
  );

  // Signed distances, with a bit more: no wrap is left in them
  logic signed [33:0] s_seq, s_ack, s_flight, s_end;
  assign s_seq    = 34'(signed'(seq));
  assign s_ack    = 34'(signed'(ack));
  assign s_flight = 34'(flight);
  assign s_end    = s_seq + 34'(length);
  always_comb begin
    if (age_q == 3'd5) begin
      assert (f.ack_same == (s_ack == 0));
      assert (f.ack_more == (s_ack > 0 && s_ack <= s_flight));
      assert (f.ack_all == (s_ack == s_flight));
      assert (f.ack_near == (s_flight - s_ack >= 0 && s_flight - s_ack < 2 * RING_BYTES));
      assert (f.flight_any == (flight != 0));
      assert (f.seq_next == (s_seq == 0));
      assert (f.seq_last == (s_seq == -1));
      assert (f.seq_ahead == (s_seq == 0 || (s_seq > 0 && s_seq < 34'(rcv_left) && !rcv_left[16])));
      assert (f.seq_behind == (s_seq < 0));
      assert (f.end_next == (s_end == 0));
      // A segment is not as long as half of all numbers
      assert (s_end >= 34'sh80000000 || f.end_ahead == (s_end > 0));
      assert (f.wl_new == (signed'(wl1) > 0 || (wl1 == 0 && signed'(wl2) >= 0)));
      assert (f.timed_done == (signed'(timed) >= 0));
      assert (f.recover_full == (signed'(recover) >= 0));
      assert (f.recover_past == (signed'(recover) > 0));
      assert (f.rtx_behind == (signed'(rtx) < 0));
      assert (f.echo_good == (echo < 65536));
      assert (f.due == (timer && signed'(late) >= 0));
      assert (in_flight == 18'(flight));
      assert (!f.ack_more || (bytes == ack[17:0] && 34'(left) == s_flight - s_ack));
    end
  end
endmodule
