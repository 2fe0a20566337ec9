// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Block RAM as an AXI4 slave, 512 bits: the memory of memory-mapped transfers.
//
// Latency: RVALID 3 cycles after AR, BVALID 1 cycle after the last beat of W.
//
// Interface: a beat in each cycle of both directions, also from burst to burst, while R and B are accepted.  Bursts increase,
// beats have 64 bytes, and a burst does not cross 4 KiB; so is what qdma makes.  W waits for its AW.  A burst from BYTES on is
// answered with DECERR and reads as 0.  A read that is served while a write to the same bytes is has the old ones.
//
// After configuration all bytes are 0; a reset keeps them.
module example_ram #(
    parameter int BYTES = 524288  // a power of two, at least 4096
) (
    input logic clk,
    input logic rst,

    input  logic [ 63:0] s_axi_awaddr,
    input  logic [  3:0] s_axi_awid,
    input  logic [  7:0] s_axi_awlen,
    input  logic         s_axi_awvalid,
    output logic         s_axi_awready,
    input  logic [511:0] s_axi_wdata,
    input  logic [ 63:0] s_axi_wstrb,
    input  logic         s_axi_wlast,
    input  logic         s_axi_wvalid,
    output logic         s_axi_wready,
    output logic [  3:0] s_axi_bid,
    output logic [  1:0] s_axi_bresp,
    output logic         s_axi_bvalid,
    input  logic         s_axi_bready,
    input  logic [ 63:0] s_axi_araddr,
    input  logic [  3:0] s_axi_arid,
    input  logic [  7:0] s_axi_arlen,
    input  logic         s_axi_arvalid,
    output logic         s_axi_arready,
    output logic [  3:0] s_axi_rid,
    output logic [511:0] s_axi_rdata,
    output logic [  1:0] s_axi_rresp,
    output logic         s_axi_rlast,
    output logic         s_axi_rvalid,
    input  logic         s_axi_rready
);
  localparam int LINES = BYTES / 64;
  localparam int LINE_BITS = $clog2(LINES);
  localparam logic [1:0] DECERR = 2'b11;
  typedef logic [LINE_BITS-1:0] line_t;
  typedef struct packed {
    logic [3:0] id;
    logic is_beyond;
    line_t line;
    logic [7:0] len;
  } burst_t;

  // --- Writes: the burst whose beats come, and the next one
  burst_t aw, ar;
  logic aw_valid, writes;
  line_t wr_line;
  logic [2:0] writes_waiting, reads_waiting;
  logic [5:0] wr_beat_q;
  qdma_small_fifo #(
      .WIDTH($bits(burst_t)),
      .DEPTH(4)
  ) write_bursts (
      .clk,
      .rst,
      .wr_valid(s_axi_awvalid),
      .wr_ready(s_axi_awready),
      .wr_data ({s_axi_awid, |s_axi_awaddr[63:LINE_BITS+6], s_axi_awaddr[6+:LINE_BITS], s_axi_awlen}),
      .rd_valid(aw_valid),
      .rd_ready(writes & s_axi_wlast),
      .rd_data (aw),
      .used    (writes_waiting)
  );
  assign s_axi_wready = aw_valid & (~s_axi_bvalid | s_axi_bready);
  assign writes       = s_axi_wvalid & s_axi_wready;
  assign wr_line      = aw.line + line_t'(wr_beat_q);
  always_ff @(posedge clk) begin
    if (writes) wr_beat_q <= s_axi_wlast ? '0 : wr_beat_q + 1'b1;
    s_axi_bvalid <= (writes & s_axi_wlast) | (s_axi_bvalid & ~s_axi_bready);
    if (writes) begin
      s_axi_bid   <= aw.id;
      s_axi_bresp <= aw.is_beyond ? DECERR : '0;
    end
    if (rst) begin
      wr_beat_q    <= '0;
      s_axi_bvalid <= 1'b0;
    end
  end

  // --- Reads: address, RAM, output register
  logic ar_valid, reads, moves, ends, read_valid_q, read_last_q, read_beyond_q;
  logic [5:0] rd_beat_q;
  logic [3:0] read_id_q;
  logic [511:0] word_q;
  line_t rd_line;
  qdma_small_fifo #(
      .WIDTH($bits(burst_t)),
      .DEPTH(4)
  ) read_bursts (
      .clk,
      .rst,
      .wr_valid(s_axi_arvalid),
      .wr_ready(s_axi_arready),
      .wr_data ({s_axi_arid, |s_axi_araddr[63:LINE_BITS+6], s_axi_araddr[6+:LINE_BITS], s_axi_arlen}),
      .rd_valid(ar_valid),
      .rd_ready(moves & ends),
      .rd_data (ar),
      .used    (reads_waiting)
  );
  assign moves   = ~s_axi_rvalid | s_axi_rready;
  assign reads   = moves & ar_valid;
  assign ends    = 8'(rd_beat_q) == ar.len;
  assign rd_line = ar.line + line_t'(rd_beat_q);
  always_ff @(posedge clk) begin
    if (reads) rd_beat_q <= ends ? '0 : rd_beat_q + 1'b1;
    if (moves) begin
      read_valid_q  <= ar_valid;
      read_last_q   <= ends;
      read_beyond_q <= ar.is_beyond;
      read_id_q     <= ar.id;
      s_axi_rvalid  <= read_valid_q;
      s_axi_rlast   <= read_last_q;
      s_axi_rid     <= read_id_q;
      s_axi_rresp   <= read_beyond_q ? DECERR : '0;
      s_axi_rdata   <= read_beyond_q ? '0 : word_q;
    end
    if (rst) begin
      rd_beat_q    <= '0;
      read_valid_q <= 1'b0;
      s_axi_rvalid <= 1'b0;
    end
  end

  // --- Memory
`ifdef VERILATOR
  // Of a pattern Verilator makes lines of C++ for each word (../../../cores/common/rtl/ram_sdp.sv).
  logic [511:0] ram[LINES];
  initial for (int i = 0; i < LINES; i++) ram[i] = '0;
`else
  (* ram_style = "block" *) logic [511:0] ram[LINES] = '{default: '0};
`endif
  always_ff @(posedge clk) begin
    if (writes && !aw.is_beyond) begin
      for (int i = 0; i < 64; i++) if (s_axi_wstrb[i]) ram[wr_line][8*i+:8] <= s_axi_wdata[8*i+:8];
    end
    if (reads) word_q <= ram[rd_line];
  end

  logic unused;
  assign unused = &{1'b0, s_axi_awaddr[5:0], s_axi_araddr[5:0], aw.len, writes_waiting, reads_waiting};
endmodule
