// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite from one clock to another, one access at a time.  Any two clocks.
// Latency: 4 edges of m_clk and 4 of s_clk, and what the slave takes (cdc_handshake, there and back).
//
// Every access is answered.  SLVERR when the other side is in reset, when its reset comes before its slave has answered,
// and when it has not answered after TIMEOUT cycles of s_clk, because its clock stands still.  An answer that comes
// after that is not taken for one to a later access: each has a number, of 8 bits.  s_rst ends the access under way; the
// slave may still see it.
//
// Constraints: those of the two cdc_handshake.
module axil_cdc #(
    parameter int ADDR_WIDTH = 16,
    parameter int TIMEOUT = 4096  // a power of two
) (
    input logic s_clk,
    input logic s_rst,

    input  logic [ADDR_WIDTH-1:0] s_axil_awaddr,
    input  logic                  s_axil_awvalid,
    output logic                  s_axil_awready,
    input  logic [          31:0] s_axil_wdata,
    input  logic [           3:0] s_axil_wstrb,
    input  logic                  s_axil_wvalid,
    output logic                  s_axil_wready,
    output logic [           1:0] s_axil_bresp,
    output logic                  s_axil_bvalid,
    input  logic                  s_axil_bready,
    input  logic [ADDR_WIDTH-1:0] s_axil_araddr,
    input  logic                  s_axil_arvalid,
    output logic                  s_axil_arready,
    output logic [          31:0] s_axil_rdata,
    output logic [           1:0] s_axil_rresp,
    output logic                  s_axil_rvalid,
    input  logic                  s_axil_rready,

    input logic m_clk,
    input logic m_rst,

    output logic [ADDR_WIDTH-1:0] m_axil_awaddr,
    output logic                  m_axil_awvalid,
    input  logic                  m_axil_awready,
    output logic [          31:0] m_axil_wdata,
    output logic [           3:0] m_axil_wstrb,
    output logic                  m_axil_wvalid,
    input  logic                  m_axil_wready,
    input  logic [           1:0] m_axil_bresp,
    input  logic                  m_axil_bvalid,
    output logic                  m_axil_bready,
    output logic [ADDR_WIDTH-1:0] m_axil_araddr,
    output logic                  m_axil_arvalid,
    input  logic                  m_axil_arready,
    input  logic [          31:0] m_axil_rdata,
    input  logic [           1:0] m_axil_rresp,
    input  logic                  m_axil_rvalid,
    output logic                  m_axil_rready
);
  localparam logic [1:0] SLVERR = 2'b10;
  localparam int COUNT_WIDTH = $clog2(TIMEOUT);
  localparam int NUMBER_WIDTH = 8;

  typedef struct packed {
    logic [NUMBER_WIDTH-1:0] number;
    logic write;
    logic [ADDR_WIDTH-1:0] addr;
    logic [31:0] data;
    logic [3:0] strb;
  } request_t;
  typedef struct packed {
    logic [NUMBER_WIDTH-1:0] number;
    logic [1:0] resp;
    logic [31:0] data;
  } answer_t;

  // --- s
  typedef enum logic [2:0] {
    READY,
    SEND,
    WAIT,
    ANSWER_B,
    ANSWER_R
  } s_state_e;
  s_state_e s_state_q;
  request_t request_q = '0, request;  // the number outlives a reset
  answer_t answer_seen;
  logic take_write, take_read, sent, answered, late;
  logic [COUNT_WIDTH-1:0] count_q;

  assign take_write     = (s_state_q == READY) & s_axil_awvalid & s_axil_wvalid;
  assign take_read      = (s_state_q == READY) & s_axil_arvalid & ~take_write;
  assign s_axil_awready = take_write;
  assign s_axil_wready  = take_write;
  assign s_axil_arready = take_read;
  assign s_axil_bvalid  = s_state_q == ANSWER_B;
  assign s_axil_rvalid  = s_state_q == ANSWER_R;
  assign s_axil_rresp   = s_axil_bresp;
  assign late           = &count_q;

  always_ff @(posedge s_clk) begin
    count_q <= s_state_q == READY ? '0 : count_q + 1'b1;
    case (s_state_q)
      READY:
      if (take_write || take_read) begin
        request_q <= '{
            number: request_q.number + 1'b1,
            write: take_write,
            addr: take_write ? s_axil_awaddr : s_axil_araddr,
            data: s_axil_wdata,
            strb: s_axil_wstrb
        };
        s_state_q <= SEND;
      end
      SEND, WAIT: begin
        if (sent) s_state_q <= WAIT;
        if (late || (answered && answer_seen.number == request_q.number && s_state_q == WAIT)) begin
          s_axil_bresp <= late ? SLVERR : answer_seen.resp;
          s_axil_rdata <= answer_seen.data;
          s_state_q    <= request_q.write ? ANSWER_B : ANSWER_R;
        end
      end
      ANSWER_B: if (s_axil_bready) s_state_q <= READY;
      default:  if (s_axil_rready) s_state_q <= READY;
    endcase
    if (s_rst) s_state_q <= READY;
  end

  // --- m.  `request` holds still until the next one comes, which is only after a timeout or a reset of s.
  typedef enum logic [1:0] {
    IDLE,
    ACCESS,
    REPLY
  } m_state_e;
  m_state_e m_state_q = IDLE;
  request_t access_q;
  answer_t  answer_q;
  logic waiting_q = 1'b0, address_q, data_q, arrived, replied;

  assign m_axil_awaddr  = access_q.addr;
  assign m_axil_araddr  = access_q.addr;
  assign m_axil_wdata   = access_q.data;
  assign m_axil_wstrb   = access_q.strb;
  assign m_axil_awvalid = (m_state_q == ACCESS) & access_q.write & address_q;
  assign m_axil_wvalid  = (m_state_q == ACCESS) & access_q.write & data_q;
  assign m_axil_bready  = (m_state_q == ACCESS) & access_q.write;
  assign m_axil_arvalid = (m_state_q == ACCESS) & ~access_q.write & address_q;
  assign m_axil_rready  = (m_state_q == ACCESS) & ~access_q.write;

  always_ff @(posedge m_clk) begin
    // A request that arrives when an older one that waited is let in is what is let in.
    waiting_q <= (arrived | waiting_q) & ~(waiting_q & (m_state_q == IDLE));
    case (m_state_q)
      IDLE: begin
        access_q  <= request;
        address_q <= 1'b1;
        data_q    <= 1'b1;
        if (waiting_q) m_state_q <= ACCESS;
      end
      ACCESS: begin
        if ((m_axil_awvalid && m_axil_awready) || (m_axil_arvalid && m_axil_arready)) address_q <= 1'b0;
        if (m_axil_wready) data_q <= 1'b0;
        if (m_rst || (access_q.write ? m_axil_bvalid : m_axil_rvalid)) begin
          answer_q <= '{
              number: access_q.number,
              resp: m_rst ? SLVERR : access_q.write ? m_axil_bresp : m_axil_rresp,
              data: m_axil_rdata
          };
          m_state_q <= REPLY;
        end
      end
      default: if (replied) m_state_q <= IDLE;
    endcase
  end

  // --- Crossings
  logic there_ready, back_ready;
  assign sent    = (s_state_q == SEND) & there_ready;
  assign replied = (m_state_q == REPLY) & back_ready;
  cdc_handshake #(
      .WIDTH($bits(request_t))
  ) there (
      .s_clk,
      .s_rst  (1'b0),
      .s_data (request_q),
      .s_valid(s_state_q == SEND),
      .s_ready(there_ready),
      .m_clk,
      .m_rst  (1'b0),
      .m_data (request),
      .m_valid(arrived)
  );
  cdc_handshake #(
      .WIDTH($bits(answer_t))
  ) back (
      .s_clk  (m_clk),
      .s_rst  (1'b0),
      .s_data (answer_q),
      .s_valid(m_state_q == REPLY),
      .s_ready(back_ready),
      .m_clk  (s_clk),
      .m_rst  (1'b0),
      .m_data (answer_seen),
      .m_valid(answered)
  );
endmodule
