/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A program that itself sends frames on an accelerated connection: records 'S' (records.py), by one
 * of the two interfaces, and every third one by send(). Also compiled as C++, to check that the
 * headers suit both.
 *
 * delegated_client exasock|onload ADDRESS PORT COUNT
 */
#include <arpa/inet.h>
#include <errno.h>
#include <exanic/exanic.h>
#include <exanic/fifo_rx.h>
#include <exanic/fifo_tx.h>
#include <exanic/register.h>
#include <exasock/extensions.h>
#include <onload/extensions.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4000, FRAME = 1600 };

static exanic_tx_t* tx;
static char frame[FRAME];

static int fail(const char* what) {
  printf("%s: %s\n", what, strerror(errno));
  return 1;
}

/* Staged in the transmit buffer, and sent by a register write. */
static void transmit_staged(size_t bytes) {
  enum { SLOT = 2048 };
  struct tx_chunk* chunk = (struct tx_chunk*)(tx->buffer + SLOT);
  unsigned padding = exanic_payload_padding_bytes(EXANIC_TX_TYPE_RAW);
  chunk->feedback_slot_index = 0x8000;
  chunk->length = (uint16_t)(padding + bytes);
  chunk->type = EXANIC_TX_TYPE_RAW;
  memcpy(chunk->payload + padding, frame, bytes);
  exanic_register_write(tx->exanic, (int)REG_PORT_INDEX(tx->port_number, REG_PORT_TX_COMMAND),
                        tx->buffer_offset + SLOT);
}

static int transmit(size_t header, const char* data, size_t bytes) {
  memcpy(frame + header, data, bytes);
  exasock_tcp_calc_checksum(frame, header, data, bytes);
  static unsigned count;
  if (++count % 2 == 0) {
    transmit_staged(header + bytes);
    return 0;
  }
  if (exanic_transmit_frame(tx, frame, header + bytes) == 0) return 0;
  printf("transmit: %s\n", exanic_get_last_error());
  return 1;
}

/* One segment after the other. */
static int by_exasock(int fd, const char* data, size_t left) {
  while (left > 0) {
    size_t bytes = left < 1460 ? left : 1460;
    ssize_t header;
    do header = exasock_tcp_build_header(fd, frame, sizeof(frame), 0, 0);
    while (header == -1 && errno == EAGAIN);
    if (header == -1) return fail("build_header");
    if (exasock_tcp_set_length(frame, (size_t)header, bytes) != 0) return fail("set_length");
    if (transmit((size_t)header, data, bytes) != 0) return 1;
    if (exasock_tcp_send_advance(fd, data, bytes) != 0) return fail("send_advance");
    data += bytes;
    left -= bytes;
  }
  return 0;
}

/* As many as the windows allow, and one report. */
static int by_onload(int fd, const char* data, size_t left) {
  while (left > 0) {
    struct onload_delegated_send ds;
    enum onload_delegated_send_rc result;
    memset(&ds, 0, sizeof(ds));
    ds.headers = frame;
    do {
      ds.headers_len = sizeof(frame);
      result = onload_delegated_send_prepare(fd, (int)left, 0, &ds);
    } while (result == ONLOAD_DELEGATED_SEND_RC_SENDQ_BUSY ||
             result == ONLOAD_DELEGATED_SEND_RC_NOWIN || result == ONLOAD_DELEGATED_SEND_RC_NOCWIN);
    if (result != ONLOAD_DELEGATED_SEND_RC_OK) {
      printf("prepare: %d\n", result);
      return 1;
    }
    size_t sent = 0;
    for (;;) {
      int bytes = ds.user_size < ds.mss ? ds.user_size : ds.mss;
      if (ds.send_wnd < bytes) bytes = ds.send_wnd;
      if (ds.cong_wnd < bytes) bytes = ds.cong_wnd;
      if (bytes <= 0) break;
      bool last = bytes == ds.user_size;
      onload_delegated_send_tcp_update(&ds, bytes, !last);
      onload_delegated_send_tcp_update(&ds, bytes, last);
      if (((frame[ds.headers_len - 7] & 8) != 0) != last) return fail("PUSH");
      if (transmit((size_t)ds.headers_len, data + sent, (size_t)bytes) != 0) return 1;
      onload_delegated_send_tcp_advance(&ds, bytes);
      sent += (size_t)bytes;
    }
    struct iovec pieces[2];
    pieces[0].iov_base = (void*)data;
    pieces[0].iov_len = sent / 2;
    pieces[1].iov_base = (void*)(data + sent / 2);
    pieces[1].iov_len = sent - sent / 2;
    if (onload_delegated_send_complete(fd, pieces, 2, 0) != (int)sent) return fail("complete");
    if (sent < left && onload_delegated_send_cancel(fd) != 0) return fail("cancel");
    data += sent;
    left -= sent;
  }
  return 0;
}

static size_t make_record(char* data, unsigned number) {
  size_t length = 7 + (size_t)number * 7919 % (LONGEST - 7);
  data[0] = 'S';
  data[1] = (char)length;
  data[2] = (char)(length >> 8);
  for (unsigned i = 0; i < 4; i++) data[3 + i] = (char)(number >> 8 * i);
  for (size_t i = 7; i < length; i++) data[i] = (char)(number * 7 + i);
  return length;
}

int main(int argc, char** argv) {
  struct sockaddr_in peer;
  memset(&peer, 0, sizeof(peer));
  if (argc != 5 || inet_pton(AF_INET, argv[2], &peer.sin_addr) != 1) return 2;
  peer.sin_family = AF_INET;
  peer.sin_port = htons((uint16_t)atoi(argv[3]));
  int fd = socket(AF_INET, SOCK_STREAM, 0), port;
  char device[16];
  if (connect(fd, (struct sockaddr*)&peer, sizeof(peer)) != 0) return fail("connect");
  if (exasock_tcp_get_device(fd, device, sizeof(device), &port) != 0) return fail("get_device");
  exanic_t* exanic = exanic_acquire_handle(device);
  if (exanic != NULL) tx = exanic_acquire_tx_buffer(exanic, port, 0);
  if (tx == NULL) {
    printf("exanic: %s\n", exanic_get_last_error());
    return 1;
  }
  if (exasock_version_code() < EXASOCK_VERSION(2, 2, 0) ||
      exanic_acquire_rx_buffer(exanic, port, 0) != NULL) {
    printf("an old version, or a listener beside ullnicd\n");
    return 1;
  }
  static char data[LONGEST];
  bool onload = strcmp(argv[1], "onload") == 0;
  for (unsigned number = 0; number < (unsigned)atoi(argv[4]); number++) {
    size_t length = make_record(data, number);
    if (number % 3 == 2) {
      if (send(fd, data, length, 0) != (ssize_t)length) return fail("send");
    } else if ((onload ? by_onload : by_exasock)(fd, data, length) != 0) {
      return 1;
    }
  }
  exanic_release_tx_buffer(tx);
  exanic_release_handle(exanic);
  close(fd);
  printf("sent\n");
  return 0;
}
