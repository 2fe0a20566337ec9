// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "stack/stack_session.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <net/ethernet.h>
#include <netinet/ether.h>

#include <algorithm>
#include <filesystem>

#include "core/user_error.h"
#include "link/session.h"
#include "link/spec.h"

namespace ullnic {
namespace {

using std::chrono::duration;
using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr uint64_t kBatchCycles = 32;  // between looks at the port
constexpr uint64_t kHousekeepingBatches = 64;
constexpr uint64_t kMaxLockCycles = 800'000;
constexpr uint64_t kAfterFaultCycles = 512;  // a fault that is over stops a transmitter for a while
constexpr uint64_t kGearboxPhases = 33;
constexpr int kWordBytes = 4;
constexpr int kTransceiverUi = 282;  // reference/transceiver.csv, words of 32 bits
// What the card does of itself shows on the line within these: a walk over all sessions, and the
// longest frame that it holds.
constexpr uint64_t kSettleCycles = 4000;
constexpr uint64_t kTickCycles = 1500;  // between ticks that are made up for
constexpr int64_t kMaxLateTicks = 100;  // a machine that slept does not get more

enum Stream : uint64_t { kPort = 200, kFault, kLineIn, kLineOut, kPhase, kSecret };

uint64_t StreamSeed(uint64_t seed, uint64_t stream) { return Rng::Stream(seed, stream).Next(); }

double Seconds(std::chrono::steady_clock::duration d) { return duration<double>(d).count(); }

nanoseconds Nanoseconds(double seconds) {
  return nanoseconds(static_cast<int64_t>(std::min(seconds, 1e9) * 1e9));
}

uint32_t Ipv4(const std::string& text) {
  in_addr address{};
  if (inet_pton(AF_INET, text.c_str(), &address) != 1) {
    throw UserError(fmt::format("'{}' is no IPv4 address", text), "write for example 198.18.0.7");
  }
  return ntohl(address.s_addr);
}

uint64_t Mac(const std::string& text) {
  const ether_addr* address = ether_aton(text.c_str());
  if (address == nullptr || (address->ether_addr_octet[0] & 1) != 0) {
    throw UserError(fmt::format("'{}' is no address of an interface", text),
                    "write for example 02:00:00:00:00:70");
  }
  uint64_t mac = 0;
  for (const uint8_t octet : address->ether_addr_octet) mac = mac << 8 | octet;
  return mac;
}

StackAddresses Addresses(const StackOptions& o) {
  return {.mac = Mac(o.mac),
          .ip = Ipv4(o.ip),
          .mask = o.prefix == 0 ? 0 : ~uint32_t{0} << (32 - o.prefix),
          .gateway = Ipv4(o.gateway)};
}

SerialLine MakeLine(int delay_ui, uint64_t seed) {
  return SerialLine({.word_bits = StackCard::kWordBits, .delay_ui = delay_ui, .seed = seed});
}

// In the order of event_e, cores/toe/rtl/toe_pkg.sv.
constexpr std::array<const char*, 11> kEventNames = {
    "connected",   "peer_closed", "closed",     "reset",  "timed_out", "refused",
    "unreachable", "bad_command", "tx_dropped", "tx_cut", "tx_late"};

}  // namespace

StackSession::StackSession(const StackOptions& options)
    : options_(options),
      events_(options.exit_on_stdin_eof),
      harm_in_(ParseFaults(options.fault_in)),
      harm_out_(ParseFaults(options.fault_out)),
      delay_ui_(options.delay_ui.value_or(kTransceiverUi)),
      clock_(scheduler_.AddClock(Clock("tx", LinePeriod(StackCard::kWordBits)))),
      to_card_(MakeLine(delay_ui_ / 2 + options.offset_bits, StreamSeed(options.seed, kLineIn))),
      from_card_(MakeLine(delay_ui_ - delay_ui_ / 2, StreamSeed(options.seed, kLineOut))),
      card_({.tx_clock = clock_,
             .rx_clock = clock_,
             .addresses = Addresses(options),
             .secret = static_cast<uint32_t>(StreamSeed(options.seed, kSecret))},
            from_card_, to_card_),
      end_({.tx_clock = clock_, .rx_clock = clock_}, scheduler_, to_card_, from_card_),
      phase_rng_(StreamSeed(options.seed, kPhase)) {
  scheduler_.AddModel(&card_, clock_, to_card_.same_cycle());
  scheduler_.AddModel(&end_, clock_, from_card_.same_cycle());
  point_ = std::make_unique<PortPoint>(
      MakePort(options.port, StreamSeed(options.seed, kPort), kWordBytes), end_,
      PortPoint::Config{
          .to_card = harm_in_, .from_card = harm_out_, .seed = StreamSeed(options.seed, kFault)});
  if (!options.pcapng_dir.empty()) Capture();
}

void StackSession::Capture() {
  std::error_code error;
  std::filesystem::create_directories(options_.pcapng_dir, error);
  // With a live port people look for wall-clock time; without one the same seed should make the
  // same file, byte for byte.
  const bool live = point_->port().poll_fd() >= 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  point_->Capture({.path = (std::filesystem::path(options_.pcapng_dir) / "port-0.pcapng").string(),
                   .if_name = "port-0",
                   .if_description = "ullnic toe port-0",
                   .snap_bytes = options_.snap_bytes,
                   .epoch_ns = live ? duration_cast<nanoseconds>(now).count() : 0});
}

void StackSession::Cycles(uint64_t count) {
  const Clock& clock = scheduler_.clock(clock_);
  for (const uint64_t end = clock.next_edge() + count; clock.next_edge() < end;) scheduler_.Step();
  cycles_ += count;
}

void StackSession::AcquireLock() {
  while (!card_.link_up() || !end_.block_lock()) {
    if (cycles_ > kMaxLockCycles) {
      throw UserError(
          fmt::format("no link within {} cycles", kMaxLockCycles),
          "this is a fault of the card's RTL or of a changed line: try --offset-bits 0");
    }
    Cycles(kBatchCycles);
  }
  Cycles(kAfterFaultCycles);
  lock_cycles_ = cycles_;
  to_card_.set_bit_error_rate(harm_in_.ber);
  from_card_.set_bit_error_rate(harm_out_.ber);
}

// The card's timers run in wall time, as those of the kernel at the other end do.
void StackSession::DriveTimers() {
  const int64_t due =
      duration_cast<milliseconds>(WallClock::now() - start_).count() / StackCard::kTickMs;
  if (ticks_ >= due || cycles_ < next_tick_cycle_) return;
  ticks_ = std::max(ticks_, due - kMaxLateTicks) + 1;
  card_.Tick();
  next_tick_cycle_ = cycles_ + kTickCycles;
}

bool StackSession::AtRest() {
  const uint64_t frames = end_.frames();
  if (end_.busy() || frames != last_frames_) last_busy_cycle_ = cycles_;
  last_frames_ = frames;
  return cycles_ - last_busy_cycle_ >= kSettleCycles && cycles_ >= next_tick_cycle_;
}

void StackSession::Sleep() {
  point_->FlushCapture();
  const auto before = WallClock::now();
  const auto tick = start_ + milliseconds((ticks_ + 1) * StackCard::kTickMs);
  events_.Wait(
      {point_->port().poll_fd()},
      std::max(duration_cast<nanoseconds>(std::min(tick, next_status_) - before), nanoseconds(0)));
  const auto slept = WallClock::now() - before;
  slept_ += slept;
  skipped_ps_ += scheduler_.JumpBy(duration_cast<nanoseconds>(slept).count() * 1000);
  // The gearbox stood still over the jump: let the next frame meet any of its phases.
  Cycles(phase_rng_.Below(kGearboxPhases));
}

void StackSession::Housekeeping() {
  events_.Check();
  const auto now = WallClock::now();
  if (now < next_status_) return;
  nlohmann::json status = CommonJson();
  status["event"] = "status";
  EmitJsonLine(status);
  next_status_ = now + Nanoseconds(options_.status_interval_s);
}

nlohmann::json StackSession::CommonJson() const {
  const double wall_s = Seconds(WallClock::now() - start_);
  const double busy_s = wall_s - Seconds(slept_);
  nlohmann::json out = {
      {"wall_s", wall_s},
      {"busy_s", busy_s},
      {"virtual_ps", scheduler_.now_ps()},
      {"cycles", cycles_},
      {"cycles_per_s", static_cast<double>(cycles_ - lock_cycles_) / std::max(busy_s, 1e-9)},
      {"skipped_ps", skipped_ps_},
      {"seed", options_.seed},
      {"ticks", ticks_},
      {"port", point_->Json()},
      {"sessions", nlohmann::json::object()}};
  for (size_t code = 0; code < kEventNames.size(); ++code) {
    out["sessions"][kEventNames[code]] = card_.events()[code];
  }
  return out;
}

bool StackSession::Run() {
  AcquireLock();
  EmitJsonLine({{"event", "ready"},
                {"port", point_->port().Describe()},
                {"ip", options_.ip},
                {"mac", options_.mac},
                {"delay_ui", delay_ui_},
                {"seed", options_.seed},
                {"lock_cycles", lock_cycles_}});
  start_ = WallClock::now();
  next_status_ = start_ + Nanoseconds(options_.status_interval_s);
  for (uint64_t batch = 1; !events_.stop_requested(); ++batch) {
    point_->Service();
    DriveTimers();
    Cycles(kBatchCycles);
    if (AtRest()) {
      point_->Flush();
      point_->Service();
      if (!AtRest()) continue;
      if (point_->finished()) break;
      Sleep();
      Housekeeping();
    }
    if (batch % kHousekeepingBatches == 0) Housekeeping();
    if (options_.max_wall_s > 0 && Seconds(WallClock::now() - start_) >= options_.max_wall_s) break;
  }
  return Conclude();
}

bool StackSession::Conclude() {
  point_->FlushCapture();
  point_->port().Finish(point_->finished());
  nlohmann::json summary = CommonJson();
  summary["event"] = "summary";
  summary["port"]["source"] = point_->port().Report();
  EmitJsonLine(summary);
  const partner::FrameDecoder& line = end_.heard().receiver().decoder();
  // A frame with a wrong FCS is how the card takes one back.
  const uint64_t breaches = line.breaches() - line.breaches(partner::Breach::kWrongFcs);
  if (breaches == 0 || harm_out_.ber > 0) return true;
  EmitJsonLine({{"event", "error"},
                {"message", fmt::format("the card broke the standard: {}", line.first_breach())},
                {"remedy", fmt::format("repeat with --seed {} and look at the capture "
                                       "(--pcapng-dir)",
                                       options_.seed)}});
  return false;
}

}  // namespace ullnic
