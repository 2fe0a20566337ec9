/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a card and its ports are.
 */
#include "exanic/port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exanic/config.h"
#include "exanic/util.h"
#include "internal.h"
#include "ullnic/card.h"

enum { SPEED_MBIT = 10000 };

exanic_hardware_id_t exanic_get_hw_type(exanic_t* exanic) {
  return exanic->tester ? EXANIC_HW_X10_HPT : EXANIC_HW_X10;
}

int exanic_get_num_ports(exanic_t* exanic) { return (int)ullnic_ports(exanic->card); }

static bool has_port(exanic_t* exanic, int number) {
  if (number >= 0 && number < exanic_get_num_ports(exanic)) {
    return true;
  }
  ex_error("%s: port %d: it has the ports 0 to %d", exanic->name, number,
           exanic_get_num_ports(exanic) - 1);
  return false;
}

/** A bit of PORT_STATUS; -1 with the error set. */
static int status_bit(exanic_t* exanic, int number, unsigned first) {
  uint32_t status;
  if (!has_port(exanic, number)) {
    return -1;
  }
  const int result = ullnic_read32(exanic->card, ULLNIC_CARD_REGISTER(PORT_STATUS), &status);
  if (result != 0) {
    ex_card_error(exanic, result);
    return -1;
  }
  return status >> (first + (unsigned)number) & 1;
}

int exanic_port_enabled(exanic_t* exanic, int port_number) {
  return status_bit(exanic, port_number, CARD_REGS__PORT_STATUS__AVAILABLE_bp);
}

int exanic_port_rx_usable(exanic_t* exanic, int port_number) {
  return exanic_port_enabled(exanic, port_number);
}

int exanic_port_tx_usable(exanic_t* exanic, int port_number) {
  return exanic_port_enabled(exanic, port_number);
}

int exanic_get_port_status(exanic_t* exanic, int port_number) {
  return status_bit(exanic, port_number, CARD_REGS__PORT_STATUS__LINK_UP_bp);
}

unsigned exanic_get_port_speed(exanic_t* exanic, int port_number) {
  return has_port(exanic, port_number) ? SPEED_MBIT : 0;
}

int exanic_get_interface_name(exanic_t* exanic, int port_number, char* name, size_t name_len) {
  if (!has_port(exanic, port_number)) {
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
