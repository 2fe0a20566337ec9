// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/card_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "card_dma/rtl_dma.h"
#include "core/user_error.h"
#include "link/spec.h"
#include "nic/port_specs.h"
#include "program/daemon.h"
#include "program/program.h"

namespace ullnic {
namespace {

using std::chrono::duration_cast;
using std::chrono::nanoseconds;

constexpr uint64_t kBatchCycles = 32;  // between polls of ports and sockets
constexpr uint64_t kHousekeepingBatches = 64;
constexpr int kWordBytes = 4;  // a generator's pause is counted in the far end's words

enum Stream : uint64_t { kPort = 200, kFault = 300 };

NicRig::Config RigConfig(const CardOptions& options) {
  NicRig::Config config;
  config.card = options.card;
  config.delay_ui = options.delay_ui;
  config.offset_bits = options.offset_bits;
  config.seed = options.seed;
  if (options.clock_ppm != 0) {
    const NicInfo info = NicLibrary(options.card).info();
    config.clocks.rx_ppm.assign(info.ports, options.clock_ppm);
    config.clocks.rx_ppm[info.timing_port] = 0;
  }
  return config;
}

// Software's frames share the line, so some triggers are refused. For a card that answers at once
// or not at all, an order that is later than this answers the next trigger.
TradeRule LiveRule(const NicRig& rig, const CardOptions& options) {
  constexpr int64_t kAtOncePs = 50'000;  // less than a minimum-size frame and its gap
  TradeRule rule = RuleOf(rig.info().trade_rule, options.first_order);
  if (rule.at_once) rule.max_latency_ps = UiToPs(rig.delay_ui()) + kAtOncePs;
  return rule;
}

}  // namespace

CardSession::CardSession(const CardOptions& options)
    : options_(options),
      events_(options.exit_on_stdin_eof),
      wall_(options.status_interval_s, options.max_wall_s),
      rig_(RigConfig(options)),
      tester_(rig_.info().ports, [this] { return rig_.now_ps(); }),
      trades_(LiveRule(rig_, options)),
      guard_(rig_.card(), rig_.info().switches) {
  MakePorts();
  MakeCaptures();
  // Written now: an error after the measurement would lose its results.
  if (!options_.samples.empty()) trades_.WriteSamples(options_.samples);
}

void CardSession::MakePorts() {
  const unsigned ports = rig_.info().ports;
  const auto specs = ByPort(options_.ports, ports, "port", "sink");
  const auto harm_in = ByPort(options_.faults_in, ports, "fault-in", "");
  const auto harm_out = ByPort(options_.faults_out, ports, "fault-out", "");
  for (unsigned port = 0; port < ports; ++port) {
    const bool tester = specs[port] == "tester";
    PortPoint::Config config{.to_card = ParseFaults(harm_in[port]),
                             .from_card = ParseFaults(harm_out[port]),
                             .seed = Rng::StreamSeed(options_.seed, kFault + port)};
    auto source =
        tester ? tester_.MakePort(port)
               : MakePort(specs[port], Rng::StreamSeed(options_.seed, kPort + port), kWordBytes);
    points_.push_back(std::make_unique<PortPoint>(std::move(source), rig_.far_end(port), config));
    const bool orders = (rig_.info().tcp_enables >> port & 1) != 0;
    points_[port]->set_on_sent([this, port, orders, tester](const HeardFrame& frame) {
      if (!orders) trades_.Arriving(AtCard(frame), port);
      if (tester) tester_.OnSent(port, frame);
    });
    points_[port]->set_on_heard([this, port, orders](const HeardFrame& frame) {
      if (orders) trades_.Leaving(frame, port);
    });
    bit_errors_.push_back({config.to_card.ber, config.from_card.ber});
  }
  if (!options_.tester_socket.empty() && !tester_.joined()) {
    throw UserError("--tester-socket is given, but the tester has no port",
                    "give it one with --port PORT=tester");
  }
}

// The offset is a longer fibre: the trigger reaches the card's end later by that much.
HeardFrame CardSession::AtCard(HeardFrame frame) const {
  frame.start_ps += UiToPs(options_.offset_bits);
  return frame;
}

void CardSession::MakeSockets() {
  const auto now_ps = [this] { return rig_.now_ps(); };
  if (!options_.socket.empty()) {
    host_ = options_.dma == "model"
                ? std::make_unique<qdma::Endpoint>(options_.socket, guard_, now_ps)
                : std::make_unique<qdma::Endpoint>(
                      options_.socket, [this](qdma::HostSide& host) { return MakeRtlDma(host); });
  }
  if (!options_.tester_socket.empty()) {
    tester_host_ = std::make_unique<qdma::Endpoint>(options_.tester_socket, tester_, now_ps);
  }
}

std::unique_ptr<qdma::Dma> CardSession::MakeRtlDma(qdma::HostSide& host) {
  auto dma =
      std::make_unique<card_dma::RtlDma>(host, rig_.info().switches, card_dma::RtlDma::Options{});
  rig_.card().JoinHost(*dma);
  has_rtl_dma_ = true;
  return dma;
}

void CardSession::MakeCaptures() {
  if (options_.pcapng_dir.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(options_.pcapng_dir, error);
  // With live sockets, wall-clock time is expected; without them the same seed must give the same
  // file, byte for byte.
  bool live = !options_.socket.empty() || !options_.tester_socket.empty();
  for (const auto& point : points_) live = live || point->port().poll_fd() >= 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  for (unsigned port = 0; port < points_.size(); ++port) {
    const std::string name = fmt::format("port-{}", port);
    const auto path = std::filesystem::path(options_.pcapng_dir) / (name + ".pcapng");
    points_[port]->Capture({.path = path.string(),
                            .if_name = name,
                            .if_description = fmt::format("ullnic {} {}", options_.card, name),
                            .snap_bytes = options_.snap_bytes,
                            .epoch_ns = live ? duration_cast<nanoseconds>(now).count() : 0});
  }
}

void CardSession::ServicePorts() {
  for (const auto& point : points_) point->Service();
}

void CardSession::PollHosts() {
  if (host_) host_->Poll();
  // Frames that arrive while no program is connected are not for a later one. The RTL drops them.
  if (!has_rtl_dma_ && (!host_ || !host_->connected())) {
    NicCard& card = rig_.card();
    for (unsigned queue = 0; queue < card.queues(); ++queue) {
      while (!card.PeekC2h(queue).empty()) card.PopC2h(queue);
    }
  }
  if (tester_host_) tester_host_->Poll();
}

bool CardSession::AtRest() {
  const bool hosts = (host_ && host_->HasWork()) || (tester_host_ && tester_host_->HasWork());
  return rig_.idle() && !hosts && !tester_.busy();
}

bool CardSession::Finished() const {
  if (host_ || tester_host_) return false;
  return std::all_of(points_.begin(), points_.end(),
                     [](const auto& point) { return point->finished(); });
}

void CardSession::Sleep() {
  for (const auto& point : points_) point->FlushCapture();
  auto at_most = nanoseconds::max();
  std::vector<int> fds;
  for (const auto& point : points_) fds.push_back(point->port().poll_fd());
  for (const qdma::Endpoint* host : {host_.get(), tester_host_.get()}) {
    if (host == nullptr) continue;
    for (const int fd : host->poll_fds()) fds.push_back(fd);
    if (const auto deadline_ps = host->next_deadline_ps()) {
      at_most = std::min(at_most, nanoseconds((*deadline_ps - rig_.now_ps()) / 1000 + 1));
    }
  }
  skipped_ps_ += rig_.Jump(wall_.Sleep(events_, fds, at_most));
}

void CardSession::Housekeeping() {
  events_.Check();
  if (!wall_.StatusDue()) return;
  nlohmann::json status = CommonJson();
  status["event"] = "status";
  EmitJsonLine(status);
}

bool CardSession::Run() {
  rig_.AcquireLock();
  lock_cycles_ = rig_.cycles();
  for (unsigned port = 0; port < points_.size(); ++port) {
    rig_.to_card(port).set_bit_error_rate(bit_errors_[port].to_card);
    rig_.from_card(port).set_bit_error_rate(bit_errors_[port].from_card);
  }
  MakeSockets();  // created last: a program that finds one finds a card that is ready
  nlohmann::json ready = {{"event", "ready"},
                          {"card", options_.card},
                          {"kind", rig_.info().kind},
                          {"ports", nlohmann::json::array()},
                          {"delay_ui", rig_.delay_ui()},
                          {"seed", options_.seed},
                          {"lock_cycles", lock_cycles_}};
  for (const auto& point : points_) ready["ports"].push_back(point->port().Describe());
  if (host_) ready["socket"] = options_.socket;
  if (tester_host_) ready["tester_socket"] = options_.tester_socket;
  Daemon::Ready(ready);
  wall_.Start();
  for (uint64_t batch = 1; !events_.stop_requested(); ++batch) {
    ServicePorts();
    PollHosts();
    rig_.Cycles(kBatchCycles);
    if (AtRest()) {
      trades_.GiveUpPending();
      for (const auto& point : points_) point->Flush();
      ServicePorts();
      PollHosts();
      if (!AtRest()) continue;
      if (Finished()) break;
      Sleep();
      Housekeeping();
    }
    if (batch % kHousekeepingBatches == 0) Housekeeping();
    if (wall_.over()) break;
  }
  return Conclude();
}

}  // namespace ullnic
