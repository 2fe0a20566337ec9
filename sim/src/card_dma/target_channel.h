// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Accesses of the BARs as TLPs, in the order of the calls. A write is posted: it is done as soon as
// it is queued here, or, while kMostPosted are queued, when the DMA has accepted it. A reset of the
// DMA, or of a function, is also queued, so that earlier accesses still take effect. `func` is the
// PCIe function whose BAR it is.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace ullnic::card_dma {

// Model: Verilated, with the ports bar_* of qdma.
class TargetChannel {
 public:
  void Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done, unsigned func = 0);
  void Write(unsigned bar, uint32_t address, uint32_t value, std::function<void()> done,
             unsigned func = 0);
  void Reset(unsigned func = 0);
  // Inserts a write before all queued accesses.
  void WriteFirst(unsigned bar, uint32_t address, std::vector<uint32_t> dwords, unsigned func = 0);

  template <class Model>
  void Drive(Model& model) const {
    model.bar_answer_ready = 1;
    model.bar_request_valid = !queue_.empty() && !queue_.front().is_reset;
    if (!model.bar_request_valid) return;
    const Request& request = queue_.front();
    model.bar_request_is_write = request.is_write;
    model.bar_request_func = static_cast<uint8_t>(request.func);
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
  // An edge, after the model has settled.
  template <class Model>
  void Clock(const Model& model) {
    if (model.bar_answer_valid && !open_.empty()) {
      TakeAnswer(model.bar_answer_status == 0, model.bar_answer_data[0]);
    }
    // It accepts nothing while an access is in progress.
    target_is_idle_ = model.bar_request_ready && !model.bar_request_valid;
    if (model.bar_request_valid && model.bar_request_ready) Accept();
    reset_is_next_ = target_is_idle_ && open_.empty() && !queue_.empty() && queue_.front().is_reset;
  }

  // A reset is next, and everything before it has been done.
  bool reset_is_next() const { return reset_is_next_; }
  // Function of the next reset, until it is done.
  unsigned reset_func() const { return queue_.front().func; }
  void EndReset();
  // While true, the model must be clocked.
  bool busy() const { return !queue_.empty() || !open_.empty() || !target_is_idle_; }

 private:
  static constexpr size_t kMostPosted = 64;

  struct Request {
    bool is_reset = false;
    bool is_write = false;
    unsigned func = 0;
    unsigned bar = 0;
    uint32_t address = 0;
    std::vector<uint32_t> dwords;
    std::function<void(uint32_t)> done;  // of a write: with 0
  };

  void TakeAnswer(bool is_good, uint32_t value);
  void Accept();

  std::deque<Request> queue_;
  std::deque<std::function<void(uint32_t)>> open_;  // reads that were accepted
  bool target_is_idle_ = true;
  bool reset_is_next_ = false;
};

}  // namespace ullnic::card_dma
