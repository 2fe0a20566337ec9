// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What software reaches through BAR 0: registers, contexts, doorbells and the MSI-X table.
//
// Latency: event is 7 cycles after the TLP of a doorbell is accepted, alone.
//
// Interface: TLPs as qdma_tlp_pkg has them.  engine_* is a port of each kind of context, in the order of
// qdma_context_pkg, as qdma_context_ram has it.  After a reset no TLP is accepted until all contexts are 0, QUEUES cycles
// (with at least 256), and the engines are not clearing.
module qdma_control
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_mailbox_pkg::mailbox_access_t;
#(
    parameter int QUEUES = 2048,
    parameter int PFS = 4,
    parameter int VFS = 252,
    parameter bit MM = 1'b0,  // memory-mapped transfers are there
    parameter bit BYPASS = 1'b0,  // descriptor bypass is there
    parameter bit INLINE = 1'b0,  // inline receive is there
    parameter bit WATCHDOG = 1'b0,  // the watchdog is there
    parameter int VF_SHARE = (VFS + PFS - 1) / PFS,  // VFs of a PF
    parameter int USER_BAR_BITS = 19  // of an address in the user BAR
) (
    input logic clk,
    input logic rst,

    // PCIe's configuration: 128 << n bytes
    input logic [2:0] max_payload,
    input logic [2:0] max_read_request,

    // TLPs to our BARs, and their answers
    input  logic               request_valid,
    output logic               request_ready,
    input  target_request_t    request,
    input  beat_t              request_data,
    input  logic               request_last,
    output logic               completion_valid,
    input  logic               completion_ready,
    output target_completion_t completion,
    output beat_t              completion_data,

    input logic engines_clearing,

    // Settings
    output logic                [SIZES-1:0][15:0] ring_size,
    output logic                [SIZES-1:0][15:0] buffer_size,
    output completion_setting_t                   completion_setting,
    output logic                [      2:0]       status_interval,     // of H2C, 4 << n descriptors
    output logic                [      1:0]       mm_run,              // C2H in 0, H2C in 1

    // Doorbells that have moved an index; commands that have changed a completion or a prefetch context
    output doorbell_event_t doorbell_event,
    output logic            command_event,
    output logic            prefetch_event,
    output index_t          command_qid,

    // Queues that a command has disabled: the command is busy until what the engine has written has left
    output logic   stop_valid,
    input  logic   stop_ready,
    output logic   stop_is_h2c,
    output index_t stop,
    input  logic   stop_done,
    input  logic   status_is_idle,
    input  logic   posted_is_idle,
    input  logic   posted_moves,

    // Function level reset: a bit a function of the PCIe block, which is done when flr_done is high; what is being reset
    input  logic      [MAX_FUNCTIONS-1:0] flr_in_process,
    output logic                          flr_done,
    output logic                          reset_active,
    output function_t                     reset_func,
    output logic                          drains_causes,
    input  logic                          causes_drained,

    // The user BAR, AXI4-Lite; the function whose BAR it is
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
    output logic [31:0] stat_user_refused,

    // MSI-X table and pending bits
    output logic                msix_valid,
    input  logic                msix_ready,
    output msix_access_t        msix,
    input  logic                msix_done,
    input  logic         [31:0] msix_read_data,

    // Interrupts of the mailbox, to MSI-X
    output logic             mailbox_interrupt_valid,
    input  logic             mailbox_interrupt_ready,
    output function_t        mailbox_interrupt_func,
    output logic      [10:0] mailbox_interrupt_vector,

    // Legacy interrupt: a bit of each PF
    output logic               legacy_enable,
    output logic [MAX_PFS-1:0] legacy_clear,
    input  logic [MAX_PFS-1:0] legacy_pending,

    // Errors of the engines, for a cycle
    input descriptor_error_t           [ DESCRIPTOR_ERRORS-1:0] descriptor_error,  // C2H is even, H2C odd
    input ring_error_t                 [ENGINE_RING_ERRORS-1:0] ring_error,
    input qdma_read_pkg::failed_read_t                          failed_read,

    // Watchdog; its steps of doorbells: H2C, C2H, completion
    output qdma_watch_pkg::step_t          [2:0] doorbell_step,
    output qdma_watch_pkg::watch_setting_t       watch_setting,
    input  qdma_watch_pkg::watch_state_t         watch_state,

    // Contexts, for the engines
    input  logic   [STORES-1:0] engine_valid,
    output logic   [STORES-1:0] engine_ready,
    input  index_t [STORES-1:0] engine_index,
    output logic   [STORES-1:0] engine_at,
    output words_t [STORES-1:0] engine_word,
    input  logic   [STORES-1:0] engine_write,
    input  words_t [STORES-1:0] engine_next,

    // Error interrupt
    output logic             error_interrupt_valid,
    input  logic             error_interrupt_ready,
    output error_interrupt_t error_interrupt
);
  localparam int FUNCTIONS = MAX_FUNCTIONS;

  // --- TLP to access
  access_t access;
  logic access_valid, access_done, clearing, stops_clearing, mailbox_clearing;
  logic [31:0] access_read_data;
  target_error_t error_target, error_bar, error_doorbell, target_error;
  qdma_target #(
      .PFS          (PFS),
      .USER_BAR_BITS(USER_BAR_BITS)
  ) target (
      .clk,
      .rst,
      .enable      (~clearing & ~stops_clearing & ~mailbox_clearing & ~engines_clearing),
      .request_valid,
      .request_ready,
      .request,
      .request_data,
      .request_last,
      .completion_valid,
      .completion_ready,
      .completion,
      .completion_data,
      .access_valid,
      .access,
      .access_done,
      .access_read_data,
      .target_error(error_target)
  );

  // --- Access to block
  logic [12:0] awaddr, araddr;
  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [31:0] wdata, rdata, doorbell_read_data;
  logic [3:0] wstrb;
  logic [1:0] bresp, rresp;
  logic command_busy, doorbell_valid, is_vf, doorbell_done, bar_done, user_done;
  logic [31:0] bar_read_data, user_read_data, mailbox_read_data;
  logic mailbox_valid, mailbox_ready, mailbox_done, mailbox_refused;
  mailbox_access_t mailbox_access;
  logic
      flr_ask_valid, flr_command_q, hold, bar_is_idle, bar_msix_valid, mask_valid, clean_valid, clean_ready, clean_done;
  logic [MAX_FUNCTIONS-1:0] flr_asked;
  msix_access_t bar_msix;
  assign access_done      = bar_done | user_done;
  assign access_read_data = user_done ? user_read_data : bar_read_data;
  qdma_bar #(
      .PFS(PFS),
      .VFS(VFS)
  ) bar (
      .clk,
      .rst,
      .valid         (access_valid & ~access.is_user),
      .access,
      .done          (bar_done),
      .read_data     (bar_read_data),
      .target_error  (error_bar),
      .m_axil_awaddr (awaddr),
      .m_axil_awvalid(awvalid),
      .m_axil_awready(awready),
      .m_axil_wdata  (wdata),
      .m_axil_wstrb  (wstrb),
      .m_axil_wvalid (wvalid),
      .m_axil_wready (wready),
      .m_axil_bresp  (bresp),
      .m_axil_bvalid (bvalid),
      .m_axil_bready (bready),
      .m_axil_araddr (araddr),
      .m_axil_arvalid(arvalid),
      .m_axil_arready(arready),
      .m_axil_rdata  (rdata),
      .m_axil_rresp  (rresp),
      .m_axil_rvalid (rvalid),
      .m_axil_rready (rready),
      .command_busy,
      .doorbell_valid,
      .is_vf,
      .doorbell_done,
      .doorbell_read_data,
      .msix_valid    (bar_msix_valid),
      .msix_ready,
      .msix          (bar_msix),
      .msix_done,
      .msix_read_data,
      .mailbox_valid,
      .mailbox_ready,
      .mailbox_access,
      .mailbox_done,
      .mailbox_read_data,
      .mailbox_refused,
      .ask_valid     (flr_ask_valid),
      .asked         (flr_asked),
      .reset_active,
      .reset_func,
      .hold,
      .is_idle       (bar_is_idle)
  );

  if (VFS > 0) begin : gen_mailbox
    qdma_mailbox #(
        .PFS  (PFS),
        .VFS  (VFS),
        .SHARE(VF_SHARE)
    ) mailbox (
        .clk,
        .rst,
        .clearing        (mailbox_clearing),
        .access_valid    (mailbox_valid),
        .access_ready    (mailbox_ready),
        .access          (mailbox_access),
        .access_done     (mailbox_done),
        .read_data       (mailbox_read_data),
        .refused         (mailbox_refused),
        .clean_valid,
        .clean_ready,
        .clean_func      (reset_func),
        .clean_done,
        .interrupt_valid (mailbox_interrupt_valid),
        .interrupt_ready (mailbox_interrupt_ready),
        .interrupt_func  (mailbox_interrupt_func),
        .interrupt_vector(mailbox_interrupt_vector)
    );
  end else begin : gen_no_mailbox
    assign {mailbox_clearing, mailbox_ready, mailbox_done, mailbox_read_data, mailbox_refused} = '0;
    assign {mailbox_interrupt_valid, mailbox_interrupt_func, mailbox_interrupt_vector} = '0;
    assign {clean_ready, clean_done} = '1;
    logic unused_mailbox;
    assign unused_mailbox = &{1'b0, mailbox_valid, mailbox_access, mailbox_interrupt_ready, clean_valid};
  end

  qdma_user_bar user_bar (
      .clk,
      .rst,
      .valid         (access_valid & access.is_user),
      .access,
      .done          (user_done),
      .read_data     (user_read_data),
      .m_axil_func   (m_axil_user_func),
      .m_axil_awaddr (m_axil_user_awaddr),
      .m_axil_awvalid(m_axil_user_awvalid),
      .m_axil_awready(m_axil_user_awready),
      .m_axil_wdata  (m_axil_user_wdata),
      .m_axil_wstrb  (m_axil_user_wstrb),
      .m_axil_wvalid (m_axil_user_wvalid),
      .m_axil_wready (m_axil_user_wready),
      .m_axil_bresp  (m_axil_user_bresp),
      .m_axil_bvalid (m_axil_user_bvalid),
      .m_axil_bready (m_axil_user_bready),
      .m_axil_araddr (m_axil_user_araddr),
      .m_axil_arvalid(m_axil_user_arvalid),
      .m_axil_arready(m_axil_user_arready),
      .m_axil_rdata  (m_axil_user_rdata),
      .m_axil_rresp  (m_axil_user_rresp),
      .m_axil_rvalid (m_axil_user_rvalid),
      .m_axil_rready (m_axil_user_rready),
      .stat_refused  (stat_user_refused)
  );

  // One access at a time, and the next TLP is accepted at least a cycle after an error: never two in a cycle.
  always_comb begin
    if (error_bar.csr_unmapped || error_bar.vf_access) target_error = error_bar;
    else if (error_doorbell.qspc_unmapped || error_doorbell.qid_range) target_error = error_doorbell;
    else target_error = error_target;
  end

  logic start, read_valid;
  logic [3:0] sel;
  operation_e op;
  logic [12:0] index;
  words_t command_data, command_mask, read_data;
  command_error_t command_error;
  logic stops_busy;
  pidx_error_t pidx_error;
  ring_error_t cidx_error;
  qdma_registers #(
      .QUEUES  (QUEUES),
      .PFS     (PFS),
      .VFS     (VFS),
      .MM      (MM),
      .BYPASS  (BYPASS),
      .INLINE  (INLINE),
      .WATCHDOG(WATCHDOG)
  ) registers (
      .clk,
      .rst,
      .s_axil_awaddr     (awaddr),
      .s_axil_awvalid    (awvalid),
      .s_axil_awready    (awready),
      .s_axil_wdata      (wdata),
      .s_axil_wstrb      (wstrb),
      .s_axil_wvalid     (wvalid),
      .s_axil_wready     (wready),
      .s_axil_bresp      (bresp),
      .s_axil_bvalid     (bvalid),
      .s_axil_bready     (bready),
      .s_axil_araddr     (araddr),
      .s_axil_arvalid    (arvalid),
      .s_axil_arready    (arready),
      .s_axil_rdata      (rdata),
      .s_axil_rresp      (rresp),
      .s_axil_rvalid     (rvalid),
      .s_axil_rready     (rready),
      .func              (access.func),
      .max_payload,
      .max_read_request,
      .ring_size,
      .buffer_size,
      .completion_setting,
      .status_interval,
      .mm_run,
      .command_start     (start),
      .command_sel       (sel),
      .command_op        (op),
      .command_index     (index),
      .command_data,
      .command_mask,
      .command_read_valid(read_valid & ~flr_command_q),
      .command_read_data (read_data),
      .command_error,
      .command_busy      (stops_busy),
      .target_error,
      .pidx_error,
      .descriptor_error,
      .ring_error        ({ring_error, cidx_error}),
      .failed_read,
      .watch_setting,
      .watch_state,
      .legacy_enable,
      .legacy_clear,
      .legacy_pending,
      .error_interrupt_valid,
      .error_interrupt_ready,
      .error_interrupt
  );

  logic [STORES-1:0] command_valid, command_ready, command_at, store_valid, store_ready, store_at;
  index_t command_index, store_index;
  words_t [STORES-1:0] command_word;
  logic store_write;
  words_t store_next;
  // --- Commands of software, and of a function level reset while BAR 0 is held
  logic flr_start;
  logic [3:0] flr_sel, command_sel;
  operation_e flr_op, command_op;
  index_t flr_index;
  assign command_sel = flr_command_q ? flr_sel : sel;
  assign command_op  = flr_command_q ? flr_op : op;
  always_ff @(posedge clk) begin
    if (flr_start) flr_command_q <= 1'b1;
    else if (!command_busy) flr_command_q <= 1'b0;
    if (rst) flr_command_q <= 1'b0;
  end
  qdma_command #(
      .QUEUES   (QUEUES),
      .FUNCTIONS(FUNCTIONS)
  ) command (
      .clk,
      .rst,
      .start(start | flr_start),
      .sel  (command_sel),
      .op   (command_op),
      .index(flr_command_q ? 13'(flr_index) : index),
      .busy (command_busy),
      .read_valid,
      .read_data,
      .error(command_error),
      .command_valid,
      .command_ready,
      .command_index,
      .command_at,
      .command_word
  );

  // --- Function level reset
  qdma_flr #(
      .QUEUES(QUEUES)
  ) flr (
      .clk,
      .rst,
      .ask_valid (flr_ask_valid),
      .ask_func  (access.func),
      .asked     (flr_asked),
      .in_process(flr_in_process),
      .done      (flr_done),
      .is_active (reset_active),
      .func      (reset_func),
      .hold,
      .bar_is_idle,
      .start     (flr_start),
      .sel       (flr_sel),
      .op        (flr_op),
      .index     (flr_index),
      .command_busy,
      .read_valid(read_valid & flr_command_q),
      .read_data,
      .clean_valid,
      .clean_ready,
      .clean_done,
      .mask_valid,
      .mask_ready(msix_ready),
      .mask_done (msix_done),
      .stops_busy,
      .status_is_idle,
      .posted_is_idle,
      .posted_moves,
      .drains_causes,
      .causes_drained
  );
  assign msix_valid = bar_msix_valid | mask_valid;
  assign msix = mask_valid ? '{is_write: 1'b1, is_pending: 1'b1, func: reset_func, default: '0} : bar_msix;

  assign command_event  = command_at[SEL_COMPLETION] & (command_op != OP_READ);
  assign prefetch_event = command_at[SEL_PREFETCH] & (command_op != OP_READ);
  assign command_qid    = command_index;

  // --- A queue that is enabled no more.  One that an error has stopped has buffers, or packets under way, too, until a command
  // changes it.
  sw_context_t was, written, mask;
  logic disables, is_stopped, changes_h2c;
  assign changes_h2c = command_at[SEL_SW_H2C];
  assign was = command_word[changes_h2c?SEL_SW_H2C : SEL_SW_C2H];
  assign written = command_data;
  assign mask = command_mask;
  assign is_stopped = ~was.qen & (was.err_dsc | was.err_dma);
  always_comb begin
    case (command_op)
      OP_READ:  disables = 1'b0;
      OP_WRITE: disables = is_stopped | (was.qen & mask.qen & ~written.qen);
      default:  disables = is_stopped | was.qen;
    endcase
  end
  qdma_stop_queue #(
      .QUEUES(QUEUES)
  ) stops (
      .clk,
      .rst,
      .clearing   (stops_clearing),
      .push_valid ((command_at[SEL_SW_C2H] | changes_h2c) & disables),
      .push_is_h2c(changes_h2c),
      .push_qid   (command_index),
      .busy       (stops_busy),
      .stop_valid,
      .stop_ready,
      .stop_is_h2c,
      .stop,
      .stop_done,
      .status_is_idle,
      .posted_is_idle,
      .posted_moves
  );

  qdma_doorbell #(
      .QUEUES(QUEUES)
  ) doorbell (
      .clk,
      .rst,
      .valid       (doorbell_valid),
      .access,
      .is_vf,
      .done        (doorbell_done),
      .read_data   (doorbell_read_data),
      .ring_size,
      .event_out   (doorbell_event),
      .target_error(error_doorbell),
      .pidx_error,
      .cidx_error,
      .steps       (doorbell_step),
      .store_valid,
      .store_ready,
      .store_index,
      .store_at,
      .word        (engine_word),
      .store_write,
      .store_next
  );

  qdma_contexts #(
      .QUEUES   (QUEUES),
      .FUNCTIONS(FUNCTIONS)
  ) contexts (
      .clk,
      .rst,
      .clearing,
      .command_valid,
      .command_ready,
      .command_index,
      .command_op,
      .command_data,
      .command_mask,
      .command_at,
      .command_word,
      .doorbell_valid(store_valid),
      .doorbell_ready(store_ready),
      .doorbell_index(store_index),
      .doorbell_at   (store_at),
      .doorbell_write(store_write),
      .doorbell_next (store_next),
      .engine_valid,
      .engine_ready,
      .engine_index,
      .engine_at,
      .engine_write,
      .engine_next,
      .word          (engine_word)
  );

  logic unused;
  assign unused = &{1'b0, was, written, mask};
endmodule
