// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// --version of every program: its name and the project's version. For main programs only, which
// are compiled with ULLNIC_VERSION.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace ullnic {

inline void AddVersion(CLI::App& app, const char* program) {
  app.set_version_flag("--version",
                       std::filesystem::path(program).filename().string() + " " ULLNIC_VERSION);
}

}  // namespace ullnic
