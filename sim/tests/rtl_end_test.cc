// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// How RtlEnd drives a model's clocks and inputs, checked by a model that only records: a register
// that two clocks share must see both edges at once, and no input may change together with a clock
// that samples it.

#include "card/rtl_end.h"

#include <gtest/gtest.h>

#include <optional>
#include <tuple>

#include "core/scheduler.h"
#include "line/serial_line.h"
#include "test_support.h"

namespace ullnic {
namespace {

struct Notes {
  enum ClockBit : uint32_t { kTx = 1, kRx = 2, kTxUser = 4, kRxUser = 8 };
  std::vector<uint32_t> rises;   // of each eval() in which a clock rises
  uint64_t changes_at_rise = 0;  // of inputs
  bool counts = false;  // the model has events to count in each cycle, and a word of no frame
  EndCounters counters;
};

Notes* g_notes = nullptr;

// The ports of link_card that RtlEnd drives and samples.
struct NotingModel {
  explicit NotingModel(VerilatedContext*) {}
  void final() {}

  void eval() {
    const uint32_t clocks = (tx_clk ? Notes::kTx : 0u) | (rx_clk ? Notes::kRx : 0u) |
                            (s_axis_clk ? Notes::kTxUser : 0u) | (m_axis_clk ? Notes::kRxUser : 0u);
    const auto inputs =
        std::tuple(tx_rst, rx_rst, s_axis_rst, m_axis_rst, s_axis_tvalid, s_axis_tdata,
                   s_axis_tkeep, s_axis_tlast, s_axis_tuser, m_axis_tready, pma_rx_data);
    const uint32_t rising = clocks & ~clocks_;
    if (rising != 0) {
      g_notes->rises.push_back(rising);
      if (inputs_ != inputs) ++g_notes->changes_at_rise;
    }
    clocks_ = clocks;
    inputs_ = inputs;
    // A changing line and user.
    pma_tx_data = static_cast<uint16_t>(40503 * pma_tx_data + 1);
    s_axis_tready = 1;
    if (!g_notes->counts) return;
    m_axis_tvalid = 1;
    m_axis_tkeep = 0xf;
    stat_tx_frame = 1;
    stat_tx_error = 2;
    stat_tx_underrun = 3;
    stat_rx_bad_header = 4;
    stat_rx_lock_lost = 5;
    stat_rx_bad_block = 6;
    stat_rx_overflow = 7;
  }

  uint8_t tx_clk = 0, rx_clk = 0, s_axis_clk = 0, m_axis_clk = 0;
  uint8_t tx_rst = 0, rx_rst = 0, s_axis_rst = 0, m_axis_rst = 0;
  uint8_t s_axis_tvalid = 0, s_axis_tkeep = 0, s_axis_tlast = 0, s_axis_tuser = 0;
  uint32_t s_axis_tdata = 0;
  uint8_t s_axis_tready = 0;
  uint16_t pma_tx_data = 0, pma_rx_data = 0;
  uint8_t tx_ignore_fault = 1, tx_prbs31 = 1, tx_test_idle = 1, tx_pause_req = 1, tx_stopped = 0;
  uint64_t own_address = 1;
  uint8_t pma_loopback = 1, user_loopback = 1, rx_filter_on = 1, rx_filter_pass_group = 1;
  uint8_t rx_test_prbs31 = 1, rx_test_idle = 1;
  uint16_t rx_max_length = 0;
  uint8_t stat_tx_frame = 0, stat_tx_error = 0, stat_tx_underrun = 0;
  uint8_t m_axis_tready = 0, m_axis_tvalid = 0, m_axis_tkeep = 0, m_axis_tlast = 0;
  uint8_t m_axis_tuser = 0;
  uint32_t m_axis_tdata = 0;
  uint8_t rx_sof = 0, rx_status_valid = 0, rx_status_good = 0, rx_err_fcs = 0, rx_err_code = 0;
  uint8_t rx_err_runt = 0, rx_err_oversize = 0, rx_link_up = 0, stat_rx_bad_header = 0;
  uint8_t stat_rx_lock_lost = 0, stat_rx_bad_block = 0, stat_rx_overflow = 0;

 private:
  uint32_t clocks_ = 0;
  std::optional<std::tuple<uint8_t, uint8_t, uint8_t, uint8_t, uint8_t, uint32_t, uint8_t, uint8_t,
                           uint8_t, uint8_t, uint16_t>>
      inputs_;
};

// `ppm`: the receive clock relative to the transmit clock.
Notes Drive(const char* tx_user_clock, const char* rx_user_clock, int ppm, bool odd_rx,
            bool counts = false) {
  Notes notes;
  notes.counts = counts;
  g_notes = &notes;
  CardInfo info{"noting", 16, 32, 32, tx_user_clock, rx_user_clock, 160, false, false, true};
  info.tx_fifo = info.tx_user_clock.ends_with("kHz");
  info.rx_fifo = !info.rx_user_clock.starts_with("rx");
  info.rx_bridge = !info.rx_fifo;
  Scheduler scheduler;
  const EdgeSet tx = scheduler.AddClock(Clock("tx", LinePeriod(16)));
  const EdgeSet rx = scheduler.AddClock(Clock("rx", LinePeriod(16, ppm), {1, 3}));
  const CardClocks clocks = JoinClocks(info, scheduler, tx, rx, {.odd_rx = odd_rx});
  SerialLine line({.word_bits = 16, .delay_ui = 64});
  RtlEnd<NotingModel> end(
      info, {.clocks = clocks, .back_pressure = {.stall = 0.3, .max_edges = 3, .seed = TestSeed()}},
      scheduler, line, line);
  scheduler.AddModel(&end, clocks.all(), line.same_cycle());
  for (int i = 0; i < 50; ++i) {
    auto frame = std::make_shared<Frame>();
    frame->bytes = Bytes(60 + static_cast<size_t>(i), static_cast<uint8_t>(i));
    end.Send(frame);
  }
  for (int i = 0; i < 3000; ++i) scheduler.Step();
  notes.counters = end.counters();
  g_notes = nullptr;
  return notes;
}

uint64_t Count(const Notes& notes, uint32_t wanted) {
  uint64_t count = 0;
  for (const uint32_t rises : notes.rises) count += (rises & wanted) == wanted;
  return count;
}

TEST(RtlEnd, ClocksThatRiseAtOnceAreEvaluatedAtOnce) {
  for (const bool odd_rx : {false, true}) {
    for (const int ppm : {0, 200}) {
      SCOPED_TRACE(::testing::Message() << "odd " << odd_rx << " ppm " << ppm);
      const Notes notes = Drive("tx/2", "rx/2", ppm, odd_rx);
      EXPECT_GT(Count(notes, Notes::kTxUser), 500u);
      EXPECT_GT(Count(notes, Notes::kRxUser), 500u);
      // Each edge of a half clock together with one of its clock, of which there are twice as many.
      EXPECT_EQ(Count(notes, Notes::kTxUser), Count(notes, Notes::kTxUser | Notes::kTx));
      EXPECT_EQ(Count(notes, Notes::kRxUser), Count(notes, Notes::kRxUser | Notes::kRx));
      EXPECT_NEAR(Count(notes, Notes::kTx), 2 * Count(notes, Notes::kTxUser), 1);
      EXPECT_NEAR(Count(notes, Notes::kRx), 2 * Count(notes, Notes::kRxUser), 1);
      // One eval() for each time at which something rises.
      EXPECT_EQ(notes.rises.size(), 3000u);
    }
  }
}

TEST(RtlEnd, BothUsersOnOneClock) {
  const Notes notes = Drive("tx/2", "tx/2", 200, false);
  EXPECT_GT(Count(notes, Notes::kTxUser), 500u);
  EXPECT_EQ(Count(notes, Notes::kTxUser),
            Count(notes, Notes::kTx | Notes::kTxUser | Notes::kRxUser));
  EXPECT_EQ(Count(notes, Notes::kRxUser), Count(notes, Notes::kTxUser));
}

TEST(RtlEnd, NoInputChangesTogetherWithAClock) {
  EXPECT_EQ(Drive("tx/2", "rx/2", 200, false).changes_at_rise, 0u);
  EXPECT_EQ(Drive("350000kHz", "tx/2", 200, false).changes_at_rise, 0u);
}

TEST(RtlEnd, EachCounterCountsItsOwnEvents) {
  const Notes notes = Drive("tx/2", "rx/2", 0, false, true);
  constexpr uint64_t kResetEdges = 8;
  const uint64_t tx = Count(notes, Notes::kTx), rx = Count(notes, Notes::kRx) - kResetEdges;
  const EndCounters& counters = notes.counters;
  EXPECT_EQ(counters.tx_frames, tx);
  EXPECT_EQ(counters.tx_errors, 2 * tx);
  EXPECT_EQ(counters.tx_underruns, 3 * tx);
  EXPECT_EQ(counters.rx_bad_headers, 4 * rx);
  EXPECT_EQ(counters.rx_lock_losses, 5 * rx);
  EXPECT_EQ(counters.rx_bad_blocks, 6 * rx);
  EXPECT_EQ(counters.rx_overflows, 7 * rx);
  EXPECT_EQ(counters.rx_violations, Count(notes, Notes::kRxUser) - kResetEdges);
  EXPECT_EQ(counters.first_violation, "a word without a start of frame at receive edge 8");
  EXPECT_EQ(Drive("tx/2", "rx/2", 0, false).counters.first_violation, "");
}

}  // namespace
}  // namespace ullnic
