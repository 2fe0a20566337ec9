// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that leaves its terminal and its parent and runs on: --daemon, --pid-file, --log.
//
// The process that the user has started waits until the one that stays says "ready", prints that
// line, and ends with 0; an error before that is printed, too, and its exit code is the user's.
// From then on standard output and error are the log, or nothing. The folder stays the same, so
// paths mean what they meant on the command line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace CLI {
class App;
}

namespace ullnic {

struct DaemonOptions {
  bool detach = false;
  std::string pid_file;
  std::string log;
};

void AddDaemonOptions(CLI::App& app, DaemonOptions& options);

// One a process: there is one standard output to leave.
class Daemon {
 public:
  // With --daemon: returns in the process that stays, and never in the one that was started. Locks
  // the pid file. Throws UserError.
  static void Begin(const DaemonOptions& options);
  static bool detached();

  // Emits the "ready" line (with the number of a process that stays), then lets the terminal go.
  static void Ready(nlohmann::json line);
};

}  // namespace ullnic
