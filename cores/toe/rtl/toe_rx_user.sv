// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Payload to the user: words of 32 bits packed into TCP2USER_DATA_WIDTH, a FIFO for a user who is not ready, passed when it is
// empty (cut-through), or entered as a whole when the verdict is good (store and forward).
// Latency, for a user who is ready: cut-through, a beat is out in the cycle of the word that completes it; store and
// forward, the first beat is out two cycles after the verdict.  RX_OUTPUT_PIPE_COUNT registers come on top.
//
// Cut-through: a segment ends with a beat without bytes (tkeep = 0, tlast = 1), which is the verdict: tuser says that the
// segment's bytes do not count and will come again.  Store and forward: tlast is with the last bytes, and tuser is 0.
//
// Store and forward: beats pass a register before the FIFO, which keeps late signals off its memory. It costs no latency, as
// they wait for their segment's verdict. A last beat in the cycle of data_last is late then: it is committed, or dropped, by
// itself, a cycle after the others of its segment.
//
// 32 bits: the first beat of a segment has its bytes, two or the only one, in the upper half (tkeep 4'b1100 or 4'b0100).
module toe_rx_user
  import toe_pkg::*;
#(
    parameter int TCP2USER_DATA_WIDTH  = 64,     // 32 (first beat with bytes in the upper half) or 64
    parameter bit STORE_FORWARD        = 1'b0,
    parameter int DEPTH_BYTES          = 16384,  // of the FIFO, a power of two
    parameter int RX_FIFO_PACKET_COUNT = 64,     // a power of two
    parameter int RX_OUTPUT_PIPE_COUNT = 0,
    parameter bit RX_OOS_SEQNUM_EN     = 1'b0    // m_axis_seq and m_axis_oos are there, else 0
) (
    input logic clk,
    input logic rst,

    input  logic        data_valid,  // as from toe_rx_accept
    input  logic [31:0] data_word,
    input  logic [ 3:0] data_keep,
    input  logic        data_first,
    input  logic        data_final,
    input  logic        data_last,
    input  logic        data_bad,
    input  sid_t        data_sid,
    input  logic [31:0] data_seq,
    input  logic        data_oos,
    output logic [15:0] room,        // bytes, with room for a packet more; three cycles late, four with STORE_FORWARD

    output logic [  TCP2USER_DATA_WIDTH-1:0] m_axis_tdata,
    output logic [TCP2USER_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                             m_axis_tvalid,
    input  logic                             m_axis_tready,
    output logic                             m_axis_tlast,
    output logic                             m_axis_tuser,   // with tlast: this segment's bytes do not count
    output sid_t                             m_axis_tdest,   // session
    output logic [                     31:0] m_axis_seq,     // number of the segment's first byte, with all its beats
    output logic                             m_axis_oos      // the segment is out of sequence
);
  localparam int WIDTH = TCP2USER_DATA_WIDTH;
  localparam int BYTES = WIDTH / 8;
  localparam int DEPTH = DEPTH_BYTES / BYTES;
  if (WIDTH != 32 && WIDTH != 64) begin : gen_bad_width
    $error("toe_rx_user: TCP2USER_DATA_WIDTH must be 32 or 64");
  end

  logic beat_valid, beat_end, commit, drop, is_late;
  logic [WIDTH-1:0] beat_data;
  logic [2:0] beat_code;
  toe_rx_pack #(
      .WIDTH(WIDTH),
      .MARKS(~STORE_FORWARD)
  ) u_pack (
      .clk,
      .rst,
      .data_valid,
      .data_word,
      .data_keep,
      .data_first,
      .data_final,
      .data_last,
      .data_bad,
      .beat_valid,
      .beat_data,
      .beat_code,
      .beat_end,
      .commit,
      .drop,
      .is_late
  );

  logic wr_valid, wr_commit, wr_drop;
  logic [WIDTH+3:0] wr_beat;
  if (STORE_FORWARD) begin : gen_beat_register
    logic commit_q, drop_q;
    always_ff @(posedge clk) begin
      wr_valid           <= beat_valid & ~rst;
      wr_beat            <= {beat_end, beat_code, beat_data};
      {commit_q, drop_q} <= {commit, drop} & {2{is_late & ~rst}};
    end
    assign wr_commit = commit | commit_q;
    assign wr_drop   = drop | drop_q;
  end else begin : gen_no_beat_register
    logic unused;
    assign unused = commit ^ drop ^ is_late;
    assign wr_valid = beat_valid;
    assign wr_beat = {beat_end, beat_code, beat_data};
    assign {wr_commit, wr_drop} = 2'b00;
  end

  logic rd_valid, rd_ready, rd_end;
  logic [WIDTH-1:0] rd_data;
  logic [2:0] rd_code;
  logic [$clog2(DEPTH):0] free;
  toe_rx_beats #(
      .WIDTH(WIDTH + 4),
      .DEPTH(DEPTH),
      .STORE_FORWARD(STORE_FORWARD)
  ) u_beats (
      .clk,
      .rst,
      .wr_valid,
      .wr_data(wr_beat),
      .commit (wr_commit),
      .drop   (wr_drop),
      .rd_valid,
      .rd_data({rd_end, rd_code, rd_data}),
      .rd_ready,
      .free
  );

  // --- Sessions (and sequence numbers), one for each segment inside; the first beat may pass before its session is there
  logic room_for_two;
  logic sid_valid, sid_ready;
  localparam int TAGS = $bits(sid_t) + (RX_OOS_SEQNUM_EN ? 33 : 0);
  logic [TAGS-1:0] data_tag, fifo_tag, tag;
  if (RX_OOS_SEQNUM_EN) begin : gen_tag
    assign data_tag = {data_oos, data_seq, data_sid};
  end else begin : gen_sid
    assign data_tag = data_sid;
  end
  assign tag = sid_valid ? fifo_tag : data_tag;
  toe_fifo #(
      .WIDTH(TAGS),
      .DEPTH(RX_FIFO_PACKET_COUNT)
  ) u_sids (
      .clk,
      .rst,
      .wr_valid(STORE_FORWARD ? commit : data_valid & data_first),
      .wr_ready(sid_ready),
      .wr_data (data_tag),
      .wr_room (room_for_two),
      .rd_valid(sid_valid),
      .rd_ready(rd_valid & rd_ready & rd_end),
      .rd_data (fifo_tag)
  );

  // --- Room: the beats of a segment are those of its bytes, and one for its end
  localparam int KEPT = STORE_FORWARD ? 0 : 1;
  logic [31:0] bytes;
  always_comb begin
    bytes = (32'(free) - KEPT) * BYTES;
    if (WIDTH == 32) bytes = bytes - 32'd2;  // the first beat has two
    if (!sid_ready || 32'(free) <= KEPT) bytes = 32'd0;
    else if (bytes > 32'd65535) bytes = 32'd65535;
  end
  always_ff @(posedge clk) room <= rst ? 16'd0 : bytes[15:0];

  // --- To the user
  logic [BYTES-1:0] rd_keep;
  always_comb begin
    for (int i = 0; i < BYTES; i++) rd_keep[i] = 32'(rd_code) >= i;
    if (WIDTH == 32 && rd_code[2]) rd_keep = {~rd_code[0], 1'b1, {(BYTES - 2) {1'b0}}};
    if (!STORE_FORWARD && rd_end) rd_keep = '0;
  end
  localparam int PORT = WIDTH + BYTES + 2 + TAGS;
  logic [TAGS-1:0] m_tag;
  logic [PORT-1:0] stage_data[RX_OUTPUT_PIPE_COUNT+1];
  logic stage_valid[RX_OUTPUT_PIPE_COUNT+1];
  logic stage_ready[RX_OUTPUT_PIPE_COUNT+1];
  assign stage_data[0]  = {rd_data, rd_keep, rd_end, ~STORE_FORWARD & rd_end & rd_code[0], tag};
  assign stage_valid[0] = rd_valid;
  assign rd_ready       = stage_ready[0];
  for (genvar i = 0; i < RX_OUTPUT_PIPE_COUNT; i++) begin : gen_pipe
    axis_register #(
        .WIDTH(PORT)
    ) u_stage (
        .clk,
        .rst,
        .s_data (stage_data[i]),
        .s_valid(stage_valid[i]),
        .s_ready(stage_ready[i]),
        .m_data (stage_data[i+1]),
        .m_valid(stage_valid[i+1]),
        .m_ready(stage_ready[i+1])
    );
  end
  assign {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser, m_tag} = stage_data[RX_OUTPUT_PIPE_COUNT];
  assign m_axis_tdest = m_tag[$bits(sid_t)-1:0];
  if (RX_OOS_SEQNUM_EN) begin : gen_seq
    assign {m_axis_oos, m_axis_seq} = m_tag[TAGS-1-:33];
  end else begin : gen_no_seq
    assign {m_axis_oos, m_axis_seq} = '0;
  end
  assign m_axis_tvalid = stage_valid[RX_OUTPUT_PIPE_COUNT];
  assign stage_ready[RX_OUTPUT_PIPE_COUNT] = m_axis_tready;
endmodule
