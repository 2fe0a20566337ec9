/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/accelerating.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "preload/daemon.h"
#include "preload/epolls.h"
#include "preload/ip_options.h"
#include "preload/notes.h"
#include "preload/option_table.h"
#include "preload/real.h"
#include "preload/stamps.h"

int take_place(int fd, int fresh) {
  static const int limits[] = {SO_RCVTIMEO, SO_SNDTIMEO};
  for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
    struct timeval limit;
    socklen_t length = sizeof(limit);
    if (REAL(getsockopt)(fd, SOL_SOCKET, limits[i], &limit, &length) == 0) {
      REAL(setsockopt)(fresh, SOL_SOCKET, limits[i], &limit, sizeof(limit));
    }
  }
  int status = REAL(fcntl)(fd, F_GETFL), flags = REAL(fcntl)(fd, F_GETFD), error = 0;
  int sig = REAL(fcntl)(fd, F_GETSIG);
  struct f_owner_ex owner = {0};
  REAL(fcntl)(fd, F_GETOWN_EX, &owner);
  if (REAL(dup3)(fresh, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0) < 0) error = errno;
  REAL(close)(fresh);
  if (error == 0) { /* on the program's descriptor: signals carry its number */
    if (owner.pid != 0) REAL(fcntl)(fd, F_SETOWN_EX, &owner);
    if (sig > 0) REAL(fcntl)(fd, F_SETSIG, sig);
    REAL(fcntl)(fd, F_SETFL, status & (O_NONBLOCK | O_ASYNC));
  }
  if (error == 0) epolls_renew(fd);
  return error;
}

void read_options(int fd, struct control_options* options) {
  struct linger linger = {0};
  socklen_t length = sizeof(linger);
  options_of_kernel(fd, options);
  REAL(getsockopt)(fd, SOL_SOCKET, SO_LINGER, &linger, &length);
  options->linger = linger.l_onoff != 0;
  options->linger_s = linger.l_onoff != 0 ? (uint32_t)linger.l_linger : 0;
  options->stamping = stamps_of_kernel(fd);
}

bool unwanted(const struct entry* entry, const char* peer) {
  if (entry->plain) {
    note("%s: not accelerated: the program disabled it (SO_EXA_NO_ACCEL)", peer);
  } else if (disabled_by_default() && !entry->wanted) {
    note(
        "%s: not accelerated: EXASOCK_DEFAULT_DISABLE is set (exasock --no-auto) and the program "
        "did not enable it (SO_EXA_NO_ACCEL 0)",
        peer);
  } else {
    return false;
  }
  return true;
}

void note_absent(const char* peer, int error) {
  if (error == EACCES) {
    note(
        "%s: not accelerated: ullnicd at %s is not for user %u: start it with --allow-user or "
        "--allow-group",
        peer, daemon_path(), (unsigned)geteuid());
    return;
  }
  note(
      "%s: not accelerated: ullnicd does not answer at %s (%s): start it, or "
      "set " CONTROL_PATH_VARIABLE,
      peer, daemon_path(), strerror(error));
}

int kernels_or(int error) { return acceleration_required() ? error : -1; }

bool is_cards(const struct control_request* request) {
  struct control_request route = *request;
  struct control_reply reply;
  route.op = CONTROL_ROUTE;
  if (request->op == CONTROL_CONNECT) route.local_ip = 0; /* it may be a group */
  return daemon_ask(&route, &reply, NULL) == 0 && reply.accelerated;
}

int check_options(int fd, const struct entry* entry, const struct control_request* request,
                  const char* text) {
  bool ate = request->ate_id != CONTROL_ATE_NONE;
  const char* option = option_in_the_way(fd, entry->datagram, entry->hidden_options);
  if (option == NULL) option = stamps_in_the_way(request->options.stamping, entry->datagram);
  if (option == NULL && ate && request->options.cork) option = "TCP_CORK";
  if (option == NULL || !is_cards(request)) return 0;
  note("%s: not accelerated: the program set %s, which the card does not do", text, option);
  return ate ? EOPNOTSUPP : kernels_or(EOPNOTSUPP);
}

int bind_to_card(int fd, struct entry* entry, struct control_request* request) {
  char text[ENDPOINT_TEXT];
  uint32_t via = request->via_ip != 0 ? request->via_ip : request->local_ip;
  endpoint_text(text, via != 0 ? via : request->peer_ip, request->local_port);
  if (unwanted(entry, text)) return -1;
  struct control_reply reply;
  int fresh;
  request->datagram = entry->datagram;
  read_options(fd, &request->options);
  ip_options_read(fd, entry->datagram, &request->options);
  int error = check_options(fd, entry, request, text);
  if (error != 0) return error;
  error = daemon_ask(request, &reply, &fresh);
  if (error != 0) {
    note_absent(text, error);
    return kernels_or(error == EACCES ? EACCES : ENETDOWN);
  }
  if (reply.error != 0) {
    if (reply.text[0] != '\0') note("%s: %s", text, reply.text);
    return reply.error;
  }
  if (!reply.accelerated || fresh < 0) {
    if (!acceleration_required() || IN_MULTICAST(ntohl(via))) return -1;
    note("%s: not accelerated: no port of the card %s (see ullnicd --address, --gateway)", text,
         via != 0 ? "has this address" : "reaches it");
    return via != 0 ? EADDRNOTAVAIL : ENETUNREACH;
  }
  error = take_place(fd, fresh);
  if (error == 0) table_take(fd, &reply, entry->datagram);
  trace("descriptor %d is bound to the card at %s", fd,
        endpoint_text(text, reply.local_ip, reply.local_port));
  return error;
}
