// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The legacy interrupt INTA as an eventfd of the client, as VFIO has it: the client hears of the
// level once, then it is masked until the client unmasks it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vfio/dma_map.h"
#include "vfio/message_stream.h"

namespace ullnic::vfio {

class IntxLine {
 public:
  // The level at the function.
  void SetLevel(bool is_asserted);
  // Interrupt disable of its command register.
  void SetDisabled(bool is_disabled);
  // VFIO_USER_SET_IRQS for INTx: one line.
  std::optional<Refusal> Set(const IrqSet& set, std::span<const uint8_t> data,
                             std::vector<Fd>& fds);
  // The client has gone.
  void Clear();

  bool is_asserted() const { return is_asserted_; }

 private:
  void Deliver();

  Fd event_;
  bool is_asserted_ = false;
  bool is_disabled_ = false;
  bool is_masked_ = false;
};

}  // namespace ullnic::vfio
