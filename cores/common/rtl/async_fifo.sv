// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// FIFO between two unrelated clocks, with Gray-coded pointers and a distributed RAM.  It holds DEPTH words.
//
// Latency: a word taken at an edge of wr_clk is on rd_data with rd_valid after the SYNC_STAGES-th edge of rd_clk that
// follows; room made at an edge of rd_clk shows as wr_ready after SYNC_STAGES + 1 edges of wr_clk.  (One edge later where
// the change falls into the setup window.)  rd_valid and rd_data do not wait for rd_ready, and stay until it takes them.
// Depth for full rate with equal clocks: a place is in use for 2 SYNC_STAGES + 3 cycles, so DEPTH = 8.
//
// Logic levels (LUT6, open mapper): rd_valid two after registers up to DEPTH 16, rd_data one, wr_ready is a register;
// no path between its registers has more than three.
//
// Resets: wr_rst or rd_rst, even for one cycle and whatever the clocks, empties the FIFO and puts both sides into reset
// (cdc_reset).  wr_reset and rd_reset say that a side is in it; then wr_ready or rd_valid is low.
//   wr_rst  words taken before may still be read until rd_reset rises; those then left are dropped
//   rd_rst  words taken before, and until wr_reset has risen and fallen, are dropped
// No word is damaged or repeated by a reset: the write pointer goes back to 0 only when the reader is known to be in
// reset.  The reader leaves first, so that it sees all that is written after the writer has left.
// After configuration both sides begin in reset.
//
// Constraints: those of cdc_bits for its Gray codes.  From the RAM to rd_data's readers a maximum delay of SYNC_STAGES
// periods of rd_clk less the RAM's clock-to-output: what is read was written that long ago.
module async_fifo #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 8,
    parameter int SYNC_STAGES = 2
) (
    input  logic             wr_clk,
    input  logic             wr_rst,
    output logic             wr_reset,
    input  logic [WIDTH-1:0] wr_data,
    input  logic             wr_valid,
    output logic             wr_ready = 1'b0,

    input  logic             rd_clk,
    input  logic             rd_rst,
    output logic             rd_reset,
    output logic [WIDTH-1:0] rd_data,
    output logic             rd_valid,
    input  logic             rd_ready
);
  if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) begin : gen_bad_depth
    $error("async_fifo: DEPTH must be a power of two, at least 4");
  end
  if (SYNC_STAGES < 2) begin : gen_bad_stages
    $error("async_fifo: SYNC_STAGES must be at least 2");
  end

  localparam int ADDR_WIDTH = $clog2(DEPTH);
  typedef logic [ADDR_WIDTH:0] ptr_t;  // counts words modulo 2 DEPTH

  function automatic ptr_t gray(input ptr_t count);
    return count ^ (count >> 1);
  endfunction

  // count + 1, without the carry chain that an adder would become: one LUT a bit up to DEPTH 32.
  function automatic ptr_t after(input ptr_t count);
    ptr_t r;
    for (int i = 0; i <= ADDR_WIDTH; i++) r[i] = count[i] ^ (&(count | (ptr_t'('1) << i)));
    return r;
  endfunction

  // a != b, three bits at a time: so a mapper to LUT6 sees the two levels.
  function automatic logic differ(input ptr_t a, input ptr_t b);
    logic [ADDR_WIDTH+3:0] x;
    logic r;
    x = (ADDR_WIDTH + 4)'(a ^ b);
    r = 1'b0;
    for (int i = 0; i <= ADDR_WIDTH; i += 3) r |= |x[i+:3];
    return r;
  endfunction

  // A full FIFO's pointers are DEPTH apart: in Gray code that inverts the upper two bits.
  localparam ptr_t FULL = ptr_t'(3) << (ADDR_WIDTH - 1);

  logic wr_reset_next, wr_both, rd_reset_next;
  cdc_reset #(
      .STAGES(SYNC_STAGES)
  ) resets (
      .a_clk       (wr_clk),
      .a_rst       (wr_rst),
      .a_reset     (wr_reset),
      .a_reset_next(wr_reset_next),
      .a_both      (wr_both),
      .b_clk       (rd_clk),
      .b_rst       (rd_rst),
      .b_reset     (rd_reset),
      .b_reset_next(rd_reset_next)
  );

  (* ram_style = "distributed", ramstyle = "MLAB, no_rw_check" *) logic [WIDTH-1:0] ram[DEPTH];

  ptr_t wr_gray, rd_gray;  // these cross

  // --- Writer
  ptr_t wr_ptr_q = '0;
  ptr_t wr_gray_next_q = ptr_t'(1);  // Gray code of wr_ptr_q + 1, in a register so that wr_ready's logic has two levels
  ptr_t wr_rd_gray;  // the reader's pointer as seen here
  logic wr_en;

  assign wr_en = wr_valid & wr_ready;

  always_ff @(posedge wr_clk) begin
    // A writer that is ready has room for one word at least, and only a word of its own can take that.
    wr_ready <= wr_ready ? ~wr_valid | differ(wr_gray_next_q, wr_rd_gray ^ FULL) : differ(wr_gray, wr_rd_gray ^ FULL);
    if (wr_reset_next) wr_ready <= 1'b0;

    if (wr_en) begin
      ram[wr_ptr_q[ADDR_WIDTH-1:0]] <= wr_data;
      wr_ptr_q                      <= after(wr_ptr_q);
      wr_gray_next_q                <= gray(after(after(wr_ptr_q)));
    end
    if (wr_both) begin
      wr_ptr_q       <= '0;
      wr_gray_next_q <= ptr_t'(1);
    end
  end

  cdc_source #(
      .WIDTH(ADDR_WIDTH + 1)
  ) wr_gray_source (
      .clk(wr_clk),
      .rst(wr_both),
      .en (wr_en),
      .d  (wr_gray_next_q),
      .q  (wr_gray)
  );
  cdc_bits #(
      .WIDTH (ADDR_WIDTH + 1),
      .STAGES(SYNC_STAGES)
  ) to_writer (
      .clk(wr_clk),
      .rst(wr_reset_next),
      .d  (rd_gray),
      .q  (wr_rd_gray)
  );

  // --- Reader
  ptr_t rd_ptr;
  logic [ADDR_WIDTH-1:0] rd_addr_q = '0;
  ptr_t rd_wr_gray;  // the writer's pointer as seen here
  logic rd_en;

  assign rd_valid = differ(rd_wr_gray, rd_gray);
  assign rd_data  = ram[rd_addr_q];
  assign rd_en    = rd_valid & rd_ready;
  assign rd_ptr   = {rd_gray[ADDR_WIDTH], rd_addr_q};  // a register for it would be one more with this bit

  always_ff @(posedge rd_clk) begin
    if (rd_en) rd_addr_q <= ADDR_WIDTH'(after(rd_ptr));
    if (rd_reset_next) rd_addr_q <= '0;
  end

  cdc_source #(
      .WIDTH(ADDR_WIDTH + 1)
  ) rd_gray_source (
      .clk(rd_clk),
      .rst(rd_reset_next),
      .en (rd_en),
      .d  (gray(after(rd_ptr))),
      .q  (rd_gray)
  );
  cdc_bits #(
      .WIDTH (ADDR_WIDTH + 1),
      .STAGES(SYNC_STAGES)
  ) to_reader (
      .clk(rd_clk),
      .rst(rd_reset_next),
      .d  (wr_gray),
      .q  (rd_wr_gray)
  );
endmodule
