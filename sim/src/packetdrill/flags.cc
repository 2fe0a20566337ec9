// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "packetdrill/flags.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <map>
#include <sstream>

#include "core/user_error.h"

namespace ullnic::packetdrill {
namespace {

template <typename T>
void Number(const std::string& text, uint64_t most, T& out) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value > most) {
    throw UserError(fmt::format("'{}' is no number up to {}", text, most),
                    "see docs/packetdrill.md");
  }
  out = static_cast<T>(value);
}

void Address(const std::string& text, uint32_t& out) {
  in_addr address{};
  if (inet_pton(AF_INET, text.c_str(), &address) != 1) {
    throw UserError(fmt::format("'{}' is no IPv4 address", text), "write for example 192.168.0.2");
  }
  out = ntohl(address.s_addr);
}

void Size(const std::string& text, EngineSize& out) {
  if (text != "full" && text != "small") {
    throw UserError(fmt::format("'{}' is no engine", text), "write engine=full or engine=small");
  }
  out = text == "small" ? EngineSize::kSmall : EngineSize::kFull;
}

}  // namespace

Flags ParseFlags(const std::string& text) {
  constexpr uint64_t k16 = 0xffff, k4 = 15, k32 = 0xffffffff;
  Flags f;
  Settings& s = f.settings;
  const std::map<std::string, std::function<void(const std::string&)>> known = {
      {"rto_initial", [&](auto& v) { Number(v, k16, s.rto_initial); }},
      {"rto_min", [&](auto& v) { Number(v, k16, s.rto_min); }},
      {"rto_max", [&](auto& v) { Number(v, k16, s.rto_max); }},
      {"time_wait", [&](auto& v) { Number(v, k16, s.time_wait); }},
      {"delayed_ack", [&](auto& v) { Number(v, k16, s.delayed_ack); }},
      {"keepalive", [&](auto& v) { Number(v, k16, s.keepalive); }},
      {"syn_retries", [&](auto& v) { Number(v, k4, s.syn_retries); }},
      {"retries", [&](auto& v) { Number(v, k4, s.retries); }},
      {"secret", [&](auto& v) { Number(v, k32, s.secret); }},
      {"engine", [&](auto& v) { Size(v, s.size); }},
      {"ip", [&](auto& v) { Address(v, s.ip); }},
      {"settle_cycles", [&](auto& v) { Number(v, k32, f.settle_cycles); }},
      {"limit_s", [&](auto& v) { Number(v, k16, f.limit_s); }},
      {"pcapng", [&](auto& v) { f.pcapng = v; }},
  };
  std::istringstream all(text);
  for (std::string each; std::getline(all, each, ',');) {
    const size_t equals = each.find('=');
    const auto at = known.find(each.substr(0, equals));
    if (equals == std::string::npos || at == known.end()) {
      std::string names;
      for (const auto& entry : known) names += (names.empty() ? "" : ", ") + entry.first;
      throw UserError(fmt::format("'{}' is no flag", each),
                      fmt::format("write NAME=VALUE,...; there are {}", names));
    }
    at->second(each.substr(equals + 1));
  }
  return f;
}

}  // namespace ullnic::packetdrill
