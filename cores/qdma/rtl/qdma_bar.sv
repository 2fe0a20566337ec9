// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Decodes BAR 0: an access of a dword goes to the registers, to the doorbells, or nowhere.
//
// Latency: doorbells see an access in the cycle in which it is valid, registers and MSI-X 1 cycle later.  done is 1 cycle
// after the doorbell or MSI-X is done, or 2 after the registers have answered; of IND_CTXT_CMD, when the command is done.
//
// Interface: valid and access are held until done, a cycle in which read_data has the answer.
//
// Operation: what each function finds there
//   PF  0x00000 to 0x01fff registers, 0x18000 to 0x1ffff doorbells of 2048 queues,
//       0x30000 to 0x301ff MSI-X table, 0x34000 and 0x34004 its pending bits, 0x22400 to 0x233ff mailbox
//   VF  0x03000 to 0x03fff doorbells of 256 queues, 0x05000 to 0x05fff mailbox, 0x05014 version, 0x05018 user BAR,
//       0x04000 to 0x041ff MSI-X table, 0x04800 and 0x04804 its pending bits
// and each the register of its reset (FLR): 0x02500 and 0x22500 of a PF, 0x01100 and 0x05100 of a VF.
// Without VFs there is no mailbox.  Accesses of a function that is being reset change nothing and read as 0, without an error.
// Any other access reads as 0, changes nothing, and is an error of its sender.
// One access at a time, and a context command ends before the next: so they take effect in the order of the link.
module qdma_bar
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_mailbox_pkg::*;
#(
    parameter int PFS = 4,
    parameter int VFS = 252
) (
    input logic clk,
    input logic rst,

    input  logic           valid,
    input  access_t        access,
    output logic           done,
    output logic    [31:0] read_data,

    output target_error_t target_error,

    // Registers, AXI4-Lite
    output logic [12:0] m_axil_awaddr,
    output logic        m_axil_awvalid,
    input  logic        m_axil_awready,
    output logic [31:0] m_axil_wdata,
    output logic [ 3:0] m_axil_wstrb,
    output logic        m_axil_wvalid,
    input  logic        m_axil_wready,
    input  logic [ 1:0] m_axil_bresp,
    input  logic        m_axil_bvalid,
    output logic        m_axil_bready,
    output logic [12:0] m_axil_araddr,
    output logic        m_axil_arvalid,
    input  logic        m_axil_arready,
    input  logic [31:0] m_axil_rdata,
    input  logic [ 1:0] m_axil_rresp,
    input  logic        m_axil_rvalid,
    output logic        m_axil_rready,

    input logic command_busy,

    // Doorbells: valid for a cycle
    output logic        doorbell_valid,
    output logic        is_vf,
    input  logic        doorbell_done,
    input  logic [31:0] doorbell_read_data,

    // MSI-X: valid and ready, then done for a cycle
    output logic                msix_valid,
    input  logic                msix_ready,
    output msix_access_t        msix,
    input  logic                msix_done,
    input  logic         [31:0] msix_read_data,

    // Mailbox: the same
    output logic                   mailbox_valid,
    input  logic                   mailbox_ready,
    output mailbox_access_t        mailbox_access,
    input  logic                   mailbox_done,
    input  logic            [31:0] mailbox_read_data,
    input  logic                   mailbox_refused,

    // Function level reset: asked has a bit a function; hold: no access begins
    output logic                          ask_valid,
    input  logic      [MAX_FUNCTIONS-1:0] asked,
    input  logic                          reset_active,
    input  function_t                     reset_func,
    input  logic                          hold,
    output logic                          is_idle
);
  localparam logic [31:0] VF_VERSION_VALUE = 32'h1fd3_0220;  // 5.0: release 2, IP 2
  localparam int FIRST_VF = MAX_PFS;

  typedef enum logic [2:0] {
    IDLE,
    REGISTERS,  // the registers have not answered yet
    COMMAND,    // a context command may be busy
    DOORBELL,
    MSIX,
    MAILBOX,
    DONE
  } state_e;
  state_e state_q;

  logic is_pf, in_csr, in_pf_doorbells, in_vf_doorbells, in_vf_registers, to_registers, to_doorbells;
  bar_addr_t addr;
  assign addr            = access.addr[BAR_ADDR_BITS-1:0];
  assign is_pf           = 9'(access.func) < 9'(PFS);
  assign is_vf           = 9'(access.func) >= 9'(FIRST_VF) && 9'(access.func) < 9'(FIRST_VF + VFS);
  assign in_csr          = addr < CSR_END;
  assign in_pf_doorbells = addr >= PF_DOORBELLS && addr < PF_DOORBELLS_END;
  assign in_vf_doorbells = addr >= VF_DOORBELLS && addr < VF_DOORBELLS_END;
  assign in_vf_registers = addr inside {VF_VERSION, VF_USER_BAR};
  // --- Function level reset
  logic begins, is_reset, to_flr;
  assign is_idle = state_q == IDLE;
  assign begins = is_idle & valid & ~hold;
  assign is_reset = reset_active & (access.func == reset_func);
  assign to_flr = (is_pf & (addr inside {PF_FLR, PF_MAILBOX_FLR})) | (is_vf & (addr inside {VF_FLR, VF_MAILBOX_FLR}));
  assign ask_valid = begins & to_flr & access.is_write & access.strobe[0] & access.data[0];

  assign to_registers = is_pf & in_csr & ~is_reset;
  assign to_doorbells = ((is_pf & in_pf_doorbells) | (is_vf & in_vf_doorbells)) & ~is_reset;
  assign doorbell_valid = begins & to_doorbells;
  assign done = state_q == DONE;

  // --- Registers
  logic address_q, data_q;  // still to be accepted; address_q: of MSI-X, too
  logic answered, refused;
  assign m_axil_awaddr  = addr[12:0];
  assign m_axil_araddr  = addr[12:0];
  assign m_axil_wdata   = access.data;
  assign m_axil_wstrb   = access.strobe;
  assign m_axil_awvalid = (state_q == REGISTERS) & access.is_write & address_q;
  assign m_axil_wvalid  = (state_q == REGISTERS) & access.is_write & data_q;
  assign m_axil_arvalid = (state_q == REGISTERS) & ~access.is_write & address_q;
  assign m_axil_bready  = state_q == REGISTERS;
  assign m_axil_rready  = state_q == REGISTERS;
  assign answered       = (state_q == REGISTERS) & (access.is_write ? m_axil_bvalid : m_axil_rvalid);
  assign refused        = access.is_write ? m_axil_bresp[1] : m_axil_rresp[1];

  // --- MSI-X
  logic in_table, in_pending, to_msix;
  assign in_table = addr >> MSIX_ADDR_BITS == (is_pf ? PF_MSIX : VF_MSIX) >> MSIX_ADDR_BITS;
  assign in_pending = addr >> MSIX_PENDING_ADDR_BITS
                      == (is_pf ? PF_MSIX_PENDING : VF_MSIX_PENDING) >> MSIX_PENDING_ADDR_BITS;
  assign to_msix = ~is_reset & (is_pf | is_vf) & (in_table | (in_pending & ~access.is_write));
  assign msix_valid = (state_q == MSIX) & address_q;
  assign msix = '{
          is_write: access.is_write,
          is_pending: in_pending,
          func: access.func,
          vector: addr[8:4],
          dword: addr[3:2],
          data: access.data,
          strobe: access.strobe
      };

  // --- Mailbox
  bar_addr_t in_mailbox;
  logic to_mailbox, refuses, is_of_pf;
  assign in_mailbox = addr - (is_pf ? PF_MAILBOX : VF_MAILBOX);
  assign to_mailbox = (VFS > 0) & (is_pf | (is_vf & ~in_vf_registers)) & (in_mailbox >> MAILBOX_ADDR_BITS == '0)
                      & ~(access.is_write & (access.strobe != '1)) & ~to_flr & ~is_reset;
  assign mailbox_valid = (state_q == MAILBOX) & address_q;
  assign mailbox_access = '{
          is_write: access.is_write,
          func: access.func,
          offset: in_mailbox[MAILBOX_ADDR_BITS-1:0],
          data: access.data
      };
  assign refuses = (state_q == MAILBOX) & mailbox_done & mailbox_refused;
  assign is_of_pf = (mailbox_access.offset == REG_TARGET) | (mailbox_access.offset >> 5 == REG_ACKS >> 5);

  logic nowhere, foreign;
  assign foreign = is_vf & (state_q == MAILBOX ? is_of_pf : in_csr | in_pf_doorbells);  // what only a PF has
  assign nowhere = begins & ~to_registers & ~to_doorbells & ~to_msix & ~to_mailbox & ~to_flr & ~is_reset
                   & ~(is_vf & in_vf_registers & ~access.is_write);

  always_ff @(posedge clk) begin
    target_error <= '{
        csr_unmapped: ((nowhere | refuses) & ~foreign) | (answered & refused),
        vf_access: (nowhere | refuses) & foreign,
        func: access.func,
        addr: addr[16:0],
        default: '0
    };

    case (state_q)
      IDLE: begin
        address_q <= 1'b1;
        data_q    <= 1'b1;
        read_data <= is_vf && addr == VF_VERSION ? VF_VERSION_VALUE : '0;
        if (to_flr) read_data <= {31'b0, asked[access.func]};
        if (begins) begin
          if (to_registers) state_q <= REGISTERS;
          else if (to_doorbells) state_q <= DOORBELL;
          else if (to_msix) state_q <= MSIX;
          else state_q <= to_mailbox ? MAILBOX : DONE;
        end
      end
      REGISTERS: begin
        if (access.is_write ? m_axil_awready : m_axil_arready) address_q <= 1'b0;
        if (m_axil_wready) data_q <= 1'b0;
        read_data <= refused ? '0 : m_axil_rdata;
        if (answered) state_q <= COMMAND;
      end
      COMMAND: if (!command_busy) state_q <= DONE;
      DOORBELL: begin
        read_data <= doorbell_read_data;
        if (doorbell_done) state_q <= DONE;
      end
      MSIX: begin
        if (msix_ready) address_q <= 1'b0;
        // A function has at most 32 vectors: the second dword of its pending bits is 0.
        read_data <= in_pending && addr[2] ? '0 : msix_read_data;
        if (msix_done) state_q <= DONE;
      end
      MAILBOX: begin
        if (mailbox_ready) address_q <= 1'b0;
        read_data <= mailbox_refused ? '0 : mailbox_read_data;
        if (mailbox_done) state_q <= DONE;
      end
      default: state_q <= IDLE;
    endcase
    if (rst) begin
      state_q      <= IDLE;
      target_error <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, access, m_axil_bresp[0], m_axil_rresp[0]};
endmodule
