// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's side of the DMA in the example design: registers of the user BAR, generator, checker, and the loop.
//
// Interface: the ports are those that qdma has for its user, by the same names.  moves: a packet is asked for or sent, an
// interrupt is not answered, or latency is measured; a simulation may not stop the clock.
//
// Limits: ../README.md.
module example_user
  import example_pkg::*;
#(
    parameter int QUEUES     = 2048,
    parameter int LOOP_BEATS = 512
) (
    input logic clk,
    input logic rst,
    output logic moves,
    output logic bypass_loops,  // descriptors go back
    output logic bypass_loops_c2h,  // those of streaming C2H

    input  logic [31:0] s_axil_awaddr,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [31:0] s_axil_araddr,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    input  logic         s_axis_h2c_tvalid,
    output logic         s_axis_h2c_tready,
    input  logic [511:0] s_axis_h2c_tdata,
    input  logic         s_axis_h2c_tlast,
    input  logic [ 10:0] s_axis_h2c_tuser_qid,
    input  logic [  5:0] s_axis_h2c_tuser_mty,
    input  logic         s_axis_h2c_tuser_zero_byte,
    input  logic         s_axis_h2c_tuser_err,

    output logic        c2h_ask_valid,
    input  logic        c2h_ask_ready,
    output logic [10:0] c2h_ask_qid,
    output logic [15:0] c2h_ask_len,
    output logic        c2h_ask_has_cmpt,
    output logic        c2h_ask_marker,
    input  logic        c2h_answer_valid,
    input  logic [ 2:0] c2h_answer,
    input  logic        c2h_buffer_event,
    input  logic [10:0] c2h_buffer_event_qid,
    input  logic        c2h_room_event,
    input  logic [10:0] c2h_room_event_qid,

    output logic         m_axis_c2h_tvalid,
    input  logic         m_axis_c2h_tready,
    output logic [511:0] m_axis_c2h_tdata,
    output logic         m_axis_c2h_tlast,
    output logic [  5:0] m_axis_c2h_tuser_mty,
    output logic         m_axis_c2h_tuser_zero_byte,
    output logic [511:0] m_axis_c2h_tuser_cmpt_data,
    output logic         m_axis_c2h_tuser_cmpt_user_trig,
    output logic         m_axis_c2h_tuser_cmpt_user_format,
    output logic [  2:0] m_axis_c2h_tuser_cmpt_place,
    output logic         m_axis_c2h_tuser_cmpt_err,

    output logic        user_irq_valid,
    output logic [ 7:0] user_irq_func,
    output logic [10:0] user_irq_vector,
    input  logic        user_irq_ack,
    input  logic        user_irq_fail,

    input logic c2h_done_valid,
    input logic c2h_done_marker,
    input logic c2h_done_stopped,

    output logic [31:0] stat_loop_dropped
);
  qdma_example_regs_pkg::qdma_example_regs__in_t  to_regs;
  qdma_example_regs_pkg::qdma_example_regs__out_t regs;
  example_axil registers (
      .s_axil_awaddr,
      .s_axil_araddr,
      .*
  );

  logic any_event, drop, no_completion, starts;
  assign any_event        = c2h_buffer_event | c2h_room_event;
  assign drop             = regs.C2H_CONTROL.drop.value;
  assign no_completion    = regs.C2H_CONTROL.no_completion.value;

  assign bypass_loops     = regs.PACKET_LENGTH.bytes.value[0];
  assign bypass_loops_c2h = |regs.PACKET_LENGTH.bytes.value[2:1];  // cached, simple

  // --- Asks and grants
  logic loop_request_valid, loop_request_ready, generator_valid, generator_ready, granted_valid, granted_ready;
  packet_t loop_request, generator_request, granted;
  verdict_t verdict;
  example_ask asks (
      .clk,
      .rst,
      .loop_valid(loop_request_valid),
      .loop_ready(loop_request_ready),
      .loop      (loop_request),
      .generator_valid,
      .generator_ready,
      .generator (generator_request),
      .c2h_ask_valid,
      .c2h_ask_ready,
      .c2h_ask_qid,
      .c2h_ask_len,
      .c2h_ask_has_cmpt,
      .c2h_ask_marker,
      .c2h_answer_valid,
      .c2h_answer,
      .any_event,
      .verdict,
      .granted_valid,
      .granted_ready,
      .granted
  );

  logic dump;
  assign dump = regs.C2H_CONTROL.dump_data.value & regs.C2H_CONTROL.dump_completion.value
      & (regs.PACKET_LENGTH.bytes.value != '0);
  example_generator #(
      .QUEUES(QUEUES)
  ) generator (
      .clk,
      .rst,
      .start          (regs.C2H_CONTROL.start.value | regs.C2H_CONTROL.immediate.value),
      .start_is_entry (regs.C2H_CONTROL.immediate.value | regs.C2H_COMPLETION_SIZE.no_payload.value),
      .dump,
      .stop           (regs.C2H_CONTROL.stop_data.value | regs.C2H_CONTROL.stop_completion.value),
      .renew          (regs.PACKET_LENGTH.bytes.swmod),
      .marker         (regs.C2H_CONTROL.marker.value),
      .drop,
      .no_completion,
      .qid            (regs.C2H_ST_QID.qid.value),
      .bytes          (regs.C2H_ST_LEN.bytes.value),
      .packets        (regs.C2H_PACKET_COUNT.packets.value),
      .dump_bytes     (regs.PACKET_LENGTH.bytes.value),
      .starts,
      .marker_returned(to_regs.C2H_STATUS.marker.next),
      .request_valid  (generator_valid),
      .request_ready  (generator_ready),
      .request        (generator_request),
      .verdict,
      .sent           (granted_ready & (granted.source == OF_START)),
      .event_valid    ({c2h_room_event, c2h_buffer_event}),
      .event_qid      ({c2h_room_event_qid, c2h_buffer_event_qid}),
      .marker_done    (c2h_done_valid & c2h_done_marker)
  );

  // --- H2C: the checker, and the loop
  logic is_first_q, loops, loops_q, h2c_moves, loop_s_ready;
  logic [6:0] h2c_bytes;
  assign loops             = is_first_q ? regs.C2H_CONTROL.loop.value : loops_q;
  assign s_axis_h2c_tready = ~loops | loop_s_ready;
  assign h2c_moves         = s_axis_h2c_tvalid & s_axis_h2c_tready;
  assign h2c_bytes         = s_axis_h2c_tuser_zero_byte ? '0 : 7'd64 - 7'(s_axis_h2c_tuser_mty);
  always_ff @(posedge clk) begin
    if (h2c_moves) begin
      is_first_q <= s_axis_h2c_tlast;
      loops_q    <= loops;
    end
    if (rst) is_first_q <= 1'b1;
  end
  example_checker check (
      .clk,
      .rst,
      .clear   (regs.H2C_CONTROL.clear.value),
      .valid   (h2c_moves),
      .data    (s_axis_h2c_tdata),
      .bytes   (h2c_bytes),
      .last    (s_axis_h2c_tlast),
      .is_error(s_axis_h2c_tuser_err),
      .beat_qid(s_axis_h2c_tuser_qid),
      .match   (to_regs.H2C_STATUS.match.next),
      .qid     (to_regs.H2C_STATUS.qid.next),
      .packets (to_regs.H2C_COUNT.packets.next)
  );

  logic [63:0] now, latency_maximum, latency_minimum, latency_sum, latency_packets;
  example_latency latency (
      .clk,
      .rst,
      .clear(regs.LATENCY_CONTROL.clear.value),
      .enable(regs.LATENCY_CONTROL.enable.value),
      .window({regs.LATENCY_WINDOW_HIGH.cycles.value, regs.LATENCY_WINDOW_LOW.cycles.value}),
      .stamp_valid(h2c_moves & is_first_q & (h2c_bytes >= 7'd8)),
      .stamp(s_axis_h2c_tdata[63:0]),
      .now,
      .reads({
        regs.LATENCY_PACKETS_HIGH.value.swacc,
        regs.LATENCY_PACKETS_LOW.value.swacc,
        regs.LATENCY_SUM_HIGH.value.swacc,
        regs.LATENCY_SUM_LOW.value.swacc,
        regs.LATENCY_MINIMUM_HIGH.value.swacc,
        regs.LATENCY_MINIMUM_LOW.value.swacc,
        regs.LATENCY_MAXIMUM_HIGH.value.swacc,
        regs.LATENCY_MAXIMUM_LOW.value.swacc
      }),
      .maximum(latency_maximum),
      .minimum(latency_minimum),
      .sum(latency_sum),
      .packets(latency_packets)
  );
  assign to_regs.LATENCY_MAXIMUM_LOW.value.next  = latency_maximum[31:0];
  assign to_regs.LATENCY_MAXIMUM_HIGH.value.next = latency_maximum[63:32];
  assign to_regs.LATENCY_MINIMUM_LOW.value.next  = latency_minimum[31:0];
  assign to_regs.LATENCY_MINIMUM_HIGH.value.next = latency_minimum[63:32];
  assign to_regs.LATENCY_SUM_LOW.value.next      = latency_sum[31:0];
  assign to_regs.LATENCY_SUM_HIGH.value.next     = latency_sum[63:32];
  assign to_regs.LATENCY_PACKETS_LOW.value.next  = latency_packets[31:0];
  assign to_regs.LATENCY_PACKETS_HIGH.value.next = latency_packets[63:32];

  logic loop_valid, loop_ready;
  logic [511:0] loop_data;
  example_loop #(
      .DEPTH(LOOP_BEATS)
  ) way_back (
      .clk,
      .rst,
      .drop,
      .no_completion,
      .s_valid      (s_axis_h2c_tvalid & loops),
      .s_ready      (loop_s_ready),
      .s_data       (s_axis_h2c_tdata),
      .s_last       (s_axis_h2c_tlast),
      .s_bytes      (h2c_bytes),
      .s_qid        (s_axis_h2c_tuser_qid),
      .s_is_error   (s_axis_h2c_tuser_err),
      .request_valid(loop_request_valid),
      .request_ready(loop_request_ready),
      .request      (loop_request),
      .verdict,
      .any_event,
      .m_valid      (loop_valid),
      .m_ready      (loop_ready),
      .m_data       (loop_data),
      .m_done       (granted_ready & (granted.source == OF_LOOP)),
      .stat_dropped (stat_loop_dropped)
  );

  example_send sender (
      .clk,
      .rst,
      .restart       (starts),
      .stamps        (regs.LATENCY_CONTROL.enable.value),
      .now,
      .granted_valid,
      .granted_ready,
      .granted,
      .loop_valid,
      .loop_ready,
      .loop_data,
      .m_tvalid      (m_axis_c2h_tvalid),
      .m_tready      (m_axis_c2h_tready),
      .m_tdata       (m_axis_c2h_tdata),
      .m_tlast       (m_axis_c2h_tlast),
      .m_tmty        (m_axis_c2h_tuser_mty),
      .m_tzero_byte  (m_axis_c2h_tuser_zero_byte),
      .m_tuser_format(m_axis_c2h_tuser_cmpt_user_format)
  );
  always_comb begin
    m_axis_c2h_tuser_cmpt_data = '0;
    for (int i = 0; i < 8; i++) m_axis_c2h_tuser_cmpt_data[32*i+:32] = regs.C2H_COMPLETION_DATA[i].data.value;
  end
  assign m_axis_c2h_tuser_cmpt_user_trig = regs.C2H_COMPLETION_SIZE.user_trigger.value;
  assign m_axis_c2h_tuser_cmpt_place     = regs.C2H_COMPLETION_SIZE.colour.value;
  assign m_axis_c2h_tuser_cmpt_err       = 1'b0;

  // --- Interrupts
  logic interrupt_moves;
  example_interrupt interrupts (
      .clk,
      .rst,
      .moves  (interrupt_moves),
      .request(regs.USER_INTERRUPT.request.value),
      .clear  (to_regs.USER_INTERRUPT.request.hwclr),
      .failed (to_regs.USER_INTERRUPT.failed.next),
      .func   (regs.USER_INTERRUPT.func.value),
      .vector (regs.USER_INTERRUPT.vector.value),
      .written(regs.USER_INTERRUPT_MASK.mask.swmod | regs.USER_INTERRUPT_VECTOR.bits.swmod),
      .bits   (regs.USER_INTERRUPT_MASK.mask.value & regs.USER_INTERRUPT_VECTOR.bits.value),
      .user_irq_valid,
      .user_irq_func,
      .user_irq_vector,
      .user_irq_ack,
      .user_irq_fail
  );

  // --- Counts since the last start
  logic is_refused, is_stopped, has_left;
  logic [31:0] dropped_q, accepted_q;
  assign is_refused = verdict.valid & ~verdict.is_granted & (~verdict.is_held | drop)
      & (verdict.packet.source != OF_MARKER);
  assign is_stopped = c2h_done_valid & c2h_done_stopped & ~c2h_done_marker;
  assign has_left = c2h_done_valid & ~c2h_done_stopped & ~c2h_done_marker;
  always_ff @(posedge clk) begin
    dropped_q  <= dropped_q + 32'(is_refused) + 32'(is_stopped);
    accepted_q <= accepted_q + 32'(has_left);
    if (rst | starts) {dropped_q, accepted_q} <= '0;
  end
  assign to_regs.C2H_PACKETS_DROP.packets.next = dropped_q;
  assign to_regs.C2H_PACKETS_ACCEPTED.packets.next = accepted_q;

  assign moves = c2h_ask_valid | granted_valid | m_axis_c2h_tvalid | h2c_moves | loop_request_valid | generator_valid
      | interrupt_moves | regs.LATENCY_CONTROL.enable.value;
endmodule
