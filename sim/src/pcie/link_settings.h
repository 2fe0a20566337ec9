// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings of a PCIe link and its host, and the cost of a TLP.
#pragma once

#include <cstdint>
#include <string>

namespace ullnic::pcie {

// Bytes of a TLP besides its payload, with 64-bit addresses: STP token 4, header 16 or 12, LCRC 4.
inline constexpr int kRequestBytes = 24;
inline constexpr int kCompletionBytes = 20;
inline constexpr int kDllpBytes = 8;
inline constexpr int kTlpsAnAck = 4;    // TLPs per ACK and UpdateFC
inline constexpr int kSkpBytes = 16;    // per lane
inline constexpr int kSkpBlocks = 375;  // of 16 bytes per lane, between two SKP ordered sets
inline constexpr int kCreditBytes = 16;
inline constexpr int kInfinite = 0;  // credits

// Credits of one kind that a receiver advertises: headers, and units of 16 bytes of payload.
struct CreditLimit {
  int headers = kInfinite;
  int data = kInfinite;
};

struct LinkSettings {
  int generation = 3;
  int lanes = 16;
  int mps = 256;
  int mrrs = 512;
  int rcb = 64;
  // The host splits completions at multiples of this many bytes, a multiple of RCB.
  int completion_bytes = 256;
  bool has_skp = false;             // SKP ordered sets take time: the overhead formula ignores them
  int64_t propagation_ps = 50'000;  // of a TLP, one direction
  // From the last byte of a read at the host to the first byte of its completion, and its spread,
  // uniformly distributed.
  int64_t read_latency_ps = 600'000;
  int64_t read_spread_ps = 50'000;
  int window = 8;  // the next completion is of any of this many reads that are due
  // Credits that the host advertises for writes, reads and completions, and that the card
  // advertises: its block has room for all completions that it requests, as the specification
  // demands.
  CreditLimit host_posted = {.headers = 128, .data = 2048};
  CreditLimit host_non_posted = {.headers = 128, .data = kInfinite};
  CreditLimit host_completion = {.headers = 32, .data = 128};
  CreditLimit card_posted = {.headers = 64, .data = 256};
  CreditLimit card_non_posted = {.headers = 32, .data = kInfinite};
};

// Throws UserError if there is no such link.
void Check(const LinkSettings& settings);
// Parses "gen3x16" and the like; throws UserError.
void SetLink(LinkSettings& settings, const std::string& name);

// A byte takes num / den ps on the link, after the line code (128b/130b).
struct ByteTime {
  int64_t num;
  int64_t den;
};
ByteTime TimeOfByte(const LinkSettings& settings);

}  // namespace ullnic::pcie
