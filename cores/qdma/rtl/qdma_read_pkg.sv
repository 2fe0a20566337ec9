// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the read engine and its clients say to each other.  Words: a request is what a client asks; a chunk is the part of
// it that one read TLP fetches; a line is 64 bytes of host memory, aligned, and a word of a reorder RAM.
package qdma_read_pkg;
  import qdma_tlp_pkg::*;

  localparam int TAG_BITS = 8;
  typedef logic [TAG_BITS-1:0] tag_t;

  localparam int LINE_BYTES = BEAT_BITS / 8;
  localparam int MAX_CHUNK = 1024;  // bytes, whatever MRRS allows beyond
  localparam int MAX_CHUNK_LINES = MAX_CHUNK / LINE_BYTES;
  typedef logic [$clog2(MAX_CHUNK):0] chunk_bytes_t;  // 1 to MAX_CHUNK
  typedef logic [$clog2(MAX_CHUNK_LINES):0] chunk_lines_t;  // 1 to MAX_CHUNK_LINES

  // Up to these sizes of a client's reorder RAM
  typedef logic [7:0] entry_t;  // a chunk's place in the order of its client
  typedef logic [9:0] line_t;

  localparam int MAX_CLIENTS = 8;
  localparam int MM_CLIENTS = 3;  // of the memory-mapped engines: descriptors of C2H and of H2C, payload of H2C
  typedef logic [$clog2(MAX_CLIENTS)-1:0] client_t;

  localparam int COOKIE_BITS = 76;
  typedef logic [COOKIE_BITS-1:0] cookie_t;  // of the client: comes back with each beat

  typedef enum logic [2:0] {
    READ_OK          = 3'd0,
    READ_UNSUPPORTED = 3'd1,  // status UR
    READ_ABORTED     = 3'd2,  // status CA, or one that is reserved
    READ_POISONED    = 3'd3,
    READ_TIMEOUT     = 3'd4,
    READ_MISMATCH    = 3'd5   // length, byte count or lower address are not what they must be
  } read_error_e;
  localparam int READ_ERRORS = 6;

  typedef struct packed {
    logic [10:0] qid;
    function_t func;
    logic [63:0] addr;  // of a byte
    logic [15:0] bytes;  // 1 to 65535
    cookie_t cookie;
  } read_request_t;

  typedef struct packed {
    logic [10:0] qid;
    function_t func;
    logic [63:0] addr;
    chunk_bytes_t bytes;
    chunk_lines_t lines;  // that it touches
    logic is_last;  // of its request
    cookie_t cookie;
  } chunk_t;

  // What is known of a chunk when its read leaves
  typedef struct packed {
    client_t client;
    entry_t entry;
    line_t line;  // of its first byte, in the client's RAM
    logic [6:0] addr;  // of its first byte
    chunk_bytes_t bytes;
    chunk_lines_t lines;
  } issued_t;

  // 16 dwords into the RAM of a client: those of lanes before `start` belong to the line after `line`.
  typedef struct packed {
    client_t client;
    line_t line;
    logic [3:0] start;
    logic [BEAT_DWORDS-1:0] enable;  // of each lane
  } line_write_t;

  // The last of a chunk is in the RAM, or will not come.
  typedef struct packed {
    logic valid;
    client_t client;
    entry_t entry;
    read_error_e error;
    chunk_lines_t lines;
  } chunk_end_t;

  // A chunk has ended with an error
  typedef struct packed {
    logic valid;
    read_error_e error;
    client_t client;
    tag_t tag;
    logic [10:0] qid;
    function_t func;
    logic [63:0] addr;  // of its first byte
  } failed_read_t;

  // A line, or what is read of it: bytes offset to offset + bytes - 1.  With an error there are no bytes.
  typedef struct packed {
    logic [5:0] offset;
    logic [6:0] bytes;
    logic is_last;  // of the request
    read_error_e error;  // of the chunk
    cookie_t cookie;
  } read_beat_t;

  typedef struct packed {
    logic [READ_ERRORS-1:0][31:0] chunks;  // that ended with each code, read_error_e
    logic [31:0] unexpected;  // completions of no read
  } read_stats_t;
endpackage
