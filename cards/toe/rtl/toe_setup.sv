// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// After a reset, writes the card's addresses and times into the registers of toe; then they are the host's.
// Latency: some 60 cycles, then none: `done`, and the host's side passes.  Before that, the host's accesses wait.
//
// Addresses and values are of registers that ../../../cores/toe/regs/README.md lists; the interface is enabled last.
module toe_setup #(
    parameter int TICK_MS    = 1,
    parameter int RTO_MIN_MS = 200
) (
    input logic clk,
    input logic rst,

    input logic [47:0] mac,
    input logic [31:0] ip,
    input logic [31:0] mask,
    input logic [31:0] gateway,
    input logic [31:0] secret,

    output logic done,

    input  logic [13:0] s_axil_awaddr,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,

    output logic [13:0] m_axil_awaddr,
    output logic        m_axil_awvalid,
    input  logic        m_axil_awready,
    output logic [31:0] m_axil_wdata,
    output logic [ 3:0] m_axil_wstrb,
    output logic        m_axil_wvalid,
    input  logic        m_axil_wready,
    input  logic        m_axil_bvalid,
    output logic        m_axil_bready,
    output logic        m_axil_arvalid,
    input  logic        m_axil_arready
);
  localparam logic [3:0] LAST = 4'd12;
  logic [3:0] step_q;
  logic aw_q, w_q;  // still to be taken
  logic [13:0] addr;
  logic [31:0] data;
  always_comb begin
    case (step_q)
      4'd0:    {addr, data} = {14'h20, 32'(1000 / TICK_MS)};  // RTO_INITIAL
      4'd1:    {addr, data} = {14'h24, 32'(RTO_MIN_MS / TICK_MS)};
      4'd2:    {addr, data} = {14'h28, 32'(60000 / TICK_MS)};  // RTO_MAX
      4'd3:    {addr, data} = {14'h2c, 16'(60000 / TICK_MS), 16'(1000 / TICK_MS)};  // FIN-WAIT-2, TIME-WAIT
      4'd4:    {addr, data} = {14'h30, 32'(40 / TICK_MS)};  // delayed ACK
      4'd5:    {addr, data} = {14'h38, 32'h0000_0805};  // retries: 5 of a SYN, 8 of data
      4'd6:    {addr, data} = {14'h3c, secret};
      4'd7:    {addr, data} = {14'h104, mac[31:0]};
      4'd8:    {addr, data} = {14'h108, 16'd0, mac[47:32]};
      4'd9:    {addr, data} = {14'h10c, ip};
      4'd10:   {addr, data} = {14'h110, mask};
      4'd11:   {addr, data} = {14'h114, gateway};
      default: {addr, data} = {14'h100, 32'd1};  // there for others
    endcase
  end
  always_ff @(posedge clk) begin
    if (m_axil_awready) aw_q <= 1'b0;
    if (m_axil_wready) w_q <= 1'b0;
    if (!done && m_axil_bvalid) begin
      done <= step_q == LAST;
      step_q <= step_q + 1'b1;
      {aw_q, w_q} <= {2{step_q != LAST}};
    end
    if (rst) begin
      done        <= 1'b0;
      step_q      <= '0;
      {aw_q, w_q} <= 2'b11;
    end
  end

  assign m_axil_awaddr  = done ? s_axil_awaddr : addr;
  assign m_axil_awvalid = done ? s_axil_awvalid : aw_q;
  assign m_axil_wdata   = done ? s_axil_wdata : data;
  assign m_axil_wstrb   = done ? s_axil_wstrb : 4'hf;
  assign m_axil_wvalid  = done ? s_axil_wvalid : w_q;
  assign m_axil_bready  = ~done | s_axil_bready;
  assign m_axil_arvalid = done & s_axil_arvalid;
  assign s_axil_awready = done & m_axil_awready;
  assign s_axil_wready  = done & m_axil_wready;
  assign s_axil_bvalid  = done & m_axil_bvalid;
  assign s_axil_arready = done & m_axil_arready;
endmodule
