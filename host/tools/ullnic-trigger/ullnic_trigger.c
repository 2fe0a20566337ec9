/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ullnic-trigger: arms the user logic of the trigger card, and prints its counters.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trigger_regs.h"
#include "ullnic/card.h"
#include "ullnic/ullnic.h"

#define REGISTER(name) (ULLNIC_USER_BASE + (uint32_t)offsetof(trigger_regs_t, name))

enum {
  MAX_PAYLOAD_BYTES = sizeof(trigger_regs__TEMPLATE_t),
  ARM_TRIES = 1000,
  MAY_WAIT_SINCE = 1,  // minor version of the registers
};

static const char usage[] =
    "usage: ullnic-trigger [--card NAME] arm [options] | disarm | status\n"
    "\n"
    "Arms or disarms the user logic of the trigger card. Says its state as JSON.\n"
    "\n"
    "  -c, --card NAME      ullnicd:PATH (the daemon's socket), vfio-user:PATH or "
    "vfio:0000:01:00.0;\n"
    "                       without: the value of ULLNIC_CARD\n"
    "  -C, --connection ID  of the transmit engine, on which orders go out (default 0)\n"
    "  -l, --length BYTES   of an order's payload, 4 to 256 (default: that of the payload)\n"
    "  -p, --payload HEX    the payload; a number takes the place of its first four bytes\n"
    "  -L, --limit N        stop after so many orders (default 0: never)\n"
    "  -n, --number N       number of the order before the first (default 0)\n"
    "  -w, --wait           a trigger that finds a frame of software's on the port waits behind "
    "it;\n"
    "                       without: it is refused\n"
    "  -V, --version        version of the library\n"
    "  -h, --help           this text\n";

struct order {
  uint32_t connection, length, limit, number;
  uint8_t payload[MAX_PAYLOAD_BYTES];
  size_t payload_bytes;
  bool may_wait;
};

static _Noreturn void fail(const char* why) {
  fprintf(stderr, "ullnic-trigger: %s\n", why);
  exit(EXIT_FAILURE);
}

static uint32_t get(ullnic_t* card, uint32_t address) {
  uint32_t value;
  if (ullnic_read32(card, address, &value) != 0) fail(ullnic_last_error());
  return value;
}

static void set(ullnic_t* card, uint32_t address, uint32_t value) {
  if (ullnic_write32(card, address, value) != 0) fail(ullnic_last_error());
}

static uint32_t number_of(const char* option, const char* text, uint32_t max) {
  char* end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 0);
  if (errno != 0 || end == text || *end != '\0' || *text == '-' || value > max) {
    fprintf(stderr, "ullnic-trigger: --%s %s: give a number from 0 to %u\n", option, text, max);
    exit(2);
  }
  return (uint32_t)value;
}

static void parse_payload(struct order* order, const char* hex) {
  size_t digits = strlen(hex);
  bool good = digits % 2 == 0 && digits / 2 <= sizeof(order->payload) &&
              strspn(hex, "0123456789abcdefABCDEF") == digits;
  if (!good) {
    fprintf(stderr,
            "ullnic-trigger: --payload: give an even number of hexadecimal digits, %d at most\n",
            2 * MAX_PAYLOAD_BYTES);
    exit(2);
  }
  order->payload_bytes = digits / 2;
  for (size_t i = 0; i < order->payload_bytes; ++i) {
    char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
    order->payload[i] = (uint8_t)strtoul(pair, NULL, 16);
  }
}

/* Waits until the given bits of STATUS are set or cleared. */
static bool wait_for(ullnic_t* card, uint32_t bits, bool set_wanted) {
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int tries = 0; tries < ARM_TRIES; ++tries) {
    if (((get(card, REGISTER(STATUS)) & bits) != 0) == set_wanted) return true;
    nanosleep(&pause, NULL);
  }
  return false;
}

static void disarm(ullnic_t* card) {
  set(card, REGISTER(CONTROL), 0);
  const uint32_t active = TRIGGER_REGS__STATUS__ARMED_bm | TRIGGER_REGS__STATUS__BUSY_bm;
  if (!wait_for(card, active, false)) {
    fail(
        "an order does not end: the port's link is down, or the engine waits for its mirror to be "
        "read");
  }
}

/* Minor version of the card's registers; the major version is 1. */
static uint32_t minor_version(ullnic_t* card) {
  return get(card, REGISTER(VERSION)) & TRIGGER_REGS__VERSION__MINOR_bm;
}

static void arm(ullnic_t* card, const struct order* order) {
  if (order->may_wait && minor_version(card) < MAY_WAIT_SINCE) {
    fail("this card cannot let a trigger wait; leave --wait out, or take a newer card");
  }
  disarm(card);
  for (uint32_t i = 0; i < MAX_PAYLOAD_BYTES; i += 4) {
    const uint8_t* p = order->payload + i;
    uint32_t word = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    set(card, REGISTER(TEMPLATE) + i, word);
  }
  set(card, REGISTER(CONNECTION), order->connection);
  set(card, REGISTER(LENGTH), order->length);
  set(card, REGISTER(LIMIT), order->limit);
  set(card, REGISTER(NUMBER), order->number);
  set(card, REGISTER(CONTROL),
      TRIGGER_REGS__CONTROL__ARM_bm | (order->may_wait ? TRIGGER_REGS__CONTROL__MAY_WAIT_bm : 0));
  const uint32_t done = TRIGGER_REGS__STATUS__ARMED_bm | TRIGGER_REGS__STATUS__BAD_LENGTH_bm |
                        TRIGGER_REGS__STATUS__BAD_CONNECTION_bm;
  if (!wait_for(card, done, true)) fail("the user logic does not answer: its clock stands still");
  uint32_t status = get(card, REGISTER(STATUS));
  if (status & TRIGGER_REGS__STATUS__BAD_LENGTH_bm)
    fail("not armed: --length is not one the card can send");
  if (status & TRIGGER_REGS__STATUS__BAD_CONNECTION_bm) {
    fail(
        "not armed: the engine has no connection of that number; ullnic-info tells how many it "
        "has");
  }
}

static void print_status(ullnic_t* card) {
  const uint32_t status = get(card, REGISTER(STATUS));
  const uint32_t minor = minor_version(card);
  const struct {
    const char* name;
    uint32_t bit;
  } states[] = {{"armed", TRIGGER_REGS__STATUS__ARMED_bm},
                {"busy", TRIGGER_REGS__STATUS__BUSY_bm},
                {"window_available", TRIGGER_REGS__STATUS__WINDOW_AVAILABLE_bm},
                {"limit_reached", TRIGGER_REGS__STATUS__LIMIT_REACHED_bm}};
  const struct {
    const char* name;
    uint32_t address, since;  // first minor version that has it
  } counters[] = {{"triggers", REGISTER(TRIGGERS), 0},
                  {"orders", REGISTER(ORDERS), 0},
                  {"refused_disarmed", REGISTER(REFUSED_DISARMED), 0},
                  {"refused_window", REGISTER(REFUSED_WINDOW), 0},
                  {"refused_busy", REGISTER(REFUSED_BUSY), 0},
                  {"refused_ate", REGISTER(REFUSED_ATE), 0},
                  {"number", REGISTER(NUMBER), 0},
                  {"waited", REGISTER(WAITED), MAY_WAIT_SINCE}};
  printf("{");
  for (size_t i = 0; i < sizeof(states) / sizeof(*states); ++i) {
    printf("\"%s\": %s, ", states[i].name, status & states[i].bit ? "true" : "false");
  }
  for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); ++i) {
    if (minor < counters[i].since) continue;
    printf("%s\"%s\": %u", i == 0 ? "" : ", ", counters[i].name, get(card, counters[i].address));
  }
  printf("}\n");
}

static struct order parse_order(int argc, char** argv, const char** name) {
  static const struct option options[] = {
      {"card", required_argument, NULL, 'c'},   {"connection", required_argument, NULL, 'C'},
      {"length", required_argument, NULL, 'l'}, {"payload", required_argument, NULL, 'p'},
      {"limit", required_argument, NULL, 'L'},  {"number", required_argument, NULL, 'n'},
      {"wait", no_argument, NULL, 'w'},         {"version", no_argument, NULL, 'V'},
      {"help", no_argument, NULL, 'h'},         {0}};
  struct order order = {0};
  for (int option; (option = getopt_long(argc, argv, "c:C:l:p:L:n:wVh", options, NULL)) != -1;) {
    switch (option) {
      case 'c':
        *name = optarg;
        break;
      case 'C':
        order.connection = number_of("connection", optarg, UINT16_MAX);
        break;
      case 'l':
        order.length = number_of("length", optarg, MAX_PAYLOAD_BYTES);
        break;
      case 'p':
        parse_payload(&order, optarg);
        break;
      case 'L':
        order.limit = number_of("limit", optarg, UINT32_MAX);
        break;
      case 'n':
        order.number = number_of("number", optarg, UINT32_MAX);
        break;
      case 'w':
        order.may_wait = true;
        break;
      case 'V':
        printf("ullnic-trigger %s\n", ullnic_version());
        exit(EXIT_SUCCESS);
      case 'h':
        fputs(usage, stdout);
        exit(EXIT_SUCCESS);
      default:
        fputs(usage, stderr);
        exit(2);
    }
  }
  if (order.length == 0) order.length = (uint32_t)order.payload_bytes;
  return order;
}

int main(int argc, char** argv) {
  const char* name = NULL;
  struct order order = parse_order(argc, argv, &name);
  const char* what = optind == argc - 1 ? argv[optind] : "";
  bool arming = strcmp(what, "arm") == 0;
  bool disarming = strcmp(what, "disarm") == 0;
  if (!arming && !disarming && strcmp(what, "status") != 0) {
    fputs(usage, stderr);
    return 2;
  }
  ullnic_t* card;
  if (ullnic_open(name, &card) != 0) fail(ullnic_last_error());
  if (get(card, REGISTER(ID)) != TRIGGER_REGS__ID__ID_reset) {
    fail("this card's user logic is not that of the trigger card; ullnic-info tells what it is");
  }
  if (arming) arm(card, &order);
  if (disarming) disarm(card);
  print_status(card);
  ullnic_close(card);
  return EXIT_SUCCESS;
}
