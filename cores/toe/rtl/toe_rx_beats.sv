// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// FIFO of beats in block RAM, passed when it is empty.
// Latency: a beat that finds nothing before it is out in its own cycle, combinational; one that is written after others
// three cycles later.  With STORE_FORWARD a beat is out only when its segment is committed: the first one in the cycle
// after `commit`, and those of a dropped segment never.  rd_valid does not wait for rd_ready, and what is on offer stays.
//
// With STORE_FORWARD beats are fetched from the RAM before their segment is committed, into the registers after it, so
// that no read is left to do when it is; `drop` throws them away, too.
//
// Assumes: `free` beats are not exceeded.  commit and drop come with or after the last beat of their segment, and before
// the next one's.
module toe_rx_beats #(
    parameter int WIDTH = 68,
    parameter int DEPTH = 2048,  // a power of two
    parameter bit STORE_FORWARD = 1'b0
) (
    input logic clk,
    input logic rst,

    input logic             wr_valid,
    input logic [WIDTH-1:0] wr_data,
    input logic             commit,
    input logic             drop,

    output logic             rd_valid,
    output logic [WIDTH-1:0] rd_data,
    input  logic             rd_ready,

    output logic [$clog2(DEPTH):0] free  // beats, as they were a cycle ago
);
  if (DEPTH != 1 << $clog2(DEPTH) || DEPTH < 4) begin : gen_bad_depth
    $error("toe_rx_beats: DEPTH must be a power of two, 4 or more");
  end
  localparam int BITS = $clog2(DEPTH);

  // RAM, its output, and the beat on offer
  logic [BITS:0] wr_ptr_q, rd_ptr_q, wr_next, rd_next, commit_ptr_q;  // commit_ptr_q: after the last whole segment
  logic [WIDTH-1:0] ram_data, hold_q;
  logic ram_valid_q, hold_valid_q, quiet_q;  // quiet_q: nothing in the RAM nor at its output
  logic ram_spec_q, hold_spec_q, ahead_q;  // of the segment that is not committed; rd_ptr_q is beyond commit_ptr_q
  logic taken, pass, put, write, move, fetch, fetch_spec, ram_spec, hold_spec;

  assign taken = hold_valid_q & ~hold_spec_q & rd_ready;
  if (STORE_FORWARD) begin : gen_store
    assign rd_valid = hold_valid_q & ~hold_spec_q;
    assign rd_data  = hold_q;
    assign pass     = 1'b0;
    assign put      = quiet_q & (~hold_valid_q | taken);
  end else begin : gen_cut
    assign rd_valid = hold_valid_q | (quiet_q & wr_valid);
    assign rd_data  = hold_valid_q ? hold_q : wr_data;
    assign pass     = quiet_q & ~hold_valid_q & rd_ready;
    assign put      = quiet_q & (hold_valid_q ~^ rd_ready);
  end
  assign write      = wr_valid & ~pass & ~put;
  assign move       = ram_valid_q & (~hold_valid_q | taken);
  assign fetch      = (rd_ptr_q != wr_ptr_q) & (~ram_valid_q | move);
  assign fetch_spec = STORE_FORWARD & (ahead_q | (rd_ptr_q == commit_ptr_q));
  assign wr_next    = wr_ptr_q + (BITS + 1)'(write);
  assign rd_next    = rd_ptr_q + (BITS + 1)'(fetch);
  assign ram_spec   = fetch ? fetch_spec : ram_spec_q;
  assign hold_spec  = move ? ram_spec_q : (wr_valid & put) ? STORE_FORWARD : hold_spec_q;

  ram_sdp #(
      .WIDTH(WIDTH),
      .DEPTH(DEPTH)
  ) u_ram (
      .clk,
      .wr_en  (write),
      .wr_addr(wr_ptr_q[BITS-1:0]),
      .wr_data,
      .rd_en  (fetch),
      .rd_addr(rd_ptr_q[BITS-1:0]),
      .rd_data(ram_data)
  );

  always_ff @(posedge clk) begin
    wr_ptr_q     <= drop ? commit_ptr_q : wr_next;
    rd_ptr_q     <= drop & (ahead_q | (fetch & fetch_spec)) ? commit_ptr_q : rd_next;
    ram_valid_q  <= (fetch | (ram_valid_q & ~move)) & ~(drop & ram_spec);
    hold_valid_q <= (move | (wr_valid & put) | (hold_valid_q & ~taken)) & ~(drop & hold_spec);
    if (move || (wr_valid && put)) hold_q <= move ? ram_data : wr_data;
    ram_spec_q  <= ram_spec & ~commit;
    hold_spec_q <= hold_spec & ~commit;
    ahead_q     <= (ahead_q | (fetch & fetch_spec)) & ~commit & ~drop;
    if (commit) commit_ptr_q <= wr_next;
    quiet_q <= (wr_ptr_q == rd_ptr_q) & ~write & ~ram_valid_q;
    free    <= (BITS + 1)'(DEPTH) - (wr_ptr_q - rd_ptr_q);
    if (rst) begin
      wr_ptr_q     <= '0;
      rd_ptr_q     <= '0;
      commit_ptr_q <= '0;
      ram_valid_q  <= 1'b0;
      hold_valid_q <= 1'b0;
      hold_spec_q  <= 1'b0;
      ram_spec_q   <= 1'b0;
      ahead_q      <= 1'b0;
      quiet_q      <= 1'b0;
      free         <= '0;
    end
  end
endmodule
