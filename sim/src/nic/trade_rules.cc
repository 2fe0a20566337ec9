// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/user_error.h"
#include "nic/trade_tracker.h"

namespace ullnic {
namespace {

uint64_t BigEndian(std::span<const uint8_t> bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (const uint8_t b : bytes.subspan(at, count)) value = value << 8 | b;
  return value;
}

// The payload of a frame with TCP over IPv4, with or without a VLAN tag; empty if there is none.
std::span<const uint8_t> TcpPayload(const Bytes& frame) {
  constexpr size_t kAddresses = 12, kVlanBytes = 4, kMinHeader = 20;
  constexpr uint64_t kVlan = 0x8100, kIpv4 = 0x0800, kTcp = 6;
  std::span<const uint8_t> rest(frame);
  if (rest.size() < kAddresses + 2 + kVlanBytes + 2 * kMinHeader) return {};
  rest = rest.subspan(kAddresses);
  if (BigEndian(rest, 0, 2) == kVlan) rest = rest.subspan(kVlanBytes);
  if (BigEndian(rest, 0, 2) != kIpv4 || rest[2] >> 4 != 4) return {};
  rest = rest.subspan(2);
  const size_t total = BigEndian(rest, 2, 2), ip_header = size_t{rest[0]} % 16 * 4;
  if (rest[9] != kTcp || total > rest.size() || total < ip_header + kMinHeader) return {};
  rest = rest.first(total).subspan(ip_header);
  const size_t tcp_header = size_t{rest[12]} / 16 * 4;
  return tcp_header < rest.size() ? rest.subspan(tcp_header) : std::span<const uint8_t>();
}

constexpr size_t kIndexBytes = 8;

// Position of the index in a STAC-T0 frame, given by its byte 42 (cards/stac_t0/regs, TYPES).
std::optional<size_t> IndexAt(const Bytes& frame) {
  constexpr size_t kTypeAt = 42, kLongAt = 275, kShortAt = 47;
  constexpr uint8_t kLong = 0x41, kShort = 0x42;
  if (frame.size() <= kTypeAt) return {};
  size_t at = 0;
  if (frame[kTypeAt] == kLong) at = kLongAt;
  if (frame[kTypeAt] == kShort) at = kShortAt;
  return at > 0 && at + kIndexBytes <= frame.size() ? std::optional<size_t>(at) : std::nullopt;
}

}  // namespace

TradeRule TriggerRule(std::optional<uint32_t> first_number) {
  constexpr size_t kNumberBytes = 4;
  return {.deciding_byte = [](const Bytes& frame) -> std::optional<size_t> {
            const bool all_ones = frame.size() >= 4 && BigEndian(frame, 0, 4) == 0xffff'ffff;
            return all_ones ? std::optional<size_t>(3) : std::nullopt;
          },
          .answers =
              [first_number](const Bytes& /*trigger*/, const Bytes& previous, const Bytes& order) {
                const auto payload = TcpPayload(order);
                if (payload.size() < kNumberBytes) return false;
                const auto number = [](std::span<const uint8_t> bytes) {
                  return static_cast<uint32_t>(BigEndian(bytes, 0, kNumberBytes));
                };
                const auto before = TcpPayload(previous);
                if (before.empty())
                  return number(payload) == first_number.value_or(number(payload));
                return number(payload) == number(before) + 1;
              },
          .at_once = true};
}

TradeRule StacT0Rule(uint64_t mask) {
  return {.deciding_byte = [mask](const Bytes& frame) -> std::optional<size_t> {
            const std::optional<size_t> at = IndexAt(frame);
            if (!at.has_value() || (BigEndian(frame, *at, kIndexBytes) & mask) != 0) return {};
            return *at + kIndexBytes - 1;
          },
          .answers =
              [](const Bytes& trigger, const Bytes& /*previous*/, const Bytes& order) {
                constexpr size_t kAt = 4;
                const auto payload = TcpPayload(order);
                const std::optional<size_t> at = IndexAt(trigger);
                return at.has_value() && payload.size() >= kAt + kIndexBytes &&
                       BigEndian(payload, kAt, kIndexBytes) == BigEndian(trigger, *at, kIndexBytes);
              }};
}

TradeRule RuleOf(const std::string& name, std::optional<uint32_t> first_number) {
  if (name == "trigger") return TriggerRule(first_number);
  if (name == "stac_t0") return StacT0Rule();
  if (name.empty()) {
    return {.deciding_byte = [](const Bytes&) -> std::optional<size_t> { return {}; },
            .answers = [](const Bytes&, const Bytes&, const Bytes&) { return false; }};
  }
  throw UserError(fmt::format("there is no trade rule '{}'", name),
                  "name trigger or stac_t0 in [trade] of the card's card.toml, or add the rule to "
                  "sim/src/nic/trade_rules.cc");
}

}  // namespace ullnic
