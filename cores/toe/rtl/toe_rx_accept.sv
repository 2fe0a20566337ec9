// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Received TCP segments: takes in-order payload of open sessions for the user in cycle 13, RCV.NXT moves with a good verdict;
// a record of each good segment for the TCP machine.
//
//   word (earliest cycle)  9      10        11          12            13
//                          look   RAM       RCV, SND    compare       accept, payload 0-1
module toe_rx_accept
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int RING_BYTES = 8192,        // of retransmit memory a session: an ACK may lie this far behind
    parameter bit RX_CHECKSUM_VERIFICATION_EN = 1'b1
) (
    input logic clk,
    input logic rst,

    input rx_t rx,

    output logic   look,
    output tuple_t tuple,
    input  logic   found,
    input  sid_t   found_sid,

    // SND.NXT of a session, combinational, from toe_tx
    output sid_t        snd_sid,
    input  logic [31:0] snd_nxt,

    // RCV.NXT and whether data are welcome (ESTABLISHED, FIN_WAIT_1, FIN_WAIT_2): set by the TCP machine, which holds it until ready
    input  logic        rcv_wr,
    output logic        rcv_wr_ready,
    input  sid_t        rcv_wr_sid,
    input  logic [31:0] rcv_wr_nxt,
    input  logic        rcv_wr_open,
    // Read, combinational: for toe_tx and for the TCP machine
    input  sid_t        ack_sid,
    output logic [31:0] ack_nxt,
    input  sid_t        tcp_sid,
    output logic [31:0] tcp_nxt,

    // Payload of accepted segments, in words: bytes `keep` of `data`, first byte lowest; the first word of a segment may have
    // its bytes in the upper half.  Straight from the MAC's words.  `last` may come without a byte (keep = 0) when the verdict is behind
    // the last word; `bad` with it: forget the segment.
    output logic        data_valid,
    output logic [31:0] data_word,
    output logic [ 3:0] data_keep,
    output logic        data_first,
    output logic [15:0] data_length,  // with first: of the segment, bytes
    output logic        data_last,
    output logic        data_bad,
    output sid_t        data_sid,
    input  logic [15:0] room,          // bytes that the user's FIFO takes

    output logic     segment_valid,    // one cycle
    output segment_t segment,
    input  logic     segment_room,     // for at least two; else frames are dropped and counted

    output logic stat_ip_bad,
    output logic stat_ip_options,
    output logic stat_fragment,
    output logic stat_checksum,
    output logic stat_malformed,       // offset or length impossible
    output logic stat_no_room
);
endmodule
