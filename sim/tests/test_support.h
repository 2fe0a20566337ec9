// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by several tests: seeds, and an RTL end connected to the link partner.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "card/card_library.h"
#include "card/rx_monitor.h"
#include "core/rng.h"
#include "core/scheduler.h"
#include "line/serial_line.h"
#include "partner/partner_end.h"

namespace ullnic {

// Every random test uses this seed, which is printed: ULLNIC_SEED, or a new one.
inline uint64_t TestSeed() {
  static const uint64_t seed = [] {
    const char* text = std::getenv("ULLNIC_SEED");
    const uint64_t drawn =
        text != nullptr && *text != '\0' ? std::stoull(text) : uint64_t{std::random_device{}()};
    std::cout << "seed " << drawn << " (repeat with ULLNIC_SEED=" << drawn << ")" << std::endl;
    return drawn;
  }();
  return seed;
}

class SeededTest : public ::testing::Test {
 protected:
  Rng rng_ = Rng::Stream(TestSeed(), 99);
};

inline Bytes RandomBytes(size_t size, Rng& rng) {
  Bytes bytes(size);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(rng.Next());
  return bytes;
}

inline Bytes Padded(Bytes bytes) {
  if (bytes.size() < kMinFrameBytes) bytes.resize(kMinFrameBytes);
  return bytes;
}

// The card under test at one end, the link partner at the other.
class PartnerBench final : public EndObserver {
 public:
  struct Config {
    std::string card = kDefaultCard;
    int to_rtl_delay_ui = 64;
    int ppm = 0;  // the partner's clock relative to the card's
    int user_ppm = 0;
    BackPressureConfig back_pressure = {};
  };

  explicit PartnerBench(int to_rtl_delay_ui = 64)
      : PartnerBench(Config{.to_rtl_delay_ui = to_rtl_delay_ui}) {}
  explicit PartnerBench(const Config& config)
      : card_(config.card),
        to_partner_({.word_bits = card_.info().pma_bits, .delay_ui = 64}),
        to_rtl_({.word_bits = card_.info().pma_bits,
                 .delay_ui = config.to_rtl_delay_ui,
                 .seed = TestSeed()}),
        clock_(scheduler_.AddClock(Clock("line", LinePeriod(card_.info().pma_bits)))),
        partner_clock_(
            scheduler_.AddClock(Clock("partner", LinePeriod(card_.info().pma_bits, config.ppm)))),
        clocks_(
            JoinClocks(card_.info(), scheduler_, clock_, partner_clock_, {.ppm = config.user_ppm})),
        rtl_(card_.Make({.clocks = clocks_, .back_pressure = config.back_pressure}, scheduler_,
                        to_partner_, to_rtl_)),
        partner_({.tx_clock = partner_clock_, .rx_clock = clock_}, scheduler_, to_rtl_,
                 to_partner_) {
    scheduler_.AddModel(rtl_.get(), clocks_.all(), to_rtl_.same_cycle());
    scheduler_.AddModel(&partner_, clock_ | partner_clock_, to_partner_.same_cycle());
    rtl_->set_observer(this);
    partner_.receiver().decoder().set_on_frame(
        [this](partner::DecodedFrame&& f) { decoded_.push_back(std::move(f)); });
  }

  // Runs cycles of the line's clock.
  void Step(uint64_t cycles = 1) {
    const Clock& line = scheduler_.clock(clock_);
    for (const uint64_t end = line.next_edge() + cycles; line.next_edge() < end;) scheduler_.Step();
  }
  // Runs until both ends are locked; false if that never happens.
  bool Lock() {
    for (int i = 0; i < 800'000; ++i) {
      if (rtl_->block_lock() && partner_.block_lock()) {
        Step(200);
        return true;
      }
      Step();
    }
    return false;
  }
  // Runs until neither end has anything left to send, and until everything has arrived.
  void Drain() {
    while (rtl_->tx_backlog() > 0 || partner_.tx_backlog() > 0) Step();
    Step(card_.info().tx_fifo ? 1200 : 600);
  }

  void SendFromRtl(Frame frame) { rtl_->Send(std::make_shared<const Frame>(std::move(frame))); }
  void SendFromPartner(partner::WireFrame frame) { partner_.SendRaw(std::move(frame)); }

  Card& rtl() { return *rtl_; }
  const CardInfo& info() const { return card_.info(); }
  partner::PartnerEnd& partner() { return partner_; }
  const partner::FrameDecoder& decoder() { return partner_.receiver().decoder(); }
  SerialLine& to_rtl() { return to_rtl_; }
  std::deque<ReceivedFrame>& received() { return received_; }        // by the RTL
  std::deque<partner::DecodedFrame>& decoded() { return decoded_; }  // by the partner

  void OnOffer(const FramePtr&, uint64_t, int64_t, uint64_t) override {}
  void OnReceive(ReceivedFrame&& frame) override { received_.push_back(std::move(frame)); }

 private:
  CardLibrary card_;
  Scheduler scheduler_;
  SerialLine to_partner_;
  SerialLine to_rtl_;
  EdgeSet clock_;
  EdgeSet partner_clock_;
  CardClocks clocks_;
  std::unique_ptr<Card> rtl_;
  partner::PartnerEnd partner_;
  std::deque<ReceivedFrame> received_;
  std::deque<partner::DecodedFrame> decoded_;
};

}  // namespace ullnic
