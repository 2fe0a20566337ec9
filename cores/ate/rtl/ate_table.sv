// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The connections: what software writes of them, in block RAMs of one word each, read together.
// Latency: conn and usable speak of the connection on `id` one cycle after `read`, and stay while `read` is low.  With
// LATE_CONTROL usable, check, ACK and WINDOW speak of it another cycle later: conn_id, a register, addresses them, because
// `id` may come too late in its cycle for two RAMs one after the other.
//
// The bank of ACK and WINDOW is chosen by the control bit as it is in the cycle in which they are read, so flipping it swaps
// both at once.  SEQ is kept twice: one copy for frames, one for software.  What else software reads back comes from an UltraRAM
// that holds all it wrote: its data come one cycle after host_addr.
//
// Assumes: host_seq_wr and seq_wr do not come in one cycle (ate_axil waits).
module ate_table
  import ate_pkg::*;
#(
    parameter int CONNECTIONS  = 512,
    parameter bit LATE_CONTROL = 1'b0
) (
    input logic clk,

    input  logic         read,
    input  logic  [15:0] id,
    output logic  [15:0] conn_id,  // that was read last
    output conn_t        conn,
    output logic         usable,   // enabled, and there is such a connection

    // After a frame: SEQ of conn_id
    input logic        seq_wr,
    input logic [31:0] seq_data, // as the register has it

    // Software
    input  logic                           host_wr,
    input  logic [$clog2(CONNECTIONS)+3:0] host_addr,   // {connection, word}
    input  logic [                   31:0] host_wdata,
    output logic [                   31:0] host_rdata
);
  localparam int BITS = $clog2(CONNECTIONS);
  logic [BITS-1:0] index, host_id;
  logic [3:0] host_word;
  assign index = id[BITS-1:0];
  assign {host_id, host_word} = host_addr;
  always_ff @(posedge clk) if (read) conn_id <= id;

  // --- Control bits: distributed, because the bank has to be known before the block RAMs are read
  (* ram_style = "distributed" *) logic [2:0] control[CONNECTIONS] = '{default: '0};
  logic enable, check, bank, control_read;
  logic [15:0] control_id;
  logic [BITS-1:0] control_index;
  if (LATE_CONTROL) begin : gen_late_control
    logic read_q;
    always_ff @(posedge clk) read_q <= read;
    assign {control_read, control_id} = {read_q, conn_id};
  end else begin : gen_control
    assign {control_read, control_id} = {read, id};
  end
  assign control_index = control_id[BITS-1:0];
  assign {bank, check, enable} = control[control_index];
  always_ff @(posedge clk) begin
    if (host_wr && host_word == WORD_CONTROL) control[host_id] <= host_wdata[2:0];
    if (control_read) begin
      usable     <= enable & (32'(control_id) < CONNECTIONS);
      conn.check <= check;
    end
  end

  // --- One block RAM for each word that has one copy
  localparam int WORDS = 9;
  localparam logic [WORDS-1:0][3:0] WORD = {
    WORD_VLAN, WORD_MAX_SEQ, WORD_PORTS, WORD_DIP, WORD_SIP, WORD_PART, WORD_MAC2, WORD_MAC1, WORD_MAC0
  };
  logic [WORDS-1:0][31:0] words;
  for (genvar i = 0; i < WORDS; i++) begin : gen_word
    localparam int WIDTH = WORD[i] == WORD_VLAN ? 17 : 32;
    logic [WIDTH-1:0] data;
    ram_sdp #(
        .WIDTH(WIDTH),
        .DEPTH(CONNECTIONS)
    ) u_ram (
        .clk,
        .wr_en  (host_wr && host_word == WORD[i]),
        .wr_addr(host_id),
        .wr_data(host_wdata[WIDTH-1:0]),
        .rd_en  (read),
        .rd_addr(index),
        .rd_data(data)
    );
    assign words[i] = 32'(data);
  end
  assign conn.mac = words[2:0];
  assign {conn.tcp_part, conn.ip_part} = words[3];
  assign conn.sip = words[4];
  assign conn.dip = words[5];
  assign conn.ports = words[6];
  assign conn.max_seq = words[7];
  assign {conn.vlan_on, conn.vlan} = words[8][16:0];

  // --- ACK and WINDOW: both banks in one RAM each
  logic host_bank;  // words 8 and 9: bank 0, 10 and 11: bank 1
  assign host_bank = host_word[1];
  ram_sdp #(
      .WIDTH(32),
      .DEPTH(2 * CONNECTIONS)
  ) u_ack (
      .clk,
      .wr_en  (host_wr && (host_word & 4'b1101) == WORD_ACK),
      .wr_addr({host_id, host_bank}),
      .wr_data(host_wdata),
      .rd_en  (control_read),
      .rd_addr({control_index, bank}),
      .rd_data(conn.ack)
  );
  ram_sdp #(
      .WIDTH(16),
      .DEPTH(2 * CONNECTIONS)
  ) u_window (
      .clk,
      .wr_en  (host_wr && (host_word & 4'b1101) == WORD_WINDOW),
      .wr_addr({host_id, host_bank}),
      .wr_data(host_wdata[31:16]),
      .rd_en  (control_read),
      .rd_addr({control_index, bank}),
      .rd_data(conn.window)
  );

  // --- SEQ
  logic seq_we;
  logic [BITS-1:0] seq_addr;
  logic [31:0] seq_value, seq_seen, kept;
  assign seq_we    = seq_wr | (host_wr && host_word == WORD_SEQ);
  assign seq_addr  = seq_wr ? conn_id[BITS-1:0] : host_id;
  assign seq_value = seq_wr ? seq_data : host_wdata;
  ram_sdp #(
      .WIDTH(32),
      .DEPTH(CONNECTIONS)
  ) u_seq (
      .clk,
      .wr_en  (seq_we),
      .wr_addr(seq_addr),
      .wr_data(seq_value),
      .rd_en  (read),
      .rd_addr(index),
      .rd_data(conn.seq)
  );
  ram_sdp #(
      .WIDTH(32),
      .DEPTH(CONNECTIONS)
  ) u_seq_seen (
      .clk,
      .wr_en  (seq_we),
      .wr_addr(seq_addr),
      .wr_data(seq_value),
      .rd_en  (1'b1),
      .rd_addr(host_id),
      .rd_data(seq_seen)
  );

  // --- What software reads back
  ate_shadow #(
      .DEPTH(16 * CONNECTIONS)
  ) u_shadow (
      .clk,
      .wr_en(host_wr),
      .addr (host_addr),
      .wdata(host_wdata),
      .rdata(kept)
  );
  logic seq_wanted_q;
  always_ff @(posedge clk) seq_wanted_q <= host_word == WORD_SEQ;
  assign host_rdata = seq_wanted_q ? seq_seen : kept;
endmodule
