// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/nic_rig.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/link_end.h"
#include "core/user_error.h"

namespace ullnic {
namespace {

constexpr uint64_t kPollCycles = 32;
constexpr uint64_t kAfterFaultCycles = 512;  // a transmitter's pause after a fault has ended
// What the card stores and forwards is visible on neither side while its last words are in flight
// inside: for the line time of the longest frame at most, and since the card was empty before, not
// for longer than all of it took to come in, twice that for words of the host, which are faster
// than the line. Then the stages that a word passes.
constexpr int64_t kLongestFramePs = 7'700'000;
constexpr uint64_t kHostToLine = 2;
constexpr int64_t kStagesPs = 2'300'000;

// PORT_STATUS of cards/common/regs/card.rdl.
constexpr uint32_t kPortStatusRegister = 0x10;
constexpr unsigned kLinkUpBit = 8;  // of port 0

enum Stream : uint64_t { kPhase = 100, kStall, kLine };

}  // namespace

NicRig::NicRig(const Config& config)
    : library_(config.card),
      delay_ui_(config.delay_ui.value_or(library_.info().transceiver_ui)),
      clocks_(JoinNicClocks(library_.info(), scheduler_, config.clocks)),
      phase_rng_(Rng::StreamSeed(config.seed, kPhase)) {
  const NicInfo& card = info();
  NicConfig nic{
      .clocks = clocks_, .lines = {}, .c2h_stall = config.c2h_stall, .h2c_pause = config.h2c_pause};
  nic.c2h_stall.seed = Rng::StreamSeed(config.seed, kStall);
  const int in_ui = delay_ui_ / 2;
  bool same_cycle = false;
  for (unsigned port = 0; port < card.ports; ++port) {
    const auto line = [&](int delay_ui, uint64_t stream) {
      return std::make_unique<SerialLine>(
          SerialLine::Config{.word_bits = card.pma_bits,
                             .delay_ui = delay_ui,
                             .seed = Rng::StreamSeed(config.seed, kLine + stream)});
    };
    to_card_.push_back(line(in_ui + config.offset_bits, 2 * port));
    from_card_.push_back(line(delay_ui_ - in_ui, 2 * port + 1));
    nic.lines.push_back({.out = from_card_[port].get(), .in = to_card_[port].get()});
    same_cycle = same_cycle || to_card_[port]->same_cycle();
  }
  card_ = library_.Make(nic);
  scheduler_.AddModel(card_.get(), clocks_.all(), same_cycle);
  for (unsigned port = 0; port < card.ports; ++port) {
    ends_.push_back(std::make_unique<FarEnd>(
        FarEnd::Config{.tx_clock = clocks_.rx[port], .rx_clock = clocks_.tx}, scheduler_,
        *to_card_[port], *from_card_[port]));
    scheduler_.AddModel(ends_[port].get(), clocks_.rx[port] | clocks_.tx,
                        from_card_[port]->same_cycle());
  }
}

void NicRig::Cycles(uint64_t count) {
  const Clock& clock = scheduler_.clock(clocks_.tx);
  for (const uint64_t end = clock.next_edge() + count; clock.next_edge() < end;) scheduler_.Step();
  cycles_ += count;
}

void NicRig::AcquireLock() {
  const uint32_t wanted = ((1u << info().ports) - 1) << kLinkUpBit;
  // The reply may arrive after an exception has left this function.
  struct Status {
    bool asked = false;
    uint32_t value = 0;
  };
  const auto status = std::make_shared<Status>();
  for (bool locked = false; !locked; Cycles(kPollCycles)) {
    if (cycles_ > kMaxLockCycles) {
      throw UserError(
          fmt::format("no link within {} cycles (the card's port status: {:#x})", kMaxLockCycles,
                      status->value),
          "this is a fault of the card's RTL or of a changed line: try --offset-bits 0");
    }
    locked = (status->value & wanted) == wanted && status->value != ~uint32_t{0};
    for (const auto& end : ends_) locked = locked && end->block_lock();
    if (status->asked) continue;
    status->asked = true;
    card_->ReadUser(kPortStatusRegister, [status](uint32_t value) { *status = {false, value}; });
  }
  while (card_->registers_busy()) Cycles(kPollCycles);
  Cycles(kAfterFaultCycles);
}

uint64_t NicRig::quiet_cycles() {
  uint64_t progress = card_->host_progress();
  bool busy = false;
  for (const auto& end : ends_) {
    busy = busy || end->busy();
    progress += end->frames();
  }
  if (busy || progress != last_progress_) last_busy_cycle_ = cycles_;
  last_progress_ = progress;
  return cycles_ - last_busy_cycle_;
}

uint64_t NicRig::settle_cycles() const {
  const auto cycles = [word = LinePeriod(info().pma_bits)](int64_t ps) {
    return static_cast<uint64_t>(ps * word.den / word.num_ps);
  };
  const uint64_t active = last_busy_cycle_ - std::min(rest_cycle_, last_busy_cycle_);
  return cycles(kStagesPs) + std::min(cycles(kLongestFramePs), kHostToLine * active);
}

int64_t NicRig::Jump(int64_t ps) {
  const Clock& host = scheduler_.clock(clocks_.host);
  const uint64_t edge = host.next_edge();
  const int64_t skipped = scheduler_.JumpBy(ps);
  card_->SkipHostEdges(host.next_edge() - edge);
  rest_cycle_ = cycles_;
  Cycles(phase_rng_.Below(kGearboxPhases));
  return skipped;
}

}  // namespace ullnic
