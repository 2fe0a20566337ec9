// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that detaches from its terminal and its parent: --daemon, --pid-file, --log.
//
// The started process waits until the daemon reports "ready", prints that line, and exits with 0;
// an earlier error is printed, too, and its exit code returned. From then on standard output and
// error are the log, or /dev/null. The working directory is kept, so relative paths remain valid.
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

// One per process: there is only one standard output.
class Daemon {
 public:
  // With --daemon: returns in the daemon, never in the started process. Locks the pid file. Throws
  // UserError.
  static void Begin(const DaemonOptions& options);
  static bool detached();

  // Emits the "ready" line (with the daemon's process ID), then detaches from the terminal.
  static void Ready(nlohmann::json line);
};

}  // namespace ullnic
