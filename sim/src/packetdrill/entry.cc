// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// libullnic-packetdrill.so: packetdrill's table of functions over Sockets.

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <memory>

#include "core/user_error.h"
#include "packetdrill/interface.h"
#include "packetdrill/sockets.h"

namespace ullnic::packetdrill {
namespace {

// Time 0 of the engine.
constexpr int64_t kEpochUs = 1'000'000'000'000;

// Converts a result of Sockets to that of a system call. No object: the flags were invalid.
template <typename Call>
auto Result(void* userdata, Call call) -> decltype(call(*static_cast<Sockets*>(nullptr))) {
  if (userdata == nullptr) {
    errno = EINVAL;
    return -1;
  }
  const auto result = call(*static_cast<Sockets*>(userdata));
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}

int NoCall() {
  errno = ENOSYS;
  return -1;
}

ssize_t Receive(void* u, int fd, void* buffer, size_t bytes, int flags) {
  const iovec part{buffer, bytes};
  return Result(u, [&](Sockets& s) { return s.Receive(fd, {&part, 1}, flags); });
}

ssize_t Send(void* u, int fd, const void* buffer, size_t bytes, int flags) {
  const iovec part{const_cast<void*>(buffer), bytes};
  return Result(u, [&](Sockets& s) { return s.Send(fd, {&part, 1}, flags); });
}

std::span<const iovec> Parts(const iovec* parts, size_t count) { return {parts, count}; }

int Fcntl(void* u, int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const int argument = va_arg(arguments, int);
  va_end(arguments);
  return Result(u, [&](Sockets& s) { return s.Fcntl(fd, command, argument); });
}

int Ioctl(void* u, int fd, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  int* argument = va_arg(arguments, int*);
  va_end(arguments);
  return Result(u, [&](Sockets& s) { return s.Ioctl(fd, request, argument); });
}

int NetReceive(void* u, void* buffer, size_t* count, long long* time_us) {
  return Result(u, [&](Sockets& s) {
    int64_t now_us = 0;
    *count = s.NetReceive({static_cast<uint8_t*>(buffer), *count}, &now_us);
    *time_us = now_us + kEpochUs;
    return 0;
  });
}

int GetTimeOfDay(void* u, timeval* time, struct timezone*) {
  return Result(u, [&](Sockets& s) {
    const int64_t us = s.NowUs() + kEpochUs;
    *time = {us / 1'000'000, us % 1'000'000};
    return 0;
  });
}

void Fill(PacketdrillInterface& i) {
  i.free = [](void* u) { delete static_cast<Sockets*>(u); };
  i.socket = [](void* u, int domain, int type, int protocol) {
    return Result(u, [&](Sockets& s) { return s.Socket(domain, type, protocol); });
  };
  i.bind = [](void* u, int fd, const sockaddr* address, socklen_t bytes) {
    return Result(u, [&](Sockets& s) { return s.Bind(fd, address, bytes); });
  };
  i.listen = [](void* u, int fd, int backlog) {
    return Result(u, [&](Sockets& s) { return s.Listen(fd, backlog); });
  };
  i.accept = [](void* u, int fd, sockaddr* address, socklen_t* bytes) {
    return Result(u, [&](Sockets& s) { return s.Accept(fd, address, bytes); });
  };
  i.connect = [](void* u, int fd, const sockaddr* address, socklen_t bytes) {
    return Result(u, [&](Sockets& s) { return s.Connect(fd, address, bytes); });
  };
  i.read = [](void* u, int fd, void* to, size_t bytes) { return Receive(u, fd, to, bytes, 0); };
  i.readv = [](void* u, int fd, const iovec* parts, int count) {
    return Result(u, [&](Sockets& s) { return s.Receive(fd, Parts(parts, count), 0); });
  };
  i.recv = Receive;
  i.recvfrom = [](void* u, int fd, void* to, size_t bytes, int flags, sockaddr*, socklen_t*) {
    return Receive(u, fd, to, bytes, flags);
  };
  i.recvmsg = [](void* u, int fd, msghdr* m, int flags) {
    m->msg_controllen = 0;
    m->msg_flags = 0;
    return Result(
        u, [&](Sockets& s) { return s.Receive(fd, Parts(m->msg_iov, m->msg_iovlen), flags); });
  };
  i.write = [](void* u, int fd, const void* from, size_t n) { return Send(u, fd, from, n, 0); };
  i.writev = [](void* u, int fd, const iovec* parts, int count) {
    return Result(u, [&](Sockets& s) { return s.Send(fd, Parts(parts, count), 0); });
  };
  i.send = Send;
  i.sendto = [](void* u, int fd, const void* from, size_t bytes, int flags, const sockaddr*,
                socklen_t) { return Send(u, fd, from, bytes, flags); };
  i.sendmsg = [](void* u, int fd, const msghdr* m, int flags) {
    return Result(u, [&](Sockets& s) -> ssize_t {
      if (m->msg_controllen != 0) return -EOPNOTSUPP;
      return s.Send(fd, Parts(m->msg_iov, m->msg_iovlen), flags);
    });
  };
  i.fcntl = Fcntl;
  i.ioctl = Ioctl;
  i.close = [](void* u, int fd) { return Result(u, [&](Sockets& s) { return s.Close(fd); }); };
  i.shutdown = [](void* u, int fd, int how) {
    return Result(u, [&](Sockets& s) { return s.Shutdown(fd, how); });
  };
  i.getsockopt = [](void* u, int fd, int level, int name, void* value, socklen_t* bytes) {
    return Result(u, [&](Sockets& s) { return s.GetOption(fd, level, name, value, bytes); });
  };
  i.setsockopt = [](void* u, int fd, int level, int name, const void* value, socklen_t bytes) {
    return Result(u, [&](Sockets& s) { return s.SetOption(fd, level, name, value, bytes); });
  };
  i.poll = [](void* u, pollfd* fds, nfds_t count, int timeout_ms) {
    return Result(u, [&](Sockets& s) { return s.Poll({fds, count}, timeout_ms); });
  };
  i.netdev_send = [](void* u, const void* packet, size_t bytes) {
    return Result(u, [&](Sockets& s) {
      s.NetSend({static_cast<const uint8_t*>(packet), bytes});
      return 0;
    });
  };
  i.netdev_receive = NetReceive;
  i.usleep = [](void* u, useconds_t us) {
    return Result(u, [&](Sockets& s) {
      s.Sleep(us);
      return 0;
    });
  };
  i.gettimeofday = GetTimeOfDay;
  i.epoll_create = [](void*, int) { return NoCall(); };
  i.epoll_ctl = [](void*, int, int, int, epoll_event*) { return NoCall(); };
  i.epoll_wait = [](void*, int, epoll_event*, int, int) { return NoCall(); };
  i.pipe = [](void*, int*) { return NoCall(); };
  i.splice = [](void*, int, loff_t*, int, loff_t*, size_t, unsigned) -> ssize_t {
    return NoCall();
  };
}

}  // namespace
}  // namespace ullnic::packetdrill

extern "C" __attribute__((visibility("default"))) void packetdrill_interface_init(
    const char* flags, PacketdrillInterface* interface) {
  using namespace ullnic::packetdrill;
  Fill(*interface);
  interface->userdata = nullptr;
  try {
    interface->userdata = new Sockets(ParseFlags(flags == nullptr ? "" : flags));
  } catch (const ullnic::UserError& error) {
    std::fprintf(stderr, "libullnic-packetdrill: %s (%s)\n", error.what(), error.remedy().c_str());
  }
}

extern "C" __attribute__((visibility("default"))) size_t
ullnic_packetdrill_waiting(void* userdata) {
  return static_cast<ullnic::packetdrill::Sockets*>(userdata)->waiting();
}

extern "C" __attribute__((visibility("default"))) size_t ullnic_packetdrill_unread(void* userdata) {
  return static_cast<ullnic::packetdrill::Sockets*>(userdata)->unread();
}
