/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Cards by their names, and their ports.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exanic/config.h"
#include "internal.h"
#include "sockets/common/protocol.h"
#include "ullnic/card.h"

static pthread_mutex_t handles_lock = PTHREAD_MUTEX_INITIALIZER;
static exanic_t* handles;

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
  for (exanic_t* exanic = handles; exanic != NULL; exanic = exanic->next) {
    if (strcmp(exanic->name, name) == 0) {
      ++exanic->references;
      return exanic;
    }
  }
  return NULL;
}

static exanic_t* make(const char* device) {
  const char* name = name_of_card(device);
  if (name == NULL) {
    return NULL;
  }
  exanic_t* exanic = calloc(1, sizeof *exanic);
  if (exanic == NULL) {
    ex_error("%s: no memory", device);
    return NULL;
  }
  snprintf(exanic->name, sizeof exanic->name, "%s", device);
  if (ullnic_open(name, &exanic->card) != 0) {
    ex_error("%s: %s", device, ullnic_last_error());
    free(exanic);
    return NULL;
  }
  exanic->references = 1;
  exanic->tester = ullnic_kind(exanic->card) == ULLNIC_KIND_TESTER;
  exanic->tick_ps = ullnic_tick_ps(exanic->card);
  pthread_mutex_init(&exanic->clock_lock, NULL);
  for (unsigned i = 0; i < ULLNIC_MAX_PORTS; ++i) {
    pthread_mutex_init(&exanic->ports[i].lock, NULL);
    exanic->ports[i].silent = true;
  }
  exanic->next = handles;
  return handles = exanic;
}

exanic_t* exanic_acquire_handle(const char* device_name) {
  char device[EX_NAME_BYTES];
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
  if (exanic != NULL && (unsigned)port >= ullnic_ports(exanic->card)) {
    ex_error("%s: it has the ports 0 to %u", device, ullnic_ports(exanic->card) - 1);
    exanic_release_handle(exanic);
    return NULL;
  }
  return exanic;
}

void exanic_retain_handle(exanic_t* exanic) {
  pthread_mutex_lock(&handles_lock);
  ++exanic->references;
  pthread_mutex_unlock(&handles_lock);
}

void exanic_release_handle(exanic_t* exanic) {
  if (exanic == NULL) {
    return;
  }
  pthread_mutex_lock(&handles_lock);
  const bool last = --exanic->references == 0;
  if (last) {
    exanic_t** link = &handles;
    while (*link != exanic) {
      link = &(*link)->next;
    }
    *link = exanic->next;
    // Still under the lock: who acquires it next must find it free.
    ullnic_close(exanic->card);
  }
  pthread_mutex_unlock(&handles_lock);
  if (last) {
    for (unsigned i = 0; i < ULLNIC_MAX_PORTS; ++i) {
      pthread_mutex_destroy(&exanic->ports[i].lock);
    }
    pthread_mutex_destroy(&exanic->clock_lock);
    free(exanic);
  }
}

bool ex_port_hold(exanic_t* exanic, int number) {
  if (number < 0 || (unsigned)number >= ullnic_ports(exanic->card)) {
    ex_error("%s: port %d: it has the ports 0 to %u", exanic->name, number,
             ullnic_ports(exanic->card) - 1);
    return false;
  }
  struct ex_port* port = &exanic->ports[number];
  pthread_mutex_lock(&port->lock);
  const int result =
      port->port != NULL ? 0 : ullnic_port_open(exanic->card, (unsigned)number, &port->port);
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
  struct ex_port* port = &exanic->ports[number];
  if (--port->holders == 0) {
    ullnic_port_close(port->port);
    port->port = NULL;
  }
  pthread_mutex_unlock(&port->lock);
  exanic_release_handle(exanic);
}
