/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A card that ullnicd owns: its registers, by way of the daemon. Frames are the daemon's, so no
 * port can be opened.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "error.h"
#include "sockets/common/protocol.h"
#include "transport.h"
#include "ullnic/card.h"

enum { PATIENCE_MS = 10000 };

struct daemon {
  struct ul_transport transport;
  struct sockaddr_un address;
  socklen_t address_bytes;
};

static struct daemon* of(struct ul_transport* transport) {
  return (struct daemon*)transport;  // its first member
}

/** One request has a connection of its own. */
static int ask(struct daemon* daemon, const struct control_request* request,
               struct control_reply* reply) {
  const char* name = daemon->transport.name;
  const int link = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (link < 0) {
    return ul_fail(errno, "%s: no socket: %s", name, strerror(errno));
  }
  struct pollfd answer = {.fd = link, .events = POLLIN};
  int result;
  if (connect(link, (const struct sockaddr*)&daemon->address, daemon->address_bytes) != 0) {
    result = ul_fail(errno == ENOENT || errno == ECONNREFUSED ? ENODEV : errno,
                     "%s: nothing answers there (%s); is ullnicd running, and with this --socket?",
                     name, strerror(errno));
  } else if (send(link, request, sizeof *request, MSG_NOSIGNAL) != (ssize_t)sizeof *request ||
             poll(&answer, 1, PATIENCE_MS) != 1 ||
             recv(link, reply, sizeof *reply, 0) != (ssize_t)sizeof *reply ||
             reply->magic != CONTROL_MAGIC) {
    result = ul_fail(EPROTO, "%s: ullnicd gave no answer; is it of the same version?", name);
  } else {
    result = reply->error == 0 ? 0 : ul_fail(reply->error, "%s: %s", name, reply->text);
  }
  close(link);
  return result;
}

static int reach(struct daemon* daemon, enum control_op op, unsigned region, uint64_t offset,
                 uint32_t* value) {
  if (region != UL_BAR_CARD) {
    return ul_fail(ENOTSUP, "%s: ullnicd owns the card and shows its registers only",
                   daemon->transport.name);
  }
  const struct control_request request = {.magic = CONTROL_MAGIC,
                                          .op = op,
                                          .ate_id = CONTROL_ATE_NONE,
                                          .address = (uint32_t)offset,
                                          .value = *value};
  struct control_reply reply;
  const int result = ask(daemon, &request, &reply);
  if (result == 0) {
    *value = reply.value;
  }
  return result;
}

static int read32(struct ul_transport* transport, unsigned region, uint64_t offset,
                  uint32_t* value) {
  *value = 0;
  return reach(of(transport), CONTROL_READ_REGISTER, region, offset, value);
}

static int write32(struct ul_transport* transport, unsigned region, uint64_t offset,
                   uint32_t value) {
  return reach(of(transport), CONTROL_WRITE_REGISTER, region, offset, &value);
}

static void close_transport(struct ul_transport* transport) { free(transport); }

int ul_ullnicd_open(const char* name, const char* path, struct ul_transport** opened) {
  // Without interrupts and DMA: open.c asks for neither where registers are all there is.
  static const struct ul_transport_ops ops = {
      .read32 = read32, .write32 = write32, .close = close_transport};
  struct daemon* daemon = calloc(1, sizeof *daemon);
  if (daemon == NULL) {
    return ul_fail_text(ENOMEM, "out of memory");
  }
  daemon->transport = (struct ul_transport){.ops = &ops, .name = name, .registers_only = true};
  daemon->transport.bar_size[UL_BAR_CARD] = ULLNIC_BAR_SIZE;
  daemon->address_bytes = control_address(&daemon->address, path);
  *opened = &daemon->transport;
  return daemon->address_bytes != 0
             ? 0
             : ul_fail(ENAMETOOLONG, "%s: the path is too long for a socket; give a shorter one",
                       name);
}
