// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the programs that print JSON lines have in common.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace CLI {
class App;
}

namespace ullnic {

// A line on standard output. Throws UserError when nobody reads it.
void EmitJsonLine(const nlohmann::json& line);

// Reads the command line, then calls `run`, which says whether all was well. What goes wrong
// becomes an "error" event with its remedy. Returns the exit code of the process.
int RunProgram(CLI::App& app, int argc, char** argv, const std::function<bool()>& run);

}  // namespace ullnic
