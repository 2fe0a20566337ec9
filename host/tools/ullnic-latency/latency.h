/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared declarations of ullnic-latency's files.
 */
#ifndef ULLNIC_LATENCY_H
#define ULLNIC_LATENCY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ullnic/ullnic.h"

enum { MEASURED = 0, SOME_LOST = 1, FAILED = 2 };

/** Ticks of a tester per nanosecond. */
#define TICKS_PER_NS (1000 / ULLNIC_TESTER_TICK_PS)

enum stac_shape { STAC_NONE, STAC_LONG, STAC_SHORT };

struct options {
  const char* card;
  unsigned tx_port, rx_port;
  size_t size; /**< bytes of a trigger, without FCS */
  uint32_t count;
  uint32_t timeout_us;
  bool any_answer; /**< any frame is an answer, not only TCP with payload */
  double offset_ns;
  const char* samples_file;
  const char* json_file;
  const char* save_file;
  const char* capture_file;
  enum stac_shape stac;
  bool every; /**< every index triggers */
  uint64_t mask;
  uint16_t connection;
  uint64_t seed;
};

struct sample {
  uint64_t index; /**< of STAC-T0 */
  uint64_t tx, rx;
  bool expected; /**< an answer */
  bool answered;
};

struct result {
  struct sample* samples;
  uint32_t sent;
  uint32_t expected, answered, lost;
  uint32_t wrong; /**< answers with another index */
  uint32_t other; /**< frames that are not answers */
};

/** Set by a signal: stop and report. */
extern volatile sig_atomic_t stop;

_Noreturn void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

/** Parses the command line; exits on an error. */
struct options parse_options(int argc, char** argv);

/** Writes the trigger with this number into the frame; true: an answer is expected. */
bool make_trigger(const struct options* options, uint32_t number, uint8_t* frame,
                  struct sample* sample);
/** True if it is the answer to the sample. False also for frames of software. */
bool is_answer(const struct options* options, const struct ullnic_frame* frame);
bool echoes(const struct options* options, const struct ullnic_frame* frame,
            const struct sample* sample);

void measure(const struct options* options, struct result* result);

enum direction { SENT, CAME };
/** Captures to this file from now on; NULL: no capture. */
void begin_capture(FILE* file, const struct options* options);
void capture_frame(enum direction direction, const uint8_t* data, size_t bytes, uint64_t ticks);

/** Opens the reports before anything is measured. */
void open_reports(const struct options* options);
void write_reports(const struct options* options, const struct result* result);

#endif /* ULLNIC_LATENCY_H */
