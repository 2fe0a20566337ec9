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

/* Times that the library has not returned, slightly before and after one that it has. */
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
  exanic_rx_t* other = exanic_acquire_rx_buffer(nic, 1, 0);
  say("own_rx", other != NULL && other != rx && rx->port_number == 1 && rx->exanic == nic);
  exanic_release_rx_buffer(other);
  say("mtu", (long long)exanic_get_tx_mtu(tx));
  say("empty", exanic_receive_frame(rx, buffer, sizeof buffer, NULL));
  say_error("too_short", exanic_transmit_frame(tx, buffer, 13) != 0);
  say_error("too_long", exanic_begin_transmit_frame(tx, 20000) == NULL);
  say_error("not_begun", exanic_end_transmit_frame(tx, 60) != 0);
  say_error("flags", exanic_transmit_frame_ex(tx, buffer, 60, 2) != 0);
  say_error("not_payload", exanic_transmit_payload(tx, 0, EXANIC_TX_TYPE_RAW, buffer, 8) != 0);
  say_error("no_engine", exanic_transmit_payload(tx, 0, EXANIC_TX_TYPE_TCP_ACCEL, buffer, 8) != 0);
  say("begin", exanic_begin_transmit_frame(tx, 60) != NULL);
  say_error("begun", exanic_begin_transmit_frame(tx, 60) == NULL);
  say_error("too_much", exanic_end_transmit_frame(tx, 61) != 0);
  (void)exanic_begin_transmit_frame(tx, 60);
  say("abort", exanic_abort_transmit_frame(tx));
  char* frame = exanic_begin_transmit_frame(tx, 60);
  fill(frame, 60, 0);
  say("end", exanic_end_transmit_frame(tx, 60));
  while ((got = exanic_receive_frame(rx, small, sizeof small, NULL)) == 0) {
    rest();
  }
  say("truncated", got);
  printf("truncated_error %s\n", exanic_get_last_error());
  exanic_cycles32_t sent;
  while ((sent = exanic_get_tx_timestamp(tx)) == 0) {
    rest();
  }
  say_expanded(nic, sent);
  // The handle remains valid until the last buffer is released.
  exanic_release_handle(nic);
  fill(buffer, 60, 1);
  say("transmit", exanic_transmit_frame(tx, buffer, 60));
  while ((got = exanic_receive_frame(rx, buffer, sizeof buffer, NULL)) == 0) {
    rest();
  }
  say("second", got);
  exanic_release_rx_buffer(rx);
  exanic_release_tx_buffer(tx);
}

/** Registers and counters agree with the calls. */
static void say_more(exanic_t* nic) {
  exanic_port_stats_t stats;
  exanic_port_info_t ports[8];
  say("supported", exanic_check_supported(nic));
  say("function", exanic_get_function_id(nic));
  printf("function_text %s\n", exanic_function_id_str(exanic_get_function_id(nic)));
  printf("hw_text %s\n", exanic_hardware_id_str(exanic_get_hw_type(nic)));
  printf("tx_text %s\n", exanic_tx_type_id_str(EXANIC_TX_TYPE_TCP_ACCEL));
  say("caps", exanic_get_caps(nic) == nic->caps);
  say("cap_bits", nic->caps);
  say("hz", nic->tick_hz);
  say("demo", exanic_is_devkit_demo(nic));
  say("free", exanic_is_devkit_free(nic));
  say("firewall", exanic_get_firewall_capability(nic));
  say("configurable", exanic_port_configurable(nic, 1));
  say("autoneg", exanic_port_autoneg_enabled(nic, 1));
  say("promiscuous", exanic_get_promiscuous_mode(nic, 1));
  say("tx_types", exanic_get_supported_tx_types(nic, 1));
  say("stats", exanic_get_port_stats(nic, 0, &stats));
  say("counter",
      stats.tx_count == exanic_register_read(nic, REG_PORT_STAT_INDEX(0, REG_PORT_STAT_TX)));
  say("reg_version", exanic_register_read(nic, REG_EXANIC_INDEX(REG_EXANIC_PCIE_IF_VER)));
  say("reg_hz", exanic_register_read(nic, REG_EXANIC_INDEX(REG_EXANIC_CLK_HZ)));
  say("reg_status", exanic_register_read(nic, REG_PORT_INDEX(1, REG_PORT_STATUS)));
  say("reg_region", exanic_register_read(nic, REG_PORT_INDEX(0, REG_PORT_TX_REGION_SIZE)));
  say_error("reg_none", exanic_register_read(nic, 4000) == UINT32_MAX);
  exanic_register_write(nic, REG_PORT_INDEX(0, REG_PORT_TX_COMMAND), 8);
  printf("reg_command %s\n", exanic_get_last_error());
  exanic_register_write(nic, REG_PORT_INDEX(0, REG_PORT_ENABLED), 0);
  printf("reg_write %s\n", exanic_get_last_error());
  say("all_ports", exanic_get_all_ports(ports, sizeof ports));
  say("all_ports_1", exanic_get_all_ports(ports, sizeof ports[0]));
  say("port_1", strcmp(ports[1].device, "exanic0") == 0 && ports[1].port_number == 1);
  const exanic_cycles32_t now = exanic_register_read(nic, REG_EXANIC_INDEX(REG_EXANIC_HW_TIME));
  const uint64_t ns = exanic_timestamp_to_counter(nic, now);
  say("counter_back", (int32_t)(exanic_counter_to_timestamp(nic, ns) - now) > -8);
  exanic_err_printf("%s %d", "own text", 7);
  printf("own_error %s\n", exanic_get_last_error());
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
  say_error("bad_status", exanic_get_port_status(nic, 7) == 0);
  say_error("bad_enabled", exanic_port_enabled(nic, 7) == 0);
  say_error("odd_size", exanic_acquire_tx_buffer(nic, 0, 1000) == NULL);
  say_error("no_room", exanic_acquire_tx_buffer(nic, 0, 65 * PAGE_SIZE) == NULL);
  say_more(nic);
  say_names(nic, device);
  say_times(nic);
  say_frames(nic);
  // Everything is released: it can be acquired again.
  nic = exanic_acquire_handle(device);
  say("again", nic != NULL);
  exanic_release_handle(nic);
  return EXIT_SUCCESS;
}
