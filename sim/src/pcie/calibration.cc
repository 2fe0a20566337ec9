// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "pcie/calibration.h"

#include <algorithm>

#include "core/user_error.h"
#include "pcie/completer.h"
#include "pcie/link.h"

namespace ullnic::pcie {

namespace {

constexpr int64_t kStepPs = 4000;
constexpr size_t kAheadBytes = 1024;  // queued for the link
constexpr size_t kOpenReads = 4096;
constexpr uint64_t kPayloadAt = uint64_t{1} << 40;  // other addresses: descriptors
constexpr int kDescriptorBytes[] = {8, 16};         // C2H, H2C
constexpr int kStatusBytes = 8;
constexpr int64_t kLimitPs = 1'000'000'000'000;

class PerfectSource {
 public:
  PerfectSource(const LinkSettings& settings, const Traffic& traffic)
      : settings_(settings),
        traffic_(traffic),
        link_(settings),
        host_(settings, 1, [](uint64_t, std::span<uint8_t> bytes) { bytes[0] = 0; }) {}

  uint64_t Advance(int64_t now_ps) {
    link_.Advance(now_ps);
    for (; !link_.at_host.empty(); link_.at_host.pop_front()) AtHost(link_.at_host.front());
    for (; !link_.at_card.empty(); link_.at_card.pop_front()) AtCard(link_.at_card.front());
    host_.Advance(link_.down, now_ps);
    Transmitter& up = link_.up;
    while (up.waiting_bytes(Kind::kPosted) + up.waiting_bytes(Kind::kNonPosted) < kAheadBytes &&
           host_.open() < kOpenReads) {
      OfferPacket(now_ps);
    }
    const auto size = static_cast<uint64_t>(traffic_.size);
    return std::min(traffic_.to_host ? written_ / size : UINT64_MAX,
                    traffic_.from_host ? read_ / size : UINT64_MAX);
  }

 private:
  void AtHost(const Transmitter::Sent& sent) {
    link_.ConsumedByHost(sent.tlp, sent.at_ps);
    if (sent.tlp.kind == Kind::kNonPosted) {
      host_.Accept(sent.tlp, sent.at_ps);
    } else if (sent.tlp.address >= kPayloadAt) {
      written_ += sent.tlp.data.size();
    }
  }
  void AtCard(const Transmitter::Sent& sent) {
    if (sent.tlp.kind != Kind::kCompletion) {
      link_.ConsumedByCard(sent.tlp, sent.at_ps);
    } else if (sent.tlp.tag != 0) {
      read_ += sent.tlp.data.size();
    }
  }

  void Write(Transmitter& to, uint64_t address, int bytes, int64_t now_ps) {
    for (int at = 0; at < bytes; at += settings_.mps) {
      Tlp tlp{.kind = Kind::kPosted, .address = address + static_cast<uint64_t>(at), .data = {}};
      tlp.data.resize(static_cast<size_t>(std::min(bytes - at, settings_.mps)));
      to.Offer(std::move(tlp), now_ps);
    }
  }
  void Read(bool is_payload, int bytes, int64_t now_ps) {
    for (int at = 0; at < bytes; at += settings_.mrrs) {
      Tlp tlp{.kind = Kind::kNonPosted, .address = static_cast<uint64_t>(at), .data = {}};
      tlp.tag = is_payload;
      tlp.dwords = static_cast<uint32_t>(std::min(bytes - at, settings_.mrrs)) / 4;
      link_.up.Offer(std::move(tlp), now_ps);
    }
  }

  void OfferPacket(int64_t now_ps) {
    const Traffic& t = traffic_;
    const int number = static_cast<int>(offered_++ % (64 * 64));
    const bool directions[] = {t.to_host, t.from_host};
    if (t.to_host) {
      Write(link_.up, kPayloadAt, t.size, now_ps);
      if (number % t.entries == 0) Write(link_.up, 0, t.entries * t.entry_bytes, now_ps);
    }
    if (t.from_host) Read(true, t.size, now_ps);
    for (int i = 0; i < 2; ++i) {
      if (!directions[i]) continue;
      if (number % t.descriptors == 0) Read(false, t.descriptors * kDescriptorBytes[i], now_ps);
      if (number % t.burst != 0) continue;
      Write(link_.up, 0, kStatusBytes, now_ps);
      // PIDX, and for C2H CIDX of the entries
      for (int doorbell = i; doorbell < 2; ++doorbell) Write(link_.down, 0, 4, now_ps);
    }
  }

  LinkSettings settings_;
  Traffic traffic_;
  Link link_;
  Completer host_;
  uint64_t offered_ = 0;
  uint64_t written_ = 0, read_ = 0;  // bytes of payload received
};

}  // namespace

double PerfectRate(const LinkSettings& settings, const Traffic& traffic, uint64_t packets) {
  PerfectSource source(settings, traffic);
  int64_t begin_ps = 0;
  uint64_t begin = 0;
  for (int64_t now_ps = 0; now_ps < kLimitPs; now_ps += kStepPs) {
    const uint64_t done = source.Advance(now_ps);
    if (begin_ps == 0 && done >= packets / 4) {
      begin_ps = now_ps;
      begin = done;
    }
    if (done >= packets) {
      return static_cast<double>(done - begin) / static_cast<double>(now_ps - begin_ps) * 1e12;
    }
  }
  throw UserError("the perfect source does not come to its end",
                  "a fault of the link model: report it with the options");
}

}  // namespace ullnic::pcie
