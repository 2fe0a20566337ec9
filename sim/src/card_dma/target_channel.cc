// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card_dma/target_channel.h"

#include <utility>

namespace ullnic::card_dma {
namespace {

constexpr uint32_t kNothingThere = ~uint32_t{0};

}  // namespace

void TargetChannel::Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done,
                         unsigned func) {
  queue_.push_back(
      {.func = func, .bar = bar, .address = address, .dwords = {0}, .done = std::move(done)});
}

void TargetChannel::Write(unsigned bar, uint32_t address, uint32_t value,
                          std::function<void()> done, unsigned func) {
  const bool is_posted = queue_.size() < kMostPosted;
  Request request{.is_write = true,
                  .func = func,
                  .bar = bar,
                  .address = address,
                  .dwords = {value},
                  .done = {}};
  if (!is_posted) request.done = [done](uint32_t) { done(); };
  queue_.push_back(std::move(request));
  if (is_posted) done();
}

void TargetChannel::WriteFirst(unsigned bar, uint32_t address, std::vector<uint32_t> dwords,
                               unsigned func) {
  queue_.push_front({.is_write = true,
                     .func = func,
                     .bar = bar,
                     .address = address,
                     .dwords = std::move(dwords),
                     .done = {}});
}

void TargetChannel::Reset(unsigned func) {
  queue_.push_back({.is_reset = true, .func = func, .dwords = {}, .done = {}});
}

void TargetChannel::TakeAnswer(bool is_good, uint32_t value) {
  const auto done = std::move(open_.front());
  open_.pop_front();
  done(is_good ? value : kNothingThere);
}

void TargetChannel::Accept() {
  const Request request = std::move(queue_.front());
  queue_.pop_front();
  if (!request.is_write) {
    open_.push_back(request.done);
  } else if (request.done) {
    request.done(0);
  }
}

void TargetChannel::EndReset() {
  queue_.pop_front();
  reset_is_next_ = false;
}

}  // namespace ullnic::card_dma
