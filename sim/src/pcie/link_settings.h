// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What a PCIe link and its host are set to, and what a TLP costs on it.
#pragma once

#include <cstdint>
#include <string>

namespace ullnic::pcie {

// Bytes of a TLP beside its payload, with 64-bit addresses: STP token 4, header 16 or 12, LCRC 4.
inline constexpr int kRequestBytes = 24;
inline constexpr int kCompletionBytes = 20;
inline constexpr int kDllpBytes = 8;
inline constexpr int kTlpsAnAck = 4;    // an ACK and an UpdateFC are sent for so many TLPs
inline constexpr int kSkpBytes = 16;    // of a lane
inline constexpr int kSkpBlocks = 375;  // of 16 bytes of a lane, between two SKP ordered sets
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
  // The host cuts completions at multiples of so many bytes, a multiple of RCB.
  int completion_bytes = 256;
  bool has_skp = false;  // SKP ordered sets take time: the overhead formula leaves them out
  int64_t propagation_ps = 50'000;  // of a TLP, one way
  // From the last byte of a read at the host to the first byte of its completion, and how far
  // that varies: any time within the spread is as likely as another.
  int64_t read_latency_ps = 600'000;
  int64_t read_spread_ps = 50'000;
  int window = 8;  // the next completion is of any of so many reads that are due
  // What the host advertises for writes, reads and completions, and what the card does: its block
  // has room for all completions that it asks for, as the specification demands.
  CreditLimit host_posted = {.headers = 128, .data = 2048};
  CreditLimit host_non_posted = {.headers = 128, .data = kInfinite};
  CreditLimit host_completion = {.headers = 32, .data = 128};
  CreditLimit card_posted = {.headers = 64, .data = 256};
  CreditLimit card_non_posted = {.headers = 32, .data = kInfinite};
};

// Throws UserError if there is no such link.
void Check(const LinkSettings& settings);
// "gen3x16" and its like; throws UserError.
void SetLink(LinkSettings& settings, const std::string& name);

// A byte takes num / den ps on the link, after the line code (128b/130b).
struct ByteTime {
  int64_t num;
  int64_t den;
};
ByteTime TimeOfByte(const LinkSettings& settings);

}  // namespace ullnic::pcie
