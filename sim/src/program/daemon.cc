// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "program/daemon.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/user_error.h"
#include "port/netns.h"
#include "program/program.h"

namespace ullnic {
namespace {

bool staying = false;
std::string log_path, pid_path;
Fd log_file, pid_file;

Fd Open(const std::string& path, int flags, const char* option) {
  Fd file(open(path.c_str(), flags | O_CREAT | O_CLOEXEC, 0644));
  if (file.get() < 0) {
    throw UserError(fmt::format("{} {}: {}", option, path, strerror(errno)),
                    "name a file in a folder that you may write to");
  }
  return file;
}

// It stays locked as long as the process lives, so a leftover file is no obstacle.
void TakePidFile(const std::string& path) {
  pid_file = Open(path, O_RDWR, "--pid-file");
  if (flock(pid_file.get(), LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = "";
    if (read(pid_file.get(), holder, sizeof holder - 1) < 0) holder[0] = '\0';
    throw UserError(fmt::format("--pid-file {}: process {} runs with it", path, atoi(holder)),
                    "end that one first (kill), or name another file");
  }
  pid_path = path;
}

void WritePidFile() {
  const std::string text = fmt::format("{}\n", getpid());
  if (ftruncate(pid_file.get(), 0) != 0 ||
      pwrite(pid_file.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    throw UserError(fmt::format("--pid-file {}: {}", pid_path, strerror(errno)),
                    "free some disk space");
  }
  std::atexit([] { unlink(pid_path.c_str()); });
}

// Relays the daemon's output before it is ready; then returns its exit code.
[[noreturn]] void RelayUntilReady(int from, pid_t child) {
  std::string said;
  char part[4096];
  for (ssize_t n; (n = read(from, part, sizeof part)) > 0 || (n < 0 && errno == EINTR);) {
    if (n > 0) said.append(part, static_cast<size_t>(n));
  }
  std::fwrite(said.data(), 1, said.size(), stdout);
  std::fflush(stdout);
  if (said.find("\"event\":\"ready\"") != std::string::npos) _exit(0);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    fmt::print(stderr, "it was killed by signal {} before it was ready\n", WTERMSIG(status));
  }
  _exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1);
}

}  // namespace

void AddDaemonOptions(CLI::App& app, DaemonOptions& options) {
  CLI::Option* detach = app.add_flag(
      "--daemon", options.detach,
      "run on without the terminal and after the shell has ended: says \"ready\", then "
      "the command returns; SIGTERM ends it");
  app.add_option("--pid-file", options.pid_file,
                 "of a daemon: holds its process number as long as it runs")
      ->needs(detach);
  app.add_option("--log", options.log,
                 "of a daemon: append its JSON lines and messages to this file; without: they are "
                 "lost")
      ->needs(detach);
}

bool Daemon::detached() { return staying; }

void Daemon::Begin(const DaemonOptions& options) {
  if (!options.detach) return;
  log_path = options.log.empty() ? "/dev/null" : options.log;
  log_file = Open(log_path, O_WRONLY | O_APPEND, "--log");
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    throw UserError(fmt::format("no pipe: {}", strerror(errno)), "close other programs");
  }
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) {
    throw UserError(fmt::format("no further process: {}", strerror(errno)), "see ulimit -u");
  }
  if (child > 0) {
    close(pipe_ends[1]);
    log_file = Fd();
    RelayUntilReady(pipe_ends[0], child);
  }
  staying = true;
  setsid();
  signal(SIGHUP, SIG_IGN);
  const Fd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  dup2(nothing.get(), STDIN_FILENO);
  dup2(pipe_ends[1], STDOUT_FILENO);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  if (!options.pid_file.empty()) TakePidFile(options.pid_file);
}

void Daemon::Ready(nlohmann::json line) {
  if (!staying) {
    EmitJsonLine(line);
    return;
  }
  line["pid"] = getpid();
  if (pid_file.get() >= 0) WritePidFile();
  EmitJsonLine(line);
  dup2(log_file.get(), STDERR_FILENO);
  dup2(log_file.get(), STDOUT_FILENO);  // the other end sees the end of file
  EmitJsonLine(line);
}

}  // namespace ullnic
