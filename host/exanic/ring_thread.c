/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Writes the rings of a port for programs that read them directly without calls. Sleeps while no
 * frames arrive.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "internal.h"

struct ex_ring_thread {
  pthread_t thread;
  exanic_t* exanic;
  unsigned number;
  int stop; /**< readable: stop */
  int fd;   /**< of the port */
  bool has_failed;
};

/** Fetches everything that has arrived. Returns 0: sleep; 1: continue; negative: end. */
static int take_all(struct ex_ring_thread* self) {
  struct ex_port* port = &self->exanic->own->ports[self->number];
  struct ullnic_frame frame;
  struct ex_match filter;
  pthread_mutex_lock(&port->lock);
  int result = ex_rx_fetch(port, self->exanic, self->number, NULL, &frame, &filter);
  if (result == 0) {
    result = ullnic_port_arm(port->port);
    if (result < 0) {
      ex_card_error(self->exanic, result);
    }
  }
  pthread_mutex_unlock(&port->lock);
  if (result < 0 && !self->has_failed) {
    // The program makes no call that could report it.
    fprintf(stderr, "libexanic: port %u: no more frames: %s\n", self->number,
            exanic_get_last_error());
    self->has_failed = true;
  }
  return result;
}

static void* run(void* data) {
  struct ex_ring_thread* self = data;
  struct pollfd fds[2] = {
      {.fd = self->stop, .events = POLLIN},
      {.fd = self->fd, .events = POLLIN},
  };
  while (fds[0].revents == 0) {
    const int result = take_all(self);
    // If the card is gone, ex_card_error() ends the process after some more calls.
    const int wait_ms = result == 1 ? 0 : result == 0 ? -1 : 1000;
    poll(fds, result < 0 ? 1 : 2, wait_ms);
  }
  return NULL;
}

bool ex_ring_thread_start(exanic_t* exanic, unsigned number) {
  struct ex_port* port = &exanic->own->ports[number];
  if (port->ring_thread != NULL) {
    return true;
  }
  struct ex_ring_thread* self = calloc(1, sizeof *self);
  const int stop = self == NULL ? -1 : eventfd(0, EFD_CLOEXEC);
  if (stop >= 0) {
    *self = (struct ex_ring_thread){
        .exanic = exanic, .number = number, .stop = stop, .fd = ullnic_port_fd(port->port)};
    if (pthread_create(&self->thread, NULL, run, self) == 0) {
      port->ring_thread = self;
      return true;
    }
    close(stop);
  }
  free(self);
  ex_error(
      "%s: port %u: no thread for its rings; are the limits of processes and open files "
      "reached?",
      exanic->name, number);
  return false;
}

void ex_ring_thread_stop(exanic_t* exanic, unsigned number) {
  struct ex_port* port = &exanic->own->ports[number];
  pthread_mutex_lock(&port->lock);
  struct ex_ring_thread* self = port->ring_thread;
  for (struct exanic_rx_own* rx = port->listeners; rx != NULL; rx = rx->next) {
    self = rx->threaded ? NULL : self;
  }
  if (self != NULL) {
    port->ring_thread = NULL;
  }
  pthread_mutex_unlock(&port->lock);
  if (self != NULL) {
    const uint64_t one = 1;
    (void)!write(self->stop, &one, sizeof one);
    pthread_join(self->thread, NULL);
    close(self->stop);
    free(self);
  }
}
