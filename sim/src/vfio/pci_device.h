// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Interface of the server to the PCI function that it serves.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace ullnic::vfio {

// The virtual functions of a physical one, which its SR-IOV capability describes.
struct VirtualFunctions {
  unsigned total = 0;
  uint16_t device = 0;
  std::array<uint64_t, 6> bar_bytes{};  // of each
};

struct PciIdentity {
  uint16_t vendor = 0;
  uint16_t device = 0;
  uint16_t subsystem_vendor = 0;
  uint16_t subsystem = 0;
  uint32_t class_code = 0;  // 24 bits
  uint8_t revision = 0;
  std::array<uint64_t, 6> bar_bytes{};  // powers of two; 64-bit: the BAR after it must have none
  bool has_intx = false;                // the legacy interrupt, INTA
  unsigned msix_vectors = 0;
  unsigned msix_bar = 0;
  uint32_t msix_table = 0;  // offset in the BAR
  uint32_t msix_pending = 0;
  VirtualFunctions virtual_functions;
  bool is_virtual = false;  // absent until its physical function enables it
};

// What a physical function has switched on: its first virtual functions, and their memory space.
struct VirtualState {
  unsigned enabled = 0;
  bool has_memory = false;
  bool operator==(const VirtualState&) const = default;
};

class PciDevice {
 public:
  virtual ~PciDevice() = default;
  virtual PciIdentity identity() const = 0;
  // 32-bit words at multiples of 4 inside the BAR. `done` may be called later, or before the call
  // returns. The server makes the next call after that.
  virtual void ReadBar(unsigned bar, uint64_t offset, std::function<void(uint32_t)> done) = 0;
  virtual void WriteBar(unsigned bar, uint64_t offset, uint32_t value,
                        std::function<void()> done) = 0;
  // By command, by the configuration space, or because the client has disconnected.
  virtual void Reset() = 0;
  // Of a physical function: its SR-IOV capability was written, or reset.
  virtual void EnableVirtual(const VirtualState&) {}
};

}  // namespace ullnic::vfio
