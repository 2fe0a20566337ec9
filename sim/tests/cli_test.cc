// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The binaries as used by a person or a script.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "process.h"
#include "test_support.h"

namespace ullnic {
namespace {

Result Link(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), ULLNIC_LINK);
  return Process(arguments).Finish();
}

void ExpectAllArrived(const json& way, uint64_t frames) {
  EXPECT_EQ(way["frames"], frames);
  EXPECT_EQ(way["delivered"], frames);
  for (const char* zero : {"lost", "errors", "wrong_as_good", "rx_violations", "tx_underruns"}) {
    EXPECT_EQ(way[zero], 0) << zero;
  }
}

TEST(Link, BothDirectionsAtFullRate) {
  const Result r = Link({"--a", "gen:frames=400,len=1-1514", "--b", "gen:frames=300,len=1-200"});
  EXPECT_EQ(r.exit_code, 0);
  const json& s = r.Event("summary");
  ExpectAllArrived(s["a_to_b"], 400);
  ExpectAllArrived(s["b_to_a"], 300);
  EXPECT_EQ(s["b"]["check"]["matched"], 400);
  EXPECT_EQ(s["a_to_b"]["latency_sop_to_sop_ns"]["samples"], 400);
  EXPECT_TRUE(s["complete"]);
}

// 34.13 to 40.34 ns over 282 UI: 11 to 13 cycles, all of which occur.
TEST(Link, LatencyOfUnqueuedFramesIsThatOfTheCore) {
  const Result r = Link({"--a", "gen:frames=2000,len=1-64,gap=300-500", "--b", "sink"});
  const json& way = r.Event("summary")["a_to_b"];
  const json& latency = way["latency_sop_to_sop_unqueued_ns"];
  EXPECT_GT(latency["samples"], 1900);
  EXPECT_DOUBLE_EQ(latency["min"], 34.133333);
  EXPECT_DOUBLE_EQ(latency["max"], 40.339394);
  EXPECT_DOUBLE_EQ(way["latency_sop_to_sof_unqueued_ns"]["min"], 27.927273);
}

// Both ends of the configuration, with different clocks.
TEST(Link, EveryConfiguration) {
  for (const std::string& name : CardLibrary::Names()) {
    for (const char* ppm : {"0", "-100"}) {
      SCOPED_TRACE(name + " ppm " + ppm);
      const Result r = Link({"--config", name, "--a", "gen:frames=300,len=1-300", "--b",
                             "gen:frames=100,len=1-100,gap=2300-3000", "--clock-ppm", ppm});
      EXPECT_EQ(r.exit_code, 0);
      const json& s = r.Event("summary");
      EXPECT_EQ(s["config"], name);
      ExpectAllArrived(s["a_to_b"], 300);
      ExpectAllArrived(s["b_to_a"], 100);
      const json& latency = s["b_to_a"]["latency_sop_to_sop_unqueued_ns"];
      EXPECT_GT(latency["samples"], 67);
      // The transceiver's delay is that for its word width.
      const double transceiver_ns = CardLibrary(name).info().transceiver_ui / 10.3125;
      EXPECT_GT(latency["min"], transceiver_ns);
      EXPECT_LT(latency["max"], transceiver_ns + 35);
    }
  }
}

TEST(Link, LinkPartnerAtTheFarEnd) {
  const Result r = Link({"--a", "gen:frames=500", "--b", "gen:frames=500", "--far-end", "partner"});
  EXPECT_EQ(r.exit_code, 0);
  ExpectAllArrived(r.Event("summary")["a_to_b"], 500);
  ExpectAllArrived(r.Event("summary")["b_to_a"], 500);
  EXPECT_TRUE(r.Event("summary")["a_to_b"]["latency_sop_to_sop_ns"].is_null());
}

TEST(Link, ClocksApartAndEveryOffset) {
  for (int offset = 0; offset < 66; offset += 5) {
    const Result r =
        Link({"--a", "gen:frames=60,len=1-300", "--b", "gen:frames=60,len=1-300", "--delay-ui",
              offset % 2 != 0 ? "0" : "282", "--offset-bits", std::to_string(offset), "--clock-ppm",
              std::to_string(offset * 6 - 200)});
    EXPECT_EQ(r.exit_code, 0);
    ExpectAllArrived(r.Event("summary")["a_to_b"], 60);
    ExpectAllArrived(r.Event("summary")["b_to_a"], 60);
  }
}

TEST(Link, FaultsAreCountedAndNothingWrongPasses) {
  const Result r =
      Link({"--a", "gen:frames=2000,len=60-300", "--b", "gen:frames=2000,len=60-300", "--fault-ab",
            "drop=0.01,dup=0.01,reorder=0.01,corrupt=0.01", "--fault-ba", "ber=1e-5"});
  EXPECT_EQ(r.exit_code, 0);
  const json& ab = r.Event("summary")["a_to_b"];
  for (const char* kind :
       {"dropped_by_fault", "duplicated_by_fault", "reordered_by_fault", "corrupted_by_fault"}) {
    EXPECT_GT(ab[kind], 0) << kind;
  }
  EXPECT_EQ(ab["lost"], 0) << "the link itself loses nothing";
  EXPECT_EQ(ab["frames"].get<uint64_t>(), 2000 - ab["dropped_by_fault"].get<uint64_t>() +
                                              ab["duplicated_by_fault"].get<uint64_t>());
  const json& ba = r.Event("summary")["b_to_a"];
  EXPECT_GT(ba["bit_errors_by_fault"], 0);
  EXPECT_GT(ba["errors"], 0);
  EXPECT_EQ(ba["lost"].get<uint64_t>() + ba["delivered"].get<uint64_t>(), 2000u);
  EXPECT_EQ(ba["wrong_as_good"], 0);
}

TEST(Link, TheSameSeedMakesTheSameCaptures) {
  const auto base =
      std::filesystem::temp_directory_path() / ("ullnic-cli-" + std::to_string(getpid()));
  std::string first[2];
  for (int run = 0; run < 2; ++run) {
    const auto dir = base / std::to_string(run);
    const Result r =
        Link({"--a", "gen:frames=200", "--b", "gen:frames=200", "--fault-ab", "drop=0.1", "--seed",
              std::to_string(TestSeed()), "--pcapng-dir", dir.string()});
    EXPECT_EQ(r.exit_code, 0);
    for (const int port : {0, 1}) {
      std::ifstream file(dir / (port == 0 ? "port-a.pcapng" : "port-b.pcapng"), std::ios::binary);
      const std::string content((std::istreambuf_iterator<char>(file)), {});
      EXPECT_GT(content.size(), 10'000u);
      if (run == 0) {
        first[port] = content;
      } else {
        EXPECT_TRUE(content == first[port]) << "port " << port;
      }
    }
  }
  std::filesystem::remove_all(base);
}

TEST(Link, BadInputIsAnErrorEventWithARemedy) {
  const std::vector<std::vector<std::string>> cases = {
      {"--a", "nonsense", "--b", "sink"},
      {"--a", "gen:frames=x", "--b", "sink"},
      {"--a", "gen:frames=1,len=9-3", "--b", "sink"},
      {"--a", "gen:frames=1,len=0-3", "--b", "sink"},
      {"--a", "gen:frames=1,colour=red", "--b", "sink"},
      {"--a", "gen:frames=1,frames=2", "--b", "sink"},
      {"--a", "pcap:/nonexistent.pcap", "--b", "sink"},
      {"--a", "pcap:", "--b", "sink"},
      {"--a", "tap:a_name_that_is_far_too_long", "--b", "sink"},
      {"--a", "tap:x,netns=/nonexistent", "--b", "sink"},
      {"--a", "sink", "--b", "sink", "--fault-ab", "drop=2"},
      {"--a", "sink", "--b", "sink", "--fault-ab", "drop=nan"},
      {"--a", "sink", "--b", "sink", "--delay-ui", "-1"},
      {"--a", "sink", "--b", "sink", "--pcapng-dir", "/proc/nonexistent"},
      {"--a", "sink", "--b", "sink", "--config", "nonsense"},
      {"--a", "sink"},
      {"--unknown"},
  };
  for (const auto& c : cases) {
    const Result r = Link(c);
    SCOPED_TRACE(json(c).dump());
    EXPECT_EQ(r.exit_code, 1);
    const json& error = r.Event("error");
    EXPECT_FALSE(error.value("message", "").empty());
    EXPECT_FALSE(error.value("remedy", "").empty());
  }
}

std::vector<std::string> Endless() {
  return {ULLNIC_LINK, "--a", "gen:frames=1000000000", "--b", "sink", "--status-interval", "0.05"};
}

TEST(Link, SignalsEndItWithASummary) {
  for (const int number : {SIGINT, SIGTERM}) {
    Process link(Endless());
    json line;
    ASSERT_TRUE(link.ReadLine(line));
    EXPECT_EQ(line["event"], "ready");
    ASSERT_TRUE(link.ReadLine(line));
    EXPECT_EQ(line["event"], "status");
    EXPECT_GT(line["cycles_per_s"], 1000);
    link.Signal(number);
    const Result r = link.Finish();
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_GT(r.Event("summary")["a_to_b"]["delivered"], 0);
    EXPECT_EQ(r.Event("summary")["a_to_b"]["lost"], 0) << "frames under way are not lost";
  }
}

TEST(Link, EndOfStandardInputEndsIt) {
  auto command = Endless();
  command.push_back("--exit-on-stdin-eof");
  Process link(command);
  json line;
  ASSERT_TRUE(link.ReadLine(line));
  link.CloseStdin();
  EXPECT_EQ(link.Finish().exit_code, 0);
}

TEST(Link, LimitsEndIt) {
  Result r = Link({"--a", "gen:frames=1000000", "--b", "sink", "--max-frames", "100"});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_LT(r.Event("summary")["a_to_b"]["frames"], 120);
  r = Link({"--a", "gen:frames=1000000000", "--b", "sink", "--max-wall-s", "0.2"});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_LT(r.Event("summary")["wall_s"], 2.0);
}

json Sweep(std::vector<std::string> arguments) {
  const auto file =
      std::filesystem::temp_directory_path() / ("ullnic-sweep-" + std::to_string(getpid()));
  arguments.insert(arguments.begin(), ULLNIC_SWEEP);
  arguments.insert(arguments.end(), {"--seed", std::to_string(TestSeed()), "--json", file});
  EXPECT_EQ(Process(arguments).Finish().exit_code, 0);
  std::ifstream in(file);
  json result = json::parse(in);
  std::filesystem::remove(file);
  return result;
}

// Without FIFO the receiver's user is on the receive clock: a lead in bit times reduces every
// latency by as much, until the word boundary moves; overall, the result stays within a word of
// that with one clock.
TEST(Sweep, LeadsOfTheReceiveClockMoveTheEdgesNotTheLine) {
  const json result =
      Sweep({"--offsets", "0", "--leads", "0-31", "--delay-ui", "282", "--frames", "800"});
  ASSERT_EQ(result["points"].size(), 32u);
  for (const json& point : result["points"]) {
    const int lead = point["lead_ui"];
    EXPECT_EQ(point.contains("sop_to_sop_cycles"), lead == 0) << "cycles of one clock only";
    // The first user word's last bit is 98 to 162 bits after the offer, in steps of 2 (a block
    // begins at an even bit); 97, since the word's first edge is at its end. Quantised to the next
    // edge of a receive clock that is `lead` early.
    int low = INT_MAX, high = 0;
    for (int last = 97; last <= 161; last += 2) {
      const int bits = (last + 282 + lead) / 32 * 32 - lead;
      low = std::min(low, bits);
      high = std::max(high, bits);
    }
    EXPECT_NEAR(point["sop_to_sop_ns"]["min"].get<double>(), low / 10.3125, 0.002) << lead;
    EXPECT_NEAR(point["sop_to_sop_ns"]["max"].get<double>(), high / 10.3125, 0.002) << lead;
  }
}

// Each phase occurs, and their samples together are those of the point.
void ExpectEveryPhase(const json& point) {
  ASSERT_EQ(point["by_phase"].size(), 33u);
  for (const char* metric : {"sop_to_sop_ns", "sop_to_sof_ns"}) {
    uint64_t samples = 0;
    double sum = 0, low = 1e9, high = 0;
    for (size_t i = 0; i < 33; ++i) {
      const json& phase = point["by_phase"][i];
      EXPECT_EQ(phase["bit"], 2 * i);
      const json& latency = phase[metric];
      samples += latency["samples"].get<uint64_t>();
      sum += latency["mean"].get<double>() * latency["samples"].get<double>();
      low = std::min(low, latency["min"].get<double>());
      high = std::max(high, latency["max"].get<double>());
    }
    const json& all = point[metric];
    EXPECT_EQ(samples, all["samples"]);
    EXPECT_NEAR(sum / static_cast<double>(samples), all["mean"].get<double>(), 1e-5);
    EXPECT_EQ(low, all["min"]);
    EXPECT_EQ(high, all["max"]);
  }
}

// Without FIFO and bridge the phase determines the latency. A start block equals an idle block up
// to the two bits of its header, so one that begins in the word of the offer, or up to two bits
// before it, still becomes the start of the frame. The first user word follows 64 bits and the next
// header later.
TEST(Sweep, LatencyFollowsFromTheGearboxPhase) {
  struct Case {
    const char* card;
    int word_bits, delay_ui, registers;
  };
  for (const Case& c :
       {Case{"nofifo_pma32_mac32", 32, 282, 0}, Case{"nofifo_pma16_mac16", 16, 160, 1}}) {
    SCOPED_TRACE(c.card);
    const json result = Sweep({"--config", c.card, "--offsets", "0", "--frames", "1000",
                               "--delay-ui", std::to_string(c.delay_ui)});
    const json& point = result["points"][0];
    ExpectEveryPhase(point);
    for (const json& phase : point["by_phase"]) {
      const int bit = phase["bit"];
      const int start = bit <= 2 ? -bit : 66 - bit;  // from the first bit of the word of the offer
      const int last_bit = start + 66 + 2 + c.word_bits - 1 + c.delay_ui;
      const int cycles = last_bit / c.word_bits + c.registers;
      const json& latency = phase["sop_to_sop_ns"];
      EXPECT_NEAR(latency["min"].get<double>(), cycles * c.word_bits / 10.3125, 1e-5) << bit;
      EXPECT_EQ(latency["min"], latency["max"]) << bit;
    }
  }
}

// If all clocks are the transceiver's, the latency is exact. With a separate user clock the
// position of its edges in the word of the offer varies by less than 1.1 of its cycles: at most 3
// numbers of cycles.
TEST(Sweep, OneLatencyAPhaseButForAUserClockOfItsOwn) {
  for (const std::string& name : CardLibrary::Names()) {
    SCOPED_TRACE(name);
    const std::string clock = CardLibrary(name).info().tx_user_clock;
    const bool own = clock.ends_with("kHz");
    const double spread_ns = own ? 2.001e6 / std::stod(clock) : 0;
    const json result = Sweep({"--config", name, "--offsets", "0", "--leads", "7", "--frames",
                               own ? "3000" : "800", "--delay-ui", "282"});
    const json& point = result["points"][0];
    ExpectEveryPhase(point);
    for (const json& phase : point["by_phase"]) {
      for (const char* metric : {"sop_to_sop_ns", "sop_to_sof_ns"}) {
        const json& latency = phase[metric];
        EXPECT_LE(latency["max"].get<double>(), latency["min"].get<double>() + spread_ns)
            << metric << " bit " << phase["bit"];
      }
    }
  }
}

// Back to back a frame takes its octets, preamble, FCS and 12 octets of gap, 66/8 bit times each.
// The deficit idle count is at most 3 octets and averages out: 14.88 Mpps with 60 bytes.
TEST(Sweep, BackToBackFramesFillTheLine) {
  for (const char* card : {"nofifo_pma32_mac32", "nofifo_pma16_mac16", "txrxfifo_pma32_mac32"}) {
    for (int bytes = 60; bytes < 68; ++bytes) {
      SCOPED_TRACE(fmt::format("{}, {} bytes", card, bytes));
      const json result = Sweep({"--config", card, "--offsets", "0", "--frames", "300", "--gap",
                                 "back-to-back", "--len", fmt::format("{}-{}", bytes, bytes)});
      const json& line = result["points"][0]["line"];
      ASSERT_EQ(line["frames"], 300);
      const double ui = line["start_to_start_ui"];
      const double ideal_ui = 299 * (8 + bytes + 4 + 12) * 66 / 8.0;
      EXPECT_LE(ui, ideal_ui);
      EXPECT_GE(ui, ideal_ui - 3 * 66 / 8.0);
      if (bytes == 60) EXPECT_NEAR(299 / (ui / 10.3125e9) / 1e6, 14.880952, 1e-6);
    }
  }
}

TEST(Sweep, AFewOffsetsAndBadArguments) {
  const json result = Sweep({"--offsets", "0-2", "--frames", "500"});
  ASSERT_EQ(result["points"].size(), 3u);
  EXPECT_EQ(result["points"][0]["lost"], 0);
  EXPECT_EQ(result["points"][0]["sop_to_sop_cycles"]["min"], 3);
  EXPECT_EQ(result["points"][0]["sop_to_sop_cycles"]["max"], 5);
  EXPECT_EQ(result["points"][0]["sop_to_sop_ns"]["min"], 9.309091);
  EXPECT_NE(Process({ULLNIC_SWEEP, "--leads", "0-32"}).Finish().exit_code, 0) << "a whole word";
  EXPECT_NE(Process({ULLNIC_SWEEP, "--config", "nonsense"}).Finish().exit_code, 0);
  for (const char* bad : {"9-3", "0-66", "x", "1-2-3", ""}) {
    EXPECT_NE(Process({ULLNIC_SWEEP, "--offsets", bad}).Finish().exit_code, 0) << bad;
  }
}

}  // namespace
}  // namespace ullnic
