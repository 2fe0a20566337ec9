// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "program/host_events.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/user_error.h"

namespace ullnic {

HostEvents::HostEvents(bool stop_at_stdin_eof) : watch_stdin_(stop_at_stdin_eof) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGPIPE, SIG_IGN);  // a reader that went away shows as a failed write
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  sigprocmask(SIG_BLOCK, &stops, nullptr);
  signals_ = Fd(signalfd(-1, &stops, SFD_NONBLOCK | SFD_CLOEXEC));
  if (signals_.get() < 0) {
    throw UserError(fmt::format("cannot watch signals: {}", strerror(errno)),
                    "are there too many open files? (ulimit -n)");
  }
}

void HostEvents::Wait(const std::vector<int>& fds, std::chrono::nanoseconds timeout) {
  std::vector<pollfd> watched = {{signals_.get(), POLLIN, 0},
                                 {watch_stdin_ ? STDIN_FILENO : -1, POLLIN, 0}};
  for (const int fd : fds) watched.push_back({fd, POLLIN, 0});  // poll() ignores negative ones
  const timespec limit{timeout.count() / 1'000'000'000, timeout.count() % 1'000'000'000};
  if (ppoll(watched.data(), watched.size(), &limit, nullptr) <= 0) return;
  if (watched[0].revents != 0) stop_requested_ = true;
  if (watched[1].revents != 0) {
    char ignored[256];
    const ssize_t n = read(STDIN_FILENO, ignored, sizeof ignored);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) stop_requested_ = true;
  }
}

}  // namespace ullnic
