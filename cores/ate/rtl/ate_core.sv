// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What ate and ate_tx are: the engine, its connections, software's chunks, the mirror and the registers.  See these two.
module ate_core
  import ate_pkg::*;
#(
    parameter int PMA_DATA_WIDTH = 32,  // of the transceiver: 16 or 32
    parameter bit AMEND = 1'b0,  // 32 bits: the MAC obeys m_axis_tamend, and metadata are due a cycle later
    parameter bit HOLD = 1'b0,  // user logic's frames are kept until they are whole: none is aborted
    parameter int CONNECTIONS = 512,  // a power of two, 16 to 65536
    parameter int MAX_PAYLOAD = 1460,  // bytes; a longer payload is refused (MSS)
    parameter int MAX_RAW = 9618,  // bytes of a raw frame of user logic, without FCS
    parameter int MIRROR_DEPTH = 1024,  // words, a power of two
    parameter int HOST_DEPTH = 1024,
    parameter bit USER_CHECK = 1'b1  // simulation: stop with a message when a rule of the user's port is broken
) (
    input logic clk,     // of user logic, 322.265625 MHz: that of all ports but the next three and m_axis
    input logic rst,
    input logic tx_clk,  // of the transceiver: twice clk with its edges aligned; clk itself if 32 bits wide
    input logic tx_rst,

    input  logic tx_start,  // one cycle: a payload is to go; tx_sof_net follows at the next edge of clk
    output logic tx_armed,  // a tx_start in this cycle begins the frame in this cycle

    // User logic
    input  logic [31:0] tx_data_net,
    input  logic        tx_sof_net,
    input  logic        tx_eof_net,
    input  logic [ 1:0] tx_len_net,        // bytes of the last word, 0: four
    input  logic        tx_raw_net,        // with tx_sof_net: a frame as it is, not a payload
    output logic        tx_ack_net,
    output logic        tx_drop_net,       // with tx_ack_net: the word is dropped, no frame has it
    input  logic [15:0] payload_conn_id,
    input  logic [15:0] payload_length,
    input  logic [31:0] payload_csum,
    output logic        window_available,
    output logic [31:0] tx_credit,         // bytes that may still be sent

    // Software's transmit chunks
    input  logic [31:0] s_host_tdata,
    input  logic        s_host_tvalid,
    output logic        s_host_tready,
    input  logic        s_host_tlast,

    // A copy of each accelerated frame
    output logic [31:0] m_mirror_tdata,
    output logic [ 3:0] m_mirror_tkeep,
    output logic        m_mirror_tvalid,
    input  logic        m_mirror_tready,
    output logic        m_mirror_tlast,
    output logic        m_mirror_tuser,   // with tlast: the frame left with a wrong FCS and is no part of the stream

    // Registers
    input  logic [$clog2(CONNECTIONS)+6:0] s_axil_awaddr,
    input  logic [                    2:0] s_axil_awprot,
    input  logic                           s_axil_awvalid,
    output logic                           s_axil_awready,
    input  logic [                   31:0] s_axil_wdata,
    input  logic [                    3:0] s_axil_wstrb,
    input  logic                           s_axil_wvalid,
    output logic                           s_axil_wready,
    output logic [                    1:0] s_axil_bresp,
    output logic                           s_axil_bvalid,
    input  logic                           s_axil_bready,
    input  logic [$clog2(CONNECTIONS)+6:0] s_axil_araddr,
    input  logic [                    2:0] s_axil_arprot,
    input  logic                           s_axil_arvalid,
    output logic                           s_axil_arready,
    output logic [                   31:0] s_axil_rdata,
    output logic [                    1:0] s_axil_rresp,
    output logic                           s_axil_rvalid,
    input  logic                           s_axil_rready,

    // To the MAC
    output logic [  PMA_DATA_WIDTH-1:0] m_axis_tdata,
    output logic [PMA_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                        m_axis_tvalid,
    input  logic                        m_axis_tready,
    output logic                        m_axis_tlast,
    output logic                        m_axis_tuser,
    output logic [                31:0] m_axis_tamend   // with AMEND: XORed into the word before
);
  if (PMA_DATA_WIDTH != 16 && PMA_DATA_WIDTH != 32) begin : gen_bad_width
    $error("ate: PMA_DATA_WIDTH must be 16 or 32");
  end
  if (AMEND && PMA_DATA_WIDTH != 32) begin : gen_bad_amend
    $error("ate: AMEND needs PMA_DATA_WIDTH 32");
  end
  if (CONNECTIONS < 16 || CONNECTIONS > 65536 || CONNECTIONS != 1 << $clog2(CONNECTIONS)) begin : gen_bad_connections
    $error("ate: CONNECTIONS must be a power of two, 16 to 65536");
  end
  if (MAX_PAYLOAD < 1 || MAX_PAYLOAD > 9000) begin : gen_bad_payload
    $error("ate: MAX_PAYLOAD must be 1 to 9000");
  end
  if (MAX_RAW < 64 || MAX_RAW > 65532) begin : gen_bad_raw
    $error("ate: MAX_RAW must be 64 to 65532");
  end

  localparam int MAX_RAW_WORDS = (MAX_RAW + 3) / 4;
  source_t port, user, host;
  logic user_ack, user_drop, begins, holds, no_frame, available;
  assign port = '{
          sof: tx_sof_net,
          eof: tx_eof_net,
          len: tx_len_net,
          raw: tx_raw_net,
          data: tx_data_net,
          conn: payload_conn_id,
          length: payload_length,
          csum: payload_csum
      };
  if (HOLD) begin : gen_hold
    ate_hold #(
        .MAX_PAYLOAD  (MAX_PAYLOAD),
        .MAX_RAW_WORDS(MAX_RAW_WORDS)
    ) u_hold (
        .clk,
        .rst,
        .s      (port),
        .s_ack  (tx_ack_net),
        .s_drop (tx_drop_net),
        .m      (user),
        .m_ack  (user_ack),
        .busy   (holds),
        .refused(no_frame)
    );
    assign begins = 1'b0;
    logic unused;  // what the engine drops has been acknowledged before
    assign unused = &{tx_start, user_drop};
  end else begin : gen_no_hold
    assign user              = port;
    assign tx_ack_net        = user_ack;
    assign tx_drop_net       = user_drop;
    assign begins            = tx_start;
    assign {holds, no_frame} = 2'b00;
  end
  assign window_available = available & ~holds;

  logic host_ack, host_refuse, bad_chunk;
  ate_inject #(
      .MAX_PAYLOAD(MAX_PAYLOAD),
      .DEPTH      (HOST_DEPTH)
  ) u_inject (
      .clk,
      .rst,
      .s_host_tdata,
      .s_host_tvalid,
      .s_host_tready,
      .s_host_tlast,
      .bad_chunk,
      .host,
      .host_ack,
      .host_refuse
  );

  logic strict, table_read, usable, fits, seq_wr;
  logic [15:0] table_id, conn_id, fits_length;
  logic [31:0] seq_data, credit;
  logic window_fresh, mirror_room, mirror_valid, mirror_bad, event_valid, aborted;
  conn_t   conn;
  result_e event_result;
  localparam bit PREFETCH = PMA_DATA_WIDTH == 16;
  logic may_start;
  assign tx_armed = may_start & ~HOLD;
  logic early, armed, between, drain, begin_frame, is_length;
  logic [15:0] total, total_sent;
  logic [31:0] tdata;
  logic [ 3:0] tkeep;
  logic tvalid, tready, tlast, tuser;
  ate_engine #(
      .MAX_PAYLOAD  (MAX_PAYLOAD),
      .MAX_RAW_WORDS(MAX_RAW_WORDS),
      .PREFETCH     (PREFETCH),
      .HOLD         (HOLD),
      .AMEND        (AMEND)
  ) u_engine (
      .clk,
      .rst,
      .strict,
      .early,
      .armed,
      .user,
      .user_ack,
      .user_drop,
      .window_available(available),
      .window_fresh,
      .host,
      .host_ack,
      .host_refuse,
      .table_read,
      .table_id,
      .conn_id,
      .conn,
      .usable,
      .fits,
      .fits_length,
      .seq_wr,
      .seq_data,
      .mirror_room,
      .mirror_valid,
      .mirror_bad,
      .event_valid,
      .event_result,
      .aborted,
      .between,
      .drain,
      .begin_frame,
      .is_length,
      .total,
      .total_sent,
      .m_axis_tdata(tdata),
      .m_axis_tkeep(tkeep),
      .m_axis_tvalid(tvalid),
      .m_axis_tready(tready),
      .m_axis_tlast(tlast),
      .m_axis_tuser(tuser),
      .m_axis_tamend
  );

  if (PREFETCH) begin : gen_early
    ate_early u_early (
        .clk,
        .rst,
        .tx_clk,
        .tx_rst,
        .tx_start        (begins),
        .tx_armed        (may_start),
        .busy            (early),
        .armed,
        .between,
        .drain,
        .begin_frame,
        .head            (conn.mac),
        .total,
        .s_axis_tdata    (tdata),
        .s_axis_tkeep    (tkeep),
        .s_axis_tvalid   (tvalid),
        .s_axis_tready   (tready),
        .s_axis_tlast    (tlast),
        .s_axis_tuser    (tuser),
        .s_axis_is_length(is_length),
        .m_axis_tdata,
        .m_axis_tkeep,
        .m_axis_tvalid,
        .m_axis_tready,
        .m_axis_tlast,
        .m_axis_tuser
    );
  end else begin : gen_direct
    assign early         = begins & ~tx_raw_net;
    assign may_start     = armed;
    assign m_axis_tdata  = tdata;
    assign m_axis_tkeep  = tkeep;
    assign m_axis_tvalid = tvalid;
    assign tready        = m_axis_tready;
    assign m_axis_tlast  = tlast;
    assign m_axis_tuser  = tuser;
    logic unused;  // what only ate_early needs
    assign unused = &{tx_clk, tx_rst, between, drain, begin_frame, total};
  end

  ate_window #(
      .LATE_CHECK(PREFETCH)
  ) u_window (
      .clk,
      .check  (conn.check),
      .seq    (swap32(conn.seq)),
      .max_seq(swap32(conn.max_seq)),
      .length (fits_length),
      .fits,
      .credit
  );
  assign tx_credit = credit & {32{window_fresh & usable & ~holds}};

  ate_mirror #(
      .DEPTH    (MIRROR_DEPTH),
      .MAX_WORDS((MAX_PAYLOAD + 58 + 3) / 4),
      .PREFETCH (PREFETCH),
      .AMEND    (AMEND)
  ) u_mirror (
      .clk,
      .rst,
      .valid(mirror_valid),
      .data (tdata),
      .keep (tkeep),
      .last (tlast),
      .bad  (mirror_bad),
      .head (conn.mac),
      .is_length,
      .total(total_sent),
      .amend(m_axis_tamend),
      .ready(tready),
      .room (mirror_room),
      .m_mirror_tdata,
      .m_mirror_tkeep,
      .m_mirror_tvalid,
      .m_mirror_tready,
      .m_mirror_tlast,
      .m_mirror_tuser
  );

  localparam int BITS = $clog2(CONNECTIONS);
  logic host_wr;
  logic [BITS+3:0] host_addr;
  logic [31:0] host_wdata, host_rdata, count;
  logic [3:0] counter;
  ate_table #(
      .CONNECTIONS (CONNECTIONS),
      .LATE_CONTROL(PREFETCH)
  ) u_table (
      .clk,
      .read(table_read),
      .id  (table_id),
      .conn_id,
      .conn,
      .usable,
      .seq_wr,
      .seq_data,
      .host_wr,
      .host_addr,
      .host_wdata,
      .host_rdata
  );

  ate_axil #(
      .CONNECTIONS(CONNECTIONS),
      .MAX_PAYLOAD(MAX_PAYLOAD)
  ) u_axil (
      .clk,
      .rst,
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
      .table_wr   (host_wr),
      .table_addr (host_addr),
      .table_wdata(host_wdata),
      .table_rdata(host_rdata),
      .table_busy (seq_wr),
      .strict,
      .counter,
      .count
  );

  ate_counters u_counters (
      .clk,
      .rst,
      .event_valid,
      .event_result,
      .bad_chunk,
      .aborted,
      .no_frame,
      .index(counter),
      .count
  );

`ifndef SYNTHESIS
  if (USER_CHECK && !HOLD) begin : gen_check
    // The frame's first word leaves the engine.
    logic lead_q;
    always_ff @(posedge clk) lead_q <= u_engine.first | (lead_q & ~mirror_valid);
    ate_user_check #(
        .WIDTH(PMA_DATA_WIDTH),
        .AMEND(AMEND)
    ) u_check (
        .clk,
        .rst,
        .sof    (tx_sof_net),
        .eof    (tx_eof_net),
        .len    (tx_len_net),
        .raw    (tx_raw_net),
        .data   (tx_data_net),
        .conn   (payload_conn_id),
        .length (payload_length),
        .csum   (payload_csum),
        .ack    (tx_ack_net),
        .started(mirror_valid & (PREFETCH ? lead_q : u_engine.first) & ~u_engine.host_q),
        .stray  (u_engine.stray & ~tx_sof_net)
    );
  end
`endif
endmodule
