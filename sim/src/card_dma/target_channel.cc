// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card_dma/target_channel.h"

#include <utility>

namespace ullnic::card_dma {
namespace {

constexpr uint32_t kNothingThere = ~uint32_t{0};

}  // namespace

void TargetChannel::Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done) {
  queue_.push_back({.bar = bar, .address = address, .dwords = {0}, .done = std::move(done)});
}

void TargetChannel::Write(unsigned bar, uint32_t address, uint32_t value,
                          std::function<void()> done) {
  const bool is_posted = queue_.size() < kMostPosted;
  Request request{.is_write = true, .bar = bar, .address = address, .dwords = {value}, .done = {}};
  if (!is_posted) request.done = [done](uint32_t) { done(); };
  queue_.push_back(std::move(request));
  if (is_posted) done();
}

void TargetChannel::WriteFirst(unsigned bar, uint32_t address, std::vector<uint32_t> dwords) {
  queue_.push_front(
      {.is_write = true, .bar = bar, .address = address, .dwords = std::move(dwords), .done = {}});
}

void TargetChannel::Reset() { queue_.push_back({.is_reset = true, .dwords = {}, .done = {}}); }

void TargetChannel::Drive(Model& model) const {
  model.bar_answer_ready = 1;
  model.bar_request_valid = !queue_.empty() && !queue_.front().is_reset;
  if (!model.bar_request_valid) return;
  const Request& request = queue_.front();
  model.bar_request_is_write = request.is_write;
  model.bar_request_bar = static_cast<uint8_t>(request.bar);
  model.bar_request_addr = request.address;
  model.bar_request_dwords = static_cast<uint16_t>(request.dwords.size());
  model.bar_request_first_be = 0xf;
  model.bar_request_last_be = request.dwords.size() > 1 ? 0xf : 0;
  model.bar_request_last = 1;
  for (unsigned i = 0; i < request.dwords.size(); ++i) {
    model.bar_request_data[i] = request.dwords[i];
  }
}

void TargetChannel::Clock(const Model& model) {
  if (model.bar_answer_valid && !open_.empty()) {
    const auto done = std::move(open_.front());
    open_.pop_front();
    done(model.bar_answer_status == 0 ? model.bar_answer_data[0] : kNothingThere);
  }
  // It accepts nothing while an access is under way.
  target_is_idle_ = model.bar_request_ready && !model.bar_request_valid;
  if (model.bar_request_valid && model.bar_request_ready) {
    const Request request = std::move(queue_.front());
    queue_.pop_front();
    if (!request.is_write) {
      open_.push_back(request.done);
    } else if (request.done) {
      request.done(0);
    }
  }
  reset_is_next_ = target_is_idle_ && open_.empty() && !queue_.empty() && queue_.front().is_reset;
}

void TargetChannel::EndReset() {
  queue_.pop_front();
  reset_is_next_ = false;
}

}  // namespace ullnic::card_dma
