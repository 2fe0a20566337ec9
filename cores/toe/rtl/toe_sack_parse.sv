// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The blocks of a received segment's SACK option (RFC 2018, 3), wherever it stands among the options.
// Latency: 1 cycle, of a block 2.
//
// An option whose length is below 2 or above 40 ends the list, one that leads beyond the end is none.  A SACK option has 1 to 4
// whole blocks, or is none.  Of two the first counts.
module toe_sack_parse
  import toe_pkg::*;
(
    input logic clk,
    input logic rst,

    // From toe_rx_option_bytes
    input logic        start,
    input logic        octets_valid,
    input logic [15:0] octets,

    output logic busy,  // a block is on its way; the results hold when it is not and toe_rx_option_bytes is done
    output logic [2:0] count,
    output block_t [3:0] blocks
);
  typedef enum logic [1:0] {
    KIND,
    LENGTH,
    VALUE,
    OVER
  } phase_e;
  typedef struct packed {
    phase_e      phase;
    logic        is_sack;
    logic [5:0]  left;      // bytes of the value that are to come
    logic [2:0]  at;        // bytes of a block that have come
    logic [2:0]  found;     // blocks of this option
    logic [2:0]  count;     // of one that is whole
    logic [55:0] previous;  // bytes
    logic        put;       // a block is whole
    logic [63:0] block;
  } state_t;

  function automatic state_t step(input state_t now, input logic [7:0] octet);
    step          = now;
    step.previous = {now.previous[47:0], octet};
    case (now.phase)
      KIND: begin
        step.is_sack = octet == 8'd5 && now.count == 0;
        if (octet == 8'd0) step.phase = OVER;
        else if (octet != 8'd1) step.phase = LENGTH;
      end
      LENGTH: begin
        step.left    = octet[5:0] - 6'd2;
        step.is_sack = now.is_sack && (octet inside {8'd10, 8'd18, 8'd26, 8'd34});
        step.at      = '0;
        step.found   = '0;
        if (octet < 8'd2 || octet > 8'd40) step.phase = OVER;
        else if (octet == 8'd2) step.phase = KIND;
        else step.phase = VALUE;
      end
      VALUE: begin
        step.left = now.left - 1'b1;
        step.at   = now.at + 1'b1;
        if (now.is_sack && now.at == 3'd7) begin
          step.put   = 1'b1;
          step.block = {now.previous, octet};
          step.found = now.found + 1'b1;
        end
        if (now.left == 6'd1) begin
          step.phase = KIND;
          if (now.is_sack) step.count = step.found;
        end
      end
      default: ;
    endcase
  endfunction

  state_t state_q, next;
  assign busy = state_q.put;
  always_comb begin
    next     = state_q;
    next.put = 1'b0;
    if (octets_valid) next = step(step(next, octets[7:0]), octets[15:8]);
  end
  always_ff @(posedge clk) begin
    state_q <= next;
    if (state_q.put) blocks[2'(state_q.found-3'd1)] <= state_q.block;
    if (start || rst) begin
      state_q.phase <= KIND;
      state_q.count <= '0;
      state_q.put   <= 1'b0;
    end
  end
  assign count = state_q.count;
endmodule
