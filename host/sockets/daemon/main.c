/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ullnicd: owns a card and lends its ports to socket programs (libullnic-sockets.so).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "checks.h"
#include "common/protocol.h"
#include "daemon/access.h"
#include "daemon/ate.h"
#include "daemon/ate_state.h"
#include "daemon/control.h"
#include "daemon/kernel_limits.h"
#include "daemon/log.h"
#include "daemon/loop.h"
#include "daemon/port.h"
#include "daemon/privileges.h"
#include "daemon/refused.h"
#include "daemon/socket.h"
#include "daemon/time_wait.h"
#include "daemon/unreachable.h"
#include "daemon/users.h"
#include "lwip/init.h"
#include "lwip/timeouts.h"
#include "lwip_hooks.h"

enum { TICK_MS = 100, LONGEST_WAIT_MS = 100, RETRY_MS = 1, LEAVE_MS = 2000, QUESTIONS_MS = 500 };

static volatile sig_atomic_t stopped;
static struct port_config configs[ULLNIC_MAX_PORTS];
static unsigned config_count;

static const char usage[] =
    "usage: ullnicd [options] --address PORT=ADDRESS/BITS ...\n"
    "\n"
    "Owns a card and gives its ports to programs that run under libullnic-sockets.so (`exasock`).\n"
    "\n"
    "  --card NAME             vfio-user:PATH or vfio:DDDD:BB:DD.F (default: $ULLNIC_CARD)\n"
    "  --address PORT=A.B.C.D/BITS   address of a port, e.g. 1=10.9.1.2/24\n"
    "  --gateway PORT=A.B.C.D  everything that is on no port's network goes there\n"
    "  --mac PORT=XX:XX:XX:XX:XX:XX  (default: 02:55:4c:4c:NN:PORT, NN from the address)\n"
    "  --vlan PORT=ID[:PRIORITY]  all its frames carry this VLAN tag, 1 to 4094 and 0 to 7 "
    "(default: 0);\n"
    "                          of others' it takes those with this ID, of any priority\n"
    "  --socket PATH           for programs (default: $" CONTROL_PATH_VARIABLE " or " CONTROL_PATH
    ")\n"
    "  --allow-user NAME       may use ullnicd, too; root and the user that it runs as always may\n"
    "  --allow-group NAME      so may its members; as --allow-user, it can be given more than "
    "once\n"
    "  --card-group NAME       its members may also use the card's registers and send frames of\n"
    "                          their own\n"
    "  --limit NAME=NUMBER     how much a user may take, so that others have some:\n"
    "@"
    "  --user NAME             become this user when the card and the socket are open\n"
    "  --unconfined            keep capabilities and system calls, for a debugger\n"
    "  --verbose               say what happens to each connection\n"
    "  --version               version of the project\n"
    "  --help                  this text\n"
    "\n"
    "Says \"ready\" on stdout when programs may come.\n";

uint32_t sys_now(void) { return (uint32_t)now_ms(); }

uint32_t ullnic_random(void) {
  uint32_t value;
  if (getrandom(&value, sizeof(value), 0) != (ssize_t)sizeof(value)) value = (uint32_t)now_ms();
  return value;
}

u32_t ullnic_initial_sequence(const ip_addr_t* local_ip, u16_t local_port,
                              const ip_addr_t* remote_ip, u16_t remote_port) {
  uint32_t sequence;
  bool follows = time_wait_sequence(local_ip, local_port, remote_ip, remote_port, &sequence);
  return follows ? sequence : ullnic_random();
}

static void print_usage(FILE* to) {
  const char* limits = strchr(usage, '@');
  fwrite(usage, 1, (size_t)(limits - usage), to);
  users_print_limits(to);
  fputs(limits + 1, to);
}

static void stop(int signal) {
  (void)signal;
  stopped = 1;
}

static _Noreturn void bad_option(const char* option, const char* value, const char* form) {
  fprintf(stderr, "ullnicd: %s %s: give %s\n", option, value, form);
  exit(2);
}

static _Noreturn void bad_access(const char* option, const char* value) {
  fprintf(stderr, "ullnicd: %s %s: %s\n", option, value, access_why());
  exit(2);
}

/* Parses the PORT= before a value; the rest is what follows. The library's number parsers accept
 * signs and blanks, which no value may have. */
static struct port_config* config_of(const char* option, const char* value, const char* form,
                                     const char** rest) {
  static const char known[] = "0123456789abcdefABCDEF=:./";
  const char* equals = strchr(value, '=');
  unsigned number;
  int length = 0;
  if (value[strspn(value, known)] != '\0' || equals == NULL ||
      sscanf(value, "%1u%n", &number, &length) != 1 || value + length != equals ||
      number >= ULLNIC_MAX_PORTS) {
    bad_option(option, value, form);
  }
  *rest = equals + 1;
  for (unsigned i = 0; i < config_count; i++) {
    if (configs[i].number == number) return &configs[i];
  }
  configs[config_count].number = number;
  return &configs[config_count++];
}

static void parse_address(const char* value) {
  static const char form[] = "PORT=A.B.C.D/BITS, e.g. 1=10.9.1.2/24";
  const char* rest;
  struct port_config* config = config_of("--address", value, form, &rest);
  char address[INET_ADDRSTRLEN] = "", *end = NULL;
  const char* slash = strchr(rest, '/');
  unsigned long bits = slash != NULL ? strtoul(slash + 1, &end, 10) : 0;
  if (slash == NULL || end == slash + 1 || *end != '\0' || bits < 1 || bits > 30 ||
      (size_t)(slash - rest) >= sizeof(address)) {
    bad_option("--address", value, form);
  }
  memcpy(address, rest, (size_t)(slash - rest));
  if (inet_pton(AF_INET, address, &config->address) != 1) bad_option("--address", value, form);
  config->netmask = htonl(~(uint32_t)0 << (32 - bits));
}

static void parse_gateway(const char* value) {
  static const char form[] = "PORT=A.B.C.D";
  const char* rest;
  struct port_config* config = config_of("--gateway", value, form, &rest);
  if (inet_pton(AF_INET, rest, &config->gateway) != 1) bad_option("--gateway", value, form);
}

static void parse_mac(const char* value) {
  static const char form[] = "PORT=XX:XX:XX:XX:XX:XX, not a group's address, not all zeros";
  static const uint8_t zeros[6];
  const char* rest;
  struct port_config* config = config_of("--mac", value, form, &rest);
  uint8_t* m = config->mac;
  char more;
  if (sscanf(rest, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%c", &m[0], &m[1], &m[2], &m[3], &m[4],
             &m[5], &more) != 6 ||
      (m[0] & 1) != 0 || memcmp(m, zeros, sizeof(zeros)) == 0) {
    bad_option("--mac", value, form);
  }
}

static void parse_vlan(const char* value) {
  static const char form[] = "PORT=ID[:PRIORITY], ID from 1 to 4094, PRIORITY from 0 to 7";
  const char* rest;
  struct port_config* config = config_of("--vlan", value, form, &rest);
  uint16_t id, priority = 0;
  char colon, more;
  int fields = sscanf(rest, "%4hu%c%1hu%c", &id, &colon, &priority, &more);
  if ((fields != 1 && (fields != 3 || colon != ':')) || id < 1 || id > 4094 || priority > 7) {
    bad_option("--vlan", value, form);
  }
  config->vlan = (uint16_t)(priority << 13 | id);
}

static void parse_access(const char* option, const char* value, bool (*allow)(const char* name)) {
  if (!allow(value)) bad_access(option, value);
}

static ullnic_t* open_card(const char* name) {
  ullnic_t* card;
  if (ullnic_open(name, &card) != 0) {
    log_message("%s", ullnic_last_error());
    return NULL;
  }
  if (unreachable_open() != 0) {
    log_message("no memory");
    return NULL;
  }
  for (unsigned i = 0; i < config_count; i++) {
    struct port_config* config = &configs[i];
    static const uint8_t none[6];
    if (config->address == 0) {
      log_message("port %u has no --address", config->number);
      return NULL;
    }
    if (config->number >= ullnic_ports(card)) {
      log_message("--address %u: the card has the ports 0 to %u", config->number,
                  ullnic_ports(card) - 1);
      return NULL;
    }
    if (memcmp(config->mac, none, sizeof(none)) == 0) {
      const uint8_t mac[6] = {0x02,
                              0x55,
                              0x4c,
                              0x4c,
                              (uint8_t)(ntohl(config->address) & 0xff),
                              (uint8_t)config->number};
      memcpy(config->mac, mac, sizeof(mac));
    }
    if (port_open(card, config) != 0) return NULL;
  }
  return card;
}

/* One round: received frames, requests, timers. False: the card is gone. */
static bool one_round(uint64_t* next_tick) {
  bool more, soon;
  if (ports_receive(&more, &soon) != 0) return false;
  ullnic_check_before_timers();
  sys_check_timeouts();
  sockets_serve();
  bool asked = control_serve(); /* after the writes and closes that preceded the requests */
  bool waiting = ports_send();
  if (waiting) sockets_wake_all();
  uint64_t now = now_ms();
  if (now >= *next_tick) {
    sockets_tick();
    control_tick();
    *next_tick = now + TICK_MS;
  }
  uint32_t due = sys_timeouts_sleeptime();
  int timeout = due < LONGEST_WAIT_MS ? (int)due : LONGEST_WAIT_MS;
  if (soon && timeout > ATE_QUIET_MS) timeout = ATE_QUIET_MS;
  if (waiting && timeout > RETRY_MS) timeout = RETRY_MS;
  if (more || asked || (sockets_awake() && !waiting) || ports_arm()) timeout = 0;
  return loop_wait(timeout) == 0;
}

static bool engines_busy(void) {
  for (unsigned i = 0; port_at(i) != NULL; i++) {
    for (unsigned id = 0; id < port_at(i)->connections; id++) {
      if (port_at(i)->by_id[id] != NULL) return true;
    }
  }
  return false;
}

/* A round without a card. */
static bool last_round(void) {
  for (unsigned i = 0; port_at(i) != NULL; i++) ate_service(port_at(i));
  sockets_serve();
  int timeout = control_serve() ? 0 : ATE_QUIET_MS;
  return loop_wait(timeout) == 0;
}

/* Resets open connections, so that no engine is left enabled and the peers are informed. Then
 * programs have time to query the reason. */
static void leave(bool card, uint64_t* next_tick) {
  control_end();
  bool asked = sockets_abort_all(card ? ENETDOWN : ENODEV);
  uint64_t now = now_ms(), deadline = now + LEAVE_MS, questions = now + QUESTIONS_MS;
  bool going_on = asked;
  while (going_on && now < deadline && (engines_busy() || now < questions)) {
    if (card) card = one_round(next_tick);
    going_on = card || last_round();
    now = now_ms();
  }
}

int main(int argc, char** argv) {
  static const struct option options[] = {{"card", required_argument, NULL, 'c'},
                                          {"address", required_argument, NULL, 'a'},
                                          {"gateway", required_argument, NULL, 'g'},
                                          {"mac", required_argument, NULL, 'm'},
                                          {"vlan", required_argument, NULL, 't'},
                                          {"socket", required_argument, NULL, 's'},
                                          {"allow-user", required_argument, NULL, 'u'},
                                          {"allow-group", required_argument, NULL, 'G'},
                                          {"card-group", required_argument, NULL, 'C'},
                                          {"limit", required_argument, NULL, 'l'},
                                          {"user", required_argument, NULL, 'U'},
                                          {"unconfined", no_argument, NULL, 'n'},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"version", no_argument, NULL, 'V'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  const char *card_name = NULL, *path = control_path();
  bool confined = true;
  int option;
  while ((option = getopt_long(argc, argv, "hV", options, NULL)) != -1) {
    switch (option) {
      case 'c':
        card_name = optarg;
        break;
      case 'a':
        parse_address(optarg);
        break;
      case 'g':
        parse_gateway(optarg);
        break;
      case 'm':
        parse_mac(optarg);
        break;
      case 't':
        parse_vlan(optarg);
        break;
      case 's':
        path = optarg;
        break;
      case 'u':
        parse_access("--allow-user", optarg, access_allow_user);
        break;
      case 'G':
        parse_access("--allow-group", optarg, access_allow_group);
        break;
      case 'C':
        parse_access("--card-group", optarg, access_allow_card);
        break;
      case 'l':
        if (!users_set_limit(optarg)) {
          bad_option("--limit", optarg, "NAME=NUMBER, a name of --help and a number from 1 on");
        }
        break;
      case 'U':
        if (!privileges_set_user(optarg)) bad_option("--user", optarg, "a user's name");
        break;
      case 'n':
        confined = false;
        break;
      case 'v':
        log_verbose = true;
        break;
      case 'V':
        puts("ullnicd " ULLNIC_VERSION);
        return 0;
      case 'h':
        print_usage(stdout);
        return 0;
      default:
        print_usage(stderr);
        return 2;
    }
  }
  if (optind != argc || config_count == 0) {
    fprintf(stderr, "ullnicd: %s: see ullnicd --help\n",
            optind != argc ? "what is this?" : "no --address");
    return 2;
  }
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  users_open();
  int error = loop_open();
  if (error != 0) {
    log_message("epoll: %s", strerror(-error));
    return 1;
  }
  lwip_init();
  ullnic_t* card = open_card(card_name);
  if (card == NULL || control_open(path) != 0) return 1;
  kernel_limits_open();
  if (!privileges_drop(confined)) return 1;
  printf("ready\n");
  fflush(stdout);
  uint64_t next_tick = 0;
  bool alive = true;
  while (!stopped && alive) alive = one_round(&next_tick);
  leave(alive, &next_tick);
  control_close();
  refused_tell();
  ports_close();
  ullnic_close(card);
  return alive ? 0 : 1;
}
