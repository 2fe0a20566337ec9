/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Timestamps.
 */
#include "exanic/time.h"

#include "internal.h"
#include "tester.h"

#define PS_PER_S INT64_C(1000000000000)
#define PS_PER_NS 1000
#define NS_PER_S 1000000000

int ex_now(exanic_t* exanic, uint64_t* ticks) {
  pthread_mutex_lock(&exanic->own->clock_lock);
  const int result = tester_read_time(exanic->own->card, ticks);
  pthread_mutex_unlock(&exanic->own->clock_lock);
  if (result != 0) {
    ex_card_error(exanic, result);
  }
  return result;
}

exanic_cycles32_t ex_give_out(exanic_t* exanic, uint64_t ticks) {
  atomic_store_explicit(&exanic->own->known[ticks % EX_KNOWN_TIMES], ticks, memory_order_relaxed);
  return (exanic_cycles32_t)ticks;
}

exanic_cycles_t exanic_expand_timestamp(exanic_t* exanic, exanic_cycles32_t timestamp) {
  const uint64_t known =
      atomic_load_explicit(&exanic->own->known[timestamp % EX_KNOWN_TIMES], memory_order_relaxed);
  if (known != 0 && (exanic_cycles32_t)known == timestamp) {
    return (exanic_cycles_t)known;
  }
  uint64_t now;
  if (ex_now(exanic, &now) != 0) {
    return timestamp;
  }
  return (exanic_cycles_t)now + (int32_t)(timestamp - (exanic_cycles32_t)now);
}

void exanic_cycles_to_timespecps(exanic_t* exanic, exanic_cycles_t cycles,
                                 struct exanic_timespecps* tsps) {
  const int64_t hz = PS_PER_S / exanic->own->tick_ps;
  tsps->tv_sec = cycles / hz;
  tsps->tv_psec = cycles % hz * exanic->own->tick_ps;
}

void exanic_cycles_to_timespec(exanic_t* exanic, exanic_cycles_t cycles, struct timespec* ts) {
  struct exanic_timespecps tsps;
  exanic_cycles_to_timespecps(exanic, cycles, &tsps);
  ts->tv_sec = tsps.tv_sec;
  ts->tv_nsec = tsps.tv_psec / PS_PER_NS;
}

int64_t exanic_cycles_to_ns(exanic_t* exanic, exanic_cycles_t cycles) {
  struct timespec ts;
  exanic_cycles_to_timespec(exanic, cycles, &ts);
  return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

int64_t exanic_cycles_to_ps(exanic_t* exanic, exanic_cycles_t cycles, bool* overflow) {
  int64_t ps;
  const bool over = __builtin_mul_overflow(cycles, exanic->own->tick_ps, &ps);
  if (overflow != NULL) {
    *overflow = over;
  }
  return ps;
}

uint64_t exanic_timestamp_to_counter(exanic_t* exanic, uint32_t timestamp) {
  return (uint64_t)exanic_cycles_to_ns(exanic, exanic_expand_timestamp(exanic, timestamp));
}

uint32_t exanic_counter_to_timestamp(exanic_t* exanic, uint64_t counter) {
  const uint64_t hz = exanic->tick_hz;
  return (uint32_t)(counter / NS_PER_S * hz + counter % NS_PER_S * hz / NS_PER_S);
}
