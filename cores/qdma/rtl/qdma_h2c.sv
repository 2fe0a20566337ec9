// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Streaming H2C: descriptors to packets.
//
// Latency, alone: a descriptor is a read request 1 cycle after it is accepted; a line of payload is a beat of the packet 1
// cycle later, 4 if it is rotated.  A descriptor, a read request and a beat in each cycle.
//
// Interface: channels with valid and ready.  A packet's beats follow each other, begin in byte 0, and are full up to the
// last.  Payload is the read engine's client of this engine.  retire and status are of a batch.
//
// Operation: qdma_h2c_chain finds the packets; their commands go to the read engine and, in the same order, into a FIFO
// that waits for the payload; qdma_h2c_deliver joins both; qdma_align packs the bytes.  A packet without bytes takes the
// same way, so it keeps its place.
module qdma_h2c
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES   = 2048,
    parameter int COMMANDS = 256,   // descriptors whose payload is under way
    parameter int LIMITED  = 0,     // queues 0 to LIMITED - 1 have packets fetched only while the user has room
    parameter int MOST     = 248,   // beats of the longest packet that is held until there is room
    parameter bit BYPASS   = 1'b0   // there are descriptors of the user
) (
    input logic clk,
    input logic rst,

    // Room at the user, and the queues whose next packet waits for it
    input  room_t [(LIMITED > 0 ? LIMITED : 1)-1:0] room,
    output logic  [(LIMITED > 0 ? LIMITED : 1)-1:0] blocked,

    input  logic        descriptor_valid,
    output logic        descriptor_ready,
    input  descriptor_t descriptor,
    output logic        retire_valid,
    input  logic        retire_ready,
    output retire_t     retire,

    // For a cycle, up to this index: the payload is read, packets are at the user
    output qdma_watch_pkg::step_t issued,
    output qdma_watch_pkg::step_t done,

    // Bypass: for a cycle, what was accepted before is done; marker response
    output logic           flushed,
    output bypass_marker_t marker,

    // Client of qdma_read
    output logic          request_valid,
    input  logic          request_ready,
    output read_request_t request,
    input  logic          payload_valid,
    output logic          payload_ready,
    input  read_beat_t    payload,
    input  beat_t         payload_data,

    // Packets
    output logic      packet_valid,
    input  logic      packet_ready,
    output h2c_beat_t packet,
    output beat_t     packet_data,

    // Status, for its writer
    input  logic            [2:0] status_interval,  // 4 << n descriptors
    output logic                  status_valid,
    input  logic                  status_ready,
    output status_request_t       status
);
  typedef struct packed {
    index_t qid;
    logic [2:0] port_id;
    logic [31:0] metadata;
  } side_t;

  h2c_command_t found, stored, next, command;
  logic found_valid, has_payload, fits, stored_valid, stored_ready, next_valid, next_ready;
  logic check_valid, check_is_part, checked, fits_there, taken, held, abandoned, released;
  room_t check_beats;
  qdma_h2c_chain #(
      .QUEUES (QUEUES),
      .LIMITED(LIMITED),
      .MOST   (MOST),
      .BYPASS (BYPASS)
  ) chain (
      .clk,
      .rst,
      .check_valid,
      .check_beats,
      .check_is_part,
      .checked,
      .fits         (fits_there),
      .taken,
      .held,
      .abandoned,
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .status_interval,
      .command_valid(found_valid),
      .command_ready(fits & (~has_payload | request_ready)),
      .command      (found)
  );
  assign has_payload   = ~found.is_marker & (found.bytes != '0) & ~(BYPASS & found.bypass.no_dma);
  assign request_valid = found_valid & has_payload & fits;
  always_ff @(posedge clk) begin
    issued <= '{
        valid:
        found_valid
        &
        fits
        & (
        ~has_payload | request_ready
        ) & ~
        found.is_marker
        & ~(
        BYPASS & found.bypass.is_bypass
        ),
        qid: found.qid,
        index: found.cidx
    };
    if (rst) issued.valid <= 1'b0;
  end
  assign request = '{qid: found.qid, func: found.func, addr: found.addr, bytes: found.bytes, cookie: '0};

  qdma_fifo #(
      .WIDTH($bits(h2c_command_t)),
      .DEPTH(COMMANDS)
  ) commands (
      .clk,
      .rst,
      .wr_valid(found_valid & (~has_payload | request_ready)),
      .wr_ready(fits),
      .wr_data (found),
      .rd_valid(stored_valid),
      .rd_ready(stored_ready),
      .rd_data (stored)
  );

  if (LIMITED > 0) begin : gen_room
    qdma_h2c_room #(
        .LIMITED(LIMITED),
        .MOST   (MOST)
    ) rooms (
        .clk,
        .rst,
        .room,
        .check_valid,
        .check_qid     (descriptor.qid),
        .check_beats,
        .check_is_part,
        .checked,
        .fits          (fits_there),
        .taken,
        .held,
        .abandoned,
        .released,
        .released_qid  (command.qid),
        .released_beats(command.charge),
        .blocked
    );
  end else begin : gen_no_room
    assign {checked, fits_there, blocked} = '0;
    logic unused_room;
    assign unused_room = &{1'b0, room, check_valid, check_beats, check_is_part, taken, held, abandoned, released};
  end

  // A block RAM is slow, and deliver looks a queue up.
  axis_register #(
      .WIDTH($bits(h2c_command_t))
  ) next_command (
      .clk,
      .rst,
      .s_data (stored),
      .s_valid(stored_valid),
      .s_ready(stored_ready),
      .m_data (next),
      .m_valid(next_valid),
      .m_ready(next_ready)
  );

  logic part_valid, part_ready, part_eop, part_error;
  logic [6:0] part_bytes;
  qdma_h2c_deliver #(
      .QUEUES(QUEUES),
      .BYPASS(BYPASS)
  ) deliver (
      .clk,
      .rst,
      .next_valid,
      .next_ready,
      .next,
      .command,
      .payload_valid,
      .payload_ready,
      .payload,
      .part_valid,
      .part_ready,
      .part_bytes,
      .part_eop,
      .part_error,
      .released,
      .done,
      .flushed,
      .marker,
      .retire_valid,
      .retire_ready,
      .retire,
      .status_valid,
      .status_ready,
      .status
  );

  // --- The packet that a part is of: of its first descriptor
  side_t side_q, side, packet_side;
  logic begun_q;
  assign side = begun_q ? side_q : '{qid: command.qid, port_id: command.port_id, metadata: command.metadata};
  always_ff @(posedge clk) begin
    if (part_valid && part_ready) begin
      begun_q <= ~part_eop;
      side_q  <= side;
    end
    if (rst) begun_q <= 1'b0;
  end

  qdma_align #(
      .SIDE_BITS($bits(side_t))
  ) align (
      .clk,
      .rst,
      .part_valid,
      .part_ready,
      .part_data  (payload_data),
      .part_start ('0),
      .part_offset(payload.offset),
      .part_bytes,
      .part_eop,
      .part_error,
      .part_side  (side),
      .beat_valid (packet_valid),
      .beat_ready (packet_ready),
      .beat_data  (packet_data),
      .beat_bytes (packet.bytes),
      .beat_sop   (packet.is_sop),
      .beat_eop   (packet.is_eop),
      .beat_error (packet.is_error),
      .beat_side  (packet_side)
  );
  assign {packet.qid, packet.port_id, packet.metadata} = packet_side;

  logic unused;
  assign unused = &{1'b0, command};
endmodule
