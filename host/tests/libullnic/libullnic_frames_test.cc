// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames in both directions through the DMA model: contents and order at every size, rings that
// wrap and fill, packets that a card must not send.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <thread>

#include "card_process.h"
#include "test_card.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"

extern "C" {
#include "../../libullnic/internal.h"
}

namespace ullnic::test_card {
namespace {

constexpr size_t kLeast = 14;

std::vector<uint8_t> DataOf(const ullnic_frame& frame) {
  return {frame.data, frame.data + frame.len};
}

// Sends frames as fast as the ring accepts them and checks what is received.
void Loop(ullnic_port_t* port, std::mt19937_64& rng, size_t frames, size_t most, size_t stripped) {
  std::deque<std::vector<uint8_t>> under_way;
  size_t sent = 0;
  size_t received = 0;
  uint32_t sequence = 0;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (received < frames && std::chrono::steady_clock::now() < limit) {
    for (unsigned burst = static_cast<unsigned>(rng() % 64); burst != 0 && sent < frames; --burst) {
      if (under_way.size() == 512) break;
      std::vector<uint8_t> frame = RandomFrame(rng, kLeast, most);
      const int result = ullnic_send_raw(port, frame.data(), frame.size());
      if (result == -EAGAIN) break;
      ASSERT_EQ(result, 0) << ullnic_last_error();
      under_way.push_back(std::move(frame));
      ++sent;
    }
    ullnic_frame frame;
    int result = 0;
    for (unsigned burst = static_cast<unsigned>(rng() % 64);
         burst != 0 && (result = ullnic_receive(port, &frame)) == 1; --burst) {
      ASSERT_FALSE(under_way.empty());
      const std::vector<uint8_t>& expected = under_way.front();
      ASSERT_EQ(frame.len, expected.size() + stripped);
      ASSERT_EQ(std::memcmp(frame.data + stripped, expected.data(), expected.size()), 0)
          << "frame " << received << " of " << expected.size() << " bytes";
      ASSERT_EQ(frame.type, ULLNIC_FRAME_RECEIVED);
      ASSERT_EQ(frame.seq, sequence++);
      under_way.pop_front();
      ++received;
    }
    ASSERT_GE(result, 0) << ullnic_last_error();
  }
  ASSERT_EQ(received, frames) << "of " << sent << " sent";
}

TEST(Frames, HundredThousandOfRandomSizes) {
  OpenCard open;
  std::mt19937_64 rng(Seed());
  Loop(open.port(), rng, 100'000, 1514, 0);
  // Register accesses per frame: one to send, and buffers are returned to the card in groups.
  const uint32_t doorbells = open.Read(kDoorbells);
  EXPECT_LT(doorbells, 100'000 * 102 / 100);
  EXPECT_EQ(open.Read(kInterrupts), 0u) << "nobody asked for one";
  EXPECT_EQ(open.Read(kBadChunks), 0u);
}

// With 5 buffers per frame the ring of 2048 wraps in mid-frame four times out of five.
TEST(Frames, LongOnesOverTheEndOfTheRing) {
  OpenCard open;
  std::mt19937_64 rng(Seed());
  Loop(open.port(), rng, 6'000, ULLNIC_MAX_FRAME, 0);
}

// The same through the loop of the simulation's own tests, which leaves the chunk's header (8
// bytes) and padding (2) before the frame. Its registers are plain memory, initialised as a card's.
TEST(Frames, LoopOfTheModel) {
  CardProcess process({}, LOOP_CARD);
  {
    ul_transport* transport = nullptr;
    const std::string name = process.name();
    ASSERT_EQ(ul_vfio_user_open(name.c_str(), process.socket().c_str(), &transport), 0)
        << ullnic_last_error();
    const auto write = [&](uint32_t address, uint32_t value) {
      EXPECT_EQ(transport->ops->write32(transport, UL_BAR_CARD, address, value), 0);
    };
    write(ULLNIC_CARD_REGISTER(ID), CARD_REGS__ID__ID_reset);
    write(ULLNIC_CARD_REGISTER(VERSION),
          CARD_REGS__VERSION__MAJOR_reset << CARD_REGS__VERSION__MAJOR_bp);
    write(ULLNIC_CARD_REGISTER(CARD), 2u << CARD_REGS__CARD__PORTS_bp);
    uint32_t id = 0;
    EXPECT_EQ(transport->ops->read32(transport, UL_BAR_CARD, 0, &id), 0);
    transport->ops->close(transport);
  }
  ullnic_t* card = nullptr;
  ullnic_port_t* port = nullptr;
  ASSERT_EQ(ullnic_open(process.name().c_str(), &card), 0) << ullnic_last_error();
  ASSERT_EQ(ullnic_port_open(card, 1, &port), 0) << ullnic_last_error();
  std::mt19937_64 rng(Seed());
  Loop(port, rng, 20'000, ULLNIC_MAX_FRAME - 10, 10);
  ullnic_close(card);
}

TEST(Frames, EveryLengthAroundBuffersEnds) {
  OpenCard open;
  std::mt19937_64 rng(Seed());
  std::vector<size_t> lengths = {14, 15, 16, 17, 59, 60, 61, 1514, ULLNIC_MAX_FRAME};
  for (size_t buffers = 1; buffers <= 4; ++buffers) {
    for (int around = -2; around <= 2; ++around) lengths.push_back(2048 * buffers - 16 + around);
  }
  for (const size_t length : lengths) {
    const std::vector<uint8_t> frame = RandomFrame(rng, length, length);
    ASSERT_EQ(ullnic_send_raw(open.port(), frame.data(), frame.size()), 0) << ullnic_last_error();
    ullnic_frame back;
    ASSERT_EQ(ReceiveSoon(open.port(), &back), 1) << ullnic_last_error();
    EXPECT_EQ(DataOf(back), frame);
  }
}

TEST(Frames, LongerThanThePortTakes) {
  OpenCard open(2);
  const std::vector<uint8_t> frame(ULLNIC_MAX_FRAME);
  EXPECT_EQ(ullnic_send_raw(open.port(0), frame.data(), frame.size()), 0) << ullnic_last_error();
  EXPECT_EQ(ullnic_send_raw(open.port(1), frame.data(), 1518), 0) << ullnic_last_error();
  for (const size_t length : {size_t{1519}, frame.size()}) {
    EXPECT_TRUE(Failed(ullnic_send_raw(open.port(1), frame.data(), length), EMSGSIZE,
                       "frame of " + std::to_string(length), "port 1 sends at most 1518"));
  }
}

// Its registers do not state the limit.
TEST(Frames, LongOnACardOfVersionOne) {
  OpenCard open(2, {"--version", std::to_string(1 << 16)});
  const std::vector<uint8_t> frame(ULLNIC_MAX_FRAME);
  EXPECT_EQ(ullnic_send_raw(open.port(1), frame.data(), frame.size()), 0) << ullnic_last_error();
}

TEST(Frames, LengthsThatAreNone) {
  OpenCard open;
  const std::vector<uint8_t> frame(ULLNIC_MAX_FRAME + 1);
  for (const size_t length : {size_t{0}, size_t{13}, frame.size(), SIZE_MAX}) {
    EXPECT_TRUE(Failed(ullnic_send_raw(open.port(), frame.data(), length), EINVAL,
                       "not " + std::to_string(length), "14 to 9618"));
  }
  EXPECT_EQ(ullnic_send_pending(open.port()), 0u);
}

// Split anywhere, with empty segments between.
TEST(Frames, InPieces) {
  OpenCard open(2);
  std::mt19937_64 rng(Seed());
  for (unsigned round = 0; round < 500; ++round) {
    const std::vector<uint8_t> frame = RandomFrame(rng, kLeast, ULLNIC_MAX_FRAME);
    std::vector<ullnic_piece> pieces;
    for (size_t at = 0; at < frame.size();) {
      const size_t bytes = std::min<size_t>(rng() % 4000, frame.size() - at);
      pieces.push_back({frame.data() + at, bytes});
      at += bytes;
    }
    pieces.push_back({nullptr, 0});
    ASSERT_EQ(ullnic_send_gather(open.port(), pieces.data(), static_cast<unsigned>(pieces.size())),
              0)
        << ullnic_last_error();
    ullnic_frame back;
    ASSERT_EQ(ReceiveSoon(open.port(), &back), 1) << ullnic_last_error();
    ASSERT_EQ(DataOf(back), frame);
  }
}

TEST(Frames, PiecesThatAreNoFrame) {
  OpenCard open(2);
  const std::vector<uint8_t> frame(ULLNIC_MAX_FRAME);
  const auto pieces = [&](size_t first, size_t second) {
    return std::vector<ullnic_piece>{{frame.data(), first}, {frame.data(), second}};
  };
  EXPECT_TRUE(Failed(ullnic_send_gather(open.port(), nullptr, 0), EINVAL, "not 0", "14 to 9618"));
  EXPECT_TRUE(Failed(ullnic_send_gather(open.port(), pieces(6, 7).data(), 2), EINVAL, "not 13",
                     "14 to 9618"));
  EXPECT_TRUE(Failed(ullnic_send_gather(open.port(), pieces(9618, 1).data(), 2), EINVAL, "not 9619",
                     "14 to 9618"));
  EXPECT_TRUE(Failed(ullnic_send_gather(open.port(), pieces(20, SIZE_MAX - 10).data(), 2), EINVAL,
                     "a frame has", "14 to 9618"));
  EXPECT_TRUE(Failed(ullnic_send_gather(open.port(1), pieces(1000, 519).data(), 2), EMSGSIZE,
                     "frame of 1519", "port 1 sends at most 1518"));
  EXPECT_EQ(ullnic_send_pending(open.port()), 0u);
  EXPECT_EQ(ullnic_max_frame(open.card(), 0), unsigned{ULLNIC_MAX_FRAME});
  EXPECT_EQ(ullnic_max_frame(open.card(), 1), 1518u);
  EXPECT_EQ(ullnic_max_frame(open.card(), 2), 0u);
}

// One thread sends, another receives.
TEST(Frames, SentAndReceivedByTwoThreads) {
  constexpr uint32_t kFrames = 50'000;
  OpenCard open;
  std::atomic<bool> failed = false;
  std::atomic<uint32_t> received = 0;
  std::thread sender([&] {
    std::vector<uint8_t> frame(64);
    for (uint32_t number = 0; number < kFrames && !failed;) {
      std::memcpy(frame.data(), &number, sizeof number);
      // The card drops frames without a buffer.
      const bool room = number - received < 512;
      const int result = room ? ullnic_send_raw(open.port(), frame.data(), frame.size()) : -EAGAIN;
      if (result == 0) {
        ++number;
      } else if (result == -EAGAIN) {
        std::this_thread::yield();
      } else {
        failed = true;
      }
    }
  });
  for (uint32_t number = 0; number < kFrames && !failed; ++number) {
    ullnic_frame frame;
    uint32_t carried = 0;
    failed = ReceiveSoon(open.port(), &frame) != 1 || frame.len != 64 ||
             (std::memcpy(&carried, frame.data, sizeof carried), carried != number);
    ++received;
  }
  sender.join();
  EXPECT_FALSE(failed) << "frame " << received << ": " << ullnic_last_error();
}

TEST(Frames, PortsAreApart) {
  OpenCard open(2);
  for (unsigned round = 0; round < 500; ++round) {
    for (unsigned port : {0u, 1u}) {
      const std::vector<uint8_t> frame(60 + round, static_cast<uint8_t>(port));
      ASSERT_EQ(ullnic_send_raw(open.port(port), frame.data(), frame.size()), 0);
    }
    for (unsigned port : {1u, 0u}) {
      ullnic_frame frame;
      ASSERT_EQ(ReceiveSoon(open.port(port), &frame), 1) << ullnic_last_error();
      EXPECT_EQ(frame.port, port);
      EXPECT_EQ(frame.seq, round);
      EXPECT_EQ(frame.timestamp, 1000u * round);
      EXPECT_EQ(DataOf(frame), std::vector<uint8_t>(60 + round, static_cast<uint8_t>(port)));
    }
  }
}

// Each port has its thread, two more read registers.
TEST(Frames, ThreadsOfPortsAreApart) {
  OpenCard open(2);
  const uint64_t seed = Seed();
  std::atomic<bool> done = false;
  const auto read = [&](uint32_t address, uint32_t value) {
    while (!done) ASSERT_EQ(open.Read(address), value);
  };
  std::thread id(read, ULLNIC_CARD_REGISTER(ID), CARD_REGS__ID__ID_reset);
  std::thread tcp(read, ULLNIC_CARD_REGISTER(TCP_ENABLES), 2);
  std::thread other([&] {
    std::mt19937_64 rng(seed + 1);
    Loop(open.port(1), rng, 3'000, 1514, 0);
  });
  std::mt19937_64 rng(seed);
  Loop(open.port(0), rng, 3'000, 1514, 0);
  other.join();
  done = true;
  id.join();
  tcp.join();
}

// The card accepts nothing: the ring fills, nothing is lost, and sending resumes.
TEST(BackPressure, SendRing) {
  OpenCard open;
  open.Write(kHold, 1);
  std::vector<std::vector<uint8_t>> sent;
  std::mt19937_64 rng(Seed());
  int result = 0;
  while (sent.size() < 1000) {
    std::vector<uint8_t> frame = RandomFrame(rng, kLeast, 1514);
    result = ullnic_send_raw(open.port(), frame.data(), frame.size());
    if (result != 0) break;
    sent.push_back(std::move(frame));
  }
  EXPECT_TRUE(Failed(result, EAGAIN, "send ring is full", "try again"));
  EXPECT_EQ(sent.size(), UL_SEND_SLOTS - 1);
  EXPECT_EQ(ullnic_send_pending(open.port()), UL_SEND_SLOTS - 1);
  ullnic_frame frame;
  EXPECT_EQ(ullnic_receive(open.port(), &frame), 0);
  open.Write(kHold, 0);
  for (const std::vector<uint8_t>& expected : sent) {
    ASSERT_EQ(ReceiveSoon(open.port(), &frame), 1) << ullnic_last_error();
    ASSERT_EQ(DataOf(frame), expected);
  }
  EXPECT_EQ(ullnic_send_raw(open.port(), sent[0].data(), sent[0].size()), 0);
}

// The count of frames not fetched by the card, for all positions of the ring's indices: also when
// the writer's has wrapped and the card's has not, with one slot left, and with none.
TEST(BackPressure, PendingCountsOverTheEndOfTheRing) {
  OpenCard open;
  const std::vector<uint8_t> frame(60, 1);
  ullnic_frame back;
  unsigned wrapped = 0;
  // No divisor of the ring's size, so that a burst begins at each distance from its end.
  constexpr unsigned kSizes[] = {
      1, 2, 7, UL_SEND_SLOTS / 2 + 1, UL_SEND_SLOTS - 2, UL_SEND_SLOTS - 1};
  for (unsigned round = 0; round < 60; ++round) {
    const unsigned burst = kSizes[round % std::size(kSizes)];
    open.Write(kHold, 1);
    ASSERT_EQ(ullnic_send_pending(open.port()), 0u);
    for (unsigned i = 1; i <= burst; ++i) {
      ASSERT_EQ(ullnic_send_raw(open.port(), frame.data(), frame.size()), 0) << ullnic_last_error();
      ASSERT_EQ(ullnic_send_pending(open.port()), i) << "round " << round;
    }
    wrapped += open.port()->send.pidx < open.port()->send.cidx;
    if (burst == UL_SEND_SLOTS - 1) {
      EXPECT_TRUE(Failed(ullnic_send_raw(open.port(), frame.data(), frame.size()), EAGAIN,
                         "send ring is full", "try again"));
      ASSERT_EQ(ullnic_send_pending(open.port()), burst);
    }
    open.Write(kHold, 0);
    for (unsigned i = 0; i < burst; ++i) {
      ASSERT_EQ(ReceiveSoon(open.port(), &back), 1) << ullnic_last_error();
    }
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (ullnic_send_pending(open.port()) != 0) {
      ASSERT_LT(std::chrono::steady_clock::now(), limit);
    }
  }
  EXPECT_GT(wrapped, 10u) << "no burst lay across the end of the ring";
}

// No reads: buffers run out, the card buffers frames, and all of them arrive later.
TEST(BackPressure, ReceiveRing) {
  OpenCard open;
  constexpr unsigned kFrames = 3 * UL_BUFFERS;
  for (unsigned i = 0; i < kFrames;) {
    std::vector<uint8_t> frame(60);
    std::memcpy(frame.data(), &i, sizeof i);
    const int result = ullnic_send_raw(open.port(), frame.data(), frame.size());
    ASSERT_TRUE(result == 0 || result == -EAGAIN) << ullnic_last_error();
    i += result == 0;
  }
  while (ullnic_send_pending(open.port()) != 0) {
  }
  for (unsigned i = 0; i < kFrames; ++i) {
    ullnic_frame frame;
    ASSERT_EQ(ReceiveSoon(open.port(), &frame), 1) << ullnic_last_error();
    unsigned number = 0;
    std::memcpy(&number, frame.data, sizeof number);
    ASSERT_EQ(number, i);
  }
}

TEST(Doorbells, HoldCollectsThem) {
  OpenCard open;
  const std::vector<uint8_t> frame(60, 1);
  const uint32_t before = open.Read(kDoorbells);
  ullnic_send_hold(open.port());
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(ullnic_send_raw(open.port(), frame.data(), frame.size()), 0);
  }
  EXPECT_EQ(open.Read(kDoorbells), before);
  ullnic_frame back;
  EXPECT_EQ(ullnic_receive(open.port(), &back), 0);
  EXPECT_EQ(ullnic_send_release(open.port()), 0);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(ReceiveSoon(open.port(), &back), 1);
  EXPECT_EQ(open.Read(kDoorbells), before + 1);
  EXPECT_EQ(ullnic_send_release(open.port()), 0);
  EXPECT_EQ(open.Read(kDoorbells), before + 1) << "nothing was new";
}

// Buffers are returned in groups, once a full group has been read; a reopened port starts from
// zero.
TEST(Doorbells, BuffersGoBackInGroups) {
  OpenCard open;
  const std::vector<uint8_t> frame(60, 1);
  ullnic_port_t* port = open.port();
  for (unsigned round = 0; round < 2; ++round) {
    const uint32_t before = open.Read(kDoorbells);
    for (unsigned i = 1; i <= 2 * UL_GIVE_BACK + 1; ++i) {
      ASSERT_EQ(ullnic_send_raw(port, frame.data(), frame.size()), 0);
      ullnic_frame back;
      ASSERT_EQ(ReceiveSoon(port, &back), 1) << ullnic_last_error();
      // One for each send; completions and buffers for each group, when the next frame is read.
      ASSERT_EQ(open.Read(kDoorbells), before + i + 2 * ((i - 1) / UL_GIVE_BACK)) << i;
    }
    ullnic_port_close(port);
    ASSERT_EQ(ullnic_port_open(open.card(), 0, &port), 0) << ullnic_last_error();
  }
}

// Held sends are released when the ring is full.
TEST(Doorbells, FullRingIsTold) {
  OpenCard open;
  const std::vector<uint8_t> frame(60, 1);
  ullnic_send_hold(open.port());
  unsigned sent = 0;
  while (ullnic_send_raw(open.port(), frame.data(), frame.size()) == 0) ++sent;
  EXPECT_EQ(sent, UL_SEND_SLOTS - 1);
  ullnic_frame back;
  for (unsigned i = 0; i < sent; ++i) ASSERT_EQ(ReceiveSoon(open.port(), &back), 1);
}

TEST(BadPackets, AreToldOf) {
  const struct {
    uint32_t header;
    uint32_t bytes;
    const char* cause;
  } cases[] = {
      {61, 60, "header does not fit"},            // length
      {60 | 3 << 16, 60, "header does not fit"},  // type
      {60 | 1 << 24, 60, "header does not fit"},  // port
      {0, 0, "impossible size"},
      {9619, 9619, "impossible size"},
  };
  for (const auto& each : cases) {
    OpenCard open;
    open.Write(kInjectHeader, each.header);
    open.Write(kInject, each.bytes);
    ullnic_frame frame;
    EXPECT_TRUE(Failed(ReceiveSoon(open.port(), &frame), EPROTO, each.cause, "open it anew"));
    EXPECT_TRUE(Failed(ullnic_receive(open.port(), &frame), EPROTO, "before", "open it anew"));
    EXPECT_EQ(ullnic_port_arm(open.port()), 1) << "a sleeper would not learn of it";
    ullnic_port_close(open.port());
    ullnic_port_t* again = nullptr;
    ASSERT_EQ(ullnic_port_open(open.card(), 0, &again), 0) << ullnic_last_error();
    const std::vector<uint8_t> good(60, 7);
    EXPECT_EQ(ullnic_send_raw(again, good.data(), good.size()), 0);
    EXPECT_EQ(ReceiveSoon(again, &frame), 1) << ullnic_last_error();
  }
}

// The minimum and maximum values that a packet's header may have.
TEST(BadPackets, LimitsAreNot) {
  OpenCard open;
  for (const uint32_t type : {0u, 1u, 2u}) {
    for (const uint32_t bytes : {1u, 9618u}) {
      open.Write(kInjectHeader, bytes | type << 16);
      open.Write(kInject, bytes);
      ullnic_frame frame;
      ASSERT_EQ(ReceiveSoon(open.port(), &frame), 1) << ullnic_last_error();
      EXPECT_EQ(frame.len, bytes);
      EXPECT_EQ(frame.type, type);
    }
  }
}

// A queue that the DMA has stopped, here because of a doorbell out of range.
TEST(StoppedQueues, AreToldOf) {
  OpenCard open;
  ullnic_t* card = open.card();
  ASSERT_EQ(ul_qdma_ring(&card->qdma, 0, QDMA_DOORBELL_H2C, 9999), 0);
  const std::vector<uint8_t> frame(60, 1);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  int result = 0;
  while ((result == 0 || result == -EAGAIN) && std::chrono::steady_clock::now() < limit) {
    result = ullnic_send_raw(open.port(), frame.data(), frame.size());
  }
  EXPECT_TRUE(Failed(result, EIO, "stopped the send ring", "open it anew"));
  ASSERT_EQ(ul_qdma_ring(&card->qdma, 0, QDMA_DOORBELL_C2H, 9999), 0);
  ullnic_frame got;
  EXPECT_TRUE(Failed(ReceiveSoon(open.port(), &got), EPROTO, "an error", "open it anew"));
}

TEST(Ports, OpenAndClose) {
  OpenCard open(1);
  ullnic_port_t* port = nullptr;
  EXPECT_TRUE(Failed(ullnic_port_open(open.card(), 0, &port), EBUSY, "open already", "close it"));
  EXPECT_TRUE(Failed(ullnic_port_open(open.card(), 2, &port), EINVAL, "no port 2", "0 to 1"));
  EXPECT_EQ(port, nullptr);
  ullnic_port_close(nullptr);
  ullnic_close(nullptr);
  const std::vector<uint8_t> frame(60, 1);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(ullnic_port_open(open.card(), 1, &port), 0) << ullnic_last_error();
    for (int k = 0; k <= i; ++k) {
      ASSERT_EQ(ullnic_send_raw(port, frame.data(), frame.size()), 0);
      ullnic_frame back;
      ASSERT_EQ(ReceiveSoon(port, &back), 1) << ullnic_last_error();
    }
    ullnic_port_close(port);
  }
}

// The DMA releases a closed port's rings, and no others.
TEST(Ports, CloseStopsOneQueue) {
  for (const unsigned closed : {0u, 1u}) {
    OpenCard open(2);
    ullnic_port_close(open.port(closed));
    for (const unsigned queue : {0u, 1u}) {
      for (const qdma_selector selector : {QDMA_SW_H2C, QDMA_SW_C2H}) {
        uint32_t context[QDMA_CONTEXT_WORDS] = {};
        ASSERT_EQ(ul_qdma_context_read(&open.card()->qdma, selector, queue, context), 0);
        EXPECT_EQ((context[1] & QDMA_SW_ENABLE) != 0, queue != closed);
      }
    }
  }
}

}  // namespace
}  // namespace ullnic::test_card
