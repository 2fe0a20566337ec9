// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the modules of ate share: a frame's source, the fields of a connection, how frames can end.
package ate_pkg;
  // Who sends: the user's logic, or software through ate_inject.  The names are those of the user's ports.
  typedef struct packed {
    logic        sof;
    logic        eof;
    logic [1:0]  len;     // bytes of the last word, 0: four
    logic        raw;     // the words are a frame as it is, not a payload
    logic [31:0] data;
    logic [15:0] conn;
    logic [15:0] length;  // of the payload, bytes
    logic [31:0] csum;    // one's complement sum of the payload, as its bytes lie in words
  } source_t;

  // A connection's registers as they are read.  Fields of a frame lie as their bytes are sent: first byte in bits 7:0.
  typedef struct packed {
    logic [2:0][31:0] mac;       // destination and source address
    logic [15:0]      tcp_part;  // numbers: partial sums
    logic [15:0]      ip_part;
    logic [31:0]      sip;
    logic [31:0]      dip;
    logic [31:0]      ports;
    logic [31:0]      seq;
    logic [31:0]      ack;       // of the bank that is selected
    logic [15:0]      window;
    logic [31:0]      max_seq;
    logic             vlan_on;
    logic [15:0]      vlan;      // number: priority, DEI, identifier
    logic             check;     // obey max_seq
  } conn_t;

  // Words of a connection's window, byte offset / 4
  localparam logic [3:0] WORD_MAC0 = 4'd0;
  localparam logic [3:0] WORD_MAC1 = 4'd1;
  localparam logic [3:0] WORD_MAC2 = 4'd2;
  localparam logic [3:0] WORD_PART = 4'd3;
  localparam logic [3:0] WORD_SIP = 4'd4;
  localparam logic [3:0] WORD_DIP = 4'd5;
  localparam logic [3:0] WORD_PORTS = 4'd6;
  localparam logic [3:0] WORD_SEQ = 4'd7;
  localparam logic [3:0] WORD_ACK = 4'd8;  // bank 1 is two words on
  localparam logic [3:0] WORD_WINDOW = 4'd9;
  localparam logic [3:0] WORD_CONTROL = 4'd12;
  localparam logic [3:0] WORD_MAX_SEQ = 4'd13;
  localparam logic [3:0] WORD_VLAN = 4'd14;

  // How a frame ended: the index of its counter.
  typedef enum logic [3:0] {
    SENT_USER  = 4'd0,
    SENT_HOST  = 4'd1,
    SENT_RAW   = 4'd2,
    NO_CONN    = 4'd4,   // refused before it began: not enabled, or no such connection
    NO_ROOM    = 4'd5,   // the mirror has no room
    NO_WINDOW  = 4'd6,   // strict: the window is closed
    BAD_LATE   = 4'd8,   // sent with a wrong FCS: metadata changed after their deadline
    BAD_LENGTH = 4'd9,   // the words are not payload_length bytes, or these are more than MAX_PAYLOAD
    BAD_WINDOW = 4'd10,  // strict: payload_length as given in the end does not fit
    BAD_RAW    = 4'd11,  // a raw frame without an end
    BAD_CHUNK  = 4'd12   // from software: not a chunk
  } result_e;
  // With HOLD, refused before it began: the words do not fit payload_length
  localparam logic [3:0] NO_FRAME = 4'd7;
  // Beside these, of all that left with a wrong FCS
  localparam logic [3:0] ABORTED = 4'd13;

  function automatic logic [15:0] swap16(input logic [15:0] x);
    return {x[7:0], x[15:8]};
  endfunction
  function automatic logic [31:0] swap32(input logic [31:0] x);
    return {x[7:0], x[15:8], x[23:16], x[31:24]};
  endfunction
endpackage
