// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// card_chassis and a little user logic.  Lines and host play files and are recorded to files, so that Python is woken
// for registers and events only.  Port 0 has a receive clock of its own; the others receive on tx_clk, and port 1 can hear
// itself.  I is the number of a port:
//
//   line_I.hex  words that port I receives, from the rise of `load` on; then zeros
//   h2c_I.hex   {tlast, tkeep[7:0], tdata[63:0]}: words of the host, when `go` is up
//   sent_I.hex  {tx_rst, pma_tx_data}, a line a cycle of tx_clk from `load` on
//   c2h_I.hex   {tlast, tkeep[7:0], tdata[63:0]}, what the host has taken
//
// User logic: a RAM of 16 words at 0x08000, SLVERR above.
module card_bench #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter int PORTS = 2,
    parameter int TCP_ENABLES = 'b10
) (
    input logic fast_clk,  // tx_clk, and rx_clk of ports from 1 on
    input logic own_clk,  // rx_clk of port 0
    input logic host_clk,
    input logic tx_rst,
    input logic [PORTS-1:0] rx_rst,
    input logic host_rst,
    input logic load,
    input logic flush,  // a rising edge writes the files out
    input logic [PORTS-1:0] go,
    input logic echo,  // port 1 hears itself
    input logic [PORTS-1:0][1:0] host_mode,  // 0 takes nothing, 1 takes all, 2 now and then

    output logic [PORTS-1:0] line_done,
    output logic [PORTS-1:0] h2c_done,
    output logic [PORTS-1:0][15:0] c2h_packets,
    output int quiet_cycles,  // of host_clk since a word was last on offer between the host and the lines

    input  logic [18:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [18:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready
);
  timeunit 1ps; timeprecision 1fs;
  localparam int W = PMA_DATA_WIDTH;

  // One process, so that edges that belong together are one event.
  logic tx_clk, tx_user_clk, user_phase;
  initial {tx_clk, tx_user_clk, user_phase} = '0;
  always @(fast_clk) begin
    if (fast_clk) user_phase = ~user_phase;
    if (W == 32) tx_user_clk = fast_clk;
    else if (fast_clk) tx_user_clk = user_phase;
    tx_clk = fast_clk;
  end
  // The user's side of a reset may not end in the middle of one of its cycles.
  logic tx_user_rst;
  always @(posedge tx_user_clk) tx_user_rst <= tx_rst;
  logic tx_rst_q;
  always @(posedge tx_clk) tx_rst_q <= W == 32 ? tx_rst : tx_user_rst;

  logic [PORTS-1:0][W-1:0] pma_tx_data, pma_rx_data;
  logic [PORTS-1:0] rx_clk;
  assign rx_clk = {{PORTS - 1{tx_clk}}, own_clk};

  logic [PORTS-1:0][63:0] h2c_tdata, c2h_tdata;
  logic [PORTS-1:0][7:0] h2c_tkeep, c2h_tkeep;
  logic [PORTS-1:0] h2c_tvalid, h2c_tready, h2c_tlast, c2h_tvalid, c2h_tready, c2h_tlast;

  // --- User logic
  logic [14:0] user_awaddr, user_araddr;
  logic user_awvalid, user_awready, user_wvalid, user_wready, user_bvalid, user_bready, user_arvalid, user_arready;
  logic user_rvalid, user_rready;
  logic [31:0] user_wdata, user_rdata;
  logic [3:0] user_wstrb;
  logic [1:0] user_bresp, user_rresp;
  logic [31:0] ram[16];
  assign user_awready = user_awvalid & user_wvalid & ~user_bvalid;
  assign user_wready  = user_awready;
  assign user_arready = user_arvalid & ~user_rvalid;
  always @(posedge tx_user_clk) begin
    user_bvalid <= user_awready | (user_bvalid & ~user_bready);
    user_rvalid <= user_arready | (user_rvalid & ~user_rready);
    if (user_awready) user_bresp <= user_awaddr < 64 && user_wstrb == 4'hf ? 2'b00 : 2'b10;
    if (user_awready && user_awaddr < 64) ram[user_awaddr[5:2]] <= user_wdata;
    if (user_arready) user_rresp <= user_araddr < 64 ? 2'b00 : 2'b10;
    if (user_arready) user_rdata <= ram[user_araddr[5:2]];
    if (tx_user_rst) {user_bvalid, user_rvalid} <= '0;
  end

  card_chassis #(
      .PORTS         (PORTS),
      .TCP_ENABLES   (PORTS'(TCP_ENABLES)),
      .PMA_DATA_WIDTH(W),
      .RX_DEPTH      (2048)
  ) dut (
      .tx_clk,
      .tx_rst              (tx_rst_q),
      .tx_user_clk,
      .tx_user_rst         (W == 32 ? tx_rst_q : tx_user_rst),
      .rx_clk,
      .rx_rst,
      .rx_user_clk         ('0),
      .rx_user_rst         ('0),
      .pma_tx_data,
      .pma_rx_data,
      .host_clk,
      .host_rst,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .s_h2c_tdata         (h2c_tdata),
      .s_h2c_tkeep         (h2c_tkeep),
      .s_h2c_tvalid        (h2c_tvalid),
      .s_h2c_tready        (h2c_tready),
      .s_h2c_tlast         (h2c_tlast),
      .m_c2h_tdata         (c2h_tdata),
      .m_c2h_tkeep         (c2h_tkeep),
      .m_c2h_tvalid        (c2h_tvalid),
      .m_c2h_tready        (c2h_tready),
      .m_c2h_tlast         (c2h_tlast),
      .user_rx_tdata       (),
      .user_rx_tkeep       (),
      .user_rx_tvalid      (user_rx_tvalid),
      .user_rx_tlast       (),
      .user_rx_sof         (),
      .user_rx_status_valid(),
      .user_rx_status_good (),
      .tx_start            ('0),
      .tx_data_net         ('0),
      .tx_sof_net          ('0),
      .tx_eof_net          ('0),
      .tx_len_net          ('0),
      .tx_raw_net          ('0),
      .payload_conn_id     ('0),
      .payload_length      ('0),
      .payload_csum        ('0),
      .tx_ack_net          (),
      .tx_drop_net         (),
      .window_available    (),
      .tx_credit           (),
      .tx_armed            (),
      .tx_frame            (tx_frame),
      .m_user_axil_awaddr  (user_awaddr),
      .m_user_axil_awvalid (user_awvalid),
      .m_user_axil_awready (user_awready),
      .m_user_axil_wdata   (user_wdata),
      .m_user_axil_wstrb   (user_wstrb),
      .m_user_axil_wvalid  (user_wvalid),
      .m_user_axil_wready  (user_wready),
      .m_user_axil_bresp   (user_bresp),
      .m_user_axil_bvalid  (user_bvalid),
      .m_user_axil_bready  (user_bready),
      .m_user_axil_araddr  (user_araddr),
      .m_user_axil_arvalid (user_arvalid),
      .m_user_axil_arready (user_arready),
      .m_user_axil_rdata   (user_rdata),
      .m_user_axil_rresp   (user_rresp),
      .m_user_axil_rvalid  (user_rvalid),
      .m_user_axil_rready  (user_rready)
  );

  // What is on its way is on offer somewhere, but for some cycles in the midst of a FIFO or of the MAC.
  logic [PORTS-1:0] user_rx_tvalid, tx_frame, busy;
  always @(posedge host_clk) quiet_cycles <= busy != 0 || host_rst ? 0 : quiet_cycles + 1;

  // --- Files
  for (genvar i = 0; i < PORTS; i++) begin : gen_files
    localparam string NAME = {8'("0" + i), ".hex"};
    int line_file, h2c_file, sent_file, c2h_file;
    logic [31:0] word, noise;
    logic [72:0] h2c_word;
    logic [W-1:0] line_q;
    bit playing;
    initial begin
      {line_done[i], h2c_tvalid[i], h2c_done[i], c2h_tready[i]} = '0;
      c2h_packets[i] = '0;
      noise = 32'h13579bdf + i;
      playing = 0;
    end
    always @(posedge load) begin
      line_file = $fopen({"line_", NAME}, "r");
      h2c_file  = $fopen({"h2c_", NAME}, "r");
      sent_file = $fopen({"sent_", NAME}, "w");
      c2h_file  = $fopen({"c2h_", NAME}, "w");
      playing   = 1;
    end
    always @(posedge flush) begin
      $fflush(sent_file);
      $fflush(c2h_file);
    end

    always @(posedge rx_clk[i]) begin
      if (playing) begin
        if ($fscanf(line_file, "%h", word) != 1) begin
          word = '0;
          line_done[i] <= 1'b1;
        end
        line_q <= W'(word);
      end
    end
    assign busy[i] = c2h_tvalid[i] | h2c_tvalid[i] | user_rx_tvalid[i] | tx_frame[i]
        | dut.gen_port[i].u_port.host_tvalid;
    assign pma_rx_data[i] = (i == 1 && echo) ? pma_tx_data[i] : line_q;
    always @(posedge tx_clk) if (playing) $fwrite(sent_file, "%h\n", {7'h0, tx_rst_q, 32'(pma_tx_data[i])});

    always @(posedge host_clk) begin
      if (!h2c_tvalid[i] || h2c_tready[i]) begin
        h2c_tvalid[i] <= 1'b0;
        if (playing && go[i]) begin
          if ($fscanf(h2c_file, "%h", h2c_word) == 1) begin
            {h2c_tlast[i], h2c_tkeep[i], h2c_tdata[i]} <= h2c_word;
            h2c_tvalid[i] <= 1'b1;
          end else begin
            h2c_done[i] <= 1'b1;
          end
        end
      end
      if (c2h_tvalid[i] && c2h_tready[i] && !host_rst) begin
        $fwrite(c2h_file, "%h\n", {7'h0, c2h_tlast[i], c2h_tkeep[i], c2h_tdata[i]});
        c2h_packets[i] <= c2h_packets[i] + 16'(c2h_tlast[i]);
      end
      if (host_rst && playing && c2h_packets[i] != 0) $fwrite(c2h_file, "reset\n");
      noise         <= noise * 32'd1664525 + 32'd1013904223;
      c2h_tready[i] <= host_mode[i] == 1 || (host_mode[i] == 2 && noise[31:30] != 0);
    end
  end
endmodule
