/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results as a table and in files.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "latency.h"

static const double percentiles[] = {99.9, 99, 95, 90, 75, 50, 25, 10, 5, 1};
enum { PERCENTILES = sizeof percentiles / sizeof *percentiles };

static FILE *samples_out, *json_out, *save_out, *capture_out;

static FILE* open_report(const char* name) {
  if (name == NULL) {
    return NULL;
  }
  FILE* file = strcmp(name, "-") == 0 ? stdout : fopen(name, "w");
  if (file == NULL) {
    fail("%s: cannot write it: %s", name, strerror(errno));
  }
  return file;
}

void open_reports(const struct options* options) {
  samples_out = open_report(options->samples_file);
  json_out = open_report(options->json_file);
  save_out = open_report(options->save_file);
  capture_out = open_report(options->capture_file);
  begin_capture(capture_out, options);
}

static void close_report(FILE* file, const char* name) {
  if (file == NULL) {
    return;
  }
  const bool good = fflush(file) == 0 && ferror(file) == 0;
  if ((file != stdout && fclose(file) != 0) || !good) {
    fail("%s: it could not be written whole: %s", name, strerror(errno));
  }
}

static double ns(uint64_t ticks) { return (double)ticks / TICKS_PER_NS; }

static double latency_of(const struct options* options, const struct sample* sample) {
  return ns(sample->rx - sample->tx) - options->offset_ns;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/** Nearest rank: at least this percentage of the samples are not above it. */
static double percentile(const double* sorted, uint32_t count, double per_cent) {
  // In tenths of a per cent, exactly.
  const uint64_t permille = (uint64_t)(per_cent * 10 + 0.5);
  const uint64_t rank = (permille * count + 999) / 1000;
  return sorted[rank == 0 ? 0 : rank - 1];
}

static void write_samples(const struct options* options, const struct result* result) {
  fprintf(samples_out, "sample,index,expected,tx_ns,rx_ns,latency_ns\n");
  for (uint32_t i = 0; i < result->sent; ++i) {
    const struct sample* sample = &result->samples[i];
    fprintf(samples_out, "%" PRIu32 ",%016" PRIx64 ",%d,%.2f,", i, sample->index, sample->expected,
            ns(sample->tx));
    if (sample->answered) {
      fprintf(samples_out, "%.2f,%.2f\n", ns(sample->rx), latency_of(options, sample));
    } else {
      fprintf(samples_out, ",\n");
    }
  }
}

static void write_save(const struct result* result) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < result->sent; ++i) {
    const struct sample* sample = &result->samples[i];
    fprintf(save_out, "TX %016" PRIx64 " %016" PRIx64 " %" PRIu64 "\n", (uint64_t)i, sample->index,
            sample->tx);
  }
  for (uint32_t i = 0; i < result->sent; ++i) {
    const struct sample* sample = &result->samples[i];
    if (sample->answered) {
      fprintf(save_out, "RX %016" PRIx64 " %016" PRIx64 " %" PRIu64 "\n", number++, sample->index,
              sample->rx);
    }
  }
}

static void write_json(const struct options* options, const struct result* result,
                       const double* sorted, double mean) {
  const uint32_t count = result->answered;
  fprintf(json_out,
          "{\"sent\": %" PRIu32 ", \"expected\": %" PRIu32 ", \"answered\": %" PRIu32
          ", \"lost\": %" PRIu32 ", \"wrong\": %" PRIu32 ", \"other\": %" PRIu32
          ", \"timeout_us\": %" PRIu32 ", \"offset_ns\": %g",
          result->sent, result->expected, count, result->lost, result->wrong, result->other,
          options->timeout_us, options->offset_ns);
  if (count != 0) {
    fprintf(json_out,
            ", \"min_ns\": %.2f, \"median_ns\": %.2f, \"max_ns\": %.2f, \"mean_ns\": %.3f",
            sorted[0], percentile(sorted, count, 50), sorted[count - 1], mean);
    fprintf(json_out, ", \"percentiles_ns\": {");
    for (unsigned i = 0; i < PERCENTILES; ++i) {
      fprintf(json_out, "%s\"%g\": %.2f", i == 0 ? "" : ", ", percentiles[i],
              percentile(sorted, count, percentiles[i]));
    }
    fprintf(json_out, "}");
  }
  fprintf(json_out, "}\n");
}

static void print_table(const struct options* options, const struct result* result,
                        const double* sorted, double mean) {
  const uint32_t count = result->answered;
  // If a file goes to standard output, the table goes to standard error.
  FILE* out =
      samples_out == stdout || json_out == stdout || save_out == stdout || capture_out == stdout
          ? stderr
          : stdout;
  fprintf(out, "sent      %9" PRIu32 "\n", result->sent);
  if (options->stac != STAC_NONE) {
    fprintf(out, "triggers  %9" PRIu32 "   index without a bit of %" PRIx64 "\n", result->expected,
            options->mask);
  }
  fprintf(out, "answered  %9" PRIu32 "\n", count);
  fprintf(out, "lost      %9" PRIu32 "   no answer within %" PRIu32 " us\n", result->lost,
          options->timeout_us);
  if (result->wrong != 0) {
    fprintf(out, "wrong     %9" PRIu32 "   answers with another index\n", result->wrong);
  }
  if (result->other != 0) {
    fprintf(out, "other     %9" PRIu32 "   frames that are no answer\n", result->other);
  }
  if (count == 0) {
    return;
  }
  fprintf(out, "\nlatency, start of frame to start of frame, ns");
  if (options->offset_ns != 0) {
    fprintf(out, ", less %g", options->offset_ns);
  }
  fprintf(out, "\nmaximum   %9.2f\n", sorted[count - 1]);
  for (unsigned i = 0; i < PERCENTILES; ++i) {
    // With fewer samples it would be the maximum or minimum again.
    if (count * (percentiles[i] < 50 ? percentiles[i] : 100 - percentiles[i]) >= 100 ||
        percentiles[i] == 50) {
      fprintf(out, "%6g %%  %9.2f%s\n", percentiles[i], percentile(sorted, count, percentiles[i]),
              percentiles[i] == 50 ? "   median" : "");
    }
  }
  fprintf(out, "minimum   %9.2f\nmean      %9.2f\n", sorted[0], mean);
}

void write_reports(const struct options* options, const struct result* result) {
  double* sorted = calloc(result->answered + (size_t)1, sizeof *sorted);
  if (sorted == NULL) {
    fail("no memory for the report; take fewer samples with --count");
  }
  double sum = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < result->sent; ++i) {
    if (result->samples[i].answered) {
      sum += sorted[count++] = latency_of(options, &result->samples[i]);
    }
  }
  qsort(sorted, count, sizeof *sorted, compare);
  const double mean = count == 0 ? 0 : sum / count;
  print_table(options, result, sorted, mean);
  if (samples_out != NULL) {
    write_samples(options, result);
  }
  if (save_out != NULL) {
    write_save(result);
  }
  if (json_out != NULL) {
    write_json(options, result, sorted, mean);
  }
  free(sorted);
  close_report(samples_out, options->samples_file);
  close_report(save_out, options->save_file);
  close_report(json_out, options->json_file);
  close_report(capture_out, options->capture_file);
}
