// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The data of payload writes: takes the bytes of a step from the packet's beats, and puts them where its TLP has them.
//
// Latency: 2 cycles from a step to the write beat, which is held until it is accepted.  A beat in each cycle.
//
// Operation: a beat of a TLP has bytes of the beat of the packet that was popped last, and of the first one that waits.  Lanes
// are chosen, then rotated: by 0 to 3 bytes; then by 0, 4, 8, 12 and by 0, 16, 32, 48.
//
// The register to the channel is two deep: whether the channel accepts is known late, and reaches the steps a cycle later.
//
// sent is high in the cycle in which the last write of a packet is accepted, or would be, if there is none.
module qdma_c2h_rotate
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_write_pkg::*;
  import qdma_c2h_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic      step_valid,
    output logic      go,
    input  c2h_step_t step,
    input  logic      pop,
    input  beat_t     head,        // the first beat that waits

    output logic is_idle,
    output logic sent,

    // Whether a beat of this queue is on its way
    input  index_t look_qid,
    output logic   look_found,

    output logic        write_valid,
    input  logic        write_ready,
    output write_beat_t write
);
  localparam int BYTES = BEAT_BITS / 8;

  function automatic beat_t rotated(input beat_t from, input logic [1:0] by, input int unit);
    beat_t result;
    for (int i = 0; i < BYTES; i++) begin
      case (by)
        2'd0: result[8*i+:8] = from[8*i+:8];
        2'd1: result[8*i+:8] = from[8*((i+unit)%BYTES)+:8];
        2'd2: result[8*i+:8] = from[8*((i+2*unit)%BYTES)+:8];
        default: result[8*i+:8] = from[8*((i+3*unit)%BYTES)+:8];
      endcase
    end
    return result;
  endfunction

  beat_t previous_q, lanes, data_1_q;
  logic [BYTES-1:0]
      from_previous, beyond;  // beyond: lanes from `rotate` on; of a comparison a mapper makes carry chains
  always_comb begin
    beyond        = '1 << step.rotate;
    from_previous = step.has_previous ? beyond | {BYTES{step.only_previous}} : '0;
    for (int i = 0; i < BYTES; i++) lanes[8*i+:8] = from_previous[i] ? previous_q[8*i+:8] : head[8*i+:8];
  end

  // --- The header of the TLP
  logic valid_1_q;
  c2h_step_t step_1_q;
  logic [1:0] last_byte;  // in the last dword
  logic [3:0] from_first, up_to_last;
  logic [10:0] dwords;
  posted_t header, header_q;
  assign last_byte  = step_1_q.addr[1:0] + step_1_q.bytes[1:0] - 2'd1;
  assign dwords     = 11'((13'(step_1_q.addr[1:0]) + 13'(step_1_q.bytes) + 13'd3) >> 2);
  assign from_first = 4'hF << step_1_q.addr[1:0];
  assign up_to_last = 4'hF >> (2'd3 - last_byte);

  always_comb begin
    header = header_q;
    if (step_1_q.is_first) begin
      header = '{
          func: step_1_q.func,
          addr: {step_1_q.addr[63:2], 2'b0},
          dwords: dwords,
          first_be: dwords == 11'd1 ? from_first & up_to_last : from_first,
          last_be: dwords == 11'd1 ? '0 : up_to_last,
          tc: '0,
          attr: '0
      };
    end
  end

  // --- To the channel
  typedef struct packed {
    logic has_beat;
    logic is_packet_end;
    index_t qid;
    write_beat_t write;
  } made_t;
  made_t made, shown;
  logic shown_valid, shown_ready;
  index_t last_qid_q;  // that was put in last
  assign made = '{
          has_beat: step_1_q.has_beat,
          is_packet_end: step_1_q.is_packet_end,
          qid: step_1_q.qid,
          write: '{
              last: step_1_q.is_end,
              header: header,
              data: rotated(rotated(data_1_q, step_1_q.rotate[3:2], 4), step_1_q.rotate[5:4], 16)
          }
      };
  axis_register #(
      .WIDTH($bits(made_t))
  ) out (
      .clk,
      .rst,
      .s_data (made),
      .s_valid(valid_1_q),
      .s_ready(go),
      .m_data (shown),
      .m_valid(shown_valid),
      .m_ready(shown_ready)
  );
  assign write = shown.write;
  assign write_valid = shown_valid & shown.has_beat;
  assign shown_ready = ~shown.has_beat | write_ready;
  assign is_idle = ~valid_1_q & ~write_valid;
  assign sent = shown_valid & shown.is_packet_end & shown_ready;
  assign look_found  = (valid_1_q & (step_1_q.qid == look_qid))
                       | (write_valid & ((shown.qid == look_qid) | (last_qid_q == look_qid)));

  always_ff @(posedge clk) begin
    if (pop) previous_q <= head;
    if (go) begin
      valid_1_q <= step_valid;
      step_1_q  <= step;
      data_1_q  <= rotated(lanes, step.rotate[1:0], 1);
      header_q  <= header;
      if (valid_1_q) last_qid_q <= step_1_q.qid;
    end
    if (rst) valid_1_q <= 1'b0;
  end

  logic unused;
  assign unused = &{1'b0, step_1_q};
endmodule
