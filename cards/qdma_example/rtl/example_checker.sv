// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds packets of H2C against the pattern.
//
// Latency: 3 cycles from a packet's last beat to match and count.
//
// Interface: beats as they are accepted, without pauses for their own sake; bytes are 0 to 64.  clear: what has come so far is
// forgotten, but for a packet that is under way, of which the rest counts.
//
// Operation: a packet that begins with 0 begins the pattern, another one goes on after the last one.  So a transfer that a
// driver cuts into packets matches, and each transfer may begin again.
module example_checker
  import example_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic clear,

    input logic         valid,
    input logic [511:0] data,
    input logic [  6:0] bytes,
    input logic         last,
    input logic         is_error,
    input logic [ 10:0] beat_qid,

    output logic        match,
    output logic [10:0] qid,
    output logic [31:0] packets
);
  // --- A beat and the number that it begins with
  logic is_first_q, begins_again;
  logic [15:0] next_q, first, first_q;
  logic valid_q, last_q, error_q;
  logic [511:0] data_q;
  logic [  6:0] bytes_q;
  logic [ 10:0] qid_q;
  logic [  6:0] numbers;  // of the beat, a half one with them
  // Half a number may be 0 or go on: it goes on if it can.
  always_comb begin
    case (bytes)
      7'd0:    begins_again = 1'b0;
      7'd1:    begins_again = is_first_q & (data[7:0] == '0) & (next_q[7:0] != '0);
      default: begins_again = is_first_q & (data[15:0] == '0);
    endcase
  end
  assign first   = begins_again ? '0 : next_q;
  assign numbers = 7'(bytes + 7'd1) >> 1;
  always_ff @(posedge clk) begin
    valid_q <= valid;
    last_q  <= last;
    error_q <= is_error;
    data_q  <= data;
    bytes_q <= bytes;
    qid_q   <= beat_qid;
    first_q <= first;
    if (valid) begin
      is_first_q <= last;
      next_q     <= first + 16'(numbers);
    end
    if (clear) next_q <= '0;
    if (rst) begin
      valid_q    <= 1'b0;
      is_first_q <= 1'b1;
      next_q     <= '0;
    end
  end

  // --- Its bytes
  logic [511:0] wanted;
  logic [ 63:0] wrong_q;
  logic valid_2_q, last_2_q, error_2_q;
  logic [10:0] qid_2_q;
  assign wanted = pattern(first_q);
  always_ff @(posedge clk) begin
    valid_2_q <= valid_q;
    last_2_q  <= last_q;
    error_2_q <= error_q & last_q;
    qid_2_q   <= qid_q;
    for (int i = 0; i < 64; i++) wrong_q[i] <= (7'(i) < bytes_q) & (data_q[8*i+:8] != wanted[8*i+:8]);
    if (rst) valid_2_q <= 1'b0;
  end

  logic is_good_q;
  assign match = is_good_q & (packets != '0);
  always_ff @(posedge clk) begin
    if (clear) begin
      is_good_q <= 1'b1;
      packets   <= '0;
    end
    if (valid_2_q) begin
      if (wrong_q != '0 || error_2_q) is_good_q <= 1'b0;
      if (last_2_q) begin
        packets <= clear ? 32'd1 : packets + 1'b1;
        qid     <= qid_2_q;
      end
    end
    if (rst) begin
      is_good_q <= 1'b1;
      packets   <= '0;
      qid       <= '0;
    end
  end
endmodule
