// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "port/netns.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include "core/user_error.h"

namespace ullnic {

Fd& Fd::operator=(Fd&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Fd::~Fd() {
  if (fd_ >= 0) close(fd_);
}

void InNetworkNamespace(const std::string& path, const std::function<void()>& action) {
  if (path.empty()) {
    action();
    return;
  }
  const Fd home(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  const Fd target(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (home.get() < 0 || target.get() < 0) {
    throw UserError(fmt::format("cannot open network namespace {}: {}", path, strerror(errno)),
                    "give the path of an existing one, e.g. /proc/PID/ns/net or /run/netns/NAME");
  }
  if (setns(target.get(), CLONE_NEWNET) != 0) {
    throw UserError(fmt::format("cannot enter network namespace {}: {}", path, strerror(errno)),
                    "run as root, or inside the user namespace that owns it (unshare -rnm)");
  }
  std::exception_ptr failure;
  try {
    action();
  } catch (...) {
    failure = std::current_exception();
  }
  if (setns(home.get(), CLONE_NEWNET) != 0) {
    throw UserError(
        fmt::format("cannot return from network namespace {}: {}", path, strerror(errno)),
        "run as root, or inside the user namespace that owns both");
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ullnic
