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
#include <fstream>
#include <string>

#include "core/user_error.h"
#include "program/daemon.h"

namespace ullnic {
namespace {

// A separate signal, which cannot be mistaken for a SIGTERM.
int ParentEnded() { return SIGRTMIN; }

std::string NameOf(pid_t process) {
  std::string name;
  std::getline(std::ifstream(fmt::format("/proc/{}/comm", process)) >> std::ws, name);
  return name.empty() ? "" : fmt::format(" ({})", name);
}

bool Ignored(int number) {
  struct sigaction now{};
  return sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

HostEvents::HostEvents(bool stop_at_stdin_eof)
    : watch_stdin_(stop_at_stdin_eof), parent_(getppid()) {
  signal(SIGPIPE, SIG_IGN);  // a closed reader shows as a failed write
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, ParentEnded());
  if (!Ignored(SIGHUP)) sigaddset(&stops, SIGHUP);
  sigprocmask(SIG_BLOCK, &stops, nullptr);
  signals_ = Fd(signalfd(-1, &stops, SFD_NONBLOCK | SFD_CLOEXEC));
  if (signals_.get() < 0) {
    throw UserError(fmt::format("cannot watch signals: {}", strerror(errno)),
                    "are there too many open files? (ulimit -n)");
  }
  if (!Daemon::detached()) prctl(PR_SET_PDEATHSIG, ParentEnded());
}

void HostEvents::TakeSignal() {
  signalfd_siginfo got{};
  if (read(signals_.get(), &got, sizeof got) != sizeof got || stop_requested()) return;
  const int number = static_cast<int>(got.ssi_signo);
  if (number == ParentEnded()) {
    end_ = {{"reason", "parent-ended"},
            {"text", fmt::format("the process that had started it, {}, has ended; --daemon, where "
                                 "there is one, lets it run on",
                                 parent_)}};
    return;
  }
  const auto sender = static_cast<pid_t>(got.ssi_pid);
  const std::string name = fmt::format("SIG{}", sigabbrev_np(number));
  end_ = {{"reason", "signal"},
          {"signal", name},
          {"text", sender > 0 ? fmt::format("{} from process {}{}", name, sender, NameOf(sender))
                              : fmt::format("{} from the terminal or another namespace", name)}};
}

void HostEvents::Wait(const std::vector<int>& fds, std::chrono::nanoseconds timeout) {
  std::vector<pollfd> watched = {{signals_.get(), POLLIN, 0},
                                 {watch_stdin_ ? STDIN_FILENO : -1, POLLIN, 0}};
  for (const int fd : fds) watched.push_back({fd, POLLIN, 0});  // poll() ignores negative ones
  const timespec limit{timeout.count() / 1'000'000'000, timeout.count() % 1'000'000'000};
  if (ppoll(watched.data(), watched.size(), &limit, nullptr) <= 0) return;
  if (watched[0].revents != 0) TakeSignal();
  if (watched[1].revents != 0) {
    char ignored[256];
    const ssize_t n = read(STDIN_FILENO, ignored, sizeof ignored);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
      end_ = {{"reason", "stdin-ended"},
              {"text", "standard input has ended (--exit-on-stdin-eof)"}};
    }
  }
}

}  // namespace ullnic
