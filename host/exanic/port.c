/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Identity and state of a card and its ports.
 */
#include "exanic/port.h"

#include "exanic/firewall.h"
#include "exanic/util.h"
#include "internal.h"
#include "tester.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"

enum { SPEED_MBIT = 10000 };

int exanic_check_supported(exanic_t* exanic) {
  (void)exanic;
  return 0;
}

exanic_hardware_id_t exanic_get_hw_type(exanic_t* exanic) {
  return exanic->own->tester ? EXANIC_HW_X10_HPT : EXANIC_HW_X10;
}

exanic_function_id_t exanic_get_function_id(exanic_t* exanic) {
  (void)exanic;
  return EXANIC_FUNCTION_NIC;
}

uint32_t exanic_get_caps(exanic_t* exanic) { return exanic->caps; }

int exanic_is_devkit_demo(exanic_t* exanic) {
  (void)exanic;
  return 0;
}

int exanic_is_devkit_free(exanic_t* exanic) {
  (void)exanic;
  return 0;
}

int exanic_get_firewall_capability(exanic_t* exanic) {
  (void)exanic;
  return 0;
}

int exanic_get_num_ports(exanic_t* exanic) { return (int)exanic->num_ports; }

/** Reads a bit of PORT_STATUS; false with the error set. */
static bool has_status(exanic_t* exanic, int number, unsigned first) {
  uint32_t status;
  if (!ex_has_port(exanic, number)) {
    return false;
  }
  const int result = ullnic_read32(exanic->own->card, ULLNIC_CARD_REGISTER(PORT_STATUS), &status);
  if (result != 0) {
    ex_card_error(exanic, result);
    return false;
  }
  return (status >> (first + (unsigned)number) & 1) != 0;
}

int exanic_port_enabled(exanic_t* exanic, int port_number) {
  return has_status(exanic, port_number, CARD_REGS__PORT_STATUS__AVAILABLE_bp);
}

int exanic_port_configurable(exanic_t* exanic, int port_number) {
  return exanic_port_enabled(exanic, port_number);
}

int exanic_port_rx_usable(exanic_t* exanic, int port_number) {
  return exanic_port_enabled(exanic, port_number) && !exanic->own->sends_only;
}

int exanic_port_tx_usable(exanic_t* exanic, int port_number) {
  return exanic_port_enabled(exanic, port_number);
}

int exanic_get_port_status(exanic_t* exanic, int port_number) {
  if (!exanic_port_enabled(exanic, port_number)) {
    return 0;
  }
  int status = EXANIC_PORT_STATUS_ENABLED;
  if (has_status(exanic, port_number, CARD_REGS__PORT_STATUS__LINK_UP_bp)) {
    status |= EXANIC_PORT_STATUS_SIGNAL | EXANIC_PORT_STATUS_LINK;
  }
  return status | (exanic->own->tester ? 0 : EXANIC_PORT_STATUS_TX_TIME_BAD) |
         (exanic->own->sends_only ? EXANIC_PORT_RX_UNSUPPORTED : 0);
}

unsigned exanic_get_port_speed(exanic_t* exanic, int port_number) {
  return ex_has_port(exanic, port_number) ? SPEED_MBIT : 0;
}

int exanic_port_autoneg_enabled(exanic_t* exanic, int port_number) {
  return ex_has_port(exanic, port_number) ? 0 : -1;
}

int exanic_get_promiscuous_mode(exanic_t* exanic, int port_number) {
  return ex_has_port(exanic, port_number) ? 1 : -1;
}

static bool has_engine(exanic_t* exanic, int port_number) {
  return (ullnic_tcp_enables(exanic->own->card) >> port_number & 1) != 0;
}

int exanic_get_supported_tx_types(exanic_t* exanic, int port_number) {
  if (!ex_has_port(exanic, port_number)) {
    return -1;
  }
  const bool takes_payload = has_engine(exanic, port_number) && !exanic->own->sends_only;
  return EXANIC_TX_TYPE_RAW | (takes_payload ? EXANIC_TX_TYPE_TCP_ACCEL : 0);
}

/** Reads registers into words until one fails. */
struct reads {
  ullnic_t* card;
  int result;
};

static uint32_t read_next(struct reads* reads, uint32_t address) {
  uint32_t value = 0;
  if (reads->result == 0) {
    reads->result = ullnic_read32(reads->card, address, &value);
  }
  return value;
}

/** Frames that a port with an engine has sent, of software and of user logic. */
static uint32_t read_engine_sent(struct reads* reads, unsigned port) {
  struct ullnic_ate_counters counters = {0};
  if (reads->result == 0) {
    reads->result = ullnic_ate_read_counters(reads->card, port, &counters);
  }
  return counters.sent_user + counters.sent_host + counters.sent_raw;
}

int exanic_get_port_stats(exanic_t* exanic, int port_number, exanic_port_stats_t* port_stats) {
  if (!ex_has_port(exanic, port_number)) {
    return -1;
  }
  const unsigned port = (unsigned)port_number;
  struct reads reads = {.card = exanic->own->card};
  exanic_port_stats_t stats = {0};
  if (exanic->own->tester) {
    const uint32_t heard = read_next(&reads, TESTER_HEARD(port));
    stats.rx_dropped_count = read_next(&reads, TESTER_DROPPED(port));
    stats.rx_count = heard - stats.rx_dropped_count;
    stats.tx_count = read_next(&reads, TESTER_SENT(port));
  } else {
    stats.rx_count = read_next(&reads, ULLNIC_HOST_PATH_REGISTER(port, RX_FRAMES));
    stats.rx_error_count = read_next(&reads, ULLNIC_HOST_PATH_REGISTER(port, RX_BAD)) +
                           read_next(&reads, ULLNIC_HOST_PATH_REGISTER(port, RX_CUT));
    stats.rx_dropped_count = read_next(&reads, ULLNIC_HOST_PATH_REGISTER(port, RX_NO_ROOM));
    stats.tx_count = has_engine(exanic, port_number)
                         ? read_engine_sent(&reads, port)
                         : read_next(&reads, ULLNIC_HOST_PATH_REGISTER(port, CHUNKS));
  }
  if (reads.result != 0) {
    ex_card_error(exanic, reads.result);
    return -1;
  }
  *port_stats = stats;
  return 0;
}
