// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "stack/at_rest.h"

#include <fmt/format.h>
#include <verilated_syms.h>

#include <cstring>
#include <functional>
#include <stdexcept>
#include <string_view>

namespace ullnic {
namespace {

// A public variable: a number, or a table of numbers.
class Signal {
 public:
  explicit Signal(const VerilatedVar& var) : var_(var) {}

  int places() const { return var_.udims() == 0 ? 1 : var_.elements(1); }
  // The low 64 bits.
  uint64_t value(int place = 0) const {
    uint64_t value = 0;
    std::memcpy(&value, at(place), std::min<size_t>(var_.entSize(), sizeof value));
    return value;
  }
  bool top_bit(int place) const {
    const uint32_t bit = var_.entBits() - 1;
    return static_cast<const uint8_t*>(at(place))[bit / 8] >> bit % 8 & 1;
  }
  uint64_t most() const { return uint64_t{1} << (var_.entBits() - 1); }

 private:
  const void* at(int place) const {
    return static_cast<const uint8_t*>(var_.datap()) +
           place * static_cast<ptrdiff_t>(var_.entSize());
  }
  const VerilatedVar& var_;
};

class Look {
 public:
  explicit Look(VerilatedContext& context) : scopes_(*context.scopeNameMap()) {}

  // Each variable `name` in a module whose path holds `path`.
  void Each(std::string_view path, const char* name,
            const std::function<void(const std::string&, const Signal&)>& f) {
    bool any = false;
    for (const auto& [scope_name, scope] : scopes_) {
      if (std::string_view(scope_name).find(path) == std::string_view::npos) continue;
      if (VerilatedVar* var = scope->varFind(name)) {
        f(scope_name, Signal(*var));
        any = true;
      }
    }
    if (!any) throw std::logic_error(fmt::format("at_rest.vlt: no {} in {}", name, path));
  }

  // Two tables in one module that must be equal.
  void Pairs(std::string_view path, const char* a, const char* b,
             const std::function<void(int, uint64_t, uint64_t)>& f) {
    Each(path, a, [&](const std::string& scope, const Signal& left) {
      Each(scope, b, [&](const std::string&, const Signal& right) {
        for (int i = 0; i < left.places(); ++i) {
          if (left.value(i) != right.value(i)) f(i, left.value(i), right.value(i));
        }
      });
    });
  }

 private:
  const VerilatedScopeNameMap& scopes_;
};

}  // namespace

std::vector<std::string> LeftInside(VerilatedContext& context) {
  std::vector<std::string> left;
  Look look(context);
  look.Each("u_toe", "rd_valid", [&](const std::string& scope, const Signal& waiting) {
    if (waiting.value() != 0) left.push_back(fmt::format("something waits in {}", scope));
  });
  look.Each("u_rx_user.u_beats", "free", [&](const std::string& scope, const Signal& free) {
    if (free.value() != free.most()) {
      left.push_back(
          fmt::format("{} beats of {} are free in {}", free.value(), free.most(), scope));
    }
  });
  look.Pairs("u_window", "accepted", "taken", [&](int sid, uint64_t accepted, uint64_t taken) {
    left.push_back(fmt::format("session {}: {} bytes accepted, {} taken", sid, accepted, taken));
  });
  look.Pairs("u_ack", "set", "clear", [&](int sid, uint64_t, uint64_t) {
    left.push_back(fmt::format("session {}: an ACK is pending", sid));
  });
  look.Pairs("u_reorder", "put", "got", [&](int sid, uint64_t, uint64_t) {
    left.push_back(fmt::format("session {}: payload waits in the reorder memory", sid));
  });
  look.Each("u_reorder", "there", [&](const std::string&, const Signal& there) {
    for (int sid = 0; sid < there.places(); ++sid) {
      if (there.value(sid) != 0) left.push_back(fmt::format("session {}: a hole", sid));
    }
  });
  int entries = 0;
  look.Each("u_lookup", "live_q", [&](const std::string&, const Signal& live) {
    for (uint64_t bits = live.value(); bits != 0; bits &= bits - 1) ++entries;
  });
  look.Each("u_lookup", "ram", [&](const std::string&, const Signal& ram) {
    for (int i = 0; i < ram.places(); ++i) entries += ram.top_bit(i);
  });
  if (entries != 0) left.push_back(fmt::format("{} entries in the look-up table", entries));
  return left;
}

}  // namespace ullnic
