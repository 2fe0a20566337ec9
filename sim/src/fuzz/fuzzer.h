// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A fuzzer of one core's RTL: it drives both ends of the core, with damage, in rounds. A round is a
// burst of hostile input among good input, and then a calm, in which everything must come to rest:
// progress, sessions and the sums of all counters are checked. The first error ends the run with a
// UserError; the seed reproduces it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/user_error.h"

namespace ullnic::fuzz {

class Fuzzer {
 public:
  virtual ~Fuzzer() = default;
  virtual void Round() = 0;
  virtual uint64_t frames() const = 0;  // good and hostile frames to the core
  virtual uint64_t cycles() const = 0;
  // Coverage: counts by name.
  virtual nlohmann::json Json() const = 0;
};

// The fuzzer of the core that the program was compiled for.
std::unique_ptr<Fuzzer> MakeFuzzer(uint64_t seed);

template <class... Args>
[[noreturn]] void Fault(fmt::format_string<Args...> text, Args&&... args) {
  throw UserError(fmt::format(text, std::forward<Args>(args)...),
                  "this is a fault of the core or of its fuzzer; repeat it with its seed");
}

}  // namespace ullnic::fuzz
