// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "vfio/message_stream.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace ullnic::vfio {

long MessageStream::Broken(std::string why) {
  why_ = std::move(why);
  return -1;
}

long MessageStream::Read(uint8_t* at, size_t size) {
  iovec vector{at, size};
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxFdsPerMessage * sizeof(int))];
  msghdr header{};
  header.msg_iov = &vector;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  const ssize_t n = recvmsg(socket_.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (n < 0) {
    if (errno == EAGAIN || errno == EINTR) return 0;
    return Broken(fmt::format("the connection failed: {}", strerror(errno)));
  }
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
      in_.fds.emplace_back(fd);
    }
  }
  if (n == 0) return Broken(in_bytes_ == 0 ? "closed" : "closed within a message");
  // MSG_CTRUNC: the kernel has closed those without room. Any part of a message may carry
  // descriptors.
  if ((header.msg_flags & MSG_CTRUNC) || in_.fds.size() > kMaxFdsPerMessage) {
    in_.too_many_fds = true;
  }
  if (in_.too_many_fds) in_.fds.clear();
  return n;
}

// Never reads beyond a message, so that descriptors are received with their message.
MessageStream::Result MessageStream::Receive(Message& message) {
  for (;;) {
    long n = 0;
    if (in_bytes_ < sizeof(Header)) {
      auto* header = reinterpret_cast<uint8_t*>(&in_.header);
      n = Read(header + in_bytes_, sizeof(Header) - in_bytes_);
    } else {
      const size_t have = in_bytes_ - sizeof(Header);
      n = Read(in_.body.data() + have, in_.body.size() - have);
    }
    if (n < 0) return Result::kClosed;
    if (n == 0) return Result::kNothingYet;
    in_bytes_ += static_cast<size_t>(n);
    if (in_bytes_ < sizeof(Header)) continue;
    if (in_bytes_ == sizeof(Header)) {
      if (in_.header.size < sizeof(Header) || in_.header.size > kMaxMessageBytes) {
        Broken(fmt::format("a message says that it has {} bytes; {} to {} are possible",
                           in_.header.size, sizeof(Header), kMaxMessageBytes));
        return Result::kClosed;
      }
      in_.body.resize(in_.header.size - sizeof(Header));
    }
    if (in_bytes_ == in_.header.size) {
      message = std::move(in_);
      in_ = Message();
      in_bytes_ = 0;
      return Result::kMessage;
    }
  }
}

void MessageStream::Send(std::span<const uint8_t> bytes) {
  out_.insert(out_.end(), bytes.begin(), bytes.end());
  Flush();
}

bool MessageStream::Flush() {
  while (!out_.empty()) {
    const ssize_t n = send(socket_.get(), out_.data(), out_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0) {
      if (errno == EAGAIN || errno == EINTR) return true;
      out_.clear();
      why_ = fmt::format("the connection failed: {}", strerror(errno));
      return false;
    }
    out_.erase(out_.begin(), out_.begin() + n);
  }
  return true;
}

}  // namespace ullnic::vfio
