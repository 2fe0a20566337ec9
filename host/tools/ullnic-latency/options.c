/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Command line.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "latency.h"

enum {
  MIN_FRAME = 60,
  LONG_FRAME = 503,
  SHORT_FRAME = 64,
  MAX_COUNT = 100000000,
  MAX_TIMEOUT_US = 10000000,
};
static const uint64_t default_mask = 0x3ff;

static const char usage[] =
    "usage: ullnic-latency [--card NAME] [options]\n"
    "\n"
    "Measures with a tester, the far ends of a virtual card: sends a frame to the card, waits for "
    "its\n"
    "answer, and so on. Latency is from start of frame to start of frame on the wire, to 0.25 ns.\n"
    "\n"
    "  -c, --card NAME      the tester: vfio-user:PATH; without: the value of ULLNIC_CARD\n"
    "  -t, --tx-port N      port to send on (default 0; with --stac 1)\n"
    "  -r, --rx-port N      port that answers come to (default 1; with --stac 0)\n"
    "  -s, --size BYTES     of a frame without FCS, 60 to 9618 (default 60); broadcast, so that "
    "the\n"
    "                       trigger card answers; a number in bytes 14-17\n"
    "  -n, --count N        frames to send (default 1000)\n"
    "  -T, --timeout US     virtual time after which an answer is lost (default 100)\n"
    "  -a, --any            any frame is an answer (a cable, a loopback); without: TCP with "
    "payload\n"
    "  -O, --offset NS      subtract this from each latency\n"
    "  -w, --samples FILE   every sample as CSV; - is standard output\n"
    "  -j, --json FILE      the report as JSON; - is standard output\n"
    "  -p, --pcapng FILE    frames sent and received, in ns of virtual time\n"
    "  -V, --version        version of the library\n"
    "  -h, --help           this text\n"
    "\n"
    "STAC-T0: frames with a random 64-bit index, of which those without a bit of the mask "
    "trigger.\n"
    "  -S, --stac SHAPE     long (503 bytes) or short (64 bytes)\n"
    "  -m, --mask HEX       that the card is set to (default 3ff)\n"
    "  -e, --every          send only indexes that trigger\n"
    "  -C, --connection ID  of the card's transmit engine (default 0)\n"
    "  -R, --seed N         of the indexes (default 1)\n"
    "  -x, --save FILE      what was sent and came: rows TX ORDER INDEX TICKS and RX NUMBER INDEX "
    "TICKS\n"
    "\n"
    "Exit code 0: all answered as they should be; 1: some were not; 2: not measured.\n";

static uint64_t number_of(const char* option, const char* text, uint64_t min, uint64_t max,
                          int base) {
  char* end;
  errno = 0;
  const unsigned long long value = strtoull(text, &end, base);
  if (errno != 0 || end == text || *end != '\0' || strchr(text, '-') != NULL || value < min ||
      value > max) {
    fail("--%s %s: give a number from %llu to %llu", option, text, (unsigned long long)min,
         (unsigned long long)max);
  }
  return value;
}

static double offset_of(const char* text) {
  char* end;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(value)) {
    fail("--offset %s: give nanoseconds, as in 4.75", text);
  }
  return value;
}

static enum stac_shape shape_of(const char* text) {
  if (strcmp(text, "long") == 0) {
    return STAC_LONG;
  }
  if (strcmp(text, "short") == 0) {
    return STAC_SHORT;
  }
  fail("--stac %s: give long or short", text);
}

static void check(struct options* options, bool stac_only, bool sized, bool ports[2]) {
  const bool stac = options->stac != STAC_NONE;
  if (!stac && stac_only) {
    fail("--mask, --every, --connection, --seed and --save need --stac long or --stac short");
  }
  if (stac && (sized || options->any_answer)) {
    fail("--stac sets the size, and its answers are TCP: leave --size and --any out");
  }
  if (stac) {
    options->size = options->stac == STAC_LONG ? LONG_FRAME : SHORT_FRAME;
  }
  if (!ports[0]) {
    options->tx_port = stac ? 1 : 0;
  }
  if (!ports[1]) {
    options->rx_port = stac ? 0 : 1;
  }
}

struct options parse_options(int argc, char** argv) {
  static const struct option names[] = {{"card", required_argument, NULL, 'c'},
                                        {"tx-port", required_argument, NULL, 't'},
                                        {"rx-port", required_argument, NULL, 'r'},
                                        {"size", required_argument, NULL, 's'},
                                        {"count", required_argument, NULL, 'n'},
                                        {"timeout", required_argument, NULL, 'T'},
                                        {"any", no_argument, NULL, 'a'},
                                        {"offset", required_argument, NULL, 'O'},
                                        {"samples", required_argument, NULL, 'w'},
                                        {"json", required_argument, NULL, 'j'},
                                        {"version", no_argument, NULL, 'V'},
                                        {"help", no_argument, NULL, 'h'},
                                        {"stac", required_argument, NULL, 'S'},
                                        {"mask", required_argument, NULL, 'm'},
                                        {"every", no_argument, NULL, 'e'},
                                        {"seed", required_argument, NULL, 'R'},
                                        {"connection", required_argument, NULL, 'C'},
                                        {"save", required_argument, NULL, 'x'},
                                        {"pcapng", required_argument, NULL, 'p'},
                                        {0}};
  struct options options = {
      .size = MIN_FRAME, .count = 1000, .timeout_us = 100, .mask = default_mask, .seed = 1};
  bool stac_only = false, sized = false, ports[2] = {false, false};
  for (int option; (option = getopt_long(argc, argv, "c:t:r:s:n:T:aO:w:j:p:VhS:m:eC:R:x:", names,
                                         NULL)) != -1;) {
    switch (option) {
      case 'c':
        options.card = optarg;
        break;
      case 't':
        options.tx_port = (unsigned)number_of("tx-port", optarg, 0, ULLNIC_MAX_PORTS - 1, 10);
        ports[0] = true;
        break;
      case 'r':
        options.rx_port = (unsigned)number_of("rx-port", optarg, 0, ULLNIC_MAX_PORTS - 1, 10);
        ports[1] = true;
        break;
      case 's':
        options.size = number_of("size", optarg, MIN_FRAME, ULLNIC_MAX_FRAME, 10);
        sized = true;
        break;
      case 'n':
        options.count = (uint32_t)number_of("count", optarg, 1, MAX_COUNT, 10);
        break;
      case 'T':
        options.timeout_us = (uint32_t)number_of("timeout", optarg, 1, MAX_TIMEOUT_US, 10);
        break;
      case 'a':
        options.any_answer = true;
        break;
      case 'O':
        options.offset_ns = offset_of(optarg);
        break;
      case 'w':
        options.samples_file = optarg;
        break;
      case 'j':
        options.json_file = optarg;
        break;
      case 'p':
        options.capture_file = optarg;
        break;
      case 'S':
        options.stac = shape_of(optarg);
        break;
      case 'm':
        options.mask = number_of("mask", optarg, 0, UINT64_MAX, 16);
        stac_only = true;
        break;
      case 'e':
        options.every = stac_only = true;
        break;
      case 'C':
        options.connection = (uint16_t)number_of("connection", optarg, 0, UINT16_MAX, 10);
        stac_only = true;
        break;
      case 'R':
        options.seed = number_of("seed", optarg, 0, UINT64_MAX, 10);
        stac_only = true;
        break;
      case 'x':
        options.save_file = optarg;
        stac_only = true;
        break;
      case 'V':
        printf("ullnic-latency %s\n", ullnic_version());
        exit(EXIT_SUCCESS);
      case 'h':
        fputs(usage, stdout);
        exit(EXIT_SUCCESS);
      default:
        fputs(usage, stderr);
        exit(FAILED);
    }
  }
  if (optind != argc) {
    fail("%s: there is no such argument; see --help", argv[optind]);
  }
  check(&options, stac_only, sized, ports);
  return options;
}
