/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results as a table and as JSON.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf.h"

static const char* const way_names[WAYS] = {"h2c", "c2h"};
static FILE* json;

static const char note[] =
    "seconds are of this machine's clock, also of one that simulates the card: rates of a virtual "
    "card are those of its simulation. simulated: by the card's clock of 250 MHz, which stands "
    "while the card has nothing to do; its host answers at once, without a PCIe link's limits";

void open_report(const struct config* config) {
  if (config->json_file == NULL) {
    return;
  }
  json = strcmp(config->json_file, "-") == 0 ? stdout : fopen(config->json_file, "w");
  if (json == NULL) {
    refuse("--json %s: cannot write it: %s", config->json_file, strerror(errno));
  }
}

/** What all rings of a direction have done. */
struct total {
  uint64_t transfers, bytes, wrong;
};

static struct total total_of(const struct perf* perf, enum way way) {
  struct total total = {0};
  for (unsigned i = way; i < perf->ring_count; i += WAYS) {
    total.transfers += perf->rings[i].transfers;
    total.bytes += perf->rings[i].bytes;
    total.wrong += perf->rings[i].wrong;
  }
  return total;
}

static bool is_measured(const struct config* config, enum way way) {
  return config->dir == DIR_BI || config->dir == (uint64_t)way;
}

static double per_second(const struct perf* perf, uint64_t bytes) {
  return perf->seconds > 0 ? (double)bytes / perf->seconds : 0;
}

/** Gbit/s of data by the card's clock; 0: unknown. */
static double simulated_gbps(const struct perf* perf, enum way way) {
  const struct simulated* simulated = &perf->simulated[way];
  return simulated->cycles == 0 ? 0
                                : 8.0 * (double)simulated->packets * (double)perf->config->pkt_sz *
                                      CLOCK_MHZ / (double)simulated->cycles / 1000;
}

/** A text in quotes. */
static void write_text(const char* text) {
  fputc('"', json);
  for (; *text != '\0'; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\' || c < ' ') {
      fprintf(json, "\\u%04x", c);
    } else {
      fputc(c, json);
    }
  }
  fputc('"', json);
}

static void write_config(const struct config* config) {
  fprintf(json,
          "{\"name\": \"%s\", \"version\": \"%s\", \"mode\": \"%s\", \"dir\": \"%s\", "
          "\"q_range\": [%" PRIu64 ", %" PRIu64 "], \"pkt_sz\": %" PRIu64 ", \"num_pkt\": %" PRIu64
          ", \"ring_entries\": %u, \"wb_acc\": %" PRIu64 ", ",
          config->name, ULLNIC_VERSION, mode_name(config), direction_name(config),
          config->q_range[0], config->q_range[1], config->pkt_sz, config->num_pkt,
          config->ring_entries, config->wb_acc);
  if (config->mode == MODE_ST) {
    fprintf(json,
            "\"trig_mode\": \"%s\", \"tmr_idx\": %" PRIu64 ", \"cntr_idx\": %" PRIu64
            ", \"cmptsz\": %" PRIu64 ", \"pfetch_en\": %" PRIu64 ", ",
            trigger_name(config), config->tmr_idx, config->cntr_idx, config->cmptsz,
            config->pfetch_en);
  }
  fprintf(json, "\"data_checked\": %s, ", config->check ? "true" : "false");
}

static void write_total(const struct perf* perf, enum way way) {
  const struct total total = total_of(perf, way);
  fprintf(json,
          "\"%s\": {\"transfers\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"wrong\": %" PRIu64
          ", \"bytes_per_second\": %.0f",
          way_names[way], total.transfers, total.bytes, total.wrong, per_second(perf, total.bytes));
  const struct simulated* simulated = &perf->simulated[way];
  if (simulated->cycles != 0) {
    fprintf(json,
            ", \"simulated\": {\"packets\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"gbps\": %.2f}",
            simulated->packets, simulated->cycles, simulated_gbps(perf, way));
  }
  fprintf(json, "}, ");
}

static void write_dump(struct perf* perf, const struct ring* ring) {
  const enum qdma_selector selectors[WAYS][4] = {
      {QDMA_SW_H2C, QDMA_HW_H2C}, {QDMA_SW_C2H, QDMA_HW_C2H, QDMA_COMPLETION, QDMA_PREFETCH}};
  static const char* const names[WAYS][4] = {{"sw", "hw"}, {"sw", "hw", "completion", "prefetch"}};
  const unsigned count = ring->way == WAY_H2C || perf->config->mode == MODE_MM ? 2 : 4;
  fprintf(json, ", \"contexts\": {");
  for (unsigned i = 0; i < count; ++i) {
    uint32_t words[QDMA_CONTEXT_WORDS] = {0};
    if (ul_qdma_context_read(&perf->qdma, selectors[ring->way][i], ring->qid, words) != 0) {
      break;
    }
    fprintf(json, "%s\"%s\": [", i == 0 ? "" : ", ", names[ring->way][i]);
    for (unsigned word = 0; word < QDMA_CONTEXT_WORDS; ++word) {
      fprintf(json, "%s%" PRIu32, word == 0 ? "" : ", ", words[word]);
    }
    fprintf(json, "]");
  }
  fprintf(json, "}");
}

static void write_json(struct perf* perf) {
  const struct config* config = perf->config;
  write_config(config);
  if (perf->error != NULL) {
    fprintf(json, "\"error\": ");
    write_text(perf->error);
    fprintf(json, ", ");
  }
  fprintf(json, "\"interrupted\": %s, \"seconds\": %.6f, ", perf->interrupted ? "true" : "false",
          perf->seconds);
  for (unsigned way = 0; way < WAYS; ++way) {
    if (is_measured(config, way)) {
      write_total(perf, way);
    }
  }
  if (perf->has_checker) {
    fprintf(json, "\"checker\": {\"packets\": %" PRIu32 ", \"match\": %s}, ", perf->checker_packets,
            perf->checker_matches ? "true" : "false");
  }
  fprintf(json, "\"queues\": [");
  const char* comma = "";
  for (unsigned i = 0; i < perf->ring_count; ++i) {
    const struct ring* ring = &perf->rings[i];
    if (!is_measured(config, ring->way)) {
      continue;
    }
    fprintf(json,
            "%s{\"queue\": %u, \"dir\": \"%s\", \"transfers\": %" PRIu64 ", \"bytes\": %" PRIu64
            ", \"wrong\": %" PRIu64,
            comma, ring->qid, way_names[ring->way], ring->transfers, ring->bytes, ring->wrong);
    if (config->dump_en != 0 && perf->error == NULL) {
      write_dump(perf, ring);
    }
    fprintf(json, "}");
    comma = ", ";
  }
  fprintf(json, "], \"note\": \"%s\"}\n", note);
}

static void print_table(const struct perf* perf, FILE* out) {
  const struct config* config = perf->config;
  fprintf(out, "%s%s%s %s, queues %" PRIu64 " to %" PRIu64 ", %" PRIu64 " bytes%s\n", config->name,
          *config->name != '\0' ? ": " : "", mode_name(config), direction_name(config),
          config->q_range[0], config->q_range[1], config->pkt_sz,
          perf->interrupted ? ", interrupted" : "");
  fprintf(out, "queue   dir      transfers            bytes  wrong\n");
  for (unsigned i = 0; i < perf->ring_count; ++i) {
    const struct ring* ring = &perf->rings[i];
    if (is_measured(config, ring->way)) {
      fprintf(out, "%5u   %s  %13" PRIu64 "  %15" PRIu64 "  %5" PRIu64 "\n", ring->qid,
              way_names[ring->way], ring->transfers, ring->bytes, ring->wrong);
    }
  }
  for (unsigned way = 0; way < WAYS; ++way) {
    const struct total total = total_of(perf, way);
    if (!is_measured(config, way)) {
      continue;
    }
    fprintf(out, "  all   %s  %13" PRIu64 "  %15" PRIu64 "  %5" PRIu64 "   %.3f s, %.3f MB/s",
            way_names[way], total.transfers, total.bytes, total.wrong, perf->seconds,
            per_second(perf, total.bytes) / 1e6);
    if (perf->simulated[way].cycles != 0) {
      fprintf(out, "; simulated %.2f Gbit/s", simulated_gbps(perf, way));
    }
    fprintf(out, "\n");
  }
  if (perf->has_checker) {
    fprintf(out, "the card's checker: %" PRIu32 " packets, %s\n", perf->checker_packets,
            perf->checker_matches ? "all with the pattern" : "not all with the pattern");
  }
  fprintf(out, "note: %s\n", note);
}

void write_report(struct perf* perf) {
  // If JSON goes to standard output, the table goes to standard error.
  print_table(perf, json == stdout ? stderr : stdout);
  if (json == NULL) {
    return;
  }
  write_json(perf);
  const bool good = fflush(json) == 0 && ferror(json) == 0;
  if ((json != stdout && fclose(json) != 0) || !good) {
    refuse("--json %s: it could not be written whole: %s", perf->config->json_file,
           strerror(errno));
  }
}
