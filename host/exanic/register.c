/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Emulation of another card's registers on ours.
 */
#include "exanic/register.h"

#include <stdio.h>

#include "exanic/port.h"
#include "exanic/util.h"
#include "internal.h"
#include "tester.h"

enum { PORT_REGISTERS = 16 };

static uint32_t no_register(exanic_t* exanic, int reg) {
  ex_error("%s: there is no register %d; pcie_if.h names those that can be read", exanic->name,
           reg);
  return UINT32_MAX;
}

/** The port whose registers begin at most PORT_REGISTERS before `reg`; -1: none. */
static int port_of(exanic_t* exanic, unsigned reg, unsigned first) {
  for (unsigned port = 0; port < exanic->num_ports; ++port) {
    if (reg - (first + port * PORT_REGISTERS) < PORT_REGISTERS) {
      return (int)port;
    }
  }
  return -1;
}

/** Address of a connection's register, which exists on the card; 0: it is none. */
static uint32_t engine_address(exanic_t* exanic, int reg) {
  const uint32_t address = (uint32_t)reg * (uint32_t)sizeof(uint32_t);
  const uint32_t port = (address - REG_ATE_BASE) >> REG_ATE_PORT_OFFSET;
  const bool is_one = reg >= 0 && address >= REG_ATE_BASE && port < exanic->num_ports &&
                      (ullnic_tcp_enables(exanic->own->card) >> port & 1) != 0;
  return is_one ? address : 0;
}

static uint32_t read_time(exanic_t* exanic, bool upper) {
  uint64_t now;
  return ex_now(exanic, &now) != 0 ? UINT32_MAX : (uint32_t)(upper ? now >> 32 : now);
}

static uint32_t read_last_time(exanic_t* exanic, int port) {
  uint32_t sent = UINT32_MAX;
  uint64_t time = 0;
  if (!exanic->own->tester) {
    return 0;  // as exanic_get_tx_timestamp()
  }
  pthread_mutex_lock(&exanic->own->clock_lock);
  const int result = tester_read_sent(exanic->own->card, (unsigned)port, &sent, &time);
  pthread_mutex_unlock(&exanic->own->clock_lock);
  if (result != 0) {
    ex_card_error(exanic, result);
  }
  return ex_give_out(exanic, time);
}

static uint32_t read_card(exanic_t* exanic, int reg) {
  switch (reg) {
    case REG_EXANIC_PCIE_IF_VER:
      return 1;
    case REG_EXANIC_HW_ID:
      return exanic_get_hw_type(exanic);
    case REG_EXANIC_FUNCTION_ID:
      return exanic_get_function_id(exanic);
    case REG_EXANIC_HW_TIME:
      return read_time(exanic, false);
    case REG_EXANIC_HW_TIME_HI:
      return read_time(exanic, true);
    case REG_EXANIC_CLK_HZ:
      return exanic->tick_hz;
    case REG_EXANIC_CAPS:
      return exanic->caps;
    case REG_EXANIC_PORTS_ATE_STATUS:
      return ullnic_tcp_enables(exanic->own->card);
    case REG_EXANIC_NUM_FILTER_BUFFERS:
      return exanic->max_filter_buffers;
    default:
      return no_register(exanic, reg);
  }
}

static uint32_t read_port(exanic_t* exanic, int port, int reg, int whole) {
  switch (reg) {
    case REG_PORT_ENABLED:
      return (uint32_t)exanic_port_enabled(exanic, port);
    case REG_PORT_SPEED:
      return exanic_get_port_speed(exanic, port);
    case REG_PORT_STATUS:
      return (uint32_t)exanic_get_port_status(exanic, port);
    case REG_PORT_FLAGS:
      return EXANIC_PORT_FLAG_PROMISCUOUS;
    case REG_PORT_TX_SUPPORTED_TYPES:
      return (uint32_t)exanic_get_supported_tx_types(exanic, port);
    case REG_PORT_TX_REGION_OFFSET:
      return 0;
    case REG_PORT_TX_REGION_SIZE:
      return EX_TX_REGION_PAGES * (uint32_t)PAGE_SIZE;
    case REG_PORT_TX_LAST_TIME:
      return read_last_time(exanic, port);
    default:
      return no_register(exanic, whole);
  }
}

static uint32_t read_counter(exanic_t* exanic, int port, int reg, int whole) {
  exanic_port_stats_t stats;
  if (reg < REG_PORT_STAT_TX || reg > REG_PORT_STAT_RX_DROPPED) {
    return no_register(exanic, whole);
  }
  if (exanic_get_port_stats(exanic, port, &stats) != 0) {
    return UINT32_MAX;
  }
  const uint32_t values[] = {
      [REG_PORT_STAT_TX] = stats.tx_count,
      [REG_PORT_STAT_RX] = stats.rx_count,
      [REG_PORT_STAT_RX_IGNORED] = stats.rx_ignored_count,
      [REG_PORT_STAT_RX_ERROR] = stats.rx_error_count,
      [REG_PORT_STAT_RX_DROPPED] = stats.rx_dropped_count,
  };
  return values[reg];
}

uint32_t exanic_register_read(exanic_t* exanic, int reg) {
  int port = port_of(exanic, (unsigned)reg, REG_PORT_INDEX(0, 0));
  if (port >= 0) {
    return read_port(exanic, port, reg - (int)REG_PORT_INDEX(port, 0), reg);
  }
  uint32_t value = UINT32_MAX;
  const uint32_t engine = engine_address(exanic, reg);
  if (engine != 0) {
    const int result = ullnic_read32(exanic->own->card, engine, &value);
    if (result != 0) {
      ex_card_error(exanic, result);
    }
    return value;
  }
  port = port_of(exanic, (unsigned)reg, REG_PORT_STAT_INDEX(0, 0));
  if (port >= 0) {
    return read_counter(exanic, port, reg - (int)REG_PORT_STAT_INDEX(port, 0), reg);
  }
  return read_card(exanic, reg);
}

void exanic_register_write(exanic_t* exanic, int reg, uint32_t val) {
  const int port = port_of(exanic, (unsigned)reg, REG_PORT_INDEX(0, 0));
  const uint32_t engine = engine_address(exanic, reg);
  if (reg == REG_EXANIC_INDEX(REG_EXANIC_PCIE_IF_VER)) {
    return;
  }
  if (port >= 0 && reg == (int)REG_PORT_INDEX(port, REG_PORT_TX_COMMAND)) {
    if (ex_tx_command(exanic, (unsigned)port, val) == 0) {
      return;
    }
  } else if (engine != 0) {
    const int result = ullnic_write32(exanic->own->card, engine, val);
    if (result == 0) {
      return;
    }
    ex_card_error(exanic, result);
  } else {
    ex_error("%s: register %d cannot be written; pcie_if.h names those that can", exanic->name,
             reg);
  }
  // The call has no result.
  fprintf(stderr, "libexanic: %s\n", exanic_get_last_error());
}
