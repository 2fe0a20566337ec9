// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// PCI configuration space: type 0 header, power management, MSI-X and PCI Express capabilities.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "vfio/pci_device.h"

namespace ullnic::vfio {

class ConfigSpace {
 public:
  static constexpr uint32_t kBytes = 4096;

  explicit ConfigSpace(const PciIdentity& identity);

  // Within kBytes.
  void Read(uint32_t offset, std::span<uint8_t> data) const;
  // True: the function is to be reset (initiate FLR). Read-only bits are unchanged.
  bool Write(uint32_t offset, std::span<const uint8_t> data);
  // Interrupt disable of the command register.
  bool intx_disabled() const;
  // Interrupt status of the status register: the legacy interrupt, disabled or not.
  void SetInterruptStatus(bool is_pending);

 private:
  void Put(uint32_t offset, uint32_t value, unsigned bytes, uint32_t writable = 0);

  std::array<uint8_t, kBytes> bytes_{};
  std::array<uint8_t, kBytes> writable_{};
};

}  // namespace ullnic::vfio
