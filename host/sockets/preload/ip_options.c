/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/ip_options.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "preload/ancillary.h"
#include "preload/daemon.h"
#include "preload/notes.h"
#include "preload/real.h"

enum { ANY_SOCKET, DATAGRAM_ONLY };

struct row {
  int level, name;
  uint8_t sockets;
  uint8_t bit; /* of `receive`; 0: a separate field */
  size_t offset, size;
};

#define FIELD(f) offsetof(struct control_options, f), sizeof(((struct control_options*)0)->f)

static const struct row rows[] = {
    {IPPROTO_IP, IP_TTL, ANY_SOCKET, 0, FIELD(ttl)},
    {IPPROTO_IP, IP_TOS, ANY_SOCKET, 0, FIELD(tos)},
    {IPPROTO_IP, IP_MULTICAST_TTL, ANY_SOCKET, 0, FIELD(mcast_ttl)},
    {IPPROTO_IP, IP_MULTICAST_LOOP, ANY_SOCKET, 0, FIELD(mcast_loop)},
    {IPPROTO_IP, IP_MULTICAST_ALL, ANY_SOCKET, 0, FIELD(mcast_all)},
    {IPPROTO_IP, IP_PKTINFO, DATAGRAM_ONLY, RECEIVE_PKTINFO, FIELD(receive)},
    {IPPROTO_IP, IP_RECVTTL, DATAGRAM_ONLY, RECEIVE_TTL, FIELD(receive)},
    {IPPROTO_IP, IP_RECVTOS, DATAGRAM_ONLY, RECEIVE_TOS, FIELD(receive)},
    {IPPROTO_IP, IP_RECVORIGDSTADDR, DATAGRAM_ONLY, RECEIVE_ORIGINAL, FIELD(receive)},
    {SOL_SOCKET, SO_RCVBUF, ANY_SOCKET, 0, FIELD(receive_buffer)},
    {SOL_SOCKET, SO_RCVBUFFORCE, ANY_SOCKET, 0, FIELD(receive_buffer)},
    {SOL_SOCKET, SO_REUSEPORT, ANY_SOCKET, 0, FIELD(reuse_port)},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static const struct row* find(int level, int name) {
  for (const struct row* row = rows; row < rows + ROWS; row++) {
    if (row->level == level && row->name == name) return row;
  }
  return NULL;
}

bool ip_options_has(int level, int name) { return find(level, name) != NULL; }

static int fail(int error) {
  errno = error;
  return -1;
}

static bool is_buffer(const struct row* row) {
  return row->offset == offsetof(struct control_options, receive_buffer);
}

/* SO_RCVBUFFORCE is read as SO_RCVBUF. */
static int name_to_read(const struct row* row) { return is_buffer(row) ? SO_RCVBUF : row->name; }

static bool read_number(int fd, const struct row* row, uint32_t* number) {
  int value = 0;
  socklen_t length = sizeof(value);
  bool done = REAL(getsockopt)(fd, row->level, name_to_read(row), &value, &length) == 0;
  *number = (uint32_t)value;
  return done;
}

/* Gets what the kernel makes of a value, or (NULL) its default. 0 or errno. */
static int ask_kernel(const struct row* row, bool datagram, const void* value, socklen_t length,
                      uint32_t* number) {
  int fd = REAL(socket)(AF_INET, (datagram ? SOCK_DGRAM : SOCK_STREAM) | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  int error = 0;
  if (value != NULL && REAL(setsockopt)(fd, row->level, row->name, value, length) != 0) {
    error = errno;
  } else if (!read_number(fd, row, number)) {
    error = errno;
  }
  REAL(close)(fd);
  return error;
}

static void put(const struct row* row, uint32_t number, struct control_options* options) {
  char* field = (char*)options + row->offset;
  if (row->bit != 0) {
    options->receive = (uint8_t)((options->receive & ~row->bit) | (number != 0 ? row->bit : 0));
  } else if (row->size == 1) {
    *(uint8_t*)field = (uint8_t)number;
  } else {
    memcpy(field, &number, sizeof(number));
  }
}

static uint32_t get(const struct row* row, const struct control_options* options) {
  const char* field = (const char*)options + row->offset;
  uint32_t number;
  if (row->bit != 0) return (options->receive & row->bit) != 0;
  if (row->size == 1) return *(const uint8_t*)field;
  memcpy(&number, field, sizeof(number));
  return number;
}

int ip_options_set(const struct entry* entry, int level, int name, const void* value,
                   socklen_t length) {
  const struct row* row = find(level, name);
  struct control_request request = new_request(CONTROL_OPTIONS);
  struct control_reply reply;
  uint32_t number = 0;
  int error = ask_kernel(row, entry->datagram, value, length, &number);
  if (error != 0) return fail(error);
  if (row->sockets == DATAGRAM_ONLY && !entry->datagram) { /* always off; may only be set to off */
    return number == 0 ? 0 : fail(ENOPROTOOPT);
  }
  if (daemon_query(entry->id, &reply) != 0) return fail(ENETDOWN);
  request.id = entry->id;
  request.options = reply.options;
  put(row, number, &request.options);
  if (daemon_ask(&request, &reply, NULL) != 0) return fail(ENETDOWN);
  if (reply.error != 0 && reply.text[0] != '\0') note("%s", reply.text);
  if (reply.error == 0 && row->bit != 0) ancillary_changed(entry->id, &reply.options);
  return reply.error == 0 ? 0 : fail(reply.error);
}

int ip_options_get(const struct entry* entry, int level, int name, void* value, socklen_t* length) {
  const struct row* row = find(level, name);
  struct control_reply reply;
  if (is_buffer(row) && name != SO_RCVBUF) return fail(ENOPROTOOPT);
  if (daemon_query(entry->id, &reply) != 0) return fail(ENETDOWN);
  uint32_t number = get(row, &reply.options);
  if (is_buffer(row) && number == 0) {
    ask_kernel(row, entry->datagram, NULL, 0, &number);
  }
  if ((int)*length < 0) return fail(EINVAL);
  /* For IPPROTO_IP, Linux returns a single byte to a caller with room for less than an int. */
  if (level == IPPROTO_IP && *length > 0 && *length < sizeof(number) && number <= 255) {
    *(uint8_t*)value = (uint8_t)number;
    *length = 1;
    return 0;
  }
  if (*length > sizeof(number)) *length = sizeof(number);
  memcpy(value, &number, *length);
  return 0;
}

void ip_options_read(int fd, bool datagram, struct control_options* options) {
  for (const struct row* row = rows; row < rows + ROWS; row++) {
    uint32_t number, usual = 0;
    bool read_twice = is_buffer(row) && row->name != SO_RCVBUF;
    if (read_twice || !read_number(fd, row, &number)) continue;
    if (is_buffer(row)) {
      ask_kernel(row, datagram, NULL, 0, &usual);
      if (number == usual) number = 0;
    }
    put(row, number, options);
  }
  struct in_addr interface = {0};
  socklen_t length = sizeof(interface);
  if (datagram) REAL(getsockopt)(fd, IPPROTO_IP, IP_MULTICAST_IF, &interface, &length);
  options->mcast_if = interface.s_addr;
}
