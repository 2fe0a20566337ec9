// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages with file descriptors over a non-blocking stream socket.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "port/netns.h"
#include "vfio/protocol.h"

namespace ullnic::vfio {

struct Message {
  Header header{};
  std::vector<uint8_t> body;
  std::vector<Fd> fds;
  bool too_many_fds = false;  // more than kMaxFdsPerMessage were received; all of them are closed
};

class MessageStream {
 public:
  explicit MessageStream(Fd socket) : socket_(std::move(socket)) {}

  enum class Result { kMessage, kNothingYet, kClosed };
  // kClosed: the peer has disconnected or violated the protocol; why() states the reason.
  Result Receive(Message& message);
  // Queues the bytes and sends as many as the socket accepts.
  void Send(std::span<const uint8_t> bytes);
  // False: the peer has disconnected.
  bool Flush();
  bool flushed() const { return out_.empty(); }

  int fd() const { return socket_.get(); }
  const std::string& why() const { return why_; }
  void set_why(std::string why) { why_ = std::move(why); }

 private:
  // Reads up to `size` bytes into `at`; 0: none now, negative: closed.
  long Read(uint8_t* at, size_t size);
  long Broken(std::string why);

  Fd socket_;
  Message in_;
  size_t in_bytes_ = 0;  // of header and body
  std::vector<uint8_t> out_;
  std::string why_;
};

}  // namespace ullnic::vfio
