/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names of ports.
 */
#include "exanic/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

int exanic_get_interface_name(exanic_t* exanic, int port_number, char* name, size_t name_len) {
  if (!ex_has_port(exanic, port_number)) {
    return -1;
  }
  if (snprintf(name, name_len, "%s:%d", exanic->name, port_number) >= (int)name_len) {
    ex_error("%s: %zu bytes are too few for the port's name", exanic->name, name_len);
    return -1;
  }
  return 0;
}

int exanic_find_port_by_interface_name(const char* name, char* device, size_t device_len,
                                       int* port_number) {
  const char* colon = strrchr(name, ':');
  char* end = NULL;
  const long port = colon == NULL ? -1 : strtol(colon + 1, &end, 10);
  if (colon == NULL || end == colon + 1 || *end != '\0' || port < 0 || port >= ULLNIC_MAX_PORTS) {
    ex_error("%s: a port is named as in exanic0:1", name);
    return -1;
  }
  const size_t letters = (size_t)(colon - name);
  if (letters >= device_len) {
    ex_error("%s: %zu bytes are too few for the device's name", name, device_len);
    return -1;
  }
  memcpy(device, name, letters);
  device[letters] = '\0';
  *port_number = (int)port;
  return 0;
}

static int by_number(const void* one, const void* other) {
  const unsigned long a = *(const unsigned long*)one, b = *(const unsigned long*)other;
  return (a > b) - (a < b);
}

/** Numbers of the cards that the environment names, in ascending order. */
static size_t named_cards(unsigned long numbers[], size_t most) {
  static const char prefix[] = "ULLNIC_EXANIC";
  size_t count = 0;
  for (char** each = environ; *each != NULL && count < most; ++each) {
    const char* number = *each + sizeof prefix - 1;
    const size_t digits =
        strncmp(*each, prefix, sizeof prefix - 1) != 0 ? 0 : strspn(number, "0123456789");
    if (digits != 0 && digits < 8 && number[digits] == '=' && number[digits + 1] != '\0') {
      numbers[count++] = strtoul(number, NULL, 10);
    }
  }
  qsort(numbers, count, sizeof *numbers, by_number);
  return count;
}

ssize_t exanic_get_all_ports(exanic_port_info_t* table, size_t table_size) {
  enum { MOST = 64 };
  unsigned long numbers[MOST];
  const size_t cards = named_cards(numbers, MOST);
  const size_t room = table_size / sizeof *table;
  size_t count = 0;
  for (size_t i = 0; i < cards; ++i) {
    char device[sizeof table->device];
    snprintf(device, sizeof device, "exanic%lu", numbers[i]);
    exanic_t* exanic = exanic_acquire_handle(device);
    if (exanic == NULL) {
      return -1;
    }
    for (unsigned port = 0; port < exanic->num_ports && count < room; ++port, ++count) {
      memcpy(table[count].device, device, sizeof device);
      table[count].port_number = (int)port;
    }
    exanic_release_handle(exanic);
  }
  return (ssize_t)count;
}
