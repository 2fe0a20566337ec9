// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A memory that the card reads and writes, of the host or of the card: one range of bus addresses.
// Untouched pages cost nothing.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace ullnic::qdma_sweep {

class Memory {
 public:
  explicit Memory(uint64_t bytes);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Allocates a range; returns its bus address.
  uint64_t Allocate(uint64_t bytes, uint64_t align);
  // Throws UserError if part of it is not allocated.
  std::span<uint8_t> At(uint64_t address, uint64_t bytes);
  void Read(uint64_t address, std::span<uint8_t> bytes);
  // Byte enables of the first and the last dword, as in a TLP.
  void Write(uint64_t address, std::span<const uint8_t> dwords, uint8_t first_be, uint8_t last_be);

  template <class T>
  T Load(uint64_t address) {
    T value;
    Read(address, std::span(reinterpret_cast<uint8_t*>(&value), sizeof value));
    return value;
  }
  template <class T>
  void Store(uint64_t address, const T& value) {
    std::memcpy(At(address, sizeof value).data(), &value, sizeof value);
  }

 private:
  static constexpr uint64_t kBase = uint64_t{1} << 32;
  uint64_t size_, used_ = 0;
  uint8_t* bytes_;
};

}  // namespace ullnic::qdma_sweep
