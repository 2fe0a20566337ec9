// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/device.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace ullnic::qdma {
namespace {

constexpr uint32_t kStreamsOnly = 1u << 17 | 1u << 16;  // C2H ST, H2C ST; no MM engine

// The register space in the drivers' header. Registers in it without a function here are plain
// storage: drivers write tuning values and read them back.
struct Range {
  uint32_t begin;
  uint32_t end;
};
constexpr Range kPlain[] = {{0x008, 0x100}, {0x158, 0x174},   {0x1F4, 0x200},   {0x204, 0x248},
                            {0x250, 0x254}, {0x2C4, 0x310},   {0x318, 0x320},   {0x36C, 0x370},
                            {0x804, 0x844}, {0xA00, 0xA88},   {0xAB0, 0xAF0},   {0xAF8, 0xB04},
                            {0xB08, 0xB10}, {0xB50, 0xB54},   {0xBC4, 0xBE0},   {0xBE8, 0xBEC},
                            {0xE20, 0xE30}, {0x1004, 0x1300}, {0x1400, 0x1454}, {0x147C, 0x1488}};
// Debug and statistics registers of the published core that are not implemented: they read as 0.
constexpr Range kZero[] = {{0x1B8, 0x1D8}, {0x270, 0x27C}, {0x314, 0x318},  {0x320, 0x36C},
                           {0x370, 0x450}, {0xA88, 0xAB0}, {0xB10, 0xB50},  {0xB54, 0xBC4},
                           {0xBEC, 0xC00}, {0xE0C, 0xE20}, {0x1454, 0x147C}};

template <size_t N>
bool Within(const Range (&ranges)[N], uint32_t address) {
  return std::any_of(std::begin(ranges), std::end(ranges), [address](const Range& range) {
    return address >= range.begin && address < range.end;
  });
}

ContextWords Words(const std::vector<uint32_t>& registers, uint32_t address) {
  ContextWords words;
  std::copy_n(registers.begin() + address / 4, words.size(), words.begin());
  return words;
}

}  // namespace

Device::Device(HostSide& host, UserSide& user, std::function<int64_t()> now_ps)
    : core_(host, user, std::move(now_ps)),
      completion_(core_),
      h2c_(core_),
      c2h_(core_, completion_) {
  for (unsigned i = 0; i < std::size(msix_table_); ++i) msix_table_[i] = i % 4 == 3;  // masked
}

std::optional<uint32_t> Device::Constant(uint32_t address) const {
  const Counters& c = core_.counters;
  switch (address) {
    case reg::kIdentifier:
      return 0x1fd30000;
    case reg::kGlbl2Identifier:
      return 0x1fd70000;
    case reg::kConfigBarMap:
      return 1u << 0;  // of function 0: BAR0
    case reg::kUserBarMap:
      return 1u << 2;  // BAR2
    case reg::kChannelInst:
    case reg::kChannelMdma:
    case reg::kChannelStrm:
      return kStreamsOnly;
    case reg::kQueueCap:
      return reg::kQueues;
    case reg::kPasidCap:
    case reg::kFunctionId:
    case reg::kSystemId:
      return 0;
    case reg::kMiscCap:
      // Vivado 2022.1, QDMA 5.0, soft; no bypass of descriptors, FLR, no mailbox
      return 2u << 24 | 2u << 20 | 2u << 2 | 1u << 1;
    case reg::kPrefetchDepth:
      return 64;
    case reg::kCoalesceDepth:
      return 32;
    case reg::kContextCommand:  // never busy
    case reg::kFlr:             // done
      return 0;
    case reg::kStatC2hPackets:
      return static_cast<uint32_t>(c.c2h_packets);
    case reg::kStatCompletions:
      return static_cast<uint32_t>(c.completions);
    case reg::kStatStatusWrites:
      return static_cast<uint32_t>(c.status_writes);
    case reg::kStatDescriptors:
      return static_cast<uint32_t>(c.descriptors);
    case reg::kStatH2cInterrupts:
      return static_cast<uint32_t>(c.h2c_interrupts);
    case reg::kStatErrorInterrupts:
      return static_cast<uint32_t>(c.error_interrupts);
    case reg::kStatC2hInterrupts:
      return static_cast<uint32_t>(c.c2h_interrupts);
    case reg::kStatInterruptsLost:
      return static_cast<uint32_t>(c.interrupts_lost);
    default:
      return std::nullopt;
  }
}

void Device::Unmapped(uint32_t address) {
  ++core_.counters.unmapped_accesses;
  const bool queue_space = address >= reg::kDoorbells && address < reg::kDoorbellsEnd;
  core_.errors.Target(queue_space ? reg::kTrqQueueUnmapped : reg::kTrqCsrUnmapped, address);
}

uint32_t Device::ReadConfig(uint32_t address) {
  if (address % 4 == 0) {
    if (const auto value = Constant(address)) return *value;
    if (const auto value = core_.errors.Read(address)) return *value;
    if (Within(kPlain, address)) return core_.csr(address);
    if (address >= reg::kDoorbells && address < reg::kDoorbellsEnd) return ReadDoorbell(address);
    if (Within(kZero, address)) return 0;
    const uint32_t table = address - reg::kMsixTable;
    if (address >= reg::kMsixTable && table < sizeof msix_table_) return msix_table_[table / 4];
    if (address >= reg::kMsixPending && address < reg::kMsixPending + 8) return 0;
  }
  Unmapped(address);
  return 0;
}

void Device::WriteConfig(uint32_t address, uint32_t value) {
  if (address % 4 == 0) {
    if (address == reg::kContextCommand) return ContextCommand(value);
    if (address == reg::kFlr) {
      if (value & 1) ResetFunction();
      return;
    }
    if (address >= reg::kDoorbells && address < reg::kDoorbellsEnd) return Doorbell(address, value);
    if (Constant(address) || core_.errors.Write(address, value)) return;  // read-only: ignored
    if (Within(kPlain, address)) {
      core_.registers[address / 4] = value;
      return;
    }
    if (Within(kZero, address)) return;
    const uint32_t table = address - reg::kMsixTable;
    if (address >= reg::kMsixTable && table < sizeof msix_table_) {
      msix_table_[table / 4] = value;
      return;
    }
  }
  Unmapped(address);
}

void Device::ContextCommand(uint32_t command) {
  ++core_.counters.context_commands;
  const auto access = ContextStore::Decode(command);
  ContextWords data = Words(core_.registers, reg::kContextData);
  if (!access) {
    ++core_.counters.context_errors;
    core_.errors.ContextCommand();
    data = {};
  } else {
    core_.contexts.Execute(*access, data, Words(core_.registers, reg::kContextMask));
  }
  if (!access || access->operation == ContextOp::kRead) {
    std::copy(data.begin(), data.end(), core_.registers.begin() + reg::kContextData / 4);
    return;
  }
  switch (access->selector) {  // an engine's state beyond the context is cleared with it
    case Selector::kSwH2c:
    case Selector::kHwH2c:
      h2c_.Forget(access->index);
      break;
    case Selector::kCompletion:
      completion_.Forget(access->index);
      break;
    case Selector::kInterrupt:
      if (access->operation == ContextOp::kClear) core_.interrupts.Forget(access->index);
      break;
    default:
      break;
  }
}

// Nothing if the queue is not the function's.
std::optional<unsigned> Device::QueueOfDoorbell(uint32_t address) {
  const ContextWords& map = core_.contexts.At(Selector::kFunctionMap, reg::kThisFunction);
  const uint32_t relative = (address - reg::kDoorbells) / 16;
  const uint32_t qid = fmap::kFirst.Get(map) + relative;
  if (relative < fmap::kCount.Get(map) && qid < reg::kQueues) return qid;
  ++core_.counters.doorbells_out_of_range;
  core_.errors.Target(reg::kTrqQidRange, address);
  return std::nullopt;
}

// Linux saves the value that the completion's doorbell reads as, and writes it back.
uint32_t Device::ReadDoorbell(uint32_t address) {
  const uint32_t kind = address % 16 / 4;
  if (kind == 0) return 0;
  const auto qid = QueueOfDoorbell(address);
  if (!qid) return 0;
  if (kind == 3) return completion_.ReadDoorbell(*qid);
  const ContextWords& queue = core_.contexts.Software(kind == 2, *qid);
  return sw::kPidx.Get(queue) | sw::kArmed.Get(queue) << 16;
}

void Device::Doorbell(uint32_t address, uint32_t value) {
  ++core_.counters.doorbells;
  const uint32_t kind = address % 16 / 4;
  if (kind == 0) {
    if (core_.interrupts.UpdateCidx(Bits(value, 23, 16), Bits(value, 15, 0))) return;
    ++core_.counters.doorbells_ignored;
    core_.errors.Target(reg::kTrqQidRange, address);
    return;
  }
  const auto qid = QueueOfDoorbell(address);
  if (!qid) return;
  if (kind == 1) h2c_.Doorbell(*qid, value);
  if (kind == 2) c2h_.Doorbell(*qid, value);
  if (kind == 3) completion_.UpdateCidx(*qid, value);
}

void Device::ReadUser(uint32_t address, std::function<void(uint32_t value)> done) {
  ++core_.counters.user_reads;
  ++user_pending_;
  core_.user.ReadUser(address, [this, done = std::move(done)](uint32_t value) {
    --user_pending_;
    done(value);
  });
}

void Device::WriteUser(uint32_t address, uint32_t value, std::function<void()> done) {
  ++core_.counters.user_writes;
  ++user_pending_;
  core_.user.WriteUser(address, value, [this, done = std::move(done)] {
    --user_pending_;
    done();
  });
}

void Device::Read(unsigned bar, uint32_t address, std::function<void(uint32_t)> done) {
  if (bar == kUserBar) return ReadUser(address, std::move(done));
  done(ReadConfig(address));
}

void Device::Write(unsigned bar, uint32_t address, uint32_t value, std::function<void()> done) {
  if (bar == kUserBar) return WriteUser(address, value, std::move(done));
  WriteConfig(address, value);
  done();
}

bool Device::Poll() {
  bool moved = h2c_.Poll();
  moved |= c2h_.Poll();
  moved |= completion_.PollTimers();
  return moved;
}

bool Device::HasWork() const { return user_pending_ != 0 || h2c_.HasWork() || c2h_.HasWork(); }

void Device::ResetFunction() {
  ++core_.counters.resets;
  core_.contexts.ClearAll();
  core_.interrupts.Reset();
  completion_.Reset();
  h2c_.Reset();
  core_.user.OnReset();
}

void Device::Reset() {
  ResetFunction();
  core_.errors.Reset();
  std::fill(core_.registers.begin(), core_.registers.end(), 0);
  for (unsigned i = 0; i < std::size(msix_table_); ++i) msix_table_[i] = i % 4 == 3;
}

nlohmann::json Device::Describe() const {
  const Counters& c = core_.counters;
  return {{"h2c_packets", c.h2c_packets},
          {"h2c_bytes", c.h2c_bytes},
          {"h2c_empty", c.h2c_empty},
          {"c2h_packets", c.c2h_packets},
          {"c2h_bytes", c.c2h_bytes},
          {"c2h_too_long", c.c2h_too_long},
          {"descriptors", c.descriptors},
          {"completions", c.completions},
          {"status_writes", c.status_writes},
          {"h2c_interrupts", c.h2c_interrupts},
          {"c2h_interrupts", c.c2h_interrupts},
          {"error_interrupts", c.error_interrupts},
          {"interrupts_lost", c.interrupts_lost},
          {"context_commands", c.context_commands},
          {"context_errors", c.context_errors},
          {"doorbells", c.doorbells},
          {"doorbells_out_of_range", c.doorbells_out_of_range},
          {"doorbells_ignored", c.doorbells_ignored},
          {"unmapped_accesses", c.unmapped_accesses},
          {"queue_errors", c.queue_errors},
          {"user_reads", c.user_reads},
          {"user_writes", c.user_writes},
          {"resets", c.resets}};
}

}  // namespace ullnic::qdma
