// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The little language of --a, --b and --fault-*: KIND:FIRST,KEY=VALUE,FLAG,...
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "port/fault_port.h"
#include "port/frame_port.h"

namespace ullnic {

class Spec {
 public:
  static Spec Parse(const std::string& text);

  const std::string& kind() const { return kind_; }
  const std::string& text() const { return text_; }
  // Each item may be read once; CheckAllUsed() then detects unused ones.
  std::string Name(const std::string& what);
  std::string Text(const std::string& key, const std::string& fallback);
  uint64_t Number(const std::string& key, uint64_t fallback, uint64_t max);
  std::pair<uint64_t, uint64_t> Range(const std::string& key, uint64_t fallback_min,
                                      uint64_t fallback_max, uint64_t max);
  double Probability(const std::string& key);
  bool Flag(const std::string& name);
  void CheckAllUsed() const;

 private:
  [[noreturn]] void Fail(const std::string& why) const;
  uint64_t ToNumber(const std::string& key, const std::string& value, uint64_t max) const;

  std::string text_;
  std::string kind_;
  std::string name_;
  std::map<std::string, std::string> values_;
  std::set<std::string> flags_;
};

std::unique_ptr<FramePort> MakePort(const std::string& spec_text, uint64_t seed, int word_bytes);
FaultConfig ParseFaults(const std::string& text);

}  // namespace ullnic
