// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Common part of the programs that print JSON lines.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace CLI {
class App;
}

namespace ullnic {

// Prints a line on standard output. Throws UserError when it has no reader.
void EmitJsonLine(const nlohmann::json& line);

// Parses the command line, then calls `run`, which returns success. An error becomes an "error"
// event with its remedy. Returns the exit code of the process.
int RunProgram(CLI::App& app, int argc, char** argv, const std::function<bool()>& run);

}  // namespace ullnic
