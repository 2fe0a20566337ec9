/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * In the guest: receives frames on a port of a card that is bound to vfio-pci, and sleeps for its
 * interrupt between them.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "ullnic/ullnic.h"

enum { kTimeoutMs = 20000 };

static void fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, ullnic_last_error());
  exit(1);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: first_packet CARD SLEEPS\n");
    return 2;
  }
  ullnic_t* card;
  ullnic_port_t* port;
  if (ullnic_open(argv[1], &card) != 0 || ullnic_port_open(card, 0, &port) != 0) {
    fail("open");
  }
  struct ullnic_frame frame;
  unsigned frames = 0;
  unsigned shortest = ~0U;
  for (int sleeps = atoi(argv[2]); sleeps > 0;) {
    int got;
    while ((got = ullnic_receive(port, &frame)) == 1) {
      ++frames;
      shortest = frame.len < shortest ? frame.len : shortest;
    }
    if (got < 0) {
      fail("receive");
    }
    const int armed = ullnic_port_arm(port);
    if (armed < 0) {
      fail("arm");
    }
    if (armed == 0) {
      struct pollfd wait = {ullnic_port_fd(port), POLLIN, 0};
      if (poll(&wait, 1, kTimeoutMs) != 1) {
        fprintf(stderr, "no interrupt within %d ms\n", kTimeoutMs);
        return 1;
      }
      --sleeps;
    }
  }
  printf("frames %u, shortest %u\n", frames, shortest);
  ullnic_port_close(port);
  ullnic_close(card);
  return frames > 0 ? 0 : 1;
}
