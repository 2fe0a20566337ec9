/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files of libexanic share.
 */
#ifndef EXANIC_INTERNAL_H
#define EXANIC_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "exanic/exanic.h"
#include "exanic/fifo_rx.h"
#include "exanic/fifo_tx.h"
#include "ullnic/ullnic.h"

enum { EX_NAME_BYTES = 128, EX_KNOWN_TIMES = 1024 };

/** A port of libullnic belongs to one thread at a time; here one may send while another listens. */
struct ex_port {
  pthread_mutex_t lock;
  /** Threads that want to send: a listener, who calls without end, makes way. */
  atomic_uint senders;
  ullnic_port_t* port;
  unsigned holders;
  exanic_rx_t* rx;
  exanic_tx_t* tx;
  /** Of the listener, see ex_rx_catch_up(): calls that found nothing; it does not call; who. */
  atomic_uint empty_calls;
  atomic_bool silent;
  _Atomic(pthread_t) listener;
};

struct exanic {
  struct exanic* next;
  unsigned references;
  char name[EX_NAME_BYTES];
  ullnic_t* card;
  bool tester;
  int64_t tick_ps;
  pthread_mutex_t clock_lock;
  /** Timestamps that were given out, by their lowest bits. */
  atomic_uint_least64_t known[EX_KNOWN_TIMES];
  /** When the card was found to be gone, in seconds; 0: it is there. */
  atomic_llong gone_s;
  struct ex_port ports[ULLNIC_MAX_PORTS];
};

struct exanic_rx {
  exanic_t* exanic;
  unsigned number;
  unsigned holders;
  /** What began before is not for this listener. */
  uint64_t since;
  uint32_t lost; /**< the card's counter of frames without room, when last looked at */
  unsigned run;  /**< frames since the ring was last empty */
};

struct exanic_tx {
  exanic_t* exanic;
  unsigned number;
  unsigned holders;
  uint32_t sent;
  uint64_t sent_time;
  bool told; /**< that there are no times */
  bool begun;
  char frame[ULLNIC_MAX_FRAME];
};

__attribute__((format(printf, 1, 2))) void ex_error(const char* format, ...);
/**
 * Takes over libullnic's error. A card that is gone is told of on standard error, as the programs'
 * loops know no error; five seconds of calls later the process gets SIGTERM.
 */
void ex_card_error(exanic_t* exanic, int result);

/** Opens the port if it is not, and retains the handle; false with the error set. */
bool ex_port_hold(exanic_t* exanic, int number);
/** Takes that back and unlocks the port, which the caller has locked. */
void ex_port_release(exanic_t* exanic, unsigned number);

/** The card's clock. */
int ex_now(exanic_t* exanic, uint64_t* ticks);
/** A whole timestamp whose lower half goes out to the program. */
exanic_cycles32_t ex_give_out(exanic_t* exanic, uint64_t ticks);

/**
 * Gives threads that listen on other threads' behalf time to take what has arrived. A program that
 * has heard that its last frame left stops its listener at once: on a busy machine that thread may
 * not have run since the answer came.
 */
void ex_rx_catch_up(exanic_t* exanic);

#endif /* EXANIC_INTERNAL_H */
