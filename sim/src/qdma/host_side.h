// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Interface of the DMA to the host: memory by bus address, and interrupts.
#pragma once

#include <cstdint>
#include <span>

namespace ullnic::qdma {

class HostSide {
 public:
  virtual ~HostSide() = default;
  // False: a byte of it is outside the memory that the host has mapped for the device.
  virtual bool ReadHost(uint64_t address, std::span<uint8_t> data) = 0;
  // As above. Writes become visible in the order of the calls, and an aligned write of 8 bytes is
  // atomic: the host may poll the colour bit of an entry.
  virtual bool WriteHost(uint64_t address, std::span<const uint8_t> data) = 0;
  // False: no such vector.
  virtual bool Interrupt(unsigned vector) = 0;
  // Level of the legacy interrupt, INTA.
  virtual void SetIntx(bool is_asserted) = 0;
};

}  // namespace ullnic::qdma
