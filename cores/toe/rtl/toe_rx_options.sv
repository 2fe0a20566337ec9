// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of a SYN: maximum segment size, window scale, timestamps and SACK-permitted (RFC 9293, 3.2; RFC 7323, 2.2 and 3.2;
// RFC 2018, 2).  The others are skipped.
// Latency: 1 cycle.
//
// An option whose length is below 2 ends the list, one that leads beyond the end is none, and one of these of another
// length than its own is skipped.  Of two the later one counts.  A scale above 14 is 14 (RFC 7323, 2.3).
module toe_rx_options
  import toe_pkg::*;
(
    input logic clk,
    input logic rst,

    // From toe_rx_option_bytes; the results hold when that is done
    input logic        start,
    input logic        octets_valid,
    input logic [15:0] octets,

    output logic        mss_on,
    output logic [15:0] mss,
    output logic        scale_on,
    output logic [ 3:0] scale,
    output logic        stamp_on,
    output logic [31:0] stamp,
    output logic [31:0] echo,
    output logic        sack_on
);
  typedef enum logic [1:0] {
    KIND,
    LENGTH,
    VALUE,
    OVER
  } phase_e;
  typedef struct packed {
    phase_e      phase;
    logic        is_mss;
    logic        is_scale;
    logic        is_stamp;
    logic        is_sack;
    logic [5:0]  left;      // bytes of the value that are to come
    logic [55:0] previous;  // bytes
    logic        mss_on;
    logic [15:0] mss;
    logic        scale_on;
    logic [3:0]  scale;
    logic        stamp_on;
    logic [63:0] stamps;
    logic        sack_on;
  } state_t;

  function automatic state_t step(input state_t now, input logic [7:0] octet);
    step          = now;
    step.previous = {now.previous[47:0], octet};
    case (now.phase)
      KIND: begin
        step.is_mss   = octet == 8'd2;
        step.is_scale = octet == 8'd3;
        step.is_stamp = octet == 8'd8;
        step.is_sack  = octet == 8'd4;
        if (octet == 8'd0) step.phase = OVER;
        else if (octet != 8'd1) step.phase = LENGTH;
      end
      LENGTH: begin
        step.left     = octet[5:0] - 6'd2;  // below 2: more than can come, as with 42 and above
        step.is_mss   = now.is_mss & (octet == 8'd4);
        step.is_scale = now.is_scale & (octet == 8'd3);
        step.is_stamp = now.is_stamp & (octet == 8'd10);
        if (octet[7:6] != 0) step.phase = OVER;
        else if (octet == 8'd2) begin
          step.phase   = KIND;
          step.sack_on = now.sack_on | now.is_sack;
        end else step.phase = VALUE;
      end
      VALUE: begin
        step.left = now.left - 1'b1;
        if (now.left == 6'd1) begin
          step.phase = KIND;
          if (now.is_mss) begin
            step.mss_on = 1'b1;
            step.mss    = {now.previous[7:0], octet};
          end
          if (now.is_scale) begin
            step.scale_on = 1'b1;
            step.scale    = octet > 8'd14 ? 4'd14 : octet[3:0];
          end
          if (now.is_stamp) begin
            step.stamp_on = 1'b1;
            step.stamps   = {now.previous, octet};
          end
        end
      end
      default: ;
    endcase
  endfunction

  state_t state_q;
  always_ff @(posedge clk) begin
    if (octets_valid) state_q <= step(step(state_q, octets[7:0]), octets[15:8]);
    if (start || rst) begin
      state_q.phase    <= KIND;
      state_q.mss_on   <= 1'b0;
      state_q.scale_on <= 1'b0;
      state_q.stamp_on <= 1'b0;
      state_q.sack_on  <= 1'b0;
    end
  end
  assign mss_on        = state_q.mss_on;
  assign mss           = state_q.mss;
  assign scale_on      = state_q.scale_on;
  assign scale         = state_q.scale;
  assign stamp_on      = state_q.stamp_on;
  assign {stamp, echo} = state_q.stamps;
  assign sack_on       = state_q.sack_on;
endmodule
