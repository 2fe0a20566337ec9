// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Capture files: written, read back with libpcap, and sent by a port.

#include <pcap/pcap.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "capture/pcapng_writer.h"
#include "core/user_error.h"
#include "port/pcap_port.h"
#include "test_support.h"

namespace ullnic {
namespace {

class Files : public SeededTest {
 protected:
  void SetUp() override {
    SeededTest::SetUp();
    char pattern[] = "/tmp/ullnic-test-XXXXXX";
    directory_ = mkdtemp(pattern);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string Path(const std::string& name) const { return directory_ + "/" + name; }
  std::string directory_;
};

struct ReadBack {
  int64_t time_ns;
  uint32_t full_bytes;
  Bytes bytes;
};

// Reads with libpcap, which is independent of the writer.
std::vector<ReadBack> ReadCapture(const std::string& path) {
  char message[PCAP_ERRBUF_SIZE] = "";
  pcap_t* reader =
      pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, message);
  EXPECT_NE(reader, nullptr) << message;
  std::vector<ReadBack> frames;
  if (reader == nullptr) return frames;
  EXPECT_EQ(pcap_datalink(reader), DLT_EN10MB);
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  int result = 0;
  while ((result = pcap_next_ex(reader, &header, &data)) == 1) {
    frames.push_back({header->ts.tv_sec * 1'000'000'000 + header->ts.tv_usec, header->len,
                      Bytes(data, data + header->caplen)});
  }
  EXPECT_EQ(result, PCAP_ERROR_BREAK) << pcap_geterr(reader);
  pcap_close(reader);
  return frames;
}

using Capture = Files;

TEST_F(Capture, FramesComeBackInOrderOfTimeWithNanoseconds) {
  constexpr int64_t kEpochNs = 1'700'000'000'123'456'789;
  std::map<int64_t, Bytes> written;  // by time
  {
    PcapngWriter writer({.path = Path("c.pcapng"), .if_name = "port-a", .epoch_ns = kEpochNs});
    int64_t time_ps = 5;
    for (int i = 0; i < 1000; ++i) {
      time_ps += 1000 + static_cast<int64_t>(rng_.Below(2'000'000));
      // Up to 10 us late, as a long frame is handed over.
      const int64_t stamp_ps = time_ps - static_cast<int64_t>(rng_.Below(10'000'000));
      Bytes bytes = RandomBytes(rng_.Range(1, 200), rng_);
      if (!written.emplace(kEpochNs + stamp_ps / 1000, bytes).second) continue;
      writer.Write(bytes, stamp_ps, i % 2 != 0 ? Direction::kInbound : Direction::kOutbound);
    }
    writer.Flush();
  }
  const auto frames = ReadCapture(Path("c.pcapng"));
  ASSERT_EQ(frames.size(), written.size());
  auto want = written.begin();
  for (const ReadBack& f : frames) {
    EXPECT_EQ(f.time_ns, want->first);
    EXPECT_EQ(f.bytes, want->second);
    EXPECT_EQ(f.full_bytes, want->second.size());
    ++want;
  }
}

TEST_F(Capture, SnapLengthKeepsTheStartAndTheFullLength) {
  const Bytes bytes = RandomBytes(500, rng_);
  {
    PcapngWriter writer({.path = Path("s.pcapng"), .if_name = "x", .snap_bytes = 101});
    writer.Write(bytes, 0, Direction::kInbound);
  }
  const auto frames = ReadCapture(Path("s.pcapng"));
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].full_bytes, 500u);
  EXPECT_EQ(frames[0].bytes, Bytes(bytes.begin(), bytes.begin() + 101));
}

TEST_F(Capture, TheDirectionStandsInTheFile) {
  {
    PcapngWriter writer({.path = Path("d.pcapng"), .if_name = "x"});
    writer.Write(Bytes(60, 0xaa), 0, Direction::kOutbound);
  }
  std::ifstream file(Path("d.pcapng"), std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  // The last block ends: option 2 of 4 bytes, value 2 (outbound), end of options, block length.
  const std::string tail("\x02\x00\x04\x00\x02\x00\x00\x00\x00\x00\x00\x00", 12);
  EXPECT_EQ(all.substr(all.size() - 16, 12), tail);
}

TEST_F(Capture, AFileThatCannotBeIsAnError) {
  EXPECT_THROW(PcapngWriter({.path = "/nonexistent/x.pcapng"}), UserError);
}

using CaptureFilePort = Files;

TEST_F(CaptureFilePort, SendsFramesInOrderLoopsAndLeavesOutWhatCannotCross) {
  std::vector<Bytes> good;
  {
    PcapngWriter writer({.path = Path("in.pcapng"), .if_name = "x"});
    for (int i = 0; i < 20; ++i) {
      const bool too_long = i == 7;
      Bytes bytes = RandomBytes(too_long ? 9619 : 60 + rng_.Below(100), rng_);
      writer.Write(bytes, i * 1000, Direction::kInbound);
      if (!too_long) good.push_back(bytes);
    }
  }
  PcapPort port({.in_path = Path("in.pcapng"), .out_path = Path("out.pcapng"), .loops = 3});
  Frame frame;
  size_t n = 0;
  for (; port.Receive(frame); ++n) {
    ASSERT_EQ(frame.bytes, good[n % good.size()]);
    port.Deliver(frame.bytes, static_cast<int64_t>(n) * 1'000'000);
  }
  EXPECT_EQ(n, 3 * good.size());
  EXPECT_TRUE(port.finished());
  EXPECT_EQ(port.counters().refused_in, 3u);
  EXPECT_EQ(port.Finish(true), "");
  const auto out = ReadCapture(Path("out.pcapng"));
  ASSERT_EQ(out.size(), n);
  EXPECT_EQ(out[1].bytes, good[1]);
  EXPECT_EQ(out[1].time_ns, 1000);
}

TEST_F(CaptureFilePort, PausesAreDrawnFromTheirRange) {
  {
    PcapngWriter writer({.path = Path("in.pcapng"), .if_name = "x"});
    writer.Write(Bytes(60, 1), 0, Direction::kInbound);
  }
  PcapPort port({.in_path = Path("in.pcapng"),
                 .loops = 200,
                 .min_gap_bytes = 40,
                 .max_gap_bytes = 63,
                 .word_bytes = 4,
                 .seed = rng_.Next()});
  std::set<uint32_t> pauses;
  for (Frame frame; port.Receive(frame);) pauses.insert(frame.idle_cycles_before);
  EXPECT_EQ(pauses, (std::set<uint32_t>{10, 11, 12, 13, 14, 15}));
}

TEST_F(CaptureFilePort, WaitsForTheFileThatStartsIt) {
  {
    PcapngWriter writer({.path = Path("in.pcapng"), .if_name = "x"});
    writer.Write(Bytes(60, 1), 0, Direction::kInbound);
  }
  PcapPort port({.in_path = Path("in.pcapng"), .start_path = Path("go")});
  Frame frame;
  EXPECT_FALSE(port.Receive(frame));
  EXPECT_FALSE(port.finished());
  std::ofstream(Path("go")) << "go";
  EXPECT_TRUE(port.Receive(frame));
}

TEST_F(CaptureFilePort, CutFramesAreLeftOut) {
  {
    PcapngWriter writer({.path = Path("cut.pcapng"), .if_name = "x", .snap_bytes = 64});
    writer.Write(Bytes(65, 1), 0, Direction::kInbound);
    writer.Write(Bytes(64, 2), 1000, Direction::kInbound);
  }
  PcapPort port({.in_path = Path("cut.pcapng")});
  Frame frame;
  ASSERT_TRUE(port.Receive(frame));
  EXPECT_EQ(frame.bytes, Bytes(64, 2));
  EXPECT_FALSE(port.Receive(frame));
  EXPECT_EQ(port.counters().refused_in, 1u);
}

TEST_F(CaptureFilePort, BadFilesAreErrors) {
  EXPECT_THROW(PcapPort({.in_path = Path("missing")}), UserError);
  std::ofstream(Path("text")) << "this is not a capture";
  EXPECT_THROW(PcapPort({.in_path = Path("text")}), UserError);
  {
    PcapngWriter writer({.path = Path("whole.pcapng"), .if_name = "x"});
    for (int i = 0; i < 3; ++i) writer.Write(Bytes(100, 1), i * 1000, Direction::kInbound);
  }
  std::filesystem::resize_file(Path("whole.pcapng"),
                               std::filesystem::file_size(Path("whole.pcapng")) - 50);
  PcapPort port({.in_path = Path("whole.pcapng")});
  Frame frame;
  EXPECT_TRUE(port.Receive(frame));
  EXPECT_TRUE(port.Receive(frame));
  EXPECT_THROW(port.Receive(frame), UserError);
}

}  // namespace
}  // namespace ullnic
