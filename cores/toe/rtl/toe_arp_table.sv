// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of neighbours, searched entry by entry: a message takes ENTRIES + 4 cycles, so 16 entries keep up with ARP at
// line rate (a frame in 21 cycles).
//
// RFC 826: a sender is updated where it is known; it is added if we are the target.  A new one takes the place of a
// free entry, else of one that nobody has asked for, each in turn.  Entries that toe_open has asked for give way only to each
// other, so a flood of requests to us does not drive out the peers that we connect to.
//
// An entry that is not confirmed for AGE_TICKS is forgotten (RFC 1122, 2.3.2.1).  With REFRESH its host is asked before that, three
// times, by itself and not by broadcast.  One entry is visited in each tick, so ages are counted in ENTRIES ticks.
// When an interface is enabled its old entries are forgotten: it may be in another network now.
module toe_arp_table
  import toe_pkg::*;
  import toe_arp_pkg::*;
#(
    parameter int ENTRIES = 16,
    parameter int AGE_TICKS = 60000,
    parameter int POLL_TICKS = 1000,  // between the three refreshes
    parameter bit REFRESH = 1'b1
) (
    input logic clk,
    input logic rst,

    input logic       tick,
    input logic [7:0] enable,

    // A message: held until learn_done
    input  logic   learn_valid,
    // verilator lint_off UNUSEDSIGNAL
    input  heard_t learn,        // not whether it is a request
    // verilator lint_on UNUSEDSIGNAL
    input  logic   learn_asked,  // it is what the client waits for: from the cycle after learn_valid on
    output logic   learn_done,   // one cycle
    output logic   learn_new,    // with that: the sender was not known

    // A search: held until look_done, one cycle
    input  logic             look_valid,
    input  iface_id_t        look_iface,
    input  logic      [31:0] look_ip,
    output logic             look_done,
    output logic             look_found,
    output logic      [47:0] look_mac,

    // Ask this host whether it is still there
    output logic  poll_valid,
    input  logic  poll_ready,
    output tell_t poll,

    // A MAC address that is new here, or has changed
    output logic             changed_valid,
    input  logic             changed_ready,
    output iface_id_t        changed_iface,
    output logic      [31:0] changed_ip,
    output logic      [47:0] changed_mac
);
  localparam int POLLS = 3;
  localparam int AGE = AGE_TICKS / ENTRIES > 2 ? AGE_TICKS / ENTRIES : 2;  // in visits
  localparam int POLL = POLL_TICKS / ENTRIES > 1 ? POLL_TICKS / ENTRIES : 1;
  localparam int AGE_BITS = $clog2(AGE + 1);
  localparam int BITS = $clog2(ENTRIES);
  if (ENTRIES < 2 || POLLS * POLL >= AGE) begin : gen_bad_entries
    $error("toe_arp_table: ENTRIES must be 2 or more, AGE_TICKS more than 4 * ENTRIES and 3 * POLL_TICKS");
  end
  localparam logic [BITS-1:0] LAST = BITS'(ENTRIES - 1);
  typedef logic [BITS-1:0] slot_t;
  typedef logic [AGE_BITS-1:0] age_t;

  typedef struct packed {
    age_t        left;    // visits that it has still to live; 0: a free entry
    logic        wanted;  // somebody has asked for it
    iface_id_t   iface;
    logic [31:0] ip;
    logic [47:0] mac;
  } entry_t;
  (* ram_style = "distributed" *) entry_t ram[ENTRIES];

  //   CLEAR  after a reset: all entries are made free
  //   IDLE   nothing to do
  //   LEARN  a message goes past all entries
  //   ADD    and takes one, if it is to
  //   LOOK   a search
  //   FLUSH  entries of interfaces that were off are made free
  //   VISIT  one entry ages
  typedef enum logic [2:0] {
    CLEAR,
    IDLE,
    LEARN,
    ADD,
    LOOK,
    FLUSH,
    VISIT
  } state_e;
  state_e state_q;
  // Which entry could be taken, a better one after a worse one
  typedef enum logic [1:0] {
    NONE,
    WANTED,
    NOT_WANTED,
    FREE
  } place_e;

  slot_t index_q, count_q, next, first_q, visit_q, place_index_q;  // first_q: where a search for a place begins
  entry_t entry, wr_entry;
  logic wr, last, used, match, differs, found, stall, add, place_better, poll_due;
  logic known_q, here_q, visit_due_q;
  logic [7:0] off_q, flush_q;  // interfaces that were off and have entries; those whose entries are made free now
  logic flush_due;
  place_e place, place_q;
  assign entry        = ram[index_q];
  assign next         = index_q == LAST ? '0 : index_q + 1'b1;
  assign last         = count_q == 0;
  assign used         = entry.left != 0;
  assign match        = used & (entry.ip == learn.ip) & learn.ifaces[entry.iface];
  assign differs      = entry.mac != learn.mac;
  assign found        = used & (entry.ip == look_ip) & (entry.iface == look_iface);
  assign place        = !used ? FREE : entry.wanted ? WANTED : NOT_WANTED;
  assign poll_due     = entry.left inside {age_t'(POLL + 1), age_t'(2 * POLL + 1), age_t'(3 * POLL + 1)};
  assign place_better = place > place_q;
  assign add          = learn.for_us & ~here_q & (place_q != WANTED || learn_asked);
  assign stall        = changed_valid & (state_q == LEARN ? match : add);  // whether it differs comes too late
  assign flush_due    = (off_q & enable) != 0;

  // --- The one writer
  always_comb begin
    wr_entry = entry;
    wr       = 1'b0;
    case (state_q)
      CLEAR: begin
        wr            = 1'b1;
        wr_entry.left = '0;
      end
      LEARN: begin
        wr              = match & ~stall;
        wr_entry.left   = age_t'(AGE);
        wr_entry.mac    = learn.mac;
        wr_entry.wanted = entry.wanted | (learn_asked & (entry.iface == learn.iface));
      end
      ADD: begin
        wr       = add & ~stall;
        wr_entry = '{left: age_t'(AGE), wanted: learn_asked, iface: learn.iface, ip: learn.ip, mac: learn.mac};
      end
      LOOK: begin
        wr              = found;
        wr_entry.wanted = 1'b1;
      end
      FLUSH: begin
        wr            = flush_q[entry.iface];
        wr_entry.left = '0;
      end
      VISIT: begin
        wr            = used;
        wr_entry.left = entry.left - 1'b1;
      end
      default: ;
    endcase
  end
  always_ff @(posedge clk) if (wr) ram[index_q] <= wr_entry;

  // --- What is done
  always_ff @(posedge clk) begin
    learn_done <= 1'b0;
    look_done  <= 1'b0;
    off_q      <= off_q | ~enable;
    if (tick) visit_due_q <= 1'b1;
    if (poll_ready) poll_valid <= 1'b0;
    if (changed_ready) changed_valid <= 1'b0;

    case (state_q)
      IDLE: begin
        count_q <= LAST;
        known_q <= 1'b0;
        here_q  <= 1'b0;
        place_q <= NONE;
        // After each message something else has its turn: in the cycle of learn_done.
        if (learn_valid && !learn_done) begin
          index_q <= first_q;
          state_q <= LEARN;
        end else if (flush_due) begin
          flush_q <= off_q;
          off_q   <= ~enable;
          index_q <= '0;
          state_q <= FLUSH;
        end else if (visit_due_q) begin
          visit_due_q <= tick;
          index_q     <= visit_q;
          state_q     <= VISIT;
        end else if (look_valid && !look_done) begin
          index_q <= '0;
          state_q <= LOOK;
        end
      end
      LEARN:
      if (!stall) begin
        known_q <= known_q | match;
        here_q  <= here_q | (match & (entry.iface == learn.iface));
        if (place_better) begin
          place_q       <= place;
          place_index_q <= index_q;
        end
        count_q <= count_q - 1'b1;
        index_q <= next;
        if (last) begin
          index_q <= place_better ? index_q : place_index_q;
          state_q <= ADD;
        end
      end
      ADD:
      if (!stall) begin
        if (add) first_q <= next;
        learn_done <= 1'b1;
        learn_new  <= ~known_q;
        state_q    <= IDLE;
      end
      LOOK: begin
        look_done  <= found | last;
        look_found <= found;
        look_mac   <= entry.mac;
        count_q    <= count_q - 1'b1;
        index_q    <= next;
        if (found || last) state_q <= IDLE;
      end
      VISIT: begin
        visit_q <= next;
        if (REFRESH && poll_due && enable[entry.iface]) poll_valid <= 1'b1;
        if (!poll_valid) poll <= '{iface: entry.iface, reply: 1'b0, everyone: 1'b0, mac: entry.mac, ip: entry.ip};
        state_q <= IDLE;
      end
      default: begin
        count_q <= count_q - 1'b1;
        index_q <= next;
        if (last) state_q <= IDLE;
      end
    endcase

    if (!changed_valid && (state_q == LEARN ? match & differs : state_q == ADD && add)) begin
      changed_valid <= 1'b1;
      changed_iface <= wr_entry.iface;
      changed_ip    <= learn.ip;
      changed_mac   <= learn.mac;
    end

    if (rst) begin
      state_q       <= CLEAR;
      index_q       <= '0;
      count_q       <= LAST;
      first_q       <= '0;
      visit_q       <= '0;
      off_q         <= '0;
      visit_due_q   <= 1'b0;
      poll_valid    <= 1'b0;
      changed_valid <= 1'b0;
    end
  end
endmodule
