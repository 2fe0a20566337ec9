/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The mode "facts": lines of a name and what was found.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"

static void say(const char* what, long long value) { printf("%s %lld\n", what, value); }

static void say_error(const char* what, int failed) {
  printf("%s %s\n", what, failed ? exanic_get_last_error() : "no error");
}

static void say_names(exanic_t* nic, const char* device) {
  char name[32], found[32];
  int port = -1;
  say("interface", exanic_get_interface_name(nic, 1, name, sizeof name));
  printf("interface_name %s\n", name);
  say("find", exanic_find_port_by_interface_name(name, found, sizeof found, &port));
  say("found", strcmp(found, device) == 0 ? port : -1);
  say_error("short_name", exanic_get_interface_name(nic, 1, name, 3) != 0);
  say_error("bad_name",
            exanic_find_port_by_interface_name("eth0", found, sizeof found, &port) != 0);
}

static void say_times(exanic_t* nic) {
  struct exanic_timespecps ps;
  struct timespec ns;
  bool overflow;
  const exanic_cycles_t cycles = INT64_C(4000000000) * 3 + 7;
  exanic_cycles_to_timespecps(nic, cycles, &ps);
  exanic_cycles_to_timespec(nic, cycles, &ns);
  say("ps_sec", ps.tv_sec);
  say("ps_psec", ps.tv_psec);
  say("ns_sec", ns.tv_sec);
  say("ns_nsec", ns.tv_nsec);
  say("ns", exanic_cycles_to_ns(nic, cycles));
  say("ps", exanic_cycles_to_ps(nic, cycles, &overflow));
  say("overflow", overflow);
  (void)exanic_cycles_to_ps(nic, INT64_MAX / 2, &overflow);
  say("overflow_big", overflow);
}

/* Of moments that the library has not given out, a little before and behind one that it has. */
static void say_expanded(exanic_t* nic, exanic_cycles32_t given) {
  const exanic_cycles_t whole = exanic_expand_timestamp(nic, given);
  const int64_t second = 1000000000000 / exanic_cycles_to_ps(nic, 1, NULL);
  say("late", whole > second);
  say("expand_before", exanic_expand_timestamp(nic, given - 999) - whole);
  say("expand_behind", exanic_expand_timestamp(nic, given + 999) - whole);
}

static void say_frames(exanic_t* nic) {
  char buffer[128], small[16];
  ssize_t got;
  exanic_rx_t* rx = exanic_acquire_rx_buffer(nic, 1, 0);
  exanic_tx_t* tx = exanic_acquire_tx_buffer(nic, 0, 4096);
  if (rx == NULL || tx == NULL) {
    fail_call("buffers");
  }
  say("same_rx", exanic_acquire_rx_buffer(nic, 1, 0) == rx);
  exanic_release_rx_buffer(rx);
  say("mtu", (long long)exanic_get_tx_mtu(tx));
  say("empty", exanic_receive_frame(rx, buffer, sizeof buffer, NULL));
  say_error("too_short", exanic_transmit_frame(tx, buffer, 13) != 0);
  say_error("too_long", exanic_begin_transmit_frame(tx, 20000) == NULL);
  say_error("not_begun", exanic_end_transmit_frame(tx, 60) != 0);
  say("begin", exanic_begin_transmit_frame(tx, 60) != NULL);
  say_error("begun", exanic_begin_transmit_frame(tx, 60) == NULL);
  say("abort", exanic_abort_transmit_frame(tx));
  char* frame = exanic_begin_transmit_frame(tx, 60);
  fill(frame, 60, 0);
  say("end", exanic_end_transmit_frame(tx, 60));
  while ((got = exanic_receive_frame(rx, small, sizeof small, NULL)) == 0) {
  }
  say("truncated", got);
  printf("truncated_error %s\n", exanic_get_last_error());
  exanic_cycles32_t sent;
  while ((sent = exanic_get_tx_timestamp(tx)) == 0) {
  }
  say_expanded(nic, sent);
  // The handle stays until the last buffer is released.
  exanic_release_handle(nic);
  fill(buffer, 60, 1);
  say("transmit", exanic_transmit_frame(tx, buffer, 60));
  while ((got = exanic_receive_frame(rx, buffer, sizeof buffer, NULL)) == 0) {
  }
  say("second", got);
  exanic_release_rx_buffer(rx);
  exanic_release_tx_buffer(tx);
}

int run_facts(const char* device) {
  char with_port[64];
  snprintf(with_port, sizeof with_port, "%s:1", device);
  exanic_t* nic = exanic_acquire_handle(device);
  if (nic == NULL) {
    fail_call("exanic_acquire_handle");
  }
  exanic_t* same = exanic_acquire_handle(with_port);
  say("same_handle", same == nic);
  exanic_retain_handle(nic);
  exanic_release_handle(nic);
  exanic_release_handle(same);
  say("hpt", exanic_get_hw_type(nic) == EXANIC_HW_X10_HPT);
  say("ports", exanic_get_num_ports(nic));
  say("enabled", exanic_port_enabled(nic, 0));
  say("rx_usable", exanic_port_rx_usable(nic, 0));
  say("tx_usable", exanic_port_tx_usable(nic, 1));
  say("status", exanic_get_port_status(nic, 1));
  say("speed", exanic_get_port_speed(nic, 0));
  say_error("no_device", exanic_acquire_handle(NULL) == NULL);
  say_error("unset", exanic_acquire_handle("exanic7") == NULL);
  say_error("nonsense", exanic_acquire_handle("exanicx") == NULL);
  say_error("port_9", exanic_acquire_handle("exanic0:9") == NULL);
  say_error("port_5", exanic_acquire_handle("exanic0:5") == NULL);
  say_error("busy", exanic_acquire_handle(getenv("ULLNIC_EXANIC0")) == NULL);
  say_error("bad_port", exanic_acquire_tx_buffer(nic, 5, 0) == NULL);
  say_error("bad_rx_port", exanic_acquire_rx_buffer(nic, -1, 0) == NULL);
  say_error("bad_buffer", exanic_acquire_rx_buffer(nic, 0, 1) == NULL);
  say_error("bad_status", exanic_get_port_status(nic, 7) < 0);
  say_names(nic, device);
  say_times(nic);
  say_frames(nic);
  // All is released: it can be had again.
  nic = exanic_acquire_handle(device);
  say("again", nic != NULL);
  exanic_release_handle(nic);
  return EXIT_SUCCESS;
}
