/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "preload/stamps.h"

#include <errno.h>
#include <linux/net_tstamp.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "preload/ancillary.h"
#include "preload/daemon.h"
#include "preload/notes.h"
#include "preload/real.h"

enum {
  NS_PER_S = 1000000000,
  SENT = SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_TX_SCHED |
      SOF_TIMESTAMPING_TX_ACK,
  NOT_THERE = SOF_TIMESTAMPING_OPT_PKTINFO | SOF_TIMESTAMPING_BIND_PHC,
  KNOWN = SOF_TIMESTAMPING_MASK,
  GIVEN = SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_RAW_HARDWARE,
};

bool stamps_is_option(int level, int name) {
  return level == SOL_SOCKET &&
         (name == SO_TIMESTAMP || name == SO_TIMESTAMPNS || name == SO_TIMESTAMPING);
}

int stamps_value(int name, uint32_t stamping) {
  if (name == SO_TIMESTAMPING) return (int)(stamping & ~(STAMPS_US | STAMPS_NS));
  return (stamping & (name == SO_TIMESTAMP ? STAMPS_US : STAMPS_NS)) != 0;
}

/* As in the kernel, SO_TIMESTAMP and SO_TIMESTAMPNS replace each other. */
static uint32_t with(uint32_t stamping, int name, int value) {
  if (name == SO_TIMESTAMPING) {
    return (stamping & (STAMPS_US | STAMPS_NS)) | ((uint32_t)value & ~(STAMPS_US | STAMPS_NS));
  }
  stamping &= ~(STAMPS_US | STAMPS_NS);
  if (value == 0) return stamping;
  return stamping | (name == SO_TIMESTAMP ? STAMPS_US : STAMPS_NS);
}

uint32_t stamps_of_kernel(int fd) {
  static const int names[] = {SO_TIMESTAMP, SO_TIMESTAMPNS, SO_TIMESTAMPING};
  uint32_t stamping = 0;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    int value = 0;
    socklen_t length = sizeof(value);
    if (REAL(getsockopt)(fd, SOL_SOCKET, names[i], &value, &length) == 0 && value != 0) {
      stamping = with(stamping, names[i], value);
    }
  }
  return stamping;
}

const char* stamps_in_the_way(uint32_t stamping, bool datagram) {
  if (stamping != 0 && !datagram) return "times of received bytes (SO_TIMESTAMP...)";
  if ((stamping & NOT_THERE) != 0) return "OPT_PKTINFO or BIND_PHC (SO_TIMESTAMPING)";
  return (stamping & SENT) != 0 ? "times of what is sent (SO_TIMESTAMPING)" : NULL;
}

/* Computes the new flags. 0, or errno for unsupported timestamps, with a message. */
static int change(int name, int value, uint32_t* stamping) {
  if (name == SO_TIMESTAMPING && (value & ~KNOWN) != 0) return EINVAL;
  if (name == SO_TIMESTAMPING && (value & NOT_THERE) != 0) {
    note(
        "SO_TIMESTAMPING: no interface (OPT_PKTINFO) and no other clock (BIND_PHC) comes with "
        "times");
    return EOPNOTSUPP;
  }
  if (name == SO_TIMESTAMPING && (value & SENT) != 0) {
    note("SO_TIMESTAMPING: there are times of what is received, not of what is sent");
    return EOPNOTSUPP;
  }
  *stamping = with(*stamping, name, value);
  return 0;
}

static int fail(int error) {
  errno = error;
  return -1;
}

int stamps_set(const struct entry* entry, int name, const void* value, socklen_t length) {
  struct control_reply reply;
  struct control_request request = new_request(CONTROL_OPTIONS);
  int number;
  if (length < sizeof(number)) return fail(EINVAL);
  memcpy(&number, value, sizeof(number));
  if (!entry->datagram) {
    if (number == 0) return 0;
    note("there are no times of received bytes on TCP sockets (SO_TIMESTAMP...)");
    return fail(EOPNOTSUPP);
  }
  if (daemon_query(entry->id, &reply) != 0) return fail(ENETDOWN);
  request.id = entry->id;
  request.options = reply.options;
  int error = change(name, number, &request.options.stamping);
  if (error != 0) return fail(error);
  if (daemon_ask(&request, &reply, NULL) != 0) return fail(ENETDOWN);
  ancillary_changed(entry->id, &reply.options);
  return 0;
}

static struct timespec time_of(uint64_t ns) {
  return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
}

size_t stamps_give(const struct datagram_address* address, struct msghdr* message) {
  uint32_t stamping = address->stamping;
  size_t used = 0;
  struct timespec system = time_of(address->system_ns);
  if (message->msg_control == NULL) message->msg_controllen = 0;
  if ((stamping & STAMPS_US) != 0) {
    struct timeval time = {.tv_sec = system.tv_sec, .tv_usec = system.tv_nsec / 1000};
    ancillary_put(message, &used, SOL_SOCKET, SCM_TIMESTAMP, &time, sizeof(time));
  }
  if ((stamping & STAMPS_NS) != 0) {
    ancillary_put(message, &used, SOL_SOCKET, SCM_TIMESTAMPNS, &system, sizeof(system));
  }
  if ((stamping & GIVEN) != 0) {
    struct timespec times[3] = {0};
    if ((stamping & SOF_TIMESTAMPING_SOFTWARE) != 0) times[0] = system;
    if ((stamping & SOF_TIMESTAMPING_RAW_HARDWARE) != 0) times[2] = time_of(address->card_ns);
    ancillary_put(message, &used, SOL_SOCKET, SCM_TIMESTAMPING, times, sizeof(times));
  }
  return used;
}
