/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Passing a descriptor with a message over a unix socket.
 */
#ifndef ULLNIC_SOCKETS_DESCRIPTOR_H
#define ULLNIC_SOCKETS_DESCRIPTOR_H

#include <string.h>
#include <sys/socket.h>

/* Room for one, until the message has been sent. */
union descriptor_room {
  struct cmsghdr header;
  char space[CMSG_SPACE(sizeof(int))];
};

/* Attaches `fd` to the message. */
static inline void attach_descriptor(struct msghdr* message, union descriptor_room* room, int fd) {
  memset(room, 0, sizeof(*room));
  message->msg_control = room;
  message->msg_controllen = sizeof(*room);
  room->header.cmsg_level = SOL_SOCKET;
  room->header.cmsg_type = SCM_RIGHTS;
  room->header.cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(&room->header), &fd, sizeof(fd));
}

#endif /* ULLNIC_SOCKETS_DESCRIPTOR_H */
