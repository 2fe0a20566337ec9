// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends the frames of a capture file (pcap or pcapng) in order, with random pauses or none; writes
// received frames to another.
#pragma once

#include <memory>
#include <string>

#include "capture/pcapng_writer.h"
#include "core/rng.h"
#include "port/frame_port.h"

struct pcap;

namespace ullnic {

class PcapPort final : public FramePort {
 public:
  struct Config {
    std::string in_path;
    std::string out_path;  // empty: received frames are only counted
    uint64_t loops = 1;
    uint32_t min_gap_bytes = 0;  // the user's pause after its previous frame, as a generator's
    uint32_t max_gap_bytes = 0;
    uint32_t word_bytes = 4;
    std::string start_path;  // nothing is sent before this file exists
    uint64_t seed = 1;
  };

  // Throws UserError.
  explicit PcapPort(const Config& config);

  nlohmann::json Describe() const override;
  bool Receive(Frame& frame) override;
  void Deliver(const Bytes& frame, int64_t time_ps) override;
  bool finished() const override { return loops_left_ == 0; }
  std::string Finish(bool complete) override;
  nlohmann::json Report() const override;

 private:
  struct ClosePcap {
    void operator()(pcap* p) const;
  };

  void Open();
  bool Started();

  Config config_;
  uint64_t loops_left_;
  bool started_ = false;
  Rng rng_;
  std::unique_ptr<pcap, ClosePcap> reader_;
  std::unique_ptr<PcapngWriter> writer_;
  uint64_t read_frames_ = 0;
  uint64_t received_frames_ = 0;
};

}  // namespace ullnic
