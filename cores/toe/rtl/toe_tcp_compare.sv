// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a segment and the clock lie beside a session: differences of sequence numbers, then what they say.
// Latency: the differences are there one cycle after the inputs, the facts two.
module toe_tcp_compare
  import toe_pkg::*;
  import toe_tcp_pkg::*;
#(
    parameter int RING_BYTES = 8192
) (
    input logic clk,

    input context_t        c,
    input logic            segment_on,  // the event is a segment
    input logic     [31:0] seq,
    input logic     [31:0] ack,
    input logic     [15:0] window,
    input logic     [15:0] length,
    input tuple_t          tuple,
    input logic     [31:0] stamp,       // what the session's TSval is now
    input logic     [31:0] echo,        // TSecr
    input logic     [31:0] rcv_nxt,
    input logic     [16:0] rcv_left,    // of the advertised window, a cycle late; nothing with bit 16
    input logic     [31:0] snd_nxt,
    input ticks_t          now,

    output facts_t         facts,
    output window_t        flight,  // SND.NXT - SND.UNA
    output window_t        left,    // SND.NXT - SEG.ACK
    output window_t        bytes,   // SEG.ACK - SND.UNA
    output window_t        offset,  // rtx - SND.UNA
    output logic    [15:0] age,     // of the segment that is timed, or whose TSval comes back
    output logic    [31:0] seg_end  // SEG.SEQ + length
);
  logic [31:0] d_seq, d_una, d_nxt, d_flight, d_wl1, d_echo, end_from;
  logic echo_good, timed_done, recover_full, recover_past, window_same, peer_same, local_same, timer_on;
  logic [31:0] d_timed, d_recover, d_wl2, d_rtx;  // the sign is wanted
  ticks_t d_due;
  assign d_timed   = ack - c.timed;
  assign d_recover = ack - c.recover;
  assign d_due     = now - c.deadline;
  assign end_from  = seg_end - rcv_nxt;
  assign d_echo    = stamp - echo;

  always_ff @(posedge clk) begin
    d_seq              <= seq - rcv_nxt;
    d_una              <= ack - c.una;
    d_nxt              <= snd_nxt - ack;
    d_flight           <= snd_nxt - c.una;
    d_wl1              <= seq - c.wl1;
    d_wl2              <= ack - c.wl2;
    d_rtx              <= c.rtx - (segment_on ? ack : c.una);
    seg_end            <= seq + 32'(length);
    age                <= c.stamps ? d_echo[15:0] : now[15:0] - c.start;
    echo_good          <= d_echo[31:16] == 0;
    timed_done         <= ~d_timed[31];
    recover_full       <= ~d_recover[31];
    recover_past       <= ack != c.recover;
    window_same        <= window == c.window;
    peer_same          <= {tuple.peer_ip, tuple.peer_port} == {c.tuple.peer_ip, c.tuple.peer_port};
    local_same         <= {tuple.iface, tuple.local_port} == {c.tuple.iface, c.tuple.local_port};
    timer_on           <= c.timer != NO_TIMER && !d_due[$bits(ticks_t)-1];

    facts.seq_next     <= d_seq == 0;
    facts.seq_last     <= &d_seq;
    facts.seq_ahead    <= d_seq == 0 || (d_seq[31:16] == 0 && !rcv_left[16] && d_seq[15:0] < rcv_left[15:0]);
    facts.seq_behind   <= d_seq[31];
    facts.end_next     <= end_from == 0;
    facts.end_ahead    <= ~end_from[31] && end_from != 0;
    facts.ack_same     <= d_una == 0;
    facts.ack_more     <= ~d_una[31] && d_una != 0 && ~d_nxt[31];
    facts.ack_all      <= d_nxt == 0;
    facts.ack_near     <= d_nxt < 2 * RING_BYTES;
    facts.wl_new       <= d_wl1 == 0 ? ~d_wl2[31] : ~d_wl1[31];
    facts.timed_done   <= timed_done;
    facts.echo_good    <= echo_good;
    facts.recover_full <= recover_full;
    facts.recover_past <= recover_full & recover_past;
    facts.rtx_behind   <= d_rtx[31];
    facts.window_same  <= window_same;
    facts.tuple_same   <= peer_same & local_same;
    facts.local_same   <= local_same;
    facts.flight_any   <= d_flight != 0;
    facts.due          <= timer_on;
  end
  assign flight = d_flight[17:0];
  assign left   = d_nxt[17:0];
  assign bytes  = d_una[17:0];
  assign offset = d_rtx[17:0];
endmodule
