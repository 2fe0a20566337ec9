// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Socket calls over the engine's sessions. Each returns what the system call would, or -errno;
// -ENOSYS or -ENOPROTOOPT if the engine or this adapter does not support the call or option.
//
// Time is virtual, and advances only in usleep, gettimeofday, netdev_receive, and in a call that
// blocks in the thread that made the object. A call that blocks in another thread waits for that
// thread, with a limit.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "packetdrill/flags.h"
#include "packetdrill/sessions.h"

namespace ullnic::packetdrill {

class Sockets {
 public:
  explicit Sockets(const Flags& flags);
  ~Sockets();

  int Socket(int domain, int type, int protocol);
  int Bind(int fd, const sockaddr* address, socklen_t bytes);
  int Listen(int fd, int backlog);
  int Accept(int fd, sockaddr* address, socklen_t* bytes);
  int Connect(int fd, const sockaddr* address, socklen_t bytes);
  ssize_t Receive(int fd, std::span<const iovec> parts, int flags);
  ssize_t Send(int fd, std::span<const iovec> parts, int flags);
  int Fcntl(int fd, int command, long argument);
  int Ioctl(int fd, unsigned long request, int* argument);
  int Close(int fd);
  int Shutdown(int fd, int how);
  int GetOption(int fd, int level, int name, void* value, socklen_t* bytes);
  int SetOption(int fd, int level, int name, const void* value, socklen_t bytes);
  int Poll(std::span<pollfd> fds, int timeout_ms);

  void NetSend(View packet);
  // Waits for the next packet sent; returns its bytes, or 0 if none is sent within the flag
  // limit_s.
  size_t NetReceive(std::span<uint8_t> buffer, int64_t* time_us);
  void Sleep(int64_t us);
  // Virtual time, which advances by a microsecond. After a call that has waited in this thread: the
  // end of that call.
  int64_t NowUs();
  // Calls that wait in other threads.
  size_t waiting();
  // Packets that were sent and not received.
  size_t unread();

 private:
  struct Entry {
    bool nonblocking = false;
    uint16_t port = 0;
    ListenerPtr listener;
    ConnectionPtr connection;
    bool connecting = false;  // and the result has not been reported
    bool shut_write = false;
    size_t rx_limit = SIZE_MAX, tx_limit = 212992;
    std::optional<int> linger_s;
  };
  using EntryPtr = std::shared_ptr<Entry>;
  using Attempt = std::function<std::optional<ssize_t>()>;
  struct Waiter {
    const Attempt& attempt;
    std::optional<ssize_t> result;
    int64_t ended_ps = 0;
  };
  using Lock = std::unique_lock<std::mutex>;

  EntryPtr Find(int fd) const;
  int Add(EntryPtr entry);
  std::optional<ssize_t> TryReceive(Entry& entry, std::span<const iovec> parts, int flags);
  std::optional<ssize_t> TrySend(Entry& entry, std::span<const iovec> parts, size_t& done,
                                 bool nonblocking);
  short Ready(const Entry& entry) const;
  uint16_t FreePort();
  int TcpInfo(const Entry& entry, void* value, socklen_t* bytes) const;

  // Tries until it succeeds, or `timeout_ps` of virtual time have passed: then `late`.
  ssize_t Complete(Lock& lock, const Attempt& attempt, int64_t timeout_ps, ssize_t late);
  void RunUntil(int64_t time_ps, const std::function<bool()>& stop = {});
  void Advance(int64_t time_ps);  // until any activity, or that time
  void Settle();
  void ServeWaiters();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread::id driver_ = std::this_thread::get_id();
  std::list<Waiter*> waiters_;
  bool ending_ = false;

  int64_t limit_ps_;
  Sessions sessions_;
  std::map<int, EntryPtr> entries_;
  uint16_t next_port_;
};

}  // namespace ullnic::packetdrill
