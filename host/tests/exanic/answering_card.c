/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Holds a card and makes it answer: connection 0 without a peer and with an open window, and armed
 * user logic. Receives frames to the host until standard input ends; then prints the number of
 * mirrored orders.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stac_t0_regs.h"
#include "trigger_regs.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"
#include "ullnic/ullnic.h"

#define TRIGGER(name) (ULLNIC_USER_BASE + (uint32_t)offsetof(trigger_regs_t, name))
#define STAC_T0(name) (ULLNIC_USER_BASE + (uint32_t)offsetof(stac_t0_regs_t, name))

enum { PAYLOAD_BYTES = 12 };

static void check(int result) {
  if (result != 0) {
    fprintf(stderr, "answering-card: %s\n", ullnic_last_error());
    exit(EXIT_FAILURE);
  }
}

static void connect_engine(ullnic_t* card, unsigned port) {
  const struct ullnic_ate_connection connection = {
      .local_mac = {2, 0, 0, 0, 0, 1},
      .peer_mac = {2, 0, 0, 0, 0, 2},
      .local_ip = htonl(0x0a090102),
      .peer_ip = htonl(0x0a090103),
      .local_port = htons(40000),
      .peer_port = htons(40001),
      .seq = 1000,
      .ack = 2000,
      .window = 512,
      .vlan = ULLNIC_ATE_NO_VLAN,
  };
  check(ullnic_ate_setup(card, port, 0, &connection));
  check(ullnic_ate_enable(card, port, 0));
}

static void wait_for(ullnic_t* card, uint32_t address, uint32_t bit) {
  for (uint32_t status = 0; (status & bit) == 0;) {
    check(ullnic_read32(card, address, &status));
  }
}

static void arm_trigger(ullnic_t* card, uint32_t limit) {
  check(ullnic_write32(card, TRIGGER(CONNECTION), 0));
  check(ullnic_write32(card, TRIGGER(LENGTH), PAYLOAD_BYTES));
  check(ullnic_write32(card, TRIGGER(LIMIT), limit));
  check(ullnic_write32(card, TRIGGER(NUMBER), 0));
  check(ullnic_write32(card, TRIGGER(CONTROL), TRIGGER_REGS__CONTROL__ARM_bm));
  wait_for(card, TRIGGER(STATUS), TRIGGER_REGS__STATUS__ARMED_bm);
}

static void arm_stac_t0(ullnic_t* card, uint32_t mask) {
  check(ullnic_write32(card, STAC_T0(LENGTH), PAYLOAD_BYTES));
  check(ullnic_write32(card, STAC_T0(MASK_LO), mask));
  check(ullnic_write32(card, STAC_T0(CONTROL), STAC_T0_REGS__CONTROL__ARM_bm));
  wait_for(card, STAC_T0(STATUS), STAC_T0_REGS__STATUS__ARMED_bm);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: answering-card NAME LIMIT (of a trigger card) or MASK (STAC-T0)\n");
    return 2;
  }
  ullnic_t* card;
  ullnic_port_t* port;
  check(ullnic_open(argv[1], &card));
  const uint32_t setting = (uint32_t)strtoul(argv[2], NULL, 0);
  const bool trigger = ullnic_kind(card) == ULLNIC_KIND_TRIGGER;
  const unsigned order_port = trigger ? 1 : 0;
  check(ullnic_port_open(card, order_port, &port));
  connect_engine(card, order_port);
  (trigger ? arm_trigger : arm_stac_t0)(card, setting);
  puts("armed");
  fflush(stdout);
  struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                          {.fd = ullnic_port_fd(port), .events = POLLIN}};
  unsigned orders = 0;
  while ((fds[0].revents & (POLLIN | POLLHUP)) == 0) {
    struct ullnic_frame frame;
    int got;
    while ((got = ullnic_receive(port, &frame)) == 1) {
      orders += frame.type == ULLNIC_FRAME_SENT;
    }
    if (got == 0 && (got = ullnic_port_arm(port)) == 0) {
      poll(fds, 2, -1);
    }
    check(got < 0 ? got : 0);
  }
  printf("%u\n", orders);
  ullnic_close(card);
  return EXIT_SUCCESS;
}
