// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// VFIO_USER_VERSION: negotiates version and capabilities.
//
// The reply names only capabilities that the client proposed, with no value above the client's. A
// capability that the client omits has the specification's default.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "vfio/dma_map.h"

namespace ullnic::vfio {

// What the server accepts on a connection. The values are the specification's defaults.
struct Limits {
  uint64_t max_msg_fds = 1;
  uint64_t max_data_xfer_size = 1 << 20;  // bytes of a region access
  uint64_t max_dma_maps = 65535;
  uint64_t pgsizes = 4096;  // a set: DMA maps are multiples of the smallest

  uint64_t page_bytes() const { return pgsizes & -pgsizes; }
};

struct Agreement {
  uint16_t major = 0;
  uint16_t minor = 0;
  std::string capabilities;  // JSON for the reply
  Limits limits;
};

// `body`: the request without its header.
std::variant<Agreement, Refusal> Negotiate(std::span<const uint8_t> body);

}  // namespace ullnic::vfio
