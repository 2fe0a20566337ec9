// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Sleeping until a frame arrives, and the end of the card in every state of its user.

#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "card_process.h"
#include "test_card.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"

namespace ullnic::test_card {
namespace {

using std::chrono::milliseconds;

const std::vector<uint8_t> kFrame(60, 1);

bool Readable(ullnic_port_t* port, int timeout_ms) {
  pollfd waiting{ullnic_port_fd(port), POLLIN, 0};
  return poll(&waiting, 1, timeout_ms) == 1;
}

TEST(Interrupts, WakeTheSleeper) {
  OpenCard open;
  ullnic_frame frame;
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(ullnic_port_arm(open.port()), 0) << ullnic_last_error();
    if (i % 50 == 0) {
      EXPECT_FALSE(Readable(open.port(), 20)) << "nothing has come";
    }
    ASSERT_EQ(ullnic_send_raw(open.port(), kFrame.data(), kFrame.size()), 0);
    ASSERT_TRUE(Readable(open.port(), 5000)) << "no wake-up, round " << i;
    ASSERT_EQ(ReceiveSoon(open.port(), &frame), 1) << ullnic_last_error();
    ASSERT_EQ(ullnic_receive(open.port(), &frame), 0);
  }
  EXPECT_GE(open.Read(kInterrupts), 200u);
}

// Like event loops: the port's descriptor inside another, edge-triggered epoll.
TEST(Interrupts, InsideAnEdgeTriggeredEpoll) {
  OpenCard open;
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  epoll_event watched{};
  watched.events = EPOLLIN | EPOLLET;
  ASSERT_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, ullnic_port_fd(open.port()), &watched), 0);
  ullnic_frame frame;
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(ullnic_port_arm(open.port()), 0) << ullnic_last_error();
    ASSERT_EQ(ullnic_send_raw(open.port(), kFrame.data(), kFrame.size()), 0);
    epoll_event event;
    ASSERT_EQ(epoll_wait(epoll, &event, 1, 5000), 1) << "no wake-up, round " << i;
    ASSERT_EQ(ReceiveSoon(open.port(), &frame), 1) << ullnic_last_error();
  }
  ASSERT_EQ(ullnic_port_arm(open.port()), 0);
  open.process().Kill();
  epoll_event event;
  EXPECT_EQ(epoll_wait(epoll, &event, 1, 5000), 1) << "the end wakes nobody";
  close(epoll);
}

TEST(Interrupts, NotWhileNobodyAsks) {
  OpenCard open;
  ullnic_frame frame;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(ullnic_send_raw(open.port(), kFrame.data(), kFrame.size()), 0);
    ASSERT_EQ(ReceiveSoon(open.port(), &frame), 1);
  }
  EXPECT_EQ(open.Read(kInterrupts), 0u);
  EXPECT_FALSE(Readable(open.port(), 0));
}

TEST(Interrupts, ArmSeesWhatWaits) {
  OpenCard open;
  ASSERT_EQ(ullnic_send_raw(open.port(), kFrame.data(), kFrame.size()), 0);
  open.Read(kDoorbells);  // once the read completes, the card has the doorbell
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  int armed = 0;
  while ((armed = ullnic_port_arm(open.port())) == 0 && std::chrono::steady_clock::now() < limit) {
  }
  EXPECT_EQ(armed, 1) << ullnic_last_error();
}

// Frames arrive at any time around the arming: none is missed.
TEST(Interrupts, NoneIsMissed) {
  OpenCard open;
  std::mt19937_64 rng(Seed());
  constexpr unsigned kFrames = 20'000;
  unsigned received = 0;
  unsigned sleeps = 0;
  ullnic_frame frame;
  for (unsigned sent = 0; received < kFrames;) {
    for (unsigned burst = static_cast<unsigned>(rng() % 4) + 1; burst && sent < kFrames; --burst) {
      const int result = ullnic_send_raw(open.port(), kFrame.data(), kFrame.size());
      if (result == -EAGAIN) break;
      ASSERT_EQ(result, 0) << ullnic_last_error();
      ++sent;
    }
    const auto pause_ends =
        std::chrono::steady_clock::now() + std::chrono::nanoseconds(rng() % 20'000);
    while (std::chrono::steady_clock::now() < pause_ends) {
    }
    while (received < sent) {
      while (ullnic_receive(open.port(), &frame) == 1) ++received;
      if (received == sent) break;
      const int armed = ullnic_port_arm(open.port());
      ASSERT_GE(armed, 0) << ullnic_last_error();
      if (armed == 0) {
        ++sleeps;
        ASSERT_TRUE(Readable(open.port(), 5000)) << "slept over frame " << received;
      }
    }
  }
  EXPECT_GT(sleeps, 0u);
}

TEST(Interrupts, PortsWakeApart) {
  OpenCard open(2);
  ASSERT_EQ(ullnic_port_arm(open.port(0)), 0);
  ASSERT_EQ(ullnic_port_arm(open.port(1)), 0);
  ASSERT_EQ(ullnic_send_raw(open.port(1), kFrame.data(), kFrame.size()), 0);
  EXPECT_TRUE(Readable(open.port(1), 5000));
  EXPECT_FALSE(Readable(open.port(0), 20));
}

// Every call on a card that has ended reports it at once, and closing still works.
TEST(EndOfTheCard, EveryCallTells) {
  OpenCard open(2);
  ASSERT_EQ(ullnic_port_arm(open.port(0)), 0);
  open.process().Kill();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(Readable(open.port(0), 5000)) << "a sleeper does not learn of the end";
  ullnic_frame frame;
  EXPECT_TRUE(Failed(ReceiveSoon(open.port(0), &frame), ENODEV, "has ended", "open it anew"));
  EXPECT_TRUE(Failed(ullnic_port_arm(open.port(1)), ENODEV, "has ended", "open it anew"));
  EXPECT_TRUE(Failed(ullnic_send_raw(open.port(1), kFrame.data(), kFrame.size()), ENODEV,
                     "has ended", "open it anew"));
  EXPECT_TRUE(Failed(ullnic_send_payload(open.port(1), 0, nullptr, 0), ENODEV, "has ended",
                     "open it anew"));
  uint32_t value = 0;
  EXPECT_TRUE(Failed(ullnic_read32(open.card(), 0, &value), ENODEV, "has ended", "open it anew"));
  EXPECT_TRUE(Failed(ullnic_write32(open.card(), 0, 0), ENODEV, "has ended", "open it anew"));
  EXPECT_TRUE(Failed(ullnic_ate_update(open.card(), 1, 0, 0, 0), EINVAL, "not set up", "setup"));
  EXPECT_TRUE(Failed(ullnic_ate_read_seq(open.card(), 1, 0, &value), ENODEV, "has ended", "anew"));
  ullnic_port_close(open.port(1));
  ullnic_port_t* port = nullptr;
  EXPECT_TRUE(Failed(ullnic_port_open(open.card(), 1, &port), ENODEV, "has ended", "open it anew"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

// Frames that had arrived are not lost with the card.
TEST(EndOfTheCard, LastFramesAreStillThere) {
  OpenCard open;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(ullnic_send_raw(open.port(), kFrame.data(), kFrame.size()), 0);
  }
  while (ullnic_send_pending(open.port()) != 0) {
  }
  std::this_thread::sleep_for(milliseconds(50));
  open.process().Kill();
  ullnic_frame frame;
  int received = 0;
  int result = 0;
  while ((result = ReceiveSoon(open.port(), &frame)) == 1) ++received;
  EXPECT_EQ(result, -ENODEV);
  EXPECT_EQ(received, 100);
}

TEST(EndOfTheCard, DuringARead) {
  OpenCard open(0);
  open.process().Stop();  // so that the read waits
  std::thread killer([&] {
    std::this_thread::sleep_for(milliseconds(50));
    open.process().Kill();
  });
  uint32_t value = 0;
  EXPECT_TRUE(Failed(ullnic_read32(open.card(), 0, &value), ENODEV, "has ended", "open it anew"));
  killer.join();
}

// While a ring is full.
TEST(EndOfTheCard, DuringBackPressure) {
  OpenCard open;
  open.Write(kHold, 1);
  while (ullnic_send_raw(open.port(), kFrame.data(), kFrame.size()) == 0) {
  }
  open.process().Kill();
  EXPECT_TRUE(Failed(ullnic_send_raw(open.port(), kFrame.data(), kFrame.size()), ENODEV,
                     "has ended", "open it anew"));
}

TEST(EndOfTheCard, OneThatDoesNotAnswer) {
  CardProcess process;
  process.Stop();
  ullnic_t* card = nullptr;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(Failed(ullnic_open(process.name().c_str(), &card), ETIMEDOUT, "no answer",
                     "another program holds it"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(8));
  process.Continue();
  ASSERT_EQ(ullnic_open(process.name().c_str(), &card), 0) << ullnic_last_error();
  ullnic_close(card);
}

}  // namespace
}  // namespace ullnic::test_card
