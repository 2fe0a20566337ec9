// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated example design, cards/qdma_example, as a DMA of an endpoint. Its user and its
// memory are RTL, too.
//
// Its clock runs only while there is work: from an access or a reset on until nothing has moved for
// kQuietEdges and no timer of a completion ring is armed. What is inside then waits for the host.
//
// A reset is a function level reset of PF 0, as PCIe's block asks for it. So what it does not reset
// stays as it is: registers that are not of a function, the user BAR, the memory.
#pragma once

#include <Vmodel_qdma_example.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "card_dma/memory_channel.h"
#include "card_dma/msix_table.h"
#include "card_dma/target_channel.h"
#include "qdma/dma.h"

namespace ullnic::qdma_example {

using Model = Vmodel_qdma_example;

class ExampleDma final : public qdma::Dma {
 public:
  // The host must outlive this.
  explicit ExampleDma(qdma::HostSide& host);
  ~ExampleDma() override;

  void Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done) override;
  void Write(unsigned bar, uint32_t address, uint32_t value, std::function<void()> done) override;
  bool Poll() override;
  bool HasWork() const override { return quiet_ < kQuietEdges || target_.busy(); }
  void Reset() override;
  nlohmann::json Describe() const override;

  void Step();  // an edge
  uint64_t edges() const { return edges_; }
  // The most edges in which nothing moved before something did, though nothing came from outside
  // and no timer was armed.
  unsigned longest_pause() const { return longest_pause_; }

  static constexpr unsigned kQuietEdges = 256;

 private:
  static constexpr unsigned kPowerUpEdges = 4;
  static constexpr unsigned kEdgesOfPoll = 64;

  enum class State { kPowerUp, kRun, kReset };

  void StepReset();

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> model_;
  card_dma::MemoryChannel memory_;
  card_dma::TargetChannel target_;
  card_dma::MsixTable msix_;
  State state_ = State::kPowerUp;
  unsigned quiet_ = 0, longest_pause_ = 0;
  uint64_t edges_ = 0, resets_ = 0, user_reads_ = 0, user_writes_ = 0;
};

}  // namespace ullnic::qdma_example
