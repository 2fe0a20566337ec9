/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/epolls.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>

#include "preload/real.h"
#include "preload/table.h"

struct place {
  int epoll, fd;
  struct epoll_event event;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place* places;
static size_t place_count, place_room;

static struct place* find(int epoll, int fd) {
  for (size_t i = 0; i < place_count; i++) {
    if (places[i].epoll == epoll && places[i].fd == fd) return &places[i];
  }
  return NULL;
}

static void remember(int epoll, int fd, const struct epoll_event* event) {
  struct place* place = find(epoll, fd);
  if (place == NULL) {
    if (place_count == place_room) {
      size_t room = place_room == 0 ? 16 : 2 * place_room;
      struct place* larger = realloc(places, room * sizeof(*larger));
      if (larger == NULL) return;
      places = larger;
      place_room = room;
    }
    place = &places[place_count++];
  }
  *place = (struct place){.epoll = epoll, .fd = fd, .event = *event};
}

EXPORTED int epoll_ctl(int epoll, int operation, int fd, struct epoll_event* event) {
  int result = REAL(epoll_ctl)(epoll, operation, fd, event);
  if (result != 0) return result;
  const struct entry* entry = table_candidate(fd);
  if (entry == NULL || entry->kind != KIND_NONE) return 0;
  pthread_mutex_lock(&lock);
  if (operation == EPOLL_CTL_DEL) {
    struct place* place = find(epoll, fd);
    if (place != NULL) *place = places[--place_count];
  } else {
    remember(epoll, fd, event);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

static void drop_where(int fd, bool renew) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < place_count;) {
    if (places[i].fd != fd && places[i].epoll != fd) {
      i++;
      continue;
    }
    struct place place = places[i];
    places[i] = places[--place_count];
    if (renew && place.fd == fd) REAL(epoll_ctl)(place.epoll, EPOLL_CTL_ADD, fd, &place.event);
  }
  pthread_mutex_unlock(&lock);
}

void epolls_renew(int fd) { drop_where(fd, true); }

void epolls_forget(int fd) {
  if (__atomic_load_n(&place_count, __ATOMIC_RELAXED) > 0) drop_where(fd, false);
}
