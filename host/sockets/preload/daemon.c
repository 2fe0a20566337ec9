/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/daemon.h"

#include <errno.h>
#include <unistd.h>

#include "preload/notes.h"
#include "preload/real.h"
#include "preload/table.h"

/* With plain parameters: the C library declares a union of all address types. */
static int real_connect(int fd, const struct sockaddr* address, socklen_t length) {
  return REAL(connect)(fd, address, length);
}

static struct client_calls real_calls(void) {
  return (struct client_calls){.socket = REAL(socket),
                               .setsockopt = REAL(setsockopt),
                               .connect = real_connect,
                               .sendmsg = REAL(sendmsg),
                               .recvmsg = REAL(recvmsg),
                               .poll = REAL(poll),
                               .close = REAL(close)};
}

/* A program that has changed its user presents its descriptors, so that ullnicd accepts it
 * again. */
static int ask(const struct control_request* request, const void* data, size_t length,
               deadline_t deadline, struct control_reply* reply, int* fd) {
  const struct client_calls calls = real_calls();
  int error = client_ask(&calls, daemon_path(), request, data, length, deadline, reply, fd);
  if (error != 0 || reply->error != EBADF || request->id == 0) return error;
  struct control_reply shown;
  int held = table_descriptor(request->id);
  if (held < 0) return 0;
  int unknown = client_show(&calls, daemon_path(), held, deadline, &shown);
  if (unknown != 0 || shown.error != 0 || shown.id != request->id) return 0;
  return client_ask(&calls, daemon_path(), request, data, length, deadline, reply, fd);
}

int daemon_show(int fd, struct control_reply* reply) {
  const struct client_calls calls = real_calls();
  deadline_t deadline = deadline_in(CLIENT_PATIENCE_MS);
  int error = client_show(&calls, daemon_path(), fd, deadline, reply);
  return error != 0 ? error : reply->error;
}

int daemon_ask(const struct control_request* request, struct control_reply* reply, int* fd) {
  return daemon_ask_until(request, deadline_in(CLIENT_PATIENCE_MS), reply, fd);
}

int daemon_ask_until(const struct control_request* request, deadline_t deadline,
                     struct control_reply* reply, int* fd) {
  return ask(request, NULL, 0, deadline, reply, fd);
}

int daemon_tell(const struct control_request* request, const void* data, size_t length,
                struct control_reply* reply) {
  return ask(request, data, length, deadline_in(CLIENT_PATIENCE_MS), reply, NULL);
}

int daemon_query(uint64_t id, struct control_reply* reply) {
  struct control_request request = new_request(CONTROL_QUERY);
  request.id = id;
  int error = daemon_ask(&request, reply, NULL);
  return error != 0 ? error : reply->error;
}
