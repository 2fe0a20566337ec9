/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Command line, and the modes "turns" and "late".
 */
#include "calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUFFER_BYTES = 2048, REST_US = 100 };

void fail_call(const char* call) {
  fprintf(stderr, "%s: %s\n", call, exanic_get_last_error());
  exit(EXIT_FAILURE);
}

void rest(void) { usleep(REST_US); }

/* Both cards answer it: broadcast; STAC-T0's short form, connection 0, index 0 in each position. */
void fill(char* frame, size_t bytes, uint32_t number) {
  memset(frame, 0, bytes);
  memset(frame, 0xff, 6);
  memset(frame + 6, 0x22, 6);
  memcpy(frame + 14, &number, sizeof number);
  if (bytes > 42) {
    frame[42] = 'B';
  }
}

static void print_frame(const char* buffer, ssize_t size, exanic_cycles_t sent,
                        exanic_cycles_t received, int64_t ps) {
  printf("%" PRId64 " %" PRId64 " %" PRId64 " ", sent, received, ps);
  for (ssize_t i = 0; i < size; ++i) {
    printf("%02x", (unsigned char)buffer[i]);
  }
  printf("\n");
}

int run_turns(const char* device, int tx_port, int rx_port, int count, size_t bytes) {
  exanic_t* nic = exanic_acquire_handle(device);
  exanic_rx_t* rx = nic == NULL ? NULL : exanic_acquire_rx_buffer(nic, rx_port, 0);
  exanic_tx_t* tx = rx == NULL ? NULL : exanic_acquire_tx_buffer(nic, tx_port, 0);
  if (tx == NULL) {
    fail_call("turns");
  }
  char frame[BUFFER_BYTES], buffer[BUFFER_BYTES];
  for (int i = 0; i < count; ++i) {
    exanic_cycles32_t start, end;
    ssize_t size;
    const exanic_cycles32_t before = exanic_get_tx_timestamp(tx);
    fill(frame, bytes, (uint32_t)i);
    (void)exanic_transmit_frame(tx, frame, bytes);  // as programs do
    while ((start = exanic_get_tx_timestamp(tx)) == before) {
      rest();
    }
    while ((size = exanic_receive_frame(rx, buffer, sizeof buffer, &end)) <= 0) {
      rest();
    }
    struct exanic_timespecps ts;
    const exanic_cycles_t sent = exanic_expand_timestamp(nic, start);
    const exanic_cycles_t received = exanic_expand_timestamp(nic, end);
    exanic_cycles_to_timespecps(nic, received - sent, &ts);
    print_frame(buffer, size, sent, received, ts.tv_psec);
    fflush(stdout);
  }
  exanic_release_tx_buffer(tx);
  exanic_release_rx_buffer(rx);
  exanic_release_handle(nic);
  return EXIT_SUCCESS;
}

/** Sends, and waits until it has been sent. */
static void send_one(exanic_tx_t* tx, uint32_t number) {
  char frame[60];
  const exanic_cycles32_t before = exanic_get_tx_timestamp(tx);
  fill(frame, sizeof frame, number);
  if (exanic_transmit_frame(tx, frame, sizeof frame) != 0) {
    fail_call("exanic_transmit_frame");
  }
  while (exanic_get_tx_timestamp(tx) == before) {
    rest();
  }
}

int run_late(const char* device, int count) {
  char buffer[BUFFER_BYTES];
  exanic_cycles32_t when;
  exanic_t* nic = exanic_acquire_handle(device);
  exanic_tx_t* other = nic == NULL ? NULL : exanic_acquire_tx_buffer(nic, 1, 0);
  exanic_tx_t* tx = other == NULL ? NULL : exanic_acquire_tx_buffer(nic, 0, 0);
  for (int i = 0; tx != NULL && i < count; ++i) {
    send_one(tx, (uint32_t)i);
  }
  exanic_rx_t* rx = tx == NULL ? NULL : exanic_acquire_rx_buffer(nic, 1, 0);
  if (rx == NULL) {
    fail_call("late");
  }
  send_one(tx, (uint32_t)count);
  for (ssize_t size, idle = 0; idle < 1000;) {
    size = exanic_receive_frame(rx, buffer, sizeof buffer, &when);
    idle = size == 0 ? idle + 1 : 0;
    if (size != 0) {
      print_frame(buffer, size, 0, exanic_expand_timestamp(nic, when), 0);
    }
  }
  exanic_release_handle(nic);
  exanic_release_rx_buffer(rx);
  exanic_release_tx_buffer(tx);
  exanic_release_tx_buffer(other);
  return EXIT_SUCCESS;
}

static int run_fork(void) {
  exanic_t* nic = exanic_acquire_handle("exanic0");
  if (nic == NULL) {
    fail_call("exanic_acquire_handle");
  }
  const pid_t child = fork();
  if (child == 0) {
    const int refused = exanic_acquire_rx_buffer(nic, 0, 0) == NULL &&
                        exanic_acquire_tx_buffer(nic, 0, 0) == NULL &&
                        exanic_acquire_handle("exanic0") == NULL;
    _exit(refused ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  int status = -1;
  waitpid(child, &status, 0);
  puts(status == 0 ? "refused" : "not refused");
  exanic_release_handle(nic);
  return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "fork") == 0) {
    return run_fork();
  }
  if (argc == 2 && strcmp(argv[1], "chunks") == 0) {
    return run_chunks();
  }
  if (argc == 2 && strcmp(argv[1], "script") == 0) {
    return run_script();
  }
  if (argc == 3 && strcmp(argv[1], "ring") == 0) {
    return run_ring(atoi(argv[2]));
  }
  if (argc == 3 && strcmp(argv[1], "facts") == 0) {
    return run_facts(argv[2]);
  }
  if (argc == 4 && strcmp(argv[1], "late") == 0) {
    return run_late(argv[2], atoi(argv[3]));
  }
  if (argc == 4 && strcmp(argv[1], "flood") == 0) {
    return run_flood(argv[2], atoi(argv[3]));
  }
  const int known = argc == 7 && (strcmp(argv[1], "turns") == 0 || strcmp(argv[1], "threads") == 0);
  if (!known) {
    fprintf(stderr,
            "usage: chunks | fork | script | ring COUNT | facts DEVICE | late|flood DEVICE COUNT | "
            "turns|threads DEVICE TX_PORT RX_PORT "
            "COUNT "
            "BYTES\n");
    return 2;
  }
  return (argv[1][1] == 'u' ? run_turns : run_threads)(argv[2], atoi(argv[3]), atoi(argv[4]),
                                                       atoi(argv[5]), (size_t)atoi(argv[6]));
}
