// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of a PCIe link: held against the formula of its overheads, and against the rules of
// credits, order and splitting.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <map>

#include "core/user_error.h"
#include "pcie/calibration.h"
#include "pcie/completer.h"
#include "pcie/link.h"

namespace ullnic::pcie {
namespace {

double Ceil(double value, double by) { return std::ceil(value / by); }

// Bytes a packet takes up and down; an ACK and an UpdateFC, 16 bytes, for four TLPs the other way.
struct PerPacket {
  double up = 0, down = 0;
};
PerPacket Formula(const LinkSettings& s, const Traffic& t) {
  const double c = s.completion_bytes;
  const auto write = [&](double n) { return Ceil(n, s.mps) * kRequestBytes + n; };
  const auto completion = [&](double n) { return Ceil(n, c) * kCompletionBytes + n; };
  double up_tlps = 0, down_tlps = 0;
  PerPacket sum;
  if (t.to_host) {
    sum.up += write(t.size) + write(t.entry_bytes * t.entries) / t.entries;
    sum.up += double{kRequestBytes} / t.descriptors + write(8) / t.burst;
    sum.down += completion(8 * t.descriptors) / t.descriptors + 2.0 * write(4) / t.burst;
    up_tlps += Ceil(t.size, s.mps) + 1.0 / t.entries + 1.0 / t.descriptors + 1.0 / t.burst;
    down_tlps += Ceil(8 * t.descriptors, c) / t.descriptors + 2.0 / t.burst;
  }
  if (t.from_host) {
    sum.up += Ceil(t.size, s.mrrs) * kRequestBytes;
    sum.up += double{kRequestBytes} / t.descriptors + write(8) / t.burst;
    sum.down += completion(t.size) + completion(16 * t.descriptors) / t.descriptors;
    sum.down += write(4) / t.burst;
    up_tlps += Ceil(t.size, s.mrrs) + 1.0 / t.descriptors + 1.0 / t.burst;
    down_tlps += Ceil(t.size, c) + Ceil(16 * t.descriptors, c) / t.descriptors + 1.0 / t.burst;
  }
  sum.up += down_tlps / kTlpsAnAck * 2 * kDllpBytes;
  sum.down += up_tlps / kTlpsAnAck * 2 * kDllpBytes;
  return sum;
}

TEST(Calibration, APerfectSourceReachesTheFormula) {
  double worst = 0;
  for (const char* name : {"gen3x16", "gen3x8", "gen4x8"}) {
    for (const auto [to_host, from_host] : {std::pair(true, false), {false, true}, {true, true}}) {
      for (const int size : {64, 256, 512, 1536, 4096}) {
        LinkSettings settings;
        SetLink(settings, name);
        Traffic traffic{.to_host = to_host, .from_host = from_host, .size = size};
        const double rate = PerfectRate(settings, traffic, 8192);
        const PerPacket bytes = Formula(settings, traffic);
        const ByteTime byte = TimeOfByte(settings);
        const double formula = 1e12 * static_cast<double>(byte.den) /
                               static_cast<double>(byte.num) / std::max(bytes.up, bytes.down);
        const double error = rate / formula - 1;
        std::cout << fmt::format("{} C2H {} H2C {} {:4} B: {:7.2f} Mpps, formula {:7.2f}, {:+.3f} %\n",
                                 name, to_host, from_host, size, rate / 1e6, formula / 1e6,
                                 100 * error);
        worst = std::max(worst, std::abs(error));
      }
    }
  }
  EXPECT_LT(worst, 0.001);
}

}  // namespace
}  // namespace ullnic::pcie
