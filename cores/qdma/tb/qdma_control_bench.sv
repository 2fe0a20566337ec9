// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// qdma_control for tests.  A TLP is sent when `go` changes, `done` changes when it is over: a write when it has been
// accepted, a read when its completion is there.  So a test wakes up once a TLP.
//
// `busy` keeps the engines' ports of all contexts busy with reads, and the completion's ready low in most cycles.
// `counting` lets the engine add 1 to the hardware context of H2C queue 0 in every cycle.  Each change of
// `raise_errors` raises the errors of the engines for a cycle.
module qdma_control_bench
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
#(
    parameter int QUEUES = 128,
    parameter int PFS = 2,
    parameter int VFS = 4
) (
    input logic clk,
    input logic rst,

    input  logic         go,
    output logic         done,
    input  logic         is_write,
    input  logic [  7:0] func,
    input  logic [  2:0] bar,
    input  logic [ 31:0] addr,
    input  logic [ 10:0] dwords,
    input  logic [  3:0] first_be,
    input  logic [  3:0] last_be,
    input  logic [  9:0] tag,
    input  logic [511:0] data,
    input  logic [  4:0] beats,     // of the TLP

    output logic [  2:0] status,
    output logic [  7:0] answer_func,
    output logic [  4:0] answer_dwords,
    output logic [ 12:0] byte_count,
    output logic [  6:0] lower_addr,
    output logic [  9:0] answer_tag,
    output logic [511:0] answer,

    input logic [2:0] max_payload,
    input logic [2:0] max_read_request,

    output logic        event_valid,
    output logic [ 1:0] event_kind,
    output logic [10:0] event_qid,

    output logic        interrupt_valid,
    input  logic        interrupt_ready,
    output logic [28:0] interrupt,

    output logic [255:0] buffer_sizes,
    output logic [255:0] counts,
    output logic [255:0] ticks,
    output logic [ 31:0] tick_cycles,
    output logic [ 15:0] coalesce_cycles,
    output logic [ 62:0] colour_place,
    output logic [ 62:0] error_place,

    input logic        raise_errors,
    input logic [65:0] descriptor_error,  // H2C, then C2H, each: dsc, dma, sub-type, CIDX, queue
    input logic [63:0] ring_error,        // four, each: length, CIDX, full, not valid, no interrupt, queue
    input logic [97:0] failed_read,       // valid, error, client, tag, queue, function, address

    output logic [31:0] commands,    // that have changed a completion context
    output logic [10:0] command_qid,

    input  logic        stop_held,  // the engine does not end a stop
    output logic [31:0] stops,      // that were accepted
    output logic [10:0] stop_qid,   // of the last one

    output logic [ 7:0] m_axil_user_func,
    output logic [31:0] m_axil_user_awaddr,
    output logic        m_axil_user_awvalid,
    input  logic        m_axil_user_awready,
    output logic [31:0] m_axil_user_wdata,
    output logic [ 3:0] m_axil_user_wstrb,
    output logic        m_axil_user_wvalid,
    input  logic        m_axil_user_wready,
    input  logic [ 1:0] m_axil_user_bresp,
    input  logic        m_axil_user_bvalid,
    output logic        m_axil_user_bready,
    output logic [31:0] m_axil_user_araddr,
    output logic        m_axil_user_arvalid,
    input  logic        m_axil_user_arready,
    input  logic [31:0] m_axil_user_rdata,
    input  logic [ 1:0] m_axil_user_rresp,
    input  logic        m_axil_user_rvalid,
    output logic        m_axil_user_rready,
    output logic [31:0] user_refused,

    input  logic        busy,
    input  logic        counting,
    output logic [15:0] counted,
    output logic [ 1:0] seen_error,  // err_dma, err_dsc of a software context, H2C, as the engine saw it last
    output logic [31:0] cycle        // since the reset
);
  logic go_q, pending_q, request_ready, completion_valid, completion_ready;
  logic [4:0] beat_q;
  target_request_t request;
  target_completion_t completion;
  beat_t completion_data;
  doorbell_event_t doorbell_event;
  logic [STORES-1:0] engine_valid, engine_ready, engine_at, engine_write;
  index_t [STORES-1:0] engine_index;
  words_t [STORES-1:0] engine_word, engine_next;
  error_interrupt_t error_interrupt;
  completion_setting_t setting;
  msix_access_t msix;
  logic raise_q, raises, command_event, msix_valid, msix_ready, msix_done, stop_valid, stop_ready, stop_open_q;
  logic stop_is_h2c, stop_is_h2c_q;
  index_t stop;
  logic [31:0] msix_read_data;
  assign counts = setting.count_threshold;
  assign ticks = setting.timer_ticks;
  assign tick_cycles = setting.tick_cycles;
  assign coalesce_cycles = setting.coalesce_cycles;
  assign colour_place = setting.colour_place;
  assign error_place = setting.error_place;
  assign raises = raise_errors != raise_q;
  assign stop_ready = ~stop_open_q;

  assign request = '{
          is_write: is_write,
          func: func,
          bar: bar,
          addr: addr,
          dwords: dwords,
          first_be: first_be,
          last_be: last_be,
          transaction: '{requester: 16'h1234, tag: tag, tc: 3'd2, attr: 3'd1}
      };
  assign {event_valid, event_kind, event_qid} = doorbell_event;
  assign interrupt = error_interrupt;

  logic request_valid, last;
  assign request_valid = pending_q;
  assign last = beat_q + 1'b1 == beats;
  assign completion_ready = ~busy | (cycle[1:0] == '0);

  always_ff @(posedge clk) begin
    cycle   <= cycle + 1'b1;
    go_q    <= go;
    raise_q <= raise_errors;
    if (command_event) commands <= commands + 1'b1;
    if (stop_valid && stop_ready) stop_is_h2c_q <= stop_is_h2c;
    if (stop_valid && stop_ready && !stop_is_h2c) begin
      stops    <= stops + 1'b1;
      stop_qid <= stop;
    end
    stop_open_q <= ~rst & ((stop_valid & stop_ready) | (stop_open_q & stop_held & ~stop_is_h2c_q));
    if (go != go_q) begin
      pending_q <= 1'b1;
      beat_q    <= '0;
    end
    if (request_valid && request_ready) begin
      beat_q <= beat_q + 1'b1;
      if (last) begin
        pending_q <= 1'b0;
        if (is_write) done <= ~done;
      end
    end
    if (completion_valid && completion_ready) begin
      status        <= completion.status;
      answer_func   <= completion.func;
      answer_dwords <= completion.dwords;
      byte_count    <= completion.byte_count;
      lower_addr    <= completion.lower_addr;
      answer_tag    <= completion.transaction.tag;
      answer        <= completion_data;
      done          <= ~done;
      a_transaction : assert (completion.transaction == request.transaction);
    end
    if (rst) begin
      cycle     <= '0;
      pending_q <= 1'b0;
      done      <= 1'b0;
      go_q      <= go;
      commands  <= '0;
      stops     <= '0;
    end
  end

  // --- Engines
  sw_context_t seen;
  assign seen = engine_word[SEL_SW_H2C];
  localparam int COUNTED = 32'(SEL_HW_H2C);
  always_comb begin
    engine_valid = {STORES{busy}};
    engine_write = '0;
    engine_next  = '0;
    for (int i = 0; i < STORES; i++) engine_index[i] = index_t'(cycle[1:0]);
    engine_index[COUNTED] = '0;
    engine_write[COUNTED] = counting;
    engine_next[COUNTED]  = engine_word[COUNTED] + 1'b1;
    engine_valid[COUNTED] = busy | counting;
  end
  always_ff @(posedge clk) begin
    if (engine_at[COUNTED] && counting) counted <= counted + 1'b1;
    if (engine_at[SEL_SW_H2C]) seen_error <= {seen.err_dma, seen.err_dsc};
    if (rst) counted <= '0;
  end

  qdma_control #(
      .QUEUES(QUEUES),
      .PFS   (PFS),
      .VFS   (VFS)
  ) dut (
      .clk,
      .rst,
      .max_payload,
      .max_read_request,
      .request_valid,
      .request_ready,
      .request,
      .request_data            (data),
      .request_last            (last),
      .completion_valid,
      .completion_ready,
      .completion,
      .completion_data,
      .engines_clearing        (1'b0),
      .ring_size               (),
      .mm_run                  (),
      .status_interval         (),
      .buffer_size             (buffer_sizes),
      .completion_setting      (setting),
      .doorbell_event,
      .command_event,
      .prefetch_event          (),
      .command_qid,
      .stop_valid,
      .stop_ready,
      .stop_is_h2c,
      .stop,
      .stop_done               (stop_open_q & (stop_is_h2c_q | ~stop_held)),
      .status_is_idle          (1'b1),
      .posted_is_idle          (1'b1),
      .posted_moves            (1'b0),
      .flr_in_process          ('0),
      .flr_done                (),
      .reset_active            (),
      .reset_func              (),
      .drains_causes           (),
      .causes_drained          (1'b1),
      .m_axil_user_func,
      .m_axil_user_awaddr,
      .m_axil_user_awvalid,
      .m_axil_user_awready,
      .m_axil_user_wdata,
      .m_axil_user_wstrb,
      .m_axil_user_wvalid,
      .m_axil_user_wready,
      .m_axil_user_bresp,
      .m_axil_user_bvalid,
      .m_axil_user_bready,
      .m_axil_user_araddr,
      .m_axil_user_arvalid,
      .m_axil_user_arready,
      .m_axil_user_rdata,
      .m_axil_user_rresp,
      .m_axil_user_rvalid,
      .m_axil_user_rready,
      .stat_user_refused       (user_refused),
      .msix_valid,
      .msix_ready,
      .msix,
      .msix_done,
      .msix_read_data,
      .descriptor_error        (raises ? {66'b0, descriptor_error} : '0),
      .ring_error              (raises ? ring_error : '0),
      .failed_read             (raises ? failed_read : '0),
      .doorbell_step           (),
      .watch_setting           (),
      .watch_state             ('0),
      .legacy_enable           (),
      .legacy_clear            (),
      .legacy_pending          ('0),
      .mailbox_interrupt_valid (),
      .mailbox_interrupt_ready (1'b1),
      .mailbox_interrupt_func  (),
      .mailbox_interrupt_vector(),
      .engine_valid,
      .engine_ready,
      .engine_index,
      .engine_at,
      .engine_word,
      .engine_write,
      .engine_next,
      .error_interrupt_valid   (interrupt_valid),
      .error_interrupt_ready   (interrupt_ready),
      .error_interrupt
  );

  qdma_msix #(
      .FUNCTIONS(MAX_PFS + VFS),
      .PFS      (MAX_PFS)
  ) table_of_msix (
      .clk,
      .rst,
      .is_enabled      ('0),
      .is_masked       ('0),
      .may_write       ('1),
      .request_valid   (1'b0),
      .request_ready   (),
      .request_func    ('0),
      .request_vector  ('0),
      .request_is_user (1'b0),
      .lost            (),
      .user_done       (),
      .user_is_accepted(),
      .access_valid    (msix_valid),
      .access_ready    (msix_ready),
      .access_write    (msix.is_write),
      .access_pending  (msix.is_pending),
      .access_func     (msix.func),
      .access_vector   (msix.vector),
      .access_dword    (msix.dword),
      .access_data     (msix.data),
      .access_strobe   (msix.strobe),
      .access_done     (msix_done),
      .read_data       (msix_read_data),
      .message_valid   (),
      .message_ready   (1'b0),
      .message_func    (),
      .message_addr    (),
      .message_data    ()
  );

  bind qdma_target axis_checker #(
      .WIDTH($bits(request) + $bits(request_data) + 1)
  ) check_request (
      .clk,
      .rst,
      .valid  (request_valid),
      .ready  (request_ready),
      .payload({request, request_data, request_last})
  );
  bind qdma_target axis_checker #(
      .WIDTH($bits(completion) + $bits(completion_data))
  ) check_completion (
      .clk,
      .rst,
      .valid  (completion_valid),
      .ready  (completion_ready),
      .payload({completion, completion_data})
  );
  bind qdma_errors axis_checker #(
      .WIDTH($bits(interrupt))
  ) check_interrupt (
      .clk,
      .rst,
      .valid  (interrupt_valid),
      .ready  (interrupt_ready),
      .payload(interrupt)
  );
  bind qdma_registers axil_checker #(
      .ADDR_WIDTH($bits(s_axil_awaddr))
  ) check_axil (
      .clk,
      .rst,
      .awaddr (s_axil_awaddr),
      .awvalid(s_axil_awvalid),
      .awready(s_axil_awready),
      .wdata  (s_axil_wdata),
      .wstrb  (s_axil_wstrb),
      .wvalid (s_axil_wvalid),
      .wready (s_axil_wready),
      .bresp  (s_axil_bresp),
      .bvalid (s_axil_bvalid),
      .bready (s_axil_bready),
      .araddr (s_axil_araddr),
      .arvalid(s_axil_arvalid),
      .arready(s_axil_arready),
      .rdata  (s_axil_rdata),
      .rresp  (s_axil_rresp),
      .rvalid (s_axil_rvalid),
      .rready (s_axil_rready)
  );
endmodule
