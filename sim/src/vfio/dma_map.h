// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The client's memory by bus address.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "port/netns.h"
#include "vfio/protocol.h"

namespace ullnic::vfio {

// Why a request is refused: the number is sent to the client, the text to the server's log.
struct Refusal {
  int error;
  std::string reason;
};

class DmaMap {
 public:
  ~DmaMap() { Clear(); }

  // Without a descriptor the range is registered, but a transfer into it fails: this server does
  // not transfer data by messages.
  std::optional<Refusal> Map(const DmaMapRequest& request, const Fd* fd);
  // Removes every map within the range, of which there must be at least one. The specification
  // requires exactly one, but QEMU with a guest IOMMU unmaps several at once.
  std::optional<Refusal> Unmap(uint64_t address, uint64_t size);
  void Clear();

  // Within one range or across adjacent ranges. False: part of it is not mapped, or without this
  // access.
  bool Read(uint64_t address, std::span<uint8_t> data);
  bool Write(uint64_t address, std::span<const uint8_t> data);

  size_t ranges() const { return ranges_.size(); }

 private:
  struct Range {
    uint64_t size;
    uint8_t* memory;  // null: not shared
    bool readable;
    bool writable;
  };
  static void Release(const Range& range);
  template <typename Copy>
  bool Walk(uint64_t address, size_t bytes, bool write, Copy copy);

  std::map<uint64_t, Range> ranges_;  // by address
};

}  // namespace ullnic::vfio
