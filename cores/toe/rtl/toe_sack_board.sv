// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Scoreboards of all sessions: what the peer has SACKed (RFC 2018, 5; RFC 6675), 4 intervals each.  For toe_tcp, whose steps these are.
//
//   step  0     2     5                     6 on                                       8
//         read  list  SND.UNA has moved     blocks, then toe_sack_piece: step 7 waits  written
//
// Latency: none for a session of which nothing is SACKed, and a segment without blocks.  Else step 7 takes up to 22 cycles more.
//
// All are offsets from SND.UNA, so only who moves that writes them.  A timeout forgets what has been SACKed (RFC 2018, 8).
module toe_sack_board
  import toe_pkg::*;
  import toe_tcp_pkg::*;
#(
    parameter int SESSIONS                 = 64,
    parameter bit TX_CONGESTION_CONTROL_EN = 1'b1
) (
    input logic clk,
    input logic rst,

    input logic read,      // step 0
    input sid_t read_sid,
    input sid_t sid,       // from step 1 on
    input logic load,      // step 2
    input logic run,       // step 5: from here on all those below stay

    input logic           on,      // agreed, and the connection is there
    input logic           heard,   // a segment, whose ACK counts
    input logic           acked,   // and moves SND.UNA
    input logic    [31:0] una,
    input logic    [31:0] ack,
    input window_t        bytes,   // ack - una
    input window_t        flight,  // SND.NXT - una
    input window_t        left,    // SND.NXT - ack
    input logic    [ 2:0] count,
    input block_t  [ 3:0] sacks,
    input window_t        offset,  // of rtx, if it is no segment
    input window_t        wnd,
    input window_t        cwnd,
    input logic           fin,
    input logic           fast,
    input logic    [15:0] mss,

    output logic           busy,         // the event must wait
    output logic           peer_sacked,  // something, in this connection
    output logic           news,         // and this segment something more
    output window_t        sacked,       // so many bytes; 0 if `uses` is not set
    output logic           lost,         // what is at SND.UNA
    output logic           uses,         // the piece below counts
    output window_t        place,
    output logic    [15:0] length,
    output logic           at_end,

    input logic write,   // step 8
    input logic begins,  // a new connection
    input logic expired  // the retransmission timer
);
  localparam int INTERVALS = 4;
  localparam int BITS = $clog2(SESSIONS);
  typedef struct packed {
    logic                    peer_sacked;
    logic [INTERVALS-1:0]    on;
    window_t [INTERVALS-1:0] start;
    window_t [INTERVALS-1:0] stop;
  } board_t;
  typedef enum logic [1:0] {
    REST,
    MERGE,
    SUMS
  } phase_e;

  board_t stored, board_q, next;
  logic wr;
  always_comb begin
    next = board_q;
    if (begins) next = '0;
    else if (expired) next.on = '0;
  end
  assign wr = write & (begins | (uses & (heard | expired)));
  ram_sdp #(
      .WIDTH($bits(board_t)),
      .DEPTH(SESSIONS)
  ) u_boards (
      .clk,
      .wr_en  (wr),
      .wr_addr(sid[BITS-1:0]),
      .wr_data(next),
      .rd_en  (read),
      .rd_addr(read_sid[BITS-1:0]),
      .rd_data(stored)
  );

  // --- SND.UNA moves
  logic [INTERVALS-1:0] moved_on;
  window_t [INTERVALS-1:0] moved_start, moved_stop;
  toe_sack_advance #(
      .INTERVALS(INTERVALS),
      .WIDTH($bits(window_t))
  ) u_advance (
      .list_on   (board_q.on),
      .list_start(board_q.start),
      .list_stop (board_q.stop),
      .bytes,
      .new_on    (moved_on),
      .new_start (moved_start),
      .new_stop  (moved_stop)
  );

  // --- Blocks, one each two cycles: its differences, whether it counts, how it lies, the new list
  phase_e phase_q;
  logic [3:0] at_q;
  logic [2:0] count_q;
  logic [31:0] base_q, left_q, right_q;
  window_t room_q, start_q, stop_q;
  logic good, good_q, puts_q, known, known_q;
  logic [INTERVALS-1:0] below, touched, lower, higher, below_q, touched_q, lower_q, higher_q, put_on;
  window_t [INTERVALS-1:0] put_start, put_stop;
  block_t block;
  assign block = sacks[at_q[2:1]];
  toe_sack_check #(
      .WIDTH($bits(window_t))
  ) u_check (
      .left  (left_q),
      .right (right_q),
      .flight(room_q),
      .good
  );
  toe_sack_touch #(
      .INTERVALS(INTERVALS),
      .WIDTH($bits(window_t))
  ) u_touch (
      .list_on   (board_q.on),
      .list_start(board_q.start),
      .list_stop (board_q.stop),
      .start     (start_q),
      .stop      (stop_q),
      .below,
      .touched,
      .lower,
      .higher,
      .known
  );
  toe_sack_insert #(
      .INTERVALS(INTERVALS),
      .WIDTH($bits(window_t))
  ) u_insert (
      .list_on   (board_q.on),
      .list_start(board_q.start),
      .list_stop (board_q.stop),
      .start     (start_q),
      .stop      (stop_q),
      .below     (below_q),
      .touched   (touched_q),
      .lower     (lower_q),
      .higher    (higher_q),
      .new_on    (put_on),
      .new_start (put_start),
      .new_stop  (put_stop)
  );

  logic active;
  logic [3:0] last;
  window_t all;
  logic first_lost;
  assign active = on & (board_q.on != 0 | (board_q.peer_sacked & fast) | (heard & count != 0));
  assign last = heard ? 4'd7 : 4'd10;
  assign busy = phase_q != REST;
  assign peer_sacked = on & board_q.peer_sacked;
  assign sacked = uses ? all : '0;
  assign lost = uses & first_lost;
  always_ff @(posedge clk) begin
    left_q  <= block.left - base_q;
    right_q <= block.right - base_q;
    if (at_q[0]) begin
      good_q  <= good & ({1'b0, at_q[2:1]} < count_q);
      start_q <= left_q[17:0];
      stop_q  <= right_q[17:0];
    end else begin
      puts_q                                           <= good_q;
      {below_q, touched_q, lower_q, higher_q, known_q} <= {below, touched, lower, higher, known};
    end

    case (phase_q)
      MERGE: begin
        at_q <= at_q + 4'd1;
        if (at_q[0] && at_q != 4'd1 && puts_q) begin
          {board_q.on, board_q.start, board_q.stop} <= {put_on, put_start, put_stop};
          board_q.peer_sacked                       <= 1'b1;
          if (!known_q) news <= 1'b1;
        end
        if (at_q == {count_q, 1'b1}) begin
          phase_q <= SUMS;
          at_q    <= '0;
        end
      end
      SUMS: begin
        at_q <= at_q + 4'd1;
        if (at_q == last) phase_q <= REST;
      end
      default: at_q <= '0;
    endcase
    if (load) begin
      board_q      <= stored;
      {news, uses} <= 2'b00;
    end
    if (run) begin
      uses    <= active;
      base_q  <= acked ? ack : una;
      room_q  <= acked ? left : flight;
      count_q <= heard ? count : 3'd0;
      at_q    <= '0;
      if (active) phase_q <= heard && count != 0 ? MERGE : SUMS;
      if (acked) {board_q.on, board_q.start, board_q.stop} <= {moved_on, moved_start, moved_stop};
    end
    if (rst) begin
      phase_q <= REST;
      uses    <= 1'b0;
    end
  end

  toe_sack_piece #(
      .TX_CONGESTION_CONTROL_EN(TX_CONGESTION_CONTROL_EN)
  ) u_piece (
      .clk,
      .at    (at_q),
      .on    (board_q.on),
      .start (board_q.start),
      .stop  (board_q.stop),
      .flight(room_q),
      .offset,
      .wnd,
      .cwnd,
      .fin,
      .fast,
      .mss,
      .sacked(all),
      .lost  (first_lost),
      .place,
      .length,
      .at_end
  );
endmodule
