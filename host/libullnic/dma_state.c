/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Contexts of a queue and error registers, read without changes; the watchdog. Uses only addresses
 * that both the RTL and the model have: a read of any other would itself be logged as an error by
 * the DMA.
 */
#include <errno.h>
#include <string.h>

#include "call.h"
#include "error.h"
#include "internal.h"
#include "ullnic/dma.h"

static int read_word(struct ul_qdma* qdma, uint32_t address, uint32_t* value) {
  return qdma->transport->ops->read32(qdma->transport, UL_BAR_DMA, address, value);
}

static int write_word(struct ul_qdma* qdma, uint32_t address, uint32_t value) {
  return qdma->transport->ops->write32(qdma->transport, UL_BAR_DMA, address, value);
}

/** A context, and its destination. */
struct part {
  enum qdma_selector selector;
  uint32_t* words;
  unsigned count;
};

/** A register, and its destination. */
struct word {
  uint32_t address;
  uint32_t* value;
};

static int read_words(struct ul_qdma* qdma, const struct word* words, unsigned count) {
  int result = 0;
  for (unsigned i = 0; result == 0 && i < count; ++i) {
    result = read_word(qdma, words[i].address, words[i].value);
  }
  return result;
}

static int read_array(struct ul_qdma* qdma, uint32_t address, uint32_t* values, unsigned count) {
  int result = 0;
  for (unsigned i = 0; result == 0 && i < count; ++i) {
    result = read_word(qdma, address + 4 * i, &values[i]);
  }
  return result;
}

static int check_queue(struct ul_qdma* qdma, unsigned queue) {
  uint32_t queues = 0;
  const int result = read_word(qdma, QDMA_QUEUES, &queues);
  queues &= 0xfff;
  if (result != 0 || queue < queues) {
    return result;
  }
  return ul_fail(EINVAL, "%s: its DMA has no queue %u; give one of its %u, from 0 on",
                 qdma->transport->name, queue, queues);
}

static int read_progress(struct ul_qdma* qdma, struct ullnic_dma_queue* state) {
  int result = write_word(qdma, QDMA_PROGRESS_QUEUE, state->queue);
  if (result == 0) {
    result = read_array(qdma, QDMA_PROGRESS, state->progress, 3);
  }
  return result == 0 ? read_word(qdma, QDMA_WATCHDOG + 12, &state->watchdog_status) : result;
}

static int read_queue(struct ul_qdma* qdma, unsigned queue, struct ullnic_dma_queue* state) {
  *state = (struct ullnic_dma_queue){.queue = queue, .function = qdma->function};
  // The consumer's state first: the producer can only have advanced since.
  const struct part parts[] = {
      {QDMA_HW_H2C, state->hw_h2c, 2},          {QDMA_HW_C2H, state->hw_c2h, 2},
      {QDMA_COMPLETION, state->completion, 6},  {QDMA_SW_H2C, state->sw_h2c, 8},
      {QDMA_SW_C2H, state->sw_c2h, 8},          {QDMA_CREDIT_H2C, &state->credit_h2c, 1},
      {QDMA_CREDIT_C2H, &state->credit_c2h, 1}, {QDMA_PREFETCH, state->prefetch, 2}};
  int result = check_queue(qdma, queue);
  for (unsigned i = 0; result == 0 && i < sizeof parts / sizeof *parts; ++i) {
    result = ul_qdma_context_part(qdma, parts[i].selector, queue, parts[i].words, parts[i].count);
  }
  if (result == 0) {
    result = ul_qdma_context_part(qdma, QDMA_FUNCTION_MAP, qdma->function, state->map, 2);
  }
  if (result != 0) {
    return result;
  }
  const uint32_t* completion = state->completion;
  const struct word words[] = {
      {QDMA_RING_SIZE + 4 * (state->sw_h2c[1] >> 12 & 0xf), &state->h2c_ring},
      {QDMA_RING_SIZE + 4 * (state->sw_c2h[1] >> 12 & 0xf), &state->c2h_ring},
      {QDMA_RING_SIZE + 4 * (completion[0] >> 28), &state->completion_ring},
      {QDMA_BUFFER_SIZE + 4 * (state->prefetch[0] >> 1 & 0xf), &state->buffer_bytes},
      {QDMA_COUNT + 4 * (completion[0] >> 17 & 0xf), &state->count_threshold},
      {QDMA_TIMER + 4 * (completion[0] >> 21 & 0xf), &state->timer_ticks},
      {QDMA_TIMER_TICK, &state->tick_clocks},
      {QDMA_DSC_CONFIG, &state->status_interval},
      {QDMA_EXTENSIONS, &state->extensions}};
  result = read_words(qdma, words, sizeof words / sizeof *words);
  return result == 0 && (state->extensions & QDMA_HAS_WATCHDOG) != 0 ? read_progress(qdma, state)
                                                                     : result;
}

static int read_errors(struct ul_qdma* qdma, struct ullnic_dma_errors* e) {
  const struct word words[] = {
      {QDMA_ERROR_STATUS, &e->glbl_err_stat},        {QDMA_ERROR_MASK, &e->glbl_err_mask},
      {QDMA_ERROR_INTERRUPT, &e->glbl_err_int},      {QDMA_DSC_ERROR_STATUS, &e->dsc_err_sts},
      {QDMA_DSC_ERROR_MASK, &e->dsc_err_msk},        {QDMA_DSC_ERROR_LOG0, &e->dsc_err_log[0]},
      {QDMA_DSC_ERROR_LOG1, &e->dsc_err_log[1]},     {QDMA_DSC_ERROR_LOG2, &e->dsc_err_log[2]},
      {QDMA_TRQ_ERROR_STATUS, &e->trq_err_sts},      {QDMA_TRQ_ERROR_MASK, &e->trq_err_msk},
      {QDMA_TRQ_ERROR_LOG, &e->trq_err_log},         {QDMA_C2H_ERROR_STATUS, &e->c2h_err_stat},
      {QDMA_C2H_ERROR_MASK, &e->c2h_err_mask},       {QDMA_C2H_FIRST_ERROR, &e->c2h_first_err_qid},
      {QDMA_H2C_ERROR_STATUS, &e->h2c_err_stat},     {QDMA_H2C_ERROR_MASK, &e->h2c_err_mask},
      {QDMA_H2C_FIRST_ERROR, &e->h2c_first_err_qid}, {QDMA_EXTENSIONS, &e->extensions}};
  memset(e->read_err_log, 0, sizeof e->read_err_log);
  memset(e->watchdog, 0, sizeof e->watchdog);
  int result = read_words(qdma, words, sizeof words / sizeof *words);
  if (result == 0 && (e->extensions & QDMA_HAS_READ_LOG) != 0) {
    result = read_array(qdma, QDMA_READ_ERROR_LOG, e->read_err_log, 4);
  }
  if (result == 0 && (e->extensions & QDMA_HAS_WATCHDOG) != 0) {
    result = read_array(qdma, QDMA_WATCHDOG, e->watchdog, 4);
  }
  return result;
}

static int check_watchdog(struct ul_qdma* qdma) {
  uint32_t extensions = 0;
  const int result = read_word(qdma, QDMA_EXTENSIONS, &extensions);
  if (result != 0 || (extensions & QDMA_HAS_WATCHDOG) != 0) {
    return result;
  }
  return ul_fail(ENOTSUP, "%s: its DMA has no watchdog; the RTL has one with WATCHDOG = 1",
                 qdma->transport->name);
}

static int read_events(struct ul_qdma* qdma, unsigned first, unsigned count,
                       struct ullnic_dma_event* events) {
  int result = check_watchdog(qdma);
  for (unsigned i = 0; result == 0 && i < count; ++i) {
    uint32_t words[2] = {0};
    result = write_word(qdma, QDMA_WATCHDOG_ENTRY, first + i);
    if (result == 0) {
      result = read_array(qdma, QDMA_WATCHDOG_EVENT, words, 2);
    }
    events[i] = (struct ullnic_dma_event){.event = words[0], .cycle = words[1]};
  }
  return result;
}

static int watch(struct ul_qdma* qdma, unsigned ticks, unsigned queue) {
  uint32_t control = ticks != 0 ? QDMA_WATCHDOG_ARMED : 0;
  int result = check_watchdog(qdma);
  if (result == 0 && queue != ULLNIC_DMA_EVERY_QUEUE) {
    control |= QDMA_WATCHDOG_FILTERS(queue);
    result = check_queue(qdma, queue);
  }
  if (result == 0 && ticks != 0) {
    result = write_word(qdma, QDMA_WATCHDOG + 4, ticks);
  }
  return result == 0 ? write_word(qdma, QDMA_WATCHDOG, control) : result;
}

int ullnic_dma_read_queue(ullnic_t* card, unsigned queue, struct ullnic_dma_queue* state) {
  UL_ONE_DEADLINE();
  struct ul_transport* transport = card->transport;
  if (transport->owned_elsewhere) {
    return transport->ops->dma_queue(transport, queue, state);
  }
  pthread_mutex_lock(&card->lock);  // of the context registers
  const int result = read_queue(&card->qdma, queue, state);
  pthread_mutex_unlock(&card->lock);
  return result;
}

int ullnic_dma_read_errors(ullnic_t* card, struct ullnic_dma_errors* errors) {
  UL_ONE_DEADLINE();
  struct ul_transport* transport = card->transport;
  return transport->owned_elsewhere ? transport->ops->dma_errors(transport, errors)
                                    : read_errors(&card->qdma, errors);
}

int ullnic_dma_read_events(ullnic_t* card, unsigned first, unsigned count,
                           struct ullnic_dma_event* events) {
  UL_ONE_DEADLINE();
  struct ul_transport* transport = card->transport;
  if (first > ULLNIC_DMA_EVENTS || count > ULLNIC_DMA_EVENTS - first) {
    return ul_fail(EINVAL, "%s: a trace has %d events, not %u from %u on", transport->name,
                   ULLNIC_DMA_EVENTS, count, first);
  }
  if (transport->owned_elsewhere) {
    return transport->ops->dma_events(transport, first, count, events);
  }
  pthread_mutex_lock(&card->lock);  // of the entry that is shown
  const int result = read_events(&card->qdma, first, count, events);
  pthread_mutex_unlock(&card->lock);
  return result;
}

int ullnic_dma_watch(ullnic_t* card, unsigned ticks, unsigned queue) {
  UL_ONE_DEADLINE();
  struct ul_transport* transport = card->transport;
  if (ticks > ULLNIC_DMA_MOST_TICKS) {
    return ul_fail(EINVAL, "%s: the watchdog has a limit of %d ticks at most, not %u",
                   transport->name, ULLNIC_DMA_MOST_TICKS, ticks);
  }
  return transport->owned_elsewhere ? transport->ops->dma_watch(transport, ticks, queue)
                                    : watch(&card->qdma, ticks, queue);
}
