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

#ifdef EXANIC_FIFO_RX_H
#error "exanic_rx_t has another size without EXANIC_RX_RING: include internal.h first"
#endif
#define EXANIC_RX_RING  // the members of exanic_rx_t that only such programs see
#include "exanic/exanic.h"
#include "exanic/fifo_rx.h"
#include "exanic/fifo_tx.h"
#undef exanic_acquire_rx_buffer
#undef exanic_acquire_unused_filter_buffer
#include "steer.h"
#include "ullnic/ullnic.h"

enum { EX_KNOWN_TIMES = 1024, EX_TX_REGION_PAGES = 64 };

/** A port of libullnic belongs to one thread at a time; here one may send while others listen. */
struct ex_port {
  pthread_mutex_t lock;
  /** Threads that want to send: a listener, which calls without end, makes way. */
  atomic_uint senders;
  ullnic_port_t* port;
  unsigned holders;
  /** Listeners, and what they share. */
  struct exanic_rx_own* listeners;
  struct ex_steering steering;
  uint32_t lost; /**< the card's counter of frames without room, when last looked at */
  unsigned run;  /**< frames since the card's ring was last empty */
  struct ex_ring_thread* ring_thread;
  /** Memory of all exanic_tx_t::buffer of the port, and which pages are in use. */
  char* tx_region;
  uint64_t tx_pages;
};

struct exanic_own {
  exanic_t face; /**< what programs see */
  struct exanic_own* next;
  unsigned references;
  pid_t pid; /**< of the process that opened it */
  ullnic_t* card;
  bool tester;
  bool sends_only; /**< ullnicd holds it */
  int64_t tick_ps;
  pthread_mutex_t clock_lock;
  /** Timestamps that were given out, by their lowest bits. */
  atomic_uint_least64_t known[EX_KNOWN_TIMES];
  /** When the card was found to be gone, in seconds; 0: it is there. */
  atomic_llong gone_s;
  struct ex_port ports[ULLNIC_MAX_PORTS];
};

struct exanic_rx_own {
  exanic_rx_t face;
  struct exanic_rx_own* next;
  /** What began before is not for this listener. */
  uint64_t since;
  bool threaded; /**< the program looks into the ring itself */
  uint32_t lost; /**< lost frames that it does not know of yet */
  /** Where its ring is written next; the chunk that is being written. See ring.c. */
  uint32_t put;
  uint8_t put_generation;
  atomic_uint writing;
  /** Where frames are whole after a loss, and chunks since. */
  uint32_t restart;
  uint8_t restart_generation;
  uint64_t since_restart;
  /** See ex_rx_catch_up(): calls that found nothing; it does not call; who. */
  atomic_uint empty_calls;
  unsigned mark;
  atomic_bool silent;
  _Atomic(pthread_t) thread;
};

struct exanic_tx_own {
  exanic_tx_t face;
  uint32_t sent;
  uint64_t sent_time;
  bool has_warned; /**< that there are no times */
  /** A frame, or a payload after its metadata, that is begun: how many bytes, and for whom. */
  bool begun, begun_payload;
  size_t begun_bytes;
  uint16_t connection;
  char frame[ULLNIC_MAX_FRAME];
  uint16_t csum;
};

#define ex_error exanic_err_printf
/**
 * Takes over libullnic's error. A card that is gone is told of on standard error, as the programs'
 * loops know no error; five seconds of calls later the process gets SIGTERM.
 */
void ex_card_error(exanic_t* exanic, int result);

/** Opens the port if it is not, and retains the handle; false with the error set. */
bool ex_port_hold(exanic_t* exanic, int number);
/** Takes that back and unlocks the port, which the caller has locked. */
void ex_port_release(exanic_t* exanic, unsigned number);
/** Is there such a port? false with the error set. */
bool ex_has_port(exanic_t* exanic, int number);
/** Locks a port before listeners do. */
void ex_lock_for_sender(struct ex_port* port);

/** The card's clock. */
int ex_now(exanic_t* exanic, uint64_t* ticks);
/** A whole timestamp whose lower half goes out to the program. */
exanic_cycles32_t ex_give_out(exanic_t* exanic, uint64_t ticks);

/**
 * The next frame of the card for this listener; what is for others goes to their rings. The port is
 * locked. rx NULL: all frames are for others.
 *
 * @param[out] filter that matched
 * @return 1; 0 none; negative with the error set: the card is gone
 */
int ex_rx_fetch(struct ex_port* port, exanic_t* exanic, unsigned number, struct exanic_rx_own* rx,
                struct ullnic_frame* frame, struct ex_match* filter);

/** Begins a listener's call: the port, locked; NULL: it is busy, there is nothing now. */
struct ex_port* ex_rx_begin(exanic_rx_t* rx);

/** -EXANIC_RX_FRAME_TRUNCATED, with the error set. */
ssize_t ex_rx_truncated(const exanic_rx_t* rx, size_t bytes, size_t size);

/** What is in a listener's ring where it reads. */
enum ex_ring_state { EX_RING_EMPTY, EX_RING_CHUNK, EX_RING_LAPPED };
enum ex_ring_state ex_ring_state(const struct exanic_rx_own* rx);
/** Memory for it; false: none. */
bool ex_ring_make(struct exanic_rx_own* rx);
/** Writes a frame into it. */
void ex_ring_put(struct exanic_rx_own* rx, const struct ullnic_frame* frame,
                 const struct ex_match* filter);
/** Frames are missing here: what is read next is EX_RING_LAPPED. */
void ex_ring_break(struct exanic_rx_own* rx, uint32_t lost);
/** Goes on after EX_RING_LAPPED; gives -EXANIC_RX_FRAME_SWOVFL with the error set. */
ssize_t ex_ring_catch_up(struct exanic_rx_own* rx);
/** Takes a frame out of it, as exanic_receive_frame(). The state is EX_RING_CHUNK. */
ssize_t ex_ring_take_frame(struct exanic_rx_own* rx, char* buffer, size_t size,
                           exanic_cycles32_t* timestamp);

/** Has a thread that writes the rings of a port. The port is locked, and still is afterwards. */
bool ex_ring_thread_start(exanic_t* exanic, unsigned number);
/** Ends it, if no listener is left that needs it. The port must not be locked. */
void ex_ring_thread_stop(exanic_t* exanic, unsigned number);

/** Sends the chunk at an offset of the port's region. 0; -1 with the error set. */
int ex_tx_command(exanic_t* exanic, unsigned number, uint32_t offset);

/**
 * Gives threads that listen on other threads' behalf time to take what has arrived. A program that
 * has heard that its last frame left stops its listener at once: on a busy machine that thread may
 * not have run since the answer came.
 */
void ex_rx_catch_up(exanic_t* exanic);

#endif /* EXANIC_INTERNAL_H */
