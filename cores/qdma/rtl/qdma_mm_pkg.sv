// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the memory-mapped engines say to each other.  Words: the card is the AXI4 side, the host the PCIe side;
// a segment is what one AXI burst moves.
package qdma_mm_pkg;
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_fetch_pkg::bypass_flags_t;

  localparam int SEGMENT_BYTES = 4096;  // a burst does not cross a multiple of it
  localparam int SEGMENT_BEATS = SEGMENT_BYTES / (BEAT_BITS / 8);
  typedef logic [$clog2(SEGMENT_BYTES):0] segment_bytes_t;  // 1 to SEGMENT_BYTES
  typedef logic [$clog2(SEGMENT_BEATS)-1:0] burst_len_t;  // beats of a burst, less 1

  // Descriptor of the public drivers, 32 bytes.  They set bits 30:28 of `flags`; PG302 has them reserved.
  typedef struct packed {
    logic [63:0] reserved;
    logic [63:0] dst;
    logic [31:0] reserved_high;
    logic [3:0]  flags;
    logic [27:0] bytes;
    logic [63:0] src;
  } mm_descriptor_t;

  typedef struct packed {
    index_t qid;
    function_t func;
    logic [63:0] host;  // of its first byte
    logic [63:0] card;
    segment_bytes_t bytes;
  } mm_segment_t;

  // What is to be done after a segment, or instead of one
  typedef struct packed {
    index_t qid;
    function_t func;
    logic wbk_en;
    logic irq_en;
    logic [15:0] pidx;
    logic [15:0] index;  // of its descriptor
    logic [15:0] cidx;  // the index after it
    logic is_start;  // of a batch before which nothing of the queue was under way
    logic is_first;  // of its batch
    logic is_end;  // of its batch
    logic is_last;  // of its descriptor
    logic has_segment;
    logic is_dropped;  // the queue was stopped, or its turn is over: nothing more of the descriptor is moved
    logic is_parked;  // its turn is over, within this descriptor
    logic is_bad;  // its descriptor was not read, or was shortened while it was parked
    qdma_read_pkg::read_error_e read_error;  // why it was not read
    logic wants_status;  // wbi_chk, wbi_intvl_en
    bypass_flags_t bypass;
  } mm_tail_t;

  // Beats of a burst, less 1
  function automatic burst_len_t burst_len(input logic [5:0] offset, input segment_bytes_t bytes);
    return burst_len_t'((14'(offset) + 14'(bytes) - 14'd1) >> 6);
  endfunction

  // --- AXI4 master, 512 bits, one ID
  typedef struct packed {
    logic [63:0] addr;
    burst_len_t  len;
  } axi_address_t;

  typedef struct packed {
    logic                   last;
    logic [BEAT_BITS/8-1:0] strb;
    beat_t                  data;
  } axi_write_t;

  typedef struct packed {
    logic       last;
    logic [1:0] resp;
    beat_t      data;
  } axi_read_t;

  // The card's memory: what goes there, and what comes from there
  typedef struct packed {
    logic         aw_valid;
    axi_address_t aw;
    logic         w_valid;
    axi_write_t   w;
    logic         b_ready;
    logic         ar_valid;
    axi_address_t ar;
    logic         r_ready;
  } axi_to_card_t;

  typedef struct packed {
    logic       aw_ready;
    logic       w_ready;
    logic       b_valid;
    logic [1:0] b_resp;
    logic       ar_ready;
    logic       r_valid;
    axi_read_t  r;
  } axi_from_card_t;
endpackage
