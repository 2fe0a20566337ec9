/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A queue: what it is waiting for, its rings, indexes, triggers and interrupts.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dma.h"

/*
 * Fields of contexts, as arguments of get(): word, highest bit, lowest bit. The contract's names
 * are in the comments (SW_IND_CTXT_DATA, HW_..., PREFETCH_..., CMPL_... of the public drivers).
 */
#define SW_PIDX 0, 15, 0
#define SW_ARMED 0, 16, 16   /* IRQ_ARM */
#define SW_ENABLED 1, 0, 0   /* QEN */
#define SW_WHEN_DONE 1, 2, 2 /* WBI_CHK */
#define SW_INTERVAL 1, 3, 3  /* WBI_INTVL_EN */
#define SW_RING 1, 15, 12    /* RNG_SZ */
#define SW_SIZE 1, 17, 16    /* DSC_SZ: 8 << n bytes */
#define SW_BYPASS 1, 18, 18
#define SW_STATUS 1, 20, 20    /* WBK_EN */
#define SW_INTERRUPT 1, 21, 21 /* IRQ_EN */
#define SW_BAD_DSC 1, 26, 26   /* ERR: of a descriptor */
#define SW_BAD_DMA 1, 27, 27   /* ERR: of a transfer */
#define SW_MEMORY_MAPPED 1, 31, 31
#define SW_DUE 1, 29, 29   /* IRQ_REQ: an interrupt is pending until armed */
#define SW_VECTOR 4, 10, 0 /* VEC, or the interrupt ring */
#define SW_AGGREGATED 4, 11, 11
#define HW_CIDX 0, 15, 0
#define HW_CREDITS 0, 31, 16 /* CRD_USE */
#define HW_BATCHES 1, 14, 11 /* FETCH_PND */
#define PREFETCH_BYPASS 0, 0, 0
#define PREFETCH_ERROR 0, 26, 26
#define PREFETCH_VALID 1, 13, 13
#define CMPL_STATUS 0, 0, 0    /* EN_STAT_DESC */
#define CMPL_INTERRUPT 0, 1, 1 /* EN_INT */
#define CMPL_TRIGGER 0, 4, 2   /* TRIG_MODE */
#define CMPL_STATE 0, 26, 25   /* INT_ST */
#define CMPL_COLOUR 0, 27, 27
#define CMPL_RING 0, 31, 28 /* QSIZE_IX */
#define CMPL_SIZE 2, 27, 26 /* DESC_SIZE: 8 << n bytes */
#define CMPL_CIDX 3, 27, 12
#define CMPL_VALID 3, 28, 28
#define CMPL_ERROR 3, 30, 29
#define CMPL_USER_TRIGGER 3, 31, 31 /* USER_TRIG_PEND */
#define CMPL_TIMER 4, 0, 0          /* TIMER_RUNNING */
#define CMPL_UNCHECKED 4, 2, 2      /* OVF_CHK_DIS */
#define CMPL_VECTOR 4, 14, 4
#define CMPL_AGGREGATED 4, 15, 15
#define MAP_FIRST 0, 10, 0
#define MAP_COUNT 1, 11, 0

enum { STATE_ARMED = 1, LEAST_RING = 3 };
enum { ERROR_CIDX = 1, ERROR_DESCRIPTOR = 2, ERROR_FULL = 3 };

static uint32_t get(const uint32_t* words, unsigned word, unsigned high, unsigned low) {
  return bits(words[word], high, low);
}

void print_raw(const char* name, const uint32_t* words, unsigned count) {
  printf("    raw %-19s", name);
  for (unsigned i = 0; i < count; ++i) {
    printf(" %08" PRIx32, words[i]);
  }
  printf("\n");
}

/** A direction's descriptor ring. */
struct direction {
  const uint32_t* sw;
  const uint32_t* hw;
  uint32_t size; /**< entries with the status slot */
  const char* what;
};

static struct direction direction_of(const struct ullnic_dma_queue* q, bool is_c2h) {
  return is_c2h ? (struct direction){q->sw_c2h, q->hw_c2h, q->c2h_ring, "buffer"}
                : (struct direction){q->sw_h2c, q->hw_h2c, q->h2c_ring, "descriptor"};
}

static bool is_set_up(const struct direction* d) {
  for (unsigned i = 0; i < 5; ++i) {
    if (d->sw[i] != 0) {
      return true;
    }
  }
  return false;
}

/** Entries from `from` to `to`; both are within the ring, whose last slot is for the status. */
static uint32_t distance(uint32_t from, uint32_t to, uint32_t size) {
  const uint32_t entries = size - 1;
  return (to + entries - from) % entries;
}

static bool are_within(uint32_t one, uint32_t other, uint32_t size) {
  return size >= LEAST_RING && one < size - 1 && other < size - 1;
}

static bool is_pending_known(const struct direction* d) {
  return are_within(get(d->sw, SW_PIDX), get(d->hw, HW_CIDX), d->size);
}

static uint32_t pending_of(const struct direction* d) {
  return distance(get(d->hw, HW_CIDX), get(d->sw, SW_PIDX), d->size);
}

static const char* plural(uint32_t count) { return count == 1 ? "" : "s"; }
static const char* verb(uint32_t count) { return count == 1 ? "is" : "are"; }

/** Prints what stops a direction at its descriptor ring; false: nothing does. */
static bool say_stopped(const struct direction* d) {
  const uint32_t cidx = get(d->hw, HW_CIDX);
  if (get(d->sw, SW_BAD_DMA)) {
    printf("stopped by an error of a transfer, CIDX %" PRIu32
           ", such as an address that the card may not reach; see `ullnic-info errors`\n",
           cidx);
  } else if (get(d->sw, SW_BAD_DSC)) {
    printf(
        "stopped by an error of a descriptor, of the ring's context or of a doorbell, CIDX "
        "%" PRIu32 "; see `ullnic-info errors`\n",
        cidx);
  } else if (!is_set_up(d)) {
    printf("not in use: no program has set it up\n");
  } else if (!get(d->sw, SW_ENABLED)) {
    printf("disabled, by its program or because its completion ring has failed\n");
  } else if (d->size < LEAST_RING) {
    printf("cannot run: entry %" PRIu32 " of the ring sizes, which it names, is %" PRIu32 "\n",
           get(d->sw, SW_RING), d->size);
  } else if (!is_pending_known(d)) {
    printf("cannot run: an index is beyond the ring of %" PRIu32 " entries\n", d->size - 1);
  } else {
    return false;
  }
  return true;
}

/** Batches that are being read, or whose descriptors have not all been used. */
static void say_batches(const struct direction* d) {
  const uint32_t batches = get(d->hw, HW_BATCHES);
  if (batches != 0) {
    printf(", %" PRIu32 " batch%s of %ss under way", batches, batches == 1 ? "" : "es", d->what);
  }
  printf("\n");
}

/** For a queue whose CIDX has changed between the two readings. */
static void say_moves(bool moves) {
  if (moves) {
    printf("moves packets; now it ");
  }
}

static void say_h2c(const struct direction* d, bool moves) {
  if (say_stopped(d)) {
    return;
  }
  say_moves(moves);
  const uint32_t pending = pending_of(d);
  if (pending == 0) {
    printf(get(d->hw, HW_BATCHES) != 0
               ? "waits for the card: all descriptors are fetched"
               : "waits for the program: all descriptors that it has posted are fetched");
  } else {
    printf("waits for the card: %" PRIu32 " descriptor%s posted and not fetched", pending,
           plural(pending));
  }
  say_batches(d);
}

static uint32_t completion_pidx(const uint32_t* ring) {
  return bits(ring[2], 31, 28) | bits(ring[3], 11, 0) << 4;
}

static bool is_unread_known(const struct ullnic_dma_queue* q) {
  return are_within(completion_pidx(q->completion), get(q->completion, CMPL_CIDX),
                    q->completion_ring);
}

static uint32_t unread_of(const struct ullnic_dma_queue* q) {
  return distance(get(q->completion, CMPL_CIDX), completion_pidx(q->completion),
                  q->completion_ring);
}

/** One entry stays free. */
static uint32_t room_of(const struct ullnic_dma_queue* q) {
  return q->completion_ring - 2 - unread_of(q);
}

static bool is_full(const struct ullnic_dma_queue* q) {
  return is_unread_known(q) && room_of(q) == 0 && !get(q->completion, CMPL_UNCHECKED);
}

static void say_c2h(const struct ullnic_dma_queue* q, const struct direction* d, bool moves) {
  if (say_stopped(d)) {
    return;
  }
  say_moves(moves);
  if (!get(q->prefetch, PREFETCH_VALID)) {
    printf("accepts no packet: its prefetch context is not valid\n");
  } else if (!get(q->completion, CMPL_VALID)) {
    printf("accepts no packet: its completion ring is not valid\n");
  } else if (is_full(q)) {
    printf("waits for the program: the completion ring is full, %" PRIu32
           " entries are unread and CIDX stays at %" PRIu32 "\n",
           unread_of(q), get(q->completion, CMPL_CIDX));
  } else if (pending_of(d) == 0) {
    printf(get(d->hw, HW_BATCHES) != 0
               ? "waits for packets, or for the program: all buffers are fetched"
               : "waits for the program: all buffers that it has posted are fetched");
    say_batches(d);
  } else {
    const uint32_t pending = pending_of(d);
    printf("waits for packets: %" PRIu32 " buffer%s posted and not fetched", pending,
           plural(pending));
    say_batches(d);
  }
}

/** An index, and whether it has changed between the two readings. */
static void print_index(const char* name, const char* index, uint32_t before, uint32_t now,
                        unsigned interval_ms) {
  printf("    %-12s %s %" PRIu32, name, index, now);
  if (interval_ms != 0) {
    printf(before != now ? ", moved within %u ms" : ", has not moved for %u ms", interval_ms);
  }
}

static uint64_t base_of(const uint32_t* sw) { return (uint64_t)sw[3] << 32 | sw[2]; }

static void print_target(uint32_t aggregated, uint32_t vector) {
  if (aggregated) {
    printf(" by way of interrupt ring %" PRIu32, vector);
  } else {
    printf(" by vector %" PRIu32, vector);
  }
}

static void print_descriptor_interrupt(const uint32_t* sw) {
  printf("    %-12s ", "interrupt");
  if (!get(sw, SW_INTERRUPT)) {
    printf("off\n");
    return;
  }
  if (get(sw, SW_ARMED)) {
    printf("armed,");
  } else {
    printf(get(sw, SW_DUE) ? "not armed, and one waits for that: the program must arm it,"
                           : "not armed,");
  }
  print_target(get(sw, SW_AGGREGATED), get(sw, SW_VECTOR));
  printf("\n");
}

static void print_direction(const struct direction* before, const struct direction* now,
                            unsigned interval_ms) {
  const uint32_t pidx = get(now->sw, SW_PIDX);
  const uint32_t cidx = get(now->hw, HW_CIDX);
  printf("    %-12s %" PRIu32 " entries of %u bytes each, at 0x%" PRIx64 "\n", "ring",
         now->size == 0 ? 0 : now->size - 1, 8u << get(now->sw, SW_SIZE), base_of(now->sw));
  print_index("posted", "PIDX", get(before->sw, SW_PIDX), pidx, interval_ms);
  printf("\n");
  print_index("fetched", "CIDX", get(before->hw, HW_CIDX), cidx, interval_ms);
  if (is_pending_known(now)) {
    const uint32_t pending = pending_of(now);
    printf("; %" PRIu32 " %s%s %s posted and not fetched", pending, now->what, plural(pending),
           verb(pending));
  }
  printf("\n");
  const uint32_t used = get(now->hw, HW_CREDITS);
  if (used != 0) {
    printf("    %-12s %" PRIu32 " used\n", "credits", used);
  }
}

/** False: nothing counts the progress of this queue. */
static bool is_progress_known(const struct ullnic_dma_queue* q, const struct direction* d) {
  return has_watchdog(q->extensions) && !get(d->sw, SW_BYPASS) && !get(d->sw, SW_MEMORY_MAPPED);
}

/** How far descriptors have got after they were fetched. */
static void print_h2c_progress(const struct ullnic_dma_queue* q, const struct direction* d) {
  const uint32_t issued = bits(q->progress[0], 15, 0);
  const uint32_t done = bits(q->progress[0], 31, 16);
  const uint32_t pidx = get(d->sw, SW_PIDX);
  if (!is_progress_known(q, d)) {
    return;
  }
  printf("    %-12s data of descriptors is read up to %" PRIu32 ", is at the card up to %" PRIu32,
         "progress", issued, done);
  if (get(d->sw, SW_STATUS)) {
    printf(", status is written with CIDX %" PRIu32, bits(q->progress[1], 15, 0));
  }
  if (are_within(done, pidx, d->size) && done != pidx) {
    const bool is_read = are_within(issued, pidx, d->size) && issued == pidx;
    printf(
        "; %" PRIu32 " are not at the card: it waits for %s", distance(done, pidx, d->size),
        is_read ? "the host's data, or for the card to accept it" : "room, or the host's answers");
  }
  printf("\n");
}

static void print_c2h_progress(const struct ullnic_dma_queue* q, const struct direction* d) {
  if (is_progress_known(q, d)) {
    const uint32_t held = bits(q->progress[2], 15, 0);
    printf("    %-12s %" PRIu32 " buffer%s fetched and without a packet\n", "progress", held,
           held == 1 ? " is" : "s are");
  }
}

static void print_h2c(const struct ullnic_dma_queue* before, const struct ullnic_dma_queue* now,
                      unsigned interval_ms) {
  const struct direction old = direction_of(before, false);
  const struct direction d = direction_of(now, false);
  printf("  H2C (host to card): ");
  say_h2c(&d, get(old.hw, HW_CIDX) != get(d.hw, HW_CIDX));
  if (!is_set_up(&d)) {
    return;
  }
  print_direction(&old, &d, interval_ms);
  print_h2c_progress(now, &d);
  printf("    %-12s ", "status");
  if (!get(d.sw, SW_STATUS)) {
    printf("off\n");
  } else {
    const bool when_done = get(d.sw, SW_WHEN_DONE);
    printf("%s", when_done ? "when all is done" : "");
    if (get(d.sw, SW_INTERVAL)) {
      printf("%severy %u descriptors", when_done ? ", and " : "",
             4u << bits(now->status_interval, 2, 0));
    } else if (!when_done) {
      printf("only after an error");
    }
    printf("\n");
  }
  print_descriptor_interrupt(d.sw);
}

static void print_c2h(const struct ullnic_dma_queue* before, const struct ullnic_dma_queue* now,
                      unsigned interval_ms) {
  const struct direction old = direction_of(before, true);
  const struct direction d = direction_of(now, true);
  printf("  C2H (card to host): ");
  say_c2h(now, &d, get(old.hw, HW_CIDX) != get(d.hw, HW_CIDX));
  if (!is_set_up(&d)) {
    return;
  }
  print_direction(&old, &d, interval_ms);
  print_c2h_progress(now, &d);
  printf("    %-12s %" PRIu32 " bytes each\n", "buffers", now->buffer_bytes);
  if (get(now->prefetch, PREFETCH_ERROR)) {
    printf("    %-12s has an error\n", "prefetch");
  }
  if (get(now->prefetch, PREFETCH_BYPASS)) {
    printf("    %-12s bypass\n", "prefetch");
  }
}

static void say_completion(const struct ullnic_dma_queue* q) {
  static const char* const errors[] = {
      [ERROR_CIDX] = "the program has written a CIDX outside of the ring or beyond PIDX",
      [ERROR_DESCRIPTOR] = "an error of the descriptor ring, or of a write to the host",
      [ERROR_FULL] = "an entry for a full ring"};
  const uint32_t error = get(q->completion, CMPL_ERROR);
  if (error != 0) {
    printf("stopped: %s\n", errors[error]);
  } else if (!get(q->completion, CMPL_VALID)) {
    printf("not valid\n");
  } else if (q->completion_ring < LEAST_RING) {
    printf("cannot run: entry %" PRIu32 " of the ring sizes, which it names, is %" PRIu32 "\n",
           get(q->completion, CMPL_RING), q->completion_ring);
  } else if (!is_unread_known(q)) {
    printf("an index is beyond the ring of %" PRIu32 " entries\n", q->completion_ring - 1);
  } else if (is_full(q)) {
    printf("full: the program has not moved its index\n");
  } else if (unread_of(q) == 0) {
    printf("empty: the program has read all\n");
  } else {
    printf("%" PRIu32 " entr%s unread, by the CIDX that the program has written\n", unread_of(q),
           unread_of(q) == 1 ? "y is" : "ies are");
  }
}

static void print_trigger(const struct ullnic_dma_queue* q) {
  static const char* const names[] = {"off",
                                      "every entry",
                                      "count, or the card's logic",
                                      "the card's logic",
                                      "timer, or the card's logic",
                                      "timer or count, or the card's logic"};
  enum { COUNT = 2, TIMER = 4, TIMER_COUNT = 5 };
  const uint32_t mode = get(q->completion, CMPL_TRIGGER);
  printf("    %-12s %s", "trigger", mode <= TIMER_COUNT ? names[mode] : "of no known mode");
  if (mode == COUNT || mode == TIMER_COUNT) {
    printf("; count %" PRIu32 " entries", q->count_threshold);
  }
  if (mode == TIMER || mode == TIMER_COUNT) {
    printf("; timer %.1f us, %s", (double)q->timer_ticks * q->tick_clocks * CLOCK_NS * 1e-3,
           get(q->completion, CMPL_TIMER) ? "which runs" : "which does not run");
  }
  if (get(q->completion, CMPL_USER_TRIGGER)) {
    printf("; the card's logic has asked for one");
  }
  printf("\n");
}

/** How the program is notified: status, interrupt, or neither. */
static void print_notification(const struct ullnic_dma_queue* q) {
  const bool status = get(q->completion, CMPL_STATUS);
  const bool interrupt = get(q->completion, CMPL_INTERRUPT);
  printf("    %-12s %s\n", "status", status ? "at each trigger" : "off");
  printf("    %-12s ", "interrupt");
  if (!interrupt) {
    printf("off\n");
    return;
  }
  printf(get(q->completion, CMPL_STATE) == STATE_ARMED
             ? "armed: the next trigger sends one"
             : "not armed: the program must write CIDX before the next one,");
  print_target(get(q->completion, CMPL_AGGREGATED), get(q->completion, CMPL_VECTOR));
  printf("\n");
}

static void print_completion(const struct ullnic_dma_queue* before,
                             const struct ullnic_dma_queue* now, unsigned interval_ms) {
  const uint32_t* ring = now->completion;
  if (ring[0] == 0 && ring[3] == 0) {
    return;  // H2C alone, or not in use
  }
  const uint64_t base = (uint64_t)bits(ring[5], 17, 14) << 2 | (uint64_t)ring[1] << 6 |
                        (uint64_t)bits(ring[2], 25, 0) << 38;
  printf("  completions: ");
  say_completion(now);
  printf("    %-12s %" PRIu32 " entries of %u bytes each, at 0x%" PRIx64 "\n", "ring",
         now->completion_ring == 0 ? 0 : now->completion_ring - 1, 8u << get(ring, CMPL_SIZE),
         base);
  print_index("written", "PIDX", completion_pidx(before->completion), completion_pidx(ring),
              interval_ms);
  printf(", colour %" PRIu32 "\n", get(ring, CMPL_COLOUR));
  print_index("read", "CIDX", get(before->completion, CMPL_CIDX), get(ring, CMPL_CIDX),
              interval_ms);
  if (is_unread_known(now)) {
    printf("; %" PRIu32 " unread, room for %" PRIu32, unread_of(now), room_of(now));
  }
  printf("\n");
  print_trigger(now);
  print_notification(now);
}

static void print_raw_queue(const struct ullnic_dma_queue* q) {
  printf("  words as the DMA has them\n");
  print_raw("software H2C", q->sw_h2c, 8);
  print_raw("software C2H", q->sw_c2h, 8);
  print_raw("hardware H2C", q->hw_h2c, 2);
  print_raw("hardware C2H", q->hw_c2h, 2);
  print_raw("credit H2C", &q->credit_h2c, 1);
  print_raw("credit C2H", &q->credit_c2h, 1);
  print_raw("prefetch", q->prefetch, 2);
  print_raw("completion", q->completion, 6);
  print_raw("function map", q->map, 2);
  print_raw("progress", q->progress, 3);
}

void print_queue(const struct ullnic_dma_queue* before, const struct ullnic_dma_queue* now,
                 unsigned interval_ms, bool raw) {
  const uint32_t first = get(now->map, MAP_FIRST);
  const uint32_t count = get(now->map, MAP_COUNT);
  printf("queue %" PRIu32, now->queue);
  if (now->queue >= first && now->queue - first < count) {
    printf(", number %" PRIu32 " of function %" PRIu32 "\n", now->queue - first, now->function);
  } else {
    printf(", none of function %" PRIu32 ", which has %" PRIu32 " from %" PRIu32 " on\n",
           now->function, count, first);
  }
  if (bits(now->watchdog_status, 31, 31) && bits(now->watchdog_status, 12, 0) == now->queue) {
    printf("  watchdog: %s has made no progress; see `ullnic-info errors`\n",
           bits(now->watchdog_status, 30, 30) ? "C2H" : "H2C");
  }
  print_h2c(before, now, interval_ms);
  print_c2h(before, now, interval_ms);
  print_completion(before, now, interval_ms);
  if (raw) {
    print_raw_queue(now);
  }
}
