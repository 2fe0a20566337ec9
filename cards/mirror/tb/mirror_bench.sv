// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// User logic of two ports between files of received words and a stand-in for ate, so that Python is not woken in each cycle.
// Raise `go` to play; `done` rises when both files have been played.  Port 0 receives on tx_clk, port 1 on a clock of its own.
// I is the number of a port:
//
//   rx_I.hex   a line a cycle of rx_clk: {good, last, valid}, keep, data
//   out_I.txt  eof len data, a line a word that the engine has taken
//
// The stand-in takes the first word WAIT cycles after tx_sof_net rose and then one each cycle, but one in 33.  With `stall` it
// begins no frame; with `refuse` it drops the words.
module mirror_bench #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter int DEPTH = 512
) (
    input logic base_clk,  // twice tx_clk
    input logic base_rx_clk,  // twice rx_clk of port 1
    input logic rst,
    output logic clk,  // tx_user_clk
    input logic go,
    output logic [1:0] done,

    input logic [1:0] rx_reset,
    input logic [1:0] stall,
    input logic refuse,
    output logic [1:0][15:0] frames,  // that the engines have accepted
    output int latency,  // cycles from port 0's last word in the store to the frame's offer to port 1's engine

    input  logic [14:0] s_axil_awaddr,
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
    input  logic [14:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready
);
  localparam int W = PMA_DATA_WIDTH;
  localparam int WAIT = 13, PAUSE = 33;

  // --- Clocks whose edges are aligned change in one assignment
  logic [1:0] phase, rx_clk, rx_rst;
  logic rx_phase, user_rst;
  initial {phase, rx_phase} = '0;
  always_ff @(posedge base_clk) phase <= phase - 1'b1;
  always_ff @(posedge base_rx_clk) rx_phase <= ~rx_phase;
  assign clk    = W == 16 ? phase[1] : phase[0];
  assign rx_clk = {rx_phase, phase[0]};
  always_ff @(posedge clk) user_rst <= rst;

  logic [1:0][  W-1:0] user_rx_tdata;
  logic [1:0][W/8-1:0] user_rx_tkeep;
  logic [1:0] user_rx_tvalid, user_rx_tlast, user_rx_status_good;
  logic [1:0][31:0] tx_data_net;
  logic [1:0] tx_sof_net, tx_eof_net, tx_ack_net, tx_drop_net;
  logic [1:0][1:0] tx_len_net;

  for (genvar i = 0; i < 2; i++) begin : gen_port
    localparam string NUMBER = {8'("0" + i)};

    // --- What the port receives
    int rx_file, out_file;
    bit open, cut;
    logic [ 2:0] f_flags;
    logic [ 3:0] f_keep;
    logic [31:0] f_data;
    initial {open, cut, done[i]} = '0;
    always @(posedge go) begin
      rx_file  = $fopen({"rx_", NUMBER, ".hex"}, "r");
      out_file = $fopen({"out_", NUMBER, ".txt"}, "w");
      open     = 1;
      done[i]  = 0;
    end
    always @(posedge rx_clk[i]) begin
      rx_rst[i] <= rst | rx_reset[i];
      {user_rx_status_good[i], user_rx_tlast[i], user_rx_tvalid[i]} <= '0;
      if (open && !done[i]) begin
        if ($fscanf(rx_file, "%h %h %h", f_flags, f_keep, f_data) == 3) begin
          // The rest of a frame that was under way does not come.
          if (rx_rst[i]) cut = 1;
          {user_rx_status_good[i], user_rx_tlast[i], user_rx_tvalid[i]} <= cut ? '0 : f_flags;
          if (f_flags[1]) cut = 0;
          user_rx_tkeep[i] <= f_keep[W/8-1:0];
          user_rx_tdata[i] <= f_data[W-1:0];
        end else begin
          done[i] <= 1'b1;
        end
      end
    end

    // --- The port's engine
    int cycle;
    bit busy;
    assign tx_ack_net[i]  = busy && cycle >= WAIT && cycle % PAUSE != 0;
    assign tx_drop_net[i] = tx_ack_net[i] & refuse;
    always @(posedge clk) begin
      if (!busy && tx_sof_net[i] && !stall[i]) begin
        busy  <= 1;
        cycle <= 0;
      end else if (busy) begin
        cycle <= cycle + 1;
        if (cycle < WAIT) assert (tx_sof_net[i]);
        if (tx_ack_net[i]) begin
          $fwrite(out_file, "%0d %0d %0d %h\n", tx_sof_net[i], tx_eof_net[i], tx_len_net[i], tx_data_net[i]);
          if (tx_eof_net[i]) begin
            busy      <= 0;
            frames[i] <= frames[i] + 1'b1;
            $fflush(out_file);
          end
        end
      end
      if (user_rst) begin
        busy      <= 0;
        frames[i] <= '0;
      end
    end
  end

  // --- Latency
  int since_last;
  always @(posedge clk) begin
    since_last <= dut.gen_port[0].gen_way.u_way.in_valid && dut.gen_port[0].gen_way.u_way.in_last ? 1 : since_last + 1;
    if (tx_sof_net[1] && !busy_1) latency <= since_last;
  end
  logic busy_1;
  always_ff @(posedge clk) busy_1 <= tx_sof_net[1];

  mirror_logic #(
      .PORTS         (2),
      .PMA_DATA_WIDTH(W),
      .DEPTH         (DEPTH)
  ) dut (
      .tx_user_clk(clk),
      .tx_user_rst(user_rst),
      .*
  );
endmodule
