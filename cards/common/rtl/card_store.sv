// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Store and forward towards the host: frames of 64-bit words in, packets with their 16-byte header out, one block RAM.
// Header and frame lie in the RAM as the host gets them: two words are left free in front of each frame, and are
// written when its length is known.  So a frame takes two cycles more than it has words, in which s_ready is low.
// The sequence number is the merge's business (card_merge); its place is zero here.
//
// Latency: the first word of a packet is on m_data 4 cycles after the last word of its frame has been taken, if nothing is
// before it; full rate within a packet, and between packets.
//
// A bad frame, a frame without a byte, one that finds no room (WAIT = 0) and one whose writer is reset before its end
// (flush) leave nothing behind; each of them pulses one event.  With WAIT = 1 the writer waits for room.
module card_store #(
    parameter int DEPTH = 4096,  // words, a power of two
    parameter int FCS_BYTES = 4,  // that end each frame and are taken off
    parameter bit WAIT = 1'b0,
    parameter bit STAMP_LAST = 1'b0,  // the time is that of the frame's last word, not of its first
    parameter logic [7:0] PORT = 8'd0
) (
    input logic clk,
    input logic rst,
    input logic [63:0] now,

    input  logic        s_valid,
    output logic        s_ready,
    input  logic [63:0] s_data,
    input  logic [ 3:0] s_bytes,  // 8 but in the last word, which has 0 to 8
    input  logic        s_last,
    input  logic        s_bad,    // with s_last: forget this frame
    input  logic [ 7:0] s_kind,   // with s_last: type in the header
    input  logic        flush,    // the writer is in reset: forget what has come of a frame

    output logic        m_valid,
    output logic [63:0] m_data,
    output logic        m_head,   // the first word, whose upper half is for the sequence number
    output logic        m_last,
    output logic [ 7:0] m_keep,
    input  logic        m_ready,

    output logic event_stored,
    output logic event_bad,
    output logic event_full,
    output logic event_cut
);
  if (DEPTH != 1 << $clog2(DEPTH) || DEPTH < 16) begin : gen_bad_depth
    $error("card_store: DEPTH must be a power of two, at least 16");
  end

  localparam int BITS = $clog2(DEPTH);
  localparam int HEADER = 2;  // words
  typedef logic [BITS:0] ptr_t;  // counts words modulo 2 DEPTH

  // Words of the frame: 3 bits fewer, rounded up.
  function automatic logic [13:0] words_of(input logic [15:0] octets);
    return 14'((17'(octets) + 17'd7) >> 3);
  endfunction

  // --- Writer
  typedef enum logic [1:0] {
    FRAME,
    HEAD_0,
    HEAD_1
  } state_e;
  state_e state_q;
  ptr_t base_q, wr_ptr_q, rd_ptr_q, used, end_ptr;  // base_q: after the last whole packet
  logic [15:0] length_q, length;
  logic [63:0] stamp_q;
  logic [ 7:0] kind_q;
  logic begun_q, spoilt_q, full, lost, take, wr_en, empty;
  logic [63:0] wr_data;

  assign used    = wr_ptr_q - rd_ptr_q;
  assign full    = used[BITS];
  assign s_ready = (state_q == FRAME) & ~(WAIT & full);
  assign take    = s_valid & s_ready;
  assign lost    = full & (s_bytes != 0);  // a word without a byte needs no room
  assign length  = length_q + 16'(s_bytes);
  assign empty   = length <= 16'(FCS_BYTES);
  assign end_ptr = base_q + ptr_t'(HEADER) + ptr_t'(words_of(length_q));

  always_comb begin
    case (state_q)
      HEAD_0:  wr_data = {32'h0, PORT, kind_q, length_q};
      HEAD_1:  wr_data = stamp_q;
      default: wr_data = s_data;
    endcase
    wr_en = state_q == FRAME ? take & ~lost & (s_bytes != 0) : 1'b1;
  end

  always_ff @(posedge clk) begin
    event_stored <= state_q == HEAD_1;
    event_bad    <= take & s_last & (s_bad | empty);
    event_full   <= take & s_last & ~(s_bad | empty) & (spoilt_q | lost);
    event_cut    <= flush & begun_q & (state_q == FRAME);
    case (state_q)
      FRAME: begin
        if (take) begin
          begun_q <= ~s_last;
          if (s_bytes != 0 && !lost) wr_ptr_q <= wr_ptr_q + 1'b1;
          length_q <= length;
          spoilt_q <= spoilt_q | lost;
          if (!begun_q || (STAMP_LAST && s_last)) stamp_q <= now;
          kind_q <= s_kind;
          if (s_last) begin
            length_q <= length - 16'(FCS_BYTES);
            spoilt_q <= 1'b0;
            if (s_bad || empty || spoilt_q || lost) begin
              wr_ptr_q <= base_q + ptr_t'(HEADER);
              length_q <= '0;
            end else begin
              wr_ptr_q <= base_q;
              state_q  <= HEAD_0;
            end
          end
        end
        if (flush) begin
          begun_q  <= 1'b0;
          spoilt_q <= 1'b0;
          length_q <= '0;
          wr_ptr_q <= base_q + ptr_t'(HEADER);
        end
      end
      HEAD_0: begin
        wr_ptr_q <= wr_ptr_q + 1'b1;
        state_q  <= HEAD_1;
      end
      default: begin
        base_q   <= end_ptr;
        wr_ptr_q <= end_ptr + ptr_t'(HEADER);
        length_q <= '0;
        state_q  <= FRAME;
      end
    endcase
    if (rst) begin
      state_q  <= FRAME;
      base_q   <= '0;
      wr_ptr_q <= ptr_t'(HEADER);
      length_q <= '0;
      begun_q  <= 1'b0;
      spoilt_q <= 1'b0;
    end
  end

  // --- Reader
  logic fetch, head_q;
  logic [13:0] left_q;  // words after the one on m_data
  logic [ 2:0] tail_q;  // bytes of the last word, 0: eight
  assign fetch  = (base_q != rd_ptr_q) & (~m_valid | m_ready);
  assign m_head = head_q;
  assign m_last = ~head_q & (left_q == 0);
  assign m_keep = (m_last && tail_q != 0) ? ~(8'hff << tail_q) : 8'hff;

  ram_sdp #(
      .WIDTH(64),
      .DEPTH(DEPTH)
  ) u_ram (
      .clk,
      .wr_en,
      .wr_addr(wr_ptr_q[BITS-1:0]),
      .wr_data,
      .rd_en  (fetch),
      .rd_addr(rd_ptr_q[BITS-1:0]),
      .rd_data(m_data)
  );

  always_ff @(posedge clk) begin
    if (fetch) rd_ptr_q <= rd_ptr_q + 1'b1;
    m_valid <= fetch | (m_valid & ~m_ready);
    if (m_valid && m_ready) begin
      head_q <= m_last;
      if (head_q) begin
        left_q <= words_of(m_data[15:0]);
        tail_q <= m_data[2:0];
      end else begin
        left_q <= left_q - 1'b1;
      end
    end
    if (rst) begin
      rd_ptr_q <= '0;
      m_valid  <= 1'b0;
      head_q   <= 1'b1;
    end
  end
endmodule
