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

// Why a request is refused: the number goes to the client, the text to who watches the server.
struct Refusal {
  int error;
  std::string reason;
};

class DmaMap {
 public:
  ~DmaMap() { Clear(); }

  // Without a descriptor the range is known, but a transfer into it fails: this server moves no
  // data by messages.
  std::optional<Refusal> Map(const DmaMapRequest& request, const Fd* fd);
  // Every map within the range, of which there must be one. The specification wants exactly one,
  // but QEMU with an IOMMU of the guest's takes back several at once.
  std::optional<Refusal> Unmap(uint64_t address, uint64_t size);
  void Clear();

  // Within one range or across ranges that adjoin. False: a part of it is not mapped, or not so.
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
