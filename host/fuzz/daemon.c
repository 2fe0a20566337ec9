/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/* Only main() is replaced; everything else runs here. */
#define main ullnicd_main
int ullnicd_main(int argc, char** argv);
#include "daemon/main.c"
#undef main

#include "daemon.h"
#include "lwip/priv/tcp_priv.h"
#include "sandbox.h"

/* Time until engines are quiet; until TIME-WAIT, fragments and ARP requests have expired. */
enum { STEP_MS = 20, ENGINES_MS = 3000, TIME_WAIT_MS = 20000 };

static uint64_t next_tick;
static ullnic_t* the_card;

void daemon_start(const char* path, const int lines[DAEMON_PORTS]) {
  char name[64];
  snprintf(name, sizeof(name), "fake:@%d+@%d,engines=1", lines[0], lines[1]);
  parse_address("0=10.9.1.2/24");
  parse_gateway("0=10.9.1.1");
  parse_address("1=10.9.2.2/24");
  parse_vlan("1=7:3");
  if (loop_open() != 0) abort();
  lwip_init();
  the_card = open_card(name);
  if (the_card == NULL || control_open(path) != 0) abort();
}

void daemon_rounds(unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (!one_round(&next_tick)) abort(); /* the card exists until the end */
  }
}

void daemon_sleep(uint64_t ms, unsigned most_rounds) {
  for (uint64_t passed = 0; passed < ms; passed += STEP_MS) {
    sandbox_advance(STEP_MS);
    sys_check_timeouts();
    if (passed % TICK_MS == 0 && most_rounds > 0) {
      most_rounds--;
      daemon_rounds(1);
    }
  }
}

void daemon_leave(void) {
  control_end();
  sockets_abort_all(ENETDOWN);
  control_close();
  daemon_sleep(ENGINES_MS, ENGINES_MS / TICK_MS);
  /* Connections that programs closed earlier: they would retransmit for minutes. */
  while (tcp_active_pcbs != NULL) tcp_abort(tcp_active_pcbs);
  daemon_sleep(TIME_WAIT_MS, 1);
  while (ports_send()) {
  }
}
