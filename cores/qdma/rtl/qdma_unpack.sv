// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptors, one by one, from the lines that their read brings.
//
// Latency: a descriptor 1 cycle after its line; one in each cycle, within lines, batches and between.
//
// Interface: beats as qdma_read provides them, of whole descriptors, whose cookie is a batch_t.  A descriptor is held until
// it is accepted.  done_places says, with done, how many places are free again: 1, or what is left of a batch with an
// error.
//
// Operation: the first error of a batch is a descriptor with that error and is_end, once the whole batch has come: so no read
// is under way for a batch whose end was provided.  What follows in the batch is dropped.
module qdma_unpack
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
#(
    parameter bit BYPASS = 1'b0  // there are queues with bypass
) (
    input logic clk,
    input logic rst,

    input  logic       beat_valid,
    output logic       beat_ready,
    input  read_beat_t beat,
    input  beat_t      beat_data,

    output logic        descriptor_valid,
    input  logic        descriptor_ready,
    output descriptor_t descriptor,
    output logic        done,
    output places_t     done_places
);
  batch_t batch;
  logic inside_line_q, inside_batch_q, dropping_q;
  logic [2:0] place, place_q, last_place;  // in words of 8 bytes
  logic [2:0] words;  // of a descriptor, less 1
  logic failed, ends_line, ends_batch, moves, emits;
  read_error_e error, error_q;  // the first one
  logic [15:0] index, index_q;
  places_t left, left_q, places_q;

  assign batch = batch_t'(beat.cookie[$bits(batch_t)-1:0]);
  always_comb begin
    case (batch.dsc_sz)
      2'd0:    words = 3'd0;
      2'd1:    words = 3'd1;
      default: words = 3'd3;
    endcase
  end
  assign place      = inside_line_q ? place_q : beat.offset[5:3];
  assign last_place = beat.offset[5:3] + beat.bytes[5:3] - 3'd1 - words;
  assign error      = dropping_q ? error_q : beat.error;
  assign failed     = error != READ_OK;
  assign ends_line  = failed | (place == last_place);
  assign ends_batch = beat.is_last & ends_line;
  assign index      = inside_batch_q ? index_q : batch.index;
  assign left       = inside_batch_q ? left_q : batch.count;
  assign moves      = beat_valid & (~descriptor_valid | descriptor_ready);
  assign emits      = moves & (~failed | ends_batch);
  assign beat_ready = (~descriptor_valid | descriptor_ready) & ends_line;

  logic [DESCRIPTOR_BITS-1:0] data;
  always_comb begin
    data[63:0]    = beat_data[64*place+:64];
    data[127:64]  = batch.dsc_sz != 2'd0 ? beat_data[128*place[2:1]+64+:64] : '0;
    data[255:128] = batch.dsc_sz == 2'd2 ? beat_data[256*place[2]+128+:128] : '0;
  end

  assign done        = descriptor_valid & descriptor_ready;
  assign done_places = places_q;

  always_ff @(posedge clk) begin
    if (descriptor_ready) descriptor_valid <= 1'b0;
    if (moves) begin
      inside_line_q  <= ~ends_line;
      inside_batch_q <= ~ends_batch;
      dropping_q     <= ~ends_batch & failed;
      error_q        <= error;
      place_q        <= place + words + 3'd1;
      index_q        <= index + 16'(!failed);
      left_q         <= left - places_t'(!failed);
    end
    if (emits) begin
      descriptor_valid <= 1'b1;
      places_q <= failed ? left : places_t'(1);
      descriptor <= '{
          qid: batch.qid,
          func: batch.func,
          port_id: batch.port_id,
          wbk_en: batch.wbk_en,
          irq_en: batch.irq_en,
          wbi_chk: batch.wbi_chk,
          wbi_intvl_en: batch.wbi_intvl_en,
          ring_most: batch.ring_most,
          pidx: batch.pidx,
          index: index,
          cidx: ends_batch && batch.wraps ? '0 : index + 16'd1,
          is_start: batch.is_start,
          is_end: ends_batch,
          is_continued: batch.is_continued & ~failed,
          is_continuing: batch.is_continuing,
          error: error,
          bypass: '{is_bypass: BYPASS & (batch.ring_most == '0), default: '0},
          dsc_sz: BYPASS ? batch.dsc_sz : '0,
          data: failed ? '0 : data
      };
    end
    if (rst) begin
      descriptor_valid <= 1'b0;
      inside_line_q    <= 1'b0;
      inside_batch_q   <= 1'b0;
      dropping_q       <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, beat};
endmodule
