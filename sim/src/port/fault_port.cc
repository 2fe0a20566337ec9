// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "port/fault_port.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace ullnic {

nlohmann::json FaultPort::Describe() const { return inner_->Describe(); }

nlohmann::json FaultPort::Report() const { return inner_->Report(); }

bool FaultPort::Receive(Frame& frame) {
  while (ready_.empty()) {
    Frame next;
    if (!inner_->Receive(next)) {
      // No frame can overtake the held one any more.
      if (inner_->finished()) Flush();
      if (ready_.empty()) return false;
      break;
    }
    if (rng_.Chance(config_.drop)) {
      Count(counts_.dropped, next.bytes, "dropped");
      continue;
    }
    if (rng_.Chance(config_.corrupt)) {
      Count(counts_.corrupted, next.bytes, "corrupted");
      const uint64_t bit = rng_.Below(next.bytes.size() * 8);
      next.bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    }
    const bool twice = rng_.Chance(config_.dup);
    if (!held_ && rng_.Chance(config_.reorder)) {
      held_ = std::move(next);
      continue;
    }
    if (twice) {
      Count(counts_.duplicated, next.bytes, "duplicated");
      ready_.push_back(next);
    }
    ready_.push_back(std::move(next));
    if (held_) Count(counts_.reordered, held_->bytes, "reordered");
    Flush();
  }
  frame = std::move(ready_.front());
  ready_.pop_front();
  return true;
}

void FaultPort::Flush() {
  if (!held_) return;
  ready_.push_back(std::move(*held_));
  held_.reset();
}

}  // namespace ullnic
