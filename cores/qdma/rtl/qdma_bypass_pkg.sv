// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the core and its user say to each other of descriptors of queues with bypass.  A channel is a kind of queue and a
// direction; each has a port in each direction.
package qdma_bypass_pkg;
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;

  localparam int BYPASS_C2H_MM = 0, BYPASS_H2C_MM = 1, BYPASS_C2H_ST = 2, BYPASS_H2C_ST = 3;
  localparam int BYPASS_CHANNELS = 4;

  // A descriptor that leaves to the user, as it was read
  typedef struct packed {
    index_t qid;
    function_t func;
    logic [2:0] port_id;
    logic [15:0] cidx;  // of the ring: its index
    logic [1:0] dsc_sz;  // 8 << n bytes
    logic has_error;  // it, and those that follow it in its batch, could not be read: there are no data
    logic [255:0] data;
  } bypass_out_t;

  // A descriptor that the user provides
  typedef struct packed {
    index_t qid;
    function_t func;
    logic [15:0] cidx;  // as it has left; a status has the index after it
    logic wants_status;  // sdi: status and interrupt when it is done
    logic wants_marker;  // mrkr_req: a marker response when it is done
    logic no_dma;
    logic has_error;  // it could not be read: its queue is stopped
    logic is_sop;  // of a stream
    logic is_eop;
    logic [31:0] metadata;
    logic [27:0] bytes;  // of a stream at most 65535
    logic [63:0] card;  // memory-mapped
    logic [63:0] host;
  } bypass_in_t;

  // Marker response
  typedef struct packed {
    logic valid;
    index_t qid;
    logic [15:0] cidx;
    logic has_error;
  } bypass_marker_t;

  // A queue that is stopped: no descriptor of it leaves any more, and those that the user still has are dropped
  typedef struct packed {
    logic   valid;
    index_t qid;
  } bypass_stop_t;

  // What the fetch finds in a context
  typedef struct packed {
    logic valid;
    logic is_live;  // the queue is enabled; else it has been stopped by an error, and the other fields are 0
    index_t qid;
    function_t func;
    logic [2:0] port_id;
    logic [15:0] last;  // the ring has indices 0 to last - 1
  } bypass_note_t;
endpackage
