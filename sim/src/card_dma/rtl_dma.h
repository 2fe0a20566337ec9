// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The DMA in RTL between a card's host ports and the host.
//
// Its clock is the card's host clock, and runs only while there is work: an event that wakes it (an
// access, something that the bridge offers or accepts, words that leave while packets wait for
// room, a reset) is detected before the edge that would process it. It sleeps when nothing has
// changed for kQuietEdges, no timer is armed and no access is in progress. Anything still inside
// then waits for the host or for the bridge; timers advance by the skipped edges. The longest
// internal path without visible activity is from a doorbell to its read, some 30 edges
// (longest_pause).
//
// The bridge's clock runs while the DMA's does, and by itself from a word on a host port until
// nothing has changed for kBridgeQuietEdges. So words enter and leave it, and frames without a
// queue are dropped, while the DMA sleeps.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "card_dma/memory_channel.h"
#include "card_dma/model.h"
#include "card_dma/msix_table.h"
#include "card_dma/target_channel.h"
#include "nic/connection_guard.h"
#include "nic/host_drivers.h"
#include "nic/host_ports.h"
#include "qdma/dma.h"
#include "qdma/registers.h"

namespace ullnic::card_dma {

class RtlDma final : public qdma::Dma, public HostPorts {
 public:
  struct Options {
    bool is_gated = true;  // else every edge is evaluated
  };

  // logic_switches: of the card (NicInfo), which has kPorts ports. The host must outlive this.
  RtlDma(qdma::HostSide& host, const std::vector<uint32_t>& logic_switches, const Options& options);
  ~RtlDma() override;

  // Dma.
  void Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done) override;
  void Write(unsigned bar, uint32_t address, uint32_t value, std::function<void()> done) override;
  bool Poll() override { return false; }
  bool HasWork() const override { return is_awake_ || bridge_is_awake_ || target_.busy(); }
  void Reset() override;
  nlohmann::json Describe() const override;

  // HostPorts.
  const HostOutputs& outputs() const override { return shown_; }
  bool Clock(const HostInputs& in) override;
  void SkipEdges(uint64_t count) override { skipped_ += count; }
  NicCounters counters(unsigned port) const override;

  uint64_t edges() const { return edges_; }  // evaluated ones
  // A reset is requested or in progress: earlier packets may still reach the card.
  bool has_reset() const { return resets_done_ <= resets_; }
  // The largest number of edges without change before a change that had no external cause and no
  // timer. With the clock always on, it shows whether the clock may stop after kQuietEdges.
  unsigned longest_pause() const { return longest_pause_; }
  unsigned longest_bridge_pause() const { return longest_bridge_pause_; }

  static constexpr unsigned kQuietEdges = 48;
  static constexpr unsigned kBridgeQuietEdges = 8;

 private:
  static constexpr unsigned kResetEdges = 4;

  bool CardMoves(const HostInputs& in) const;
  void Drive(const HostInputs& in);
  bool BridgeMoves() const;
  void WatchBridge(bool card_moves);
  bool Step(const HostInputs& in, bool dma_runs);
  void PassTime();
  void StepReset();
  void Show();
  void Count(const HostInputs& in);

  qdma::HostSide& host_;
  bool is_gated_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> model_;
  MemoryChannel memory_;
  TargetChannel target_;
  Switches switches_;
  MsixTable msix_{0, qdma::reg::kMsixTable, qdma::reg::kMsixVectors};
  HostOutputs shown_;
  std::vector<C2hMonitor> monitors_;
  Violations violations_;
  std::array<NicCounters, kPorts> counts_{};
  bool is_awake_ = true, bridge_is_awake_ = true;
  unsigned quiet_ = 0, longest_pause_ = 0;
  unsigned bridge_quiet_ = 0, longest_bridge_pause_ = 0;
  unsigned reset_edges_ = kResetEdges;
  bool is_resetting_ = true;
  uint64_t skipped_ = 0;  // edges not yet counted by the timers
  uint64_t edges_ = 0, bridge_edges_ = 0, slept_ = 0, resets_ = 0, resets_done_ = 0,
           user_reads_ = 0, user_writes_ = 0;
};

}  // namespace ullnic::card_dma
