// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "vfio/event_fd.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>

namespace ullnic::vfio {

bool IsEventFd(int fd) {
  char target[64];
  const ssize_t n = readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), target, sizeof target);
  return n > 0 && std::string_view(target, static_cast<size_t>(n)) == "anon_inode:[eventfd]";
}

// The owner shares the flags of the descriptor: it may have made it blocking since.
bool SignalEventFd(int fd) {
  const uint64_t one = 1;
  return fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK) == 0 && write(fd, &one, sizeof one) >= 0;
}

}  // namespace ullnic::vfio
