// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Measuring equipment as a second PCIe function: its ports are the far ends of the card's. Software
// sees a card of the kind "tester", without transmit engines. Its timestamps are the time of a
// frame's first bit (of its start character) on the wire, in units of 0.25 ns of virtual time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "nic/line_meter.h"
#include "port/frame_port.h"
#include "qdma/user_side.h"

namespace ullnic {

class Tester final : public qdma::UserSide {
 public:
  static constexpr int64_t kTickPs = 250;

  Tester(unsigned ports, std::function<int64_t()> now_ps);
  ~Tester() override;

  // Makes what is connected to the far end of a port; must not outlive the tester. A port without
  // it is used otherwise: the tester cannot send or receive there.
  std::unique_ptr<FramePort> MakePort(unsigned port);
  bool joined() const;  // connected to any port
  // A frame has passed to the card.
  void OnSent(unsigned port, const HeardFrame& frame);

  // Virtual time must advance: a frame waits to be sent, or the time of a sent one is not published
  // yet. Nothing else wakes the card: software that waits for an answer only reads memory.
  bool busy() const;
  nlohmann::json Json() const;

  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override;
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override;
  bool SendH2c(unsigned qid, std::span<const uint8_t> packet) override;
  std::span<const uint8_t> PeekC2h(unsigned qid) override;
  void PopC2h(unsigned qid) override;
  unsigned queues() const override { return static_cast<unsigned>(ports_.size()); }
  // Software has disconnected: frames for it and its unsent frames are discarded.
  void OnReset() override;

 private:
  class Port;
  struct SentTime {
    int64_t start_ps;
    int64_t publish_ps;
  };
  struct State {
    bool joined = false;
    std::deque<Bytes> to_send;
    std::deque<SentTime> unpublished;
    uint32_t sent = 0;  // published
    int64_t sent_ps = 0;
    std::deque<Bytes> to_host;
    uint32_t sequence = 0;
    uint32_t heard = 0;
    uint32_t dropped = 0;  // received without room
    uint32_t refused = 0;  // chunks
  };

  void Publish(State& port) const;
  uint32_t Register(uint32_t address);
  uint32_t PortRegister(State& port, uint32_t offset);
  void Deliver(State& port, const Bytes& frame, int64_t time_ps);

  std::function<int64_t()> now_ps_;
  std::vector<State> ports_;
  uint64_t time_ = 0;  // latched when its lower half was read
};

}  // namespace ullnic
