/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ullnic-info: identity of a card, its ports, their links and counters; the state of its DMA.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
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
    "\n"
    "Prints what a card is, its ports, their links and counters. A card that ullnicd holds is\n"
    "asked for through it; any other must not be in use, and is reset.\n"
    "\n"
    "  queue N          what queue N of the DMA waits for: rings, indexes, what is pending,\n"
    "                   timer, interrupts; queue N is that of port N. Looks twice, 100 ms apart\n"
    "  errors           the DMA's errors, the first of each kind, and who is told\n"
    "\n"
    "  -c, --card NAME  vfio-user:PATH (socket of a virtual card), vfio:0000:01:00.0, or\n"
    "                   ullnicd:PATH (socket of the daemon, may be empty); without: the value\n"
    "                   of ULLNIC_CARD\n"
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

static void look_at_errors(ullnic_t* card, bool is_held, bool raw) {
  struct ullnic_dma_errors errors;
  if (ullnic_dma_read_errors(card, &errors) != 0) {
    fail();
  }
  say_reset(is_held);
  print_errors(&errors, raw);
}

/** What to print. */
struct subject {
  bool is_queue;
  bool is_errors;
  unsigned queue;
};

/** False: a word too many or too few, or an unknown one; prints which. */
static bool parse_subject(char** words, int count, struct subject* subject) {
  *subject = (struct subject){0};
  if (count == 0) {
    return true;
  }
  subject->is_queue = strcmp(words[0], "queue") == 0;
  subject->is_errors = strcmp(words[0], "errors") == 0;
  if (!subject->is_queue && !subject->is_errors) {
    fprintf(stderr,
            "ullnic-info: what is '%s'? A card is named with --card; else there are queue N and "
            "errors\n",
            words[0]);
    return false;
  }
  if (count != (subject->is_queue ? 2 : 1)) {
    fprintf(stderr, "ullnic-info: %s\n",
            subject->is_queue ? "give one number of a queue, as in: queue 0"
                              : "errors takes no argument");
    return false;
  }
  if (subject->is_queue) {
    char* end;
    errno = 0;
    const unsigned long number = strtoul(words[1], &end, 0);
    if (words[1][0] < '0' || words[1][0] > '9' || *end != '\0' || errno != 0 ||
        number > UINT16_MAX) {
      fprintf(stderr, "ullnic-info: '%s' is no number of a queue; give one as in: queue 0\n",
              words[1]);
      return false;
    }
    subject->queue = (unsigned)number;
  }
  return true;
}

int main(int argc, char** argv) {
  static const struct option options[] = {
      {"card", required_argument, NULL, 'c'}, {"zeros", no_argument, NULL, 'z'},
      {"raw", no_argument, NULL, 'r'},        {"version", no_argument, NULL, 'V'},
      {"help", no_argument, NULL, 'h'},       {0}};
  const char* name = NULL;
  bool zeros = false;
  bool raw = false;
  for (int option; (option = getopt_long(argc, argv, "c:zrVh", options, NULL)) != -1;) {
    switch (option) {
      case 'c':
        name = optarg;
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
  if (!parse_subject(argv + optind, argc - optind, &subject)) {
    fputs(usage, stderr);
    return WRONG_USE;
  }
  ullnic_t* card;
  if (ullnic_open(name, &card) != 0) {
    fail();
  }
  const char* opened = name != NULL ? name : getenv("ULLNIC_CARD");
  const bool is_held = strncmp(opened, "ullnicd:", strlen("ullnicd:")) == 0;
  if (subject.is_queue) {
    look_at_queue(card, subject.queue, is_held, raw);
  } else if (subject.is_errors) {
    look_at_errors(card, is_held, raw);
  } else {
    print_all(card, is_held, zeros);
  }
  ullnic_close(card);
  return EXIT_SUCCESS;
}
