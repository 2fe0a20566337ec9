// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "program/measuring.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/user_error.h"

namespace ullnic {

void WriteResult(const nlohmann::json& result, const std::string& path) {
  if (path.empty()) {
    std::cout << result.dump(1) << std::endl;
    return;
  }
  std::ofstream file(path);
  file << result.dump(1) << std::endl;
  if (!file) {
    throw UserError(fmt::format("cannot write {}", path),
                    "name a file in an existing directory that you may write to");
  }
}

int RunMeasuring(CLI::App& app, int argc, char** argv, const std::function<bool()>& run) {
  CLI11_PARSE(app, argc, argv);
  try {
    return run() ? 0 : 1;
  } catch (const UserError& error) {
    std::cerr << "error: " << error.what() << "\nremedy: " << error.remedy() << "\n";
    return 1;
  }
}

}  // namespace ullnic
