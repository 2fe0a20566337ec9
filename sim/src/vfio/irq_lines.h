// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// MSI-X vectors as eventfds of the client.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vfio/dma_map.h"
#include "vfio/message_stream.h"

namespace ullnic::vfio {

class IrqLines {
 public:
  explicit IrqLines(unsigned vectors) : lines_(vectors) {}

  // False: no such vector. If the vector is masked, or has no eventfd yet, it becomes pending.
  bool Raise(unsigned vector);
  // VFIO_USER_SET_IRQS for MSI-X.
  std::optional<Refusal> Set(const IrqSet& set, std::span<const uint8_t> data,
                             std::vector<Fd>& fds);
  // For the 32 vectors from 32 * word on: a bit for each that is masked, or without an eventfd, and
  // pending.
  uint32_t PendingBits(unsigned word) const;
  void ClearPending();
  void Clear();

  uint64_t raised() const { return raised_; }
  // Events not added to a full counter: its owner already has one to read.
  uint64_t skipped() const { return skipped_; }

 private:
  struct Line {
    Fd event;
    bool masked = false;
    bool pending = false;
  };
  void Deliver(Line& line);

  std::vector<Line> lines_;
  uint64_t raised_ = 0;
  uint64_t skipped_ = 0;
};

}  // namespace ullnic::vfio
