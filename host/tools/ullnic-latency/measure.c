/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Measures one frame after the other, and its answer.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "latency.h"
#include "tester.h"

/* Real time, for a card that has stalled; virtual time may advance slowly. */
enum { PATIENCE_S = 30 };
/* This many unanswered frames are not accidental. */
enum { SILENT_FRAMES = 8 };

struct bench {
  const struct options* options;
  ullnic_t* card;
  ullnic_port_t *tx, *rx;
  uint32_t frames_out;
  uint64_t out_time;
};

static int check(int result) {
  if (result < 0) {
    fail("%s", ullnic_last_error());
  }
  return result;
}

static time_t seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

static uint64_t clock_of(struct bench* bench) {
  uint64_t now = 0;
  check(tester_read_time(bench->card, &now));
  return now;
}

static void open_bench(struct bench* bench) {
  const struct options* options = bench->options;
  check(ullnic_open(options->card, &bench->card));
  if (ullnic_kind(bench->card) != ULLNIC_KIND_TESTER) {
    fail("this card is no tester; give the socket of ullnic-card's --tester-socket");
  }
  uint32_t status;
  check(ullnic_read32(bench->card, ULLNIC_CARD_REGISTER(PORT_STATUS), &status));
  const unsigned ports[2] = {options->tx_port, options->rx_port};
  for (unsigned i = 0; i < 2; ++i) {
    if ((status >> ports[i] & 1) == 0) {
      fail("port %u of the tester is joined to nothing; start ullnic-card with --port %u=tester",
           ports[i], ports[i]);
    }
  }
  check(ullnic_port_open(bench->card, options->rx_port, &bench->rx));
  bench->tx = bench->rx;
  if (options->tx_port != options->rx_port) {
    check(ullnic_port_open(bench->card, options->tx_port, &bench->tx));
  }
  // Frames that another program has sent before.
  check(tester_read_sent(bench->card, options->tx_port, &bench->frames_out, &bench->out_time));
}

/** Sends, and waits until the tester reports the frame's start. */
static uint64_t send_one(struct bench* bench, const uint8_t* frame) {
  const uint32_t before = bench->frames_out;
  check(ullnic_send_raw(bench->tx, frame, bench->options->size));
  const time_t end = seconds() + PATIENCE_S;
  while (bench->frames_out == before) {
    check(tester_read_sent(bench->card, bench->options->tx_port, &bench->frames_out,
                           &bench->out_time));
    if (seconds() > end) {
      fail("the frame does not leave the tester for %d s; is the card's link up?", PATIENCE_S);
    }
  }
  capture_frame(SENT, frame, bench->options->size, bench->out_time);
  return bench->out_time;
}

/** Reads all received frames; uses the first that answers the sample. */
static void take_frames(struct bench* bench, struct sample* sample, struct result* result) {
  struct ullnic_frame frame;
  while (check(ullnic_receive(bench->rx, &frame)) == 1) {
    capture_frame(CAME, frame.data, frame.len, frame.timestamp);
    const bool answer = frame.type == ULLNIC_FRAME_RECEIVED && frame.timestamp >= sample->tx &&
                        sample->expected && !sample->answered && is_answer(bench->options, &frame);
    if (!answer) {
      ++result->other;
    } else if (!echoes(bench->options, &frame, sample)) {
      ++result->wrong;
    } else {
      sample->answered = true;
      sample->rx = frame.timestamp;
    }
  }
}

static void wait_for_answer(struct bench* bench, struct sample* sample, struct result* result) {
  const uint64_t limit = sample->tx + (uint64_t)bench->options->timeout_us * 1000 * TICKS_PER_NS;
  const time_t end = seconds() + PATIENCE_S;
  for (bool over = false;;) {
    take_frames(bench, sample, result);
    // A frame takes time from the tester to memory: check once more after the timeout.
    if (!sample->expected || sample->answered || over) {
      return;
    }
    over = clock_of(bench) > limit;
    if (seconds() > end) {
      fail("virtual time stands still for %d s; has the card stopped?", PATIENCE_S);
    }
  }
}

/** Warns once, early: a thousand frames to a card that is not armed take long. */
static void report_silence(const struct options* options, const struct result* result) {
  fprintf(stderr, "ullnic-latency: no answer to %" PRIu32 " frames: ", result->expected);
  if (result->wrong > 0) {
    fprintf(stderr, "the card echoes other indexes; is its user logic that of STAC-T0?\n");
  } else if (result->other > 0) {
    fprintf(stderr,
            "%" PRIu32 " frames came, but none is TCP with payload; --any takes every frame\n",
            result->other);
  } else if (options->stac != STAC_NONE) {
    fprintf(stderr,
            "the card is not armed, or its mask is not --mask %" PRIx64
            ", or its answers do not leave on the port that --rx-port %u is joined to; start its "
            "host program first\n",
            options->mask, options->rx_port);
  } else {
    fprintf(stderr,
            "the card is not armed, or its answers do not leave on the port that --rx-port %u is "
            "joined to; `ullnic-trigger status` tells, `ullnic-trigger arm` arms it (after a "
            "program has connected with SO_EXA_ATE)\n",
            options->rx_port);
  }
}

void measure(const struct options* options, struct result* result) {
  struct bench bench = {.options = options};
  uint8_t frame[ULLNIC_MAX_FRAME] = {0};
  result->samples = calloc(options->count, sizeof *result->samples);
  if (result->samples == NULL) {
    fail("no memory for %u samples; take fewer with --count", options->count);
  }
  open_bench(&bench);
  struct sample before = {.tx = clock_of(&bench)};
  take_frames(&bench, &before, result);
  result->other = 0;  // they were not sent to us
  bool warned = false;
  while (result->sent < options->count && !stop) {
    struct sample* sample = &result->samples[result->sent];
    sample->expected = make_trigger(options, result->sent, frame, sample);
    sample->tx = send_one(&bench, frame);
    ++result->sent;
    wait_for_answer(&bench, sample, result);
    result->expected += sample->expected;
    result->answered += sample->answered;
    const bool last = result->sent == options->count || stop;
    const bool silent = result->answered == 0 && result->expected > 0;
    if (silent && !warned && (last || result->expected == SILENT_FRAMES)) {
      report_silence(options, result);
      warned = true;
    }
  }
  result->lost = result->expected - result->answered;
  ullnic_close(bench.card);
}
