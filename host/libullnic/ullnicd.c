/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A card that ullnicd owns: access through the daemon to its registers, the state of its DMA, and
 * frames to send. Received frames belong to the daemon.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "common/client.h"
#include "error.h"
#include "transport.h"
#include "ullnic/card.h"
#include "ullnic/dma.h"

struct daemon {
  struct ul_transport transport;
  const char* path;
};

static struct daemon* of(struct ul_transport* transport) {
  return (struct daemon*)transport;  // its first member
}

static int plain_connect(int fd, const struct sockaddr* address, socklen_t length) {
  return connect(fd, address, length);
}

/** `fd`: the descriptor that came with the reply, or NULL if none is expected. */
static int ask(const struct daemon* daemon, const struct control_request* request,
               struct control_reply* reply, int* fd) {
  static const struct client_calls calls = {.socket = socket,
                                            .setsockopt = setsockopt,
                                            .connect = plain_connect,
                                            .sendmsg = sendmsg,
                                            .recvmsg = recvmsg,
                                            .poll = poll,
                                            .close = close};
  const char* name = daemon->transport.name;
  const int error = client_ask(&calls, daemon->path, request, NULL, 0,
                               ul_call_deadline(CLIENT_PATIENCE_MS), reply, fd);
  switch (error) {
    case 0:
      return reply->error == 0 ? 0 : ul_fail(reply->error, "%s: %s", name, reply->text);
    case ENAMETOOLONG:
      return ul_fail(error, "%s: the path is too long for a socket; give a shorter one", name);
    case ETIMEDOUT:
      return ul_fail(error, "%s: ullnicd does not answer; if it is stopped let it go on", name);
    case EPROTO:
      return ul_fail(EPROTO, "%s: ullnicd gave no answer; is it of the same version?", name);
    case EACCES:
      return ul_fail(error,
                     "%s: ullnicd is not for user %u: start it with --allow-user or --allow-group",
                     name, (unsigned)geteuid());
    default:
      return ul_fail(error == ENOENT || error == ECONNREFUSED ? ENODEV : error,
                     "%s: nothing answers there (%s); is ullnicd running, and with this --socket?",
                     name, strerror(error));
  }
}

static int reach(struct daemon* daemon, enum control_op op, unsigned region, uint64_t offset,
                 uint32_t* value) {
  if (region != UL_BAR_CARD) {
    return ul_fail(ENOTSUP, "%s: ullnicd owns the card and does not show its DMA",
                   daemon->transport.name);
  }
  struct control_request request = new_request(op);
  request.address = (uint32_t)offset;
  request.value = *value;
  struct control_reply reply;
  const int result = ask(daemon, &request, &reply, NULL);
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

static int lend(struct ul_transport* transport, unsigned port, int* fd) {
  struct control_request request = new_request(CONTROL_RAW);
  request.value = port;
  struct control_reply reply;
  const int result = ask(of(transport), &request, &reply, fd);
  if (result != 0 || *fd >= 0) {
    return result;
  }
  return ul_fail(EMFILE, "%s: no descriptor is free for port %u", transport->name, port);
}

/** `words`: the state that is asked for, as in ullnic/dma.h. */
static int ask_dma(struct ul_transport* transport, enum control_op op, unsigned address,
                   unsigned value, void* words, size_t bytes) {
  struct control_request request = new_request(op);
  request.address = address;
  request.value = value;
  struct control_reply reply;
  const int result = ask(of(transport), &request, &reply, NULL);
  if (result == 0 && bytes != 0) {
    memcpy(words, reply.words, bytes);
  }
  return result;
}

static int dma_queue(struct ul_transport* transport, unsigned queue,
                     struct ullnic_dma_queue* state) {
  _Static_assert(sizeof *state <= CONTROL_TEXT, "a reply has room for it");
  return ask_dma(transport, CONTROL_DMA_QUEUE, 0, queue, state, sizeof *state);
}

static int dma_errors(struct ul_transport* transport, struct ullnic_dma_errors* errors) {
  _Static_assert(sizeof *errors <= CONTROL_TEXT, "a reply has room for it");
  return ask_dma(transport, CONTROL_DMA_ERRORS, 0, 0, errors, sizeof *errors);
}

static int dma_events(struct ul_transport* transport, unsigned first, unsigned count,
                      struct ullnic_dma_event* events) {
  int result = 0;
  for (unsigned part; result == 0 && count != 0; first += part, events += part, count -= part) {
    part = count < CONTROL_EVENTS ? count : CONTROL_EVENTS;
    result = ask_dma(transport, CONTROL_DMA_EVENTS, first, part, events, part * sizeof *events);
  }
  return result;
}

static int dma_watch(struct ul_transport* transport, unsigned ticks, unsigned queue) {
  return ask_dma(transport, CONTROL_DMA_WATCH, queue, ticks, NULL, 0);
}

static void close_transport(struct ul_transport* transport) { free(transport); }

int ul_ullnicd_open(const char* name, const char* path, struct ul_transport** opened) {
  // Without interrupts and DMA: open.c uses neither where a daemon owns the card.
  static const struct ul_transport_ops ops = {.read32 = read32,
                                              .write32 = write32,
                                              .lend = lend,
                                              .dma_queue = dma_queue,
                                              .dma_errors = dma_errors,
                                              .dma_events = dma_events,
                                              .dma_watch = dma_watch,
                                              .close = close_transport};
  struct daemon* daemon = calloc(1, sizeof *daemon);
  if (daemon == NULL) {
    return ul_fail_text(ENOMEM, "out of memory");
  }
  daemon->transport = (struct ul_transport){.ops = &ops, .name = name, .owned_elsewhere = true};
  daemon->transport.bar_size[UL_BAR_CARD] = ULLNIC_BAR_SIZE;
  daemon->path = path[0] != '\0' ? path : control_path();
  *opened = &daemon->transport;
  return 0;
}
