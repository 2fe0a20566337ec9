// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the programs that measure have in common: one result, and errors on standard error.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace CLI {
class App;
}

namespace ullnic {

// To a file, or to standard output if the path is empty. Throws UserError.
void WriteResult(const nlohmann::json& result, const std::string& path);

// Reads the command line, then calls `run`, which says whether all was well. Returns the exit code
// of the process.
int RunMeasuring(CLI::App& app, int argc, char** argv, const std::function<bool()>& run);

}  // namespace ullnic
