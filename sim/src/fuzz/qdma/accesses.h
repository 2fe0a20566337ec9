// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes of the BARs as TLPs, good and hostile ones, in the order in which they are
// pushed. Each read must have its answer, in this order: status, function, requester, tag, traffic
// class, attributes, byte count and lower address as PCIe has them for this request.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "core/rng.h"
#include "fuzz/qdma/model.h"

namespace ullnic::fuzz {

struct Access {
  bool is_write = false;
  unsigned func = 0, bar = 0;
  uint32_t address = 0;
  unsigned dwords = 1;
  unsigned first_be = 0xf, last_be = 0;
  std::vector<uint32_t> data{};                    // of a write; 0 beyond its end
  std::function<void(const uint32_t*)> done = {};  // of a read, with its dwords
};

class Accesses {
 public:
  explicit Accesses(Rng rng) : rng_(rng) {}

  void Push(Access access) { queue_.push_back(std::move(access)); }
  void Write(unsigned func, uint32_t address, std::vector<uint32_t> data, unsigned bar = 0);
  void Read(unsigned func, uint32_t address, std::function<void(uint32_t)> done, unsigned bar = 0);
  // A context command, with all of its words if it has some; others come before it, or after it.
  void Command(unsigned func, unsigned selector, unsigned operation, unsigned index,
               std::vector<uint32_t> words = {}, std::vector<uint32_t> mask = {});

  void Drive(QdmaModel& model);
  void Clock(const QdmaModel& model);

  size_t waiting() const { return queue_.size(); }
  bool idle() const { return queue_.empty() && open_.empty(); }
  uint64_t given() const { return given_; }
  uint64_t longest() const { return longest_; }
  double answer_rate = 1;

 private:
  struct Open {
    unsigned func, dwords, status, byte_count, lower_addr, requester, tag, tc, attr;
    std::function<void(const uint32_t*)> done;
  };
  void Accept();
  void TakeAnswer(const QdmaModel& model);

  Rng rng_;
  std::deque<Access> queue_;
  std::deque<Open> open_;
  unsigned beat_ = 0;  // of the oldest
  bool is_shown_ = false;
  unsigned requester_ = 0, tag_ = 0, tc_ = 0, attr_ = 0;
  uint64_t given_ = 0, waited_ = 0, longest_ = 0;
};

}  // namespace ullnic::fuzz
