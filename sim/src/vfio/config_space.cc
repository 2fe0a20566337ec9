// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "vfio/config_space.h"

#include <linux/pci_regs.h>

#include <algorithm>

namespace ullnic::vfio {
namespace {

constexpr uint32_t kPower = 0x40;
constexpr uint32_t kMsix = 0x60;
constexpr uint32_t kExpress = 0x70;

}  // namespace

void ConfigSpace::Put(uint32_t offset, uint32_t value, unsigned bytes, uint32_t writable) {
  for (unsigned i = 0; i < bytes; ++i) {
    bytes_[offset + i] = static_cast<uint8_t>(value >> (8 * i));
    writable_[offset + i] = static_cast<uint8_t>(writable >> (8 * i));
  }
}

ConfigSpace::ConfigSpace(const PciIdentity& id) {
  Put(PCI_VENDOR_ID, id.vendor, 2);
  Put(PCI_DEVICE_ID, id.device, 2);
  Put(PCI_COMMAND, 0, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_INTX_DISABLE);
  Put(PCI_STATUS, PCI_STATUS_CAP_LIST, 2);
  Put(PCI_REVISION_ID, id.revision, 1);
  Put(PCI_CLASS_PROG, id.class_code, 3);
  Put(PCI_CACHE_LINE_SIZE, 0, 1, 0xff);
  Put(PCI_SUBSYSTEM_VENDOR_ID, id.subsystem_vendor, 2);
  Put(PCI_SUBSYSTEM_ID, id.subsystem, 2);
  Put(PCI_CAPABILITY_LIST, kPower, 1);
  Put(PCI_INTERRUPT_LINE, 0, 1, 0xff);
  Put(PCI_INTERRUPT_PIN, id.has_intx ? 1 : 0, 1);
  for (unsigned bar = 0; bar + 1 < id.bar_bytes.size(); ++bar) {
    const uint64_t bytes = id.bar_bytes[bar];
    if (bytes == 0) continue;
    const uint64_t writable = ~(bytes - 1);
    const uint32_t at = PCI_BASE_ADDRESS_0 + 4 * bar;
    Put(at, PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH, 4,
        static_cast<uint32_t>(writable));
    Put(at + 4, 0, 4, static_cast<uint32_t>(writable >> 32));
  }

  Put(kPower, PCI_CAP_ID_PM | kMsix << 8, 2);
  Put(kPower + PCI_PM_PMC, 3, 2);
  Put(kPower + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET, 2, PCI_PM_CTRL_STATE_MASK);

  Put(kMsix, PCI_CAP_ID_MSIX | kExpress << 8, 2);
  Put(kMsix + PCI_MSIX_FLAGS, id.msix_vectors - 1, 2,
      PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
  Put(kMsix + PCI_MSIX_TABLE, id.msix_table | id.msix_bar, 4);
  Put(kMsix + PCI_MSIX_PBA, id.msix_pending | id.msix_bar, 4);

  Put(kExpress, PCI_CAP_ID_EXP, 2);
  Put(kExpress + PCI_EXP_FLAGS, 2, 2);  // version 2, endpoint
  Put(kExpress + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_FLR | PCI_EXP_DEVCAP_RBER | 2, 4);
  // Every control bit is writable; FLR starts a reset and reads as 0.
  Put(kExpress + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_NOSNOOP_EN | 0x2000, 2,
      0x7fff);
  Put(kExpress + PCI_EXP_LNKCAP, 3 | 16 << 4, 4);  // 8 GT/s, 16 lanes
  Put(kExpress + PCI_EXP_LNKCTL, 0, 2, 0xfff);
  Put(kExpress + PCI_EXP_LNKSTA, 3 | 16 << 4, 2);
}

void ConfigSpace::Read(uint32_t offset, std::span<uint8_t> data) const {
  std::copy_n(bytes_.begin() + offset, data.size(), data.begin());
}

bool ConfigSpace::Write(uint32_t offset, std::span<const uint8_t> data) {
  for (size_t i = 0; i < data.size(); ++i) {
    const uint8_t mask = writable_[offset + i];
    uint8_t& byte = bytes_[offset + i];
    byte = static_cast<uint8_t>((byte & ~mask) | (data[i] & mask));
  }
  const uint32_t control_high = kExpress + PCI_EXP_DEVCTL + 1;
  return offset <= control_high && control_high < offset + data.size() &&
         (data[control_high - offset] & PCI_EXP_DEVCTL_BCR_FLR >> 8);
}

bool ConfigSpace::intx_disabled() const {
  return bytes_[PCI_COMMAND + 1] & PCI_COMMAND_INTX_DISABLE >> 8;
}

void ConfigSpace::SetInterruptStatus(bool is_pending) {
  uint8_t& status = bytes_[PCI_STATUS];
  status = static_cast<uint8_t>((status & ~PCI_STATUS_INTERRUPT) |
                                (is_pending ? PCI_STATUS_INTERRUPT : 0));
}

}  // namespace ullnic::vfio
