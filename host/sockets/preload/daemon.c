/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/daemon.h"

#include <errno.h>
#include <unistd.h>

#include "preload/notes.h"
#include "preload/real.h"
#include "preload/table.h"

/* With plain parameters: the C library's own are unions of all kinds of addresses. */
static int real_connect(int fd, const struct sockaddr* address, socklen_t length) {
  return REAL(connect)(fd, address, length);
}

static struct client_calls real_calls(void) {
  return (struct client_calls){.socket = REAL(socket),
                               .connect = real_connect,
                               .sendmsg = REAL(sendmsg),
                               .recvmsg = REAL(recvmsg),
                               .poll = REAL(poll),
                               .close = REAL(close)};
}

/* A program that has changed its user shows what it holds, so that ullnicd knows it again. */
static int ask(const struct control_request* request, const void* data, size_t length,
               struct control_reply* reply, int* fd) {
  const struct client_calls calls = real_calls();
  int error = client_ask(&calls, daemon_path(), request, data, length, reply, fd);
  if (error != 0 || reply->error != EBADF || request->id == 0) return error;
  struct control_reply shown;
  int held = table_descriptor(request->id);
  if (held < 0 || daemon_show(held, &shown) != 0 || shown.id != request->id) return 0;
  return client_ask(&calls, daemon_path(), request, data, length, reply, fd);
}

int daemon_show(int fd, struct control_reply* reply) {
  const struct client_calls calls = real_calls();
  int error = client_show(&calls, daemon_path(), fd, reply);
  return error != 0 ? error : reply->error;
}

int daemon_ask(const struct control_request* request, struct control_reply* reply, int* fd) {
  return ask(request, NULL, 0, reply, fd);
}

int daemon_tell(const struct control_request* request, const void* data, size_t length,
                struct control_reply* reply) {
  return ask(request, data, length, reply, NULL);
}

int daemon_query(uint64_t id, struct control_reply* reply) {
  struct control_request request = new_request(CONTROL_QUERY);
  request.id = id;
  int error = daemon_ask(&request, reply, NULL);
  return error != 0 ? error : reply->error;
}
