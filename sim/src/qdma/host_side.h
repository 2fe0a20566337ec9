// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the DMA sees of the host above it: memory by bus address, and interrupt vectors.
#pragma once

#include <cstdint>
#include <span>

namespace ullnic::qdma {

class HostSide {
 public:
  virtual ~HostSide() = default;
  // False: a byte of it lies outside the memory that the host has mapped for the device.
  virtual bool ReadHost(uint64_t address, std::span<uint8_t> data) = 0;
  // As above. Writes become visible in the order of the calls, and one of 8 bytes to a multiple of
  // 8 at once: the host may poll the colour bit of an entry.
  virtual bool WriteHost(uint64_t address, std::span<const uint8_t> data) = 0;
  // False: there is no such vector.
  virtual bool Interrupt(unsigned vector) = 0;
};

}  // namespace ullnic::qdma
