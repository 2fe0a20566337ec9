// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A seeded traffic generator, and a checker of the frames of the generator at the other end.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "core/rng.h"
#include "port/frame_port.h"

namespace ullnic {

struct GeneratorConfig {
  uint64_t frames = 0;
  uint32_t min_bytes = 60;  // without FCS
  uint32_t max_bytes = 1514;
  uint32_t min_gap_bytes = 0;  // the user's pause after its previous frame, not added to
  uint32_t max_gap_bytes = 0;  // the transmitter's own gap and FCS, which overlap it
  uint32_t word_bytes = 4;     // of the user: one of its cycles is this many bytes at line rate
  bool burst = false;          // 1 to 32 frames back to back, then a pause
  uint64_t seed = 1;
};

// The frames of one seed, in order. Two generators with the same seed make the same frames.
class FrameGenerator {
 public:
  explicit FrameGenerator(const GeneratorConfig& config)
      : config_(config), left_(config.frames), rng_(config.seed) {}
  bool Next(Frame& frame);

 private:
  GeneratorConfig config_;
  uint64_t left_;
  uint64_t burst_left_ = 0;
  Rng rng_;
};

// Compares received frames with those of a generator. Frames may be missing, swapped or duplicated;
// each received one must have been sent.
class FrameChecker {
 public:
  explicit FrameChecker(const GeneratorConfig& config) : source_(config) {}
  void Check(const Bytes& frame);
  // After the last frame: frames that are still expected are missing.
  void Finish();
  nlohmann::json Report() const;
  uint64_t faults() const { return missing_ + foreign_ + doubled_ + swapped_; }

 private:
  static constexpr size_t kWindow = 256;  // frames to look ahead and back

  bool Matches(const Bytes& sent, const Bytes& received) const;
  void Fill();

  FrameGenerator source_;
  struct Expected {
    Bytes bytes;
    bool seen = false;
  };
  std::deque<Expected> window_;  // around the next expected frame
  size_t next_ = 0;              // window_[next_] is expected next; earlier ones may arrive late
  uint64_t matched_ = 0;
  uint64_t missing_ = 0;
  uint64_t foreign_ = 0;  // not a frame that was sent
  uint64_t doubled_ = 0;
  uint64_t swapped_ = 0;
};

class GeneratorPort final : public FramePort {
 public:
  explicit GeneratorPort(const GeneratorConfig& config) : config_(config), generator_(config) {}

  const GeneratorConfig& config() const { return config_; }
  // Sets what the other end sends; without it, received frames are only counted.
  void Expect(const GeneratorConfig& other) { checker_ = std::make_unique<FrameChecker>(other); }

  nlohmann::json Describe() const override;
  bool Receive(Frame& frame) override;
  void Deliver(const Bytes& frame, int64_t time_ps) override;
  bool finished() const override { return finished_; }
  std::string Finish(bool complete) override;
  nlohmann::json Report() const override;

 private:
  GeneratorConfig config_;
  FrameGenerator generator_;
  std::unique_ptr<FrameChecker> checker_;
  bool finished_ = false;
  uint64_t received_frames_ = 0;
};

}  // namespace ullnic
