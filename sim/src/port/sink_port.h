// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Accepts every frame and sends none.
#pragma once

#include <nlohmann/json.hpp>

#include "port/frame_port.h"

namespace ullnic {

class SinkPort final : public FramePort {
 public:
  nlohmann::json Describe() const override { return {{"kind", "sink"}}; }
  bool Receive(Frame& /*frame*/) override { return false; }
  void Deliver(const Bytes& frame, int64_t /*time_ps*/) override {
    ++frames_;
    bytes_ += frame.size();
  }
  bool finished() const override { return true; }
  nlohmann::json Report() const override { return {{"frames", frames_}, {"bytes", bytes_}}; }

 private:
  uint64_t frames_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace ullnic
