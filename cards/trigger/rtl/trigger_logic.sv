// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user logic of the trigger card: a frame whose first four bytes are ff makes an order, one TCP segment through ate,
// whose payload software has written, with the number of the order in its first four bytes.
// Latency: tx_start rises one cycle of tx_clk after the cycle with the word that has the fourth byte (see order_start for
// TRIGGER_CROSSING).
//
//   user_rx -> trigger_match -> order_start -> tx_start
//                                    |  ends
//                                    |  late -> order_wait -> go
//              trigger_template -> order_send -> tx_*_net         trigger_regs <- s_axil
//
// A trigger that cannot be answered at once is refused and counted, or, if software says so, waits after software's frame
// that is under way: one at a time.  The frame's FCS comes long after the order: a frame that turns out bad has triggered.
//
// Clocks: rx_clk and tx_clk are one net, or there is TRIGGER_CROSSING.  tx_user_clk is tx_clk halved, edges aligned
// (PMA_DATA_WIDTH 16), or tx_clk (32).  The registers are in tx_user_clk.
module trigger_logic #(
    parameter int PMA_DATA_WIDTH = 16,
    parameter int CONNECTIONS = 512,
    parameter bit TRIGGER_CROSSING = 1'b0
) (
    input logic                        rx_clk,
    input logic                        rx_rst,
    input logic [  PMA_DATA_WIDTH-1:0] user_rx_tdata,
    input logic [PMA_DATA_WIDTH/8-1:0] user_rx_tkeep,
    input logic                        user_rx_tvalid,
    input logic                        user_rx_tlast,

    input  logic tx_clk,
    input  logic tx_rst,
    input  logic tx_armed,
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
    input  logic [31:0] tx_credit,
    input  logic        tx_frame,          // a frame is on its way to the MAC

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
  localparam int TEMPLATE_WORDS = 64;
  localparam int PARTS = PMA_DATA_WIDTH == 16 ? 3 : 4;  // of trigger_match

  logic clk, rst;
  assign clk = tx_user_clk;
  assign rst = tx_user_rst;

  // --- From the trigger to the order's end
  logic [PARTS-1:0] near;
  trigger_match #(
      .WIDTH(PMA_DATA_WIDTH)
  ) u_match (
      .clk      (rx_clk),
      .rst      (rx_rst),
      .rx_tdata (user_rx_tdata),
      .rx_tkeep (user_rx_tkeep),
      .rx_tvalid(user_rx_tvalid),
      .rx_tlast (user_rx_tlast),
      .near
  );

  logic armed, busy, sending, sent, refused;
  logic start, late, refused_disarmed, refused_window, refused_busy;
  logic may_wait, waiting, go, gave_up, withdrawn, send_busy;
  assign busy = send_busy | waiting;
  order_start #(
      .WIDTH   (PMA_DATA_WIDTH),
      .PARTS   (PARTS),
      .CROSSING(TRIGGER_CROSSING)
  ) u_start (
      .rx_clk,
      .rx_rst,
      .near,
      .tx_clk,
      .tx_rst,
      .tx_armed,
      .tx_start,
      .armed,
      .busy,
      .window_available,
      .may_wait,
      .ends({late, refused_busy, refused_window, refused_disarmed, start})
  );
  order_wait u_wait (
      .clk,
      .rst,
      .late,
      .armed,
      .window_available,
      .tx_credit,
      .length(payload_length),
      .tx_armed,
      .tx_frame,
      .waiting,
      .go,
      .gave_up,
      .withdrawn
  );

  logic [13:0] index;
  logic [31:0] word;
  order_send u_send (
      .clk,
      .rst,
      .start (start | go),
      .length(payload_length),
      .index,
      .word,
      .busy  (send_busy),
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

  // --- Registers
  trigger_regs_pkg::trigger_regs__in_t  to_regs;
  trigger_regs_pkg::trigger_regs__out_t regs;
  trigger_axil u_axil (
      .clk,
      .rst,
      .s_axil_awaddr,
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
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .to_regs,
      .regs
  );

  // --- Payload
  logic sum, ready, unlocked;
  logic [31:0] number_q;  // of the next order
  trigger_template #(
      .WORDS(TEMPLATE_WORDS)
  ) u_template (
      .clk,
      .rst,
      .wr_en  (regs.TEMPLATE.req & regs.TEMPLATE.req_is_wr & unlocked & (&regs.TEMPLATE.wr_biten)),
      .addr   (regs.TEMPLATE.addr[7:2]),
      .wr_data(regs.TEMPLATE.wr_data),
      .rd_data(to_regs.TEMPLATE.rd_data),
      .sum,
      .length (payload_length),
      .ready,
      .number (number_q),
      .index,
      .word,
      .csum   (payload_csum)
  );

  // --- Arming.
  //   OFF      until software arms, and what was decided before it disarmed has ended
  //   SUM      the template is summed
  //   ARMED
  //   STOPPED  by the limit or a bad setting, until software disarms
  typedef enum logic [1:0] {
    OFF,
    SUM,
    ARMED,
    STOPPED
  } state_e;
  localparam logic [1:0] QUIET = 2'd3;  // cycles in which an order that was decided while armed shows itself
  state_e state_q;
  logic [1:0] quiet_q;
  logic bad_length, bad_conn, limit_q, bad_length_q, bad_conn_q;
  logic [31:0] left_q;
  logic limited_q;
  assign bad_length = regs.LENGTH.bytes.value < 16'd4 || regs.LENGTH.bytes.value > 16'(4 * TEMPLATE_WORDS);
  assign bad_conn   = 17'(regs.CONNECTION.id.value) >= 17'(CONNECTIONS);
  assign armed      = state_q == ARMED;
  assign unlocked   = ~busy & (state_q == STOPPED || (state_q == OFF && quiet_q == QUIET));

  always_ff @(posedge clk) begin
    number_q <= regs.NUMBER.last.value + 1'b1;
    quiet_q  <= busy || state_q != OFF ? '0 : quiet_q == QUIET ? QUIET : quiet_q + 1'b1;
    sum      <= 1'b0;
    if (sent) left_q <= left_q - 1'b1;
    case (state_q)
      OFF:
      if (regs.CONTROL.arm.value && quiet_q == QUIET) begin
        payload_conn_id <= regs.CONNECTION.id.value;
        payload_length  <= regs.LENGTH.bytes.value;
        left_q          <= regs.LIMIT.orders.value;
        limited_q       <= regs.LIMIT.orders.value != 0;
        bad_length_q    <= bad_length;
        bad_conn_q      <= bad_conn;
        limit_q         <= 1'b0;
        sum             <= ~bad_length & ~bad_conn;
        state_q         <= bad_length || bad_conn ? STOPPED : SUM;
      end
      SUM: if (ready && !sum) state_q <= ARMED;
      ARMED:
      if (sent && limited_q && left_q == 1) begin
        limit_q <= 1'b1;
        state_q <= STOPPED;
      end
      default: ;
    endcase
    if (!regs.CONTROL.arm.value && state_q != OFF) begin
      state_q      <= OFF;
      limit_q      <= 1'b0;
      bad_length_q <= 1'b0;
      bad_conn_q   <= 1'b0;
    end
    if (rst) begin
      state_q         <= OFF;
      quiet_q         <= '0;
      sum             <= 1'b0;
      limit_q         <= 1'b0;
      bad_length_q    <= 1'b0;
      bad_conn_q      <= 1'b0;
      payload_length  <= 16'd4;
      payload_conn_id <= '0;
    end
  end

  // --- What software sees
  logic read_q, write_q;  // an access to the template, answered in the cycle after
  always_ff @(posedge clk) begin
    read_q  <= regs.TEMPLATE.req & ~regs.TEMPLATE.req_is_wr & ~rst;
    write_q <= regs.TEMPLATE.req & regs.TEMPLATE.req_is_wr & ~rst;
  end
  assign to_regs.TEMPLATE.rd_ack = read_q;
  assign to_regs.TEMPLATE.wr_ack = write_q;
  assign to_regs.CAPABILITY.pma_data_width.next = 8'(PMA_DATA_WIDTH);
  assign to_regs.CAPABILITY.crossing.next = TRIGGER_CROSSING;
  assign to_regs.CAPABILITY.max_length.next = 16'(4 * TEMPLATE_WORDS);
  assign to_regs.NUMBER.last.next = number_q;
  assign to_regs.NUMBER.last.we = sent;
  assign to_regs.NUMBER.last.swwe = unlocked;
  assign to_regs.STATUS.armed.next = armed;
  assign to_regs.STATUS.busy.next = busy;
  assign to_regs.STATUS.window_available.next = window_available;
  assign to_regs.STATUS.limit_reached.next = limit_q;
  assign to_regs.STATUS.bad_length.next = bad_length_q;
  assign to_regs.STATUS.bad_connection.next = bad_conn_q;
  assign to_regs.STATUS.locked_write.hwset = ~unlocked &
      (regs.NUMBER.last.swmod | (regs.TEMPLATE.req & regs.TEMPLATE.req_is_wr));

  // A register before the counters: ends come from a fast clock through two LUTs.
  logic [4:0] ends_q;
  always_ff @(posedge clk) ends_q <= {late, refused_busy, refused_window, refused_disarmed, start} & {5{~rst}};
  assign to_regs.TRIGGERS.count.incr = |ends_q;
  assign to_regs.ORDERS.count.incr = sent;
  assign to_regs.REFUSED_DISARMED.count.incr = ends_q[1] | withdrawn;  // never both: while it waits, others are busy
  assign to_regs.REFUSED_WINDOW.count.incr = ends_q[2] | gave_up;
  assign to_regs.REFUSED_BUSY.count.incr = ends_q[3];
  assign to_regs.REFUSED_ATE.count.incr = refused;
  assign to_regs.WAITED.count.incr = ends_q[4];
  assign may_wait = regs.CONTROL.may_wait.value;

  logic unused;
  assign unused = sending | (|regs.TEMPLATE.addr[1:0]);
endmodule
