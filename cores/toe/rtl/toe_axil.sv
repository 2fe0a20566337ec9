// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers of toe on AXI4-Lite, in its clock: what ../regs/README.md lists.
// Latency: alone, a read answers 5 cycles after its address is taken (interfaces and counters: 6, sessions and urgent data: 8),
// a write 3 after address and data (interfaces: 4).
//
// Each access ends.  SLVERR where there is no register, or for a write of what can only be read.
// Orders: one waits here until it is taken; the module's user merges them with those of its own logic.  One for a session or an
// interface that is not there is refused and counted.  Events: a copy of each that passes goes into a FIFO for software,
// which is never waited for.
module toe_axil
  import toe_pkg::*;
#(
    // What the core was built with, as CAPABILITY and its neighbours show it; see toe
    parameter int SESSION_COUNT = 64,
    parameter int VIRTUAL_INTERFACES_COUNT = 1,
    parameter int MTU = 1500,
    parameter int RX_STORE_FORWARD = 0,
    parameter int RX_FIFO_BYTES = 16384,
    parameter int RX_CHECKSUM_VERIFICATION_EN = 1,
    parameter int TX_RETRANSMIT_MEM_DEPTH = 8192,
    parameter int TX_CONGESTION_CONTROL_EN = 1,
    parameter int TX_PUSH_BIT_VALUE = 1,
    parameter int INSTANT_ACK_EN = 0,
    parameter int ARP_SERVER_EN = 1,
    parameter int ARP_TABLE_ENTRY_COUNT = 16,
    parameter int ARP_GRATUITOUS_REFRESH_EN = 1,
    parameter int ICMP_SERVER_EN = 1,
    parameter int RX_REORDERING_EN = 0,
    parameter int TIMESTAMPS_EN = 0,
    parameter int RX_URGENT_EN = 0,
    parameter int SOFT_ERRORS_EN = 0,
    parameter int SESSION_POLICY_EN = 0,
    parameter int HOST_EN = 0,
    parameter int SACK_EN = 0
) (
    input logic clk,
    input logic rst,

    input  logic [13:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [13:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    output settings_t                                settings,
    output iface_t    [VIRTUAL_INTERFACES_COUNT-1:0] interfaces,

    output logic   order_valid,
    input  logic   order_ready,
    output order_t order,

    output logic    policy_valid,
    input  logic    policy_ready,
    output sid_t    policy_sid,
    output policy_t policy,

    input logic          event_valid,  // and taken, in this cycle
    input event_e        event_code,
    input sid_t          event_sid,
    input logic   [31:0] event_info,

    // State and urgent data of a session: of the same cycle or a register after it
    output sid_t          look_sid,
    input  state_e        look_state,
    input  logic   [31:0] look_urgent,

    // A cycle each
    input logic stat_ip_bad,
    input logic stat_ip_options,
    input logic stat_fragment,
    input logic stat_checksum,
    input logic stat_malformed,
    input logic stat_no_room,
    input logic stat_syn_dropped,
    input logic stat_table_full,
    input logic stat_arp_bad,
    input logic stat_arp_claimed,
    input logic stat_arp_dropped,
    input logic stat_arp_unasked,
    input logic stat_echo_sent,
    input logic stat_echo_full,
    input logic stat_echo_bad,
    input logic stat_icmp_reported,
    input logic stat_icmp_bad,
    input logic stat_icmp_other,
    input logic stat_icmp_busy,
    input logic stat_host_passed,
    input logic stat_host_full,
    input logic stat_host_other
);
  localparam int FLAGS = RX_STORE_FORWARD | RX_CHECKSUM_VERIFICATION_EN | TX_CONGESTION_CONTROL_EN | TX_PUSH_BIT_VALUE |
      INSTANT_ACK_EN | ARP_SERVER_EN | ARP_GRATUITOUS_REFRESH_EN | ICMP_SERVER_EN | RX_REORDERING_EN |
      TIMESTAMPS_EN | RX_URGENT_EN | SOFT_ERRORS_EN | SESSION_POLICY_EN | HOST_EN | SACK_EN;
  if (!(FLAGS inside {0, 1})) begin : gen_bad_flag
    $error("toe_axil: each *_EN, RX_STORE_FORWARD and TX_PUSH_BIT_VALUE must be 0 or 1");
  end

  // --- Registers
  toe_regs_pkg::toe_regs__in_t  to_regs;
  toe_regs_pkg::toe_regs__out_t regs;

  toe_regs u_regs (
      .clk,
      .rst,
      .s_axil_awready,
      .s_axil_awvalid,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_wready,
      .s_axil_wvalid,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bready,
      .s_axil_bvalid,
      .s_axil_bresp,
      .s_axil_arready,
      .s_axil_arvalid,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_rready,
      .s_axil_rvalid,
      .s_axil_rdata,
      .s_axil_rresp,
      .hwif_in (to_regs),
      .hwif_out(regs)
  );

  assign to_regs.CAPABILITY.last_session.next = 10'(SESSION_COUNT - 1);
  assign to_regs.CAPABILITY.interfaces.next = 4'(VIRTUAL_INTERFACES_COUNT);
  assign to_regs.CAPABILITY.arp_entries.next = 16'(ARP_TABLE_ENTRY_COUNT);
  assign to_regs.FEATURES.mtu.next = 16'(MTU);
  assign to_regs.FEATURES.rx_store_forward.next = 1'(RX_STORE_FORWARD);
  assign to_regs.FEATURES.rx_checksum_verification.next = 1'(RX_CHECKSUM_VERIFICATION_EN);
  assign to_regs.FEATURES.tx_congestion_control.next = 1'(TX_CONGESTION_CONTROL_EN);
  assign to_regs.FEATURES.tx_push_bit.next = 1'(TX_PUSH_BIT_VALUE);
  assign to_regs.FEATURES.instant_ack.next = 1'(INSTANT_ACK_EN);
  assign to_regs.FEATURES.arp_server.next = 1'(ARP_SERVER_EN);
  assign to_regs.FEATURES.arp_gratuitous_refresh.next = 1'(ARP_GRATUITOUS_REFRESH_EN);
  assign to_regs.FEATURES.icmp_server.next = 1'(ICMP_SERVER_EN);
  assign to_regs.FEATURES.rx_reordering.next = 1'(RX_REORDERING_EN);
  assign to_regs.FEATURES.timestamps.next = 1'(TIMESTAMPS_EN);
  assign to_regs.FEATURES.rx_urgent.next = 1'(RX_URGENT_EN);
  assign to_regs.FEATURES.soft_errors.next = 1'(SOFT_ERRORS_EN);
  assign to_regs.FEATURES.session_policy.next = 1'(SESSION_POLICY_EN);
  assign to_regs.FEATURES.host.next = 1'(HOST_EN);
  assign to_regs.FEATURES.sack.next = 1'(SACK_EN);
  assign to_regs.TX_MEMORY.bytes.next = TX_RETRANSMIT_MEM_DEPTH;
  assign to_regs.RX_MEMORY.bytes.next = RX_FIFO_BYTES;

  host_t host;
  assign host = '{
          fragments: regs.HOST.fragments.value,
          options: regs.HOST.options.value,
          udp: regs.HOST.udp.value,
          icmp: regs.HOST.icmp.value,
          protocols: regs.HOST.protocols.value,
          types: regs.HOST.types.value,
          addresses: regs.HOST.addresses.value,
          broadcast: regs.HOST.broadcast.value
      };
  assign settings = '{
          host: host,
          rto_initial: regs.RTO_INITIAL.ticks.value,
          rto_min: regs.RTO_MIN.ticks.value,
          rto_max: regs.RTO_MAX.ticks.value,
          time_wait: regs.TIME_WAIT.ticks.value,
          delayed_ack: regs.DELAYED_ACK.ticks.value,
          keepalive: regs.KEEPALIVE.ticks.value & {24{regs.KEEPALIVE.enable.value}},
          syn_retries: regs.RETRIES.syn.value,
          retries: regs.RETRIES.data.value,
          secret: regs.SECRET.value.value,
          ttl: regs.IP_HEADER.ttl.value,
          dscp: regs.IP_HEADER.dscp.value,
          fin_wait: regs.TIME_WAIT.fin_wait.value
      };

  toe_interfaces #(
      .INTERFACES(VIRTUAL_INTERFACES_COUNT)
  ) u_interfaces (
      .clk,
      .rst,
      .req      (regs.INTERFACES.req),
      .addr     (regs.INTERFACES.addr[7:2]),
      .req_is_wr(regs.INTERFACES.req_is_wr),
      .wr_data  (regs.INTERFACES.wr_data),
      .wr_biten (regs.INTERFACES.wr_biten),
      .rd_ack   (to_regs.INTERFACES.rd_ack),
      .wr_ack   (to_regs.INTERFACES.wr_ack),
      .rd_data  (to_regs.INTERFACES.rd_data),
      .iface    (interfaces)
  );

  // --- Orders.  The registers have what was written a cycle after the write.
  logic written_q, order_right, refused_q;
  assign to_regs.ORDER_STATUS.busy.next = order_valid | written_q;
  assign to_regs.ORDER_STATUS.lost.hwset = written_q & order_right & order_valid & ~order_ready;
  assign to_regs.ORDER_STATUS.refused.hwset = refused_q;
  // What is there; the interface counts only where it is one of the order
  assign order_right = 32'(regs.ORDER.session.value) < SESSION_COUNT &&
                       (32'(regs.ORDER.interface_number.value) < VIRTUAL_INTERFACES_COUNT ||
                        !(command_e'(regs.ORDER.command.value) inside {DO_LISTEN, DO_CONNECT}));
  always_ff @(posedge clk) begin
    written_q <= regs.ORDER.session.swmod & ~rst;
    if (!order_valid || order_ready) begin
      order_valid <= written_q & order_right & ~rst;
      order <= '{
          command: command_e'(regs.ORDER.command.value),
          sid: regs.ORDER.session.value,
          tuple: '{
              iface: regs.ORDER.interface_number.value,
              peer_ip: regs.ORDER_PEER_IP.address.value,
              peer_port: regs.ORDER_PORTS.peer_port.value,
              local_port: regs.ORDER_PORTS.local_port.value
          },
          peer_mac: '0
      };
    end
    if (rst) order_valid <= 1'b0;
  end

  // --- Policies, in the same way
  logic policy_written_q, policy_right;
  assign to_regs.ORDER_STATUS.policy_busy.next = policy_valid | policy_written_q;
  assign to_regs.ORDER_STATUS.policy_lost.hwset = policy_written_q & policy_right & policy_valid & ~policy_ready;
  assign policy_right = SESSION_POLICY_EN != 0 && 32'(regs.POLICY.session.value) < SESSION_COUNT;
  always_ff @(posedge clk) begin
    policy_written_q <= regs.POLICY.session.swmod & ~rst;
    if (!policy_valid || policy_ready) begin
      policy_valid <= policy_written_q & policy_right & ~rst;
      policy_sid <= regs.POLICY.session.value;
      policy <= '{
          own: regs.POLICY.own.value,
          keepalive: regs.POLICY.keepalive.value,
          retries: regs.POLICY.retries.value,
          dscp: regs.POLICY.dscp.value
      };
    end
    refused_q <= ((written_q & ~order_right) | (policy_written_q & ~policy_right)) & ~rst;
    if (rst) policy_valid <= 1'b0;
  end

  // --- Events
  logic event_there, event_room, lost_q;
  logic event_room_for_two;
  logic [3:0] event_first;
  sid_t event_first_sid;
  logic [31:0] event_first_info;
  toe_fifo #(
      .WIDTH(46),
      .DEPTH(64)
  ) u_events (
      .clk,
      .rst,
      .wr_valid(event_valid),
      .wr_ready(event_room),
      .wr_data ({event_info, event_code, event_sid}),
      .wr_room (event_room_for_two),
      .rd_valid(event_there),
      .rd_ready(regs.EVENT.session.swacc),
      .rd_data ({event_first_info, event_first, event_first_sid})
  );
  assign to_regs.EVENT.session.next = event_first_sid;
  assign to_regs.EVENT.code.next    = event_first;
  assign to_regs.EVENT.valid.next   = event_there;
  logic [31:0] info_q;
  assign to_regs.EVENT_INFO.info.next = info_q;
  always_ff @(posedge clk) begin
    lost_q <= event_valid & ~event_room & ~rst;
    if (regs.EVENT.session.swacc && event_there) info_q <= event_first_info;
    if (rst) info_q <= '0;
  end

  // --- Counters, in the order of the register map
  logic [31:0] count, count_q;
  logic count_ack_q;
  toe_counters #(
      .COUNTERS(32)
  ) u_counters (
      .clk,
      .events({
        8'h0,
        refused_q,
        stat_host_other,
        stat_host_full,
        stat_host_passed,
        stat_icmp_busy,
        stat_icmp_other,
        stat_icmp_bad,
        stat_icmp_reported,
        lost_q,
        stat_echo_bad,
        stat_echo_full,
        stat_echo_sent,
        stat_arp_unasked,
        stat_arp_dropped,
        stat_arp_claimed,
        stat_arp_bad,
        stat_table_full,
        stat_syn_dropped,
        stat_no_room,
        stat_malformed,
        stat_checksum,
        stat_fragment,
        stat_ip_options,
        stat_ip_bad
      }),
      .index(regs.COUNTERS.addr[6:2]),
      .count
  );
  assign to_regs.COUNTERS.wr_ack  = 1'b0;
  assign to_regs.COUNTERS.rd_ack  = count_ack_q;
  assign to_regs.COUNTERS.rd_data = count_q;
  always_ff @(posedge clk) begin
    count_ack_q <= regs.COUNTERS.req & ~rst;
    count_q     <= count;
  end

  // --- Sessions: asked in the cycle after the request, answered two after that
  logic [ 2:0] look_q;
  logic        urgent_q;
  logic [31:0] looked_q;
  assign to_regs.SESSIONS.wr_ack  = 1'b0;
  assign to_regs.SESSIONS.rd_ack  = look_q[2] & ~urgent_q;
  assign to_regs.SESSIONS.rd_data = looked_q;
  assign to_regs.URGENT.wr_ack    = 1'b0;
  assign to_regs.URGENT.rd_ack    = look_q[2] & urgent_q;
  assign to_regs.URGENT.rd_data   = looked_q;
  always_ff @(posedge clk) begin
    look_q <= rst ? '0 : {look_q[1:0], regs.SESSIONS.req | regs.URGENT.req};
    if (32'(look_sid) >= SESSION_COUNT) looked_q <= '0;
    else looked_q <= urgent_q ? look_urgent : {1'b1, 27'h0, look_state};
    if (regs.SESSIONS.req || regs.URGENT.req) begin
      look_sid <= regs.URGENT.req ? regs.URGENT.addr[11:2] : regs.SESSIONS.addr[11:2];
      urgent_q <= regs.URGENT.req;
    end
  end
endmodule
