// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "stack/stack_session.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <net/ethernet.h>
#include <netinet/ether.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/link_end.h"
#include "core/user_error.h"
#include "link/spec.h"
#include "program/program.h"
#include "stack/at_rest.h"
#include "stack/run_stack.h"

namespace ullnic {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr uint64_t kBatchCycles = 32;  // between polls of the port
constexpr uint64_t kHousekeepingBatches = 64;
constexpr uint64_t kAfterFaultCycles = 512;  // a transmitter's pause after a fault has ended
constexpr int kWordBytes = 4;
constexpr int kTransceiverUi = 282;  // reference/transceiver.csv, words of 32 bits
// The card's own activity is visible on the line within this time: a scan of all sessions, and the
// longest frame that it holds.
constexpr uint64_t kSettleCycles = 4000;
constexpr uint64_t kTickCycles = 1500;     // between ticks when catching up
constexpr int64_t kMaxRestTicks = 30'000;  // until all sessions are free: five minutes
constexpr int64_t kMaxLateTicks = 100;     // limit after the machine has slept

enum Stream : uint64_t { kPort = 200, kFault, kLineIn, kLineOut, kPhase, kSecret, kAttack };

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
constexpr std::array<const char*, 14> kEventNames = {
    "connected",   "peer_closed", "closed", "reset",   "timed_out", "refused",    "unreachable",
    "bad_command", "tx_dropped",  "tx_cut", "tx_late", "urgent",    "icmp_error", "unanswered"};

// The first counters, and those from kIcmpCounter on: cores/toe/regs/README.md.
constexpr std::array<const char*, 7> kDropNames = {
    "ip_bad", "ip_options", "fragment", "checksum", "malformed", "no_room", "syn_dropped"};
constexpr size_t kPingsCounter = 12, kIcmpCounter = 16;
constexpr std::array<const char*, 3> kPingNames = {"answered", "dropped", "bad"};
constexpr std::array<const char*, 4> kIcmpNames = {"reported", "bad", "unmatched", "busy"};
static_assert(kSettleCycles > StackCard::kScanCycles, "a card at rest has been looked at");

// Of state_e, cores/toe/rtl/toe_pkg.sv.
constexpr std::array<const char*, 11> kStateNames = {
    "CLOSED",     "LISTEN",     "SYN_SENT", "SYN_RCVD", "ESTABLISHED", "FIN_WAIT_1",
    "FIN_WAIT_2", "CLOSE_WAIT", "CLOSING",  "LAST_ACK", "TIME_WAIT"};

}  // namespace

StackSession::StackSession(const StackOptions& options)
    : options_(options),
      events_(options.exit_on_stdin_eof),
      wall_(options.status_interval_s, options.max_wall_s),
      harm_in_(ParseFaults(options.fault_in)),
      harm_out_(ParseFaults(options.fault_out)),
      delay_ui_(options.delay_ui.value_or(kTransceiverUi)),
      clock_(scheduler_.AddClock(Clock("tx", LinePeriod(StackCard::kWordBits)))),
      to_card_(
          MakeLine(delay_ui_ / 2 + options.offset_bits, Rng::StreamSeed(options.seed, kLineIn))),
      from_card_(MakeLine(delay_ui_ - delay_ui_ / 2, Rng::StreamSeed(options.seed, kLineOut))),
      addresses_(Addresses(options)),
      card_({.tx_clock = clock_,
             .rx_clock = clock_,
             .addresses = addresses_,
             .secret = static_cast<uint32_t>(Rng::StreamSeed(options.seed, kSecret))},
            from_card_, to_card_),
      end_({.tx_clock = clock_, .rx_clock = clock_}, scheduler_, to_card_, from_card_),
      phase_rng_(Rng::StreamSeed(options.seed, kPhase)) {
  scheduler_.AddModel(&card_, clock_, to_card_.same_cycle());
  scheduler_.AddModel(&end_, clock_, from_card_.same_cycle());
  point_ =
      std::make_unique<PortPoint>(Port(), end_,
                                  PortPoint::Config{.to_card = harm_in_,
                                                    .from_card = harm_out_,
                                                    .seed = Rng::StreamSeed(options.seed, kFault)});
  if (!options.pcapng_dir.empty()) Capture();
}

std::unique_ptr<FramePort> StackSession::Port() {
  auto port = MakePort(options_.port, Rng::StreamSeed(options_.seed, kPort), kWordBytes);
  if (options_.hostile == 0) return port;
  auto hostile = std::make_unique<HostilePort>(
      std::move(port), HostilePort::Config{.rate = options_.hostile,
                                           .seed = Rng::StreamSeed(options_.seed, kAttack),
                                           .card_mac = addresses_.mac,
                                           .card_ip = addresses_.ip});
  attacker_ = hostile.get();
  return hostile;
}

void StackSession::Capture() {
  std::error_code error;
  std::filesystem::create_directories(options_.pcapng_dir, error);
  // With a live port, wall-clock time is expected; without one the same seed must give the same
  // file, byte for byte.
  const bool live = point_->port().poll_fd() >= 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto file = [&](const char* name) {
    return PcapngWriter::Config{
        .path =
            (std::filesystem::path(options_.pcapng_dir) / (std::string(name) + ".pcapng")).string(),
        .if_name = name,
        .if_description = std::string("ullnic toe ") + name,
        .snap_bytes = options_.snap_bytes,
        .epoch_ns = live ? duration_cast<nanoseconds>(now).count() : 0};
  };
  point_->Capture(file("port-0"));
  if (harm_in_.any_frame_fault() || harm_out_.any_frame_fault())
    point_->CaptureFaults(file("faults"));
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

// The card's timers run in wall time, like those of the kernel at the other end.
void StackSession::DriveTimers() {
  const int64_t due = duration_cast<milliseconds>(wall_.elapsed()).count() / StackCard::kTickMs;
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
  const auto to_tick = milliseconds((ticks_ + 1) * StackCard::kTickMs) - wall_.elapsed();
  skipped_ps_ += scheduler_.JumpBy(wall_.Sleep(events_, {point_->port().poll_fd()}, to_tick));
  // The gearbox did not advance over the jump: randomise its phase for the next frame.
  Cycles(phase_rng_.Below(kGearboxPhases));
}

void StackSession::Housekeeping() {
  events_.Check();
  if (!wall_.StatusDue()) return;
  nlohmann::json status = CommonJson();
  status["event"] = "status";
  EmitJsonLine(status);
}

nlohmann::json StackSession::CommonJson() const {
  nlohmann::json out = wall_.Json(cycles_ - lock_cycles_);
  out.update({{"virtual_ps", scheduler_.now_ps()},
              {"cycles", cycles_},
              {"skipped_ps", skipped_ps_},
              {"seed", options_.seed},
              {"ticks", ticks_},
              {"port", point_->Json()},
              {"sessions", nlohmann::json::object()}});
  for (size_t code = 0; code < kEventNames.size(); ++code) {
    out["sessions"][kEventNames[code]] = card_.events()[code];
  }
  for (size_t reason = 0; reason < kDropNames.size(); ++reason) {
    out["drops"][kDropNames[reason]] = card_.counters()[reason];
  }
  for (size_t kind = 0; kind < kPingNames.size(); ++kind) {
    out["pings"][kPingNames[kind]] = card_.counters()[kPingsCounter + kind];
  }
  for (size_t kind = 0; kind < kIcmpNames.size(); ++kind) {
    out["icmp_errors"][kIcmpNames[kind]] = card_.counters()[kIcmpCounter + kind];
  }
  return out;
}

bool StackSession::Resting() {
  return std::ranges::all_of(card_.states(), [](uint8_t s) { return s == StackCard::kListen; }) &&
         AtRest();
}

// The port continues, so that everything in flight can complete; the timers run as fast as they
// can.
void StackSession::ComeToRest() {
  for (int64_t ticks = 0; ticks < kMaxRestTicks && !Resting(); ++ticks) {
    if (attacker_ != nullptr) attacker_->Calm();
    card_.Tick();
    for (uint64_t cycles = 0; cycles < kTickCycles; cycles += kBatchCycles) {
      point_->Service();
      Cycles(kBatchCycles);
    }
    point_->Flush();
  }
}

nlohmann::json StackSession::RestJson() const {
  nlohmann::json stuck = nlohmann::json::object();
  for (size_t sid = 0; sid < card_.states().size(); ++sid) {
    const uint8_t state = card_.states()[sid];
    if (state != StackCard::kListen) stuck[std::to_string(sid)] = kStateNames.at(state);
  }
  return {{"stuck", stuck}, {"left_inside", LeftInside(card_.context())}};
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
  wall_.Start();
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
    if (wall_.over()) break;
  }
  return Conclude();
}

bool StackSession::Conclude() {
  if (options_.rest) ComeToRest();
  point_->FlushCapture();
  point_->port().Finish(point_->finished());
  nlohmann::json summary = CommonJson();
  if (options_.rest) summary["rest"] = RestJson();
  summary["event"] = "summary";
  summary["end"] = wall_.EndJson(events_);
  summary["port"]["source"] = point_->port().Report();
  EmitJsonLine(summary);
  const partner::FrameDecoder& line = end_.heard().receiver().decoder();
  // Aborted frames have a bad FCS: not a violation.
  const uint64_t breaches = line.breaches() - line.breaches(partner::Breach::kWrongFcs);
  if (breaches == 0 || harm_out_.ber > 0) return true;
  EmitJsonLine({{"event", "error"},
                {"message", fmt::format("the card broke the standard: {}", line.first_breach())},
                {"remedy", fmt::format("repeat with --seed {} and look at the capture "
                                       "(--pcapng-dir)",
                                       options_.seed)}});
  return false;
}

bool RunStack(const StackOptions& options) { return StackSession(options).Run(); }

}  // namespace ullnic
