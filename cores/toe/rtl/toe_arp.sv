// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ARP (RFC 826): answers for our addresses, a table of neighbours learnt from what arrives and refreshed, requests for those
// that toe_open wants.
//
//   rx ─► toe_arp_rx ─┬─► toe_arp_table ─► changed
//                     │     ▲       │ poll
//   resolve ─► toe_arp_client       │
//                     │     └───┐   │
//                     reply    ask  ▼   toe_arp_announce
//                     └────────►┴───┴──► toe_arp_frames ─► m
//
// Latency: the first word of a reply 5 cycles after the verdict on the request; a resolution from the table at most
// ARP_TABLE_ENTRY_COUNT + 3 cycles, and another message's time (see toe_arp_table).
//
// What is not believed is said in toe_arp_rx.  ARP has no authentication: a host that lies about its address is believed, as
// the RFC has it; `changed` and the counters report it.
module toe_arp
  import toe_pkg::*;
  import toe_arp_pkg::*;
#(
    parameter int INTERFACES                = 1,
    parameter bit ARP_SERVER_EN             = 1'b1,
    parameter int ARP_TABLE_ENTRY_COUNT     = 16,
    parameter bit ARP_GRATUITOUS_REFRESH_EN = 1'b1,
    parameter bit ARP_DOUBT_EN              = 1'b0,
    parameter int ARP_AGE_TICKS             = 60000,  // an entry that is not confirmed so long is forgotten
    parameter int ARP_RETRY_TICKS           = 1000,   // between requests
    parameter int ARP_RETRIES               = 3       // requests for an address
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,
    input logic                    tick,

    input rx_t rx,

    input  logic             resolve_valid,  // held until done
    input  iface_id_t        resolve_iface,
    input  logic      [31:0] resolve_ip,     // of the next hop
    output logic             resolve_done,   // one cycle
    output logic             resolve_found,
    output logic      [47:0] resolve_mac,

    // A peer does not answer: see toe_arp_doubt
    input logic             doubt,
    input iface_id_t        doubt_iface,
    input logic      [31:0] doubt_ip,

    // The MAC address of changed_ip is new, or another than before; held until ready, and nothing is learnt meanwhile.
    output logic             changed_valid,
    input  logic             changed_ready,
    output iface_id_t        changed_iface,
    output logic      [31:0] changed_ip,
    output logic      [47:0] changed_mac,

    // Frames to send, whole: no pause between first and last word
    output logic [31:0] m_tdata,
    output logic [ 3:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast,

    output logic stat_malformed,  // see toe_arp_rx
    output logic stat_conflict,   // somebody else has an address of ours
    output logic stat_dropped,    // more messages than the table could take
    output logic stat_unasked     // a reply to us, of a host that was not known or asked
);
  logic [7:0] enable;
  logic [INTERFACES-1:0] enables;
  always_comb begin
    enable = '0;
    for (int i = 0; i < INTERFACES; i++) begin
      enables[i] = iface[i].enable;
      enable[i]  = iface[i].enable;
    end
  end

  // --- What arrives: each message goes to the table and, if it asks for us, is answered
  heard_t heard;
  logic heard_valid, heard_ready, reply_valid, reply_ready, reply_q, learn_q, learn_valid, learn_done, learn_new;
  logic asked, asked_q, answer, seen_q, learns_q;
  toe_arp_rx #(
      .INTERFACES(INTERFACES)
  ) u_rx (
      .clk,
      .rst,
      .iface,
      .rx,
      .valid(heard_valid),
      .ready(heard_ready),
      .heard,
      .stat_malformed,
      .stat_conflict,
      .stat_dropped
  );
  // The table has what it shall do from a register, of a message that has been there for a cycle (seen_q).  reply_q, learn_q: that
  // has been done
  assign reply_valid = heard_valid & heard.request & heard.for_us & ~reply_q & ARP_SERVER_EN;
  assign learn_valid = seen_q & learns_q & ~learn_q;
  assign heard_ready = seen_q & ~reply_valid & ~learn_valid;  // a cycle after both
  always_ff @(posedge clk) begin
    seen_q   <= heard_valid & ~heard_ready & ~rst;
    learns_q <= heard.learn;
    reply_q  <= ~rst & ~heard_ready & (reply_q | (reply_valid & reply_ready));
    learn_q  <= ~rst & ~heard_ready & (learn_q | (learn_valid & learn_done));
  end

  // --- The client, and what it waits for
  logic look_valid, look_done, look_found, ask_valid, ask_ready, asks;
  logic [47:0] look_mac;
  send_t ask;
  // A message stands for many cycles
  always_ff @(posedge clk) asked_q <= heard.for_us & (heard.iface == resolve_iface) & (heard.ip == resolve_ip);
  assign asked  = asks & asked_q;
  assign answer = learn_valid & learn_done & asked;
  toe_arp_client #(
      .RETRIES    (ARP_RETRIES),
      .RETRY_TICKS(ARP_RETRY_TICKS)
  ) u_client (
      .clk,
      .rst,
      .tick,
      .enable,
      .resolve_valid,
      .resolve_iface,
      .resolve_ip,
      .resolve_done,
      .resolve_found,
      .resolve_mac,
      .look_valid,
      .look_done,
      .look_found,
      .look_mac,
      .asked       (asks),
      .answer_valid(answer),
      .answer_mac  (heard.mac),
      .send_valid  (ask_valid),
      .send_ready  (ask_ready),
      .send        (ask)
  );

  logic poll_valid, poll_ready;
  send_t poll;
  toe_arp_table #(
      .ENTRIES   (ARP_TABLE_ENTRY_COUNT),
      .AGE_TICKS (ARP_AGE_TICKS),
      .POLL_TICKS(ARP_RETRY_TICKS),
      .REFRESH   (ARP_GRATUITOUS_REFRESH_EN)
  ) u_table (
      .clk,
      .rst,
      .tick,
      .enable,
      .learn_valid,
      .learn      (heard),
      .learn_asked(asked),
      .learn_done,
      .learn_new,
      .look_valid,
      .look_iface (resolve_iface),
      .look_ip    (resolve_ip),
      .look_done,
      .look_found,
      .look_mac,
      .poll_valid,
      .poll_ready,
      .poll,
      .changed_valid,
      .changed_ready,
      .changed_iface,
      .changed_ip,
      .changed_mac
  );
  always_ff @(posedge clk) begin
    stat_unasked <= learn_valid & learn_done & learn_new & heard.for_us & ~heard.request & ~asked & ~rst;
  end

  logic doubt_valid, doubt_ready;
  send_t doubt_send;
  if (ARP_DOUBT_EN) begin : gen_doubt
    toe_arp_doubt #(
        .INTERFACES(INTERFACES),
        .INTERVAL  (ARP_RETRY_TICKS)
    ) u_doubt (
        .clk,
        .rst,
        .tick,
        .iface,
        .doubt,
        .doubt_iface,
        .doubt_ip,
        .send_valid(doubt_valid),
        .send_ready(doubt_ready),
        .send      (doubt_send)
    );
  end else begin : gen_no_doubt
    logic unused;
    assign unused      = doubt_ready;
    assign doubt_valid = 1'b0;
    assign doubt_send  = '0;
  end

  // --- Frames: what we want ourselves is rare, so it goes first
  logic announce_valid, announce_ready, send_valid, send_ready;
  iface_id_t announce_iface;
  logic [31:0] announce_ip;
  send_t send;
  toe_arp_announce #(
      .INTERFACES(INTERFACES),
      .INTERVAL  (ARP_RETRY_TICKS)
  ) u_announce (
      .clk,
      .rst,
      .tick,
      .enable(enables),
      .valid (announce_valid),
      .ready (announce_ready),
      .iface (announce_iface)
  );
  always_comb begin
    announce_ip = iface[0].ip;
    for (int i = 0; i < INTERFACES; i++) if (announce_iface == iface_id_t'(i)) announce_ip = iface[i].ip;
    {announce_ready, ask_ready, poll_ready, doubt_ready, reply_ready} = '0;
    send_valid                                                        = 1'b1;
    send                                                              = ask;
    if (announce_valid) begin
      announce_ready = send_ready;
      send           = '{iface: announce_iface, reply: 1'b0, everyone: 1'b1, mac: '0, ip: announce_ip};
    end else if (ask_valid) begin
      ask_ready = send_ready;
    end else if (poll_valid) begin
      poll_ready = send_ready;
      send       = poll;
    end else if (doubt_valid) begin
      doubt_ready = send_ready;
      send        = doubt_send;
    end else begin
      reply_ready = send_ready;
      send_valid  = reply_valid;
      send        = '{iface: heard.iface, reply: 1'b1, everyone: 1'b0, mac: heard.mac, ip: heard.ip};
    end
  end
  toe_arp_frames #(
      .INTERFACES(INTERFACES)
  ) u_frames (
      .clk,
      .rst,
      .iface,
      .s_valid(send_valid),
      .s_ready(send_ready),
      .s_send (send),
      .m_tdata,
      .m_tkeep,
      .m_tvalid,
      .m_tready,
      .m_tlast
  );
endmodule
