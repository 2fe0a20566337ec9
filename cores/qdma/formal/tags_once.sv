// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_tags, for any takes and closes, of any tags, and resets at any time.  No assumption.
//   - the tag that is provided is not open, and one that is taken is open until it is closed
//   - each tag is either open, provided, or waits for its turn, exactly once: none is lost or there twice
//   - a tag is provided 2 cycles after one is not open: what is closed comes back
module tags_once #(
    parameter bit INVARIANTS = 1'b1,
    parameter int TAGS = 4
) (
    input logic                    clk,       // there is an edge in this step
    input logic                    rst,
    input logic                    take,
    input logic [$clog2(TAGS)-1:0] look_tag,
    input logic                    close
);
  localparam int BITS = $clog2(TAGS);
  typedef logic [BITS-1:0] tag_t;

  logic tag_valid, is_open;
  tag_t tag;
  qdma_tags #(.TAGS(TAGS)) dut (.*);

  // --- Reference: the tags that are open
  logic [TAGS-1:0] used_q;
  logic [1:0] dry_q;  // cycles without a tag while one is not open
  logic reset_q;
  tag_t looked_q;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q  <= 1'b1;
    looked_q <= look_tag;
    if (close) used_q[looked_q] <= 1'b0;
    if (take && tag_valid) used_q[tag] <= 1'b1;
    dry_q <= tag_valid || used_q == '1 ? '0 : dry_q + 1'b1;
    if (rst) begin
      used_q <= '0;
      dry_q  <= '0;
    end
  end

  logic [BITS:0] queued;
  assign queued = dut.wr_ptr_q - dut.rd_ptr_q;

  // How often a tag is provided, fresh, or in the queue
  function automatic logic [BITS+1:0] places(input tag_t t);
    logic [BITS+1:0] count;
    count = (BITS + 2)'(used_q[t]) + (BITS + 2)'(tag_valid && tag == t) + (BITS + 2)'((BITS + 1)'(t) >= dut.fresh_q);
    for (int i = 0; i < TAGS; i++) begin
      if ((BITS + 1)'(tag_t'(tag_t'(i) - dut.rd_ptr_q[BITS-1:0])) < queued && dut.queue[i] == t) count = count + 1'b1;
    end
    return count;
  endfunction

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      // --- The claim
      if (tag_valid) assert (!used_q[tag]);
      assert (is_open == used_q[looked_q]);
      assert (dry_q < 2'd2);
      for (int t = 0; t < TAGS; t++) assert (places(tag_t'(t)) == (BITS + 2)'(1));

      if (INVARIANTS) begin
        assert (dut.looked_q == looked_q && dut.open_q == used_q);
        assert (queued <= (BITS + 1)'(TAGS) && dut.fresh_q <= (BITS + 1)'(TAGS));
        if (dry_q != '0) assert (tag_valid);
      end
    end
  end
endmodule
