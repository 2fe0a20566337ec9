/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * libexanic on a libullnic that this file plays: names of cards and ports, the table of registers,
 * counters, transmit buffers and listeners at each limit, and what is reported when a call of the
 * card fails. Prints failures. Its clock is set (-Wl,--wrap=clock_gettime).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "exanic/config.h"
#include "exanic/firewall.h"
#include "exanic/internal.h"
#include "exanic/port.h"
#include "exanic/register.h"
#include "exanic/tester.h"
#include "exanic/time.h"
#include "exanic/util.h"
#include "sockets/common/protocol.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"

/* The header renames them for programs that read rings. */
exanic_rx_t* exanic_acquire_rx_buffer(exanic_t* exanic, int port_number, int buffer_number);
exanic_rx_t* exanic_acquire_unused_filter_buffer(exanic_t* exanic, int port_number);

enum { PORTS = 2, PAGE = 4096, NO_PORT = 7, NOTHING = -1, NEVER = 3 };

/* The card. */
static struct {
  bool is_tester;
  unsigned engines; /* bit i: port i has one */
  uint32_t registers[ULLNIC_BAR_SIZE / sizeof(uint32_t)];
  uint32_t fails_at, written_at; /* addresses; or the number of the port that fails */
  int fails_with, opens, closes, port_opens, port_closes, reads;
  unsigned last_port;
  char name[64];
  /* The frame or payload that was sent last. */
  int connection;
  size_t sent_bytes;
  char sent[ULLNIC_MAX_FRAME];
  unsigned pending_reads;
} card;

static struct timespec now = {.tv_sec = 100};
static volatile int terms;

int __wrap_clock_gettime(clockid_t clock, struct timespec* time);
int __wrap_clock_gettime(clockid_t clock, struct timespec* time) {
  (void)clock;
  *time = now;
  return 0;
}

static void on_term(int number) { terms += number == SIGTERM; }

const char* ullnic_last_error(void) { return "the card says so"; }
unsigned ullnic_ports(const ullnic_t* of) { return (void)of, PORTS; }
uint32_t ullnic_tcp_enables(const ullnic_t* of) { return (void)of, card.engines; }
uint32_t ullnic_kind(const ullnic_t* of) { return (void)of, card.is_tester ? 3 : 1; }
unsigned ullnic_tick_ps(const ullnic_t* of) {
  (void)of;
  return card.is_tester ? ULLNIC_TESTER_TICK_PS : ULLNIC_TICK_PS;
}

int ullnic_open(const char* name, ullnic_t** opened) {
  snprintf(card.name, sizeof card.name, "%s", name);
  *opened = (ullnic_t*)&card;
  if (strcmp(name, "broken") == 0) {
    return -EIO;
  }
  ++card.opens;
  return 0;
}

void ullnic_close(ullnic_t* of) { card.closes += of == (ullnic_t*)&card; }

static int access_register(uint32_t address) {
  return address == card.fails_at ? card.fails_with : 0;
}

int ullnic_read32(ullnic_t* of, uint32_t address, uint32_t* value) {
  (void)of;
  ++card.reads;
  *value = card.registers[address / sizeof *value];
  return access_register(address);
}

int ullnic_write32(ullnic_t* of, uint32_t address, uint32_t value) {
  (void)of;
  card.written_at = address;
  card.registers[address / sizeof value] = value;
  return access_register(address);
}

int ullnic_ate_read_counters(ullnic_t* of, unsigned port, struct ullnic_ate_counters* counters) {
  (void)of;
  *counters = (struct ullnic_ate_counters){
      .sent_user = 100 * port + 1, .sent_host = 20, .sent_raw = 3000, .no_conn = 50000};
  return access_register(ULLNIC_ATE_BASE(port));
}

int ullnic_port_open(ullnic_t* of, unsigned number, ullnic_port_t** port) {
  (void)of;
  card.last_port = number;
  *port = (ullnic_port_t*)&card.last_port;
  if (number == card.fails_at) {
    return card.fails_with;
  }
  ++card.port_opens;
  return 0;
}

void ullnic_port_close(ullnic_port_t* port) { card.port_closes += port != NULL; }
int ullnic_port_fd(ullnic_port_t* port) { return (void)port, NOTHING; }
int ullnic_port_arm(ullnic_port_t* port) { return (void)port, 0; }
int ullnic_receive(ullnic_port_t* port, struct ullnic_frame* frame) {
  return (void)port, (void)frame, 0;
}

static int keep(int connection, const void* data, size_t bytes) {
  card.connection = connection;
  card.sent_bytes = bytes;
  memcpy(card.sent, data, bytes);
  return access_register(0);
}

int ullnic_send_raw(ullnic_port_t* port, const void* frame, size_t len) {
  return (void)port, keep(NOTHING, frame, len);
}

int ullnic_send_payload(ullnic_port_t* port, uint16_t connection, const void* data, size_t len) {
  return (void)port, keep(connection, data, len);
}

unsigned ullnic_send_pending(ullnic_port_t* port) { return (void)port, ++card.pending_reads; }

static void set_at(uint32_t address, uint32_t value) {
  card.registers[address / sizeof value] = value;
}

static bool failed(const char* text) { return strstr(exanic_get_last_error(), text) != NULL; }

static exanic_t* new_card(bool is_tester, unsigned engines) {
  memset(&card, 0, sizeof card);
  card.is_tester = is_tester;
  card.engines = engines;
  card.fails_at = NEVER;
  exanic_t* exanic = exanic_acquire_handle("exanic0");
  CHECK(exanic != NULL && card.opens == 1);
  return exanic;
}

/** Everything that it held has been given back. */
static void end_card(exanic_t* exanic) {
  exanic_release_handle(exanic);
  CHECK(card.closes == card.opens && card.port_closes == card.port_opens);
}

static void names(void) {
  char device[8], name[11];
  const struct {
    const char *name, *device;
    int port;
  } good[] = {{"exanic0:1", "exanic0", 1},
              {"x:0", "x", 0},
              {":7", "", 7},
              {"a:b:3", "a:b", 3},
              {"exanic1:07", "exanic1", 7}};
  const char* bad[] = {"exanic0", "exanic0:", "exanic0:8", "exanic0:-1", "exanic0:1x", "exanic0:x"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    int port = NOTHING;
    CHECK(exanic_find_port_by_interface_name(good[i].name, device, sizeof device, &port) == 0);
    CHECK(port == good[i].port && strcmp(device, good[i].device) == 0);
  }
  int port = NOTHING;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    CHECK(exanic_find_port_by_interface_name(bad[i], device, sizeof device, &port) == -1);
    CHECK(failed("a port is named as in exanic0:1") && port == NOTHING);
  }
  // The device's name and its end have to fit.
  CHECK(exanic_find_port_by_interface_name("exanic01:1", device, sizeof device, &port) == -1);
  CHECK(failed("8 bytes are too few for the device's name"));
  exanic_t* exanic = new_card(false, 0);
  CHECK(exanic_get_interface_name(exanic, 1, name, 10) == 0 && strcmp(name, "exanic0:1") == 0);
  CHECK(exanic_get_interface_name(exanic, 0, name, 11) == 0 && strcmp(name, "exanic0:0") == 0);
  CHECK(exanic_get_interface_name(exanic, 1, name, 9) == -1 && failed("9 bytes are too few"));
  CHECK(exanic_get_interface_name(exanic, PORTS, name, 10) == -1 && failed("ports 0 to 1"));
  CHECK(exanic_get_interface_name(exanic, -1, name, 10) == -1 && failed("port -1: "));
  end_card(exanic);
}

/** Of cards, by device or by port. */
static void handles(void) {
  const struct {
    const char *device, *card, *error;
  } cases[] = {{"exanic0", "fake", ""},
               {"exanic0:1", "fake", ""},
               {"exanic0:2", "fake", "port 2: it has the ports 0 to 1"},
               {"exanic0:8", "", "a port is named as in"},
               {"exanic12", "", "no such card; set ULLNIC_EXANIC12 to"},
               {"exanic13", "", "no such card; set ULLNIC_EXANIC13 to"},
               {"exanic", "", "a device is exanic0, exanic1 and so on"},
               {"exanic1x", "", "a device is exanic0, exanic1 and so on"},
               {"exanic14", "broken", "the card says so"},
               {"vfio:1", "vfio:1", ""},
               {CONTROL_DEVICE, "ullnicd:", ""}};
  setenv("ULLNIC_EXANIC13", "", 1);
  setenv("ULLNIC_EXANIC14", "broken", 1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    memset(&card, 0, sizeof card);
    exanic_t* exanic = exanic_acquire_handle(cases[i].device);
    CHECK((exanic != NULL) == (cases[i].error[0] == '\0') && strcmp(card.name, cases[i].card) == 0);
    CHECK(exanic != NULL || failed(cases[i].error));
    exanic_release_handle(exanic);
    CHECK(card.opens == card.closes);
  }
  unsetenv("ULLNIC_EXANIC14");
  char longest[MAX_DEVICE_NAME_LEN + 1];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  CHECK(exanic_acquire_handle(longest) == NULL && failed("at most 127 letters"));
  longest[MAX_DEVICE_NAME_LEN - 1] = '\0';
  exanic_t* exanic = exanic_acquire_handle(longest);
  CHECK(exanic != NULL && strcmp(exanic->name, longest) == 0);
  exanic_release_handle(exanic);
  CHECK(exanic_acquire_handle(NULL) == NULL && failed("no device is named"));
  exanic_release_handle(NULL);
  // One handle for all who ask, until the last has released it.
  memset(&card, 0, sizeof card);
  exanic_t* other = exanic_acquire_handle("exanic15");
  exanic = exanic_acquire_handle("exanic0");
  CHECK(exanic != other && exanic == exanic_acquire_handle("exanic0:1") && card.opens == 2);
  exanic_retain_handle(exanic);
  exanic_release_handle(exanic);
  exanic_release_handle(exanic);
  CHECK(card.closes == 0 && exanic == exanic_acquire_handle("exanic0"));
  exanic_release_handle(other);
  CHECK(card.closes == 1);
  exanic_release_handle(exanic);
  CHECK(card.closes == 1);
  exanic_release_handle(exanic);
  CHECK(card.closes == 2);
}

static void all_ports(void) {
  exanic_port_info_t table[9];
  const char* devices[] = {"exanic0", "exanic2", "exanic15", "exanic9999999"};
  memset(&card, 0, sizeof card);
  setenv("ULLNIC_EXANIC9999999", "fake", 1);
  setenv("ULLNIC_EXANIC10000000", "fake", 1);  // more digits than a card's number has
  setenv("ULLNIC_EXANIC2", "fake", 1);
  setenv("ULLNIC_EXANIC", "fake", 1);
  setenv("ULLNIC_EXANIC3x", "fake", 1);
  setenv("ULLNIC_EXANIC4", "", 1);
  for (size_t room = 0; room <= sizeof table / sizeof *table; ++room) {
    const ssize_t expected = room < 8 ? (ssize_t)room : 8;
    memset(table, 0x55, sizeof table);
    CHECK(exanic_get_all_ports(table, room * sizeof *table) == expected);
    CHECK(room == 0 ||
          exanic_get_all_ports(table, room * sizeof *table - 1) == expected - (room < 9));
    for (ssize_t i = 0; i < expected - (room < 9); ++i) {
      CHECK(strcmp(table[i].device, devices[i / 2]) == 0 && table[i].port_number == i % 2);
    }
  }
  CHECK(card.opens == card.closes);
  setenv("ULLNIC_EXANIC14", "broken", 1);
  CHECK(exanic_get_all_ports(table, sizeof table) == -1 && failed("exanic14: the card says so"));
  unsetenv("ULLNIC_EXANIC14");
}

static void ports(void) {
  const int listening = EXANIC_PORT_STATUS_SIGNAL | EXANIC_PORT_STATUS_LINK;
  for (int is_tester = 0; is_tester < 2; ++is_tester) {
    exanic_t* exanic = new_card(is_tester, 2);
    CHECK(exanic->num_ports == PORTS && exanic_get_num_ports(exanic) == PORTS);
    CHECK(exanic->tick_hz == (is_tester ? 4000000000 : 250000000) && exanic->own->references == 1);
    CHECK(exanic_get_hw_type(exanic) == (is_tester ? EXANIC_HW_X10_HPT : EXANIC_HW_X10));
    CHECK(exanic_get_function_id(exanic) == EXANIC_FUNCTION_NIC);
    CHECK(exanic_get_caps(exanic) == (EXANIC_CAP_HW_TIME_HI | EXANIC_CAP_10G | EXANIC_CAP_ATE));
    CHECK(exanic->max_filter_buffers == EX_FILTER_BUFFERS && exanic_check_supported(exanic) == 0);
    CHECK(exanic_is_devkit_demo(exanic) == 0 && exanic_is_devkit_free(exanic) == 0);
    CHECK(exanic_get_firewall_capability(exanic) == 0);
    for (unsigned bits = 0; bits < 16; ++bits) {  // available and up, of two ports
      set_at(ULLNIC_CARD_REGISTER(PORT_STATUS), (bits & 3) | (bits & 12) << 6);
      for (int port = 0; port < PORTS; ++port) {
        const int is_there = bits >> port & 1, is_up = bits >> (2 + port) & 1;
        const int status = EXANIC_PORT_STATUS_ENABLED | (is_up ? listening : 0) |
                           (is_tester ? 0 : EXANIC_PORT_STATUS_TX_TIME_BAD);
        CHECK(exanic_port_enabled(exanic, port) == is_there);
        CHECK(exanic_port_configurable(exanic, port) == is_there);
        CHECK(exanic_port_rx_usable(exanic, port) == is_there);
        CHECK(exanic_port_tx_usable(exanic, port) == is_there);
        CHECK(exanic_get_port_status(exanic, port) == (is_there ? status : 0));
      }
    }
    for (int port = -1; port <= PORTS; ++port) {
      const bool is_one = port >= 0 && port < PORTS;
      CHECK(exanic_get_port_speed(exanic, port) == (is_one ? 10000 : 0));
      CHECK(exanic_port_autoneg_enabled(exanic, port) == (is_one ? 0 : -1));
      CHECK(exanic_get_promiscuous_mode(exanic, port) == (is_one ? 1 : -1));
      CHECK(exanic_get_supported_tx_types(exanic, port) == (!is_one ? -1 : port == 1 ? 3 : 1));
      CHECK(is_one || (!exanic_port_enabled(exanic, port) && failed("the ports 0 to 1")));
      CHECK(is_one || exanic_get_port_status(exanic, port) == 0);
    }
    card.fails_at = ULLNIC_CARD_REGISTER(PORT_STATUS);
    card.fails_with = -EIO;
    CHECK(exanic_port_enabled(exanic, 0) == 0 && failed("exanic0: the card says so"));
    end_card(exanic);
  }
  // ullnicd's card only sends.
  exanic_t* exanic = new_card(false, 0);
  exanic_release_handle(exanic);
  exanic = exanic_acquire_handle(CONTROL_DEVICE);
  set_at(ULLNIC_CARD_REGISTER(PORT_STATUS), 1);
  card.engines = 1;
  CHECK(exanic_get_caps(exanic) == (EXANIC_CAP_HW_TIME_HI | EXANIC_CAP_10G));
  CHECK(exanic_port_rx_usable(exanic, 0) == 0 && exanic_port_tx_usable(exanic, 0) == 1);
  CHECK(exanic_get_port_status(exanic, 0) ==
        (EXANIC_PORT_STATUS_ENABLED | EXANIC_PORT_STATUS_TX_TIME_BAD | EXANIC_PORT_RX_UNSUPPORTED));
  CHECK(exanic_get_supported_tx_types(exanic, 0) == EXANIC_TX_TYPE_RAW);
  CHECK(exanic_acquire_rx_buffer(exanic, 0, 0) == NULL && failed("ullnicd receives"));
  end_card(exanic);
}

/** Each counter, and each that cannot be read. */
static void counters(void) {
  for (int is_tester = 0; is_tester < 2; ++is_tester) {
    exanic_t* exanic = new_card(is_tester, 2);
    for (unsigned port = 0; port < PORTS; ++port) {
      const uint32_t nic[] = {
          ULLNIC_HOST_PATH_REGISTER(port, RX_FRAMES), ULLNIC_HOST_PATH_REGISTER(port, RX_BAD),
          ULLNIC_HOST_PATH_REGISTER(port, RX_CUT), ULLNIC_HOST_PATH_REGISTER(port, RX_NO_ROOM),
          port == 1 ? ULLNIC_ATE_BASE(1) : ULLNIC_HOST_PATH_REGISTER(0, CHUNKS)};
      const uint32_t tester[] = {TESTER_HEARD(port), TESTER_DROPPED(port), TESTER_SENT(port)};
      const uint32_t* addresses = is_tester ? tester : nic;
      const size_t count = is_tester ? sizeof tester / sizeof *tester : sizeof nic / sizeof *nic;
      for (size_t i = 0; i < count; ++i) {
        set_at(addresses[i], UINT32_C(1) << (4 * i + port));
      }
      const uint32_t unit = UINT32_C(1) << port;
      const exanic_port_stats_t expected =
          is_tester ? (exanic_port_stats_t){unit << 8, unit - (unit << 4), 0, 0, unit << 4}
                    : (exanic_port_stats_t){port == 1 ? 3121 : unit << 16, unit, 0,
                                            (unit << 4) + (unit << 8), unit << 12};
      exanic_port_stats_t stats = {0};
      CHECK(exanic_get_port_stats(exanic, (int)port, &stats) == 0);
      CHECK(memcmp(&stats, &expected, sizeof stats) == 0);
      const uint32_t values[] = {expected.tx_count, expected.rx_count, expected.rx_ignored_count,
                                 expected.rx_error_count, expected.rx_dropped_count};
      for (unsigned reg = 0; reg < 5; ++reg) {
        CHECK(exanic_register_read(exanic, (int)REG_PORT_STAT_INDEX(port, reg + 1)) == values[reg]);
      }
      for (size_t i = 0; i < count; ++i) {
        card.fails_at = addresses[i];
        card.fails_with = -EIO;
        CHECK(exanic_get_port_stats(exanic, (int)port, &stats) == -1 && failed("says so"));
        CHECK(exanic_register_read(exanic, (int)REG_PORT_STAT_INDEX(port, 1)) == UINT32_MAX);
      }
      card.fails_at = NEVER;
    }
    exanic_port_stats_t stats;
    CHECK(exanic_get_port_stats(exanic, PORTS, &stats) == -1 && failed("the ports 0 to 1"));
    CHECK(exanic_get_port_stats(exanic, -1, &stats) == -1);
    end_card(exanic);
  }
}

/** All indexes: each is what the table says, or there is no such register. */
static void registers(void) {
  for (int is_tester = 0; is_tester < 2; ++is_tester) {
    exanic_t* exanic = new_card(is_tester, 2);
    set_at(ULLNIC_CARD_REGISTER(PORT_STATUS), 0x0303);
    set_at(ULLNIC_CARD_REGISTER(TIME_LO), 0x11223344);
    set_at(ULLNIC_CARD_REGISTER(TIME_HI), 0x55667788);
    set_at(TESTER_SENT(1), 5);
    set_at(TESTER_SENT_TIME_LOW(1), 0x12345678);
    const struct {
      int index;
      uint32_t value;
    } table[] = {{REG_EXANIC_PCIE_IF_VER, 1},
                 {REG_EXANIC_HW_ID, is_tester ? EXANIC_HW_X10_HPT : EXANIC_HW_X10},
                 {REG_EXANIC_FUNCTION_ID, 0},
                 {REG_EXANIC_HW_TIME, 0x11223344},
                 {REG_EXANIC_CLK_HZ, is_tester ? 4000000000 : 250000000},
                 {REG_EXANIC_CAPS, 0x04000110},
                 {REG_EXANIC_HW_TIME_HI, 0x55667788},
                 {REG_EXANIC_PORTS_ATE_STATUS, 2},
                 {REG_EXANIC_NUM_FILTER_BUFFERS, 32},
                 {(int)REG_PORT_INDEX(0, REG_PORT_ENABLED), 1},
                 {(int)REG_PORT_INDEX(1, REG_PORT_SPEED), 10000},
                 {(int)REG_PORT_INDEX(1, REG_PORT_STATUS), is_tester ? 0x0d : 0x4d},
                 {(int)REG_PORT_INDEX(0, REG_PORT_FLAGS), 1},
                 {(int)REG_PORT_INDEX(0, REG_PORT_TX_SUPPORTED_TYPES), 1},
                 {(int)REG_PORT_INDEX(1, REG_PORT_TX_SUPPORTED_TYPES), 3},
                 {(int)REG_PORT_INDEX(0, REG_PORT_TX_REGION_OFFSET), 0},
                 {(int)REG_PORT_INDEX(1, REG_PORT_TX_REGION_SIZE), 64 * PAGE},
                 {(int)REG_PORT_INDEX(1, REG_PORT_TX_LAST_TIME), is_tester ? 0x12345678 : 0}};
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      CHECK(exanic_register_read(exanic, table[i].index) == table[i].value);
    }
    for (int index = -2; index < 0x300; ++index) {
      exanic_err_printf("nothing");
      (void)exanic_register_read(exanic, index);
      const int of_port = index - 0x80, of_counter = index - 0x100;
      const bool is_port = of_port >= 0 && of_port < 16 * PORTS;
      const bool is_counter = of_counter >= 0 && of_counter < 16 * PORTS;
      const uint32_t place = (uint32_t)(is_port ? of_port : of_counter) % 16;
      const bool is_one =
          is_port      ? place <= 2 || place == 4 || place == 7 || (place >= 9 && place <= 11)
          : is_counter ? place >= 1 && place <= 5
                       : index >= 0 && index < 34 && (UINT64_C(0x20008e303) >> index & 1) != 0 &&
                             (index < 2 || index > 7);
      CHECK(failed("there is no register") == !is_one);
    }
    // Connections: of the port that has an engine.
    set_at(0x40000 + (1 << 15) + (3 << 6) + REG_ATE_ACK, 77);
    set_at(0x40000, 78);
    CHECK(exanic_register_read(exanic, REG_ATE_OFFSET(1, 3, REG_ATE_ACK) / 4) == 77);
    CHECK(exanic_register_read(exanic, REG_ATE_OFFSET(0, 0, 0) / 4) == UINT32_MAX);
    CHECK(exanic_register_read(exanic, REG_ATE_OFFSET(2, 0, 0) / 4) == UINT32_MAX);
    exanic_register_write(exanic, REG_ATE_OFFSET(1, 511, REG_ATE_MAX_SEQ) / 4, 79);
    CHECK(card.written_at == 0x4fff4 && card.registers[0x4fff4 / 4] == 79);
    exanic_err_printf("nothing");
    card.written_at = 0;
    exanic_register_write(exanic, REG_EXANIC_PCIE_IF_VER, 1);
    CHECK(failed("nothing"));
    const int read_only[] = {REG_EXANIC_HW_ID, (int)REG_PORT_INDEX(0, REG_PORT_ENABLED),
                             REG_ATE_OFFSET(0, 0, 0) / 4, REG_ATE_OFFSET(1, 0, 0) / 4 - 1, -1};
    for (size_t i = 0; i < sizeof read_only / sizeof *read_only; ++i) {
      exanic_err_printf("nothing");
      exanic_register_write(exanic, read_only[i], 1);
      CHECK(failed("cannot be written") && card.written_at == 0);
    }
    card.fails_with = -EIO;
    card.fails_at = 0x48000;
    exanic_err_printf("nothing");
    exanic_register_write(exanic, REG_ATE_OFFSET(1, 0, 0) / 4, 1);
    CHECK(failed("the card says so"));
    exanic_err_printf("nothing");
    (void)exanic_register_read(exanic, REG_ATE_OFFSET(1, 0, 0) / 4);
    CHECK(failed("the card says so"));
    card.fails_at = ULLNIC_CARD_REGISTER(TIME_LO);
    CHECK(exanic_register_read(exanic, REG_EXANIC_HW_TIME) == UINT32_MAX);
    card.fails_at = ULLNIC_CARD_REGISTER(TIME_HI);
    CHECK(exanic_register_read(exanic, REG_EXANIC_HW_TIME_HI) == UINT32_MAX && failed("says so"));
    end_card(exanic);
  }
}

/** The lower half of the clock is extended by what is known, else by the time that is nearest. */
static void times(void) {
  exanic_t* exanic = new_card(false, 0);
  const uint64_t at = UINT64_C(0x500000010);
  set_at(ULLNIC_CARD_REGISTER(TIME_LO), (uint32_t)at);
  set_at(ULLNIC_CARD_REGISTER(TIME_HI), (uint32_t)(at >> 32));
  const int64_t distances[] = {0, 1, -1, -0x20, 0x7fffffff, -0x7fffffff, -INT64_C(0x80000000)};
  for (size_t i = 0; i < sizeof distances / sizeof *distances; ++i) {
    const int64_t time = (int64_t)at + distances[i];
    CHECK(exanic_expand_timestamp(exanic, (uint32_t)time) == time);
  }
  const uint64_t old = UINT64_C(0x100000123);
  CHECK(ex_give_out(exanic, old) == 0x123 &&
        exanic_expand_timestamp(exanic, 0x123) == (int64_t)old);
  CHECK(exanic_expand_timestamp(exanic, 0x123 + 1024) == INT64_C(0x500000523));
  card.fails_at = ULLNIC_CARD_REGISTER(TIME_LO);
  card.fails_with = -EIO;
  CHECK(exanic_expand_timestamp(exanic, 0x124) == 0x124 && failed("the card says so"));
  card.fails_at = NEVER;
  struct timespec ts;
  struct exanic_timespecps ps;
  bool is_over = true;
  exanic_cycles_to_timespecps(exanic, 250000001, &ps);
  CHECK(ps.tv_sec == 1 && ps.tv_psec == 4000);
  exanic_cycles_to_timespecps(exanic, -250000001, &ps);
  CHECK(ps.tv_sec == -1 && ps.tv_psec == -4000);
  exanic_cycles_to_timespec(exanic, 499999999, &ts);
  CHECK(ts.tv_sec == 1 && ts.tv_nsec == 999999996);
  CHECK(exanic_cycles_to_ns(exanic, 250000001) == 1000000004);
  CHECK(exanic_cycles_to_ps(exanic, INT64_MAX / 4000, &is_over) == INT64_MAX / 4000 * 4000);
  CHECK(!is_over && exanic_cycles_to_ps(exanic, 3, NULL) == 12000);
  (void)exanic_cycles_to_ps(exanic, INT64_MAX / 4000 + 1, &is_over);
  CHECK(is_over);
  CHECK(exanic_timestamp_to_counter(exanic, 0x123) == old * 4);
  CHECK(exanic_counter_to_timestamp(exanic, 3000000004) == 750000001);
  CHECK(exanic_counter_to_timestamp(exanic, UINT64_C(100000000007)) == (uint32_t)25000000001);
  end_card(exanic);
}

/** Pages of a port's region, each once. */
static void transmit_buffers(void) {
  exanic_tx_t *all[EX_TX_REGION_PAGES], *tx;
  exanic_t* exanic = new_card(false, 2);
  tx = exanic_acquire_tx_buffer(exanic, 0, (size_t)EX_TX_REGION_PAGES * PAGE);
  CHECK(tx != NULL && tx->buffer_offset == 0 && tx->buffer_size == EX_TX_REGION_PAGES * PAGE);
  CHECK(exanic_acquire_tx_buffer(exanic, 0, 0) == NULL &&
        failed("4096 bytes in a row are not free"));
  exanic_release_tx_buffer(tx);
  for (unsigned i = 0; i < EX_TX_REGION_PAGES; ++i) {
    all[i] = exanic_acquire_tx_buffer(exanic, 0, i % 2 == 0 ? 0 : PAGE);
    CHECK(all[i] != NULL && all[i]->buffer_offset == i * PAGE && all[i]->buffer_size == PAGE);
    CHECK(all[i]->buffer == all[0]->buffer + i * PAGE);
  }
  CHECK(exanic_acquire_tx_buffer(exanic, 0, PAGE) == NULL);
  exanic_release_tx_buffer(all[5]);
  exanic_release_tx_buffer(all[7]);
  CHECK(exanic_acquire_tx_buffer(exanic, 0, (size_t)2 * PAGE) == NULL);
  exanic_release_tx_buffer(all[6]);
  tx = exanic_acquire_tx_buffer(exanic, 0, (size_t)3 * PAGE);
  CHECK(tx != NULL && tx->buffer_offset == 5 * PAGE && tx->buffer_size == 3 * PAGE);
  for (size_t bytes = PAGE - 1; bytes <= PAGE + 1; bytes += 2) {
    CHECK(exanic_acquire_tx_buffer(exanic, 1, bytes) == NULL && failed("a multiple of 4096"));
  }
  CHECK(exanic_acquire_tx_buffer(exanic, 1, (size_t)(EX_TX_REGION_PAGES + 1) * PAGE) == NULL);
  CHECK(exanic_acquire_tx_buffer(exanic, PORTS, 0) == NULL && failed("ports 0 to 1"));
  CHECK(card.port_opens == card.port_closes + 1);
  for (unsigned i = 0; i < EX_TX_REGION_PAGES; ++i) {
    if (i < 5 || i > 7) {
      exanic_release_tx_buffer(all[i]);
    }
  }
  exanic_release_tx_buffer(tx);
  exanic_release_tx_buffer(NULL);
  card.fails_at = 1;
  card.fails_with = -EBUSY;
  CHECK(exanic_acquire_tx_buffer(exanic, 1, 0) == NULL && failed("the card says so"));
  end_card(exanic);
}

static bool was_sent(int connection, const void* data, size_t bytes) {
  const bool same = card.connection == connection && card.sent_bytes == bytes &&
                    memcmp(card.sent, data, bytes) == 0;
  card.sent_bytes = 0;
  return same;
}

static void frames(void) {
  exanic_t* exanic = new_card(false, 2);
  exanic_tx_t* tx = exanic_acquire_tx_buffer(exanic, 1, 0);
  uint16_t* csum = NULL;
  CHECK(exanic_get_tx_mtu(tx) == ULLNIC_MAX_FRAME);
  CHECK(exanic_transmit_frame(tx, "frame", 5) == 0 && was_sent(NOTHING, "frame", 5));
  CHECK(exanic_transmit_frame_ex(tx, "other", 4, 0) == 0 && was_sent(NOTHING, "othe", 4));
  CHECK(exanic_transmit_frame_ex(tx, "warm", 4, EXA_FRAME_WARM) == 0 && card.sent_bytes == 0);
  CHECK(card.pending_reads == 1);
  CHECK(exanic_transmit_frame_ex(tx, "x", 1, 2) == -1 && failed("flags 0x2: only EXA_FRAME_WARM"));
  CHECK(exanic_transmit_frame_ex(tx, "x", 1, 3) == -1 && card.sent_bytes == 0);
  CHECK(exanic_transmit_payload(tx, 9, EXANIC_TX_TYPE_TCP_ACCEL, "pay", 3) == 0);
  CHECK(was_sent(9, "pay", 3));
  CHECK(exanic_transmit_payload(tx, 9, EXANIC_TX_TYPE_RAW, "pay", 3) == -1 && failed("type 1: "));
  // In two steps.
  CHECK(exanic_begin_transmit_frame(tx, ULLNIC_MAX_FRAME + 1) == NULL && failed("at most 9618"));
  char* place = exanic_begin_transmit_frame(tx, ULLNIC_MAX_FRAME);
  CHECK(place != NULL && exanic_begin_transmit_frame(tx, 1) == NULL && failed("end or abort"));
  CHECK(exanic_end_transmit_payload(tx, EXANIC_TX_TYPE_TCP_ACCEL, 0) == -1);
  CHECK(failed("no payload is begun"));
  memset(place, 'x', ULLNIC_MAX_FRAME);
  CHECK(exanic_end_transmit_frame(tx, 0) == 0 && card.sent_bytes == ULLNIC_MAX_FRAME);
  CHECK(exanic_end_transmit_frame(tx, 0) == -1 && failed("no frame is begun"));
  memcpy(exanic_begin_transmit_frame(tx, 5), "12345", 5);
  CHECK(exanic_end_transmit_frame(tx, 6) == -1 && failed("6 bytes are more than the 5"));
  CHECK(exanic_end_transmit_frame(tx, 5) == -1 && failed("no frame is begun"));
  for (size_t bytes = 0; bytes <= 5; ++bytes) {
    memcpy(exanic_begin_transmit_frame(tx, 5), "12345", 5);
    CHECK(exanic_end_transmit_frame(tx, bytes) == 0);
    CHECK(was_sent(NOTHING, "12345", bytes == 0 ? 5 : bytes));
  }
  CHECK(exanic_abort_transmit_frame(tx) == -1 && failed("no frame is begun"));
  CHECK(exanic_begin_transmit_frame(tx, 5) != NULL && exanic_abort_transmit_frame(tx) == 0);
  CHECK(exanic_begin_transmit_payload(tx, 8, EXANIC_TX_TYPE_RAW, 4, &csum) == NULL && csum == NULL);
  place = exanic_begin_transmit_payload(tx, 8, EXANIC_TX_TYPE_TCP_ACCEL, 4, &csum);
  CHECK(place != NULL && csum != NULL);
  CHECK(exanic_begin_transmit_payload(tx, 7, EXANIC_TX_TYPE_TCP_ACCEL, 4, &csum) == NULL);
  memcpy(place, "abcd", 4);
  CHECK(exanic_end_transmit_frame(tx, 0) == -1 && failed("no frame is begun"));
  CHECK(exanic_end_transmit_payload(tx, EXANIC_TX_TYPE_RAW, 0) == -1 && failed("type 1: "));
  CHECK(exanic_end_transmit_payload(tx, EXANIC_TX_TYPE_TCP_ACCEL, 3) == 0 && was_sent(8, "abc", 3));
  card.fails_at = 0;
  card.fails_with = -EMSGSIZE;
  CHECK(exanic_transmit_frame(tx, "frame", 5) == -1 && failed("exanic0: the card says so"));
  card.fails_at = NEVER;
  exanic_release_tx_buffer(tx);
  end_card(exanic);
}

/** A chunk that lies in the region, at its ends and beyond. */
static void commands(void) {
  exanic_t* exanic = new_card(false, 2);
  exanic_tx_t* tx = exanic_acquire_tx_buffer(exanic, 1, (size_t)(EX_TX_REGION_PAGES - 1) * PAGE);
  const uint32_t command = REG_PORT_INDEX(1, REG_PORT_TX_COMMAND);
  enum { HEAD = sizeof(struct tx_chunk), META = sizeof(struct tx_payload_metadata) };
  const uint32_t end = EX_TX_REGION_PAGES * PAGE, last_page = end - PAGE;
  const struct {
    uint32_t offset;
    uint16_t length, feedback;
    uint8_t type;
    const char* error;
    size_t bytes;
  } cases[] = {{0, 7, 0x8000, 1, NULL, 5},
               {8, 2, 0xffff, 1, NULL, 0},
               {8, 1, 0x8000, 1, "no chunk is there", 0},
               {4, 7, 0x8000, 1, "no chunk is there", 0},
               {last_page - 8, 7, 0x8000, 1, NULL, 5},
               {last_page, 7, 0x8000, 1, "no chunk is there", 0},
               {end, 7, 0x8000, 1, "no chunk is there", 0},
               {UINT32_MAX - 7, 7, 0x8000, 1, "no chunk is there", 0},
               {16, 7, 0x7fff, 1, "asks for feedback", 0},
               {16, 7, 0x8000, 0, "is of type 0", 0},
               {16, 7, 0x8000, 3, "is of type 3", 0},
               {16, 2 + META, 0x8000, 2, NULL, 0},
               {16, 2 + META - 1, 0x8000, 2, "is of type 2, or too short", 0},
               {16, 2 + META + 4, 0x8000, 2, NULL, 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (cases[i].offset < end) {
      struct tx_chunk* chunk = (void*)(tx->buffer + cases[i].offset);
      *chunk = (struct tx_chunk){1, cases[i].feedback, cases[i].length, cases[i].type, 0};
      memset(chunk->payload, 0, 30);
      chunk->payload[2 + 2] = 6;  // the connection
      memset(chunk->payload + (cases[i].type == 2 ? 2 + META : 2), 'z', 5);
    }
    card.sent_bytes = NO_PORT * 1000;
    exanic_err_printf("nothing");
    exanic_register_write(exanic, (int)command, cases[i].offset);
    CHECK(failed(cases[i].error == NULL ? "nothing" : cases[i].error));
    if (cases[i].error == NULL) {
      CHECK(was_sent(cases[i].type == 2 ? 6 : NOTHING, "zzzzz", cases[i].bytes));
    } else {
      CHECK(card.sent_bytes == NO_PORT * 1000);
    }
  }
  // Up to the region's end.
  exanic_tx_t* last = exanic_acquire_tx_buffer(exanic, 1, 0);
  for (uint16_t more = 0; more < 2; ++more) {
    struct tx_chunk* chunk = (void*)(last->buffer + PAGE - 64);
    *chunk = (struct tx_chunk){1, 0x8000, (uint16_t)(64 - HEAD + more), 1, 0};
    exanic_err_printf("nothing");
    exanic_register_write(exanic, (int)command, end - 64);
    CHECK(failed(more == 0 ? "nothing" : "no chunk is there"));
  }
  for (uint32_t place = end - 16; place < end; place += 8) {
    struct tx_chunk* chunk = (void*)(last->buffer + PAGE - 16);
    *chunk = (struct tx_chunk){1, 0x8000, 8, 1, 0};
    exanic_err_printf("nothing");
    exanic_register_write(exanic, (int)command, place);
    CHECK(failed(place == end - 16 ? "nothing" : "no chunk is there"));
  }
  exanic_release_tx_buffer(last);
  exanic_release_tx_buffer(tx);
  end_card(exanic);
}

static void send_times(void) {
  exanic_t* exanic = new_card(true, 0);
  exanic_tx_t* tx = exanic_acquire_tx_buffer(exanic, 1, 0);
  set_at(TESTER_SENT(1), 1);
  set_at(TESTER_SENT_TIME_LOW(1), 1000);
  set_at(TESTER_SENT_TIME_HIGH(1), 3);
  CHECK(exanic_get_tx_timestamp(tx) == 1000);
  CHECK(exanic_expand_timestamp(exanic, 1000) == INT64_C(0x3000003e8));
  set_at(TESTER_SENT_TIME_LOW(1), 2000);
  CHECK(exanic_get_tx_timestamp(tx) == 1000);  // no other frame
  set_at(TESTER_SENT(1), 2);
  card.fails_with = -EIO;
  for (unsigned i = 0; i < 3; ++i) {
    const uint32_t fails_at[] = {TESTER_SENT(1), TESTER_SENT_TIME_LOW(1), TESTER_SENT_TIME_HIGH(1)};
    card.fails_at = fails_at[i];
    exanic_err_printf("nothing");
    CHECK(exanic_get_tx_timestamp(tx) == 1000 && failed("the card says so"));
  }
  card.fails_at = NEVER;
  CHECK(exanic_get_tx_timestamp(tx) == 2000);
  exanic_release_tx_buffer(tx);
  end_card(exanic);
  exanic = new_card(false, 0);
  tx = exanic_acquire_tx_buffer(exanic, 0, 0);
  CHECK(exanic_get_tx_timestamp(tx) == 0 && exanic_get_tx_timestamp(tx) == 0);
  exanic_release_tx_buffer(tx);
  end_card(exanic);
}

static void listeners(void) {
  exanic_t* exanic = new_card(false, 0);
  exanic_rx_t* rx[EX_FILTER_BUFFERS + 1];
  for (int buffer = -2; buffer <= EX_FILTER_BUFFERS + 1; ++buffer) {
    exanic_rx_t* one = buffer == -1 ? NULL : exanic_acquire_rx_buffer(exanic, 0, buffer);
    const bool is_one = buffer >= 0 && buffer <= EX_FILTER_BUFFERS;
    CHECK((one != NULL) == is_one && (is_one || buffer == -1 || failed("the buffers 0 to 32")));
    CHECK(one == NULL || (one->buffer_number == buffer && one->port_number == 0));
    exanic_release_rx_buffer(one);
    CHECK(card.port_opens == card.port_closes);
  }
  // Those that nobody has, after those of hashing.
  CHECK(exanic_enable_flow_hashing(exanic, 0, 4, EXANIC_RX_HASH_FUNCTION_IP) == 4);
  rx[0] = exanic_acquire_unused_filter_buffer(exanic, 0);
  CHECK(rx[0] != NULL && rx[0]->buffer_number == 5);
  exanic_disable_flow_hashing(exanic, 0);
  exanic_disable_flow_hashing(exanic, PORTS);
  for (int i = 1; i < EX_FILTER_BUFFERS; ++i) {
    rx[i] = exanic_acquire_unused_filter_buffer(exanic, 0);
    CHECK(rx[i] != NULL && rx[i]->buffer_number == (i < 5 ? i : i + 1));
  }
  CHECK(exanic_acquire_unused_filter_buffer(exanic, 0) == NULL &&
        failed("all 32 buffers are in use"));
  exanic_release_rx_buffer(rx[7]);
  rx[7] = exanic_acquire_unused_filter_buffer(exanic, 0);
  CHECK(rx[7] != NULL && rx[7]->buffer_number == 8);
  for (int i = 0; i < EX_FILTER_BUFFERS; ++i) {
    exanic_release_rx_buffer(rx[i]);
  }
  exanic_release_rx_buffer(NULL);
  CHECK(exanic_acquire_rx_buffer(exanic, PORTS, 0) == NULL && failed("the ports 0 to 1"));
  card.fails_with = -EIO;
  const uint32_t fails_at[] = {ULLNIC_HOST_PATH_REGISTER(0, RX_NO_ROOM),
                               ULLNIC_CARD_REGISTER(TIME_LO), ULLNIC_CARD_REGISTER(TIME_HI), 0};
  for (size_t i = 0; i < sizeof fails_at / sizeof *fails_at; ++i) {
    card.fails_at = fails_at[i];
    CHECK(exanic_acquire_rx_buffer(exanic, 0, 0) == NULL && failed("the card says so"));
  }
  card.fails_at = NEVER;
  CHECK(exanic_filter_remove_ip(exanic, PORTS, 0) == -1 && failed("the ports 0 to 1"));
  CHECK(exanic_filter_remove_mac(exanic, -1, 0) == -1);
  CHECK(exanic_enable_flow_hashing(exanic, PORTS, 4, 0) == -1);
  end_card(exanic);
}

/** A card that is gone: said once, and after more than five seconds of calls the process ends. */
static void gone(void) {
  const struct {
    int result, after_s, terms;
  } steps[] = {{-EIO, 0, 0},  {-EIO, 60, 0},    {-ENODEV, 60, 0},   {-ENODEV, 65, 0},
               {-EIO, 66, 0}, {-ENODEV, 66, 1}, {-ETIMEDOUT, 66, 2}};
  exanic_t* exanic = new_card(false, 0);
  signal(SIGTERM, on_term);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    now.tv_sec = 1000 + steps[i].after_s;
    exanic_err_printf("nothing");
    ex_card_error(exanic, steps[i].result);
    CHECK(failed("exanic0: the card says so") && terms == steps[i].terms);
  }
  signal(SIGTERM, SIG_DFL);
  end_card(exanic);
}

int main(void) {
  setenv("ULLNIC_EXANIC0", "fake", 1);
  setenv("ULLNIC_EXANIC15", "fake", 1);
  if (freopen("/dev/null", "w", stderr) == NULL) {  // errors of calls that have no result
    return 1;
  }
  names();
  handles();
  all_ports();
  ports();
  counters();
  registers();
  times();
  transmit_buffers();
  frames();
  commands();
  send_times();
  listeners();
  gone();
  printf("%d faults\n", faults);
  return faults != 0;
}
