// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Received TCP segments: takes in-order payload of open sessions for the user in cycle 13, RCV.NXT moves with a good verdict;
// a record of each good segment for the TCP machine.
//
//   word (earliest cycle)  8      9      10        11          12            13
//                          hash   look   RAM       RCV, SND    compare       accept, payload 0-1
//
// Latency: payload passes in the cycle of its word; the end in the cycle after the verdict, and RCV.NXT has moved two
// cycles after it; the record comes two cycles after the verdict, that of a SYN with options up to 12 later.
//
// Payload is accepted when all of this is so: the session is open, SEQ is RCV.NXT, ACK is set and SYN and RST are not, the
// ACK number is at most SND.NXT and less than 2 * RING_BYTES before it (SND.NXT, if there is nothing else to acknowledge: in
// SYN-RECEIVED), there is a byte and no more than the user's FIFO takes, and none of them beyond the advertised
// window.  A segment that ends beyond it is not cut but dropped: its sender is answered, and can retransmit it when the
// window has moved.  A frame for everyone is not looked at (RFC 9293, 3.9.2.3; RFC 1122, 3.3.6), nor are fragments and IP
// options.
//
// TIMESTAMPS_EN: payload of a session that has them is accepted if its timestamp is none before TS.Recent (RFC 7323, 5.3): that
// is known with word 15, and such a segment's payload begins with word 16 or later.  TS.Recent moves with a good segment that
// covers Last.ACK.sent (4.3), three cycles after its record.
// RX_REORDERING_EN: a segment that lacks no more than SEQ or room is set aside, and so is each of a session of which something
// waits in the reorder memory.  Its record comes up to 5 cycles later.
// RX_OOS_SEQNUM_EN: SEQ may be ahead of RCV.NXT; then the payload is flagged, RCV.NXT stays, and the record is as of a segment
// that was not accepted.
//
// What is counted is counted at the end of a frame with a right FCS, each frame once.
module toe_rx_accept
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int RING_BYTES = 8192,  // of retransmit memory a session: an ACK may be this far before SND.NXT
    parameter bit RX_CHECKSUM_VERIFICATION_EN = 1'b1,
    parameter bit TIMESTAMPS_EN = 1'b0,
    parameter bit RX_URGENT_EN = 1'b0,  // the record has the urgent pointer
    parameter bit RX_REORDERING_EN = 1'b0,  // what does not go to the user at once goes to toe_rx_reorder
    parameter bit SACK_EN = 1'b0,  // the record has what options say of it
    parameter bit RX_OOS_SEQNUM_EN = 1'b0  // what is after a gap goes to the user, too, and is flagged
) (
    input logic clk,
    input logic rst,

    input rx_t rx,

    output logic          peer,       // to toe_lookup
    output logic   [31:0] peer_ip,
    output logic   [15:0] peer_port,
    output logic          read,
    output logic          look,
    output tuple_t        tuple,
    input  logic          found,
    input  sid_t          found_sid,

    // SND.NXT of a session, combinational, from toe_tx
    output sid_t        snd_sid,
    input  logic [31:0] snd_nxt,
    input  logic        snd_none, // nothing but SYN has been sent

    // RCV.NXT and whether data are welcome (ESTABLISHED, FIN_WAIT_1, FIN_WAIT_2): set by the TCP machine, which holds it until
    // ready.  It waits while a segment of this session is being taken.
    input  logic        rcv_wr,
    output logic        rcv_wr_ready,
    input  sid_t        rcv_wr_sid,
    input  logic [31:0] rcv_wr_nxt,
    input  logic        rcv_wr_open,
    // Read, combinational: for toe_tx or the TCP machine
    input  sid_t        ack_sid,
    output logic [31:0] ack_nxt,
    // Of snd_sid, combinational: RCV.NXT, and to toe_rx_window, what is left of the advertised window; none with bit 16
    output logic [31:0] rcv_nxt,
    input  logic [16:0] left,

    // Payload of accepted segments, in words: bytes `keep` of `data`, first byte lowest; the first word of a segment has its
    // bytes in the upper half.  Straight from the MAC's words; of a frame that is cut short the FCS, too, and what is
    // after the end of its last word.  `last` comes after the verdict, without a byte (keep = 0); `bad` with it: forget
    // the segment.
    output logic        data_valid,
    output logic [31:0] data_word,
    output logic [ 3:0] data_keep,
    output logic        data_first,
    output logic        data_final,  // the word with the last byte: not of a frame that is cut short
    output logic        data_last,
    output logic        data_bad,
    output sid_t        data_sid,    // until data_last
    output logic [31:0] data_seq,    // of the segment's first byte, until data_last
    output logic        data_oos,    // it is out of sequence: RCV.NXT does not move
    input  logic [15:0] room,        // bytes that the user's FIFO takes

    // Timestamps of session snd_sid, combinational; and TS.Recent of stamp_sid moves
    input  stamp_rx_t        stamps,
    output logic             stamp_move,
    output sid_t             stamp_sid,
    output logic      [31:0] stamp,

    // To toe_rx_reorder: a segment that is not for the user at once.  `look_done`: snd_sid is the session; `head`: in the cycle
    // after word 11 all of a segment is known, and `aside` says from the next cycle on whether it is set aside.  Its words as
    // above, but for their bytes: those from aside_length on are not payload.
    output logic        look_done,
    input  logic        held,          // from the cycle after look_done on: payload of the session waits in the memory
    output logic        soon,          // word 5: the user's port must be free in time
    output logic        head,
    output logic        direct,        // the segment goes to the user
    output logic        frame_over,    // the cycle after the verdict
    output logic [31:0] head_nxt,      // RCV.NXT
    output logic [15:0] head_length,
    output logic        aside_valid,
    output logic        aside_last,    // with frame_over
    output logic        aside_good,
    // From there, after aside_last: what has become of it
    input  logic        aside_done,
    input  logic        aside_move,    // RCV.NXT moves to aside_nxt
    input  logic [31:0] aside_nxt,
    input  logic [15:0] aside_bytes,
    input  logic        aside_gap,     // and has filled a gap, or a part of it
    input  logic        aside_refused, // no place for it

    // RCV.NXT of data_sid moves over so many bytes of payload
    output logic        moved,
    output logic [15:0] moved_bytes,

    output logic     segment_valid,  // one cycle
    output segment_t segment,
    input  logic     segment_room,   // for at least two; else frames are dropped and counted

    output logic stat_ip_bad,
    output logic stat_ip_options,
    output logic stat_fragment,
    output logic stat_checksum,
    output logic stat_malformed,   // offset or length impossible, or the frame is shorter than the IP length
    output logic stat_no_room      // for the payload, or for the record: then the whole segment is lost
);
  // --- Fields
  logic [15:0] peer_port_q, local_port_q, window_q;
  logic [31:0] seq_q, ack_q;
  logic [7:0] flags_q;
  logic [16:0] tcp_length, length, length_q;  // signed; length: of the payload
  logic [3:0] skip, skip_q;  // words of TCP options (that are to come)
  logic skipped_q;  // none: a register, since what follows goes on to the memory of the user's FIFO
  logic malformed_q, ours_q, candidate, tail_q, body_q;
  assign candidate = rx.ipv4 & (rx.protocol == 8'd6) & (rx.ip_match != 0) & ~rx.fragment & ~rx.broadcast;
  assign length    = tcp_length - 17'({rx.word[23:20], 2'b00});
  assign skip      = rx.word[23:20] - 4'd5;
  always_ff @(posedge clk) begin
    if (rx.valid) begin
      case (rx.index)
        4'd0:    ours_q <= 1'b0;
        4'd8:    peer_port_q <= swap16(rx.word[31:16]);
        4'd9: begin
          ours_q       <= candidate & rx.ip_good;
          malformed_q  <= 1'b1;  // until word 11
          local_port_q <= swap16(rx.word[15:0]);
          seq_q[31:16] <= swap16(rx.word[31:16]);
        end
        4'd10:   {ack_q[31:16], seq_q[15:0]} <= {swap16(rx.word[31:16]), swap16(rx.word[15:0])};
        4'd11: begin
          ack_q[15:0] <= swap16(rx.word[15:0]);
          flags_q     <= rx.word[31:24];
          length_q    <= length;
          malformed_q <= length[16] | (rx.word[23:20] < 4'd5);
        end
        4'd12:   window_q <= swap16(rx.word[15:0]);
        default: ;
      endcase
      // After word 12: options, then payload
      tail_q <= ~rx.last & (tail_q | (rx.index == 4'd12));
      if (rx.index == 4'd11) {skipped_q, skip_q} <= {skip == 0, skip};
      else if (tail_q && !skipped_q) {skipped_q, skip_q} <= {skip_q == 4'd1, skip_q - 1'b1};
      body_q <= tail_q & skipped_q;
    end
    if (rst) begin
      tail_q <= 1'b0;
      ours_q <= 1'b0;
    end
  end

  // --- Session: its peer with word 8, looked up with word 9, two cycles, then its RCV and SND
  logic [1:0] look_q;
  logic hit_q, open, open_q, none_q, head_q, pending_q;
  sid_t sid_q;
  logic [31:0] rcv_q, snd_q;
  logic [16:0] left_q;
  assign peer      = rx.index == 4'd8;
  assign peer_ip   = rx.sip;
  assign peer_port = swap16(rx.word[31:16]);
  assign read      = rx.index == 4'd9;
  assign look      = rx.valid & read & candidate;
  assign tuple     = '{iface: rx.iface, peer_ip: rx.sip, peer_port: peer_port_q, local_port: swap16(rx.word[15:0])};
  assign snd_sid   = found_sid;
  always_ff @(posedge clk) begin
    look_q    <= {look_q[0], look} & {2{~rx.end_valid}};
    pending_q <= (look_q[1] | pending_q) & ~head_q & ~rx.end_valid;
    if (look_q[1]) begin
      hit_q  <= found;
      sid_q  <= found_sid;
      open_q <= open;
      rcv_q  <= rcv_nxt;
      left_q <= left;
      snd_q  <= snd_nxt;
      none_q <= snd_none;
    end else if (rx.valid && rx.index == 4'd0) hit_q <= 1'b0;
    head_q <= rx.valid & (rx.index == 4'd11) & ~rx.last;
    if (rst) begin
      look_q    <= 2'b00;
      pending_q <= 1'b0;
      head_q    <= 1'b0;
    end
  end

  // --- Accept
  logic stamp_short;  // no room for a timestamp
  logic stamp_refuse;  // word 15: none, or an old one
  logic wanted, welcome, ahead, offered, fits, accept_q, oos_q, aside_q, no_room_q, lost_q;
  localparam int RING_BITS = $clog2(RING_BYTES);
  logic [31:0] unacked, next_q;
  logic [31:0] distance;
  assign unacked = snd_q - ack_q;
  assign distance = seq_q - rcv_q;
  assign fits = length_q[15:0] <= room;
  assign welcome = ours_q & ~malformed_q & hit_q & open_q & (length_q != 0) &
                   ((flags_q & (ACK | SYN | RST)) == ACK) & ~stamp_short & (unacked < 32'(2 * RING_BYTES)) &
                   ~(none_q & (unacked[RING_BITS:0] != 0)) & offered;
  if (RX_REORDERING_EN || RX_OOS_SEQNUM_EN) begin : gen_offered
    logic [32:0] reach;  // signed: where it ends
    assign reach   = {distance[31], distance} + 33'(length_q[15:0]);
    assign offered = reach[32] | (~left_q[16] & (reach[31:0] <= 32'(left_q[15:0])));
  end else begin : gen_offered_in_order
    assign offered = ~left_q[16] & (length_q[15:0] <= left_q[15:0]);
  end
  // Ahead by less than the most that can have been offered
  assign ahead  = RX_OOS_SEQNUM_EN & (distance[31:16] == 0);
  assign wanted = welcome & ((seq_q == rcv_q) | ahead) & ~(RX_REORDERING_EN & held);
  always_ff @(posedge clk) begin
    if (head_q) begin
      accept_q  <= wanted & fits & segment_room & ~rx.end_valid;
      oos_q     <= RX_OOS_SEQNUM_EN & (seq_q != rcv_q);
      aside_q   <= RX_REORDERING_EN & welcome & ~(wanted & fits) & segment_room & ~rx.end_valid;
      no_room_q <= (wanted & ~fits & ~RX_REORDERING_EN) | ~segment_room;
      lost_q    <= ~segment_room;
    end else if (rx.end_valid || stamp_refuse) {accept_q, aside_q} <= 2'b00;
    next_q <= rcv_q + 32'(length_q[15:0]);
    if (rst) {accept_q, aside_q} <= 2'b00;
  end

  // --- Payload
  logic [3:0] mask;
  logic final_word, body, go;
  assign body       = tail_q & skipped_q & mask[0];
  assign go         = body & accept_q;
  assign data_word  = rx.word;
  assign data_valid = (rx.valid & go) | data_last;
  assign data_first = rx.valid & go & ~body_q;
  assign data_final = rx.valid & go & final_word;
  assign data_keep  = {4{go}} & mask & {2'b11, {2{body_q}}};
  assign data_sid   = sid_q;
  assign data_seq   = seq_q;
  assign data_oos   = oos_q;

  // --- End, in the cycle after the verdict
  logic sum_good, end_q, good_q, short_q, taken_q, good;
  logic beside_q, wait_q;  // beside_q: the segment that ends is set aside
  toe_rx_sum u_sum (
      .clk,
      .rx,
      .tcp_length,
      .mask,
      .final_word,
      .good(sum_good)
  );
  assign good        = end_q & good_q & ours_q & ~malformed_q & (sum_good | ~RX_CHECKSUM_VERIFICATION_EN);
  assign data_last   = end_q & taken_q;
  assign data_bad    = ~good;
  assign moved       = (data_last & good & ~oos_q) | aside_move;
  assign moved_bytes = aside_move ? aside_bytes : length_q[15:0];
  always_ff @(posedge clk) begin
    end_q   <= rx.end_valid & ~rst;
    good_q  <= rx.end_good;
    short_q <= rx.end_short;
    taken_q <= accept_q & (body_q | data_first);
  end

  // --- Set aside
  assign look_done   = look_q[1];
  assign soon        = rx.valid & (rx.index == 4'd5);
  assign head        = head_q;
  assign direct      = accept_q;
  assign frame_over  = end_q;
  assign head_nxt    = rcv_q;
  assign head_length = length_q[15:0];
  assign aside_valid = rx.valid & body & aside_q;
  assign aside_last  = end_q & beside_q;
  assign aside_good  = good;
  always_ff @(posedge clk) begin
    beside_q <= aside_q;
    wait_q   <= aside_last | (wait_q & ~aside_done);
    if (rst) {beside_q, wait_q} <= 2'b00;
  end

  // --- Timestamps
  logic stamp_on, stamp_old;
  logic [31:0] stamp_echo;
  if (TIMESTAMPS_EN) begin : gen_stamps
    logic refuse, older, covers_q, reach_q, edge_q, move_q, right;
    stamp_rx_t stamps_q;
    logic [31:0] next_seq_q;
    toe_rx_stamp u_stamp (
        .clk,
        .rst,
        .start (rx.valid & (rx.index == 4'd11)),
        .words (skip),
        .valid (rx.valid & tail_q),
        .word  (rx.word),
        .check (stamps_q.valid),
        .recent(stamps_q.recent),
        .refuse,
        .on    (stamp_on),
        .old   (older),
        .stamp,
        .echo  (stamp_echo)
    );
    assign stamp_short  = stamps_q.on & (skip_q < 4'd3);
    assign stamp_refuse = refuse & stamps_q.on;
    assign stamp_old    = older & stamps_q.on;
    // In the window, and not beyond Last.ACK.sent: these are right before the segment can end
    logic [31:0] unsent, reach;
    assign unsent = stamps_q.acked - seq_q;
    assign reach = rcv_q - next_seq_q;
    assign right  = hit_q & stamps_q.on & stamp_on & ~older & ((flags_q & (ACK | SYN | RST)) == ACK) &
                    (unacked < 32'(2 * RING_BYTES));
    always_ff @(posedge clk) begin
      if (look_q[1]) stamps_q <= stamps;
      next_seq_q <= seq_q + 32'(length_q[15:0]);
      covers_q   <= ~unsent[31];
      reach_q    <= reach[31];
      edge_q     <= seq_q == rcv_q;
      move_q     <= good & right & covers_q & (reach_q | edge_q) & ~rst;
      if (end_q) stamp_sid <= sid_q;
    end
    assign stamp_move = move_q;
  end else begin : gen_no_stamps
    assign {stamp_short, stamp_refuse, stamp_on, stamp_old, stamp_echo} = '0;
    assign {stamp_move, stamp_sid, stamp} = '0;
  end

  // --- Urgent pointer
  logic [15:0] urgent;
  logic upcoming;
  if (RX_URGENT_EN) begin : gen_urgent
    logic [31:0] distance_q, ahead_q;
    always_ff @(posedge clk) begin
      distance_q <= distance;
      if (rx.valid && rx.index == 4'd13) begin
        urgent  <= swap16(rx.word[15:0]);
        ahead_q <= distance_q + 32'(swap16(rx.word[15:0]));
      end
    end
    assign upcoming = ~ahead_q[31] & (ahead_q != 0);
  end else begin : gen_no_urgent
    assign {urgent, upcoming} = '0;
  end

  toe_rx_rcv #(
      .SESSIONS(SESSIONS)
  ) u_rcv (
      .clk,
      .rst,
      .sid     (found_sid),
      .nxt     (rcv_nxt),
      .open    (open),
      .move    (moved),
      .move_nxt(aside_move ? aside_nxt : next_q),
      .hold    (look_q[1] | pending_q | data_last | aside_last | wait_q),
      .hold_one(accept_q | aside_q),
      .hold_sid(sid_q),
      .rcv_wr,
      .rcv_wr_ready,
      .rcv_wr_sid,
      .rcv_wr_nxt,
      .rcv_wr_open,
      .ack_sid,
      .ack_nxt
  );

  // --- Record: waits for the options of a SYN, or until it is known what has become of a segment that was set aside
  segment_t record_q;
  logic record_valid_q, options_done, mss_on, scale_on;
  logic [15:0] mss;
  logic [ 3:0] scale;
  logic syn_stamp_on, sack_on;
  logic [31:0] syn_stamp, syn_echo;
  logic options_start, octets_valid;
  logic [15:0] octets;
  assign options_start = rx.valid & (rx.index == 4'd11);
  toe_rx_option_bytes u_bytes (
      .clk,
      .rst,
      .start(options_start),
      .words(skip),
      .valid(rx.valid & tail_q),
      .word (rx.word),
      .octets_valid,
      .octets,
      .done (options_done)
  );
  toe_rx_options u_options (
      .clk,
      .rst,
      .start   (options_start),
      .octets_valid,
      .octets,
      .mss_on,
      .mss,
      .scale_on,
      .scale,
      .stamp_on(syn_stamp_on),
      .stamp   (syn_stamp),
      .echo    (syn_echo),
      .sack_on
  );
  logic sack_busy;
  logic [2:0] sack_count;
  block_t [3:0] sacks;
  if (SACK_EN) begin : gen_sack
    toe_sack_parse u_parse (
        .clk,
        .rst,
        .start (options_start),
        .octets_valid,
        .octets,
        .busy  (sack_busy),
        .count (sack_count),
        .blocks(sacks)
    );
  end else begin : gen_no_sack
    assign {sack_busy, sack_count, sacks} = '0;
  end
  always_ff @(posedge clk) begin
    if (end_q && !record_valid_q) begin  // what ends while a record waits is too short for one
      record_q          <= '0;
      record_q.hit      <= hit_q;
      record_q.sid      <= sid_q;
      record_q.tuple    <= '{iface: rx.iface, peer_ip: rx.sip, peer_port: peer_port_q, local_port: local_port_q};
      record_q.peer_mac <= rx.smac;
      record_q.flags    <= flags_q;
      record_q.seq      <= seq_q;
      record_q.ack      <= ack_q;
      record_q.window   <= window_q;
      record_q.length   <= length_q[15:0];
      record_q.accepted <= taken_q & ~oos_q;
      record_q.stamp_on <= stamp_on;
      record_q.old      <= stamp_old & ~flags_q[1];  // of a SYN the place is chance
      record_q.stamp    <= stamp;
      record_q.echo     <= stamp_echo;
      record_q.urgent   <= urgent;
      record_q.upcoming <= upcoming;
    end else if (aside_done) {record_q.accepted, record_q.gap} <= {aside_move, aside_move & aside_gap};
    record_valid_q <= (good & ~lost_q) | (record_valid_q & ~segment_valid);
    if (rst) record_valid_q <= 1'b0;
  end
  logic syn;
  assign syn           = (record_q.flags & SYN) != 0;
  assign segment_valid = record_valid_q & (~(syn | SACK_EN) | options_done) & ~sack_busy & ~wait_q;
  always_comb begin
    segment          = record_q;
    segment.mss_on   = syn & mss_on;
    segment.mss      = mss;
    segment.scale_on = syn & scale_on;
    segment.scale    = scale;
    segment.sack_on  = SACK_EN & syn & sack_on;
    segment.sacks    = sacks;
    if (!syn) segment.sack_count = sack_count;
    if (syn && TIMESTAMPS_EN) begin
      segment.stamp_on = syn_stamp_on;
      segment.stamp    = syn_stamp;
      segment.echo     = syn_echo;
    end
  end

  always_ff @(posedge clk) begin
    stat_ip_bad     <= end_q & good_q & rx.ipv4 & (rx.mac_match != 0) & ~rx.ip_good;
    stat_ip_options <= end_q & good_q & rx.options & (rx.ip_match != 0);
    stat_fragment   <= end_q & good_q & rx.ipv4 & (rx.ip_match != 0) & rx.fragment & rx.ip_good;
    stat_malformed  <= end_q & (good_q & ours_q & malformed_q | short_q & (rx.ipv4 | rx.options) & (rx.mac_match != 0));
    stat_checksum   <= end_q & good_q & ours_q & ~malformed_q & ~good;
    stat_no_room    <= (good & no_room_q) | aside_refused;
  end
endmodule
