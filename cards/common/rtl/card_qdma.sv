// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA of a card: qdma, and the bridge to the card's host ports, by the names that card_chassis has for them.
//
// Interface: PCIe's channels as qdma has them (bar_request, bar_answer, host_write, host_read, host_completion).  What goes
// to the card comes straight from registers.  flush: a reset of the DMA alone; the card's packets that are under way go on
// to their end, or are thrown away.  A user's access that is under way then must have been answered.
// clk and dma_clk are one net.  A simulation may leave out edges of dma_clk, or of both, in which nothing would move:
// timers_armed, h2c_blocked and bridge_* are for it.  bridge_shows: the bridge shows qdma an ask or a beat.  bridge_takes: it accepts a
// beat.  bridge_discards: it discards what it has stored.
//
//   bar_*, host_* ◄─► qdma ◄── 512 bits ──► card_dma ◄── 64 bits a port ──► m_h2c, s_c2h
//                       └──────────────────────────────────────────────► m_axil
module card_qdma #(
    parameter int PORTS = 2,
    parameter int QUEUES = 2048,
    parameter int H2C_DEPTH = 256,
    parameter int C2H_DEPTH = 64
) (
    input logic clk,      // of the bridge
    input logic dma_clk,  // of qdma: the same net
    input logic rst,
    input logic flush,

    output logic clearing,
    output logic timers_armed,
    output logic h2c_blocked,
    output logic bridge_shows,
    output logic bridge_takes,
    output logic bridge_discards,

    input  logic         bar_request_valid,
    output logic         bar_request_ready,
    input  logic         bar_request_is_write,
    input  logic [  7:0] bar_request_func,
    input  logic [  2:0] bar_request_bar,
    input  logic [ 31:0] bar_request_addr,
    input  logic [ 10:0] bar_request_dwords,
    input  logic [  3:0] bar_request_first_be,
    input  logic [  3:0] bar_request_last_be,
    input  logic [ 15:0] bar_request_requester,
    input  logic [  9:0] bar_request_tag,
    input  logic [  2:0] bar_request_tc,
    input  logic [  2:0] bar_request_attr,
    input  logic [511:0] bar_request_data,
    input  logic         bar_request_last,
    output logic         bar_answer_valid,
    input  logic         bar_answer_ready,
    output logic [  2:0] bar_answer_status,
    output logic [  7:0] bar_answer_func,
    output logic [  4:0] bar_answer_dwords,
    output logic [ 12:0] bar_answer_byte_count,
    output logic [  6:0] bar_answer_lower_addr,
    output logic [ 15:0] bar_answer_requester,
    output logic [  9:0] bar_answer_tag,
    output logic [  2:0] bar_answer_tc,
    output logic [  2:0] bar_answer_attr,
    output logic [511:0] bar_answer_data,

    output logic         host_write_valid,
    input  logic         host_write_ready,
    output logic [  7:0] host_write_func,
    output logic [ 63:0] host_write_addr,
    output logic [ 10:0] host_write_dwords,
    output logic [  3:0] host_write_first_be,
    output logic [  3:0] host_write_last_be,
    output logic [  2:0] host_write_tc,
    output logic [  2:0] host_write_attr,
    output logic [511:0] host_write_data,
    output logic         host_write_last,
    output logic         host_read_valid,
    input  logic         host_read_ready,
    output logic [  7:0] host_read_func,
    output logic [ 63:0] host_read_addr,
    output logic [ 10:0] host_read_dwords,
    output logic [  3:0] host_read_first_be,
    output logic [  3:0] host_read_last_be,
    output logic [  7:0] host_read_tag,
    output logic [  2:0] host_read_tc,
    output logic [  2:0] host_read_attr,
    input  logic         host_completion_valid,
    input  logic [  2:0] host_completion_status,
    input  logic         host_completion_is_poisoned,
    input  logic         host_completion_is_timeout,
    input  logic         host_completion_is_final,
    input  logic [  7:0] host_completion_tag,
    input  logic [ 10:0] host_completion_dwords,
    input  logic [ 12:0] host_completion_byte_count,
    input  logic [  6:0] host_completion_lower_addr,
    input  logic [511:0] host_completion_data,
    input  logic         host_completion_last,

    // To the card: its registers, and a stream each way for each port
    output logic [31:0] m_axil_awaddr,
    output logic        m_axil_awvalid,
    input  logic        m_axil_awready,
    output logic [31:0] m_axil_wdata,
    output logic [ 3:0] m_axil_wstrb,
    output logic        m_axil_wvalid,
    input  logic        m_axil_wready,
    input  logic [ 1:0] m_axil_bresp,
    input  logic        m_axil_bvalid,
    output logic        m_axil_bready,
    output logic [31:0] m_axil_araddr,
    output logic        m_axil_arvalid,
    input  logic        m_axil_arready,
    input  logic [31:0] m_axil_rdata,
    input  logic [ 1:0] m_axil_rresp,
    input  logic        m_axil_rvalid,
    output logic        m_axil_rready,

    output logic [PORTS*64-1:0] m_h2c_tdata,
    output logic [ PORTS*8-1:0] m_h2c_tkeep,
    output logic [   PORTS-1:0] m_h2c_tvalid,
    input  logic [   PORTS-1:0] m_h2c_tready,
    output logic [   PORTS-1:0] m_h2c_tlast,
    input  logic [PORTS*64-1:0] s_c2h_tdata,
    input  logic [ PORTS*8-1:0] s_c2h_tkeep,
    input  logic [   PORTS-1:0] s_c2h_tvalid,
    output logic [   PORTS-1:0] s_c2h_tready,
    input  logic [   PORTS-1:0] s_c2h_tlast,

    // Counters of qdma, and of the bridge, which begin with port_
    output logic [31:0] stat_user_refused,
    output logic [31:0] stat_write_dropped,
    output logic [31:0] stat_entry_refused,
    output logic [31:0] stat_entry_discarded,
    output logic [31:0] stat_interrupt_lost,
    output logic [31:0] stat_read_failed,
    output logic [31:0] stat_completion_unexpected,
    output logic [31:0] stat_c2h_mismatched,
    output logic [31:0] stat_c2h_stopped,
    output logic [31:0] port_h2c_error,
    output logic [31:0] port_h2c_too_long,
    output logic [31:0] port_h2c_no_port,
    output logic [31:0] port_h2c_empty,
    output logic [31:0] port_h2c_stuck,
    output logic [31:0] port_c2h_dropped,
    output logic [31:0] port_c2h_invalid,
    output logic [31:0] port_c2h_too_long
);
  localparam int H2C_MARGIN = 8;
  localparam int LONGEST = 160;  // beats of the longest chunk that a port takes, and some more
  localparam int H2C_MOST = H2C_DEPTH - H2C_MARGIN < LONGEST ? H2C_DEPTH - H2C_MARGIN : LONGEST;
  logic [10*PORTS-1:0] h2c_room;
  logic h2c_tvalid, h2c_tready, h2c_tlast, h2c_tuser_zero_byte, h2c_tuser_err;
  logic [511:0] h2c_tdata;
  logic [ 10:0] h2c_tuser_qid;
  logic [  5:0] h2c_tuser_mty;

  logic
      c2h_ask_valid,
      c2h_ask_ready,
      c2h_ask_has_cmpt,
      c2h_ask_marker,
      c2h_answer_valid,
      c2h_buffer_event,
      c2h_room_event;
  logic [10:0] c2h_ask_qid, c2h_answer_qid, c2h_buffer_event_qid, c2h_room_event_qid;
  logic [15:0] c2h_ask_len;
  logic [ 2:0] c2h_answer;

  logic c2h_tvalid, c2h_tready, c2h_tlast, c2h_tuser_zero_byte;
  logic [511:0] c2h_tdata, cmpt_data;
  logic [5:0] c2h_tuser_mty;
  logic cmpt_user_trig, cmpt_user_format, cmpt_err;
  logic [2:0] cmpt_place;

  // verilator lint_off PINCONNECTEMPTY
  qdma #(
      .QUEUES       (QUEUES),
      .PFS          (1),
      .VFS          (0),
      .USER_BAR_BITS(19),
      .H2C_LIMITED  (PORTS),
      .H2C_MOST     (H2C_MOST)
  ) dma (
      .clk                              (dma_clk),
      .rst                              (rst | flush),
      .max_payload                      (3'd1),
      .max_read_request                 (3'd2),
      .credit_limit                     (10'd256),
      .master_enable                    ('1),
      .msix_enable                      ('1),
      .msix_mask                        ('0),
      .flr_in_process                   ('0),
      .flr_done                         (),
      .flr_func                         (),
      .m_axil_user_func                 (),
      .m_axil_user_awaddr               (m_axil_awaddr),
      .m_axil_user_awvalid              (m_axil_awvalid),
      .m_axil_user_awready              (m_axil_awready),
      .m_axil_user_wdata                (m_axil_wdata),
      .m_axil_user_wstrb                (m_axil_wstrb),
      .m_axil_user_wvalid               (m_axil_wvalid),
      .m_axil_user_wready               (m_axil_wready),
      .m_axil_user_bresp                (m_axil_bresp),
      .m_axil_user_bvalid               (m_axil_bvalid),
      .m_axil_user_bready               (m_axil_bready),
      .m_axil_user_araddr               (m_axil_araddr),
      .m_axil_user_arvalid              (m_axil_arvalid),
      .m_axil_user_arready              (m_axil_arready),
      .m_axil_user_rdata                (m_axil_rdata),
      .m_axil_user_rresp                (m_axil_rresp),
      .m_axil_user_rvalid               (m_axil_rvalid),
      .m_axil_user_rready               (m_axil_rready),
      .m_axis_h2c_tvalid                (h2c_tvalid),
      .m_axis_h2c_tready                (h2c_tready),
      .m_axis_h2c_tdata                 (h2c_tdata),
      .m_axis_h2c_tlast                 (h2c_tlast),
      .m_axis_h2c_tuser_qid             (h2c_tuser_qid),
      .m_axis_h2c_tuser_port_id         (),
      .m_axis_h2c_tuser_mdata           (),
      .m_axis_h2c_tuser_mty             (h2c_tuser_mty),
      .m_axis_h2c_tuser_zero_byte       (h2c_tuser_zero_byte),
      .m_axis_h2c_tuser_err             (h2c_tuser_err),
      .s_axis_c2h_tvalid                (c2h_tvalid),
      .s_axis_c2h_tready                (c2h_tready),
      .s_axis_c2h_tdata                 (c2h_tdata),
      .s_axis_c2h_tlast                 (c2h_tlast),
      .s_axis_c2h_tuser_mty             (c2h_tuser_mty),
      .s_axis_c2h_tuser_zero_byte       (c2h_tuser_zero_byte),
      .s_axis_c2h_tuser_cmpt_data       (cmpt_data),
      .s_axis_c2h_tuser_cmpt_user_trig  (cmpt_user_trig),
      .s_axis_c2h_tuser_cmpt_user_format(cmpt_user_format),
      .s_axis_c2h_tuser_cmpt_place      (cmpt_place),
      .s_axis_c2h_tuser_cmpt_err        (cmpt_err),
      .m_axi_mm_awaddr                  (),
      .m_axi_mm_awid                    (),
      .m_axi_mm_awlen                   (),
      .m_axi_mm_awsize                  (),
      .m_axi_mm_awburst                 (),
      .m_axi_mm_awcache                 (),
      .m_axi_mm_awprot                  (),
      .m_axi_mm_awvalid                 (),
      .m_axi_mm_awready                 ('0),
      .m_axi_mm_wdata                   (),
      .m_axi_mm_wstrb                   (),
      .m_axi_mm_wlast                   (),
      .m_axi_mm_wvalid                  (),
      .m_axi_mm_wready                  ('0),
      .m_axi_mm_bid                     ('0),
      .m_axi_mm_bresp                   ('0),
      .m_axi_mm_bvalid                  ('0),
      .m_axi_mm_bready                  (),
      .m_axi_mm_araddr                  (),
      .m_axi_mm_arid                    (),
      .m_axi_mm_arlen                   (),
      .m_axi_mm_arsize                  (),
      .m_axi_mm_arburst                 (),
      .m_axi_mm_arcache                 (),
      .m_axi_mm_arprot                  (),
      .m_axi_mm_arvalid                 (),
      .m_axi_mm_arready                 ('0),
      .m_axi_mm_rid                     ('0),
      .m_axi_mm_rdata                   ('0),
      .m_axi_mm_rresp                   ('0),
      .m_axi_mm_rlast                   ('0),
      .m_axi_mm_rvalid                  ('0),
      .m_axi_mm_rready                  (),
      .c2h_done_valid                   (),
      .c2h_done_qid                     (),
      .c2h_done_marker                  (),
      .c2h_done_mismatched              (),
      .c2h_done_stopped                 (),
      .stat_full_cycles                 (),
      .stat_c2h_granted                 (),
      .stat_c2h_held                    (),
      .stat_c2h_no_buffers              (),
      .stat_c2h_ring_full               (),
      .stat_c2h_invalid                 (),
      .stat_c2h_too_long                (),
      .stat_c2h_hold_cycles             (),
      .*
  );
  // verilator lint_on PINCONNECTEMPTY
  assign bridge_shows = c2h_ask_valid | c2h_tvalid;
  assign bridge_takes = h2c_tvalid & h2c_tready;

  card_dma #(
      .PORTS     (PORTS),
      .H2C_DEPTH (H2C_DEPTH),
      .H2C_MARGIN(H2C_MARGIN),
      .C2H_DEPTH (C2H_DEPTH)
  ) bridge (
      .flush                            (flush | clearing),
      .s_axis_h2c_tvalid                (h2c_tvalid),
      .s_axis_h2c_tready                (h2c_tready),
      .s_axis_h2c_tdata                 (h2c_tdata),
      .s_axis_h2c_tlast                 (h2c_tlast),
      .s_axis_h2c_tuser_qid             (h2c_tuser_qid),
      .s_axis_h2c_tuser_mty             (h2c_tuser_mty),
      .s_axis_h2c_tuser_zero_byte       (h2c_tuser_zero_byte),
      .s_axis_h2c_tuser_err             (h2c_tuser_err),
      .m_axis_c2h_tvalid                (c2h_tvalid),
      .m_axis_c2h_tready                (c2h_tready),
      .m_axis_c2h_tdata                 (c2h_tdata),
      .m_axis_c2h_tlast                 (c2h_tlast),
      .m_axis_c2h_tuser_mty             (c2h_tuser_mty),
      .m_axis_c2h_tuser_zero_byte       (c2h_tuser_zero_byte),
      .m_axis_c2h_tuser_cmpt_data       (cmpt_data),
      .m_axis_c2h_tuser_cmpt_user_trig  (cmpt_user_trig),
      .m_axis_c2h_tuser_cmpt_user_format(cmpt_user_format),
      .m_axis_c2h_tuser_cmpt_place      (cmpt_place),
      .m_axis_c2h_tuser_cmpt_err        (cmpt_err),
      .discards                         (bridge_discards),
      .stat_h2c_error                   (port_h2c_error),
      .stat_h2c_too_long                (port_h2c_too_long),
      .stat_h2c_no_port                 (port_h2c_no_port),
      .stat_h2c_empty                   (port_h2c_empty),
      .stat_h2c_stuck                   (port_h2c_stuck),
      .stat_c2h_dropped                 (port_c2h_dropped),
      .stat_c2h_invalid                 (port_c2h_invalid),
      .stat_c2h_too_long                (port_c2h_too_long),
      .*
  );
endmodule
