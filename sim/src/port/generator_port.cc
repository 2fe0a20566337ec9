// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "port/generator_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

namespace ullnic {
namespace {

// Local experimental EtherType (IEEE 802), locally administered addresses: harmless if a frame ever
// reaches a real network stack. Short frames are entirely random: with a header they would be
// alike, and the checker could not distinguish them.
constexpr uint8_t kHeader[] = {0x02, 0x75, 0x6c, 0x6c, 0x00, 0x02, 0x02,
                               0x75, 0x6c, 0x6c, 0x00, 0x01, 0x88, 0xb5};
constexpr size_t kMinHeaderFrameBytes = 24;
constexpr uint64_t kMaxBurstFrames = 32;

void FillRandom(Bytes& bytes, size_t from, Rng& rng) {
  for (size_t i = from; i < bytes.size(); i += 8) {
    const uint64_t r = rng.Next();
    std::memcpy(bytes.data() + i, &r, std::min<size_t>(8, bytes.size() - i));
  }
}

}  // namespace

bool FrameGenerator::Next(Frame& frame) {
  if (left_ == 0) return false;
  --left_;
  frame = {};
  frame.bytes.resize(rng_.Range(config_.min_bytes, config_.max_bytes));
  const size_t header = frame.bytes.size() < kMinHeaderFrameBytes ? 0 : sizeof kHeader;
  std::copy_n(kHeader, header, frame.bytes.begin());
  FillRandom(frame.bytes, header, rng_);
  const auto pause_bytes =
      static_cast<uint32_t>(rng_.Range(config_.min_gap_bytes, config_.max_gap_bytes));
  if (config_.burst && burst_left_ > 0) {
    --burst_left_;
  } else {
    frame.idle_cycles_before = pause_bytes / config_.word_bytes;
    if (config_.burst) burst_left_ = rng_.Below(kMaxBurstFrames);
  }
  return true;
}

bool FrameChecker::Matches(const Bytes& sent, const Bytes& received) const {
  if (received.size() != std::max(sent.size(), kMinFrameBytes)) return false;
  const auto rest = std::mismatch(sent.begin(), sent.end(), received.begin());
  return rest.first == sent.end() &&
         std::all_of(rest.second, received.end(), [](uint8_t b) { return b == 0; });
}

void FrameChecker::Fill() {
  Frame frame;
  while (window_.size() < next_ + kWindow && source_.Next(frame)) {
    window_.push_back({std::move(frame.bytes)});
  }
}

void FrameChecker::Check(const Bytes& frame) {
  Fill();
  size_t at = next_;
  while (at < window_.size() && !Matches(window_[at].bytes, frame)) ++at;
  if (at < window_.size()) {
    ++matched_;
    window_[at].seen = true;
    next_ = at + 1;
  } else {  // not among the expected ones: late or duplicate?
    at = next_;
    while (at > 0 && !Matches(window_[at - 1].bytes, frame)) --at;
    if (at == 0) {
      ++foreign_;
    } else if (window_[at - 1].seen) {
      ++doubled_;
    } else {
      window_[at - 1].seen = true;
      ++matched_;
      ++swapped_;
    }
  }
  for (; next_ > kWindow; --next_) {
    missing_ += !window_.front().seen;
    window_.pop_front();
  }
}

void FrameChecker::Finish() {
  for (const Expected& e : window_) missing_ += !e.seen;
  window_.clear();
  Frame frame;
  while (source_.Next(frame)) ++missing_;
}

nlohmann::json FrameChecker::Report() const {
  return {{"matched", matched_},
          {"missing", missing_},
          {"foreign", foreign_},
          {"doubled", doubled_},
          {"swapped", swapped_}};
}

nlohmann::json GeneratorPort::Describe() const {
  return {{"kind", "gen"}, {"frames", config_.frames}, {"seed", config_.seed}};
}

bool GeneratorPort::Receive(Frame& frame) {
  if (generator_.Next(frame)) return true;
  finished_ = true;
  return false;
}

void GeneratorPort::Deliver(const Bytes& frame, int64_t /*time_ps*/) {
  ++received_frames_;
  if (checker_) checker_->Check(frame);
}

std::string GeneratorPort::Finish(bool complete) {
  if (!checker_ || !complete) return {};
  checker_->Finish();
  if (checker_->faults() == 0) return {};
  return fmt::format("the generator's checker found {}", checker_->Report().dump());
}

nlohmann::json GeneratorPort::Report() const {
  nlohmann::json report = {{"received_frames", received_frames_}};
  if (checker_) report["check"] = checker_->Report();
  return report;
}

}  // namespace ullnic
