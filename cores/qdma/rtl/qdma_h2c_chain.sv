// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// H2C descriptors to commands: finds packets, holds the descriptors of a chain until its end is there.
//
// Latency: 1 cycle for a descriptor that is a packet while no command waits, 3 cycles for another with which a packet ends;
// one in each cycle.  A packet whose room is checked takes a cycle more.
//
// Operation: commands are written into a FIFO, and become visible with the end of their packet.  While there is none in it
// and none shown, the one that is written is shown at once if a packet ends with it.  A packet is a descriptor
// with SOP and EOP, or with neither, or a chain from SOP to EOP.
//
//   what comes                                       | what goes on
//   an error of the read                             | err_dma
//   a chain in a chain, an end without begin, no     | err_dsc
//     bytes in a chain, or pidx within a chain       |
//   the end of a batch within a chain, not continued | the batch is rewound to the begin of the chain
//   a packet without room at the user                | the batch is rewound to the begin of the packet
//
//   a batch that does not continue the one before   | nothing: what there is of the chain ends with an error
//
// A status is wanted of a packet that ends at PIDX (wbi_chk), or in another interval of the ring than its first descriptor
// (wbi_intvl_en); the end of the ring is the end of an interval.
//
// The others take back the commands of the chain, and leave one marker.  The rest of the queue is dropped, a marker at the end
// of each batch, up to a batch before which nothing of the queue was under way.
module qdma_h2c_chain
  import qdma_context_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int DEPTH = 128,  // commands, more than a batch
    parameter int LIMITED = 0,  // queues 0 to LIMITED - 1: each packet is checked
    parameter int MOST = 248,  // beats of the longest packet that is held
    parameter bit BYPASS = 1'b0
) (
    input logic clk,
    input logic rst,

    input  logic        descriptor_valid,
    output logic        descriptor_ready,
    input  descriptor_t descriptor,

    // Room at the user for the packet that ends with this descriptor, as qdma_h2c_room has it
    output logic check_valid,
    output room_t check_beats,
    output logic check_is_part,
    input logic checked,
    input logic fits,
    output logic taken,
    output logic held,
    output logic abandoned,  // the packet for which MOST was taken ends without a command

    input logic [2:0] status_interval,  // 4 << n descriptors

    output logic         command_valid,
    input  logic         command_ready,
    output h2c_command_t command
);
  localparam int BITS = $clog2(DEPTH);
  typedef logic [$clog2(QUEUES)-1:0] slot_t;

  // --- What this descriptor is
  h2c_descriptor_t h2c;
  logic was_dropping;
  logic first_q, dropping_q, open_q;  // first_q: the next one begins a batch; open_q: the last one was within a chain
  logic is_open;  // this one is
  logic [15:0] index_q, index;  // of the chain's begin
  logic drops, is_sop, is_eop, err_dma, err_dsc, cut, rewinds, fails, accept;
  logic committed_q;  // a part of the chain has been committed
  logic begun_q;  // a part of the batch has been committed
  logic held_q;  // a packet of this batch is held
  logic [15:0] held_index_q;
  logic [21:0] bytes_q, bytes;  // of the packet so far
  logic [15:0] beats;
  logic [BITS:0] used;  // of the FIFO
  slot_t slot;
  assign h2c = h2c_descriptor_t'(descriptor.data[$bits(h2c_descriptor_t)-1:0]);
  assign slot = slot_t'(descriptor.qid);
  assign drops = (first_q ? was_dropping & ~descriptor.is_start : dropping_q) | (BYPASS & descriptor.bypass.is_flush);
  // Its queue may have been stopped or disabled within the chain.
  assign is_open = open_q & (~first_q | descriptor.is_continuing);
  assign is_sop = ~is_open;
  assign is_eop = h2c.is_eop | (~is_open & ~h2c.is_sop);
  assign err_dma = descriptor.error != READ_OK;
  assign cut = descriptor.is_end & ~is_eop & ~descriptor.is_continued;
  assign rewinds = cut & (descriptor.cidx != descriptor.pidx) & ~(is_open & committed_q);
  assign err_dsc = ~err_dma & ((is_open & h2c.is_sop) | (~is_open & h2c.is_eop & ~h2c.is_sop)
                               | ((h2c.bytes == '0) & ~(is_sop & is_eop)) | (cut & ~rewinds));
  assign fails = ~drops & (err_dma | err_dsc | rewinds | held);
  assign index = is_open ? index_q : descriptor.index;
  assign accept = descriptor_valid & descriptor_ready;

  // --- Room at the user, checked at a packet's end, or where a part of a chain is committed: that must have room for the
  // longest one, because it cannot be held any more.  What is too long ever to fit is not held, nor what the user provides.
  logic is_charged, charged_q;
  assign check_is_part = descriptor.is_end & ~is_eop & descriptor.is_continued;
  assign is_charged = is_open & charged_q;
  assign abandoned = accept & charged_q & open_q & ~is_open;
  assign bytes = (is_open ? bytes_q : '0) + 22'(h2c.bytes);
  assign beats = bytes == '0 ? 16'd1 : 16'((bytes + 22'd63) >> 6);
  assign check_beats = check_is_part ? room_t'(MOST) : room_t'(beats);
  assign check_valid = descriptor_valid & (int'(descriptor.qid) < LIMITED) & ~drops & ~err_dma & ~err_dsc & ~is_charged
                       & ~(BYPASS & descriptor.bypass.is_bypass)
                       & (check_is_part | (is_eop & (32'(beats) <= MOST)));
  assign taken = check_valid & checked & fits & accept;
  assign held = check_valid & checked & ~fits & ~used[BITS];

  logic ends_interval, wants_status;
  assign ends_interval = (((index ^ descriptor.cidx) >> 2 >> status_interval) != '0) | (descriptor.cidx < index);
  assign wants_status = (descriptor.wbi_chk & (descriptor.cidx == descriptor.pidx))
                        | (descriptor.wbi_intvl_en & ends_interval);

  qdma_queue_bits #(
      .QUEUES(QUEUES)
  ) dropping (
      .clk,
      .qid      (slot),
      .value    (was_dropping),
      .write    (accept & (fails | (first_q & descriptor.is_start))),
      .write_qid(slot),
      .next     (fails)
  );

  // --- The FIFO
  function automatic logic [BITS:0] after(input logic [BITS:0] pointer);
    for (int i = 0; i <= BITS; i++) after[i] = pointer[i] ^ (&(pointer | ({BITS + 1{1'b1}} << i)));
  endfunction

  logic [BITS:0] wr_ptr_q, commit_ptr_q, rd_ptr_q, ptr_next;
  logic [BITS-1:0] wr_addr;
  logic write, commit, fetch, shows, stored_valid;
  logic may_pass, passed_q;  // passed_q: the first one of the FIFO is shown
  h2c_command_t entry, stored;
  room_t charge;
  assign used = wr_ptr_q - rd_ptr_q;
  assign descriptor_ready = ~used[BITS] & (~check_valid | checked);
  assign write = accept & ((~drops & ~held) | descriptor.is_end);
  assign wr_addr = fails | drops ? commit_ptr_q[BITS-1:0] : wr_ptr_q[BITS-1:0];
  // fails comes late, so both pointers are counted before it chooses.  Written as +, synthesis would share one adder after it.
  assign ptr_next = fails | drops ? after(commit_ptr_q) : after(wr_ptr_q);
  assign commit = write & (fails | drops | is_eop | descriptor.is_end);
  assign shows = ~command_valid | command_ready;
  assign fetch = (rd_ptr_q != commit_ptr_q) & ~passed_q & (~stored_valid | shows);
  assign may_pass = (rd_ptr_q == wr_ptr_q) & ~stored_valid & ~command_valid;  // from registers: commit comes late
  assign entry = '{
          qid: descriptor.qid,
          func: descriptor.func,
          port_id: descriptor.port_id,
          wbk_en: descriptor.wbk_en,
          irq_en: descriptor.irq_en,
          pidx: descriptor.pidx,
          index: held_q ? held_index_q : index,
          cidx: descriptor.cidx,
          is_first: fails | drops ? ~begun_q : first_q,
          is_start: descriptor.is_start,
          is_end: descriptor.is_end,
          is_marker: fails | drops,
          is_dropped: drops,
          is_rewound: (drops & held_q) | (~drops & (rewinds | held) & ~err_dma & ~err_dsc),
          is_held: held_q | held,
          err_dsc: ~drops & err_dsc,
          err_dma: ~drops & err_dma,
          read_error: BYPASS & descriptor.bypass.is_bypass ? READ_OK : descriptor.error,
          wants_status: wants_status,
          is_sop: is_sop,
          is_eop: is_eop,
          addr: h2c.addr,
          bytes: h2c.bytes,
          metadata: h2c.metadata,
          bypass: descriptor.bypass,
          charge: charge
      };
  always_comb begin
    charge = '0;
    if (is_charged && (is_eop || fails)) charge = room_t'(MOST);
    else if (taken && !check_is_part) charge = check_beats;
  end


  ram_sdp #(
      .WIDTH($bits(h2c_command_t)),
      .DEPTH(DEPTH)
  ) commands (
      .clk,
      .wr_en  (write),
      .wr_addr,
      .wr_data(entry),
      .rd_en  (fetch),
      .rd_addr(rd_ptr_q[BITS-1:0]),
      .rd_data(stored)
  );

  always_ff @(posedge clk) begin
    if (accept) begin
      first_q     <= descriptor.is_end;
      dropping_q  <= drops | fails;
      open_q      <= ~drops & ~fails & ~is_eop;
      committed_q <= ~drops & ~fails & ~is_eop & ((is_open & committed_q) | descriptor.is_end);
      begun_q     <= ~descriptor.is_end & (begun_q | commit);
      index_q     <= index;
      bytes_q     <= bytes;
      charged_q   <= is_charged ? ~is_eop & ~fails : taken & check_is_part;
      held_q      <= ~descriptor.is_end & (held_q | held);
      if (held) held_index_q <= index;
    end
    if (write) wr_ptr_q <= ptr_next;
    else if (accept && held) wr_ptr_q <= commit_ptr_q;
    if (commit) commit_ptr_q <= ptr_next;
    passed_q <= may_pass & commit;
    if (fetch || passed_q) rd_ptr_q <= rd_ptr_q + 1'b1;
    stored_valid <= fetch | (stored_valid & ~shows);
    if (shows) begin
      command_valid <= stored_valid | (may_pass & commit);
      command       <= stored_valid ? stored : entry;
    end
    if (rst) begin
      first_q       <= 1'b1;
      open_q        <= 1'b0;
      committed_q   <= 1'b0;
      begun_q       <= 1'b0;
      held_q        <= 1'b0;
      charged_q     <= 1'b0;
      wr_ptr_q      <= '0;
      commit_ptr_q  <= '0;
      rd_ptr_q      <= '0;
      passed_q      <= 1'b0;
      stored_valid  <= 1'b0;
      command_valid <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, descriptor, h2c};
endmodule
