// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "core/user_error.h"

namespace ullnic::qdma_sweep {

Memory::Memory(uint64_t bytes) : size_(bytes) {
  void* const mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    throw UserError(fmt::format("no {} MiB of address space for a memory", size_ >> 20),
                    "take fewer queues or smaller packets, or raise the limit (ulimit -v)");
  }
  bytes_ = static_cast<uint8_t*>(mapped);
}

Memory::~Memory() { munmap(bytes_, size_); }

uint64_t Memory::Allocate(uint64_t bytes, uint64_t align) {
  used_ = (used_ + align - 1) / align * align;
  const uint64_t address = kBase + used_;
  used_ += bytes;
  At(address, bytes);
  return address;
}

std::span<uint8_t> Memory::At(uint64_t address, uint64_t bytes) {
  const uint64_t at = address - kBase;
  if (address < kBase || at > size_ || bytes > size_ - at || at + bytes > used_) {
    throw UserError(
        fmt::format("an access to {} bytes at {:#x}, which are nobody's", bytes, address),
        "a fault of the card or of the rig: repeat with the same options and seed");
  }
  return {bytes_ + at, bytes};
}

void Memory::Read(uint64_t address, std::span<uint8_t> bytes) {
  std::memcpy(bytes.data(), At(address, bytes.size()).data(), bytes.size());
}

void Memory::Write(uint64_t address, std::span<const uint8_t> dwords, uint8_t first_be,
                   uint8_t last_be) {
  const std::span<uint8_t> to = At(address, dwords.size());
  const size_t last = dwords.size() - 4;
  for (size_t i = 0; i < dwords.size(); ++i) {
    if (i == 4 && last > 4) {  // whole dwords
      std::memcpy(to.data() + 4, dwords.data() + 4, last - 4);
      i = last;
    }
    const uint8_t enables = i < 4 ? first_be : last_be;
    if ((enables >> (i % 4) & 1) != 0) to[i] = dwords[i];
  }
}

}  // namespace ullnic::qdma_sweep
