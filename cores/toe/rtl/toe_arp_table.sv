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
    input  heard_t learn,        // not whether it is a request
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
    output send_t poll,

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
  localparam int BITS = ENTRIES > 2 ? $clog2(ENTRIES) : 1;
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
  //   READ   one entry is read
  //   VISIT  and ages
  typedef enum logic [2:0] {
    CLEAR,
    IDLE,
    LEARN,
    ADD,
    LOOK,
    FLUSH,
    READ,
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

  // Two steps: an entry is read and compared, then it is acted upon, while the next one is read.
  slot_t index_q;  // what is read; in IDLE where a search begins, so that its first entry is there in its first cycle
  slot_t at_q;  // what is acted upon, or written
  slot_t count_q, first_q, visit_q, place_index_q;  // first_q: where a search begins
  entry_t read, entry_q, wr_entry;
  logic read_match, match_q, differs_q, found_q, poll_due_q, stall;
  logic   same_q;  // match_q, on the interface that the sender was heard on
  place_e found_place_q;
  assign read       = ram[index_q];
  assign read_match = (read.left != 0) & (read.ip == learn.ip) & learn.ifaces[read.iface];
  always_ff @(posedge clk) begin
    if (!(state_q == LEARN && stall)) begin
      entry_q       <= read;
      match_q       <= read_match;
      same_q        <= read_match & (read.iface == learn.iface);
      differs_q     <= read.mac != learn.mac;
      found_q       <= (read.left != 0) & (read.ip == look_ip) & (read.iface == look_iface);
      found_place_q <= read.left == 0 ? FREE : read.wanted ? WANTED : NOT_WANTED;
      poll_due_q    <= read.left inside {age_t'(POLL + 1), age_t'(2 * POLL + 1), age_t'(3 * POLL + 1)};
    end
  end

  function automatic slot_t after(input slot_t index);
    return index == LAST ? '0 : index + 1'b1;
  endfunction

  logic wr, last, add, place_better;
  logic known_q, here_q, visit_due_q;
  logic [7:0] off_q, flush_q;  // interfaces that were off and have entries; those whose entries are made free now
  logic   flush_due;
  place_e place_q;
  assign last         = count_q == 0;
  assign place_better = found_place_q > place_q;
  assign add          = learn.for_us & ~here_q & (place_q != WANTED || learn_asked);
  assign stall        = changed_valid & (state_q == LEARN ? match_q : add);  // whether it differs comes too late
  assign flush_due    = (off_q & enable) != 0;

  // --- The one writer
  always_comb begin
    wr_entry = entry_q;
    wr       = 1'b0;
    case (state_q)
      CLEAR: begin
        wr            = 1'b1;
        wr_entry.left = '0;
      end
      LEARN: begin
        wr              = match_q & ~stall;
        wr_entry.left   = age_t'(AGE);
        wr_entry.mac    = learn.mac;
        wr_entry.wanted = entry_q.wanted | (learn_asked & (entry_q.iface == learn.iface));
      end
      ADD: begin
        wr       = add & ~stall;
        wr_entry = '{left: age_t'(AGE), wanted: learn_asked, iface: learn.iface, ip: learn.ip, mac: learn.mac};
      end
      LOOK: begin
        wr              = found_q;
        wr_entry.wanted = 1'b1;
      end
      FLUSH: begin
        wr            = flush_q[entry_q.iface];
        wr_entry.left = '0;
      end
      VISIT: begin
        wr            = entry_q.left != 0;
        wr_entry.left = entry_q.left - 1'b1;
      end
      default: ;
    endcase
  end
  always_ff @(posedge clk) if (wr) ram[at_q] <= wr_entry;

  // --- What is done
  always_ff @(posedge clk) begin
    learn_done <= 1'b0;
    look_done  <= 1'b0;
    off_q      <= off_q | ~enable;
    if (tick) visit_due_q <= 1'b1;
    if (poll_ready) poll_valid <= 1'b0;
    if (changed_ready) changed_valid <= 1'b0;

    if (!(state_q == LEARN && stall)) at_q <= index_q;
    case (state_q)
      IDLE: begin
        count_q <= LAST;
        known_q <= 1'b0;
        here_q  <= 1'b0;
        place_q <= NONE;
        // After each message something else has its turn: in the cycle of learn_done.
        if (learn_valid && !learn_done) begin
          index_q <= after(index_q);
          state_q <= LEARN;
        end else if (flush_due) begin
          flush_q <= off_q;
          off_q   <= ~enable;
          index_q <= after(index_q);
          state_q <= FLUSH;
        end else if (visit_due_q) begin
          visit_due_q <= tick;
          index_q     <= visit_q;
          state_q     <= READ;
        end else if (look_valid && !look_done) begin
          index_q <= after(index_q);
          state_q <= LOOK;
        end
      end
      LEARN:
      if (!stall) begin
        known_q <= known_q | match_q;
        here_q  <= here_q | same_q;
        if (place_better) begin
          place_q       <= found_place_q;
          place_index_q <= at_q;
        end
        count_q <= count_q - 1'b1;
        index_q <= after(index_q);
        if (last) begin
          at_q    <= place_better ? at_q : place_index_q;
          state_q <= ADD;
        end
      end
      ADD: begin
        at_q <= at_q;
        if (!stall) begin
          first_q    <= add ? after(at_q) : first_q;
          index_q    <= add ? after(at_q) : first_q;
          learn_done <= 1'b1;
          learn_new  <= ~known_q;
          state_q    <= IDLE;
        end
      end
      LOOK: begin
        look_done  <= found_q | last;
        look_found <= found_q;
        look_mac   <= entry_q.mac;
        count_q    <= count_q - 1'b1;
        index_q    <= found_q || last ? first_q : after(index_q);
        if (found_q || last) state_q <= IDLE;
      end
      READ: state_q <= VISIT;
      VISIT: begin
        visit_q <= after(at_q);
        if (REFRESH && poll_due_q && enable[entry_q.iface]) poll_valid <= 1'b1;
        if (!poll_valid)
          poll <= '{iface: entry_q.iface, reply: 1'b0, everyone: 1'b0, mac: entry_q.mac, ip: entry_q.ip};
        index_q <= first_q;
        state_q <= IDLE;
      end
      default: begin
        count_q <= count_q - 1'b1;
        index_q <= last ? first_q : after(index_q);
        if (last) state_q <= IDLE;
      end
    endcase

    if (!changed_valid && (state_q == LEARN ? match_q & differs_q : state_q == ADD && add)) begin
      changed_valid <= 1'b1;
      changed_iface <= wr_entry.iface;
      changed_ip    <= learn.ip;
      changed_mac   <= learn.mac;
    end

    if (rst) begin
      state_q       <= CLEAR;
      index_q       <= '0;
      at_q          <= LAST;  // the one before: so all entries are cleared
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
