// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "vfio/config_space.h"

#include <linux/pci_regs.h>

#include <algorithm>
#include <bit>

namespace ullnic::vfio {
namespace {

constexpr uint32_t kPower = 0x40;
constexpr uint32_t kMsix = 0x60;
constexpr uint32_t kExpress = 0x70;
constexpr uint32_t kAri = 0x100;
constexpr uint32_t kSriov = 0x140;
constexpr uint16_t kSystemPages = 0x553;  // 4, 8, 64 and 256 KiB, 1 and 4 MiB: those required
constexpr uint64_t kSmallestPage = 4096;

constexpr uint32_t ExtendedHeader(uint32_t id, uint32_t next) { return id | 1 << 16 | next << 20; }

}  // namespace

void ConfigSpace::Put(uint32_t offset, uint32_t value, unsigned bytes, uint32_t writable) {
  for (unsigned i = 0; i < bytes; ++i) {
    bytes_[offset + i] = static_cast<uint8_t>(value >> (8 * i));
    writable_[offset + i] = static_cast<uint8_t>(writable >> (8 * i));
  }
}

uint32_t ConfigSpace::Get(uint32_t offset, unsigned bytes) const {
  uint32_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= uint32_t{bytes_[offset + i]} << (8 * i);
  return value;
}

// The addresses that the BARs have are kept.
void ConfigSpace::PutBars(uint32_t first, const std::array<uint64_t, 6>& bar_bytes) {
  for (unsigned bar = 0; bar + 1 < bar_bytes.size(); ++bar) {
    const uint64_t bytes = bar_bytes[bar];
    if (bytes == 0) continue;
    const uint64_t writable = ~(bytes - 1);
    const auto low = static_cast<uint32_t>(writable);
    const auto high = static_cast<uint32_t>(writable >> 32);
    const uint32_t at = first + 4 * bar;
    constexpr uint32_t kType = PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH;
    Put(at, (Get(at, 4) & low) | kType, 4, low);
    Put(at + 4, Get(at + 4, 4) & high, 4, high);
  }
}

ConfigSpace::ConfigSpace(const PciIdentity& id) : virtual_(id.virtual_functions) {
  Put(PCI_VENDOR_ID, id.is_virtual ? 0xffff : id.vendor, 2);
  Put(PCI_DEVICE_ID, id.is_virtual ? 0xffff : id.device, 2);
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
  PutBars(PCI_BASE_ADDRESS_0, id.bar_bytes);

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

  const bool has_virtual = virtual_.total > 0;
  if (has_virtual || id.is_virtual) {
    Put(kAri, ExtendedHeader(PCI_EXT_CAP_ID_ARI, has_virtual ? kSriov : 0), 4);
  }
  if (has_virtual) PutSriov(id);
}

void ConfigSpace::PutSriov(const PciIdentity& id) {
  Put(kSriov, ExtendedHeader(PCI_EXT_CAP_ID_SRIOV, 0), 4);
  Put(kSriov + PCI_SRIOV_CTRL, 0, 2, PCI_SRIOV_CTRL_VFE | PCI_SRIOV_CTRL_MSE | PCI_SRIOV_CTRL_ARI);
  Put(kSriov + PCI_SRIOV_INITIAL_VF, virtual_.total, 2);
  Put(kSriov + PCI_SRIOV_TOTAL_VF, virtual_.total, 2);
  // The functions after the physical one, with bus and device number in common.
  Put(kSriov + PCI_SRIOV_VF_OFFSET, 1, 2);
  Put(kSriov + PCI_SRIOV_VF_STRIDE, 1, 2);
  Put(kSriov + PCI_SRIOV_VF_DID, id.virtual_functions.device, 2);
  Put(kSriov + PCI_SRIOV_SUP_PGSIZE, kSystemPages, 4);
  Put(kSriov + PCI_SRIOV_SYS_PGSIZE, 1, 4);
  FollowSriov(1);
}

// What depends on the values of the capability. page_before: the system page size before the write.
void ConfigSpace::FollowSriov(uint32_t page_before) {
  const bool is_enabled = Get(kSriov + PCI_SRIOV_CTRL, 2) & PCI_SRIOV_CTRL_VFE;
  uint32_t page = Get(kSriov + PCI_SRIOV_SYS_PGSIZE, 4);
  if (!std::has_single_bit(page) || !(page & kSystemPages)) page = page_before;
  Put(kSriov + PCI_SRIOV_SYS_PGSIZE, page, 4, is_enabled ? 0 : ~0u);
  Put(kSriov + PCI_SRIOV_NUM_VF, Get(kSriov + PCI_SRIOV_NUM_VF, 2), 2, is_enabled ? 0 : 0xffff);
  // Each function's memory begins at a page.
  std::array<uint64_t, 6> bar_bytes = virtual_.bar_bytes;
  for (uint64_t& bytes : bar_bytes) {
    if (bytes != 0) bytes = std::max(bytes, page * kSmallestPage);
  }
  PutBars(kSriov + PCI_SRIOV_BAR, bar_bytes);
}

VirtualState ConfigSpace::virtual_state() const {
  if (virtual_.total == 0) return {};
  const uint32_t control = Get(kSriov + PCI_SRIOV_CTRL, 2);
  const unsigned wanted = control & PCI_SRIOV_CTRL_VFE ? Get(kSriov + PCI_SRIOV_NUM_VF, 2) : 0;
  return {std::min(wanted, virtual_.total), (control & PCI_SRIOV_CTRL_MSE) != 0};
}

void ConfigSpace::Read(uint32_t offset, std::span<uint8_t> data, Reader reader) const {
  std::copy_n(bytes_.begin() + offset, data.size(), data.begin());
  if (virtual_.total == 0 || reader == Reader::kGuest) return;
  const uint32_t end = offset + static_cast<uint32_t>(data.size());
  if (offset <= kSriov && kSriov < end) data[kSriov - offset] = PCI_EXT_CAP_ID_VNDR;
}

bool ConfigSpace::Write(uint32_t offset, std::span<const uint8_t> data) {
  const uint32_t page_before = virtual_.total > 0 ? Get(kSriov + PCI_SRIOV_SYS_PGSIZE, 4) : 0;
  for (size_t i = 0; i < data.size(); ++i) {
    const uint8_t mask = writable_[offset + i];
    uint8_t& byte = bytes_[offset + i];
    byte = static_cast<uint8_t>((byte & ~mask) | (data[i] & mask));
  }
  if (virtual_.total > 0) FollowSriov(page_before);
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
