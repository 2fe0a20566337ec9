// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs code inside another network namespace, then returns to the original one.
#pragma once

#include <functional>
#include <string>

namespace ullnic {

// A file descriptor that closes itself.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Fd& operator=(Fd&& other) noexcept;
  ~Fd();
  int get() const { return fd_; }

 private:
  int fd_;
};

// Runs `action` in the network namespace at `path` (e.g. /run/netns/a or /proc/123/ns/net); an
// empty path means the current one. Throws UserError.
void InNetworkNamespace(const std::string& path, const std::function<void()>& action);

}  // namespace ullnic
