// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/memory_timing.h"

#include <fmt/format.h>

#include <deque>

#include "core/user_error.h"
#include "qdma_sweep/dma.h"
#include "qdma_sweep/dram_timing.h"

namespace ullnic::qdma_sweep {

namespace {

class BlockRamTiming : public MemoryTiming {
 public:
  bool Accepts(bool) const override { return true; }
  void Accept(uint64_t, bool is_write, int64_t now_ps) override {
    if (!is_write) done_ps_.push_back(now_ps + kLatencyPs);
  }
  void Advance(int64_t) override {}
  std::optional<int64_t> TakeRead() override {
    if (done_ps_.empty()) return std::nullopt;
    const int64_t at_ps = done_ps_.front();
    done_ps_.pop_front();
    return at_ps;
  }
  bool idle() const override { return done_ps_.empty(); }
  double most_bytes_per_us() const override { return 0; }

 private:
  static constexpr int64_t kLatencyPs = 2 * kCyclePs;
  std::deque<int64_t> done_ps_;
};

}  // namespace

std::unique_ptr<MemoryTiming> MakeMemoryTiming(const std::string& name) {
  if (name == "bram") return std::make_unique<BlockRamTiming>();
  if (name == "ddr4") return std::make_unique<DramTiming>(DramSettings());
  throw UserError(fmt::format("there is no memory '{}'", name), "take one of bram, ddr4");
}

}  // namespace ullnic::qdma_sweep
