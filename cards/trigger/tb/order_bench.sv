// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// User logic of a card between a file of received words and a stand-in for ate, all in files, so that Python is not woken
// in each cycle.  Raise `go` to play; `done` rises at the end of the file; lower `go` then.
//
//   rx.hex   a line a cycle of rx_clk: {last, valid}, keep, data
//   out.txt  S line    tx_start, while this line of rx.hex is on user_rx
//            M cycle conn conn length length csum csum   metadata when they are due and at the first tx_ack_net, which is
//                      in this cycle of tx_user_clk, counted from tx_start
//            W line eof len data   a word that is taken
//
// The stand-in takes the first word `wait_cycles` cycles after tx_sof_net rose and then one each cycle, but one in 33; with
// `refuse` it drops them, one each cycle.  ate does so from the second cycle on, or after any frame that went first.
module order_bench #(
    parameter bit STAC_T0 = 1'b0,  // the card
    parameter int PMA_DATA_WIDTH = 16,
    parameter bit TRIGGER_CROSSING = 1'b0
) (
    input logic base_clk,  // twice tx_clk
    input logic base_rx_clk,  // the same for rx_clk with TRIGGER_CROSSING
    input logic rst,
    output logic clk,  // tx_user_clk
    input logic go,
    output logic done,

    input logic       window,
    input logic       armed,
    input logic       frame,       // software's is on its way
    input logic       refuse,
    input logic [7:0] wait_cycles,

    input  logic [14:0] s_axil_awaddr,
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
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready
);
  localparam int W = PMA_DATA_WIDTH;

  // --- Clocks whose edges are aligned change in one assignment
  logic [1:0] phase;
  logic rx_phase, tx_clk, rx_clk;
  initial {phase, rx_phase} = '0;
  always_ff @(posedge base_clk) phase <= phase - 1'b1;
  always_ff @(posedge base_rx_clk) rx_phase <= ~rx_phase;
  assign tx_clk = phase[0];
  assign clk    = W == 16 ? phase[1] : phase[0];
  assign rx_clk = TRIGGER_CROSSING ? rx_phase : phase[0];

  // --- What is received
  int rx_file, out_file, line;
  logic going, more;
  logic [1:0] f_flags, rx_flags;
  logic [W/8-1:0] f_keep, rx_keep;
  logic [W-1:0] f_data, rx_data;
  initial {going, done, rx_flags} = '0;
  always @(posedge rx_clk) begin
    if (go && !going) begin
      rx_file  = $fopen("rx.hex", "r");
      out_file = $fopen("out.txt", "w");
      going    <= 1'b1;
      done     <= 1'b0;
      line     <= -1;
      rx_flags <= '0;
    end else if (going) begin
      more = $fscanf(rx_file, "%h %h %h", f_flags, f_keep, f_data) == 3;
      rx_flags <= more ? f_flags : '0;
      rx_keep  <= f_keep;
      rx_data  <= f_data;
      line     <= line + 1;
      if (!more) done <= 1'b1;
      if (!go) begin
        going <= 1'b0;
        $fclose(rx_file);
        $fclose(out_file);
      end
    end
  end

  // --- The stand-in for ate, whose credit is that of the window, and none in a frame
  logic [31:0] credit;
  assign credit = window && !taking && !sof ? 32'hffffffff : '0;
  logic tx_start, sof, eof, ack, taking;
  logic [1:0] len;
  logic [31:0] data, csum, csum_due;
  logic [15:0] conn, length, conn_due, length_due;
  int cycle, pause;
  localparam int LENGTH_DUE = 3, CSUM_DUE = 9;  // the published ones
  assign ack = sof ? cycle >= int'(wait_cycles) : taking & (refuse | (pause % 33 != 7));
  initial {taking, cycle, pause} = '0;
  always @(posedge clk) begin
    pause <= pause + 1;
    cycle <= sof ? cycle + 1 : 0;
    if (!sof) conn_due <= conn;
    if (sof && cycle == LENGTH_DUE - 1) length_due <= length;
    if (sof && cycle == CSUM_DUE - 1) csum_due <= csum;
    if (ack) taking <= ~eof;
    if (going && ack && sof)
      $fwrite(out_file, "M %0d %h %h %h %h %h %h\n", cycle + 1, conn_due, conn, length_due, length, csum_due, csum);
    if (going && ack) $fwrite(out_file, "W %0d %h %h %h\n", line, eof, len, data);
  end
  always @(posedge tx_clk) if (going && tx_start) $fwrite(out_file, "S %0d\n", line);

  if (STAC_T0) begin : gen_stac_t0
    logic [1:0][31:0] datas, csums;
    logic [1:0][15:0] conns, lengths;
    logic [1:0][1:0] lens;
    logic [1:0] starts, sofs, eofs;
    assign {data, csum, conn, length} = {datas[0], csums[0], conns[0], lengths[0]};
    assign {len, tx_start, sof, eof}  = {lens[0], starts[0], sofs[0], eofs[0]};
    stac_t0_logic #(
        .PMA_DATA_WIDTH  (W),
        .TRIGGER_CROSSING(TRIGGER_CROSSING)
    ) dut (
        .rx_clk          ({2{rx_clk}}),
        .rx_rst          ({2{rst}}),
        .user_rx_tdata   ({rx_data, {W{1'b1}}}),
        .user_rx_tkeep   ({rx_keep, {W / 8{1'b1}}}),
        .user_rx_tvalid  ({rx_flags[0], 1'b0}),
        .user_rx_tlast   ({rx_flags[1], 1'b0}),
        .tx_clk,
        .tx_rst          (rst),
        .tx_start        (starts),
        .tx_user_clk     (clk),
        .tx_user_rst     (rst),
        .tx_data_net     (datas),
        .tx_sof_net      (sofs),
        .tx_eof_net      (eofs),
        .tx_len_net      (lens),
        .tx_ack_net      ({1'b0, ack}),
        .tx_drop_net     ({1'b0, refuse}),
        .payload_conn_id (conns),
        .payload_length  (lengths),
        .payload_csum    (csums),
        .window_available({1'b1, window}),
        .*
    );
  end else begin : gen_trigger
    trigger_logic #(
        .PMA_DATA_WIDTH  (W),
        .CONNECTIONS     (512),
        .TRIGGER_CROSSING(TRIGGER_CROSSING)
    ) dut (
        .rx_clk,
        .rx_rst          (rst),
        .user_rx_tdata   (rx_data),
        .user_rx_tkeep   (rx_keep),
        .user_rx_tvalid  (rx_flags[0]),
        .user_rx_tlast   (rx_flags[1]),
        .tx_clk,
        .tx_rst          (rst),
        .tx_armed        (armed),
        .tx_start,
        .tx_user_clk     (clk),
        .tx_user_rst     (rst),
        .tx_data_net     (data),
        .tx_sof_net      (sof),
        .tx_eof_net      (eof),
        .tx_len_net      (len),
        .tx_ack_net      (ack),
        .tx_drop_net     (refuse),
        .payload_conn_id (conn),
        .payload_length  (length),
        .payload_csum    (csum),
        .window_available(window),
        .tx_credit       (credit),
        .tx_frame        (frame),
        .*
    );
  end
endmodule
