// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// 64b/66b constants (IEEE 802.3 clause 49) and the types that the modules of macpcs share.
package macpcs_pkg;
  // Sync headers, 49.2.4.3.  Bit 0 is sent first; the standard writes 01 (data) and 10 (control) first bit left.
  localparam logic [1:0] HEADER_DATA = 2'b10;
  localparam logic [1:0] HEADER_CONTROL = 2'b01;

  // Block type fields, figure 49-7.
  localparam logic [7:0] TYPE_IDLE = 8'h1e;  // C0..C7
  localparam logic [7:0] TYPE_START0 = 8'h78;  // S0 D1..D7
  localparam logic [7:0] TYPE_START4 = 8'h33;  // C0..C3 S4 D5..D7
  localparam logic [7:0] TYPE_ORDERED_START4 = 8'h66;  // O0 D1..D3 S4 D5..D7
  localparam logic [7:0] TYPE_ORDERED0 = 8'h4b;  // O0 D1..D3 C4..C7
  localparam logic [7:0] TYPE_ORDERED4 = 8'h2d;  // C0..C3 O4 D5..D7
  localparam logic [7:0] TYPE_ORDERED04 = 8'h55;  // O0 D1..D3 O4 D5..D7

  // Terminate after n data bytes: TYPE_TERMINATE[n].
  localparam logic [7:0][7:0] TYPE_TERMINATE = {8'hff, 8'he1, 8'hd2, 8'hcc, 8'hb4, 8'haa, 8'h99, 8'h87};

  localparam logic [7:0] PREAMBLE = 8'h55;
  localparam logic [7:0] SFD = 8'hd5;

  // What one transceiver word does with the payload of a block, which is `64 / word width` payload words:
  // `pos` is the payload word that it starts (transmit) or completes (receive); in a stall cycle, one in 33, none.
  typedef struct packed {
    logic       stall;
    logic [1:0] pos;
  } slot_t;

  // Scrambler 1 + x^39 + x^58 (49.2.6): what the last 64 scrambled bits, the latest in bit 63, add to the next ones.
  // No term reaches into a word of 32 bits or fewer itself, so this is one XOR level.  Callers take as many as they need.
  function automatic logic [31:0] scramble_terms(input logic [63:0] history);
    return history[25+:32] ^ history[6+:32];
  endfunction

  // Cycles from a frame's last beat to a verdict that knows the block after it: see macpcs_rx_late.
  function automatic int late_cycles(input int width);
    return width == 16 ? 6 : 4;
  endfunction

  // One receive cycle of user data.
  typedef struct packed {
    logic        valid;
    logic        last;
    logic [3:0]  keep;   // 4'hf before the last word; 4'h0 with last: the frame ended with the word before
    logic [31:0] data;
  } beat_t;

  // What the receiver found wrong with a frame.
  typedef struct packed {
    logic fcs;       // frame check sequence wrong
    logic code;      // a bad block, a new start or loss of lock in it; or a bad preamble
    logic runt;      // shorter than MAC_RX_MIN_PKT_LENGTH
    logic oversize;  // longer than rx_max_length
  } rx_error_t;

  // What the receiver has in a cycle.  The verdict comes VERDICT_LATENCY cycles after the last beat of its frame.
  typedef struct packed {
    beat_t     beat;
    logic      sof;           // a frame has begun; its first beat comes two cycles later or more
    logic      status_valid;  // the verdict on a frame
    rx_error_t status;
  } rx_t;
endpackage
