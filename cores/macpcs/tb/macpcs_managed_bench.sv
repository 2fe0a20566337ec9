// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Two ends of a link, each a macpcs_managed whose receive clock is the other's transmit clock.  Users play files and all
// is recorded to files, so that Python is woken for registers and events only.  Words of 16 bits leave the upper half of
// data and of keep zero; with them the address filter is built.  NAME is a or b:
//
//   user_NAME.hex  {hold, tvalid, tlast, tuser, tkeep[3:0], tdata[31:0]}: a line a cycle; with `hold` until tready
//   chan_NAME.hex  words that the other end receives in channel mode 3
//   line_NAME.hex  {6'h0, rx_link_up, tx_stopped, pma_tx_data[31:0]} in each cycle of tx_clk since tx_rst
//   rx_NAME.hex    {sof, status_valid, good, fcs, code, runt, oversize, tuser, 1'b0, tlast, tvalid, 1'b0, tkeep[3:0],
//                  tdata[31:0]} in the cycles of rx_clk in which the first two or tvalid are set
module macpcs_managed_bench #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter int MAC_TX_PAUSE_LENGTH = 24
) (
    input logic axil_clk,
    input logic axil_rst,
    input logic load,  // a rising edge opens the files
    input logic flush,  // a rising edge writes them out

    input logic       a_tx_clk,
    input logic       b_tx_clk,
    // a and b, b on top
    input logic [1:0] tx_rst,
    input logic [1:0] rx_rst,
    input logic [1:0] go,        // the user begins frames
    input logic [1:0] pause_req,

    // The channel behind an end's transmitter
    input logic [1:0][1:0] chan_mode,  // 0 the line, 1 zeros, 2 noise, 3 a file
    input logic [1:0][4:0] chan_shift,  // bits that it is late
    input logic [1:0][31:0] flip_mask,  // bits that are wrong in
    input logic [1:0][5:0] flip_phase,  // this one of 33 words, counted from tx_rst,
    input logic [1:0][15:0] flip_count,  // in so many of them, from the rising edge of
    input logic [1:0] flip_go,

    output logic [1:0][15:0] user_frames,  // whose last word has been taken
    output logic [1:0] user_done,
    output logic [1:0] flip_done,
    output logic [1:0] tx_paused,
    output logic [1:0] tx_stopped,
    output logic [1:0] rx_link_up,
    output logic [1:0][1:0] loopbacks,  // as macpcs gets them: user, PMA
    output logic [1:0][31:0] cycles,  // lines of line_NAME.hex

    input  logic [ 8:0] a_axil_awaddr,
    b_axil_awaddr,
    input  logic [ 2:0] a_axil_awprot,
    b_axil_awprot,
    input  logic        a_axil_awvalid,
    b_axil_awvalid,
    output logic        a_axil_awready,
    b_axil_awready,
    input  logic [31:0] a_axil_wdata,
    b_axil_wdata,
    input  logic [ 3:0] a_axil_wstrb,
    b_axil_wstrb,
    input  logic        a_axil_wvalid,
    b_axil_wvalid,
    output logic        a_axil_wready,
    b_axil_wready,
    output logic [ 1:0] a_axil_bresp,
    b_axil_bresp,
    output logic        a_axil_bvalid,
    b_axil_bvalid,
    input  logic        a_axil_bready,
    b_axil_bready,
    input  logic [ 8:0] a_axil_araddr,
    b_axil_araddr,
    input  logic [ 2:0] a_axil_arprot,
    b_axil_arprot,
    input  logic        a_axil_arvalid,
    b_axil_arvalid,
    output logic        a_axil_arready,
    b_axil_arready,
    output logic [31:0] a_axil_rdata,
    b_axil_rdata,
    output logic [ 1:0] a_axil_rresp,
    b_axil_rresp,
    output logic        a_axil_rvalid,
    b_axil_rvalid,
    input  logic        a_axil_rready,
    b_axil_rready
);
  timeunit 1ps; timeprecision 1fs;  // for clocks 100 ppm apart

  localparam int W = PMA_DATA_WIDTH;
  typedef struct packed {
    logic        hold;
    logic        tvalid;
    logic        tlast;
    logic        tuser;
    logic [3:0]  tkeep;
    logic [31:0] tdata;
  } user_t;

  logic [1:0] tx_clk;
  logic [1:0][W-1:0] pma_tx_data, pma_rx_data;
  assign tx_clk = {b_tx_clk, a_tx_clk};

  // --- Registers, as arrays
  logic [1:0][8:0] awaddr, araddr;
  logic [1:0][2:0] awprot, arprot;
  logic [1:0] awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [1:0][31:0] wdata, rdata;
  logic [1:0][3:0] wstrb;
  logic [1:0][1:0] bresp, rresp;
  assign awaddr = {b_axil_awaddr, a_axil_awaddr};
  assign awprot = {b_axil_awprot, a_axil_awprot};
  assign awvalid = {b_axil_awvalid, a_axil_awvalid};
  assign wdata = {b_axil_wdata, a_axil_wdata};
  assign wstrb = {b_axil_wstrb, a_axil_wstrb};
  assign wvalid = {b_axil_wvalid, a_axil_wvalid};
  assign bready = {b_axil_bready, a_axil_bready};
  assign araddr = {b_axil_araddr, a_axil_araddr};
  assign arprot = {b_axil_arprot, a_axil_arprot};
  assign arvalid = {b_axil_arvalid, a_axil_arvalid};
  assign rready = {b_axil_rready, a_axil_rready};
  assign {b_axil_awready, a_axil_awready} = awready;
  assign {b_axil_wready, a_axil_wready} = wready;
  assign {b_axil_bresp, a_axil_bresp} = bresp;
  assign {b_axil_bvalid, a_axil_bvalid} = bvalid;
  assign {b_axil_arready, a_axil_arready} = arready;
  assign {b_axil_rdata, a_axil_rdata} = rdata;
  assign {b_axil_rresp, a_axil_rresp} = rresp;
  assign {b_axil_rvalid, a_axil_rvalid} = rvalid;

  for (genvar i = 0; i < 2; i++) begin : gen_end
    localparam string NAME = i == 0 ? "a" : "b";
    user_t user, user_line;
    logic tready;
    logic [W-1:0] m_tdata;
    logic [W/8-1:0] m_tkeep;
    logic m_tvalid, m_tlast, m_tuser, sof, status_valid, good, fcs, code, runt, oversize;

    macpcs_managed #(
        .PMA_DATA_WIDTH              (W),
        .MAC_TX_DATA_WIDTH           (W),
        .MAC_RX_DATA_WIDTH           (W),
        .PCS_RX_LATENCY_MODE         (W == 16 ? 1 : 0),
        .MAC_RX_MIN_PKT_LENGTH       (64),
        .MAC_RX_MAX_PKT_LENGTH       (1518),
        .MAC_RX_ADDRESS_FILTER_ENABLE(W == 16),
        .MAC_TX_PAUSE_LENGTH         (MAC_TX_PAUSE_LENGTH)
    ) dut (
        .axil_clk,
        .axil_rst,
        .s_axil_awaddr  (awaddr[i]),
        .s_axil_awprot  (awprot[i]),
        .s_axil_awvalid (awvalid[i]),
        .s_axil_awready (awready[i]),
        .s_axil_wdata   (wdata[i]),
        .s_axil_wstrb   (wstrb[i]),
        .s_axil_wvalid  (wvalid[i]),
        .s_axil_wready  (wready[i]),
        .s_axil_bresp   (bresp[i]),
        .s_axil_bvalid  (bvalid[i]),
        .s_axil_bready  (bready[i]),
        .s_axil_araddr  (araddr[i]),
        .s_axil_arprot  (arprot[i]),
        .s_axil_arvalid (arvalid[i]),
        .s_axil_arready (arready[i]),
        .s_axil_rdata   (rdata[i]),
        .s_axil_rresp   (rresp[i]),
        .s_axil_rvalid  (rvalid[i]),
        .s_axil_rready  (rready[i]),
        .tx_clk         (tx_clk[i]),
        .tx_rst         (tx_rst[i]),
        .s_axis_clk     (tx_clk[i]),
        .s_axis_rst     (tx_rst[i]),
        .s_axis_tdata   (user.tdata[W-1:0]),
        .s_axis_tkeep   (user.tkeep[W/8-1:0]),
        .s_axis_tvalid  (user.tvalid),
        .s_axis_tready  (tready),
        .s_axis_tlast   (user.tlast),
        .s_axis_tuser   (user.tuser),
        .pma_tx_data    (pma_tx_data[i]),
        .tx_pause_req   (pause_req[i]),
        .tx_paused      (tx_paused[i]),
        .tx_stopped     (tx_stopped[i]),
        .rx_clk         (tx_clk[1-i]),
        .rx_rst         (rx_rst[i]),
        .pma_rx_data    (pma_rx_data[i]),
        .m_axis_clk     (tx_clk[1-i]),
        .m_axis_rst     (rx_rst[i]),
        .m_axis_tdata   (m_tdata),
        .m_axis_tkeep   (m_tkeep),
        .m_axis_tvalid  (m_tvalid),
        .m_axis_tready  (1'b0),
        .m_axis_tlast   (m_tlast),
        .m_axis_tuser   (m_tuser),
        .rx_sof         (sof),
        .rx_status_valid(status_valid),
        .rx_status_good (good),
        .rx_err_fcs     (fcs),
        .rx_err_code    (code),
        .rx_err_runt    (runt),
        .rx_err_oversize(oversize),
        .rx_link_up     (rx_link_up[i])
    );

    assign loopbacks[i] = {dut.u_macpcs.user_loopback, dut.u_macpcs.pma_loopback};

    // --- User and records
    int user_file, chan_file, line_file, rx_file;
    bit busy, in_frame;
    initial begin
      user = '0;
      user_frames[i] = '0;
      user_done[i] = 1'b0;
      cycles[i] = '0;
    end
    always @(posedge load) begin
      user_file = $fopen({"user_", NAME, ".hex"}, "r");
      chan_file = $fopen({"chan_", NAME, ".hex"}, "r");
      line_file = $fopen({"line_", NAME, ".hex"}, "w");
      rx_file   = $fopen({"rx_", NAME, ".hex"}, "w");
    end

    always @(posedge tx_clk[i]) begin
      if (!tx_rst[i]) begin
        $fwrite(line_file, "%h\n", {6'h0, rx_link_up[i], tx_stopped[i], 32'(pma_tx_data[i])});
        cycles[i] <= cycles[i] + 1;
        if (user.tvalid && tready) begin
          user_frames[i] <= user_frames[i] + 16'(user.tlast);
          in_frame = ~user.tlast;
        end
        if (!(user.hold && !tready)) begin
          if (!in_frame && !go[i]) begin
            user <= '0;
          end else if ($fscanf(user_file, "%h", user_line) == 1) begin
            user <= user_line;
          end else begin
            user <= '0;
            user_done[i] <= 1'b1;
          end
        end
      end
    end

    always @(posedge tx_clk[1-i]) begin
      if (!rx_rst[i] && (m_tvalid || sof || status_valid)) begin
        $fwrite(rx_file, "%h\n", {sof, status_valid, good, fcs, code, runt, oversize, m_tuser, 1'b0, m_tlast, m_tvalid,
                                  1'b0, 4'(m_tkeep), 32'(m_tdata)});
      end
    end

    always @(posedge flush) begin
      $fflush(line_file);
      $fflush(rx_file);
    end

    // --- Channel
    logic [W-1:0] line_q, sent;
    logic [31:0] noise_q, chan_word;
    logic [ 5:0] phase_q;
    logic [15:0] flips_q;
    logic flip, flip_go_q;
    assign flip = phase_q == flip_phase[i] && flips_q != 0;
    assign flip_done[i] = flips_q == 0 && flip_go_q;
    always_comb begin
      sent = pma_tx_data[i] ^ (flip ? flip_mask[i][W-1:0] : '0);
      if (chan_mode[i] == 1) sent = '0;
      if (chan_mode[i] == 2) sent = noise_q[W-1:0];
      if (chan_mode[i] == 3) sent = chan_word[W-1:0];
    end
    initial begin
      noise_q   = 32'h13579bdf + i;
      chan_word = '0;
    end
    always @(posedge tx_clk[i]) begin
      phase_q   <= (tx_rst[i] || phase_q == 32) ? '0 : phase_q + 1;
      flip_go_q <= flip_go[i];
      if (flip_go[i] && !flip_go_q) flips_q <= flip_count[i];
      else if (flip) flips_q <= flips_q - 1;
      if (tx_rst[i]) flips_q <= '0;
      noise_q          <= noise_q * 32'd1664525 + 32'd1013904223;
      line_q           <= sent;
      pma_rx_data[1-i] <= W'({sent, line_q} >> (6'(W) - {1'b0, chan_shift[i]}));
      if (chan_mode[i] == 3) begin
        if ($fscanf(chan_file, "%h", chan_word) != 1) chan_word = '0;
      end
    end
  end
endmodule
