/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "operations.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/descriptor.h"
#include "daemon.h"
#include "daemon/socket.h"
#include "daemon/users.h"
#include "peer.h"
#include "programs.h"
#include "sandbox.h"

/* Rounds after each record, and maximum per input, so that no run takes long. */
enum { ROUNDS = 2, MOST_ROUNDS = 500, LONGEST_WRITE = 65536, LONGEST_PACKET = 1480, AT_ONCE = 16 };

static unsigned rounds_left;

static void go_on(unsigned rounds) {
  if (rounds > rounds_left) rounds = rounds_left;
  rounds_left -= rounds;
  for (unsigned i = 0; i < rounds; i++) {
    daemon_rounds(1);
    peer_look();
  }
  programs_look();
}

static uint32_t address_of(uint8_t choice) {
  /* The peer's, the card's, none, those of the other port; groups; broadcast; all hosts; one beyond
   * the gateway, this machine, the gateway, another peer. */
  static const uint32_t addresses[] = {0x0a090103, 0x0a090102, 0,          0x0a090202, 0x0a090203,
                                       0xef010101, 0xef010102, 0x0a0901ff, 0xffffffff, 0xe0000001,
                                       0x08080808, 0x7f000001, 0x0a090101, 0x0a090104};
  return htonl(addresses[choice % (sizeof(addresses) / sizeof(*addresses))]);
}

static uint16_t number_of_port(uint8_t choice) {
  static const uint16_t ports[] = {0, 5000, 5001, 6000, 6001, 80, 49152, 65535};
  return htons(ports[choice % (sizeof(ports) / sizeof(*ports))]);
}

static struct program_socket* socket_of(uint8_t n) { return &program_sockets[n % PROGRAM_SOCKETS]; }

/* 0 link, 1 op, 2 socket, 3 peer, 4 its port, 5 local address, 6 port, 7 flags, 8 engine's
 * connection, 9 action on groups, 10-11 value, 12 records that overwrite the options or (odd) all,
 * 13 most bytes of data, in units of 16, 14 bytes truncated */
static void do_request(const uint8_t* a, struct records* input) {
  static uint8_t message[sizeof(struct control_request) + 16 * 255];
  struct control_request request = program_request(a[1] % 20);
  const uint8_t* more;
  uint32_t value = (uint32_t)number_of(a + 10, 2);
  request.id = a[2] == 0xff ? 0 : socket_of(a[2])->id;
  if (a[2] >= 0xf0 && a[2] < 0xff) request.id = a[2];
  request.peer_ip = address_of(a[3]);
  request.peer_port = number_of_port(a[4]);
  request.local_ip = request.via_ip = address_of(a[5]);
  if (a[5] & 0x80) request.via_ip = address_of(a[5] >> 4);
  request.local_port = number_of_port(a[6]);
  request.datagram = a[7] & 1;
  request.unbound = a[7] >> 1 & 1;
  request.silent_join = a[7] >> 2 & 1;
  request.any_neighbour = a[7] >> 3 & 1;
  request.options.reuse_address = a[7] >> 4 & 1;
  request.options.reuse_port = a[7] >> 5 & 1;
  request.options.broadcast = a[7] >> 6 & 1;
  request.options.cork = a[7] >> 7;
  request.ate_id = a[8] == 0 ? CONTROL_ATE_NONE : (int8_t)a[8];
  request.backlog = (int8_t)a[10];
  request.group_action = a[9];
  request.source_ip = address_of(a[9] >> 4);
  request.value = request.delegated_bytes = value;
  request.address = value << (a[11] & 15);
  uint8_t* place = a[12] & 1 ? (uint8_t*)&request : (uint8_t*)&request.options;
  size_t room = (size_t)((uint8_t*)(&request + 1) - place);
  size_t laid = take_bytes(input, (size_t)(a[12] >> 1) % 9 * RECORD_BYTES, &more);
  if (laid > room) laid = room;
  for (size_t i = 0; i < laid; i++) place[i] ^= more[i];
  memcpy(message, &request, sizeof(request));
  size_t data = take_bytes(input, (size_t)a[13] * 16, &more);
  memcpy(message + sizeof(request), more, data);
  size_t length = sizeof(request) + data;
  if (a[14] < length) length -= a[14];
  program_send(a[0] % PROGRAM_LINKS, message, length, a[0] & 0x80 ? STDIN_FILENO : -1);
}

/* 0 link, 1-2 bytes */
static void do_request_bytes(const uint8_t* a, struct records* input) {
  const uint8_t* bytes;
  size_t length = take_bytes(input, number_of(a + 1, 2) % 2048, &bytes);
  program_send(a[0] % PROGRAM_LINKS, bytes, length, -1);
}

static void write_to(const struct program_socket* s, const uint8_t* a) {
  static uint8_t data[LONGEST_WRITE];
  struct datagram_address to = {.ip = address_of(a[4]), .port = number_of_port(a[5])};
  size_t length = number_of(a + 2, 2) % LONGEST_WRITE;
  memset(data, a[6], sizeof(data));
  if (s->kind == KIND_DATAGRAM && !(a[7] & 1)) {
    memcpy(data, &to, sizeof(to));
    length += sizeof(to);
  }
  if (length > sizeof(data)) length = sizeof(data);
  struct iovec piece = {.iov_base = data, .iov_len = length};
  union descriptor_room room;
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  bool marked = s->kind == KIND_ATE && !(a[7] & 2);
  if (marked) attach_descriptor(&message, &room, STDIN_FILENO);
  if (sendmsg(s->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
    /* Full, or closed by the daemon: as for any program. */
  }
}

/* 0 socket, 1 operation, 2-3 bytes, 4 to, 5 its port, 6 value of the bytes, 7 flags */
static void do_program(const uint8_t* a) {
  static uint8_t data[LONGEST_WRITE];
  struct program_socket* s = socket_of(a[0]);
  if (s->fd < 0) return;
  switch (a[1] % 7) {
    case 0:
    case 1:
      write_to(s, a);
      break;
    case 2:
      if (recv(s->fd, data, number_of(a + 2, 2) % LONGEST_WRITE, MSG_DONTWAIT) < 0) { /* nothing */
      }
      break;
    case 3:
      shutdown(s->fd, a[2] % 3);
      break;
    case 4:
      program_accept(s);
      break;
    case 5:
      close(s->fd);
      s->fd = -1;
      break;
    default: /* makes room, and keeps the id of the closed one */
      close(s->fd);
      *s = (struct program_socket){.fd = -1};
  }
}

/* 0 duration */
static void do_sleep(const uint8_t* a) {
  static const uint16_t times_ms[] = {20, 40, 60, 100, 250, 500, 1000, 3000, 10000, 60000};
  uint64_t ms = times_ms[a[0] % (sizeof(times_ms) / sizeof(*times_ms))];
  unsigned rounds = (unsigned)(ms / 100 + 1);
  if (rounds > rounds_left / 4) rounds = rounds_left / 4;
  rounds_left -= rounds;
  daemon_sleep(ms, rounds);
}

/* 0 flow, 1 flags, 2 kind of SEQ error, 3-4 its amount, 5 and 6-7 the same for ACK, 8-9 window, 10
 * options, 11-12 of them, 13-14 payload */
static void do_segment(const uint8_t* a) {
  struct flow* flow = peer_flow(a[0]);
  if (flow == NULL) return;
  uint8_t options[12] = {2, 4, a[11], a[12], 1, 3, 3, a[12], 8, 10, a[11], a[12]};
  if (a[10] >> 4 == 15) memset(options, a[11], sizeof(options));
  if (a[10] >> 4 == 14) options[a[11] % 12] = a[12];
  struct segment s = {.flags = a[1],
                      .sequence = flow->next,
                      .acknowledgement = flow->card_next,
                      .window = (uint16_t)number_of(a + 8, 2),
                      .options = options,
                      .option_bytes = (a[10] & 3) * 4,
                      .payload = number_of(a + 13, 2) % LONGEST_PACKET};
  int32_t by[2] = {(int16_t)number_of(a + 3, 2), (int16_t)number_of(a + 6, 2)};
  static const uint32_t far[] = {0, 0, 0, 0, 0x7fffffff, 0x80000000, 0x40000000, 0};
  uint32_t* fields[2] = {&s.sequence, &s.acknowledgement};
  for (int i = 0; i < 2; i++) {
    unsigned how = a[i == 0 ? 2 : 5] % 8;
    if (how >= 1)
      *fields[i] += far[how] + (uint32_t)(how == 2 ? by[i] * 64 : how == 3 ? by[i] / 256 : by[i]);
  }
  peer_segment(flow, &s);
  if (s.sequence == flow->next) flow->next += (uint32_t)s.payload + ((a[1] & (SYN | FIN)) != 0);
}

/* 0 flow, 1-2 payload, 3 FIN */
static void do_reply(const uint8_t* a) {
  struct flow* flow = peer_flow(a[0]);
  if (flow != NULL) peer_reply(flow, number_of(a + 1, 2) % LONGEST_PACKET, a[3] & 1);
}

/* 0 line, 1 to, 2 its port, 3 from, 4 its port, 5-8 SEQ, 9 options, 10-11 MSS, 12 flags */
static void do_syn(const uint8_t* a) {
  const uint8_t options[] = {2, 4, a[10], a[11], 3, 3, a[9], 1};
  struct flow* flow = peer_new_flow(a[0] % DAEMON_PORTS, address_of((uint8_t)(a[1] + 1)),
                                    number_of_port((uint8_t)(a[2] + 1)), address_of(a[3]),
                                    htons((uint16_t)(2000 + a[4])), (uint32_t)number_of(a + 5, 4));
  struct segment s = {.flags = SYN | a[12],
                      .sequence = flow->next++,
                      .window = 0x4000,
                      .options = options,
                      .option_bytes = a[9] % 3 * 4};
  peer_segment(flow, &s);
}

/* 0 line, and repetitions with increasing identification, 1 from, 2 to, 3 protocol, 4-5 bytes, 6-7
 * flags and offset of a fragment, 8 its identification, 9 TTL, 10-11 first bytes of the protocol's
 * header, or UDP ports, 12-13 more, 14 fill byte */
static void do_datagram(const uint8_t* a) {
  static const uint8_t protocols[] = {17, 1, 2, 6};
  uint8_t protocol = a[3] < 240 ? protocols[a[3] % 4] : a[3];
  uint16_t fragment = (uint16_t)number_of(a + 6, 2);
  size_t length = number_of(a + 4, 2) % (LONGEST_PACKET + 1);
  uint8_t packet[LONGEST_PACKET];
  memset(packet, a[14], sizeof(packet));
  if ((fragment & 0x1fff) == 0) {
    uint16_t from = htons((uint16_t)(2000 + a[11])), to = number_of_port(a[10]);
    uint16_t bytes = htons((uint16_t)(fragment & 0x2000 ? number_of(a + 12, 2) : length));
    if (protocol == 17) {
      memcpy(packet, &from, 2);
      memcpy(packet + 2, &to, 2);
      memcpy(packet + 4, &bytes, 2);
      memset(packet + 6, 0, 2); /* no checksum */
    } else {
      memcpy(packet, a + 10, 2);
      memset(packet + 2, 0, 2);
      uint32_t group = address_of(a[12]);
      memcpy(packet + 4, &group, 4);
      uint16_t sum = htons(peer_sum(0, packet, length));
      if (protocol != 6) memcpy(packet + 2, &sum, 2);
    }
  }
  for (unsigned i = 0; i <= a[0] / DAEMON_PORTS; i++) {
    uint16_t number = (uint16_t)(a[8] + i);
    peer_packet(a[0] % DAEMON_PORTS, address_of(a[1]), address_of((uint8_t)(a[2] + 1)), protocol,
                number, fragment, a[9] == 0 ? 64 : a[9], packet, length);
    if (i % AT_ONCE == AT_ONCE - 1) go_on(1);
  }
}

/* 0 line, 1 operation, 2 sender, 3 target, 4 no replies from now on, 5 unicast to the card */
static void do_arp(const uint8_t* a) {
  peer.silent = a[4] & 1;
  peer_arp(a[0] % DAEMON_PORTS, a[1], address_of(a[2]), address_of(a[3]), a[5] & 1);
}

/* 0 line, 1-2 bytes */
static void do_frame(const uint8_t* a, struct records* input) {
  const uint8_t* bytes;
  size_t length = take_bytes(input, number_of(a + 1, 2) % PEER_LONGEST, &bytes);
  peer_frame(a[0] % DAEMON_PORTS, bytes, length);
}

/* 0 line, 1 from, 2 type, 3 code, 4-5 value, 6 bytes of the packet quoted */
static void do_quote(const uint8_t* a) {
  uint8_t packet[8 + 255];
  size_t head = a[0] % DAEMON_PORTS == 1 ? 18 : 14;
  if (peer.last_length < head) return;
  size_t quoted = peer.last_length - head < a[6] ? peer.last_length - head : a[6];
  const uint8_t icmp[8] = {a[2], a[3], 0, 0, 0, 0, a[4], a[5]};
  memcpy(packet, icmp, sizeof(icmp));
  memcpy(packet + sizeof(icmp), peer.last_frame + head, quoted);
  uint16_t sum = htons(peer_sum(0, packet, sizeof(icmp) + quoted));
  memcpy(packet + 2, &sum, 2);
  peer_packet(a[0] % DAEMON_PORTS, address_of(a[1]), address_of(1), 1, 9, 0, 64, packet,
              sizeof(icmp) + quoted);
}

static void run(const struct record* record, struct records* input) {
  const uint8_t* a = record->argument;
  switch ((enum operation)(record->operation % OPERATIONS)) {
    case OP_REQUEST:
      do_request(a, input);
      break;
    case OP_REQUEST_BYTES:
      do_request_bytes(a, input);
      break;
    case OP_HANG_UP:
      program_hang_up(a[0] % PROGRAM_LINKS);
      break;
    case OP_PROGRAM:
      do_program(a);
      break;
    case OP_SLEEP:
      do_sleep(a);
      break;
    case OP_SEGMENT:
      do_segment(a);
      break;
    case OP_REPLY:
      do_reply(a);
      break;
    case OP_SYN:
      do_syn(a);
      break;
    case OP_DATAGRAM:
      do_datagram(a);
      break;
    case OP_ARP:
      do_arp(a);
      break;
    case OP_FRAME:
      do_frame(a, input);
      break;
    case OP_PATCH:
      memcpy(peer.patch, a, sizeof(peer.patch));
      return; /* the patched frame comes next */
    case OP_QUOTE:
      do_quote(a);
      break;
    case OPERATIONS:
      break;
  }
  go_on(ROUNDS);
}

static void run_all(struct records* input) {
  struct record record;
  while (rounds_left > 0 && next_record(input, &record)) run(&record, input);
}

void open_usual_sockets(void) {
  struct control_request request = program_request(CONTROL_BIND); /* 0: listens on 5000 */
  request.local_ip = address_of(1);
  request.local_port = htons(5000);
  program_ask(0, &request);
  request = program_request(CONTROL_LISTEN);
  request.id = program_sockets[0].id;
  request.backlog = 5;
  program_ask(0, &request);
  /* 1 and 2: connected, without and with an engine */
  for (int engine = -1; engine <= 0; engine++) {
    request = program_request(CONTROL_CONNECT);
    request.peer_ip = address_of(0);
    request.peer_port = htons(5001);
    request.ate_id = engine;
    program_ask(1, &request);
    go_on(4);
    struct flow* flow = peer_flow(peer.last_flow);
    if (flow != NULL) peer_reply(flow, 0, false);
    go_on(4);
  }
  request = program_request(CONTROL_BIND); /* 3: datagrams, member of a group */
  request.local_ip = address_of(1);
  request.local_port = htons(6000);
  request.datagram = 1;
  program_ask(2, &request);
  request = program_request(CONTROL_GROUP);
  request.id = program_sockets[3].id;
  request.peer_ip = address_of(5);
  request.local_ip = address_of(1);
  program_ask(2, &request);
  request = program_request(CONTROL_CONNECT); /* 4: connecting */
  request.peer_ip = address_of(0);
  request.peer_port = htons(80);
  program_ask(3, &request);
  go_on(2);
}

/* Peers stop answering, programs end, the daemon ends: no memory of a run may remain except the
 * sockets retained for queries, and their users. */
static void end(void) {
  peer.silent = true;
  programs_close();
  daemon_rounds(4);
  daemon_leave();
  sandbox_check_memory(sizeof(struct socket), sizeof(struct user));
}

int run_input(const uint8_t* data, size_t size, void (*prepare)(void)) {
  struct records input = {data, size};
  char path[32];
  int lines[DAEMON_PORTS];
  snprintf(path, sizeof(path), "control.%d", (int)getpid());
  sandbox_begin();
  peer = (struct peer){0};
  for (unsigned i = 0; i < DAEMON_PORTS; i++) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends) < 0) abort();
    lines[i] = ends[0];
    peer.line[i] = ends[1];
  }
  rounds_left = MOST_ROUNDS;
  programs_start(path);
  daemon_start(path, lines);
  sandbox_mark();
  if (prepare != NULL) prepare();
  run_all(&input);
  end();
  sandbox_end();
  return 0;
}
