// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// An existing interface (one end of a veth pair) through AF_PACKET, where there is no tun node.
#pragma once

#include <string>

#include "port/frame_port.h"
#include "port/netns.h"

namespace ullnic {

class PacketPort final : public FramePort {
 public:
  // Throws UserError.
  PacketPort(const std::string& ifname, const std::string& netns_path);

  nlohmann::json Describe() const override;
  bool Receive(Frame& frame) override;
  void Deliver(const Bytes& frame, int64_t time_ps) override;
  int poll_fd() const override { return fd_.get(); }
  bool finished() const override { return false; }
  nlohmann::json Report() const override;
  PortCounters counters() const override;

 private:
  void Open();
  void CheckStillThere();
  [[noreturn]] void Gone(int error) const;

  std::string name_;
  int index_ = 0;
  Fd fd_;
  Bytes buffer_;
  bool was_down_ = false;              // and no frame since: it may have been deleted
  uint64_t unfinished_checksums_ = 0;  // frames that the stack left for hardware to complete
  mutable uint64_t kernel_drops_ = 0;
};

}  // namespace ullnic
