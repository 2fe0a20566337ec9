// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Connections as owned by software: their registers, and the frames that must be sent on them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/frame.h"
#include "core/rng.h"

namespace ullnic::fuzz {

// Of the model; sizes are small, so that limits are met often (cores/ate/configs.toml, [small]).
constexpr unsigned kConnections = ULLNIC_ATE_CONNECTIONS;
constexpr size_t kMaxPayload = ULLNIC_ATE_MAX_PAYLOAD;  // bytes
constexpr size_t kMaxRaw = ULLNIC_ATE_MAX_RAW;
constexpr uint32_t kOwnRegisters = kConnections * 64;

// ate_connection.rdl
enum ConnectionWord : uint8_t {
  kMac0,
  kMac1,
  kMac2,
  kPartCsum,
  kSrcIp,
  kDstIp,
  kPorts,
  kSeq,
  kAck,
  kWindow,
  kAck2,
  kWindow2,
  kControl,
  kMaxSeq,
  kVlan,
  kReserved
};
constexpr uint32_t kEnable = 1, kCheck = 2, kBank = 4;

// The connections' owners. The first and third group are used correctly.
constexpr unsigned kUserGood = 0, kUserHostile = 4, kHostGood = 8, kHostHostile = 12;

struct Connection {
  std::array<uint8_t, 12> macs{};
  uint32_t src_ip = 0, dst_ip = 0;
  uint16_t src_port = 0, dst_port = 0;
  uint32_t seq = 0, max_seq = 0;
  // The last pairs that software has set, newest first: a frame in flight has one of these.
  struct AckWindow {
    uint32_t ack = 0;
    uint16_t window = 0;
    bool operator==(const AckWindow&) const = default;
  };
  std::array<AckWindow, 16> acks{};
  uint32_t control = kEnable;
  int vlan = -1;

  static Connection Random(unsigned index, Rng& rng);
  void SetAck(AckWindow value);
  // The value of a word as written by software, except for ACK and WINDOW of the other bank.
  uint32_t Word(unsigned word) const;
  size_t header_bytes() const { return vlan < 0 ? 54 : 58; }
  // "" if `frame` is the next one with this payload; `any_sum`: its TCP checksum may be wrong.
  std::string Differs(const Bytes& frame, const Bytes& payload, bool any_sum) const;
};

// The connection of a frame's source port, or -1; `frame` is a TCP segment of the engine.
int ConnectionOf(const Bytes& frame);
// The payload bytes of a transmitted segment; `wrong` is "" if its lengths are consistent.
size_t PayloadAt(const Bytes& frame, std::string& wrong);
// The one's complement sum of words in the order of tx_data_net.
uint32_t PayloadSum(const Bytes& payload);

}  // namespace ullnic::fuzz
