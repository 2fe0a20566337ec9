// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A TAP device: the Linux network stack of a namespace.
#pragma once

#include <string>

#include "port/frame_port.h"
#include "port/netns.h"

namespace ullnic {

class TapPort final : public FramePort {
 public:
  // Creates the device, or attaches to an existing persistent one of that name. Throws UserError.
  TapPort(const std::string& name, const std::string& netns_path);

  nlohmann::json Describe() const override;
  bool Receive(Frame& frame) override;
  void Deliver(const Bytes& frame, int64_t time_ps) override;
  int poll_fd() const override { return fd_.get(); }
  bool finished() const override { return false; }

 private:
  std::string name_;
  Fd fd_;
  Bytes buffer_;
};

}  // namespace ullnic
