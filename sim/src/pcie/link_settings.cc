// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "pcie/link_settings.h"

#include <fmt/format.h>

#include <bit>

#include "core/user_error.h"

namespace ullnic::pcie {

namespace {

constexpr struct {
  const char* name;
  int generation;
  int lanes;
} kLinks[] = {{"gen3x16", 3, 16}, {"gen3x8", 3, 8}, {"gen4x8", 4, 8}};

void CheckPower(const char* what, int bytes, int least, int most) {
  if (bytes >= least && bytes <= most && std::has_single_bit(static_cast<unsigned>(bytes))) return;
  throw UserError(fmt::format("{} of {} bytes", what, bytes),
                  fmt::format("take a power of two from {} to {}", least, most));
}

}  // namespace

void SetLink(LinkSettings& settings, const std::string& name) {
  for (const auto& link : kLinks) {
    if (name != link.name) continue;
    settings.generation = link.generation;
    settings.lanes = link.lanes;
    return;
  }
  throw UserError(fmt::format("there is no link '{}'", name),
                  "take one of gen3x16, gen3x8, gen4x8");
}

void Check(const LinkSettings& s) {
  CheckPower("MPS", s.mps, 128, 1024);
  CheckPower("MRRS", s.mrrs, 128, 4096);
  CheckPower("RCB", s.rcb, 64, 128);
  CheckPower("a completion", s.completion_bytes, s.rcb, s.mps);
  if (s.read_spread_ps > s.read_latency_ps) {
    throw UserError("the latency of reads varies by more than it is, without the link",
                    "take a spread that is at most the latency, less 100 ns");
  }
}

ByteTime TimeOfByte(const LinkSettings& s) {
  // 8 GT/s and 130 bits for 16 bytes: 1015.625 ps per byte of a lane. Generation 4 is twice as
  // fast.
  return {.num = 8125, .den = int64_t{8} * s.lanes << (s.generation - 3)};
}

}  // namespace ullnic::pcie
