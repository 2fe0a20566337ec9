// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Transmit chunks from the host to the transmit clock: 64-bit words in host_clk, checked, 32-bit words out in clk.
// The chunk: cores/ate/README.md.  Its first word is the whole header: what is wrong in it is refused there.
//
// Latency: a half is on m_host_tdata 2 to 3 edges of clk after its word has been taken.
//
// Refused, and counted: a type that this port does not take, a length that it does not take (nothing of it goes on); a
// chunk whose bytes are not those of its length (what goes on has a wrong number of words, so that ate_inject drops it).
// Resets: of the rest of a chunk that was under way, the host's side drops what comes, and the transmit side ends what
// has gone with so many words more that ate_inject drops it.
module card_tx #(
    parameter int MAX_FRAME = 1518,  // bytes of a raw frame, without FCS
    parameter int MAX_PAYLOAD = 1460,
    parameter bit TCP = 1'b1  // takes payloads
) (
    input logic host_clk,
    input logic host_rst,

    input  logic [63:0] s_h2c_tdata,
    input  logic [ 7:0] s_h2c_tkeep,
    input  logic        s_h2c_tvalid,
    output logic        s_h2c_tready,
    input  logic        s_h2c_tlast,

    output logic event_chunk,    // one has gone on
    output logic event_refused,
    output logic event_cut,      // by a reset

    input  logic        clk,
    input  logic        rst,
    output logic [31:0] m_host_tdata,
    output logic        m_host_tvalid,
    input  logic        m_host_tready,
    output logic        m_host_tlast
);
  localparam logic [7:0] TYPE_RAW = 8'd1;
  localparam logic [7:0] TYPE_TCP = 8'd2;
  localparam int PAD_RAW = 2, PAD_TCP = 20;

  // --- Host's side
  logic begun_q, refuse_q, fifo_ready, fifo_reset, take, head_good, final_word, good;
  logic [15:0] length, left_q;
  logic [7:0] kind;
  logic [3:0] bytes;
  assign length = s_h2c_tdata[47:32];
  assign kind   = s_h2c_tdata[55:48];
  always_comb begin
    bytes = '0;
    for (int i = 0; i < 8; i++) bytes += 4'(s_h2c_tkeep[i]);
    head_good = (kind == TYPE_RAW && length > 16'(PAD_RAW) && length <= 16'(PAD_RAW + MAX_FRAME))
        || (TCP && kind == TYPE_TCP && length >= 16'(PAD_TCP) && length <= 16'(PAD_TCP + MAX_PAYLOAD));
    // After the header a word is the last one if the host or the length says so, and good if both do.
    final_word = begun_q & (s_h2c_tlast | (left_q <= 16'd8));
    good = s_h2c_tlast & (left_q == 16'(bytes));
  end
  assign s_h2c_tready = fifo_ready | refuse_q;
  assign take         = s_h2c_tvalid & s_h2c_tready;

  // Halves that go on: one or two of a good chunk.  Three are too many where the last one or two are due, and two are too
  // few where there should be three or more.
  logic [1:0] halves;
  logic put;
  assign halves = (left_q > 16'd8) ? 2'd2 : !good ? 2'd3 : bytes <= 4'd4 ? 2'd1 : 2'd2;
  assign put    = take & ~refuse_q & (begun_q | (head_good & ~s_h2c_tlast));

  always_ff @(posedge host_clk) begin
    event_chunk   <= take & ~refuse_q & final_word & good;
    event_refused <= take & ~refuse_q & (begun_q ? final_word & ~good : ~head_good | s_h2c_tlast);
    event_cut     <= fifo_reset & begun_q & ~host_rst;
    if (take) begin
      left_q <= begun_q ? left_q - 16'd8 : length;
      if (refuse_q) begin
        refuse_q <= ~s_h2c_tlast;
      end else begin
        begun_q  <= begun_q ? ~final_word : head_good & ~s_h2c_tlast;
        refuse_q <= ~s_h2c_tlast & (begun_q ? final_word : ~head_good);
      end
    end
    if (fifo_reset && begun_q) begin
      begun_q  <= 1'b0;
      refuse_q <= 1'b1;
    end
    if (host_rst) begin
      begun_q  <= 1'b0;
      refuse_q <= 1'b0;
    end
  end

  logic tail, cut, valid, pop, last;
  logic [ 1:0] count;
  logic [63:0] data;
  async_fifo #(
      .WIDTH(67),
      .DEPTH(16)
  ) u_fifo (
      .wr_clk  (host_clk),
      .wr_rst  (host_rst),
      .wr_reset(fifo_reset),
      .wr_data ({final_word, final_word ? halves : 2'd2, s_h2c_tdata}),
      .wr_valid(put),
      .wr_ready(fifo_ready),
      .rd_clk  (clk),
      .rd_rst  (rst),
      .rd_reset(cut),
      .rd_data ({last, count, data}),
      .rd_valid(valid),
      .rd_ready(pop)
  );

  // --- Transmit side
  localparam int JUNK = 4096;  // words: more than any chunk has
  logic [1:0] half_q;
  logic within_q, junk_q, step;
  logic [$clog2(JUNK)-1:0] junk_count_q;
  assign tail          = half_q == count - 2'd1;
  assign m_host_tvalid = valid | junk_q;
  assign m_host_tdata  = half_q == 2'd0 ? data[31:0] : data[63:32];
  assign m_host_tlast  = junk_q ? &junk_count_q : last & tail;
  assign step          = m_host_tvalid & m_host_tready;
  assign pop           = m_host_tready & ~junk_q & tail;

  always_ff @(posedge clk) begin
    if (step && !junk_q) begin
      half_q   <= tail ? 2'd0 : half_q + 2'd1;
      within_q <= ~(last & tail);
    end
    if (step && junk_q) begin
      junk_count_q <= junk_count_q + 1'b1;
      if (&junk_count_q) junk_q <= 1'b0;
    end
    if (cut && within_q) begin
      within_q     <= 1'b0;
      junk_q       <= 1'b1;
      junk_count_q <= '0;
    end
    if (cut) half_q <= 2'd0;
    if (rst) begin
      half_q   <= 2'd0;
      within_q <= 1'b0;
      junk_q   <= 1'b0;
    end
  end
endmodule
