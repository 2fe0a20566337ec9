// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Tick to trade as measured on the wire: which frame on its way to the card asks for an order,
// which frame that leaves is the answer, and the time between them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "nic/line_meter.h"

namespace ullnic {

struct TradeRule {
  // The byte of a frame that arrives at the card, counted from the destination address, with which
  // it is decided that it asks for an order. None: it does not.
  std::function<std::optional<size_t>(const Bytes& frame)> deciding_byte;
  // Whether a frame that leaves can be the answer to this trigger. `previous`: the order before,
  // empty if there is none. Software may send on the same connection.
  std::function<bool(const Bytes& trigger, const Bytes& previous, const Bytes& order)> answers;
  // From the deciding byte to the start of the answer; what comes later is none.
  int64_t max_latency_ps = 1'000'000;
  bool at_once = false;  // where software's frames are in the way, too: or not at all
};

// cards/trigger: the first four bytes of the destination address are all ones; orders are numbered
// in the first four bytes of their payload.
// first_number: that of the first order, if it is known. Without it, whatever leaves soon after the
// first trigger is taken for its answer, software's frames too.
TradeRule TriggerRule(std::optional<uint32_t> first_number = {});
// cards/stac_t0, with its default message types: the 64-bit index, which the order has at payload
// byte 4. mask: the index bits that must be zero.
TradeRule StacT0Rule(uint64_t mask = 0x3ff);
// By the name that a card's card.toml gives; "": nothing asks for an order. Throws UserError.
TradeRule RuleOf(const std::string& name, std::optional<uint32_t> first_number = {});

struct TradeSample {
  int64_t trigger_ps;   // the first bit of the trigger frame's start character passes
  int64_t deciding_ps;  // the last bit of the byte that decides
  int64_t order_ps;     // the first bit of the answer's start character
  unsigned trigger_port;
  unsigned order_port;

  int64_t latency_ui() const { return PsToUi(order_ps - trigger_ps); }
  int64_t actionable_ui() const { return PsToUi(order_ps - deciding_ps); }
};

class TradeTracker {
 public:
  explicit TradeTracker(TradeRule rule) : rule_(std::move(rule)) {}

  // Frames as they end.
  void Arriving(const HeardFrame& frame, unsigned port);  // at the card's port for market data
  void Leaving(const HeardFrame& frame, unsigned port);   // its port for orders
  // Nothing is on its way any more: a trigger without an answer is lost (or was refused, which the
  // card's registers tell).
  void GiveUpPending();

  uint64_t triggers() const { return triggers_; }
  uint64_t lost() const { return lost_; }
  // Frames on the ports for orders that answer no trigger: software's, or orders that nobody asked
  // for.
  uint64_t others() const { return others_; }
  size_t pending() const { return pending_.size(); }
  const std::vector<TradeSample>& samples() const { return samples_; }

  // Counts, and SoF to SoF and actionable latency in ns: minimum, mean, maximum, percentiles,
  // histogram.
  nlohmann::json Json() const;
  // A line a sample, as CSV; or as JSON if the name ends so; in place of what the file holds.
  // Throws UserError.
  void WriteSamples(const std::string& path) const;

 private:
  struct Waiting {
    Bytes bytes;
    int64_t start_ps;
    int64_t deciding_ps;
    unsigned port;
  };

  void Match();
  void GiveUpOlder(int64_t than_ps);

  TradeRule rule_;
  std::deque<Waiting> pending_;  // triggers
  std::deque<Waiting> orders_;   // frames whose trigger may not have ended yet
  Bytes last_order_;
  std::vector<TradeSample> samples_;
  uint64_t triggers_ = 0, lost_ = 0, others_ = 0;
};

}  // namespace ullnic
