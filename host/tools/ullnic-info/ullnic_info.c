/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ullnic-info: identity of a card, its ports, their links and counters; the state of its DMA, and
 * the DMA's watchdog.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dma.h"
#include "macpcs_regs.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"
#include "ullnic/ullnic.h"

enum { SNAPSHOT_TRIES = 1000, LOOK_AGAIN_MS = 100, WRONG_USE = 2 };
static const uint32_t NOTHING_THERE = ~0u;  // value read from an unimplemented address

static const char usage[] =
    "usage: ullnic-info [--card NAME] [--zeros]\n"
    "       ullnic-info [--card NAME] [--raw] queue N\n"
    "       ullnic-info [--card NAME] [--raw] errors\n"
    "       ullnic-info [--card NAME] [--limit TIME] watchdog [arm [N] | disarm]\n"
    "\n"
    "Prints what a card is, its ports, their links and counters. A card that ullnicd holds is\n"
    "asked for through it; any other must not be in use, and is reset.\n"
    "\n"
    "  queue N          what queue N of the DMA waits for: rings, indexes, what is pending,\n"
    "                   timer, interrupts; queue N is that of port N. Looks twice, 100 ms apart\n"
    "  errors           the DMA's errors, the first of each kind, and who is notified; what the\n"
    "                   watchdog has found\n"
    "  watchdog         what the DMA's watchdog has found, with the events before that\n"
    "  watchdog arm     finds the first queue that has work and makes no progress; again, once it\n"
    "                   has found one. With N, the events are those of queue N alone\n"
    "  watchdog disarm  finds none any more; what it has found stays\n"
    "\n"
    "  -c, --card NAME  vfio-user:PATH (socket of a virtual card), vfio:0000:01:00.0, or\n"
    "                   ullnicd:PATH (socket of the daemon, may be empty); without: the value\n"
    "                   of ULLNIC_CARD\n"
    "  -l, --limit TIME with watchdog arm: time without progress, as in 500us, 10ms or 1s\n"
    "                   (default 10ms), longer than the longest packet takes\n"
    "  -z, --zeros      counters that are 0, too\n"
    "  -r, --raw        with queue and errors: the words of contexts and registers, too\n"
    "  -V, --version    version of the library\n"
    "  -h, --help       this text\n";

static _Noreturn void fail(void) {
  fprintf(stderr, "ullnic-info: %s\n", ullnic_last_error());
  exit(EXIT_FAILURE);
}

static uint32_t read_word(ullnic_t* card, uint32_t address) {
  uint32_t value;
  if (ullnic_read32(card, address, &value) != 0) {
    fail();
  }
  return value;
}

static const char* kind_name(uint32_t kind) {
  static const char* const names[] = {ULLNIC_KIND_NAMES};
  const bool is_known = kind < sizeof names / sizeof *names && names[kind] != NULL;
  return is_known ? names[kind] : "of a kind that is newer than this tool";
}

static void print_counter(const char* name, uint64_t value, bool zeros) {
  if (value != 0 || zeros) {
    printf("    %-16s %" PRIu64 "\n", name, value);
  }
}

static void print_card(ullnic_t* card) {
  const uint32_t version = read_word(card, ULLNIC_CARD_REGISTER(VERSION));
  const uint32_t what = read_word(card, ULLNIC_CARD_REGISTER(CARD));
  const uint64_t low = read_word(card, ULLNIC_CARD_REGISTER(TIME_LO));
  const uint64_t high = read_word(card, ULLNIC_CARD_REGISTER(TIME_HI));
  const double time_s = (double)(high << 32 | low) * ullnic_tick_ps(card) * 1e-12;
  printf("card %s, registers %u.%u, %u ports", kind_name(ullnic_kind(card)),
         version >> CARD_REGS__VERSION__MAJOR_bp, version & CARD_REGS__VERSION__MINOR_bm,
         ullnic_ports(card));
  const uint32_t width =
      (what & CARD_REGS__CARD__PMA_DATA_WIDTH_bm) >> CARD_REGS__CARD__PMA_DATA_WIDTH_bp;
  if (width != 0) {  // a tester has no transceivers
    printf(", %u-bit transceivers", width);
  }
  printf(", up for %.6f s\n", time_s);
}

/** Counters of MAC and PCS are latched in one cycle, then read. */
static void print_mac(ullnic_t* card, unsigned port, bool zeros) {
  const uint32_t base = ULLNIC_MACPCS_BASE(port);
  if (read_word(card, base + offsetof(macpcs_regs_t, ID)) != MACPCS_REGS__ID__ID_reset) {
    return;  // a tester has none
  }
  const uint32_t snapshot = base + offsetof(macpcs_regs_t, SNAPSHOT);
  const uint32_t all = MACPCS_REGS__SNAPSHOT__TX_bm | MACPCS_REGS__SNAPSHOT__RX_bm;
  if (ullnic_write32(card, snapshot, all) != 0) {
    fail();
  }
  for (int tries = 0; (read_word(card, snapshot) & all) != 0; ++tries) {
    if (tries == SNAPSHOT_TRIES) {
      printf("    no counters of the MAC: a clock of the port stands still\n");
      return;
    }
  }
  static const struct {
    const char* name;
    uint32_t offset;
  } counters[] = {
      {"mac rx frames", offsetof(macpcs_regs_t, RX_STATS.FRAMES_GOOD)},
      {"mac rx bytes", offsetof(macpcs_regs_t, RX_STATS.BYTES_GOOD)},
      {"mac rx bad", offsetof(macpcs_regs_t, RX_STATS.FRAMES_BAD)},
      {"mac rx fcs", offsetof(macpcs_regs_t, RX_STATS.FCS_ERRORS)},
      {"mac rx code", offsetof(macpcs_regs_t, RX_STATS.CODE_ERRORS)},
      {"mac rx runts", offsetof(macpcs_regs_t, RX_STATS.RUNTS)},
      {"mac rx oversize", offsetof(macpcs_regs_t, RX_STATS.OVERSIZE)},
      {"mac rx pause", offsetof(macpcs_regs_t, RX_STATS.PAUSE)},
      {"pcs lock losses", offsetof(macpcs_regs_t, RX_STATS.LOCK_LOSSES)},
      {"pcs high ber", offsetof(macpcs_regs_t, RX_STATS.HI_BER)},
      {"pcs bad blocks", offsetof(macpcs_regs_t, RX_STATS.BAD_BLOCKS)},
      {"mac tx frames", offsetof(macpcs_regs_t, TX_STATS.FRAMES)},
      {"mac tx bytes", offsetof(macpcs_regs_t, TX_STATS.BYTES)},
      {"mac tx poisoned", offsetof(macpcs_regs_t, TX_STATS.POISONED)},
      {"mac tx underruns", offsetof(macpcs_regs_t, TX_STATS.UNDERRUNS)},
  };
  for (unsigned i = 0; i < sizeof counters / sizeof *counters; ++i) {
    const uint64_t low = read_word(card, base + counters[i].offset);
    const uint64_t high = read_word(card, base + counters[i].offset + 4);
    print_counter(counters[i].name, high << 32 | low, zeros);
  }
}

static void print_host_path(ullnic_t* card, unsigned port, bool zeros) {
  static const struct {
    const char* name;
    uint32_t offset;
  } counters[] = {
      {"frames to host", offsetof(card_port_regs_t, RX_FRAMES)},
      {"frames bad", offsetof(card_port_regs_t, RX_BAD)},
      {"frames no room", offsetof(card_port_regs_t, RX_NO_ROOM)},
      {"frames cut", offsetof(card_port_regs_t, RX_CUT)},
      {"mirror frames", offsetof(card_port_regs_t, MIRROR_FRAMES)},
      {"mirror cut", offsetof(card_port_regs_t, MIRROR_CUT)},
      {"packets to host", offsetof(card_port_regs_t, PACKETS)},
      {"chunks sent", offsetof(card_port_regs_t, CHUNKS)},
      {"chunks refused", offsetof(card_port_regs_t, CHUNKS_REFUSED)},
      {"chunks cut", offsetof(card_port_regs_t, CHUNKS_CUT)},
  };
  for (unsigned i = 0; i < sizeof counters / sizeof *counters; ++i) {
    const uint32_t value = read_word(card, ULLNIC_HOST_PATH_BASE(port) + counters[i].offset);
    if (value == NOTHING_THERE) {
      return;  // a tester has none
    }
    print_counter(counters[i].name, value, zeros);
  }
}

static void print_engine(ullnic_t* card, unsigned port, bool zeros) {
  struct ullnic_ate_counters counters;
  if (ullnic_ate_read_counters(card, port, &counters) != 0) {
    fail();
  }
  static const char* const names[] = {
      "ate user",      "ate host",     "ate raw",        "ate no conn",    "ate no room",
      "ate no window", "ate bad late", "ate bad length", "ate bad window", "ate bad raw",
      "ate bad chunk", "ate aborted",  "ate no frame"};
  uint32_t values[sizeof names / sizeof *names];
  _Static_assert(sizeof values == sizeof counters, "a name for each counter");
  memcpy(values, &counters, sizeof values);
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
    print_counter(names[i], values[i], zeros);
  }
}

static void print_port(ullnic_t* card, unsigned port, bool zeros) {
  const uint32_t status = read_word(card, ULLNIC_CARD_REGISTER(PORT_STATUS));
  const bool up = status >> (CARD_REGS__PORT_STATUS__LINK_UP_bp + port) & 1;
  printf("  port %u: link %s", port, up ? "up" : "down");
  const bool engine = ullnic_tcp_enables(card) >> port & 1;
  if (engine) {
    unsigned connections;
    unsigned max_payload;
    if (ullnic_ate_connections(card, port, &connections) != 0 ||
        ullnic_ate_max_payload(card, port, &max_payload) != 0) {
      fail();
    }
    printf(", TCP transmit engine with %u connections, payload up to %u bytes", connections,
           max_payload);
  }
  printf("\n");
  print_host_path(card, port, zeros);
  if (engine) {
    print_engine(card, port, zeros);
  }
  print_mac(card, port, zeros);
}

static void print_all(ullnic_t* card, bool is_held, bool zeros) {
  print_card(card);
  if (is_held) {
    printf("  held by ullnicd: connections of the engines, and frames, are the daemon's alone\n");
  }
  for (unsigned port = 0; port < ullnic_ports(card); ++port) {
    print_port(card, port, zeros);
  }
}

/** Opening the card in this program has reset it: nothing of its previous state is left. */
static void say_reset(bool is_held) {
  if (!is_held) {
    printf("opening the card has reset its function: this is what that has left\n");
  }
}

static void look_at_queue(ullnic_t* card, unsigned queue, bool is_held, bool raw) {
  struct ullnic_dma_queue before;
  struct ullnic_dma_queue now;
  if (ullnic_dma_read_queue(card, queue, &before) != 0) {
    fail();
  }
  now = before;
  if (is_held) {  // else nothing can change
    nanosleep(&(struct timespec){.tv_nsec = LOOK_AGAIN_MS * 1000000L}, NULL);
    if (ullnic_dma_read_queue(card, queue, &now) != 0) {
      fail();
    }
  }
  say_reset(is_held);
  print_queue(&before, &now, is_held ? LOOK_AGAIN_MS : 0, raw);
}

/** The errors, and the events of a trace that is frozen. */
static void read_errors(ullnic_t* card, struct ullnic_dma_errors* errors,
                        struct ullnic_dma_event events[ULLNIC_DMA_EVENTS]) {
  if (ullnic_dma_read_errors(card, errors) != 0 ||
      (events_of(errors) != 0 && ullnic_dma_read_events(card, 0, events_of(errors), events) != 0)) {
    fail();
  }
}

static void look_at_errors(ullnic_t* card, bool is_held, bool raw) {
  struct ullnic_dma_errors errors;
  struct ullnic_dma_event events[ULLNIC_DMA_EVENTS];
  read_errors(card, &errors, events);
  say_reset(is_held);
  print_errors(&errors, events, raw);
}

enum what { CARD, QUEUE, ERRORS, WATCHDOG };
enum action { SHOW, ARM, DISARM };

/** What to print, or to do. */
struct subject {
  enum what what;
  unsigned queue;
  enum action action; /**< of the watchdog */
  double limit_us;
};

/** Ticks of a limit, for this DMA. */
static unsigned ticks_of(const struct ullnic_dma_errors* errors, double limit_us) {
  const double tick = tick_us(errors);
  if (tick == 0) {
    return 1;  // it has no watchdog
  }
  if (limit_us > ULLNIC_DMA_MOST_TICKS * tick) {
    fprintf(stderr, "ullnic-info: --limit: this DMA waits for %.0fus at most\n",
            ULLNIC_DMA_MOST_TICKS * tick);
    exit(WRONG_USE);
  }
  const unsigned ticks = (unsigned)(limit_us / tick);
  return ticks * tick < limit_us ? ticks + 1 : ticks;
}

static void watch(ullnic_t* card, const struct subject* subject, bool is_held) {
  struct ullnic_dma_errors errors;
  struct ullnic_dma_event events[ULLNIC_DMA_EVENTS];
  read_errors(card, &errors, events);
  if (subject->action != SHOW || !has_watchdog(errors.extensions)) {
    const unsigned ticks = subject->action == ARM ? ticks_of(&errors, subject->limit_us) : 0;
    if (ullnic_dma_watch(card, ticks, subject->queue) != 0) {  // reports that there is none
      fail();
    }
    read_errors(card, &errors, events);
  }
  say_reset(is_held);
  print_watchdog(&errors, events);
  if (subject->action == ARM && !is_held) {
    printf(
        "  a program that opens the card may reset it, which disarms the watchdog: arm it while "
        "ullnicd holds the card\n");
  }
}

/** False: not the number of a queue; prints so. */
static bool parse_queue(const char* word, unsigned* queue) {
  char* end;
  errno = 0;
  const unsigned long number = strtoul(word, &end, 0);
  if (word[0] < '0' || word[0] > '9' || *end != '\0' || errno != 0 || number > UINT16_MAX) {
    fprintf(stderr, "ullnic-info: '%s' is no number of a queue; give one as in: queue 0\n", word);
    return false;
  }
  *queue = (unsigned)number;
  return true;
}

/** False: not a time; prints so. */
static bool parse_limit(const char* text, double* us) {
  static const struct {
    const char* name;
    double us;
  } units[] = {{"us", 1}, {"ms", 1e3}, {"s", 1e6}};
  char* end;
  const double value = strtod(text, &end);
  for (unsigned i = 0; i < sizeof units / sizeof *units; ++i) {
    if (end != text && isfinite(value) && value > 0 && strcmp(end, units[i].name) == 0) {
      *us = value * units[i].us;
      return true;
    }
  }
  fprintf(stderr, "ullnic-info: --limit %s: give a time as in 500us, 10ms or 1s\n", text);
  return false;
}

/** The words after `watchdog`. */
static bool parse_watchdog(char** words, int count, struct subject* subject) {
  subject->queue = ULLNIC_DMA_EVERY_QUEUE;
  if (count == 0) {
    return true;
  }
  subject->action = strcmp(words[0], "arm") == 0 ? ARM : DISARM;
  if (subject->action == DISARM && strcmp(words[0], "disarm") != 0) {
    fprintf(stderr, "ullnic-info: watchdog '%s'? There are arm and disarm\n", words[0]);
    return false;
  }
  if (count > (subject->action == ARM ? 2 : 1)) {
    fprintf(stderr, "ullnic-info: %s\n",
            subject->action == ARM ? "give one number of a queue at most, as in: watchdog arm 0"
                                   : "watchdog disarm takes no argument");
    return false;
  }
  return count == 1 || parse_queue(words[1], &subject->queue);
}

/** False: a word too many or too few, or an unknown one; prints which. */
static bool parse_subject(char** words, int count, struct subject* subject) {
  if (count == 0) {
    return true;
  }
  static const char* const names[] = {
      [QUEUE] = "queue", [ERRORS] = "errors", [WATCHDOG] = "watchdog"};
  subject->what = WATCHDOG;
  while (subject->what != CARD && strcmp(words[0], names[subject->what]) != 0) {
    --subject->what;
  }
  switch (subject->what) {
    case QUEUE:
      if (count == 2) {
        return parse_queue(words[1], &subject->queue);
      }
      fprintf(stderr, "ullnic-info: give one number of a queue, as in: queue 0\n");
      return false;
    case ERRORS:
      if (count > 1) {
        fprintf(stderr, "ullnic-info: errors takes no argument\n");
      }
      return count == 1;
    case WATCHDOG:
      return parse_watchdog(words + 1, count - 1, subject);
    default:
      fprintf(stderr,
              "ullnic-info: what is '%s'? A card is named with --card; else there are queue N, "
              "errors and watchdog\n",
              words[0]);
      return false;
  }
}

/** False: as parse_subject(). */
static bool parse(char** words, int count, const char* limit, struct subject* subject) {
  enum { DEFAULT_LIMIT_US = 10000 };
  *subject = (struct subject){.limit_us = DEFAULT_LIMIT_US};
  if (!parse_subject(words, count, subject)) {
    return false;
  }
  if (limit == NULL) {
    return true;
  }
  if (subject->action != ARM) {
    fprintf(stderr, "ullnic-info: --limit is for watchdog arm\n");
    return false;
  }
  return parse_limit(limit, &subject->limit_us);
}

int main(int argc, char** argv) {
  static const struct option options[] = {{"card", required_argument, NULL, 'c'},
                                          {"limit", required_argument, NULL, 'l'},
                                          {"zeros", no_argument, NULL, 'z'},
                                          {"raw", no_argument, NULL, 'r'},
                                          {"version", no_argument, NULL, 'V'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  const char* name = NULL;
  const char* limit = NULL;
  bool zeros = false;
  bool raw = false;
  for (int option; (option = getopt_long(argc, argv, "c:l:zrVh", options, NULL)) != -1;) {
    switch (option) {
      case 'c':
        name = optarg;
        break;
      case 'l':
        limit = optarg;
        break;
      case 'z':
        zeros = true;
        break;
      case 'r':
        raw = true;
        break;
      case 'V':
        printf("ullnic-info %s\n", ullnic_version());
        return EXIT_SUCCESS;
      case 'h':
        fputs(usage, stdout);
        return EXIT_SUCCESS;
      default:
        fputs(usage, stderr);
        return 2;
    }
  }
  struct subject subject;
  if (!parse(argv + optind, argc - optind, limit, &subject)) {
    fputs(usage, stderr);
    return WRONG_USE;
  }
  ullnic_t* card;
  if (ullnic_open(name, &card) != 0) {
    fail();
  }
  const char* opened = name != NULL ? name : getenv("ULLNIC_CARD");
  const bool is_held = strncmp(opened, "ullnicd:", strlen("ullnicd:")) == 0;
  switch (subject.what) {
    case CARD:
      print_all(card, is_held, zeros);
      break;
    case QUEUE:
      look_at_queue(card, subject.queue, is_held, raw);
      break;
    case ERRORS:
      look_at_errors(card, is_held, raw);
      break;
    case WATCHDOG:
      watch(card, &subject, is_held);
      break;
  }
  ullnic_close(card);
  return EXIT_SUCCESS;
}
