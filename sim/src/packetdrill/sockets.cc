// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "packetdrill/sockets.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

namespace ullnic::packetdrill {
namespace {

constexpr int64_t kPsPerUs = 1'000'000, kPsPerMs = 1'000'000'000, kPsPerS = 1'000'000'000'000;
constexpr uint16_t kFirstEphemeralPort = 49152;
// For a waiting thread, if no other thread advances virtual time.
constexpr auto kPatience = std::chrono::seconds(10);
constexpr int kIgnoredFlags = MSG_NOSIGNAL | MSG_DONTWAIT;

// End of the last call that has waited in this thread; -1: already reported.
thread_local int64_t ended_ps = -1;

// tcpi_state of Linux, by State.
constexpr uint8_t kTcpState[] = {7, 10, 2, 3, 1, 4, 5, 8, 11, 9, 6};

size_t Size(std::span<const iovec> parts) {
  size_t bytes = 0;
  for (const iovec& part : parts) bytes += part.iov_len;
  return bytes;
}

int PutInt(int value, void* out, socklen_t* bytes) {
  if (*bytes < sizeof value) return -EINVAL;
  std::memcpy(out, &value, sizeof value);
  *bytes = sizeof value;
  return 0;
}

}  // namespace

Sockets::Sockets(const Flags& flags)
    : limit_ps_(flags.limit_s * kPsPerS), sessions_(flags), next_port_(kFirstEphemeralPort) {
  Settle();
}

Sockets::~Sockets() {
  Lock lock(mutex_);
  ending_ = true;
  wake_.notify_all();
  wake_.wait(lock, [this] { return waiters_.empty(); });
}

// --- Time

void Sockets::Advance(int64_t time_ps) {
  Timeline& time = sessions_.timeline();
  while (time.now_ps() < time_ps) {
    const uint64_t busy = sessions_.engine().last_busy_cycle();
    if (!time.Step(time_ps)) return;
    if (sessions_.engine().last_busy_cycle() == busy) continue;
    ServeWaiters();
    return;
  }
}

void Sockets::ServeWaiters() {
  for (auto at = waiters_.begin(); at != waiters_.end();) {
    Waiter& waiter = **at;
    waiter.result = waiter.attempt();
    waiter.ended_ps = sessions_.timeline().now_ps();
    at = waiter.result ? waiters_.erase(at) : std::next(at);
    if (!waiter.result) continue;
    sessions_.timeline().Touch();
    wake_.notify_all();
  }
}

void Sockets::Settle() {
  sessions_.Settle();
  ServeWaiters();
}

void Sockets::RunUntil(int64_t time_ps, const std::function<bool()>& stop) {
  while (sessions_.timeline().now_ps() < time_ps && !(stop && stop())) Advance(time_ps);
}

ssize_t Sockets::Complete(Lock& lock, const Attempt& attempt, int64_t timeout_ps, ssize_t late) {
  Settle();
  std::optional<ssize_t> result = attempt();
  if (!result && timeout_ps > 0) {
    const int64_t until = sessions_.timeline().now_ps() + timeout_ps;
    if (std::this_thread::get_id() == driver_) {
      RunUntil(until, [&] { return (result = attempt()).has_value(); });
    } else {
      Waiter waiter{.attempt = attempt};
      waiters_.push_back(&waiter);
      int64_t seen = -1, now = sessions_.timeline().now_ps();
      while (!waiter.result && !ending_ && now < until && now != seen) {
        wake_.wait_for(lock, kPatience, [&] { return waiter.result || ending_; });
        seen = std::exchange(now, sessions_.timeline().now_ps());
      }
      waiters_.remove(&waiter);
      result = waiter.result;
      ended_ps = waiter.result ? waiter.ended_ps : now;
      if (ending_) wake_.notify_all();
    }
  }
  Settle();
  return result.value_or(late);
}

void Sockets::Sleep(int64_t us) {
  Lock lock(mutex_);
  RunUntil(sessions_.timeline().now_ps() + us * kPsPerUs);
}

int64_t Sockets::NowUs() {
  Lock lock(mutex_);
  if (const int64_t ended = std::exchange(ended_ps, -1); ended >= 0) return ended / kPsPerUs;
  RunUntil(sessions_.timeline().now_ps() + kPsPerUs);
  return sessions_.timeline().now_ps() / kPsPerUs;
}

size_t Sockets::waiting() {
  Lock lock(mutex_);
  return waiters_.size();
}

size_t Sockets::unread() {
  Lock lock(mutex_);
  return sessions_.sent().size();
}

// --- The network's side

void Sockets::NetSend(View packet) {
  Lock lock(mutex_);
  sessions_.Deliver(packet);
  Settle();
}

size_t Sockets::NetReceive(std::span<uint8_t> buffer, int64_t* time_us) {
  Lock lock(mutex_);
  auto& sent = sessions_.sent();
  RunUntil(sessions_.timeline().now_ps() + limit_ps_, [&] { return !sent.empty(); });
  if (sent.empty()) return 0;
  const SentPacket packet = std::move(sent.front());
  sent.pop_front();
  const size_t bytes = std::min(buffer.size(), packet.bytes.size());
  std::memcpy(buffer.data(), packet.bytes.data(), bytes);
  *time_us = packet.time_ps / kPsPerUs;
  return bytes;
}

// --- Opening

Sockets::EntryPtr Sockets::Find(int fd) const {
  const auto at = entries_.find(fd);
  return at == entries_.end() ? nullptr : at->second;
}

int Sockets::Socket(int domain, int type, int protocol) {
  Lock lock(mutex_);
  if (domain != AF_INET) return -EAFNOSUPPORT;
  if ((type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM) return -EPROTONOSUPPORT;
  if (protocol != 0 && protocol != IPPROTO_TCP) return -EPROTONOSUPPORT;
  auto entry = std::make_shared<Entry>();
  entry->nonblocking = (type & SOCK_NONBLOCK) != 0;
  return Add(std::move(entry));
}

// The number is that of a real file: packetdrill closes what a script has left open directly, not
// through its table.
int Sockets::Add(EntryPtr entry) {
  const int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (fd < 0) return -errno;
  entries_[fd] = std::move(entry);
  return fd;
}

int Sockets::Bind(int fd, const sockaddr* address, socklen_t bytes) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  sockaddr_in in{};
  if (bytes < sizeof in) return -EINVAL;
  std::memcpy(&in, address, sizeof in);
  if (in.sin_family != AF_INET) return -EAFNOSUPPORT;
  if (entry->port != 0 || entry->connection || entry->listener) return -EINVAL;
  sessions_.Bound(ntohl(in.sin_addr.s_addr));
  entry->port = in.sin_port ? ntohs(in.sin_port) : FreePort();
  return 0;
}

uint16_t Sockets::FreePort() {
  do {
    next_port_ = next_port_ == UINT16_MAX ? kFirstEphemeralPort : next_port_ + 1;
  } while (sessions_.port_used(next_port_));
  return next_port_;
}

int Sockets::Listen(int fd, int backlog) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  if (entry->connection) return -EINVAL;
  if (entry->listener) {
    entry->listener->backlog = backlog;
    return 0;
  }
  if (entry->port == 0) entry->port = FreePort();
  entry->listener = sessions_.Listen(entry->port, backlog);
  Settle();
  return 0;
}

int Sockets::Accept(int fd, sockaddr* address, socklen_t* bytes) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  if (!entry->listener) return -EINVAL;
  const ListenerPtr listener = entry->listener;
  const Attempt attempt = [&]() -> std::optional<ssize_t> {
    if (listener->waiting.empty()) return {};
    auto accepted = std::make_shared<Entry>();
    accepted->connection = listener->waiting.front();
    accepted->port = listener->port;
    accepted->rx_limit = entry->rx_limit;
    accepted->connection->rx_limit = entry->rx_limit;
    accepted->tx_limit = entry->tx_limit;
    listener->waiting.pop_front();
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_port = htons(accepted->connection->peer_port);
    peer.sin_addr.s_addr = htonl(accepted->connection->peer_ip);
    if (address != nullptr && bytes != nullptr) {
      std::memcpy(address, &peer, std::min<size_t>(*bytes, sizeof peer));
      *bytes = sizeof peer;
    }
    return Add(std::move(accepted));
  };
  return static_cast<int>(Complete(lock, attempt, entry->nonblocking ? 0 : limit_ps_, -EAGAIN));
}

int Sockets::Connect(int fd, const sockaddr* address, socklen_t bytes) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  if (entry->listener) return -EISCONN;
  if (entry->connection && !entry->connecting) return -EISCONN;
  if (entry->connection && entry->nonblocking && !entry->connection->connected &&
      !entry->connection->over()) {
    return -EALREADY;
  }
  if (!entry->connection) {
    sockaddr_in in{};
    if (bytes < sizeof in) return -EINVAL;
    std::memcpy(&in, address, sizeof in);
    if (in.sin_family != AF_INET) return -EAFNOSUPPORT;
    if (entry->port == 0) entry->port = FreePort();
    entry->connection =
        sessions_.Connect(ntohl(in.sin_addr.s_addr), ntohs(in.sin_port), entry->port);
    if (!entry->connection) return -EAGAIN;
    entry->connection->rx_limit = entry->rx_limit;
    entry->connecting = true;
  }
  const Attempt attempt = [&]() -> std::optional<ssize_t> {
    Connection& connection = *entry->connection;
    if (!connection.connected && !connection.over()) return {};
    entry->connecting = false;
    return -std::exchange(connection.error, 0);
  };
  const bool nonblocking = entry->nonblocking;
  return static_cast<int>(Complete(lock, attempt, nonblocking ? 0 : limit_ps_,
                                   nonblocking ? -EINPROGRESS : -ETIMEDOUT));
}

// --- Data

std::optional<ssize_t> Sockets::TryReceive(Entry& entry, std::span<const iovec> parts, int flags) {
  Connection& c = *entry.connection;
  if (c.rx.empty()) {
    if (c.error != 0) return -std::exchange(c.error, 0);
    if (c.peer_closed || c.over() || c.discard) return 0;
    c.rx_wanted = true;  // for a segment that waits in the engine
    return {};
  }
  size_t done = 0;
  for (const iovec& part : parts) {
    const size_t bytes = std::min(part.iov_len, c.rx.size() - done);
    if ((flags & MSG_TRUNC) == 0) {
      std::copy_n(c.rx.begin() + static_cast<ptrdiff_t>(done), bytes,
                  static_cast<uint8_t*>(part.iov_base));
    }
    done += bytes;
  }
  if ((flags & MSG_PEEK) == 0)
    c.rx.erase(c.rx.begin(), c.rx.begin() + static_cast<ptrdiff_t>(done));
  return static_cast<ssize_t>(done);
}

ssize_t Sockets::Receive(int fd, std::span<const iovec> parts, int flags) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  if ((flags & ~(kIgnoredFlags | MSG_PEEK | MSG_TRUNC)) != 0) return -EOPNOTSUPP;
  if (!entry->connection) return -ENOTCONN;
  const bool nonblocking = entry->nonblocking || (flags & MSG_DONTWAIT) != 0;
  // The first attempt may have requested a segment that waits in the engine.
  Settle();
  if (auto result = TryReceive(*entry, parts, flags)) {
    Settle();
    return *result;
  }
  const ssize_t result = Complete(
      lock, [&] { return TryReceive(*entry, parts, flags); }, nonblocking ? 0 : limit_ps_, -EAGAIN);
  entry->connection->rx_wanted = false;
  return result;
}

std::optional<ssize_t> Sockets::TrySend(Entry& entry, std::span<const iovec> parts, size_t& done,
                                        bool nonblocking) {
  Connection& c = *entry.connection;
  if (c.error != 0) return -std::exchange(c.error, 0);
  if (entry.shut_write || c.over()) return -EPIPE;
  if (entry.connecting && c.connected) entry.connecting = false;
  if (!c.connected) return {};
  size_t skip = done;
  for (const iovec& part : parts) {
    const auto* data = static_cast<const uint8_t*>(part.iov_base);
    if (skip >= part.iov_len) {
      skip -= part.iov_len;
      continue;
    }
    const size_t room = entry.tx_limit - std::min(entry.tx_limit, c.tx.size());
    const size_t bytes = std::min(part.iov_len - skip, room);
    c.tx.insert(c.tx.end(), data + skip, data + skip + bytes);
    done += bytes;
    skip = 0;
  }
  if (done == Size(parts) || (nonblocking && done > 0)) return static_cast<ssize_t>(done);
  return {};
}

ssize_t Sockets::Send(int fd, std::span<const iovec> parts, int flags) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  if ((flags & ~kIgnoredFlags) != 0) return -EOPNOTSUPP;
  if (!entry->connection) return -EPIPE;
  const bool nonblocking = entry->nonblocking || (flags & MSG_DONTWAIT) != 0;
  size_t done = 0;
  return Complete(
      lock, [&] { return TrySend(*entry, parts, done, nonblocking); }, nonblocking ? 0 : limit_ps_,
      -EAGAIN);
}

// --- Closing

int Sockets::Shutdown(int fd, int how) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR) return -EINVAL;
  if (!entry->connection || entry->connection->over()) return -ENOTCONN;
  if (how != SHUT_WR) entry->connection->discard = true;
  if (how != SHUT_RD && !entry->shut_write) {
    entry->shut_write = true;
    sessions_.Finish(entry->connection);
  }
  Settle();
  return 0;
}

int Sockets::Close(int fd) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  entries_.erase(fd);
  close(fd);
  if (entry->listener) sessions_.Close(entry->listener);
  if (const ConnectionPtr& c = entry->connection) {
    // RFC 9293, 3.6.1: received data is unread, and the peer must be informed. SO_LINGER of 0:
    // ABORT.
    const bool abort = !c->rx.empty() || entry->linger_s == 0;
    sessions_.Abandon(c);
    if (abort)
      sessions_.Abort(c);
    else
      sessions_.Finish(c);
  }
  Settle();
  return 0;
}

// --- Status

short Sockets::Ready(const Entry& entry) const {
  if (entry.listener) return entry.listener->waiting.empty() ? 0 : POLLIN | POLLRDNORM;
  if (!entry.connection) return POLLOUT | POLLWRNORM | POLLHUP;
  const Connection& c = *entry.connection;
  short ready = 0;
  const bool ended = c.peer_closed || c.over() || c.discard;
  if (!c.rx.empty() || ended) ready |= POLLIN | POLLRDNORM;
  if (ended) ready |= POLLRDHUP;
  if (c.over() || (ended && entry.shut_write)) ready |= POLLHUP;
  if (c.error != 0) ready |= POLLERR;
  const bool writable = c.connected && c.tx.size() < entry.tx_limit;
  if (writable || c.over() || entry.shut_write) ready |= POLLOUT | POLLWRNORM;
  return ready;
}

int Sockets::Poll(std::span<pollfd> fds, int timeout_ms) {
  Lock lock(mutex_);
  const Attempt attempt = [&]() -> std::optional<ssize_t> {
    int ready = 0;
    for (pollfd& each : fds) {
      const EntryPtr entry = Find(each.fd);
      const short now = entry ? Ready(*entry) : short{POLLNVAL};
      each.revents = static_cast<short>(now & (each.events | POLLERR | POLLHUP | POLLNVAL));
      ready += each.revents != 0;
    }
    return ready > 0 ? std::optional<ssize_t>(ready) : std::nullopt;
  };
  const int64_t timeout_ps = timeout_ms < 0 ? limit_ps_ : timeout_ms * kPsPerMs;
  return static_cast<int>(Complete(lock, attempt, timeout_ps, 0));
}

int Sockets::Fcntl(int fd, int command, long argument) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  switch (command) {
    case F_GETFL:
      return O_RDWR | (entry->nonblocking ? O_NONBLOCK : 0);
    case F_SETFL:
      entry->nonblocking = (argument & O_NONBLOCK) != 0;
      return 0;
    default:
      return -EINVAL;
  }
}

int Sockets::Ioctl(int fd, unsigned long request, int* argument) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  if (request != FIONREAD) return -ENOSYS;
  if (!entry->connection) return -EINVAL;
  *argument = static_cast<int>(entry->connection->rx.size());
  return 0;
}

int Sockets::TcpInfo(const Entry& entry, void* value, socklen_t* bytes) const {
  tcp_info info{};
  State state = entry.listener ? State::kListen : State::kClosed;
  if (entry.connection) state = sessions_.state(*entry.connection);
  info.tcpi_state = kTcpState[static_cast<size_t>(state)];
  if (entry.connection) info.tcpi_snd_mss = entry.connection->mss;
  *bytes = std::min<socklen_t>(*bytes, sizeof info);
  std::memcpy(value, &info, *bytes);
  return 0;
}

int Sockets::GetOption(int fd, int level, int name, void* value, socklen_t* bytes) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  Settle();
  const ConnectionPtr& c = entry->connection;
  if (level == IPPROTO_TCP) {
    if (name == TCP_INFO) return TcpInfo(*entry, value, bytes);
    if (name == TCP_NODELAY) return PutInt(1, value, bytes);
    if (name == TCP_MAXSEG) return PutInt(c ? c->mss : 0, value, bytes);
  } else if (level == SOL_SOCKET) {
    if (name == SO_ERROR) return PutInt(c ? std::exchange(c->error, 0) : 0, value, bytes);
    if (name == SO_TYPE) return PutInt(SOCK_STREAM, value, bytes);
    if (name == SO_ACCEPTCONN) return PutInt(entry->listener != nullptr, value, bytes);
    if (name == SO_SNDBUF) return PutInt(static_cast<int>(entry->tx_limit), value, bytes);
  }
  return -ENOPROTOOPT;
}

int Sockets::SetOption(int fd, int level, int name, const void* value, socklen_t bytes) {
  Lock lock(mutex_);
  const EntryPtr entry = Find(fd);
  if (!entry) return -EBADF;
  if (level == SOL_SOCKET && name == SO_LINGER) {
    linger option{};
    if (bytes < sizeof option) return -EINVAL;
    std::memcpy(&option, value, sizeof option);
    entry->linger_s.reset();
    if (option.l_onoff != 0) entry->linger_s = option.l_linger;
    return 0;
  }
  int number = 0;
  if (bytes < sizeof number) return -EINVAL;
  std::memcpy(&number, value, sizeof number);
  if (level == IPPROTO_TCP && name == TCP_NODELAY && number != 0) return 0;  // always on
  if (level != SOL_SOCKET) return -ENOPROTOOPT;
  switch (name) {
    case SO_REUSEADDR:
      return 0;
    case SO_RCVBUF:
      if (number < 0) return -EINVAL;
      entry->rx_limit = static_cast<size_t>(number);
      if (entry->connection) entry->connection->rx_limit = entry->rx_limit;
      Settle();
      return 0;
    case SO_SNDBUF:
      if (number < 1) return -EINVAL;
      entry->tx_limit = static_cast<size_t>(number);
      return 0;
    default:
      return -ENOPROTOOPT;
  }
}

}  // namespace ullnic::packetdrill
