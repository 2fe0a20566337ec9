// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the receiver knows of its link: bit error ratio, link faults, test patterns.  It looks on and changes nothing.
// Latency: see macpcs_rx_ber, macpcs_rx_watchdog, macpcs_rx_fault, macpcs_prbs31_check and macpcs_idle_check; local_fault is a cycle later.
// There is local fault in reset, too: a transmitter that runs meanwhile must send nothing but remote fault.
module macpcs_rx_monitor
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32
) (
    input logic clk,
    input logic rst,

    input logic              test_prbs31,      // PRBS31 is received in place of blocks
    input logic              test_idle,        // idle blocks and nothing else are received
    input logic  [WIDTH-1:0] pma_data,
    input slot_t             slot,
    input logic              is_data,
    input logic              is_control,
    input logic  [WIDTH-1:0] word_q,
    input logic              lock,
    input logic              stat_bad_header,
    input logic              frame_right,      // a frame without code error and with a right FCS has ended

    output logic hi_ber,
    output logic watchdog,  // lock, but no partner: see macpcs_rx_watchdog
    output logic local_fault,
    output logic remote_fault,
    output logic link_up,
    output logic [$clog2(WIDTH):0] stat_pattern_errors  // bits or blocks in this cycle
);
  logic window_end;
  logic [1:0] header;
  assign header = {is_data, is_control};  // a wrong one is 00

  macpcs_rx_ber #(
      .WIDTH(WIDTH)
  ) u_ber (
      .clk,
      .rst,
      .lock,
      .stat_bad_header,
      .test_mode(test_prbs31 | test_idle),
      .hi_ber,
      .window_end
  );
  // With 16-bit words from a register, with the reset at a pin of it: it resets much.
  logic unfit, off;  // unfit: no block that comes is a sign of a partner
  assign unfit = ~lock | hi_ber | test_prbs31 | test_idle;
  if (WIDTH == 16) begin : gen_off_later
    always_ff @(posedge clk) begin
      off <= unfit;
      if (rst) off <= 1'b1;
    end
  end else begin : gen_off
    assign off = rst | unfit;
  end
  macpcs_rx_watchdog #(
      .WIDTH(WIDTH)
  ) u_watchdog (
      .clk,
      .off,
      .slot,
      .is_control,
      .word_q,
      .frame_right,
      .window_end,
      .expired(watchdog)
  );

  logic pcs_ok_q, fault_found, starting_q;  // starting_q: reset, and until what follows from it is found
  always_ff @(posedge clk) begin
    pcs_ok_q <= ~unfit & ~watchdog;
    if (rst) pcs_ok_q <= 1'b0;
  end
  macpcs_rx_fault #(
      .WIDTH(WIDTH)
  ) u_fault (
      .clk,
      .rst,
      .slot,
      .header,
      .pcs_ok(pcs_ok_q),
      .word_q,
      .local_fault(fault_found),
      .remote_fault,
      .rx_link_ok(link_up)
  );

  always_ff @(posedge clk) begin
    starting_q  <= rst | (starting_q & ~fault_found);
    local_fault <= rst | starting_q | fault_found;
  end

  logic [$clog2(WIDTH):0] bit_errors;
  logic block_error;
  macpcs_prbs31_check #(
      .WIDTH(WIDTH)
  ) u_prbs31 (
      .clk,
      .enable(test_prbs31),
      .data  (pma_data),
      .errors(bit_errors)
  );
  macpcs_idle_check #(
      .WIDTH(WIDTH)
  ) u_idle (
      .clk,
      .rst,
      .test_mode(test_idle),
      .lock,
      .slot,
      .header,
      .word_q,
      .error(block_error)
  );
  always_ff @(posedge clk) stat_pattern_errors <= test_prbs31 ? bit_errors : {{$clog2(WIDTH) {1'b0}}, block_error};
endmodule
