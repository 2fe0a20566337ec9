// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Round trip and retransmission timeout, RFC 6298, with a clock granularity of one tick.
// Latency: 5 cycles from age; 3 from sample.
module toe_tcp_timer
  import toe_pkg::*;
  import toe_tcp_pkg::*;
(
    input logic clk,

    input settings_t        settings,
    input context_t         c,
    input logic      [15:0] age,       // the sample
    input logic             sample,    // it counts
    input logic             syn_lost,  // 5.7: three times the initial value
    input ticks_t           now,
    input timer_e           timer,     // that is to be set

    output logic   [18:0] srtt,
    output logic   [17:0] rttvar,
    output logic   [15:0] rto,         // after an ACK of new data
    output logic   [15:0] rto_double,  // after a timeout
    output ticks_t        deadline
);
  logic [17:0] delta, apart;  // apart: of the sample and SRTT
  logic [18:0] mean;
  logic [17:0] initial_rto, sum;
  logic [23:0] wait_ticks, wanted;
  assign initial_rto = syn_lost ? {1'b0, settings.rto_initial, 1'b0} + 18'(settings.rto_initial)
                                : 18'(settings.rto_initial);
  always_comb begin
    case (timer)
      WAIT_TIMER: wanted = c.state == FIN_WAIT_2 ? 24'(settings.fin_wait) : 24'(settings.time_wait);
      IDLE_TIMER: wanted = c.retries == 0 ? settings.keepalive : 24'(c.rto);
      default:    wanted = 24'(c.rto);
    endcase
  end

  always_ff @(posedge clk) begin
    delta <= 18'(age) - 18'(c.srtt[18:3]);
    mean <= c.sampled ? c.srtt + {delta[17], delta} : {age, 3'b0};
    apart <= delta[17] ? -delta : delta;
    // Of a first sample the variance is half of it
    srtt <= sample ? mean : c.srtt;
    rttvar <= !sample ? c.rttvar : c.sampled ? c.rttvar - 18'(c.rttvar[17:2]) + apart : {1'b0, age, 1'b0};
    sum <= c.sampled | sample ? 18'(srtt[18:3]) + (rttvar == 0 ? 18'd1 : rttvar) : initial_rto;
    rto <= sum > 18'(settings.rto_max) ? settings.rto_max : sum < 18'(settings.rto_min) ? settings.rto_min : sum[15:0];

    rto_double <= c.rto >= {1'b0, settings.rto_max[15:1]} ? settings.rto_max : {c.rto[14:0], 1'b0};
    wait_ticks <= wanted;
    deadline <= now + ticks_t'(wait_ticks);
  end
endmodule
