// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Mirror frames and received frames of a port into one numbered stream for the host.
//
// Order: a mirror frame comes before any received frame whose first word arrived after the mirror frame had left.  A long
// mirror frame takes longer to get here than the short frame that acknowledges it, so being first is not left to
// chance.  A received frame is free to go only when
//   1. it is stored here (IDLE);
//   2. then a request for a fence has gone to the transmit clock, and the mark has come back in the mirror's own stream,
//      after all that had left by then (FENCE, card_mirror);
//   3. and all mirror frames that were stored when the mark came have gone to the host (DRAIN).
// One fence serves all frames stored before its request.  While the transmit clock is in reset there is no mirror to wait
// for, and step 2 is over at once.  A mirror frame never waits for a received one but for the one under way, and when both
// may go they take turns.
//
// Latency: 1 cycle, and without other traffic about 50 ns for the fence; none without a mirror (MIRROR = 0).
module card_merge #(
    parameter bit MIRROR = 1'b1,
    parameter int COUNT_WIDTH = 16  // a store holds fewer than 2^(COUNT_WIDTH - 1) frames
) (
    input logic clk,
    input logic rst,

    input  logic        mirror_stored,  // a frame more is in the mirror's store
    input  logic        mirror_valid,
    input  logic [63:0] mirror_data,
    input  logic        mirror_head,
    input  logic        mirror_last,
    input  logic [ 7:0] mirror_keep,
    output logic        mirror_ready,

    input  logic        rx_stored,
    input  logic        rx_valid,
    input  logic [63:0] rx_data,
    input  logic        rx_head,
    input  logic        rx_last,
    input  logic [ 7:0] rx_keep,
    output logic        rx_ready,

    output logic       fence_valid,
    input  logic       fence_ready,
    output logic [1:0] fence_number,
    input  logic       mark_valid,    // a mark has come, after all that mirror_stored has reported
    input  logic [1:0] mark_number,
    input  logic       mirror_reset,

    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        event_sent
);
  typedef logic [COUNT_WIDTH-1:0] count_t;

  // --- Which received frames are free to go
  count_t rx_sent_q, free;
  if (MIRROR) begin : gen_fence
    typedef enum logic [1:0] {
      IDLE,
      FENCE,
      DRAIN
    } state_e;
    state_e state_q;
    count_t rx_stored_q, cover_q, free_q, mirror_stored_q, mirror_sent_q, mark_q;
    logic [1:0] number_q = '0;  // outlives a reset, as the requests do
    logic asked_q;

    assign fence_valid  = (state_q == FENCE) & ~asked_q;
    assign fence_number = number_q;
    assign free         = free_q;

    always_ff @(posedge clk) begin
      if (rx_stored) rx_stored_q <= rx_stored_q + 1'b1;
      if (mirror_stored) mirror_stored_q <= mirror_stored_q + 1'b1;
      if (mirror_valid && mirror_ready && mirror_last) mirror_sent_q <= mirror_sent_q + 1'b1;
      case (state_q)
        IDLE: begin
          cover_q <= rx_stored_q;
          asked_q <= 1'b0;
          if (rx_stored_q != free_q) begin
            number_q <= number_q + 1'b1;
            state_q  <= FENCE;
          end
        end
        FENCE: begin
          if (fence_valid && fence_ready) asked_q <= 1'b1;
          mark_q <= mirror_stored_q + count_t'(mirror_stored);
          if (mirror_reset || (asked_q && mark_valid && mark_number == number_q)) state_q <= DRAIN;
        end
        default:
        if (mirror_sent_q == mark_q) begin
          free_q  <= cover_q;
          state_q <= IDLE;
        end
      endcase
      if (rst) begin
        state_q         <= IDLE;
        rx_stored_q     <= '0;
        free_q          <= '0;
        mirror_stored_q <= '0;
        mirror_sent_q   <= '0;
      end
    end
  end else begin : gen_no_fence
    count_t stored_q;
    assign fence_valid  = 1'b0;
    assign fence_number = '0;
    assign free         = stored_q;
    always_ff @(posedge clk) begin
      if (rx_stored) stored_q <= stored_q + 1'b1;
      if (rst) stored_q <= '0;
    end
  end

  // --- Turns
  logic busy_q, mirror_q, rx_can, mirror_can;
  logic [31:0] sequence_q;
  assign rx_can        = rx_valid & (rx_sent_q != free);
  assign mirror_can    = MIRROR & mirror_valid;
  assign mirror_ready  = busy_q & mirror_q & m_axis_tready;
  assign rx_ready      = busy_q & ~mirror_q & m_axis_tready;
  assign m_axis_tvalid = busy_q & (mirror_q ? mirror_valid : rx_valid);
  assign m_axis_tlast  = mirror_q ? mirror_last : rx_last;
  assign m_axis_tkeep  = mirror_q ? mirror_keep : rx_keep;
  always_comb begin
    m_axis_tdata = mirror_q ? mirror_data : rx_data;
    if (mirror_q ? mirror_head : rx_head) m_axis_tdata[63:32] = sequence_q;
  end
  assign event_sent = m_axis_tvalid & m_axis_tready & m_axis_tlast;

  always_ff @(posedge clk) begin
    if (!busy_q) begin
      busy_q <= rx_can | mirror_can;
      if (rx_can || mirror_can) mirror_q <= mirror_can & ~(rx_can & mirror_q);
    end else if (event_sent) begin
      busy_q     <= 1'b0;
      sequence_q <= sequence_q + 1'b1;
      if (!mirror_q) rx_sent_q <= rx_sent_q + 1'b1;
    end
    if (rst) begin
      busy_q     <= 1'b0;
      mirror_q   <= 1'b0;
      sequence_q <= '0;
      rx_sent_q  <= '0;
    end
  end
endmodule
