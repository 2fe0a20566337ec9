/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file time.h
 * Timestamps. A tick is 0.25 ns of virtual time on a tester, 4 ns on a card; time 0 is the card's
 * reset, not an epoch.
 */
#ifndef EXANIC_TIME_H
#define EXANIC_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#include "exanic/exanic.h"

#ifdef __cplusplus
extern "C" {
#endif

struct exanic_timespecps {
  int64_t tv_sec;
  int64_t tv_psec;
};

/** Ticks since the card's reset, or between two points in time. */
typedef int64_t exanic_cycles_t;
/** The lower 32 bits of them: a frame's timestamp. */
typedef uint32_t exanic_cycles32_t;

/**
 * Extends a timestamp to 64 bits. One that the library returned recently is extended exactly. Any
 * other is assumed to be within 2^31 ticks (0.54 s on a tester) of the card's current time.
 */
exanic_cycles_t exanic_expand_timestamp(exanic_t* exanic, exanic_cycles32_t timestamp);

/* Rounded towards zero. A negative time has both of its parts negative. */
void exanic_cycles_to_timespec(exanic_t* exanic, exanic_cycles_t cycles, struct timespec* ts);
void exanic_cycles_to_timespecps(exanic_t* exanic, exanic_cycles_t cycles,
                                 struct exanic_timespecps* tsps);
int64_t exanic_cycles_to_ns(exanic_t* exanic, exanic_cycles_t cycles);
/** @param[out] overflow if not NULL: the result has more than 64 bits */
int64_t exanic_cycles_to_ps(exanic_t* exanic, exanic_cycles_t cycles, bool* overflow);

/* Older names: a frame's timestamp to nanoseconds, and nanoseconds to a timestamp. */
uint64_t exanic_timestamp_to_counter(exanic_t* exanic, uint32_t timestamp);
uint32_t exanic_counter_to_timestamp(exanic_t* exanic, uint64_t counter);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_TIME_H */
