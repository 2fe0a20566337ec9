// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card/card_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/user_error.h"

namespace ullnic {
namespace {

std::filesystem::path Folder(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / name;
}

std::vector<std::string> NamesIn(const char* folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(Folder(folder), none)) {
    if (entry.path().extension() == ".so") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool Holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr const char* kReported = "cards";
constexpr const char* kRandom = "random_cards";  // of ./ullnic soak

template <class Function>
Function* Look(void* library, const char* symbol) {
  return reinterpret_cast<Function*>(dlsym(library, symbol));
}

}  // namespace

std::vector<std::string> CardLibrary::Names() { return NamesIn(kReported); }

CardLibrary::CardLibrary(const std::string& name) {
  const std::vector<std::string> names = Names();
  const char* folder = Holds(names, name) ? kReported : kRandom;
  if (folder == kRandom && !Holds(NamesIn(kRandom), name)) {
    throw UserError(fmt::format("there is no configuration '{}'", name),
                    fmt::format("built are: {}", fmt::join(names, ", ")));
  }
  void* library = dlopen((Folder(folder) / (name + ".so")).c_str(), RTLD_NOW | RTLD_LOCAL);
  auto* info = library == nullptr ? nullptr : Look<CardInfoFunction>(library, "ullnic_card_info");
  make_ = library == nullptr ? nullptr : Look<CardMakeFunction>(library, "ullnic_card_make");
  if (info == nullptr || make_ == nullptr) {
    throw UserError(fmt::format("configuration '{}' cannot be loaded: {}", name, dlerror()),
                    "build the simulation anew");
  }
  info(&info_);
}

}  // namespace ullnic
