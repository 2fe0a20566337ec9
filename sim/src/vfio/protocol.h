// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The vfio-user protocol on a UNIX socket, version 0: numbers and layouts, as QEMU's
// docs/interop/vfio-user.rst specifies them. All in the host's byte order.
#pragma once

#include <linux/vfio.h>

#include <cstddef>
#include <cstdint>

namespace ullnic::vfio {

inline constexpr uint16_t kVersionMajor = 0;
inline constexpr uint16_t kVersionMinor = 1;

enum Command : uint16_t {
  kVersion = 1,
  kDmaMap = 2,
  kDmaUnmap = 3,
  kGetInfo = 4,
  kGetRegionInfo = 5,
  kGetRegionIoFds = 6,
  kGetIrqInfo = 7,
  kSetIrqs = 8,
  kRegionRead = 9,
  kRegionWrite = 10,
  kDmaRead = 11,
  kDmaWrite = 12,
  kReset = 13,
  kRegionWriteMulti = 15,
};

struct Header {
  uint16_t id;
  uint16_t command;
  uint32_t size;  // with the header
  uint32_t flags;
  uint32_t error;  // errno
};
static_assert(sizeof(Header) == 16);

inline constexpr uint32_t kTypeMask = 0xf;
inline constexpr uint32_t kTypeCommand = 0;
inline constexpr uint32_t kTypeReply = 1;
inline constexpr uint32_t kNoReply = 1u << 4;
inline constexpr uint32_t kError = 1u << 5;

struct DmaMapRequest {
  uint32_t argsz;
  uint32_t flags;  // 1: readable, 2: writeable
  uint64_t offset;
  uint64_t address;
  uint64_t size;
};

struct DmaUnmapRequest {
  uint32_t argsz;
  uint32_t flags;
  uint64_t address;
  uint64_t size;
};

struct DeviceInfo {
  uint32_t argsz;
  uint32_t flags;
  uint32_t num_regions;
  uint32_t num_irqs;
};

struct RegionInfo {
  uint32_t argsz;
  uint32_t flags;
  uint32_t index;
  uint32_t cap_offset;
  uint64_t size;
  uint64_t offset;
};

struct IrqInfo {
  uint32_t argsz;
  uint32_t flags;
  uint32_t index;
  uint32_t count;
};

struct IrqSet {
  uint32_t argsz;
  uint32_t flags;
  uint32_t index;
  uint32_t start;
  uint32_t count;
};

struct RegionAccess {
  uint64_t offset;
  uint32_t region;
  uint32_t count;
};

struct MultiWrite {  // one of kRegionWriteMulti
  RegionAccess access;
  uint64_t data;
};

// Limits that the server offers. QEMU refuses a server that offers more than 16 descriptors.
inline constexpr size_t kMaxFdsPerMessage = 16;
inline constexpr size_t kMaxTransferBytes = 4096;  // the largest region access: config space
inline constexpr size_t kMaxDmaMaps = 32768;       // half of the kernel's limit of maps per process
// A region access of 1 MiB, which a client that did not negotiate the size may send.
inline constexpr size_t kMaxMessageBytes = sizeof(Header) + sizeof(RegionAccess) + (1 << 20);

}  // namespace ullnic::vfio
