// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Orders of the user to the TCP machine; one that connects waits here for the address of its next hop, which is the
// peer itself if it is on the interface's network, else the gateway.  Others pass it, without latency.
//
// Addresses are resolved one after the other, in the order of the connects.  With DEPTH of them inside, the next one
// makes the user wait, and all that is after it.  EV_UNREACHABLE: no answer to ARP, no gateway, or the interface is
// off or none of ours.  EV_BAD_COMMAND: the peer's address is none of a host (RFC 9293, MUST-46: broadcast, multicast,
// reserved, 0).
//
// A session whose connect waits is like one in SYN_SENT for the orders that follow: DO_CLOSE and DO_ABORT take the
// connect back and end here with EV_CLOSED, DO_CONNECT and DO_LISTEN end here with EV_BAD_COMMAND.  Once its connect is
// on offer to the TCP machine, they wait until it has been taken, and follow it.  A connect for a session that is in
// use already is refused by the TCP machine, when its turn comes; until then a DO_ABORT means the connect, not what is
// in use.
module toe_open
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1,
    parameter int DEPTH      = 4   // connects that wait; a power of two, 2 or more
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,

    input  logic   s_valid,
    output logic   s_ready,
    input  order_t s_order,  // its MAC address is not there yet

    output logic             resolve_valid,
    output iface_id_t        resolve_iface,
    output logic      [31:0] resolve_ip,
    input  logic             resolve_done,
    input  logic             resolve_found,
    input  logic      [47:0] resolve_mac,    // stays until the next search

    output logic   m_valid,
    input  logic   m_ready,
    output order_t m_order,

    output logic   event_valid,
    input  logic   event_ready,
    output event_e event_code,
    output sid_t   event_sid
);
  localparam int BITS = $clog2(DEPTH);
  typedef enum logic [2:0] {
    IDLE,     // the first connect: is the peer on the interface's network
    HOP,      // the next hop
    CHECK,    // is it possible
    RESOLVE,  // ARP
    OFFER,    // resolved: to the TCP machine
    REPORT    // not possible, or taken back
  } step_e;

  step_e step_q;
  logic offer_q;  // a connect is on m_order
  event_e why_q;
  logic [31:0] hop_q;
  logic bad_q, lost_q;

  // --- Connects that wait
  logic connect, put, room, first, take;
  sid_t   sid;
  tuple_t tuple;
  assign connect = s_order.command == DO_CONNECT;
  toe_fifo #(
      .WIDTH($bits(sid_t) + $bits(tuple_t)),
      .DEPTH(DEPTH)
  ) u_connects (
      .clk,
      .rst,
      .wr_valid(put),
      .wr_ready(room),
      .wr_data ({s_order.sid, s_order.tuple}),
      .wr_room (),
      .rd_valid(first),
      .rd_ready(take),
      .rd_data ({sid, tuple})
  );
  // Their sessions; not waiting any more: taken back
  sid_t sids_q[DEPTH];
  logic [DEPTH-1:0] waiting_q, same;
  logic [BITS-1:0] put_q, take_q;
  logic waiting, back;
  always_comb for (int i = 0; i < DEPTH; i++) same[i] = waiting_q[i] && sids_q[i] == s_order.sid;
  assign waiting = waiting_q[take_q];
  always_ff @(posedge clk) begin
    if (back) waiting_q <= waiting_q & ~same;
    if (take) waiting_q[take_q] <= 1'b0;
    if (put) begin
      waiting_q[put_q] <= 1'b1;
      sids_q[put_q]    <= s_order.sid;
    end
    put_q  <= put_q + BITS'(put);
    take_q <= take_q + BITS'(take);
    if (rst) {waiting_q, put_q, take_q} <= '0;
  end

  // --- What becomes of an order
  logic known, pass, here, report, event_free;
  assign event_free = ~event_valid | event_ready;
  assign report     = step_q == REPORT & waiting & event_free;
  assign known      = same != '0;
  assign here       = s_valid & known & ~(offer_q & same[take_q]) & event_free & ~report;
  assign back       = here & (s_order.command == DO_CLOSE || s_order.command == DO_ABORT);
  assign put        = s_valid & connect & ~known & room;
  assign pass       = s_valid & ~connect & ~known & ~offer_q;
  assign s_ready    = here | put | (pass & m_ready);

  always_ff @(posedge clk) begin
    if (event_free) event_valid <= here | report;
    if (event_free) event_code <= report ? why_q : back ? EV_CLOSED : EV_BAD_COMMAND;
    if (event_free) event_sid <= report ? sid : s_order.sid;
    if (rst) event_valid <= 1'b0;
  end

  // --- The next hop
  iface_t ours;
  logic near, near_q, all_q, alone_q;
  always_comb begin
    ours = '0;
    for (int i = 0; i < INTERFACES; i++) if (32'(tuple.iface) == i) ours = iface[i];
  end
  assign near = on_link(ours, tuple.peer_ip);
  always_ff @(posedge clk) begin
    near_q  <= near;
    all_q   <= (tuple.peer_ip | ours.mask) == '1;
    alone_q <= ours.gateway == '0;
    if (step_q == HOP) begin
      hop_q  <= near_q ? tuple.peer_ip : ours.gateway;
      lost_q <= ~ours.enable | (~near_q & alone_q);
      // Networks of one or two addresses have none for everyone (RFC 3021).
      bad_q  <= (tuple.peer_ip[31:29] == '1) | (tuple.peer_ip == '0) | (near_q & (ours.mask[1:0] == '0) & all_q);
    end
  end

  // --- The first connect, step by step
  logic go;
  assign go = waiting & ~(back & same[take_q]);
  assign take = (step_q == IDLE & first & ~waiting) | (step_q == OFFER & (offer_q ? m_ready : ~waiting)) |
                (step_q == REPORT & (report | ~waiting));
  always_ff @(posedge clk) begin
    case (step_q)
      IDLE: if (first && waiting) step_q <= HOP;
      HOP: step_q <= CHECK;
      CHECK: begin
        why_q  <= bad_q ? EV_BAD_COMMAND : EV_UNREACHABLE;
        step_q <= bad_q | lost_q | ~waiting ? REPORT : RESOLVE;
      end
      RESOLVE: if (resolve_done) step_q <= resolve_found ? OFFER : REPORT;
      OFFER: begin
        // One order that is on offer stays; between two of them
        offer_q <= offer_q ? ~m_ready : go & (~pass | m_ready);
        if (take) step_q <= IDLE;
      end
      default: if (take) step_q <= IDLE;
    endcase
    if (rst) begin
      step_q  <= IDLE;
      offer_q <= 1'b0;
    end
  end
  assign resolve_valid = step_q == RESOLVE;
  assign resolve_iface = tuple.iface;
  assign resolve_ip    = hop_q;

  // --- To the TCP machine.  Only a connect has a peer.
  assign m_valid = offer_q | pass;
  always_comb begin
    m_order.command          = offer_q ? DO_CONNECT : s_order.command;
    m_order.sid              = offer_q ? sid : s_order.sid;
    m_order.tuple            = tuple;
    m_order.tuple.iface      = offer_q ? tuple.iface : s_order.tuple.iface;
    m_order.tuple.local_port = offer_q ? tuple.local_port : s_order.tuple.local_port;
    m_order.peer_mac         = resolve_mac;
  end
endmodule
