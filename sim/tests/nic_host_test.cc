// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The host's side of a whole card without the card: drivers of its ports, cleanup after a program,
// the tester.

#include <array>
#include <span>
#include <utility>

#include "core/user_error.h"
#include "nic/connection_guard.h"
#include "nic/host_drivers.h"
#include "nic/port_field.h"
#include "nic/port_specs.h"
#include "nic/tester.h"
#include "nic/tester_registers.h"
#include "test_support.h"

namespace ullnic {
namespace {

// -------------------------------------------------------------------------------- host side

// A card that completes register accesses at once.
class FakeCard final : public qdma::UserSide {
 public:
  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override { done(address); }
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override {
    writes.emplace_back(address, value);
    done();
  }
  bool SendH2c(unsigned, std::span<const uint8_t>) override { return true; }
  std::span<const uint8_t> PeekC2h(unsigned) override { return {}; }
  void PopC2h(unsigned) override {}
  unsigned queues() const override { return 4; }
  void OnReset() override { ++resets; }

  std::vector<std::pair<uint32_t, uint32_t>> writes;
  int resets = 0;
};

TEST(Guard, SwitchesOffWhatTheProgramLeftOn) {
  using Writes = std::vector<std::pair<uint32_t, uint32_t>>;
  FakeCard card;
  ConnectionGuard guard(card, {0x0800c, 0x0810c});
  for (const uint32_t address : {0x40030u, 0x48070u, 0x41230u, 0x0800cu, 0x0810cu}) {
    guard.WriteUser(address, 5, [] {});
  }
  guard.WriteUser(0x40034, 1, [] {});  // MAX_SEQ
  guard.WriteUser(0x0820c, 1, [] {});  // not a switch
  guard.WriteUser(0x41230, 6, [] {});  // disabled by the program itself
  card.writes.clear();
  guard.OnReset();
  EXPECT_EQ(card.writes, (Writes{{0x0800c, 0}, {0x0810c, 0}, {0x40030, 0}, {0x48070, 0}}));
  EXPECT_EQ(card.resets, 1);
  card.writes.clear();
  guard.OnReset();
  EXPECT_TRUE(card.writes.empty());
  // The other card's switch is not one of this card.
  ConnectionGuard other(card, {0x0800c});
  other.WriteUser(0x0810c, 1, [] {});
  EXPECT_EQ(other.switched_on(), 0u);
}

// Both integers and arrays of words, for any number of ports and bits of each.
template <class Port>
void ExpectFieldsApart(unsigned count, unsigned bits) {
  Rng rng = Rng::Stream(TestSeed(), bits);
  Port port{};
  std::vector<uint64_t> values(count);
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  for (int i = 0; i < 200; ++i) {
    const auto at = static_cast<unsigned>(rng.Below(count));
    values[at] = rng.Next() & mask;
    PutField(port, at, bits, values[at] | (bits < 64 ? ~mask : 0));
    for (unsigned j = 0; j < count; ++j) ASSERT_EQ(GetField(port, j, bits), values[j]) << j;
  }
}

TEST(PortFields, AreApart) {
  ExpectFieldsApart<uint8_t>(8, 1);
  ExpectFieldsApart<uint16_t>(2, 8);
  ExpectFieldsApart<uint32_t>(2, 16);
  ExpectFieldsApart<uint64_t>(2, 32);
  ExpectFieldsApart<uint64_t>(8, 8);
  ExpectFieldsApart<uint64_t>(1, 64);
  ExpectFieldsApart<std::array<uint32_t, 4>>(8, 16);
  ExpectFieldsApart<std::array<uint32_t, 8>>(8, 32);
  ExpectFieldsApart<std::array<uint32_t, 16>>(8, 64);
}

HostOutputs Shown(const RegisterMaster& master) {
  HostOutputs out;
  master.Show(out);
  return out;
}

TEST(Registers, EndThoughTheCardDoesNot) {
  RegisterMaster master;
  Violations violations;
  uint32_t value = 0;
  bool written = false;
  master.Read(0x100, [&](uint32_t v) { value = v; });
  master.Write(0x104, 7, [&] { written = true; });
  HostInputs silent{};
  for (int i = 0; i < 100'010 && value == 0; ++i) master.Clock(silent, violations);
  EXPECT_EQ(value, ~uint32_t{0});
  EXPECT_EQ(violations.count(), 1u);
  EXPECT_FALSE(written);
  // The next one is answered, with an error.
  HostInputs answer{};
  answer.awready = answer.wready = true;
  master.Clock(silent, violations);
  EXPECT_TRUE(Shown(master).awvalid && Shown(master).wvalid);
  EXPECT_EQ(Shown(master).address, 0x104u);
  master.Clock(answer, violations);
  EXPECT_FALSE(Shown(master).awvalid || Shown(master).wvalid);
  answer = {};
  answer.bvalid = true;
  answer.bresp = 2;
  master.Clock(answer, violations);
  EXPECT_TRUE(written);
  EXPECT_FALSE(master.busy());
  EXPECT_EQ(master.counts().errors, 2u);
  EXPECT_EQ(violations.count(), 1u);
}

// Every violation of a card towards the host is reported.
TEST(ToHost, TheCardsMistakesAreSeen) {
  const auto run = [](const std::vector<HostWord>& words) {
    C2hMonitor monitor(1, {});
    Violations violations;
    for (const HostWord& word : words) monitor.Clock(word, true, violations);
    return violations.first();
  };
  // 4 bytes after the header, port 1.
  const HostWord first{.tdata = 0x0000'0000'01'00'0004, .tkeep = 0xff, .tvalid = true};
  const HostWord second{.tdata = 99, .tkeep = 0xff, .tvalid = true};
  const HostWord last{.tdata = 1, .tkeep = 0x0f, .tvalid = true, .tlast = true};
  EXPECT_EQ(run({first, second, last}), "");
  const auto changed = [](HostWord word, auto change) {
    change(word);
    return word;
  };
  EXPECT_NE(run({changed(first, [](HostWord& w) { w.tdata += 1; }), second, last}), "");
  EXPECT_NE(run({changed(first, [](HostWord& w) { w.tdata += 1 << 24; }), second, last}), "");
  EXPECT_NE(run({changed(first, [](HostWord& w) { w.tdata += 3 << 16; }), second, last}), "");
  EXPECT_NE(run({changed(first, [](HostWord& w) { w.tdata += 1ull << 32; }), second, last}), "");
  const std::string keep = "port 1: a word to the host with an illegal tkeep";
  EXPECT_EQ(run({first, changed(second, [](HostWord& w) { w.tkeep = 0x7f; }), last}), keep);
  EXPECT_EQ(run({first, second, changed(last, [](HostWord& w) { w.tkeep = 0x05; })}), keep);
  EXPECT_NE(run({first, changed(second, [](HostWord& w) { w.tlast = true; })}), "");

  C2hMonitor monitor(1, {});
  Violations violations;
  monitor.Clock(first, false, violations);
  monitor.Clock(first, false, violations);
  EXPECT_EQ(violations.count(), 0u);
  monitor.Clock(second, true, violations);
  EXPECT_EQ(violations.count(), 1u);
}

// -------------------------------------------------------------------------------- tester

struct TesterBench {
  TesterBench() : port(tester.MakePort(1)) {}
  uint32_t Read(uint32_t address) {
    uint32_t result = 0;
    tester.ReadUser(address, [&](uint32_t value) { result = value; });
    return result;
  }
  uint32_t Port(uint32_t offset) { return Read(tester::kPortBase + tester::kPortStride + offset); }

  int64_t now_ps = 0;
  Tester tester{2, [this] { return now_ps; }};
  std::unique_ptr<FramePort> port;
};

TEST(TesterTest, SendsChunksAndTellsWhenTheyLeft) {
  TesterBench bench;
  EXPECT_EQ(bench.Read(tester::kId), tester::kIdValue);
  EXPECT_EQ(bench.Read(tester::kCard), 0x203u);
  EXPECT_EQ(bench.Read(tester::kPortStatus), 0x202u);  // only port 1 is connected
  EXPECT_EQ(bench.Read(0x40000), ~uint32_t{0});
  const Bytes chunk = {0, 0, 0, 0, 5, 0, 1, 0, 9, 9, 'a', 'b', 'c'};
  EXPECT_TRUE(bench.tester.SendH2c(1, chunk));
  Bytes wrong = chunk;
  wrong[4] = 6;
  EXPECT_TRUE(bench.tester.SendH2c(1, wrong));
  wrong = chunk;
  wrong[6] = 2;
  EXPECT_TRUE(bench.tester.SendH2c(1, wrong));
  EXPECT_TRUE(bench.tester.SendH2c(0, chunk));
  EXPECT_EQ(bench.Port(tester::kRefused), 2u);
  Frame frame;
  ASSERT_TRUE(bench.port->Receive(frame));
  EXPECT_EQ(frame.bytes, (Bytes{'a', 'b', 'c'}));
  EXPECT_FALSE(bench.port->Receive(frame));

  bench.now_ps = 5'000'000'000'000'000;  // the upper half is not 0
  EXPECT_FALSE(bench.tester.busy());
  HeardFrame left;
  left.start_ps = bench.now_ps - 700;
  bench.tester.OnSent(1, left);
  EXPECT_TRUE(bench.tester.busy());
  EXPECT_EQ(bench.Port(tester::kSent), 0u);
  bench.now_ps += 3'000'000;
  EXPECT_FALSE(bench.tester.busy());
  EXPECT_EQ(bench.Port(tester::kSentTimeHigh), 0u);  // as of the last reading
  EXPECT_EQ(bench.Port(tester::kSent), 1u);
  const uint64_t ticks =
      uint64_t{bench.Port(tester::kSentTimeHigh)} << 32 | bench.Port(tester::kSentTimeLow);
  EXPECT_EQ(ticks, (5'000'000'000'000'000u - 700) / 250);
}

// A frame that the host sent in the last poll before the card would sleep.
TEST(TesterTest, IsBusyUntilAFrameHasBeenTaken) {
  TesterBench bench;
  const Bytes chunk = {0, 0, 0, 0, 5, 0, 1, 0, 9, 9, 'a', 'b', 'c'};
  EXPECT_FALSE(bench.tester.busy());
  EXPECT_TRUE(bench.tester.SendH2c(1, chunk));
  EXPECT_TRUE(bench.tester.busy());
  Frame frame;
  EXPECT_TRUE(bench.port->Receive(frame));
  EXPECT_FALSE(bench.tester.busy());
}

TEST(TesterTest, HearsWithTimestamps) {
  TesterBench bench;
  for (int i = 0; i < 5000; ++i) bench.port->Deliver({1, 2, 3, 4}, 1'000'100 + i * 1000);
  EXPECT_EQ(bench.Port(tester::kHeard), 5000u);
  const uint32_t dropped = bench.Port(tester::kDropped);
  EXPECT_GT(dropped, 0u);
  uint32_t count = 0;
  for (auto packet = bench.tester.PeekC2h(1); !packet.empty(); packet = bench.tester.PeekC2h(1)) {
    const C2hHeader header = C2hHeader::Read(packet);
    EXPECT_EQ(header.length, 4);
    EXPECT_EQ(header.type, C2hHeader::kReceived);
    EXPECT_EQ(header.port, 1);
    EXPECT_EQ(header.sequence, count);
    EXPECT_EQ(header.timestamp, 4000u + 4 * count);
    EXPECT_EQ(Bytes(packet.begin() + C2hHeader::kBytes, packet.end()), (Bytes{1, 2, 3, 4}));
    bench.tester.PopC2h(1);
    ++count;
  }
  EXPECT_EQ(count + dropped, 5000u);
  bench.port->Deliver({1}, 0);
  bench.tester.OnReset();
  EXPECT_TRUE(bench.tester.PeekC2h(1).empty());
}

// A program that sends more than there is room for must wait.
TEST(TesterTest, HasAnEnd) {
  TesterBench bench;
  const Bytes chunk = {0, 0, 0, 0, 3, 0, 1, 0, 9, 9, 'a'};
  int taken = 0;
  while (taken < 100'000 && bench.tester.SendH2c(1, chunk)) ++taken;
  EXPECT_LT(taken, 100'000);
}

// -------------------------------------------------------------------------------- ports

TEST(PortSpecs, AreByPort) {
  EXPECT_EQ(ByPort({"1=tap:x,netns=/y=z"}, 2, "port", "sink"),
            (std::vector<std::string>{"sink", "tap:x,netns=/y=z"}));
  for (const char* wrong : {"tap:x", "2=sink", "=sink", "-1=sink", "1x=sink"}) {
    EXPECT_THROW(ByPort({wrong}, 2, "port", ""), UserError) << wrong;
  }
  EXPECT_THROW(ByPort({"0=sink", "0=sink"}, 2, "port", ""), UserError);
}

}  // namespace
}  // namespace ullnic
