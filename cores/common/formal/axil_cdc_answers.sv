// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of axil_cdc, for any two clocks, any accesses, any slave, and resets on either side at any time.  Steps and edges
// are those of async_fifo_order; the two crossings are what cdc_handshake_once proves of them (abstract/cdc_handshake.sv).
//   - each access that is taken is answered once, within TIMEOUT edges of s_clk, unless s_rst comes before
//   - an answer is what the slave has said to this very access (SLVERR, where m_rst came first), or SLVERR after TIMEOUT
//     edges; never what it has said to another one
//   - the slave sees each access at most once, in order, and as it was asked for, with one handshake for the address and
//     one for the data, each of which stays until it is taken; m_rst ends it
// Assumes what axil_cdc's head says of its numbers: the slave's side is never 256 accesses behind.  And that a slave
// answers what it has taken.
module axil_cdc_answers #(
    parameter bit INVARIANTS = 1'b1,
    parameter int ADDR_WIDTH = 2,
    parameter int TIMEOUT = 4  // with 2 no answer comes in time
) (
    input logic                  s_clk,           // there is an edge in this step
    input logic                  s_rst,
    input logic [ADDR_WIDTH-1:0] s_axil_awaddr,
    input logic                  s_axil_awvalid,
    input logic [          31:0] s_axil_wdata,
    input logic [           3:0] s_axil_wstrb,
    input logic                  s_axil_wvalid,
    input logic                  s_axil_bready,
    input logic [ADDR_WIDTH-1:0] s_axil_araddr,
    input logic                  s_axil_arvalid,
    input logic                  s_axil_rready,
    input logic                  m_clk,
    input logic                  m_rst,
    input logic                  m_axil_awready,
    input logic                  m_axil_wready,
    input logic [           1:0] m_axil_bresp,
    input logic                  m_axil_bvalid,
    input logic                  m_axil_arready,
    input logic [          31:0] m_axil_rdata,
    input logic [           1:0] m_axil_rresp,
    input logic                  m_axil_rvalid
);
  logic s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_arready, s_axil_rvalid;
  logic m_axil_awvalid, m_axil_wvalid, m_axil_bready, m_axil_arvalid, m_axil_rready;
  logic [ADDR_WIDTH-1:0] m_axil_awaddr, m_axil_araddr;
  logic [31:0] s_axil_rdata, m_axil_wdata;
  logic [1:0] s_axil_bresp, s_axil_rresp;
  logic [3:0] m_axil_wstrb;
  axil_cdc #(
      .ADDR_WIDTH(ADDR_WIDTH),
      .TIMEOUT   (TIMEOUT)
  ) dut (
      .*
  );

  logic every_step;
  assign every_step = 1'b1;

  localparam logic [1:0] SLVERR = 2'b10;
  localparam logic [2:0] READY = 3'd0, SEND = 3'd1, WAIT = 3'd2, ANSWER_B = 3'd3, ANSWER_R = 3'd4;
  localparam logic [1:0] IDLE = 2'd0, ACCESS = 2'd1, REPLY = 2'd2;

  // --- Reference.  An access in each place has an age: how many have been taken after it.
  typedef struct packed {
    logic write;
    logic [ADDR_WIDTH-1:0] addr;
    logic [31:0] data;
    logic [3:0] strb;
  } request_t;
  typedef struct packed {
    logic [1:0]  resp;
    logic [31:0] data;
  } answer_t;
  typedef logic [8:0] age_t;
  localparam age_t OLD = '1;
  localparam int WAIT_WIDTH = $clog2(TIMEOUT) + 2;

  logic take_write, take_read, take, put, show, access, finish, shown;
  assign take_write = s_clk & s_axil_awvalid & s_axil_awready & s_axil_wvalid & s_axil_wready;
  assign take_read = s_clk & s_axil_arvalid & s_axil_arready;
  assign take = take_write | take_read;
  assign put = dut.there.take;
  assign show = dut.there.show;
  assign access = m_clk & (dut.m_state_q == IDLE) & dut.waiting_q;
  assign finish     = m_clk & (dut.m_state_q == ACCESS)
                      & (m_rst | (m_axil_bvalid & m_axil_bready) | (m_axil_rvalid & m_axil_rready));
  assign shown = s_axil_bvalid | s_axil_rvalid;

  function automatic age_t aged(input age_t age, input logic more);
    return more && age != OLD ? age + 1'b1 : age;
  endfunction

  request_t asked_q, there_q, request_q, access_q;  // asked; crossing; at the other side; last seen by the slave
  age_t there_age_q, request_age_q, access_age_q, back_age_q, seen_age_q;
  logic reset_q;  // s has been reset
  logic open_q;  // an access is to be answered
  logic [WAIT_WIDTH-1:0] wait_q;  // edges of s_clk since it was taken, until its answer shows
  logic given_valid_q;  // the slave has answered the access of age 0
  answer_t given_q;
  initial {open_q, given_valid_q, reset_q, wait_q} = '0;
  initial {there_age_q, request_age_q, access_age_q, back_age_q, seen_age_q} = '1;
  always_ff @(posedge every_step) begin
    there_age_q   <= aged(put ? '0 : there_age_q, take);
    request_age_q <= aged(show ? there_age_q : request_age_q, take);
    access_age_q  <= aged(access ? request_age_q : access_age_q, take);
    back_age_q    <= aged(dut.back.take ? access_age_q : back_age_q, take);
    seen_age_q    <= aged(dut.back.show ? back_age_q : seen_age_q, take);
    if (take) begin
      asked_q <= '{
          write: take_write,
          addr: take_write ? s_axil_awaddr : s_axil_araddr,
          data: s_axil_wdata,
          strb: s_axil_wstrb
      };
    end
    if (put) there_q <= asked_q;
    if (show) request_q <= there_q;
    if (access) access_q <= request_q;
    if (finish && access_age_q == '0) begin
      given_q <= '{resp: m_rst ? SLVERR : access_q.write ? m_axil_bresp : m_axil_rresp, data: m_axil_rdata};
    end
    given_valid_q <= ~take & (given_valid_q | (finish & (access_age_q == '0)));
    if (s_clk) begin
      reset_q <= reset_q | s_rst;
      open_q  <= ~s_rst & (take | (open_q & ~((s_axil_bvalid & s_axil_bready) | (s_axil_rvalid & s_axil_rready))));
      wait_q  <= !open_q ? '0 : shown ? wait_q : wait_q + 1'b1;
    end
  end

  // --- The slave's side of one access
  logic aw_done_q, w_done_q, ar_done_q;
  logic aw_held_q, w_held_q, ar_held_q, cut_q;
  initial {aw_held_q, w_held_q, ar_held_q, cut_q} = '0;
  always_ff @(posedge every_step) begin
    aw_held_q <= m_axil_awvalid & ~(m_clk & (m_axil_awready | m_rst));
    w_held_q  <= m_axil_wvalid & ~(m_clk & (m_axil_wready | m_rst));
    ar_held_q <= m_axil_arvalid & ~(m_clk & (m_axil_arready | m_rst));
    cut_q     <= m_clk & m_rst & (m_axil_bready | m_axil_rready);
    if (access) {aw_done_q, w_done_q, ar_done_q} <= '0;
    else if (m_clk) begin
      aw_done_q <= aw_done_q | (m_axil_awvalid & m_axil_awready);
      w_done_q  <= w_done_q | (m_axil_wvalid & m_axil_wready);
      ar_done_q <= ar_done_q | (m_axil_arvalid & m_axil_arready);
    end
  end

  logic has_request, has_access, waits;
  assign has_request = dut.arrived | dut.waiting_q;
  assign has_access  = dut.m_state_q != IDLE;
  assign waits       = (dut.s_state_q == SEND) | (dut.s_state_q == WAIT);
  always_comb begin
    // --- The world: a reset of s at the start; a slave that answers what it has taken; numbers that suffice
    if (s_clk && !reset_q) assume (s_rst);
    if (m_axil_bvalid) assume (aw_done_q && w_done_q);
    if (m_axil_rvalid) assume (ar_done_q);
    if (take) begin
      if (dut.there.full_q) assume (there_age_q < 9'd255);
      if (has_request) assume (request_age_q < 9'd255);
      if (has_access) assume (access_age_q < 9'd255);
      if (dut.back.full_q) assume (back_age_q < 9'd255);
      if (dut.answered) assume (seen_age_q < 9'd255);
    end

    // --- The claim
    if (reset_q) begin
      if (take) assert (!open_q);
      assert (!(s_axil_bvalid && s_axil_rvalid));
      if (open_q && !shown) assert (wait_q < WAIT_WIDTH'(TIMEOUT));
      if (shown) begin
        assert (open_q && s_axil_bvalid == asked_q.write);
        if (wait_q == WAIT_WIDTH'(TIMEOUT))
          assert (s_axil_bresp == SLVERR && s_axil_rresp == SLVERR);
          else begin
            assert (given_valid_q && s_axil_bresp == given_q.resp && s_axil_rresp == given_q.resp);
            if (s_axil_rvalid) assert (s_axil_rdata == given_q.data);
          end
      end
    end
    if (access) assert (request_age_q < access_age_q);
    if (m_axil_awvalid) assert (access_q.write && m_axil_awaddr == access_q.addr && !aw_done_q);
    if (m_axil_wvalid) begin
      assert (access_q.write && m_axil_wdata == access_q.data && m_axil_wstrb == access_q.strb && !w_done_q);
    end
    if (m_axil_arvalid) assert (!access_q.write && m_axil_araddr == access_q.addr && !ar_done_q);
    if (aw_held_q) assert (m_axil_awvalid);
    if (w_held_q) assert (m_axil_wvalid);
    if (ar_held_q) assert (m_axil_arvalid);
    if (cut_q) assert (!m_axil_bready && !m_axil_rready);

    if (INVARIANTS) begin
      // s
      if (reset_q) begin
        assert (dut.s_state_q <= ANSWER_R && open_q == (dut.s_state_q != READY));
        if (open_q) assert (dut.request_q[$bits(request_t)-1:0] == asked_q);
        if (waits) assert (WAIT_WIDTH'(dut.count_q) == wait_q && wait_q < WAIT_WIDTH'(TIMEOUT));
        if (dut.s_state_q == SEND) begin
          assert (there_age_q != 0 && request_age_q != 0 && access_age_q != 0 && back_age_q != 0 && seen_age_q != 0);
        end
      end else begin
        assert (!dut.there.full_q && !dut.there.s_ready && !has_request && dut.m_state_q == IDLE && !dut.back.full_q);
        assert (!dut.answered && !given_valid_q);
        assert (there_age_q == OLD && request_age_q == OLD && access_age_q == OLD && back_age_q == OLD);
      end
      if (dut.there.s_ready) assert (!dut.there.full_q);
      if (dut.back.s_ready) assert (!dut.back.full_q);
      // Numbers, contents
      if (dut.there.full_q) begin
        assert (there_age_q < 256 && dut.there.word_q == {dut.request_q.number - there_age_q[7:0], there_q});
      end
      if (has_request) begin
        assert (request_age_q < 256 && dut.request == {dut.request_q.number - request_age_q[7:0], request_q});
      end
      if (has_access) begin
        assert (access_age_q < 256 && dut.access_q == {dut.request_q.number - access_age_q[7:0], access_q});
        if (dut.m_state_q == REPLY) assert (dut.answer_q.number == dut.access_q.number);
      end
      assert (dut.m_state_q <= REPLY);
      if (dut.back.full_q) begin
        assert (back_age_q < 256 && dut.back.word_q[41:34] == dut.request_q.number - back_age_q[7:0]);
      end
      if (dut.answered) begin
        assert (seen_age_q < 256 && dut.answer_seen.number == dut.request_q.number - seen_age_q[7:0]);
      end
      // Order
      if (dut.there.full_q) assert (there_age_q < access_age_q);
      if (has_request) assert (request_age_q < access_age_q);
      if (dut.there.full_q && has_request) assert (there_age_q < request_age_q);
      if (dut.back.full_q) assert (has_access ? back_age_q > access_age_q : back_age_q >= access_age_q);
      if (dut.answered) assert (has_access ? seen_age_q > access_age_q : seen_age_q >= access_age_q);
      // Answers
      if (given_valid_q) assert (access_age_q == 0 && dut.m_state_q != ACCESS);
      if (dut.m_state_q == REPLY && access_age_q == 0) assert (given_valid_q && dut.answer_q[33:0] == given_q);
      if (dut.back.full_q && back_age_q == 0) assert (given_valid_q && dut.back.word_q[33:0] == given_q);
      if (dut.answered && seen_age_q == 0) assert (given_valid_q && dut.answer_seen[33:0] == given_q);
      // The slave's handshakes
      if (dut.m_state_q == ACCESS) begin
        assert (dut.address_q == !(access_q.write ? aw_done_q : ar_done_q));
        if (access_q.write)
          assert (dut.data_q == !w_done_q && !ar_done_q);
          else assert (!aw_done_q && !w_done_q);
      end
      if (aw_held_q) assert (dut.m_state_q == ACCESS && access_q.write && dut.address_q);
      if (w_held_q) assert (dut.m_state_q == ACCESS && access_q.write && dut.data_q);
      if (ar_held_q) assert (dut.m_state_q == ACCESS && !access_q.write && dut.address_q);
    end
  end
endmodule
