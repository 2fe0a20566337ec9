// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of a PCIe link: compared with the overhead formula, and checked against the rules of
// credits, order and splitting.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
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

// Bytes per packet up and down; an ACK and an UpdateFC, 16 bytes, for four TLPs in the other
// direction.
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
        const double rate = PerfectRate(settings, traffic, 16384);
        const PerPacket bytes = Formula(settings, traffic);
        const ByteTime byte = TimeOfByte(settings);
        const double formula = 1e12 * static_cast<double>(byte.den) /
                               static_cast<double>(byte.num) / std::max(bytes.up, bytes.down);
        const double error = rate / formula - 1;
        std::cout << fmt::format(
            "{} C2H {} H2C {} {:4} B: {:7.2f} Mpps, formula {:7.2f}, {:+.3f} %\n", name, to_host,
            from_host, size, rate / 1e6, formula / 1e6, 100 * error);
        worst = std::max(worst, std::abs(error));
      }
    }
  }
  // With few TLPs, a timer sends an ACK for fewer than four: 0.11 % of a link of 8 lanes.
  EXPECT_LT(worst, 0.0015);
}

constexpr int64_t kStepPs = 4000;

Tlp Write(int bytes) {
  Tlp tlp;
  tlp.data.resize(static_cast<size_t>(bytes));
  return tlp;
}

Tlp Read(uint64_t address, uint32_t dwords, uint16_t tag) {
  Tlp tlp;
  tlp.kind = Kind::kNonPosted;
  tlp.address = address;
  tlp.dwords = dwords;
  tlp.tag = tag;
  return tlp;
}

// Steps of a link whose host consumes nothing until the test lets it.
class Credit : public ::testing::Test {
 protected:
  static LinkSettings FewCredits() {
    LinkSettings settings;
    settings.host_posted = {.headers = 4, .data = 64};
    settings.host_non_posted = {.headers = 2, .data = kInfinite};
    return settings;
  }
  void Steps(int count) {
    for (; count > 0; --count) link_.Advance(now_ += kStepPs);
  }
  std::vector<Kind> Came() {
    std::vector<Kind> kinds;
    for (; !link_.at_host.empty(); link_.at_host.pop_front()) {
      kinds.push_back(link_.at_host.front().tlp.kind);
      held_.push_back(link_.at_host.front().tlp);
    }
    return kinds;
  }
  void Consume() {
    for (const Tlp& tlp : held_) link_.ConsumedByHost(tlp, now_);
    held_.clear();
  }

  Link link_{FewCredits()};
  std::vector<Tlp> held_;
  int64_t now_ = 0;
};

TEST_F(Credit, WritesWaitUntilTheHostHasReturnedThem) {
  for (int i = 0; i < 6; ++i) link_.up.Offer(Write(64), now_);
  Steps(1000);
  EXPECT_EQ(Came().size(), 4u);
  Consume();
  Steps(1000);
  EXPECT_EQ(Came().size(), 2u);
}

TEST_F(Credit, DataCountInUnitsOf16Bytes) {
  for (int i = 0; i < 5; ++i) link_.up.Offer(Write(244), now_);  // 16 units each
  Steps(1000);
  EXPECT_EQ(Came().size(), 4u);
  Consume();
  Steps(1000);
  EXPECT_EQ(Came().size(), 1u);
}

TEST_F(Credit, WritesPassReadsThatWaitAndNothingPassesAWrite) {
  for (uint16_t tag = 0; tag < 3; ++tag) link_.up.Offer(Read(0, 16, tag), now_);
  for (int i = 0; i < 5; ++i) link_.up.Offer(Write(64), now_);
  link_.up.Offer(Read(0, 16, 3), now_);
  Steps(1000);
  const std::vector<Kind> wanted = {Kind::kNonPosted, Kind::kNonPosted, Kind::kPosted,
                                    Kind::kPosted,    Kind::kPosted,    Kind::kPosted};
  EXPECT_EQ(Came(), wanted);
  Consume();
  Steps(1000);
  const std::vector<Kind> then = {Kind::kNonPosted, Kind::kPosted, Kind::kNonPosted};
  EXPECT_EQ(Came(), then);
}

// Completions of reads that are due at once.
std::vector<Tlp> Completions(const LinkSettings& settings, const std::vector<Tlp>& reads) {
  Link link(settings);
  Completer host(settings, 3, [](uint64_t address, std::span<uint8_t> bytes) {
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(address++);
  });
  for (const Tlp& read : reads) host.Accept(read, 0);
  std::vector<Tlp> found;
  for (int64_t now = 0; now < 10'000'000; now += kStepPs) {
    host.Advance(link.down, now);
    link.Advance(now);
    for (; !link.at_card.empty(); link.at_card.pop_front()) {
      found.push_back(link.at_card.front().tlp);
    }
  }
  EXPECT_EQ(host.open(), 0u);
  return found;
}

TEST(Completer, CutsAtMultiplesAndKeepsTheOrderOfARead) {
  std::vector<Tlp> reads;
  for (uint16_t tag = 0; tag < 32; ++tag) reads.push_back(Read(0x1000 * tag + 68 * tag, 128, tag));
  for (const int cut : {64, 256}) {
    LinkSettings settings;
    settings.completion_bytes = cut;
    std::map<uint16_t, uint64_t> next;
    std::vector<uint16_t> tags;
    for (const Tlp& part : Completions(settings, reads)) {
      uint64_t& at = next.try_emplace(part.tag, reads[part.tag].address).first->second;
      EXPECT_EQ(part.lower_address, at % 128);
      EXPECT_EQ(part.byte_count, reads[part.tag].address + 512 - at);
      for (const uint8_t byte : part.data) EXPECT_EQ(byte, static_cast<uint8_t>(at++));
      EXPECT_EQ(part.is_final, at == reads[part.tag].address + 512);
      EXPECT_TRUE(part.is_final || at % static_cast<uint64_t>(cut) == 0);
      tags.push_back(part.tag);
    }
    EXPECT_EQ(next.size(), reads.size());
    EXPECT_FALSE(std::ranges::is_sorted(tags));  // reads are not ordered among each other
  }
}

TEST(Completer, RefusesReadsThatBreakTheRules) {
  const LinkSettings settings;
  Completer host(settings, 1, [](uint64_t, std::span<uint8_t>) {});
  EXPECT_THROW(host.Accept(Read(0, 129, 0), 0), UserError);
  EXPECT_THROW(host.Accept(Read(0xF80, 64, 0), 0), UserError);
  EXPECT_THROW(host.Accept(Read(0, 0, 0), 0), UserError);
  EXPECT_NO_THROW(host.Accept(Read(0xF80, 32, 0), 0));
}

TEST(Settings, ThoseThatAreNoneAreRefused) {
  LinkSettings settings;
  EXPECT_THROW(SetLink(settings, "gen2x16"), UserError);
  settings.mps = 200;
  EXPECT_THROW(Check(settings), UserError);
  settings.mps = 256;
  settings.completion_bytes = 512;
  EXPECT_THROW(Check(settings), UserError);
}

TEST(Wire, SkpOrderedSetsTakeTheirShare) {
  LinkSettings settings;
  const Traffic traffic{.to_host = true, .from_host = false, .size = 256};
  const double without = PerfectRate(settings, traffic, 8192);
  settings.has_skp = true;
  const double with = PerfectRate(settings, traffic, 8192);
  EXPECT_NEAR(with / without, 1 - 1.0 / (kSkpBlocks + 1), 0.0003);
}

}  // namespace
}  // namespace ullnic::pcie
