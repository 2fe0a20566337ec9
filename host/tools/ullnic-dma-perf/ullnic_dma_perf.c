/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ullnic-dma-perf: how much the DMA of an example design transfers.
 */
#include <stdio.h>

#include "perf.h"
#include "ullnic/ullnic.h"

volatile sig_atomic_t stop;

static void on_signal(int number) {
  (void)number;
  stop = 1;
}

static uint64_t wrong_of(const struct perf* perf) {
  uint64_t wrong = 0, sent = 0;
  for (unsigned i = 0; i < perf->ring_count; ++i) {
    wrong += perf->rings[i].wrong;
    sent += perf->rings[i].way == WAY_H2C ? perf->rings[i].transfers : 0;
  }
  const bool checker_differs = perf->has_checker && sent != 0 &&
                               (!perf->checker_matches || perf->checker_packets != (uint32_t)sent);
  return wrong + checker_differs;
}

static int complain(const char* error) {
  fprintf(stderr, "ullnic-dma-perf: %s\n", error);
  return DMA_FAILED;
}

static int measure(struct perf* perf) {
  if (perf_open(perf) != 0) {
    return complain(ullnic_last_error());
  }
  char error[512];  // writing the report may change the library's text
  if (perf_run(perf) != 0) {
    snprintf(error, sizeof error, "%s", ullnic_last_error());
    perf->error = error;
  }
  write_report(perf);
  if (perf->error != NULL) {
    // The queues are not stopped, which could fail as well: who opens the card next resets it.
    return complain(perf->error);
  }
  if (stop_queues(perf) != 0) {
    return complain(ullnic_last_error());
  }
  return wrong_of(perf) == 0
             ? DONE
             : complain("data that arrived are not those that were sent; see the report");
}

int main(int argc, char** argv) {
  struct config config;
  parse_options(argc, argv, &config);
  struct perf perf = {.config = &config, .memory = {.fd = -1}};
  open_report(&config);
  const struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  const int code = measure(&perf);
  perf_close(&perf);
  return code;
}
