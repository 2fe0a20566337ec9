// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated TCP/IP engine, a cycle at a time: frames on the MAC's side, commands, payload,
// events and states on the user's.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include "core/frame.h"
#include "packetdrill/model.h"

namespace ullnic::packetdrill {

constexpr int kSessions = 8;  // SESSION_COUNT of rtl/toe_engine.sv

// As in cores/toe/rtl/toe_pkg.sv.
enum class State : uint8_t {
  kClosed,
  kListen,
  kSynSent,
  kSynRcvd,
  kEstablished,
  kFinWait1,
  kFinWait2,
  kCloseWait,
  kClosing,
  kLastAck,
  kTimeWait
};
enum class Event : uint8_t {
  kConnected,
  kPeerClosed,
  kClosed,
  kReset,
  kTimedOut,
  kRefused,
  kUnreachable,
  kBadCommand,
  kTxDropped,
  kTxCut,
  kTxLate
};
enum class Command : uint8_t { kListen, kConnect, kClose, kAbort };

struct Order {
  Command command;
  int session;
  uint32_t peer_ip = 0;
  uint16_t peer_port = 0;
  uint16_t local_port = 0;
};

// Times in ticks (ms), as in settings_t of toe_pkg.sv.
struct Settings {
  EngineSize size = EngineSize::kFull;
  uint16_t rto_initial = 1000;
  uint16_t rto_min = 200;
  uint16_t rto_max = 60000;
  uint16_t time_wait = 60000;
  uint16_t delayed_ack = 40;
  uint16_t keepalive = 0;
  uint8_t syn_retries = 6;
  uint8_t retries = 15;
  uint32_t secret = 1;
  uint64_t mac = 0x020000000070;
  uint32_t ip = 0;  // 0: that of the first bind or packet
};

// Notifications of the engine to its user, called in the same cycle.
class EngineUser {
 public:
  virtual ~EngineUser() = default;

  virtual void OnFrame(Bytes frame, uint64_t first_word_cycle) = 0;
  virtual void OnEvent(Event event, int session) = 0;
  virtual void OnState(State state, int session) = 0;  // it has changed
  virtual void OnCredit(uint32_t bytes, int session) = 0;
  virtual bool Wants(int session) = 0;  // the segment that begins
  virtual void OnSegment(Bytes payload, int session) = 0;
};

class Engine {
 public:
  Engine(const Settings& settings, EngineUser& user);

  // The interface's address; only while there is no connection.
  void SetAddress(uint32_t ip) { model_->ports.ip = ip; }
  uint32_t address() const { return model_->ports.ip; }

  // These are queued. `frame` has no FCS; `payload` is one segment.
  void Deliver(Bytes frame);
  void Give(const Order& order) { orders_.push_back(order); }
  void Give(Bytes payload, int session) { packets_.push_back({std::move(payload), session}); }

  bool idle() const { return frames_.empty() && orders_.empty() && packets_.empty(); }
  // A packet of this session is not completely accepted, or has just been: its credit is not known.
  bool giving(int session) const;
  State state(int session) const { return states_[session]; }

  void Tick() { tick_ = true; }  // in the next cycle
  void Cycle();
  uint64_t cycles() const { return cycles_; }
  // The last cycle with input or output.
  uint64_t last_busy_cycle() const { return last_busy_; }

 private:
  struct Packet {
    Bytes bytes;
    int session;
  };

  void Busy() { last_busy_ = cycles_; }
  void DriveMac();
  void DriveUser();
  void SampleMac();
  void SampleUser();
  void SampleSegment();
  void SampleStates();

  EngineUser& user_;
  std::unique_ptr<Model> model_;

  std::deque<Bytes> frames_;  // with FCS
  size_t frame_at_ = 0;
  bool verdict_ = false;  // pending, after a frame's last word
  int gap_ = 0;           // cycles to the next frame in
  Bytes sent_;
  uint64_t sent_cycle_ = 0;
  int pause_ = 0;  // cycles in which the MAC accepts nothing

  std::deque<Order> orders_;
  std::deque<Packet> packets_;
  size_t packet_at_ = 0;
  std::array<uint64_t, kSessions> given_{};  // the cycle of a packet's last beat
  Bytes segment_;
  bool taking_ = false;
  std::array<State, kSessions> states_{};
  int look_ = 0;

  uint64_t cycles_ = 0, last_busy_ = 0;
  bool tick_ = false;
};

}  // namespace ullnic::packetdrill
