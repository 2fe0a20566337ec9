// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A client of the vfio-user server, with shared memory: everything that a program, QEMU or a
// guest's driver can do, valid or not.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "port/netns.h"

namespace ullnic::fuzz {

using Bytes = std::vector<uint8_t>;

// A memory file, also mapped here.
class SharedMemory {
 public:
  static constexpr size_t kBytes = 1 << 20;
  static constexpr uint64_t kAddress = 0x1000'0000;  // where a correct driver maps it

  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // Writes as far as there is room and the file has not been truncated.
  void Write(size_t offset, std::span<const uint8_t> data);
  // Truncates the file: an access beyond is a bus error.
  void Cut(size_t bytes);
  int fd() const { return file_.get(); }

 private:
  Fd file_;
  uint8_t* memory_;
  size_t bytes_ = kBytes;
};

class Guest {
 public:
  // A connection to the server at `path`.
  explicit Guest(const std::string& path);

  void Send(std::span<const uint8_t> bytes, const std::vector<int>& fds = {});
  void Request(uint16_t command, std::span<const uint8_t> body, const std::vector<int>& fds = {},
               uint32_t flags = 0, int32_t size_error = 0);
  void Negotiate(std::span<const uint8_t> json);
  // One message; no reply is expected.
  void WriteRegisters(const std::vector<std::pair<uint32_t, uint32_t>>& writes);
  // Reads replies. Aborts on anything else. False: the server has closed the connection.
  bool Read();

 private:
  Fd socket_;
  uint16_t id_ = 0;
  Bytes in_;
};

// Register writes of a driver that starts a streaming queue, with rings of 16 entries in that
// memory.
struct QueuePlaces {
  explicit QueuePlaces(unsigned qid) : base((qid % 8) * 0x8000u) {}
  size_t base;
  size_t h2c() const { return base; }
  size_t c2h() const { return base + 0x1000; }
  size_t completions() const { return base + 0x2000; }
  size_t buffers() const { return 0x80000 + base; }
};
inline constexpr unsigned kRingEntries = 16;
std::vector<std::pair<uint32_t, uint32_t>> StartQueue(unsigned qid, unsigned vector);
std::vector<std::pair<uint32_t, uint32_t>> ContextCommand(unsigned operation, unsigned selector,
                                                          unsigned qid,
                                                          std::span<const uint32_t> words);

}  // namespace ullnic::fuzz
