// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One pair of ports of the stac_t0 card: market data in, orders out.  A frame with a fitting index (stac_t0_match) makes an
// order on the connection that the frame names; its payload is the order's number, the index as it came, and zeros.
// Latency: tx_start rises one cycle of tx_clk after the cycle with the index's last byte (see order_start for CROSSING).
//
//   user_rx -> stac_t0_match -> order_start -> tx_start          stac_t0_regs <- s_axil
//                  | conn, index     |  ends
//                  +-----------> order_send -> tx_*_net
//
//   16-bit words, cycles of tx_clk, a frame of 64 bytes:
//   byte on user_rx    44,45  46,47  48,49  50,51  52,53  54,55
//   payload_conn_id    -      conn   conn   conn   conn   conn   conn
//   window_available                               of this conn  (two cycles of tx_user_clk after it)
//   near                                                  1      0
//   tx_start                                              0      1
//
// With 32-bit words the connection is shown two cycles before tx_start and its window is known in the cycle of tx_start.
// While an order goes out, its connection is shown; then that of the last frame.
//
// Clocks: as in order_start.  With CROSSING the settings cross to rx_clk as they are: they change only while not armed.
module stac_t0_pair
  import ones_pkg::*;
#(
    parameter int PMA_DATA_WIDTH = 16,
    parameter int MAX_LENGTH = 1460,
    parameter bit CROSSING = 1'b0,
    parameter int MARKET_DATA_PORT = 1
) (
    input logic                        rx_clk,
    input logic                        rx_rst,
    input logic [  PMA_DATA_WIDTH-1:0] user_rx_tdata,
    input logic [PMA_DATA_WIDTH/8-1:0] user_rx_tkeep,
    input logic                        user_rx_tvalid,
    input logic                        user_rx_tlast,

    input  logic tx_clk,
    input  logic tx_rst,
    output logic tx_start,

    input  logic        tx_user_clk,
    input  logic        tx_user_rst,
    output logic [31:0] tx_data_net,
    output logic        tx_sof_net,
    output logic        tx_eof_net,
    output logic [ 1:0] tx_len_net,
    input  logic        tx_ack_net,
    input  logic        tx_drop_net,
    output logic [15:0] payload_conn_id,
    output logic [15:0] payload_length,
    output logic [31:0] payload_csum,
    input  logic        window_available,

    input  logic [ 6:0] s_axil_awaddr,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [ 6:0] s_axil_araddr,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready
);
  logic clk, rst;
  assign clk = tx_user_clk;
  assign rst = tx_user_rst;

  // --- Settings, as they were when it was armed
  logic [7:0] type_long_q, type_short_q;
  logic [63:0] mask_q;

  // --- The match, and what the frame says
  logic conn_new;
  logic [15:0] rx_conn, conn;
  localparam int PARTS = PMA_DATA_WIDTH == 16 ? 3 : 4;  // of stac_t0_match
  logic [PARTS-1:0] near;
  logic [63:0] index;
  stac_t0_match #(
      .WIDTH(PMA_DATA_WIDTH)
  ) u_match (
      .clk       (rx_clk),
      .rst       (rx_rst),
      .type_long (type_long_q),
      .type_short(type_short_q),
      .mask      (mask_q),
      .rx_tdata  (user_rx_tdata),
      .rx_tkeep  (user_rx_tkeep),
      .rx_tvalid (user_rx_tvalid),
      .rx_tlast  (user_rx_tlast),
      .conn_new,
      .conn      (rx_conn),
      .near,
      .index
  );

  if (!CROSSING) begin : gen_direct
    assign conn = rx_conn;
    logic unused;
    assign unused = conn_new;
  end else begin : gen_crossing
    // The frame goes on for some words after its connection, so rx_conn stands still when it is taken.
    logic toggle_q = 1'b0, seen_q = 1'b0;
    logic toggle;
    logic [15:0] taken_q;
    always_ff @(posedge rx_clk) toggle_q <= toggle_q ^ conn_new;
    cdc_bits conn_to_tx (
        .clk(tx_clk),
        .rst(1'b0),
        .d  (toggle_q),
        .q  (toggle)
    );
    always_ff @(posedge tx_clk) begin
      seen_q <= toggle;
      if (toggle != seen_q) taken_q <= rx_conn;
    end
    assign conn = taken_q;
  end

  // --- From the match to the order's end
  logic armed, busy, sending, sent, refused;
  logic start, refused_disarmed, refused_window, refused_busy;
  logic late;  // a trigger here never waits
  order_start #(
      .WIDTH   (PMA_DATA_WIDTH),
      .PARTS   (PARTS),
      .CROSSING(CROSSING),
      .STAGES  (4)                // so that the connection, which crosses by itself, has been there for long enough
  ) u_start (
      .rx_clk,
      .rx_rst,
      .near,
      .tx_clk,
      .tx_rst,
      .tx_armed(1'b1),  // an order that comes before ate is ready begins late
      .tx_start,
      .armed,
      .busy,
      .window_available,
      .may_wait(1'b0),
      .ends({late, refused_busy, refused_window, refused_disarmed, start})
  );

  logic [13:0] at;
  logic [31:0] word;
  order_send u_send (
      .clk,
      .rst,
      .start,
      .length(payload_length),
      .index (at),
      .word,
      .busy,
      .sending,
      .sent,
      .refused,
      .tx_data_net,
      .tx_sof_net,
      .tx_eof_net,
      .tx_len_net,
      .tx_ack_net,
      .tx_drop_net
  );

  // --- The order
  logic [31:0] number_q, first_q;  // first_q: with the first byte first
  logic [63:0] index_q;
  logic [15:0] conn_q;
  logic start_q;  // the index is there in this cycle at the latest; words and sum have time
  assign payload_conn_id = sending ? conn_q : conn;
  always_ff @(posedge clk) begin
    first_q <= {number_q[7:0], number_q[15:8], number_q[23:16], number_q[31:24]};
    start_q <= start;
    if (start_q) index_q <= index;
    if (start) conn_q <= conn;
    payload_csum <= {
      ones_add3(first_q[31:16], index_q[63:48], index_q[31:16]), ones_add3(first_q[15:0], index_q[47:32], index_q[15:0])
    };
  end
  always_comb begin
    case (at)
      14'd0:   word = first_q;
      14'd1:   word = index_q[31:0];
      14'd2:   word = index_q[63:32];
      default: word = '0;
    endcase
  end

  // --- Registers
  stac_t0_regs_pkg::stac_t0_regs__in_t  to_regs;
  stac_t0_regs_pkg::stac_t0_regs__out_t regs;
  stac_t0_regs u_regs (
      .clk,
      .rst,
      .s_axil_awready,
      .s_axil_awvalid,
      .s_axil_awaddr,
      .s_axil_awprot(3'b000),
      .s_axil_wready,
      .s_axil_wvalid,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bready,
      .s_axil_bvalid,
      .s_axil_bresp,
      .s_axil_arready,
      .s_axil_arvalid,
      .s_axil_araddr,
      .s_axil_arprot(3'b000),
      .s_axil_rready,
      .s_axil_rvalid,
      .s_axil_rdata,
      .s_axil_rresp,
      .hwif_in      (to_regs),
      .hwif_out     (regs)
  );

  // OFF until software arms, and what was decided before it disarmed has ended; STOPPED by a bad setting until it disarms.
  typedef enum logic [1:0] {
    OFF,
    ARMED,
    STOPPED
  } state_e;
  localparam logic [1:0] QUIET = 2'd3;  // cycles in which an order that was decided while armed shows itself
  state_e state_q;
  logic [1:0] quiet_q;
  logic bad_length, unlocked;
  assign bad_length = regs.LENGTH.bytes.value < 16'd12 || regs.LENGTH.bytes.value > 16'(MAX_LENGTH);
  assign armed      = state_q == ARMED;
  assign unlocked   = ~busy & (state_q == STOPPED || (state_q == OFF && quiet_q == QUIET));
  always_ff @(posedge clk) begin
    number_q <= regs.NUMBER.last.value + 1'b1;
    quiet_q  <= busy || state_q != OFF ? '0 : quiet_q == QUIET ? QUIET : quiet_q + 1'b1;
    if (state_q == OFF) begin
      if (regs.CONTROL.arm.value && quiet_q == QUIET) begin
        payload_length <= bad_length ? 16'd12 : regs.LENGTH.bytes.value;
        type_long_q    <= regs.TYPES.long_frame.value;
        type_short_q   <= regs.TYPES.short_frame.value;
        mask_q         <= {regs.MASK_HI.bits.value, regs.MASK_LO.bits.value};
        state_q        <= bad_length ? STOPPED : ARMED;
      end
    end else if (!regs.CONTROL.arm.value) begin
      state_q <= OFF;
    end
    if (rst) begin
      state_q        <= OFF;
      quiet_q        <= '0;
      payload_length <= 16'd12;
      type_long_q    <= 8'h41;
      type_short_q   <= 8'h42;
      mask_q         <= 64'h3ff;
    end
  end

  // --- What software sees
  assign to_regs.CAPABILITY.pma_data_width.next = 8'(PMA_DATA_WIDTH);
  assign to_regs.CAPABILITY.crossing.next = CROSSING;
  assign to_regs.CAPABILITY.market_data_port.next = 4'(MARKET_DATA_PORT);
  assign to_regs.CAPABILITY.max_length.next = 16'(MAX_LENGTH);
  assign to_regs.NUMBER.last.next = number_q;
  assign to_regs.NUMBER.last.we = sent;
  assign to_regs.NUMBER.last.swwe = unlocked;
  assign to_regs.STATUS.armed.next = armed;
  assign to_regs.STATUS.busy.next = busy;
  assign to_regs.STATUS.window_available.next = window_available;
  assign to_regs.STATUS.bad_length.next = state_q == STOPPED;
  assign to_regs.STATUS.locked_write.hwset = ~unlocked & regs.NUMBER.last.swmod;

  // A register before the counters: ends come from a fast clock through two LUTs.
  logic [3:0] ends_q;
  always_ff @(posedge clk) ends_q <= {refused_busy, refused_window, refused_disarmed, start} & {4{~rst}};
  assign to_regs.TRIGGERS.count.incr = |ends_q;
  assign to_regs.ORDERS.count.incr = sent;
  assign to_regs.REFUSED_DISARMED.count.incr = ends_q[1];
  assign to_regs.REFUSED_WINDOW.count.incr = ends_q[2];
  assign to_regs.REFUSED_BUSY.count.incr = ends_q[3];
  assign to_regs.REFUSED_ATE.count.incr = refused;
endmodule
