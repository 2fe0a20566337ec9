// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated engine (cores/toe/tb/toe_flat.sv) behind plain structs, so that the measurements
// are compiled once for all widths.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ullnic::toe {

constexpr size_t kMacBytes = 4;        // of a word
constexpr size_t kMostBeatBytes = 16;  // of a user's beat

// A word of the MAC's, in either direction.
struct MacWord {
  uint32_t data = 0;
  uint8_t keep = 0;
  bool valid = false;
  bool last = false;
  bool error = false;  // sent: the frame is aborted
};

// A beat of the user's, in either direction.
struct Beat {
  std::array<uint8_t, kMostBeatBytes> data{};
  uint16_t keep = 0;
  bool valid = false;
  bool last = false;
  bool bad = false;  // received, with last: the segment is bad
  uint16_t session = 0;
};

enum class Command : uint8_t { kListen, kConnect, kClose, kAbort };  // command_e of toe_pkg

struct Order {
  bool valid = false;
  Command command = Command::kListen;
  uint16_t session = 0;
  uint32_t peer_ip = 0;
  uint16_t peer_port = 0, local_port = 0;
};

// The values of one cycle.
struct Inputs {
  bool rst = false, tick = false;
  uint64_t mac = 0;
  uint32_t ip = 0;
  MacWord from_line;  // with last comes the verdict, good
  bool line_ready = false;
  Order order;
  Beat beat;
  bool length_given = false, sum_given = false;  // with the first beat
  uint16_t length = 0, sum = 0;
};

struct Outputs {
  MacWord to_line;
  bool order_ready = false, beat_ready = false;
  Beat beat;
  bool event_valid = false;
  uint8_t event_code = 0;
  uint8_t drops = 0;  // a bit a reason
};

// The codes of event_e, toe_pkg, that are used.
constexpr uint8_t kConnected = 0;

class Engine {
 public:
  virtual ~Engine() = default;
  // The outputs of this cycle; may be called again with other inputs.
  virtual Outputs Settle(const Inputs& inputs) = 0;
  // The clock rises: the cycle is over.
  virtual void Rise() = 0;
};

// The configuration that the program was compiled for (engine_entry.cc).
struct EngineInfo {
  const char* name;
  size_t transmit_bytes;  // of a beat
  size_t receive_bytes;
  bool store_forward;  // received segments wait for their verdict
};
extern const EngineInfo kEngine;
std::unique_ptr<Engine> MakeEngine();

}  // namespace ullnic::toe
