// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Read engine: reads host memory for its clients, and gives each its data in the order in which it asked.
//
// Latency, alone: a request is a read TLP 2 cycles after it is accepted; the last beat of a chunk's completion is the
// chunk's first beat of the client 4 cycles later.  Each client accepts a chunk in each cycle, and a line in each cycle.
//
// Interface: channels with valid and ready, but completions: they are always accepted, since the place of the data is
// allocated before the read leaves.  A request of a client is answered by beats up to one with is_last.  If a chunk
// fails, its beat has the error and no bytes, and the request's other chunks follow as they are.
//
// Operation: each client has a splitter and a reorder RAM of its own, so that none waits for another's data to be
// accepted.  A chunk leaves if its client has room, a tag is free, and the PCIe block has place for its completions;
// round robin over the clients, by chunk.
//
// Limits: completions of reads from before a reset must have ended before the reset does: their tags are free afterwards.
// Timeouts are found by the adapter, which ends the tag.
module qdma_read
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
#(
    parameter int CLIENTS = 2,
    parameter int TAGS = 256,
    parameter int LINES = 512,  // of each client's reorder RAM
    parameter int ENTRIES = 256,  // chunks of each client that are under way
    parameter int CREDIT_BITS = 10
) (
    input logic clk,
    input logic rst,

    input logic [            2:0] max_read_request,  // 128 << n bytes
    input logic [CREDIT_BITS-1:0] credit_limit,      // lines of completions that the PCIe block holds

    // Requests
    input  logic          [CLIENTS-1:0] request_valid,
    output logic          [CLIENTS-1:0] request_ready,
    input  read_request_t [CLIENTS-1:0] request,

    // Data, in order
    output logic       [CLIENTS-1:0] beat_valid,
    input  logic       [CLIENTS-1:0] beat_ready,
    output read_beat_t [CLIENTS-1:0] beat,
    output beat_t      [CLIENTS-1:0] beat_data,

    // Read TLPs, and their completions
    output logic        read_valid,
    input  logic        read_ready,
    output read_t       read,
    input  logic        completion_valid,
    input  completion_t completion,
    input  beat_t       completion_data,
    input  logic        completion_last,

    output read_stats_t  stats,
    output failed_read_t failed  // for a cycle
);
  logic [CLIENTS-1:0] chunk_valid, room, choice, grant;
  chunk_t [CLIENTS-1:0] chunk;
  entry_t [CLIENTS-1:0] entry;
  line_t [CLIENTS-1:0] line;
  line_write_t write;
  beat_t write_data;
  chunk_end_t chunk_end;
  tag_t look_tag;
  logic tag_valid, is_open, in_range, close, credit_ok, issue, unexpected;
  logic [$clog2(TAGS)-1:0] tag;

  for (genvar i = 0; i < CLIENTS; i++) begin : gen_clients
    qdma_read_split split (
        .clk,
        .rst,
        .max_read_request,
        .request_valid(request_valid[i]),
        .request_ready(request_ready[i]),
        .request      (request[i]),
        .chunk_valid  (chunk_valid[i]),
        .chunk_ready  (grant[i]),
        .chunk        (chunk[i])
    );

    qdma_reorder #(
        .CLIENT (client_t'(i)),
        .LINES  (LINES),
        .ENTRIES(ENTRIES)
    ) reorder (
        .clk,
        .rst,
        .room       (room[i]),
        .alloc      (grant[i]),
        .alloc_chunk(chunk[i]),
        .alloc_entry(entry[i]),
        .alloc_line (line[i]),
        .write,
        .write_data,
        .chunk_end,
        .beat_valid (beat_valid[i]),
        .beat_ready (beat_ready[i]),
        .beat       (beat[i]),
        .beat_data  (beat_data[i])
    );
  end

  // --- Which chunk leaves
  chunk_t  chosen;
  issued_t issued;
  qdma_arbiter #(
      .PORTS(CLIENTS)
  ) arbiter (
      .clk,
      .rst,
      .enable (tag_valid & credit_ok & (~read_valid | read_ready)),
      .request(chunk_valid & room),
      .choice,
      .grant
  );
  assign issue = |grant;
  always_comb begin
    chosen = '0;
    issued = '0;
    for (int i = 0; i < CLIENTS; i++) begin
      if (choice[i]) begin
        chosen |= chunk[i];
        issued.client |= client_t'(i);
        issued.entry |= entry[i];
        issued.line |= line[i];
      end
    end
    issued.addr  = chosen.addr[6:0];
    issued.bytes = chosen.bytes;
    issued.lines = chosen.lines;
  end

  // --- Its read TLP
  logic [1:0] last_byte;  // in the last dword
  logic [3:0] from_first, up_to_last;
  logic [10:0] dwords;
  assign last_byte  = chosen.addr[1:0] + chosen.bytes[1:0] - 2'd1;
  assign dwords     = 11'((13'(chosen.addr[1:0]) + 13'(chosen.bytes) + 13'd3) >> 2);
  assign from_first = 4'hF << chosen.addr[1:0];
  assign up_to_last = 4'hF >> (2'd3 - last_byte);

  always_ff @(posedge clk) begin
    if (read_ready) read_valid <= 1'b0;
    if (issue) begin
      read_valid <= 1'b1;
      read <= '{
          func: chosen.func,
          addr: {chosen.addr[63:2], 2'b0},
          dwords: dwords,
          first_be: dwords == 11'd1 ? from_first & up_to_last : from_first,
          last_be: dwords == 11'd1 ? '0 : up_to_last,
          tag: tag_t'(tag),
          default: '0
      };
    end
    if (rst) read_valid <= 1'b0;
  end

  qdma_tags #(
      .TAGS(TAGS)
  ) tags (
      .clk,
      .rst,
      .tag_valid,
      .tag,
      .take    (issue),
      .look_tag(look_tag[$clog2(TAGS)-1:0]),
      .is_open,
      .close   (close & in_range)
  );
  always_ff @(posedge clk) in_range <= 32'(look_tag) < TAGS;

  chunk_lines_t [CLIENTS-1:0] chunk_lines;
  always_comb for (int i = 0; i < CLIENTS; i++) chunk_lines[i] = chunk[i].lines;
  qdma_read_credit #(
      .BITS  (CREDIT_BITS),
      .TAKERS(CLIENTS)
  ) credit (
      .clk,
      .rst,
      .limit     (credit_limit),
      .ok        (credit_ok),
      .take      (grant),
      .take_lines(chunk_lines),
      .give      (chunk_end.valid),
      .give_lines(chunk_end.lines)
  );

  tag_t fail_tag;
  logic fails;
  read_error_e fail_error;
  qdma_read_track #(
      .TAGS(TAGS)
  ) track (
      .clk,
      .rst,
      .issue,
      .issue_tag(tag_t'(tag)),
      .issued,
      .completion_valid,
      .completion,
      .completion_data,
      .completion_last,
      .look_tag,
      .is_open  (is_open & in_range),
      .close,
      .write,
      .write_data,
      .chunk_end,
      .unexpected,
      .fail_tag,
      .fails,
      .fail_error
  );

  qdma_read_failed #(
      .TAGS(TAGS)
  ) failures (
      .clk,
      .rst,
      .issue,
      .issue_tag   (tag_t'(tag)),
      .issue_client(issued.client),
      .issued      (chosen),
      .end_tag     (fail_tag),
      .end_valid   (fails),
      .end_error   (fail_error),
      .failed
  );

  always_ff @(posedge clk) begin
    if (unexpected) stats.unexpected <= stats.unexpected + 1'b1;
    if (chunk_end.valid) stats.chunks[chunk_end.error] <= stats.chunks[chunk_end.error] + 1'b1;
    if (rst) stats <= '0;
  end
endmodule
