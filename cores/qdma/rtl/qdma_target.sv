// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns the TLPs to our BARs into accesses of a dword, and their answers into completions.
//
// Latency: an access is valid 1 cycle after its TLP is accepted, a completion 1 cycle after the last dword is done.
//
// Interface: as qdma_tlp_pkg; request_last ends a TLP of several beats.  Accesses as qdma_bar.
//
// Operation: one TLP at a time, dword by dword; those without a byte enable are left out.  A TLP that is not for BAR 0 or
// the user BAR of a PF, goes beyond it, or has more than one beat changes nothing: a read is answered as an unsupported
// request, and either is an error of its sender (csr_unmapped).  Drivers use one or two dwords.
module qdma_target
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
#(
    parameter int PFS = 4,
    parameter int USER_BAR_BITS = 19  // of an address in the user BAR
) (
    input logic clk,
    input logic rst,

    input logic enable,  // TLPs are accepted

    input  logic            request_valid,
    output logic            request_ready,
    input  target_request_t request,
    input  beat_t           request_data,
    input  logic            request_last,

    output logic               completion_valid,
    input  logic               completion_ready,
    output target_completion_t completion,
    output beat_t              completion_data,

    output logic           access_valid,
    output access_t        access,
    input  logic           access_done,
    input  logic    [31:0] access_read_data,

    output target_error_t target_error
);
  typedef enum logic [1:0] {
    IDLE,
    ACCESS,
    DRAIN,   // the rest of a TLP that is not supported
    ANSWER
  } state_e;
  state_e state_q;
  target_request_t request_q;
  logic [3:0] dword_q;
  // This dword: whoever decodes it takes as long as it may
  access_addr_t addr_q;
  logic [31:0] word_q;
  logic [3:0] strobe_q;
  logic is_user, in_bar, supported, is_last;
  logic [32:0] end_addr;

  assign request_ready = enable & (state_q inside {IDLE, DRAIN});
  assign end_addr = {1'b0, request.addr} + 33'({request.dwords, 2'b00});
  assign is_user = request.bar == BAR_USER;
  assign in_bar = is_user ? (end_addr <= 33'(1 << USER_BAR_BITS)) & (9'(request.func) < 9'(PFS))
                  : (end_addr <= 33'(1 << BAR_ADDR_BITS)) & (request.bar == BAR_CONFIG);
  assign supported = in_bar & request_last & (request.dwords <= 11'(BEAT_DWORDS)) & (request.dwords != '0);

  // --- The dword under way
  logic [3:0] next_dword;
  assign is_last = 11'(dword_q) + 1'b1 == request_q.dwords;
  assign next_dword = dword_q + 1'b1;
  assign access = '{
          is_write: request_q.is_write,
          is_user: request_q.bar == BAR_USER,
          func: request_q.func,
          addr: addr_q,
          data: word_q,
          strobe: strobe_q
      };
  assign access_valid = (state_q == ACCESS) & (strobe_q != '0);

  // --- Byte count and lower address, PCI Express Base 2.3.1.1
  function automatic logic [1:0] first_byte(input logic [3:0] be);
    return be[0] ? 2'd0 : be[1] ? 2'd1 : be[2] ? 2'd2 : be[3] ? 2'd3 : 2'd0;
  endfunction
  function automatic logic [1:0] bytes_after(input logic [3:1] be);  // the last one
    return be[3] ? 2'd0 : be[2] ? 2'd1 : be[1] ? 2'd2 : 2'd3;
  endfunction

  status_e status_q;
  logic [3:1] end_be;
  logic [12:0] byte_count;
  assign end_be = request_q.dwords == 11'd1 ? request_q.first_be[3:1] : request_q.last_be[3:1];
  assign byte_count = 13'({request_q.dwords, 2'b00}) - 13'(first_byte(
      request_q.first_be
  )) - 13'(bytes_after(
      end_be[3:1]
  ));
  assign completion_valid = state_q == ANSWER;
  assign completion = '{
          status: status_q,
          func: request_q.func,
          dwords: status_q == STATUS_OK ? request_q.dwords[4:0] : '0,
          byte_count: byte_count,
          lower_addr: {request_q.addr[6:2], first_byte(request_q.first_be)},
          transaction: request_q.transaction
      };

  logic accept;
  assign accept = request_valid & request_ready;
  always_ff @(posedge clk) begin
    target_error <= '{
        csr_unmapped: accept & (state_q == IDLE) & ~supported,
        func: request.func,
        addr: request.addr[16:0],
        default: '0
    };

    case (state_q)
      IDLE: begin
        dword_q         <= '0;
        addr_q          <= request.addr[MAX_USER_BAR_BITS-1:0];
        word_q          <= request_data[31:0];
        strobe_q        <= request.first_be;
        request_q       <= request;
        completion_data <= request_data;
        status_q        <= supported ? STATUS_OK : STATUS_UR;
        if (accept) begin
          if (supported) state_q <= ACCESS;
          else if (!request_last) state_q <= DRAIN;
          else if (!request.is_write) state_q <= ANSWER;
        end
      end
      ACCESS:
      if (access_done || strobe_q == '0) begin
        if (!request_q.is_write) completion_data[32*dword_q+:32] <= strobe_q == '0 ? '0 : access_read_data;
        dword_q  <= next_dword;
        addr_q   <= addr_q + access_addr_t'(4);
        word_q   <= completion_data[32*next_dword+:32];
        strobe_q <= 11'(dword_q) + 11'd2 == request_q.dwords ? request_q.last_be : '1;
        if (is_last) state_q <= request_q.is_write ? IDLE : ANSWER;
      end
      DRAIN:   if (accept && request_last) state_q <= request_q.is_write ? IDLE : ANSWER;
      default: if (completion_ready) state_q <= IDLE;
    endcase
    if (rst) begin
      state_q      <= IDLE;
      target_error <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, request_q};
endmodule
