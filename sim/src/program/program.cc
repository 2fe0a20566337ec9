// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "program/program.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "core/user_error.h"

namespace ullnic {
namespace {

int Fail(const std::string& message, const std::string& remedy) {
  try {
    EmitJsonLine({{"event", "error"}, {"message", message}, {"remedy", remedy}});
  } catch (const std::exception&) {
    std::fprintf(stderr, "error: %s\nremedy: %s\n", message.c_str(), remedy.c_str());
  }
  return 1;
}

}  // namespace

void EmitJsonLine(const nlohmann::json& line) {
  // File names may contain any bytes: replace invalid UTF-8.
  const std::string text =
      line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw UserError("nobody reads the standard output any more", "keep its reader running");
  }
}

int RunProgram(CLI::App& app, int argc, char** argv, const std::function<bool()>& run) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return Fail(error.what(), "see --help");
  }
  try {
    return run() ? 0 : 1;
  } catch (const UserError& error) {
    return Fail(error.what(), error.remedy());
  } catch (const std::exception& error) {
    return Fail(error.what(), "this should not happen: please report it with the command line");
  }
}

}  // namespace ullnic
