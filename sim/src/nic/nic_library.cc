// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/nic_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/user_error.h"

namespace ullnic {
namespace {

std::filesystem::path Folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "nics";
}

}  // namespace

std::vector<std::string> NicLibrary::Names() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(Folder(), none)) {
    if (entry.path().extension() == ".so") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

NicLibrary::NicLibrary(const std::string& name) {
  const std::vector<std::string> names = Names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw UserError(fmt::format("there is no card '{}'", name),
                    fmt::format("built are: {}", fmt::join(names, ", ")));
  }
  void* library = dlopen((Folder() / (name + ".so")).c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto look = [library](const char* symbol) {
    return library == nullptr ? nullptr : dlsym(library, symbol);
  };
  auto* get_info = reinterpret_cast<NicInfoFunction*>(look("ullnic_nic_info"));
  make_ = reinterpret_cast<NicMakeFunction*>(look("ullnic_nic_make"));
  if (get_info == nullptr || make_ == nullptr) {
    throw UserError(fmt::format("card '{}' cannot be loaded: {}", name, dlerror()),
                    "build the simulation anew");
  }
  get_info(&info_);
}

}  // namespace ullnic
