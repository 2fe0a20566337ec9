// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Common part of the measuring programs: one result, and errors on standard error.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace CLI {
class App;
}

namespace ullnic {

// Writes to a file, or to standard output if the path is empty. Throws UserError.
void WriteResult(const nlohmann::json& result, const std::string& path);

// Parses the command line, then calls `run`, which returns success. Returns the exit code of the
// process.
int RunMeasuring(CLI::App& app, int argc, char** argv, const std::function<bool()>& run);

}  // namespace ullnic
