// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_rx_beats, for any user and any writer who keeps to `free`: a beat on offer stays until it is taken, whatever is
// written, committed or dropped beside it; the RAM never overflows; what has been written (store and forward: and
// committed) is inside until it is taken, in number, and what was dropped is not.  Their order is left to simulation.
module rx_beats_offer #(
    parameter bit STORE_FORWARD = 1'b0,
    parameter bit INVARIANTS = 1'b1
) (
    input logic clk,
    input logic wr_valid,
    input logic [1:0] wr_data,
    input logic commit,
    input logic drop,
    input logic rd_ready
);
  localparam int DEPTH = 4;
  logic rst_q = 1'b1, offered_q = 1'b0;
  always_ff @(posedge clk) rst_q <= 1'b0;

  logic rd_valid;
  logic [1:0] rd_data, data_q;
  logic [2:0] free, used, whole, open, over;
  toe_rx_beats #(
      .WIDTH(2),
      .DEPTH(DEPTH),
      .STORE_FORWARD(STORE_FORWARD)
  ) dut (
      .rst(rst_q),
      .*
  );
  assign used  = dut.wr_ptr_q - dut.rd_ptr_q;
  assign whole = dut.commit_ptr_q - dut.rd_ptr_q;
  assign open  = dut.wr_ptr_q - dut.commit_ptr_q;
  assign over  = dut.rd_ptr_q - dut.commit_ptr_q;

  // What should be inside: of whole segments, and of the one that is under way.  In cut-through all is whole.
  logic [3:0] whole_q, open_q, more;
  assign more = open_q + 4'(wr_valid);
  always_ff @(posedge clk) begin
    offered_q <= rd_valid & ~rd_ready & ~rst_q;
    data_q    <= rd_data;
    if (STORE_FORWARD) begin
      whole_q <= whole_q + (commit ? more : 4'd0) - 4'(rd_valid & rd_ready);
      open_q  <= commit | drop ? 4'd0 : more;
    end else whole_q <= whole_q + 4'(wr_valid) - 4'(rd_valid & rd_ready);
    if (rst_q) begin
      whole_q <= 4'd0;
      open_q  <= 4'd0;
    end
  end

  logic [3:0] behind_ram, spec;  // in the registers behind the RAM
  assign behind_ram = 4'(dut.ram_valid_q) + 4'(dut.hold_valid_q);
  assign spec = 4'(dut.ram_valid_q & dut.ram_spec_q) + 4'(dut.hold_valid_q & dut.hold_spec_q);
  always_comb begin
    if (!rst_q) begin
      assume (!wr_valid || used < 3'(DEPTH));
      assume (STORE_FORWARD ? !commit || !drop : !commit && !drop);
      assert (used <= 3'(DEPTH));
      if (offered_q) assert (rd_valid && rd_data == data_q);
      if (whole_q == 0 && (STORE_FORWARD || !wr_valid)) assert (!rd_valid);
      if (!STORE_FORWARD)
        assert (whole_q == behind_ram + 4'(used));
        else begin
          assert (whole_q == behind_ram - spec + (dut.ahead_q ? 4'd0 : 4'(whole)));
          assert (open_q == spec + (dut.ahead_q ? 4'(used) : 4'(open)));
        end
      if (INVARIANTS) begin
        if (dut.quiet_q) assert (used == 0 && !dut.ram_valid_q);
        if (offered_q) assert (dut.hold_valid_q && !dut.hold_spec_q && dut.hold_q == data_q);
        if (!STORE_FORWARD)
          assert (!dut.hold_spec_q && !dut.ram_spec_q && !dut.ahead_q);
          else begin
            // The one behind is not committed before the one in front, and nothing is beyond them.
            if (dut.ram_valid_q && dut.hold_valid_q && dut.hold_spec_q) assert (dut.ram_spec_q);
            if (spec != 0) assert (whole == 0 || dut.ahead_q);
            if (dut.ram_valid_q && dut.ram_spec_q) assert (dut.ahead_q);
            if (dut.ahead_q)
              assert (over != 0 && 4'(over) <= spec);
              else assert (4'(whole) + 4'(open) == 4'(used));
          end
      end
    end
  end
endmodule
