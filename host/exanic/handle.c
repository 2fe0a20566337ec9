/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Cards by their names, and their ports.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exanic/config.h"
#include "internal.h"
#include "sockets/common/protocol.h"
#include "ullnic/card.h"

static pthread_mutex_t handles_lock = PTHREAD_MUTEX_INITIALIZER;
static struct exanic_own* handles;

#define PS_PER_S INT64_C(1000000000000)

static const char prefix[] = "exanic";

/** libullnic's name of the card; NULL with the error set. */
static const char* name_of_card(const char* device) {
  const size_t letters = sizeof prefix - 1;
  if (strcmp(device, CONTROL_DEVICE) == 0) {
    return "ullnicd:";
  }
  if (strncmp(device, prefix, letters) != 0) {
    return device;
  }
  const char* number = device + letters;
  if (*number == '\0' || number[strspn(number, "0123456789")] != '\0') {
    ex_error("%s: a device is exanic0, exanic1 and so on", device);
    return NULL;
  }
  char variable[64];
  snprintf(variable, sizeof variable, "ULLNIC_EXANIC%.40s", number);
  const char* card = getenv(variable);
  if (card == NULL || *card == '\0') {
    ex_error("%s: no such card; set %s to vfio-user:PATH or vfio:0000:01:00.0", device, variable);
    return NULL;
  }
  return card;
}

static exanic_t* find(const char* name) {
  for (struct exanic_own* own = handles; own != NULL; own = own->next) {
    if (strcmp(own->face.name, name) == 0) {
      ++own->references;
      return &own->face;
    }
  }
  return NULL;
}

static void show(struct exanic_own* own, const char* device) {
  exanic_t* face = &own->face;
  face->own = own;
  snprintf(face->name, sizeof face->name, "%s", device);
  face->num_ports = ullnic_ports(own->card);
  face->tick_hz = (uint32_t)(PS_PER_S / own->tick_ps);
  face->caps = EXANIC_CAP_HW_TIME_HI | EXANIC_CAP_10G;
  if (ullnic_tcp_enables(own->card) != 0) {
    face->caps |= EXANIC_CAP_ATE;
  }
  face->max_filter_buffers = EX_FILTER_BUFFERS;
}

static exanic_t* make(const char* device) {
  const char* name = name_of_card(device);
  if (name == NULL) {
    return NULL;
  }
  struct exanic_own* own = calloc(1, sizeof *own);
  if (own == NULL) {
    ex_error("%s: no memory", device);
    return NULL;
  }
  if (ullnic_open(name, &own->card) != 0) {
    ex_error("%s: %s", device, ullnic_last_error());
    free(own);
    return NULL;
  }
  own->references = 1;
  own->pid = getpid();
  own->tester = ullnic_kind(own->card) == ULLNIC_KIND_TESTER;
  own->sends_only = strncmp(name, "ullnicd:", strlen("ullnicd:")) == 0;
  own->tick_ps = ullnic_tick_ps(own->card);
  show(own, device);
  pthread_mutex_init(&own->clock_lock, NULL);
  for (unsigned i = 0; i < ULLNIC_MAX_PORTS; ++i) {
    pthread_mutex_init(&own->ports[i].lock, NULL);
  }
  own->next = handles;
  handles = own;
  return &own->face;
}

/** A child made by fork() must not use its parent's card: it would share the socket and rings. */
static bool is_of_this_process(const exanic_t* exanic) {
  if (exanic->own->pid == getpid()) {
    return true;
  }
  ex_error("%s: its parent holds it, and a child made by fork() cannot: use threads", exanic->name);
  // Programs that distribute buffers over children ignore errors.
  fprintf(stderr, "libexanic: %s\n", exanic_get_last_error());
  return false;
}

exanic_t* exanic_acquire_handle(const char* device_name) {
  char device[MAX_DEVICE_NAME_LEN];
  int port = 0;
  if (device_name == NULL) {
    ex_error("no device is named; give exanic0, exanic1 and so on");
    return NULL;
  }
  if (strncmp(device_name, prefix, sizeof prefix - 1) == 0 && strchr(device_name, ':') != NULL) {
    if (exanic_find_port_by_interface_name(device_name, device, sizeof device, &port) != 0) {
      return NULL;
    }
  } else if (snprintf(device, sizeof device, "%s", device_name) >= (int)sizeof device) {
    ex_error("a device's name has at most %zu letters", sizeof device - 1);
    return NULL;
  }
  pthread_mutex_lock(&handles_lock);
  exanic_t* exanic = find(device);
  if (exanic == NULL) {
    exanic = make(device);
  }
  pthread_mutex_unlock(&handles_lock);
  if (exanic == NULL) {
    return NULL;
  }
  if (!is_of_this_process(exanic) || !ex_has_port(exanic, port)) {
    exanic_release_handle(exanic);
    return NULL;
  }
  return exanic;
}

void exanic_retain_handle(exanic_t* exanic) {
  pthread_mutex_lock(&handles_lock);
  ++exanic->own->references;
  pthread_mutex_unlock(&handles_lock);
}

void exanic_release_handle(exanic_t* exanic) {
  if (exanic == NULL) {
    return;
  }
  struct exanic_own* own = exanic->own;
  pthread_mutex_lock(&handles_lock);
  const bool last = --own->references == 0;
  if (last) {
    struct exanic_own** link = &handles;
    while (*link != own) {
      link = &(*link)->next;
    }
    *link = own->next;
    // Still under the lock: the next to acquire it must find it free.
    ullnic_close(own->card);
  }
  pthread_mutex_unlock(&handles_lock);
  if (last) {
    for (unsigned i = 0; i < ULLNIC_MAX_PORTS; ++i) {
      pthread_mutex_destroy(&own->ports[i].lock);
      free(own->ports[i].tx_region);
    }
    pthread_mutex_destroy(&own->clock_lock);
    free(own);
  }
}

bool ex_has_port(exanic_t* exanic, int number) {
  if (number >= 0 && (unsigned)number < exanic->num_ports) {
    return true;
  }
  ex_error("%s: port %d: it has the ports 0 to %u", exanic->name, number, exanic->num_ports - 1);
  return false;
}

bool ex_port_hold(exanic_t* exanic, int number) {
  if (!is_of_this_process(exanic) || !ex_has_port(exanic, number)) {
    return false;
  }
  struct ex_port* port = &exanic->own->ports[number];
  pthread_mutex_lock(&port->lock);
  const int result =
      port->port != NULL ? 0 : ullnic_port_open(exanic->own->card, (unsigned)number, &port->port);
  if (result == 0) {
    ++port->holders;
    exanic_retain_handle(exanic);
  } else {
    ex_card_error(exanic, result);
  }
  pthread_mutex_unlock(&port->lock);
  return result == 0;
}

void ex_port_release(exanic_t* exanic, unsigned number) {
  struct ex_port* port = &exanic->own->ports[number];
  if (--port->holders == 0) {
    ullnic_port_close(port->port);
    port->port = NULL;
  }
  pthread_mutex_unlock(&port->lock);
  exanic_release_handle(exanic);
}

void ex_lock_for_sender(struct ex_port* port) {
  atomic_fetch_add(&port->senders, 1);
  pthread_mutex_lock(&port->lock);
  atomic_fetch_sub(&port->senders, 1);
}
