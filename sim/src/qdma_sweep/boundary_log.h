// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Cycles of the transfers of a few packets at the ports of the PCIe block and of the user.
#pragma once

#include <cstdint>
#include <vector>

#include "pcie/tlp.h"

namespace ullnic::qdma_sweep {

struct BoundaryLog {
  struct Request {
    int64_t cycle;  // of its last beat
    pcie::Kind kind;
    size_t bytes;  // written by it
  };
  std::vector<Request> rq;
  std::vector<int64_t> rc;         // beats
  std::vector<int64_t> cq;         // requests, the last beat of each
  std::vector<int64_t> to_user;    // H2C beats
  std::vector<int64_t> asks;       // accepted ones
  std::vector<int64_t> from_user;  // C2H beats

  void Clear() { *this = {}; }
};

}  // namespace ullnic::qdma_sweep
