// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Tick to trade as measured on the wire: which frame to the card triggers an order, which frame
// from the card is the answer, and the time between them.
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
  // The byte of a frame to the card, counted from the destination address, that decides that the
  // frame triggers an order. None: it does not.
  std::function<std::optional<size_t>(const Bytes& frame)> deciding_byte;
  // Whether a frame from the card can be the answer to this trigger. `previous`: the previous
  // order, empty if there is none. Software may send on the same connection.
  std::function<bool(const Bytes& trigger, const Bytes& previous, const Bytes& order)> answers;
  // Limit from the deciding byte to the start of the answer.
  int64_t max_latency_ps = 1'000'000;
  bool at_once = false;  // at once or never, even if software's frames share the line
};

// cards/trigger: the first four bytes of the destination address are all ones; orders are numbered
// in the first four bytes of their payload.
// first_number: that of the first order, if it is known. Without it, the first frame sent soon
// after the first trigger counts as its answer, even if it is software's.
TradeRule TriggerRule(std::optional<uint32_t> first_number = {});
// cards/stac_t0, with its default message types: the 64-bit index, which is at payload byte 4 of
// the order. mask: the index bits that must be zero.
TradeRule StacT0Rule(uint64_t mask = 0x3ff);
// The rule named in a card's card.toml; "": nothing triggers an order. Throws UserError.
TradeRule RuleOf(const std::string& name, std::optional<uint32_t> first_number = {});

struct TradeSample {
  int64_t trigger_ps;   // first bit of the trigger frame's start character
  int64_t deciding_ps;  // last bit of the deciding byte
  int64_t order_ps;     // first bit of the answer's start character
  unsigned trigger_port;
  unsigned order_port;

  int64_t latency_ui() const { return PsToUi(order_ps - trigger_ps); }
  int64_t actionable_ui() const { return PsToUi(order_ps - deciding_ps); }
};

class TradeTracker {
 public:
  explicit TradeTracker(TradeRule rule) : rule_(std::move(rule)) {}

  // Frames as they end.
  void Arriving(const HeardFrame& frame, unsigned port);  // at the card's market-data port
  void Leaving(const HeardFrame& frame, unsigned port);   // at its port for orders
  // Nothing is in flight any more: a trigger without an answer is lost (or was refused, which the
  // card's registers count).
  void GiveUpPending();

  uint64_t triggers() const { return triggers_; }
  uint64_t lost() const { return lost_; }
  // Frames on the ports for orders that answer no trigger: software's, or unsolicited orders.
  uint64_t others() const { return others_; }
  size_t pending() const { return pending_.size(); }
  const std::vector<TradeSample>& samples() const { return samples_; }

  // Counts, and SoF to SoF and actionable latency in ns: minimum, mean, maximum, percentiles,
  // histogram.
  nlohmann::json Json() const;
  // Writes a line per sample as CSV, or as JSON if the name ends so; overwrites the file. Throws
  // UserError.
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
