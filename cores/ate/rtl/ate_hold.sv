// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames of user logic, kept until they are whole, so that the engine begins none that it would have to abort.
//
// Latency: the first word is acknowledged ACK_AT + 2 cycles after s.sof, the others a cycle each; the engine is offered the
// frame 8 cycles after its last word, if nothing is before it.
//
// Interface: `s` is the user's port as ate_engine has it, `m` goes to that.  The metadata are those of ACK_AT cycles after
// s.sof: the user may amend them until then, so the deadlines of the engine without this module hold here, too.  While
// nothing is kept, m shows the connection and the length that the user shows, for window_available.
//
// Operation: a frame goes into a FIFO after two words of metadata.  One whose words are not those of payload_length, that
// is too long, or in which another begins, is forgotten and counted (`refused`); its words up to s.eof are acknowledged.
// The connection and the length are shown for SETTLE cycles before m.sof: the engine knows the window before it may begin.
module ate_hold
  import ate_pkg::*;
#(
    parameter int MAX_PAYLOAD   = 1460,
    parameter int MAX_RAW_WORDS = 2405
) (
    input logic clk,
    input logic rst,

    input  source_t s,
    output logic    s_ack,
    output logic    s_drop,  // with s_ack: the word is forgotten, with those before it
    output source_t m,
    input  logic    m_ack,

    output logic busy,    // a frame comes, is kept or is offered
    output logic refused  // one cycle: a frame has been forgotten
);
  localparam int ACK_AT = 12;
  localparam int SETTLE = 4;
  localparam int PAYLOAD_WORDS = (MAX_PAYLOAD + 3) / 4;
  localparam int MAX_WORDS = PAYLOAD_WORDS > MAX_RAW_WORDS ? PAYLOAD_WORDS : MAX_RAW_WORDS;
  localparam int NEED = MAX_WORDS + 2 + 2;  // metadata, and what frame_fifo asks for
  localparam int DEPTH = 1 << $clog2(NEED + 1);

  // --- Writer
  typedef enum logic [2:0] {
    WAIT,   // for a frame, its metadata and room
    SUM,    // the checksum is written
    FIRST,  // the first word
    WORDS,  // the others
    DROP    // of what is forgotten already
  } write_e;
  write_e write_q;
  logic [3:0] since_q;
  logic raw_q, room, begins, put, too_many, wrong, ends;
  logic [13:0] left_q;  // words that the frame may still have; of a payload, has
  logic [15:0] length_q;
  logic [31:0] csum_q;
  logic [33:0] wr_data;
  logic wr_valid, wr_last, wr_drop;
  assign begins = (write_q == WAIT) & s.sof & (since_q == 4'(ACK_AT)) & room;
  assign put = (write_q == FIRST) | ((write_q == WORDS) & ~s.sof);
  assign too_many = (left_q == 14'd1) & ~s.eof;
  assign wrong    = ~raw_q & ((length_q > 16'(MAX_PAYLOAD)) | (left_q != 14'd1)
                              | ((length_q != 0) & (s.len != length_q[1:0])));
  assign ends = (put & (s.eof | too_many)) | ((write_q == WORDS) & s.sof);
  assign wr_valid = begins | (write_q inside {SUM, FIRST, WORDS});
  assign wr_last = ends;
  assign wr_drop = ~put | too_many | wrong;
  assign s_ack = put | ((write_q == DROP) & ~s.sof);
  assign s_drop = (write_q == DROP) | (ends & wr_drop);
  always_comb begin
    wr_data = {s.len, s.data};
    if (write_q == WAIT) wr_data = {1'b0, s.raw, s.conn, s.length};
    if (write_q == SUM) wr_data = {2'b00, csum_q};
  end
  always_ff @(posedge clk) begin
    refused <= ends & wr_drop & ~rst;
    since_q <= ~s.sof | (write_q != WAIT) ? '0 : since_q == 4'(ACK_AT) ? since_q : since_q + 1'b1;
    if (begins) begin
      raw_q <= s.raw;
      length_q <= s.length;
      csum_q <= s.csum;
      // A payload of no bytes has a word that nobody looks at; one that is too long ends with its first
      left_q <= s.raw ? 14'(MAX_RAW_WORDS) : s.length == 0 || s.length > 16'(MAX_PAYLOAD) ? 14'd1
                : 14'((17'(s.length) + 17'd3) >> 2);
    end
    if (put && left_q != 14'd1) left_q <= left_q - 1'b1;
    case (write_q)
      WAIT: if (begins) write_q <= SUM;
      SUM: write_q <= FIRST;
      FIRST, WORDS: write_q <= !ends ? WORDS : put && !s.eof ? DROP : WAIT;
      default: if (s.eof || s.sof) write_q <= WAIT;
    endcase
    if (rst) write_q <= WAIT;
  end

  logic valid, last, pop;
  logic [33:0] data;
  frame_fifo #(
      .WIDTH(34),
      .DEPTH(DEPTH),
      .NEED (NEED)
  ) u_fifo (
      .clk,
      .rst,
      .wr_valid,
      .wr_data,
      .wr_last,
      .wr_drop,
      .room,
      .rd_valid(valid),
      .rd_data (data),
      .rd_last (last),
      .rd_ready(pop)
  );

  // --- Reader
  typedef enum logic [2:0] {
    NONE,  // nothing is kept
    GETS,  // the checksum is read
    SETTLES,
    SHOWS,  // the first word
    GOES  // the others
  } read_e;
  read_e read_q;
  source_t m_q;
  logic next;
  logic [1:0] settled_q;
  // A word of the frame goes into m_q
  assign next = ((read_q == SETTLES) & (settled_q == 2'(SETTLE - 1)))
                | ((read_q inside {SHOWS, GOES}) & m_ack & ~m_q.eof);
  assign pop = (read_q inside {NONE, GETS}) | next;
  always_comb begin
    m = m_q;
    m.sof = read_q == SHOWS;
    if (read_q == NONE) {m.conn, m.length, m.raw, m.eof} = {s.conn, s.length, 2'b00};
  end
  always_ff @(posedge clk) begin
    settled_q <= read_q == SETTLES ? settled_q + 1'b1 : '0;
    if (next) {m_q.eof, m_q.len, m_q.data} <= {last, data};
    case (read_q)
      NONE: begin
        {m_q.raw, m_q.conn, m_q.length} <= data[32:0];
        if (valid) read_q <= GETS;
      end
      GETS: begin
        m_q.csum <= data[31:0];
        if (valid) read_q <= SETTLES;
      end
      SETTLES: if (next) read_q <= SHOWS;
      default: if (m_ack) read_q <= m_q.eof ? NONE : GOES;
    endcase
    busy <= s.sof | (write_q != WAIT) | valid | (read_q != NONE);
    if (rst) begin
      read_q <= NONE;
      m_q    <= '0;
      busy   <= 1'b1;
    end
  end
endmodule
