// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What a rig needs of a driver.
#pragma once

#include <cstdint>

namespace ullnic::qdma_sweep {

class HostDriver {
 public:
  virtual ~HostDriver() = default;

  // Sets up contexts and rings.
  virtual void Start() = 0;
  // Begins the traffic.
  virtual void Begin() = 0;
  // Stops posting.
  virtual void Stop() = 0;
  // The card has written to memory.
  virtual void Written(uint64_t address, uint64_t bytes) = 0;
  // Processes pending work.
  virtual void Poll() = 0;

  // Bytes of host memory that the card should have written, status excluded.
  virtual uint64_t due_bytes() const = 0;
  uint64_t statuses() const { return statuses_; }

 protected:
  uint64_t statuses_ = 0;  // that the card has written
};

}  // namespace ullnic::qdma_sweep
