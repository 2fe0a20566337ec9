// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
#include "qdma_sweep/rig.h"

#include <fmt/format.h>
#include <verilated.h>

#include <algorithm>
#include <bit>

namespace ullnic::qdma_sweep {

namespace {

constexpr int kResetCycles = 8;
constexpr int64_t kMostCycles = 4'000'000;  // of anything that is awaited
// Rings, and for each buffer two pages
constexpr uint64_t kMemoryOfQueue = uint64_t{32} << 20;

uint64_t EnabledBytes(const pcie::Tlp& write) {
  const int first = std::popcount(write.first_be), last = std::popcount(write.last_be);
  return write.data.size() - (4 - first) - (write.dwords > 1 ? 4 - last : 0);
}

unsigned Code(int bytes) { return static_cast<unsigned>(std::countr_zero(unsigned(bytes)) - 7); }

}  // namespace

Rig::Rig(const Point& point)
    : point_(point),
      dma_(std::make_unique<Dma>()),
      link_(point.link),
      memory_(point.queues * kMemoryOfQueue),
      card_memory_(point.queues * kMemoryOfQueue, MakeMemoryTiming(point.memory)),
      completer_(
          point.link, point.seed,
          [this](uint64_t address, std::span<uint8_t> bytes) { memory_.Read(address, bytes); }),
      pattern_(point.seed),
      registers_(
          link_, [this] { Cycle(); }, point.function()),
      driver_(point_, memory_, registers_, pattern_),
      mm_driver_(point_, memory_, card_memory_.memory(), registers_, pattern_),
      host_driver_(point.is_mm() ? static_cast<HostDriver&>(mm_driver_) : driver_),
      source_(point_, pattern_),
      sink_(point_, pattern_) {
  rq_.on_read = [this](const pcie::Tlp& read) { rc_.Reserve(read); };
  if (point_.mode == Mode::kForwarding) {
    sink_.on_packet = [this](unsigned queue) { source_.Offer(queue); };
  }
}

Rig::~Rig() { dma_->final(); }

void Rig::Configure() {
  Dma& dma = *dma_;
  dma.cfg_max_payload = static_cast<uint8_t>(Code(point_.link.mps));
  dma.cfg_max_read_req = static_cast<uint8_t>(Code(point_.link.mrrs));
  constexpr uint16_t kBusMaster = 1u << 2;  // of a PF's four bits of status
  dma.cfg_function_status = kBusMaster;
  dma.cfg_vf_status[0] = 1u << 1;  // the same of the first VF, two bits each
}

void Rig::Start() {
  Configure();
  dma_->rst = 1;
  for (int i = 0; i < kResetCycles; ++i) Cycle();
  dma_->rst = 0;
  Until([this] { return !dma_->clearing; }, "the card does not come out of its reset");
  host_driver_.Start();
  Until([this] { return IsIdle(); }, "the rings are not read");
}

void Rig::AtHost(const pcie::Transmitter::Sent& sent) {
  const pcie::Tlp& tlp = sent.tlp;
  link_.ConsumedByHost(tlp, sent.at_ps);
  if (tlp.kind != pcie::Kind::kCompletion && tlp.function != point_.function()) {
    Fault(fmt::format("a TLP of function {}, the driver has function {}", tlp.function,
                      point_.function()));
  }
  switch (tlp.kind) {
    case pcie::Kind::kNonPosted:
      completer_.Accept(tlp, sent.at_ps);
      break;
    case pcie::Kind::kCompletion:
      registers_.Answered(tlp);
      break;
    case pcie::Kind::kPosted:
      written_bytes_ += EnabledBytes(tlp);
      memory_.Write(tlp.address, tlp.data, tlp.first_be, tlp.last_be);
      host_driver_.Written(tlp.address, tlp.data.size());
  }
}

void Rig::Deliver() {
  link_.Advance(now_ps());
  for (; !link_.at_host.empty(); link_.at_host.pop_front()) AtHost(link_.at_host.front());
  for (; !link_.at_card.empty(); link_.at_card.pop_front()) {
    const pcie::Tlp& tlp = link_.at_card.front().tlp;
    if (tlp.kind == pcie::Kind::kCompletion) {
      rc_.Take(tlp);
    } else {
      cq_.Take(tlp);
    }
  }
  completer_.Advance(link_.down, now_ps());
}

bool Rig::SinkIsReady() const {
  const size_t waiting = source_.waiting();
  return point_.mode != Mode::kForwarding || waiting < kForwardingLeast ||
         waiting * point_.size < kForwardingBytes;
}

BoundaryLog& Rig::KeepLog() {
  keeps_log_ = true;
  rq_.set_log(&log_);
  return log_;
}

void Rig::Log() {
  const Dma& dma = *dma_;
  if (dma.m_axis_rc_tvalid && dma.m_axis_rc_tready) log_.rc.push_back(cycle_);
  if (dma.m_axis_cq_tvalid && dma.m_axis_cq_tready && dma.m_axis_cq_tlast) {
    log_.cq.push_back(cycle_);
  }
  if (dma.m_axis_h2c_tvalid && dma.m_axis_h2c_tready) log_.to_user.push_back(cycle_);
  if (dma.c2h_ask_valid && dma.c2h_ask_ready) log_.asks.push_back(cycle_);
  if (dma.s_axis_c2h_tvalid && dma.s_axis_c2h_tready) log_.from_user.push_back(cycle_);
}

void Rig::Cycle() {
  Dma& dma = *dma_;
  Deliver();
  registers_.set_now(now_ps());
  host_driver_.Poll();
  rq_.Drive(dma, link_);
  rc_.Drive(dma);
  cq_.Drive(dma);
  cc_.Drive(dma);
  source_.Drive(dma);
  sink_.Drive(dma, SinkIsReady());
  card_memory_.Drive(dma, now_ps());
  dma.clk = 0;
  dma.eval();
  if (!dma.rst) {
    rq_.Seen(dma, link_, now_ps());
    rc_.Seen(dma);
    cq_.Seen(dma, link_, now_ps());
    cc_.Seen(dma, link_, now_ps());
    source_.Seen(dma, cycle_);
    sink_.Seen(dma);
    card_memory_.Seen(dma, now_ps());
  }
  if (keeps_log_) Log();
  if (dma.s_axis_rq_tvalid || dma.m_axis_rc_tvalid || dma.m_axis_cq_tvalid ||
      dma.m_axis_h2c_tvalid || dma.s_axis_c2h_tvalid || dma.m_axi_mm_wvalid ||
      dma.m_axi_mm_rvalid) {
    last_busy_ = cycle_;
  }
  dma.clk = 1;
  dma.eval();
  ++cycle_;
}

void Rig::Until(const std::function<bool()>& holds, const char* what) {
  for (const int64_t end = cycle_ + kMostCycles; !holds(); Cycle()) {
    if (cycle_ == end) Fault(what);
  }
  CheckCounters();
}

void Rig::CheckCounters() const {
  const Dma& dma = *dma_;
  const std::pair<const char*, uint64_t> wrong[] = {
      {"writes dropped", dma.stat_write_dropped},
      {"entries refused", dma.stat_entry_refused},
      {"entries discarded", dma.stat_entry_discarded},
      {"reads that failed", dma.stat_read_failed},
      {"completions of no read", dma.stat_completion_unexpected},
      {"C2H packets dropped without buffers", dma.stat_c2h_no_buffers},
      {"C2H packets dropped by a full ring", dma.stat_c2h_ring_full},
      {"requests dropped", dma.stat_request_dropped},
      {"answers that did not wait", dma.stat_answer_expired},
  };
  for (const auto& [what, count] : wrong) {
    if (count != 0) Fault(fmt::format("the card counts {} {}", count, what));
  }
}

void Rig::CheckWrites() const {
  const uint64_t due = host_driver_.due_bytes() + host_driver_.statuses() * kStatusBytes;
  if (written_bytes_ != due) {
    Fault(fmt::format("the card has written {} bytes, {} are due", written_bytes_, due));
  }
  const uint64_t to_card = mm_driver_.done_to_card() * point_.size;
  if (card_memory_.written_bytes() != to_card) {
    Fault(fmt::format("the card has written {} bytes of its memory, {} are due",
                      card_memory_.written_bytes(), to_card));
  }
}

Counts Rig::Now() const {
  const uint64_t payload = written_bytes_ - host_driver_.statuses() * kStatusBytes;
  return {
      .cycle = cycle_,
      .to_host = point_.is_mm() ? payload / point_.size : driver_.entries_written(),
      .from_host = point_.is_mm() ? card_memory_.written_bytes() / point_.size : sink_.packets(),
      .rq_beats = rq_.beats(),
      .rc_beats = rc_.beats(),
      .up_bytes = link_.up.wire().bytes(),
      .down_bytes = link_.down.wire().bytes(),
      .statuses = host_driver_.statuses(),
      .entry_writes = driver_.entry_writes(),
      .reads = completer_.reads(),
      .held = source_.held()};
}

bool Rig::IsIdle() const {
  return link_.idle() && completer_.open() == 0 && rc_.idle() && cq_.idle() && rq_.idle() &&
         source_.waiting() == 0 && card_memory_.idle() && cycle_ - last_busy_ > kQuietCycles;
}

}  // namespace ullnic::qdma_sweep
