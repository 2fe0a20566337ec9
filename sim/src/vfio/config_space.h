// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// PCI configuration space: type 0 header, power management, MSI-X and PCI Express capabilities. A
// function with virtual ones has ARI and SR-IOV capabilities, a virtual one has ARI.
//
// A virtual function's vendor and device read as all ones, as PCI Express requires. Its BARs and
// its memory enable bit, which should be constant 0, are those of any function: QEMU maps its
// memory by them, so Server keeps the bit when the function is disabled.
//
// QEMU hides an SR-IOV capability from its guest. It looks for one when it creates the device, and
// from then on the capability's ID that a guest reads is that of the function. So a client that has
// not begun to run its guest (Reader::kClient) is shown another ID.
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

  enum class Reader { kClient, kGuest };

  // Within kBytes.
  void Read(uint32_t offset, std::span<uint8_t> data, Reader reader) const;
  // True: the function is to be reset (initiate FLR). Read-only bits are unchanged.
  bool Write(uint32_t offset, std::span<const uint8_t> data);
  // Interrupt disable of the command register.
  bool intx_disabled() const;
  // Interrupt status of the status register: the legacy interrupt, disabled or not.
  void SetInterruptStatus(bool is_pending);
  VirtualState virtual_state() const;

 private:
  void Put(uint32_t offset, uint32_t value, unsigned bytes, uint32_t writable = 0);
  uint32_t Get(uint32_t offset, unsigned bytes) const;
  void PutBars(uint32_t first, const std::array<uint64_t, 6>& bar_bytes);
  void PutSriov(const PciIdentity& identity);
  void FollowSriov(uint32_t page_before);

  VirtualFunctions virtual_;
  std::array<uint8_t, kBytes> bytes_{};
  std::array<uint8_t, kBytes> writable_{};
};

}  // namespace ullnic::vfio
