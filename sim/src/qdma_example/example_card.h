// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated example design, cards/qdma_example, as the DMAs of its functions' endpoints. Its
// user and its memory are RTL, too.
//
// Its clock runs only while there is work: from an access or a reset until nothing has changed for
// kQuietEdges and no timer of a completion ring is armed. Anything still inside then waits for the
// host.
//
// A reset is a function-level reset of one function, as requested by the PCIe block. It leaves
// everything else unchanged: registers that do not belong to a function, the user BAR, the memory.
#pragma once

#include <Vmodel_qdma_example.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "card_dma/memory_channel.h"
#include "card_dma/msix_table.h"
#include "card_dma/target_channel.h"
#include "qdma/dma.h"
#include "qdma/registers.h"

namespace ullnic::qdma_example {

using Model = Vmodel_qdma_example;

class ExampleCard {
 public:
  // As the model was built.
  static constexpr unsigned kVirtualFunctions = 4;

  ExampleCard();
  ~ExampleCard();

  // Connects the host of PCIe function `func` to the card: 0, the physical one, or kFirstVirtual
  // and those after it. Once for each. The host and this must outlive the result.
  std::unique_ptr<qdma::Dma> Join(unsigned func, qdma::HostSide& host);

  // Runs some edges if there is work. True: there was.
  bool Poll();
  bool HasWork() const { return quiet_ < kQuietEdges || target_.busy(); }
  void Step();  // runs one edge
  nlohmann::json Describe() const;
  uint64_t edges() const { return edges_; }
  // The largest number of edges without change before a change that had no external cause and no
  // timer.
  unsigned longest_pause() const { return longest_pause_; }

  static constexpr unsigned kQuietEdges = 256;

 private:
  static constexpr unsigned kPowerUpEdges = 4;
  static constexpr unsigned kEdgesOfPoll = 64;

  enum class State { kPowerUp, kRun, kReset };

  class Function;

  void StepReset();
  void ShowReset(bool is_asked);

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> model_;
  card_dma::MemoryChannel memory_;
  card_dma::TargetChannel target_;
  std::map<unsigned, card_dma::MsixTable> msix_;  // by function
  qdma::HostSide* host_ = nullptr;                // of the physical function
  State state_ = State::kPowerUp;
  unsigned quiet_ = 0, longest_pause_ = 0;
  uint64_t edges_ = 0, resets_ = 0, user_reads_ = 0, user_writes_ = 0;
};

}  // namespace ullnic::qdma_example
