// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The library on a transport that is slow, whose socket accepts single bytes, or whose DMA reports
// one fault at a time.

#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "card_process.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"

extern "C" {
#include "../../libullnic/internal.h"
}

namespace ullnic::test_card {
namespace {

std::atomic<size_t> most_bytes{SIZE_MAX};  // that sendmsg() accepts per call
thread_local bool is_slow = false;

}  // namespace

extern "C" {
ssize_t __real_sendmsg(int fd, const msghdr* message, int flags);
ssize_t __wrap_sendmsg(int fd, const msghdr* message, int flags);

ssize_t __wrap_sendmsg(int fd, const msghdr* message, int flags) {
  iovec part = message->msg_iov[0];
  part.iov_len = std::min(part.iov_len, most_bytes.load());
  if (part.iov_len == message->msg_iov[0].iov_len) return __real_sendmsg(fd, message, flags);
  msghdr less = *message;
  less.msg_iov = &part;
  less.msg_iovlen = 1;
  return __real_sendmsg(fd, &less, flags);
}
}

namespace {

// Another transport's calls, some of them modified.
class Changed {
 public:
  explicit Changed(ullnic_t* card) : transport_(card->qdma.transport), before_(transport_->ops) {
    changed_ = *before_;
    transport_->ops = &changed_;
    current_ = this;
  }
  ~Changed() { transport_->ops = before_; }
  Changed(const Changed&) = delete;
  Changed& operator=(const Changed&) = delete;

  // Inverts these bits of this word in each context with this selector.
  void TurnOver(qdma_selector selector, unsigned word, uint32_t bits) {
    selector_ = selector;
    place_ = QDMA_CONTEXT_DATA + 4 * word;
    bits_ = bits;
    changed_.read32 = [](ul_transport* transport, unsigned region, uint64_t offset,
                         uint32_t* value) {
      const int result = current_->before_->read32(transport, region, offset, value);
      if (offset == current_->place_ && current_->last_ == current_->selector_) {
        *value ^= current_->bits_;
      }
      return result;
    };
    changed_.write32 = [](ul_transport* transport, unsigned region, uint64_t offset,
                          uint32_t value) {
      if (offset == QDMA_CONTEXT_COMMAND) current_->last_ = value >> 1 & 15;
      return current_->before_->write32(transport, region, offset, value);
    };
  }

  // Inverts these bits of this word of the card.
  void TurnOver(uint32_t address, uint32_t bits) {
    place_ = address;
    bits_ = bits;
    changed_.read32 = [](ul_transport* transport, unsigned region, uint64_t offset,
                         uint32_t* value) {
      const int result = current_->before_->read32(transport, region, offset, value);
      if (region == UL_BAR_CARD && offset == current_->place_) *value ^= current_->bits_;
      return result;
    };
  }

  // The device can map no memory; unmaps() counts the calls that unmap some.
  void RefuseMemory() {
    changed_.map = [](ul_transport*, void*, int, uint64_t, size_t, uint64_t) { return -ENOMEM; };
    changed_.unmap = [](ul_transport* transport, uint64_t iova, size_t bytes) {
      ++current_->unmaps_;
      return current_->before_->unmap(transport, iova, bytes);
    };
  }
  unsigned unmaps() const { return unmaps_; }

  // Each write of a thread that is_slow blocks; busy() becomes true with the first one.
  void Slow() {
    changed_.write32 = [](ul_transport* transport, unsigned region, uint64_t offset,
                          uint32_t value) {
      if (is_slow) {
        current_->busy_ = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      return current_->before_->write32(transport, region, offset, value);
    };
  }
  bool busy() const { return busy_; }

 private:
  static inline Changed* current_ = nullptr;
  ul_transport* transport_;
  const ul_transport_ops* before_;
  ul_transport_ops changed_{};
  unsigned selector_ = 0, last_ = 0, unmaps_ = 0;
  uint64_t place_ = 0;
  uint32_t bits_ = 0;
  std::atomic<bool> busy_{false};
};

void Loops(ullnic_port_t* port) {
  const std::vector<uint8_t> frame(60, 7);
  ASSERT_EQ(ullnic_send_raw(port, frame.data(), frame.size()), 0);
  ullnic_frame back;
  ASSERT_EQ(ReceiveSoon(port, &back), 1) << ullnic_last_error();
}

TEST(Sending, InParts) {
  for (const size_t most : {1U, 3U, 16U, 17U}) {
    most_bytes = most;
    OpenCard open(1);
    Loops(open.port());
    most_bytes = SIZE_MAX;
  }
}

// Each indication that a queue has not started, one at a time.
TEST(QueueStart, EachFault) {
  const struct {
    qdma_selector selector;
    unsigned word;
    uint32_t bits;
  } faults[] = {
      {QDMA_SW_H2C, 1, QDMA_SW_ENABLE},
      {QDMA_SW_C2H, 1, QDMA_SW_ENABLE},
      {QDMA_COMPLETION, 3, QDMA_CMPL_VALID},
      {QDMA_SW_H2C, 1, 1U << 26},
      {QDMA_SW_H2C, 1, 2U << 26},
      {QDMA_SW_C2H, 1, 1U << 26},
      {QDMA_SW_C2H, 1, 2U << 26},
      {QDMA_COMPLETION, 3, 1U << 29},
      {QDMA_COMPLETION, 3, 2U << 29},
  };
  OpenCard open(1);
  for (const auto& fault : faults) {
    ullnic_port_t* port = nullptr;
    {
      Changed changed(open.card());
      changed.TurnOver(fault.selector, fault.word, fault.bits);
      EXPECT_TRUE(Failed(ullnic_port_open(open.card(), 1, &port), EIO, "did not take queue 1",
                         "reset the card"))
          << fault.selector << " " << fault.bits;
    }
    ASSERT_EQ(port, nullptr);
    ASSERT_EQ(ullnic_port_open(open.card(), 1, &port), 0) << ullnic_last_error();
    Loops(port);
    ullnic_port_close(port);
  }
}

// Memory that was never mapped for the device is not unmapped, and no mapping is left or removed
// twice.
TEST(QueueStart, MemoryRefused) {
  OpenCard open(1);
  ullnic_port_t* port = nullptr;
  {
    Changed changed(open.card());
    changed.RefuseMemory();
    EXPECT_EQ(ullnic_port_open(open.card(), 1, &port), -ENOMEM);
    EXPECT_EQ(changed.unmaps(), 0U);
  }
  ASSERT_EQ(port, nullptr);
  ASSERT_EQ(ullnic_port_open(open.card(), 1, &port), 0) << ullnic_last_error();
  Loops(port);
  ullnic_port_close(port);
}

// The status slot follows the descriptors: it is empty until the DMA writes it.
TEST(QueueStart, StatusIsEmpty) {
  OpenCard open(1);
  const qdma_h2c_descriptor empty{};
  EXPECT_EQ(memcmp(&open.port()->send.ring[UL_SEND_SLOTS], &empty, sizeof empty), 0);
  for (unsigned i = 0; i < UL_SEND_SLOTS; ++i) EXPECT_NE(open.port()->send.ring[i].address, 0U);
}

// Strict mode that the card's last holder left on is cleared.
TEST(Engine, BeginsWithoutStrict) {
  CardProcess process;
  for (int holder = 0; holder < 2; ++holder) {
    ullnic_t* card = nullptr;
    ASSERT_EQ(ullnic_open(process.name().c_str(), &card), 0) << ullnic_last_error();
    uint32_t strict = ~0U;
    const uint32_t address = ULLNIC_ATE_BASE(1) + ULLNIC_ATE_ENGINE_CONTROL;
    ASSERT_EQ(ullnic_read32(card, address, &strict), 0);
    EXPECT_EQ(strict, 0U);
    ASSERT_EQ(ullnic_ate_set_strict(card, 1, true), 0);
    ASSERT_EQ(ullnic_read32(card, address, &strict), 0);
    EXPECT_EQ(strict, 1U);
    ullnic_close(card);
  }
}

TEST(Engine, DoesNotTakeTheControlWord) {
  OpenCard open(2);
  ullnic_ate_connection connection{};
  connection.vlan = ULLNIC_ATE_NO_VLAN;
  ASSERT_EQ(ullnic_ate_setup(open.card(), 1, 3, &connection), 0) << ullnic_last_error();
  for (const uint32_t bits : {1U, 2U, 4U}) {
    Changed changed(open.card());
    changed.TurnOver(ULLNIC_CONNECTION_BASE(1U, 3U) + ULLNIC_ATE_CONTROL, bits);
    EXPECT_TRUE(Failed(ullnic_ate_enable(open.card(), 1, 3), EIO, "did not take the control word",
                       "reset the card"));
    EXPECT_TRUE(Failed(ullnic_ate_disable(open.card(), 1, 3), EIO, "connection 3", "reset"));
  }
  EXPECT_EQ(ullnic_ate_enable(open.card(), 1, 3), 0) << ullnic_last_error();
}

// A port that is opened while another thread opens or closes it: the calls are serialised.
TEST(Threads, OneOpensAPort) {
  OpenCard open(1);
  Changed changed(open.card());
  changed.Slow();
  ullnic_port_t *first = nullptr, *second = nullptr;
  int result = 0;
  std::thread other([&] {
    is_slow = true;
    result = ullnic_port_open(open.card(), 1, &first);
  });
  while (!changed.busy()) std::this_thread::yield();
  EXPECT_TRUE(Failed(ullnic_port_open(open.card(), 1, &second), EBUSY, "open already", "close it"));
  other.join();
  ASSERT_EQ(result, 0);
  Loops(first);
  ullnic_port_close(first);
}

TEST(Threads, OpensWhatIsBeingClosed) {
  OpenCard open(1);
  ullnic_port_t *first = nullptr, *second = nullptr;
  ASSERT_EQ(ullnic_port_open(open.card(), 1, &first), 0);
  Changed changed(open.card());
  changed.Slow();
  std::thread other([&] {
    is_slow = true;
    ullnic_port_close(first);
  });
  while (!changed.busy()) std::this_thread::yield();
  const int result = ullnic_port_open(open.card(), 1, &second);
  other.join();
  ASSERT_EQ(result, 0) << ullnic_last_error();
  Loops(second);
  ullnic_port_close(second);
}

}  // namespace
}  // namespace ullnic::test_card
