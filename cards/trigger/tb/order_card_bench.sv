// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole card with two ports between lines of files, so that Python is not woken in each cycle.  The transmit clock is
// the market data port's receive clock, but with TRIGGER_CROSSING.
//
//   rx.hex    words that the market data port receives, one a cycle of rx_clk, from the rise of `load` on; then zeros
//   sent.hex  {number of the word of rx.hex that is received now, word that the order port sends}, a line a cycle of
//             tx_clk, from the rise of `load` on
//   h2c.hex   {last, keep, data} of software to the order port, a line a word, when `go` is up
module order_card_bench #(
    parameter bit STAC_T0 = 1'b0,  // the card
    parameter int PMA_DATA_WIDTH = 16,
    parameter bit TRIGGER_CROSSING = 1'b0
) (
    input logic base_clk,  // twice tx_clk
    input logic base_rx_clk,  // twice rx_clk, with TRIGGER_CROSSING
    input logic host_clk,
    input logic rst,
    input logic load,
    input logic go,
    input logic flush,
    output logic done,
    output logic h2c_done,
    input logic host_ready,

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
  localparam int W = PMA_DATA_WIDTH;
  localparam int MARKET_DATA = STAC_T0 ? 1 : 0;
  localparam int ORDERS = STAC_T0 ? 0 : 1;

  // --- Clocks whose edges are aligned change in one assignment
  logic [1:0] phase;
  logic rx_phase, tx_clk, tx_user_clk, rx_clk;
  initial {phase, rx_phase} = '0;
  always_ff @(posedge base_clk) phase <= phase - 1'b1;
  always_ff @(posedge base_rx_clk) rx_phase <= ~rx_phase;
  assign tx_clk      = phase[0];
  assign tx_user_clk = W == 16 ? phase[1] : phase[0];
  assign rx_clk      = TRIGGER_CROSSING ? rx_phase : phase[0];

  // A reset may not end in the middle of a user's cycle.
  logic user_rst, rx_rst, host_rst;
  always_ff @(posedge tx_user_clk) user_rst <= rst;
  always_ff @(posedge rx_clk) rx_rst <= rst;
  always_ff @(posedge host_clk) host_rst <= rst;

  logic [1:0][W-1:0] pma_tx_data, pma_rx_data;
  logic [W-1:0] received;
  logic [1:0] h2c_tvalid, h2c_tready, h2c_tlast;
  logic [1:0][63:0] h2c_tdata;
  logic [1:0][ 7:0] h2c_tkeep;

  // --- Lines
  int rx_file, sent_file, h2c_file, word;
  logic open, more;
  logic [W-1:0] f_word;
  initial {open, done} = '0;
  initial word = -1;
  always @(posedge rx_clk) begin
    if (load && !open) begin
      rx_file   = $fopen("rx.hex", "r");
      sent_file = $fopen("sent.hex", "w");
      h2c_file  = $fopen("h2c.hex", "r");
      open <= 1'b1;
      word <= -1;
    end else if (open) begin
      more = $fscanf(rx_file, "%h", f_word) == 1;
      received <= more ? f_word : '0;
      word     <= word + 1;
      if (!more) done <= 1'b1;
    end
  end
  always_comb begin
    pma_rx_data = '0;
    pma_rx_data[MARKET_DATA] = received;
  end
  always @(posedge tx_clk) if (open) $fwrite(sent_file, "%0d %h\n", word, pma_tx_data[ORDERS]);
  always @(posedge flush) $fflush(sent_file);

  // --- Software
  logic f_last, h2c_more, h_valid, h_last;
  logic [7:0] f_keep, h_keep;
  logic [63:0] f_data, h_data;
  initial {h_valid, h2c_done} = '0;
  always_comb begin
    {h2c_tvalid, h2c_tlast, h2c_tkeep, h2c_tdata} = '0;
    h2c_tvalid[ORDERS] = h_valid;
    h2c_tlast[ORDERS] = h_last;
    h2c_tkeep[ORDERS] = h_keep;
    h2c_tdata[ORDERS] = h_data;
  end
  always @(posedge host_clk) begin
    if (go && !h2c_done && (!h_valid || h2c_tready[ORDERS])) begin
      h2c_more = $fscanf(h2c_file, "%h %h %h", f_last, f_keep, f_data) == 3;
      h_valid  <= h2c_more;
      h_last   <= f_last;
      h_keep   <= f_keep;
      h_data   <= f_data;
      h2c_done <= ~h2c_more;
    end
  end

  if (STAC_T0) begin : gen_stac_t0
    stac_t0_card #(
        .PMA_DATA_WIDTH  (W),
        .TRIGGER_CROSSING(TRIGGER_CROSSING)
    ) dut (
        .tx_rst      (user_rst),
        .tx_user_rst (user_rst),
        .rx_clk      ({2{rx_clk}}),
        .rx_rst      ({2{rx_rst}}),
        .rx_user_clk ('0),
        .rx_user_rst ('0),
        .s_h2c_tdata (h2c_tdata),
        .s_h2c_tkeep (h2c_tkeep),
        .s_h2c_tvalid(h2c_tvalid),
        .s_h2c_tready(h2c_tready),
        .s_h2c_tlast (h2c_tlast),
        .m_c2h_tdata (),
        .m_c2h_tkeep (),
        .m_c2h_tvalid(),
        .m_c2h_tready({2{host_ready}}),
        .m_c2h_tlast (),
        .*
    );
  end else begin : gen_trigger
    trigger_card #(
        .PMA_DATA_WIDTH  (W),
        .TRIGGER_CROSSING(TRIGGER_CROSSING)
    ) dut (
        .tx_rst      (user_rst),
        .tx_user_rst (user_rst),
        .rx_clk      ({2{rx_clk}}),
        .rx_rst      ({2{rx_rst}}),
        .rx_user_clk ('0),
        .rx_user_rst ('0),
        .s_h2c_tdata (h2c_tdata),
        .s_h2c_tkeep (h2c_tkeep),
        .s_h2c_tvalid(h2c_tvalid),
        .s_h2c_tready(h2c_tready),
        .s_h2c_tlast (h2c_tlast),
        .m_c2h_tdata (),
        .m_c2h_tkeep (),
        .m_c2h_tvalid(),
        .m_c2h_tready({2{host_ready}}),
        .m_c2h_tlast (),
        .*
    );
  end
endmodule
