// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends the frames of a capture file (pcap or pcapng) in order, as fast as the link takes them;
// writes what arrives to another.
#pragma once

#include <memory>
#include <string>

#include "capture/pcapng_writer.h"
#include "port/frame_port.h"

struct pcap;

namespace ullnic {

class PcapPort final : public FramePort {
 public:
  // out_path empty: what arrives is counted only. Throws UserError.
  PcapPort(const std::string& in_path, const std::string& out_path, uint64_t loops);

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

  std::string in_path_;
  uint64_t loops_left_;
  std::unique_ptr<pcap, ClosePcap> reader_;
  std::unique_ptr<PcapngWriter> writer_;
  uint64_t read_frames_ = 0;
  uint64_t received_frames_ = 0;
};

}  // namespace ullnic
