/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors that are posted, and what the card says about them. Nothing that the card writes is
 * believed before it has been compared with what was posted.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "libullnic/error.h"
#include "perf.h"

static const char* const way_names[WAYS] = {"H2C", "C2H"};

uint64_t burst_offset(const struct perf* perf, uint64_t number) {
  const struct config* config = perf->config;
  const uint64_t in_burst = number % config->num_pkt;
  if (is_stream(perf)) {
    return in_burst * perf->slot_bytes;
  }
  const uint64_t offset = in_burst * config->pkt_sz;
  return config->keyhole_en != 0 ? offset % config->aperture_sz : offset;
}

static uint64_t buffer_offset(const struct perf* perf, const struct ring* ring, uint64_t number) {
  return number % ring->capacity * perf->slot_bytes;
}

static size_t descriptor_bytes(const struct perf* perf, const struct ring* ring) {
  return !is_stream(perf)       ? sizeof(struct qdma_mm_descriptor)
         : ring->way == WAY_H2C ? sizeof(struct qdma_h2c_descriptor)
                                : sizeof(uint64_t);
}

static void write_descriptor(struct perf* perf, struct ring* ring) {
  const struct config* config = perf->config;
  const uint64_t offset = burst_offset(perf, ring->posted - ring->first);
  const uint64_t buffer = ring->buffers_iova + buffer_offset(perf, ring, ring->posted);
  void* at = ring->descriptors + ring->posted % ring->entries * descriptor_bytes(perf, ring);
  const bool is_h2c = ring->way == WAY_H2C;
  if (!is_stream(perf)) {
    const uint64_t card = ring->card_address + offset;
    const struct qdma_mm_descriptor descriptor = {
        .source = is_h2c ? ring->source_iova + offset : card,
        .control = config->pkt_sz | QDMA_MM_VALID | QDMA_MM_FIRST | QDMA_MM_LAST,
        .destination = is_h2c ? card : buffer};
    memcpy(at, &descriptor, sizeof descriptor);
  } else if (is_h2c) {
    const struct qdma_h2c_descriptor descriptor = {.packet_bytes = (uint16_t)config->pkt_sz,
                                                   .bytes = (uint16_t)config->pkt_sz,
                                                   .flags = QDMA_H2C_FIRST | QDMA_H2C_LAST,
                                                   .address = ring->source_iova + offset};
    memcpy(at, &descriptor, sizeof descriptor);
  } else {
    memcpy(at, &buffer, sizeof buffer);
  }
}

/** Completions before buffers: there must be room for the entries that these will cause. */
static int ring_cidx(struct perf* perf, const struct ring* ring) {
  const struct config* config = perf->config;
  return ul_qdma_ring(&perf->qdma, ring->qid, QDMA_DOORBELL_COMPLETION,
                      ring->cidx | QDMA_CIDX_STATUS | QDMA_CIDX_TRIGGER(config->trig_mode) |
                          QDMA_CIDX_TIMER(config->tmr_idx) | QDMA_CIDX_COUNT(config->cntr_idx));
}

int ring_post(struct perf* perf, struct ring* ring) {
  const uint64_t room = ring->capacity - (ring->posted - ring->done);
  const uint64_t left = ring->limit - ring->posted;
  const uint64_t count = room < left ? room : left;
  // A doorbell for a part of the ring, not for each descriptor.
  if (count == 0 || (count < left && count < ring->capacity / 4)) {
    return 0;
  }
  for (uint64_t i = 0; i < count; ++i, ++ring->posted) {
    write_descriptor(perf, ring);
  }
  __atomic_thread_fence(__ATOMIC_RELEASE);
  const int result = is_c2h_stream(perf, ring) ? ring_cidx(perf, ring) : 0;
  return result != 0 ? result
                     : ul_qdma_ring(&perf->qdma, ring->qid,
                                    ring->way == WAY_H2C ? QDMA_DOORBELL_H2C : QDMA_DOORBELL_C2H,
                                    (uint32_t)(ring->posted % ring->entries));
}

static void compare(struct perf* perf, struct ring* ring, uint64_t number) {
  if (ring->way != WAY_C2H) {
    return;
  }
  const uint8_t* data = ring->buffers + buffer_offset(perf, ring, number);
  uint64_t skipped = 0;
  if (is_stream(perf) && perf->has_stamps) {
    uint64_t stamp;
    memcpy(&stamp, data, sizeof stamp);
    ring->first_stamp = number == ring->first ? stamp : ring->first_stamp;
    ring->last_stamp = stamp;
    skipped = STAMP_BYTES;
  }
  const uint8_t* expected = ring->source + burst_offset(perf, number - ring->first);
  if (perf->config->check &&
      memcmp(data + skipped, expected + skipped, perf->config->pkt_sz - skipped) != 0) {
    ++ring->wrong;
  }
}

static int reap_completions(struct perf* perf, struct ring* ring) {
  const size_t bytes = (size_t)8 << perf->config->cmptsz;
  for (;;) {
    const uint64_t* at = (const uint64_t*)(ring->completions + ring->cidx * bytes);
    const uint64_t entry = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (QDMA_ENTRY_COLOUR(entry) != ring->colour) {
      return 0;
    }
    if (ring->done == ring->posted) {
      return ul_fail(EPROTO, "queue %u, C2H: a completion without a buffer; reset the card",
                     ring->qid);
    }
    if (QDMA_ENTRY_ERROR(entry) || !QDMA_ENTRY_USED_BUFFERS(entry) ||
        QDMA_ENTRY_BYTES(entry) != perf->config->pkt_sz) {
      return ul_fail(EIO,
                     "queue %u, C2H: completion %" PRIu64 " is 0x%016" PRIx64
                     ": %s, %u bytes of %u; start again, the card was reset",
                     ring->qid, ring->done, entry,
                     QDMA_ENTRY_ERROR(entry) ? "an error" : "no error", QDMA_ENTRY_BYTES(entry),
                     (unsigned)perf->config->pkt_sz);
    }
    compare(perf, ring, ring->done++);
    if (++ring->cidx == ring->entries) {
      ring->cidx = 0;
      ring->colour ^= 1;
    }
  }
}

static int reap_status(struct perf* perf, struct ring* ring) {
  const uint64_t* slot =
      (const uint64_t*)(ring->descriptors + ring->entries * descriptor_bytes(perf, ring));
  const uint64_t status = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  const uint64_t cidx = QDMA_STATUS_CIDX(status);
  const uint64_t more = (cidx + ring->entries - ring->done % ring->entries) % ring->entries;
  if (cidx >= ring->entries || more > ring->posted - ring->done) {
    return ul_fail(EPROTO,
                   "queue %u, %s: its status has CIDX %" PRIu64 ", PIDX is %" PRIu64
                   "; reset the card",
                   ring->qid, way_names[ring->way], cidx, ring->posted % ring->entries);
  }
  for (uint64_t i = 0; i < more; ++i) {
    compare(perf, ring, ring->done++);
  }
  if (QDMA_STATUS_ERROR(status) != 0) {
    const uint64_t address = ring->card_address + burst_offset(perf, ring->done - ring->first);
    return ul_fail(
        EIO, "queue %u, %s: stopped by an error of %s at transfer %" PRIu64 "%s%" PRIx64 "%s",
        ring->qid, way_names[ring->way],
        QDMA_STATUS_ERROR(status) & QDMA_STATUS_TRANSFER ? "the transfer" : "the descriptor",
        ring->done - ring->first, is_stream(perf) ? "; reset the card, 0x" : ", card address 0x",
        address,
        is_stream(perf) ? " bytes into a burst" : "; keep the offsets within the card's memory");
  }
  return 0;
}

int ring_reap(struct perf* perf, struct ring* ring) {
  const uint64_t before = ring->done;
  const int result =
      is_c2h_stream(perf, ring) ? reap_completions(perf, ring) : reap_status(perf, ring);
  if (ring->done != before) {
    ring->last_change_ns = now_ns();
  }
  return result;
}

int explain_stall(struct perf* perf, const struct ring* ring) {
  uint32_t words[2] = {0};
  const int result = ul_qdma_context_part(
      &perf->qdma, ring->way == WAY_H2C ? QDMA_SW_H2C : QDMA_SW_C2H, ring->qid, words, 2);
  if (result != 0) {
    return result;
  }
  return ul_fail(
      ETIMEDOUT,
      "queue %u, %s: no progress for %u s, %" PRIu64 " transfers done, %" PRIu64 " posted, %s; %s",
      ring->qid, way_names[ring->way], (unsigned)perf->config->timeout_s, ring->done, ring->posted,
      QDMA_SW_ERROR(words[1]) != 0       ? "its context has an error"
      : (words[1] & QDMA_SW_ENABLE) == 0 ? "its context is disabled"
                                         : "its context has no error",
      "give a longer --timeout if the card is slow, else reset it");
}
