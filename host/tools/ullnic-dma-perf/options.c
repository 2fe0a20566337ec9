/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Command line.
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "ullnic/ullnic.h"

static const char usage[] =
    "usage: ullnic-dma-perf [--card NAME] --config FILE [options]\n"
    "\n"
    "Measures the DMA of an example design: all queues work at once, their rings kept full. FILE "
    "is a\n"
    "configuration of the public tool dma-perf; its keys are below.\n"
    "\n"
    "  -c, --config FILE       lines KEY=VALUE; # begins a comment\n"
    "  -s, --set KEY=VALUE     sets or replaces a key; may be repeated\n"
    "  -C, --card NAME         vfio-user:PATH (socket of a virtual card) or vfio:0000:01:00.0; "
    "without:\n"
    "                          the value of ULLNIC_CARD, or vfio: with pci_bus and pci_device\n"
    "  -n, --transfers N       end after N transfers of each queue and direction, or after "
    "runtime\n"
    "  -t, --timeout S         give up if a queue makes no progress for S seconds (default 20)\n"
    "  -k, --no-check          do not compare data\n"
    "  -j, --json FILE         the report as JSON; - is standard output\n"
    "  -V, --version           version of the library\n"
    "  -h, --help              this text\n"
    "\n"
    "Keys, mode, dir and pkt_sz required:\n"
    "  mode                    mm (memory-mapped) or st (streaming)\n"
    "  dir                     h2c, c2h or bi\n"
    "  q_range                 FIRST:LAST, queues of the function (default 0:0)\n"
    "  pkt_sz                  bytes of a transfer, 1 to 32768: a packet, or a descriptor\n"
    "  runtime                 seconds, 0 to 86400 (default 0: --transfers ends the run)\n"
    "  num_pkt                 transfers of a burst, 1 to 1024 (default 64): each begins at the "
    "same card\n"
    "                          addresses\n"
    "  rngidx                  ring of 2048, 64, 128, 192, 256, 384, 512, 768, 1024, 1536, 3072, "
    "4096,\n"
    "                          6144, 8192, 12288, 16384 entries (0 to 15, default 0)\n"
    "  wb_acc                  status of a descriptor ring every 4 << N descriptors, 0 to 7 "
    "(default 5);\n"
    "                          also cmpl_status_acc\n"
    "  trig_mode               of completion rings: dis, every, usr_cnt, usr, usr_tmr, cntr_tmr "
    "(default)\n"
    "  tmr_idx, cntr_idx       its timer and count, 0 to 15\n"
    "  cmptsz                  completion entries of 8, 16, 32, 64 bytes, 0 to 3\n"
    "  pfetch_en               prefetch of C2H descriptors, 0 or 1\n"
    "  marker_en               a marker after the last packet of C2H, 0 or 1 (default 1)\n"
    "  dump_en                 contexts of the queues in the report, 0 or 1\n"
    "  keyhole_en              card addresses stay within aperture_sz bytes, 0 or 1\n"
    "  aperture_sz             a multiple of pkt_sz\n"
    "  offset_ch0, offset      card address of the first transfer\n"
    "  offset_q_en             1: the four keys below are added to it\n"
    "  h2c_q_start_offset      bytes; also c2h_q_start_offset\n"
    "  h2c_q_offset_intvl      bytes times the queue's number; also c2h_q_offset_intvl\n"
    "  pci_bus, pci_device     hexadecimal, if no card is named\n"
    "  name                    of the report\n"
    "\n"
    "Accepted without effect: num_threads (one thread serves all queues), no_memcpy, an empty "
    "flags. Only\n"
    "one value is possible: pf_range=0:0, mm_chnl=0, offset_ch1=0, vf_perf=0, stm_mode=0. The "
    "keys pipe_*\n"
    "are refused.\n"
    "\n"
    "Exit code 0: measured; 1: the card or a transfer failed; 2: wrong configuration.\n";

void refuse(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("ullnic-dma-perf: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(BAD_CONFIG);
}

static uint64_t number_of(const char* option, const char* text, uint64_t min, uint64_t max) {
  char* end;
  errno = 0;
  const unsigned long long value = strtoull(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || strchr(text, '-') != NULL || value < min ||
      value > max) {
    refuse("--%s %s: give a number from %llu to %llu", option, text, (unsigned long long)min,
           (unsigned long long)max);
  }
  return value;
}

static const char short_options[] = "c:s:C:n:t:kj:Vh";
static const struct option names[] = {
    {"config", required_argument, NULL, 'c'},  {"set", required_argument, NULL, 's'},
    {"card", required_argument, NULL, 'C'},    {"transfers", required_argument, NULL, 'n'},
    {"timeout", required_argument, NULL, 't'}, {"no-check", no_argument, NULL, 'k'},
    {"json", required_argument, NULL, 'j'},    {"version", no_argument, NULL, 'V'},
    {"help", no_argument, NULL, 'h'},          {0}};

/** Files first, whatever the order: what --set gives replaces what they have. */
static void read_files(int argc, char** argv, struct config* config) {
  bool has_file = false;
  for (int option; (option = getopt_long(argc, argv, short_options, names, NULL)) != -1;) {
    if (option == 'h') {
      fputs(usage, stdout);
      exit(DONE);
    }
    if (option == 'V') {
      printf("ullnic-dma-perf %s\n", ullnic_version());
      exit(DONE);
    }
    if (option == '?') {
      fputs(usage, stderr);
      exit(BAD_CONFIG);
    }
    if (option == 'c') {
      if (has_file) {
        refuse("--config %s: give one file", optarg);
      }
      has_file = true;
      config_file(config, optarg);
    }
  }
  if (optind != argc) {
    refuse("%s: there is no such argument; see --help", argv[optind]);
  }
}

void parse_options(int argc, char** argv, struct config* config) {
  enum { MAX_TIMEOUT_S = 3600 };
  config_init(config);
  const char* card = getenv("ULLNIC_CARD");
  config->card = card != NULL && *card != '\0' ? card : NULL;
  read_files(argc, argv, config);
  optind = 1;
  for (int option; (option = getopt_long(argc, argv, short_options, names, NULL)) != -1;) {
    switch (option) {
      case 's':
        config_set(config, optarg);
        break;
      case 'C':
        config->card = optarg;
        break;
      case 'n':
        config->transfers = number_of("transfers", optarg, 1, UINT32_MAX);
        break;
      case 't':
        config->timeout_s = number_of("timeout", optarg, 1, MAX_TIMEOUT_S);
        break;
      case 'k':
        config->check = false;
        break;
      case 'j':
        config->json_file = optarg;
        break;
      default:
        break;
    }
  }
  config_check(config);
}
