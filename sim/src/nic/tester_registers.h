// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Registers of the tester, byte addresses in the user BAR: the block that every card has
// (cards/common/regs/card.rdl), and the tester's own in place of a card's port counters.
#pragma once

#include <cstdint>

namespace ullnic::tester {

// The card's block.
constexpr uint32_t kId = 0x00, kVersion = 0x04, kCard = 0x08, kTcpEnables = 0x0c,
                   kPortStatus = 0x10, kConnections = 0x14, kTimeLow = 0x18, kTimeHigh = 0x1c;
constexpr uint32_t kIdValue = 0x554c4e43, kVersionValue = 0x00010000;
constexpr uint32_t kKindTester = 3;

// Registers of a port. Reading kSent latches kSentTimeLow and kSentTimeHigh, the time of the last
// counted frame. A frame is counted some time after it was sent: an immediate answer has arrived by
// then.
constexpr uint32_t kPortBase = 0x28000, kPortStride = 0x1000;
constexpr uint32_t kSent = 0x80, kSentTimeLow = 0x84, kSentTimeHigh = 0x88;
constexpr uint32_t kHeard = 0x8c;    // good frames received
constexpr uint32_t kDropped = 0x90;  // of those: software did not read them in time
constexpr uint32_t kRefused = 0x94;  // chunks that are not a frame

}  // namespace ullnic::tester
