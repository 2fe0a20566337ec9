/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The mode "script": commands on standard input, one per line; their results on standard output.
 * exanic0 is a tester, exanic1 the card that it is connected to.
 *
 *   rx PORT BUFFER       listen (-1: an unused buffer)        -> buffer NUMBER | error TEXT
 *   drop LISTENER        stop listening; they count from 0
 *   ip LISTENER SRC DST SPORT DPORT PROTOCOL    a filter      -> filter NUMBER | error TEXT
 *   mac LISTENER MAC TYPE VLAN METHOD
 *   rmip|rmmac PORT NUMBER                                    -> removed | error TEXT
 *   hash PORT BUFFERS FUNCTION, nohash PORT                   -> buffers NUMBER | error TEXT
 *   send PORT HEX        from the card                        -> got LISTENER=FILTER:HEX ...
 *   preload PORT TYPE FEEDBACK HEX   two chunks in a buffer, the second is sent     -> got ...
 *   pay PORT CONNECTION HEX, paybegin PORT CONNECTION HEX     -> got ... | error TEXT
 *   write INDEX VALUE, read INDEX   a register of the card    -> value NUMBER
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "calls.h"

enum {
  MOST = 40,
  FRAME_BYTES = 9700,
  LINE_BYTES = 2 * FRAME_BYTES,
  PATIENCE_S = 10,
  NO_FEEDBACK = 0x8000,
  AFTER = 200
};

static exanic_t *tester, *card;
static exanic_rx_t* listeners[MOST];
static int listener_count;

static void say_result(const char* word, int result) {
  if (result < 0) {
    printf("error %s\n", exanic_get_last_error());
  } else {
    printf("%s %d\n", word, result);
  }
}

static size_t from_hex(const char* hex, char* bytes) {
  size_t count = 0;
  for (unsigned value; sscanf(hex + 2 * count, "%2x", &value) == 1; ++count) {
    bytes[count] = (char)value;
  }
  return count;
}

/** Reads a listener's frame in chunks; true if there was one. */
static int take_from(int listener) {
  char* data;
  int more = 1;
  struct rx_chunk_info info;
  ssize_t size;
  char frame[FRAME_BYTES];
  size_t total = 0;
  while (more && (size = exanic_receive_chunk_inplace_ex(listeners[listener], &data, NULL, &more,
                                                         &info)) != 0) {
    if (size < 0 || total + (size_t)size > sizeof frame) {
      fail_call("exanic_receive_chunk_inplace_ex");
    }
    memcpy(frame + total, data, (size_t)size);
    total += (size_t)size;
  }
  if (total == 0) {
    return 0;
  }
  printf(" %d=%d.%d:", listener, info.frame_status >> 4, info.matched_filter);
  for (size_t i = 0; i < total; ++i) {
    printf("%02x", (unsigned char)frame[i]);
  }
  return 1;
}

/** Prints the listeners' frames; waits for the first one. */
static void take(int patience_s) {
  const time_t end = time(NULL) + patience_s;
  int after = AFTER;
  printf("got");
  for (int any = 0; after > 0 && time(NULL) < end; after -= any) {
    for (int i = 0; i < listener_count; ++i) {
      any |= listeners[i] != NULL && take_from(i);
    }
    if (!any) {
      rest();
    }
  }
  printf("\n");
}

static void send_frame(int port, const char* hex) {
  char frame[FRAME_BYTES];
  const size_t bytes = from_hex(hex, frame);
  exanic_tx_t* tx = exanic_acquire_tx_buffer(card, port, 0);
  if (tx == NULL || exanic_transmit_frame_ex(tx, frame, bytes, EXA_FRAME_WARM) != 0 ||
      exanic_transmit_frame_ex(tx, frame, bytes, 0) != 0) {
    fail_call("exanic_transmit_frame_ex");
  }
  take(PATIENCE_S);
  exanic_release_tx_buffer(tx);
}

/** Like a program that stages frames and sends one later. */
static void preload(int port, int type, int feedback, const char* hex) {
  enum { SLOT_BYTES = 2048 };
  exanic_tx_t* other = exanic_acquire_tx_buffer(card, port, 0);
  exanic_tx_t* tx = exanic_acquire_tx_buffer(card, port, 2 * PAGE_SIZE);
  if (other == NULL || tx == NULL || tx->buffer_size != 2 * PAGE_SIZE ||
      tx->buffer_offset != PAGE_SIZE) {
    fail_call("exanic_acquire_tx_buffer");
  }
  for (int slot = 0; slot < 2; ++slot) {
    struct tx_chunk* chunk = (struct tx_chunk*)(tx->buffer + slot * SLOT_BYTES);
    const unsigned padding = exanic_payload_padding_bytes((exanic_tx_type_id_t)type);
    const size_t bytes = from_hex(hex, chunk->payload + padding);
    chunk->feedback_id = 0;
    chunk->feedback_slot_index = (uint16_t)feedback;
    chunk->length = (uint16_t)(padding + bytes);
    chunk->type = (uint8_t)type;
    chunk->flags = 0;
    chunk->payload[padding] = (char)(0x10 * slot);
  }
  exanic_register_write(tx->exanic, REG_EXANIC_INDEX(REG_EXANIC_PCIE_IF_VER), 0xdeadbeef);
  exanic_register_write(tx->exanic, REG_PORT_INDEX(tx->port_number, REG_PORT_TX_COMMAND),
                        tx->buffer_offset + SLOT_BYTES);
  take(feedback == NO_FEEDBACK && type <= EXANIC_TX_TYPE_TCP_ACCEL ? PATIENCE_S : 1);
  exanic_release_tx_buffer(other);
  exanic_release_tx_buffer(tx);
}

static void pay(int port, unsigned connection, const char* hex, int in_steps) {
  char data[FRAME_BYTES];
  const size_t bytes = from_hex(hex, data);
  exanic_tx_t* tx = exanic_acquire_tx_buffer(card, port, 0);
  int result = tx == NULL ? -1 : 0;
  if (result == 0 && !in_steps) {
    result =
        exanic_transmit_payload(tx, (uint16_t)connection, EXANIC_TX_TYPE_TCP_ACCEL, data, bytes);
  } else if (result == 0) {
    uint16_t* csum;
    char* to = exanic_begin_transmit_payload(tx, (uint16_t)connection, EXANIC_TX_TYPE_TCP_ACCEL,
                                             bytes + 9, &csum);
    memcpy(to, data, bytes);
    *csum = 0;
    result = exanic_end_transmit_payload(tx, EXANIC_TX_TYPE_TCP_ACCEL, bytes);
  }
  if (result != 0) {
    say_result("", -1);
  } else {
    take(PATIENCE_S);
  }
  exanic_release_tx_buffer(tx);
}

static void listen_to(int port, int buffer) {
  exanic_rx_t* rx = buffer < 0 ? exanic_acquire_unused_filter_buffer(tester, port)
                               : exanic_acquire_rx_buffer(tester, port, buffer);
  say_result("buffer", rx == NULL ? -1 : rx->buffer_number);
  if (rx != NULL) {
    listeners[listener_count++] = rx;
  }
}

static void add_mac(exanic_rx_t* rx, const char* rest) {
  exanic_mac_filter_t filter = {0};
  unsigned type, vlan;
  char mac[13];
  if (sscanf(rest, "%12s %x %u %d", mac, &type, &vlan, &filter.vlan_match_method) != 4) {
    fail_call(rest);
  }
  from_hex(mac, (char*)filter.dst_mac);
  filter.ethertype = htons((uint16_t)type);
  filter.vlan = (uint16_t)vlan;
  say_result("filter", exanic_filter_add_mac(tester, rx, &filter));
}

static void add_ip(exanic_rx_t* rx, const char* rest) {
  char src[20], dst[20];
  unsigned sport, dport, protocol;
  if (sscanf(rest, "%19s %19s %u %u %u", src, dst, &sport, &dport, &protocol) != 5) {
    fail_call(rest);
  }
  const exanic_ip_filter_t filter = {.src_addr = inet_addr(src),
                                     .dst_addr = inet_addr(dst),
                                     .src_port = htons((uint16_t)sport),
                                     .dst_port = htons((uint16_t)dport),
                                     .protocol = (uint8_t)protocol};
  say_result("filter", exanic_filter_add_ip(tester, rx, &filter));
}

static void execute(const char* command, const char* rest) {
  int a = 0, b = 0, c = 0, at = 0;
  sscanf(rest, "%d %n%d%d", &a, &at, &b, &c);
  if (strcmp(command, "rx") == 0) {
    listen_to(a, b);
  } else if (strcmp(command, "drop") == 0) {
    exanic_release_rx_buffer(listeners[a]);
    listeners[a] = NULL;
  } else if (strcmp(command, "ip") == 0) {
    add_ip(listeners[a], rest + at);
  } else if (strcmp(command, "mac") == 0) {
    add_mac(listeners[a], rest + at);
  } else if (strcmp(command, "rmip") == 0) {
    say_result("removed", exanic_filter_remove_ip(tester, a, b));
  } else if (strcmp(command, "rmmac") == 0) {
    say_result("removed", exanic_filter_remove_mac(tester, a, b));
  } else if (strcmp(command, "hash") == 0) {
    say_result("buffers", exanic_enable_flow_hashing(tester, a, b, c));
  } else if (strcmp(command, "nohash") == 0) {
    exanic_disable_flow_hashing(tester, a);
  } else if (strcmp(command, "send") == 0) {
    send_frame(a, rest + at);
  } else if (strcmp(command, "write") == 0) {
    exanic_register_write(card, a, (uint32_t)strtoul(rest + at, NULL, 0));
  } else if (strcmp(command, "read") == 0) {
    printf("value %u\n", exanic_register_read(card, a));
  } else if (strcmp(command, "preload") == 0) {
    sscanf(rest, "%*d %*d %*i %n", &at);
    sscanf(rest, "%*d %*d %i", &c);
    preload(a, b, c, rest + at);
  } else if (strcmp(command, "pay") == 0 || strcmp(command, "paybegin") == 0) {
    sscanf(rest, "%*d %*d %n", &at);
    pay(a, (unsigned)b, rest + at, command[3] != '\0');
  } else {
    fail_call(command);
  }
}

int run_script(void) {
  static char line[LINE_BYTES];
  tester = exanic_acquire_handle("exanic0");
  card = exanic_acquire_handle("exanic1");
  if (tester == NULL || card == NULL) {
    fail_call("exanic_acquire_handle");
  }
  while (fgets(line, sizeof line, stdin) != NULL) {
    char command[16];
    int at = 0;
    if (sscanf(line, "%15s %n", command, &at) == 1) {
      execute(command, line + at);
      fflush(stdout);
    }
  }
  for (int i = 0; i < listener_count; ++i) {
    exanic_release_rx_buffer(listeners[i]);
  }
  exanic_release_handle(card);
  exanic_release_handle(tester);
  return EXIT_SUCCESS;
}
