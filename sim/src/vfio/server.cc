// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Connections and the sequence of requests; server_requests.cc implements each request.

#include "vfio/server.h"

#include <fmt/format.h>
#include <linux/pci_regs.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/user_error.h"

namespace ullnic::vfio {
namespace {

constexpr int kRequestsPerPoll = 64;
constexpr size_t kMaxRefused = 8;

sockaddr_un AddressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    throw UserError(fmt::format("'{}' cannot be the name of a socket", path),
                    fmt::format("give a path of 1 to {} characters, e.g. below /tmp",
                                sizeof address.sun_path - 1));
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

Fd Made(int fd, const char* what) {
  if (fd < 0) {
    throw UserError(fmt::format("cannot make {}: {}", what, strerror(errno)),
                    "are there too many open files? (ulimit -n)");
  }
  return Fd(fd);
}

Fd Socket() {
  return Made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "a socket");
}

Fd Listen(const std::string& path) {
  const sockaddr_un address = AddressOf(path);
  const auto* at = reinterpret_cast<const sockaddr*>(&address);
  Fd fd = Socket();
  if (bind(fd.get(), at, sizeof address) != 0) {
    const int error = errno;
    // If nobody answers, the socket was left by a process that was killed.
    struct stat about{};
    const bool stale = error == EADDRINUSE && lstat(path.c_str(), &about) == 0 &&
                       S_ISSOCK(about.st_mode) &&
                       connect(Socket().get(), at, sizeof address) != 0 && errno == ECONNREFUSED;
    if (!stale || unlink(path.c_str()) != 0 || bind(fd.get(), at, sizeof address) != 0) {
      throw UserError(fmt::format("cannot listen on {}: {}", path, strerror(error)),
                      error == EADDRINUSE
                          ? "another process serves that socket, or it is no socket: choose "
                            "another path"
                          : "choose a path in a directory that you may write to");
    }
  }
  if (listen(fd.get(), 8) != 0) {
    throw UserError(fmt::format("cannot listen on {}: {}", path, strerror(errno)),
                    "choose another path");
  }
  return fd;
}

bool Ready(int fd, short events) {
  pollfd watched{fd, events, 0};
  return poll(&watched, 1, 0) == 1 && (watched.revents & events) != 0;
}

}  // namespace

Server::Server(const std::string& path, PciDevice& device, Log log)
    : path_(path),
      device_(device),
      log_(std::move(log)),
      identity_(device.identity()),
      listener_(Listen(path)),
      events_(Made(epoll_create1(EPOLL_CLOEXEC), "an epoll instance")),
      unread_timer_(Made(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), "a timer")),
      config_(identity_),
      is_present_(!identity_.is_virtual),
      has_memory_(!identity_.is_virtual),
      irqs_(identity_.msix_vectors) {
  Watch(listener_.get(), EPOLLIN, EPOLL_CTL_ADD);
  Watch(unread_timer_.get(), EPOLLIN, EPOLL_CTL_ADD);
}

Server::~Server() { unlink(path_.c_str()); }

void Server::Say(const std::string& what) const {
  if (log_) log_(what);
}

// A closed descriptor is removed automatically.
void Server::Watch(int fd, uint32_t events, int operation) {
  epoll_event event{};
  event.events = events;
  epoll_ctl(events_.get(), operation, fd, &event);
}

// A client that leaves replies unread is watched only for room, and for a limited time, so that its
// further requests do not wake the server needlessly.
void Server::WatchClient() {
  const bool waits = client_ && !client_->flushed();
  if (waits == waits_) return;
  waits_ = waits;
  if (client_) Watch(client_->fd(), waits ? EPOLLOUT : EPOLLIN | EPOLLRDHUP, EPOLL_CTL_MOD);
  itimerspec limit{};
  if (waits) {
    const auto ns = std::chrono::nanoseconds(unread_limit_).count();
    limit.it_value = {ns / 1'000'000'000, ns % 1'000'000'000};
  }
  timerfd_settime(unread_timer_.get(), 0, &limit, nullptr);
}

bool Server::Poll() {
  bool done = false;
  more_ = false;
  if (client_ && !busy_) {
    bool alive = client_->Flush();
    if (!client_->flushed() && waits_ && Ready(unread_timer_.get(), POLLIN)) {
      client_->set_why(fmt::format("it left replies unread for {} ms", unread_limit_.count()));
      alive = false;
    }
    if (!alive) {
      Disconnect();
      done = true;
    }
  }
  for (int i = 0; client_ && !busy_ && client_->flushed(); ++i) {
    if (drop_) {
      Disconnect();
      done = true;
      break;
    }
    if (i == kRequestsPerPoll) {
      more_ = true;
      break;
    }
    Message message;
    const auto result = client_->Receive(message);
    if (result == MessageStream::Result::kNothingYet) break;
    done = true;
    if (result == MessageStream::Result::kClosed) {
      Disconnect();
      break;
    }
    Handle(message);
  }
  WatchClient();
  AcceptClients();
  ServeRefused();
  return done;
}

void Server::AcceptClients() {
  while (Ready(listener_.get(), POLLIN)) {
    // One that has just disconnected makes room at the next Poll().
    if (client_ && client_->flushed() && Ready(client_->fd(), POLLHUP | POLLRDHUP)) return;
    Fd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (fd.get() < 0) return;
    if (!client_) {
      ++counters_.clients;
      client_ = std::make_unique<MessageStream>(std::move(fd));
      Watch(client_->fd(), EPOLLIN | EPOLLRDHUP, EPOLL_CTL_ADD);
      more_ = true;
      Say("a client has connected");
    } else {
      ++counters_.clients_refused;
      if (refused_.size() == kMaxRefused) refused_.pop_front();
      refused_.emplace_back(std::move(fd));
      Watch(refused_.back().fd(), EPOLLIN | EPOLLRDHUP, EPOLL_CTL_ADD);
      Say("a second client was refused: this function serves one at a time");
    }
  }
}

// A refusal is the reply to a request: it states the reason, which a closed socket would not.
void Server::ServeRefused() {
  for (auto it = refused_.begin(); it != refused_.end();) {
    Message message;
    const auto result = it->Receive(message);
    if (result == MessageStream::Result::kNothingYet) {
      ++it;
      continue;
    }
    if (result == MessageStream::Result::kMessage) {
      Header reply = message.header;
      reply.size = sizeof reply;
      reply.flags = kTypeReply | kError;
      reply.error = EBUSY;
      it->Send({reinterpret_cast<const uint8_t*>(&reply), sizeof reply});
    }
    it = refused_.erase(it);
  }
}

void Server::Disconnect() {
  const std::string why = client_->why();
  if (why != "closed" && !why.empty()) ++counters_.broken_connections;
  Say(fmt::format("the client has gone ({}); the function is reset",
                  why.empty() ? "its request could not be served" : why));
  client_.reset();
  limits_.reset();
  drop_ = false;
  writes_.clear();
  irqs_.Clear();
  intx_.Clear();
  guest_runs_ = false;
  ResetDevice();
  memory_.Clear();
}

void Server::ResetDevice() {
  irqs_.ClearPending();
  config_ = ConfigSpace(identity_);
  FollowVirtual();
  config_.SetInterruptStatus(intx_.is_asserted());  // until the device has been reset
  intx_.SetDisabled(config_.intx_disabled());
  device_.Reset();
}

void Server::SetIntx(bool is_asserted) {
  if (is_asserted == intx_.is_asserted()) return;
  config_.SetInterruptStatus(is_asserted);
  intx_.SetLevel(is_asserted);
}

void Server::FollowVirtual() {
  const VirtualState state = config_.virtual_state();
  if (state == virtual_state_) return;
  virtual_state_ = state;
  device_.EnableVirtual(state);
}

void Server::Enable(bool is_present, bool has_memory) {
  const bool goes = is_present_ && !is_present;
  is_present_ = is_present;
  has_memory_ = has_memory;
  if (!goes) return;
  // QEMU maps the function's memory by this bit, and does not see that the function was disabled.
  std::array<uint8_t, 2> command{};
  config_.Read(PCI_COMMAND, command, ConfigSpace::Reader::kGuest);
  ResetDevice();
  command = {static_cast<uint8_t>(command[0] & PCI_COMMAND_MEMORY), 0};
  config_.Write(PCI_COMMAND, command);
}

// A client that creates its device sees it in any case.
bool Server::IsAbsent(uint32_t region) const {
  if (region == VFIO_PCI_CONFIG_REGION_INDEX) return guest_runs_ && !is_present_;
  return !is_present_ || !has_memory_;
}

void Server::Reply(const Header& request, std::span<const uint8_t> body) {
  if (!client_ || (request.flags & kNoReply)) return;
  Header header = request;
  header.size = static_cast<uint32_t>(sizeof header + body.size());
  header.flags = kTypeReply;
  header.error = 0;
  std::vector<uint8_t> message(header.size);
  std::memcpy(message.data(), &header, sizeof header);
  if (!body.empty()) std::memcpy(message.data() + sizeof header, body.data(), body.size());
  client_->Send(message);
}

void Server::Refuse(const Header& request, int error, std::string reason) {
  ++counters_.requests_refused;
  last_refusal_ = std::move(reason);
  Say("refused: " + last_refusal_);
  if (!client_ || (request.flags & kNoReply)) return;
  Header header = request;
  header.size = sizeof header;
  header.flags = kTypeReply | kError;
  header.error = static_cast<uint32_t>(error);
  client_->Send({reinterpret_cast<const uint8_t*>(&header), sizeof header});
}

}  // namespace ullnic::vfio
