// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The binary interface of packetdrill to a shared object (--so_filename): this table of functions,
// which packetdrill_interface_init fills. The first argument of each is `userdata`; each fails with
// -1 and errno.
#pragma once

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>

extern "C" {

struct PacketdrillInterface {
  void* userdata;
  void (*free)(void* userdata);
  int (*socket)(void*, int domain, int type, int protocol);
  int (*bind)(void*, int fd, const sockaddr*, socklen_t);
  int (*listen)(void*, int fd, int backlog);
  int (*accept)(void*, int fd, sockaddr*, socklen_t*);
  int (*connect)(void*, int fd, const sockaddr*, socklen_t);
  ssize_t (*read)(void*, int fd, void*, size_t);
  ssize_t (*readv)(void*, int fd, const iovec*, int count);
  ssize_t (*recv)(void*, int fd, void*, size_t, int flags);
  ssize_t (*recvfrom)(void*, int fd, void*, size_t, int flags, sockaddr*, socklen_t*);
  ssize_t (*recvmsg)(void*, int fd, msghdr*, int flags);
  ssize_t (*write)(void*, int fd, const void*, size_t);
  ssize_t (*writev)(void*, int fd, const iovec*, int count);
  ssize_t (*send)(void*, int fd, const void*, size_t, int flags);
  ssize_t (*sendto)(void*, int fd, const void*, size_t, int flags, const sockaddr*, socklen_t);
  ssize_t (*sendmsg)(void*, int fd, const msghdr*, int flags);
  int (*fcntl)(void*, int fd, int command, ...);
  int (*ioctl)(void*, int fd, unsigned long request, ...);
  int (*close)(void*, int fd);
  int (*shutdown)(void*, int fd, int how);
  int (*getsockopt)(void*, int fd, int level, int name, void*, socklen_t*);
  int (*setsockopt)(void*, int fd, int level, int name, const void*, socklen_t);
  int (*poll)(void*, pollfd*, nfds_t, int timeout_ms);
  // An IP packet to the stack under test.
  int (*netdev_send)(void*, const void*, size_t);
  // The next IP packet sent by it; `count`: the buffer's size, then the packet's.
  int (*netdev_receive)(void*, void*, size_t* count, long long* time_us);
  int (*usleep)(void*, useconds_t);
  int (*gettimeofday)(void*, timeval*, struct timezone*);
  int (*epoll_create)(void*, int size);
  int (*epoll_ctl)(void*, int epoll_fd, int operation, int fd, epoll_event*);
  int (*epoll_wait)(void*, int epoll_fd, epoll_event*, int most, int timeout_ms);
  int (*pipe)(void*, int fds[2]);
  ssize_t (*splice)(void*, int in, loff_t*, int out, loff_t*, size_t, unsigned flags);
};

// `flags`: the value of --so_flags, or null; docs/packetdrill.md lists them.
void packetdrill_interface_init(const char* flags, PacketdrillInterface* interface);

// For a runner: calls that wait in other threads; packets that were sent and not received.
size_t ullnic_packetdrill_waiting(void* userdata);
size_t ullnic_packetdrill_unread(void* userdata);

}  // extern "C"
