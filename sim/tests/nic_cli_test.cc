// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ullnic-card as used by a person or a script.

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "capture/pcapng_writer.h"
#include "process.h"
#include "vfio_bench.h"

namespace ullnic {
namespace {

using vfio_test::Client;

constexpr uint32_t kUserBar = 2;                                // the region
constexpr uint32_t kConnectionControl = 0x48000 + 7 * 64 + 48;  // of port 1
constexpr uint32_t kArm = 0x0800c;

std::vector<std::string> Card(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), ULLNIC_CARD);
  return arguments;
}

class Folder {
 public:
  Folder() { std::filesystem::create_directories(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      fmt::format("ullnic-card-{}-{}", getpid(),
                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Output before the sockets may be used.
void AwaitReady(Process& card) {
  json line;
  ASSERT_TRUE(card.ReadLine(line));
  ASSERT_EQ(line["event"], "ready") << line.dump();
}

Client Connect(const std::string& path) {
  Client client(path, [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  EXPECT_EQ(client.Negotiate().error, 0u);
  return client;
}

uint32_t ReadWord(Client& client, uint32_t address) {
  return static_cast<uint32_t>(client.Read(kUserBar, address, 4));
}

void WriteWord(Client& client, uint32_t address, uint32_t value) {
  EXPECT_EQ(client.Write(kUserBar, address, value), 0u);
}

TEST(CardProgram, EndsWhenItsPortsDo) {
  Folder folder;
  const auto run = [&](const std::string& seed) {
    const auto captures = folder / seed;
    const Result r = Process(Card({"--port", "0=gen:frames=60,len=60-300,gap=0-400", "--port",
                                   "1=gen:frames=40,len=60-1514", "--clock-ppm", "100", "--seed",
                                   seed, "--pcapng-dir", captures}))
                         .Finish();
    EXPECT_EQ(r.exit_code, 0);
    const json& summary = r.Event("summary");
    EXPECT_TRUE(summary["complete"]);
    EXPECT_EQ(summary["ports"][0]["to_card"]["frames"], 60);
    EXPECT_EQ(summary["ports"][0]["host"]["c2h_packets"], 60);
    EXPECT_EQ(summary["ports"][1]["to_card"]["frames"], 40);
    EXPECT_EQ(summary["ports"][1]["host"]["c2h_packets"], 40);
    return Content(captures + "/port-0.pcapng") + Content(captures + "/port-1.pcapng");
  };
  const std::string first = run("5");
  EXPECT_GT(first.size(), 20'000u);
  EXPECT_EQ(run("5"), first);
  EXPECT_NE(run("6"), first);
}

TEST(CardProgram, SaysWhatIsWrong) {
  const std::vector<std::vector<std::string>> wrong = {
      {"--card", "no_such"},
      {"--card", "../nics/trigger_pma16"},
      {"--port", "2=sink"},
      {"--port", "0=sink", "--port", "0=sink"},
      {"--port", "sink"},
      {"--port", "0=nonsense"},
      {"--port", "0=pcap:/does/not/exist"},
      {"--fault-in", "1=drop=2"},
      {"--tester-socket", "/tmp/x.sock"},
      {"--socket", "/does/not/exist/x.sock"},
      // At the start, not at the end of the measurement.
      {"--samples", "/does/not/exist/x.csv", "--port", "0=gen:frames=1000000000"},
      {"--delay-ui", "-1"},
      {"--nonsense"},
  };
  for (const auto& arguments : wrong) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(arguments, " ")));
    const Result r = Process(Card(arguments)).Finish();
    EXPECT_EQ(r.exit_code, 1);
    EXPECT_FALSE(r.Event("error").value("message", "").empty());
    EXPECT_FALSE(r.Event("error").value("remedy", "").empty());
  }
}

// While idle it sleeps, and virtual time advances.
TEST(CardProgram, SleepsUntilItIsTold) {
  Folder folder;
  Process card(Card({"--socket", folder / "s", "--status-interval", "0.2"}));
  AwaitReady(card);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  card.Signal(SIGTERM);
  const Result r = card.Finish();
  EXPECT_EQ(r.exit_code, 0);
  const json& summary = r.Event("summary");
  EXPECT_GT(summary["skipped_ps"].get<int64_t>(), 500'000'000'000);
  EXPECT_LT(summary["cycles"].get<int64_t>(), 100'000);
  EXPECT_TRUE(summary["complete"]);
  EXPECT_GE(r.lines.size(), 3u);  // with status
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
}

double ChildrensCpuSeconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

class LoopOfTest {
 public:
  explicit LoopOfTest(const char* program) : process({program, "--socket", folder / "s"}) {
    AwaitReady(process);
  }
  Folder folder;
  Process process;
};

void ExpectSleep(const char* program) {
  const double before = ChildrensCpuSeconds();
  LoopOfTest loop(program);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  loop.process.Signal(SIGTERM);
  EXPECT_EQ(loop.process.Finish().exit_code, 0);
  EXPECT_LT(ChildrensCpuSeconds() - before, 0.5);
}

void ExpectRegisters(const char* program, uint32_t address = 0x7fff8) {
  LoopOfTest loop(program);
  Client client = Connect(loop.folder / "s");
  WriteWord(client, address, 0x12345678);
  EXPECT_EQ(ReadWord(client, address), 0x12345678u);
  client.Close();
}

TEST(LoopProgram, SleepsUntilItIsTold) { ExpectSleep(ULLNIC_LOOP); }

TEST(LoopProgram, HasRegisters) { ExpectRegisters(ULLNIC_LOOP); }

TEST(RtlLoopProgram, SleepsUntilItIsTold) { ExpectSleep(ULLNIC_RTL_LOOP); }

TEST(RtlLoopProgram, HasRegisters) { ExpectRegisters(ULLNIC_RTL_LOOP); }

TEST(ExampleProgram, SleepsUntilItIsTold) { ExpectSleep(ULLNIC_EXAMPLE); }

TEST(ExampleProgram, HasRegisters) { ExpectRegisters(ULLNIC_EXAMPLE, 0x60); }

TEST(CardProgram, EndsWithItsStandardInput) {
  Folder folder;
  Process card(Card({"--socket", folder / "s", "--exit-on-stdin-eof"}));
  AwaitReady(card);
  card.CloseStdin();
  EXPECT_EQ(card.Finish().exit_code, 0);
}

// A program that disconnects leaves nothing enabled, and the next one may connect.
TEST(CardProgram, CleansUpBehindAProgram) {
  Folder folder;
  Process card(Card(
      {"--socket", folder / "card", "--tester-socket", folder / "tester", "--port", "0=tester"}));
  AwaitReady(card);
  {
    Client client = Connect(folder / "card");
    EXPECT_EQ(ReadWord(client, 0), 0x554c4e43u);
    WriteWord(client, kConnectionControl, 3);
    WriteWord(client, kArm, 1);
    EXPECT_EQ(ReadWord(client, kConnectionControl), 3u);
    EXPECT_EQ(ReadWord(client, kArm), 1u);
    client.Close();  // as the kernel does for a killed program
  }
  Client client = Connect(folder / "card");
  EXPECT_EQ(ReadWord(client, kConnectionControl), 0u);
  EXPECT_EQ(ReadWord(client, kArm), 0u);
  Client tester = Connect(folder / "tester");
  EXPECT_EQ(ReadWord(tester, 8), 0x203u);
  card.Signal(SIGTERM);
  const json summary = card.Finish().Event("summary");
  EXPECT_EQ(summary["host"]["clients"], 2);
  EXPECT_EQ(summary["tester"]["clients"], 1);
}

// A program arms the card, market data arrive, and each order is timed on the wire.
TEST(CardProgram, TimesTrades) {
  Folder folder;
  // The mirror's frames are not read: with some more the card would refuse triggers.
  constexpr int kTriggers = 80;
  {
    PcapngWriter market({.path = folder / "market", .if_name = "market"});
    Rng rng = Rng::Stream(TestSeed(), 3);
    for (int i = 0; i < 2 * kTriggers; ++i) {
      Bytes frame = RandomBytes(rng.Range(60, 200), rng);
      std::fill_n(frame.begin(), 4, i % 2 == 0 ? 0xff : 0x02);
      market.Write(frame, 1'000'000 * i, Direction::kInbound);
    }
  }
  Process card(
      Card({"--socket", folder / "card", "--port",
            fmt::format("0=pcap:{},gap=120-400,start={}", folder / "market", folder / "start"),
            "--samples", folder / "samples.csv", "--status-interval", "0.1"}));
  AwaitReady(card);
  Client client = Connect(folder / "card");
  for (uint32_t offset = 0; offset < 60; offset += 4) {
    if (offset != 48) WriteWord(client, kConnectionControl - 48 + offset, 0x01020304);
  }
  WriteWord(client, kConnectionControl + 8, 0);  // no VLAN tag
  WriteWord(client, kConnectionControl, 1);
  WriteWord(client, 0x08010, 7);  // connection
  WriteWord(client, 0x08014, 4);  // length
  WriteWord(client, kArm, 1);
  while ((ReadWord(client, 0x08020) & 1) == 0) std::this_thread::yield();
  std::ofstream(folder / "start").close();
  json line;
  do {
    ASSERT_TRUE(card.ReadLine(line));
  } while (line.value("triggers", 0) < kTriggers);
  card.Signal(SIGTERM);
  const Result r = card.Finish();
  EXPECT_EQ(r.exit_code, 0);
  const json& trades = r.Event("summary")["tick_to_trade"];
  EXPECT_EQ(trades["triggers"], kTriggers);
  EXPECT_EQ(trades["answered"], kTriggers);
  EXPECT_EQ(trades["lost"], 0);
  const double transceiver_ns = 160 / 10.3125;
  EXPECT_GT(trades["sof_to_sof_ns"]["min"], transceiver_ns + 98 / 10.3125);
  EXPECT_LT(trades["sof_to_sof_ns"]["max"], transceiver_ns + 98 / 10.3125 + 30);
  std::ifstream samples(folder / "samples.csv");
  int lines = 0;
  for (std::string text; std::getline(samples, text);) ++lines;
  EXPECT_EQ(lines, kTriggers + 1);
}

}  // namespace
}  // namespace ullnic
