// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of the DMA, read from the model behind a socket: known contexts, planted errors, and no
// side effects of reading.

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>

#include "../../../cores/qdma/regs/generated/qdma_regs.h"
#include "card_process.h"
#include "test_card.h"
#include "ullnic/dma.h"

extern "C" {
#include "../../libullnic/internal.h"
}

namespace ullnic::test_card {
namespace {

constexpr uint64_t kNowhere = 0xdead0000;  // not mapped by any port
const std::vector<uint8_t> kFrame(60, 1);

uint32_t Field(const uint32_t* words, unsigned word, unsigned high, unsigned low) {
  return words[word] >> low & ((uint64_t{1} << (high - low + 1)) - 1);
}

ullnic_dma_queue Queue(const OpenCard& open, unsigned queue = 0) {
  ullnic_dma_queue state;
  EXPECT_EQ(ullnic_dma_read_queue(open.card(), queue, &state), 0) << ullnic_last_error();
  return state;
}

ullnic_dma_errors Errors(const OpenCard& open) {
  ullnic_dma_errors errors;
  EXPECT_EQ(ullnic_dma_read_errors(open.card(), &errors), 0) << ullnic_last_error();
  return errors;
}

void Ring(const OpenCard& open, unsigned queue, unsigned doorbell, uint32_t value) {
  EXPECT_EQ(ul_qdma_ring(&open.card()->qdma, queue, doorbell, value), 0);
}

// The card acts some time after the call.
bool Soon(const std::function<bool()>& is_done) {
  for (int tries = 0; tries < 500; ++tries) {
    if (is_done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// The RTL's registers, generated from its SystemRDL: an invalid address would be our error.
TEST(DmaState, AddressesAreThoseOfTheRtl) {
#define IS_AT(address, name) static_assert((address) == offsetof(qdma_regs_t, name), #name)
  IS_AT(QDMA_QUEUES, GLBL2_CHANNEL_CAP);
  IS_AT(QDMA_RING_SIZE, GLBL_RNG_SZ);
  IS_AT(QDMA_TIMER, C2H_TIMER_CNT);
  IS_AT(QDMA_COUNT, C2H_CNT_TH);
  IS_AT(QDMA_BUFFER_SIZE, C2H_BUF_SZ);
  IS_AT(QDMA_TIMER_TICK, C2H_INT_TIMER_TICK);
  IS_AT(QDMA_DSC_CONFIG, GLBL_DSC_CFG);
  IS_AT(QDMA_CONTEXT_DATA, IND_CTXT_DATA);
  IS_AT(QDMA_CONTEXT_COMMAND, IND_CTXT_CMD);
  IS_AT(QDMA_ERROR_STATUS, GLBL_ERR_STAT);
  IS_AT(QDMA_ERROR_MASK, GLBL_ERR_MASK);
  IS_AT(QDMA_ERROR_INTERRUPT, GLBL_ERR_INT);
  IS_AT(QDMA_DSC_ERROR_STATUS, GLBL_DSC_ERR_STS);
  IS_AT(QDMA_DSC_ERROR_MASK, GLBL_DSC_ERR_MSK);
  IS_AT(QDMA_DSC_ERROR_LOG0, GLBL_DSC_ERR_LOG0);
  IS_AT(QDMA_DSC_ERROR_LOG1, GLBL_DSC_ERR_LOG1);
  IS_AT(QDMA_DSC_ERROR_LOG2, GLBL_DSC_ERR_LOG2);
  IS_AT(QDMA_TRQ_ERROR_STATUS, GLBL_TRQ_ERR_STS);
  IS_AT(QDMA_TRQ_ERROR_MASK, GLBL_TRQ_ERR_MSK);
  IS_AT(QDMA_TRQ_ERROR_LOG, GLBL_TRQ_ERR_LOG);
  IS_AT(QDMA_C2H_ERROR_STATUS, C2H_ERR_STAT);
  IS_AT(QDMA_C2H_ERROR_MASK, C2H_ERR_MASK);
  IS_AT(QDMA_EXTENSIONS, GLBL2_SYSTEM_ID);
  IS_AT(QDMA_READ_ERROR_LOG, READ_ERR_LOG0);
  IS_AT(QDMA_PROGRESS_QUEUE, PROGRESS_QUEUE);
  IS_AT(QDMA_PROGRESS, PROGRESS_H2C);
  IS_AT(QDMA_WATCHDOG, WATCHDOG_CTL);
  IS_AT(QDMA_WATCHDOG + 12, WATCHDOG_STATUS);
  IS_AT(QDMA_WATCHDOG_ENTRY, WATCHDOG_ENTRY);
  IS_AT(QDMA_WATCHDOG_EVENT, WATCHDOG_EVENT);
  IS_AT(QDMA_C2H_FIRST_ERROR, C2H_FIRST_ERR_QID);
  IS_AT(QDMA_H2C_ERROR_STATUS, H2C_ERR_STAT);
  IS_AT(QDMA_H2C_ERROR_MASK, H2C_ERR_MASK);
  IS_AT(QDMA_H2C_FIRST_ERROR, H2C_DBG);  // which reads as 0 there
#undef IS_AT
}

TEST(DmaState, ContextsAreThoseOfThePort) {
  OpenCard open(2);
  const ullnic_dma_queue q = Queue(open, 1);
  EXPECT_EQ(q.queue, 1u);
  EXPECT_EQ(q.function, 0u);
  EXPECT_EQ(q.map[0], 0u);
  EXPECT_EQ(q.map[1], unsigned{ULLNIC_MAX_PORTS});
  for (const uint32_t* sw : {q.sw_h2c, q.sw_c2h}) {
    EXPECT_EQ(Field(sw, 1, 0, 0), 1u) << "enabled";
    EXPECT_EQ(Field(sw, 1, 27, 26), 0u) << "no error";
  }
  const uint64_t iova = open.port(1)->memory.iova;
  const auto base = [](const uint32_t* sw) { return uint64_t{sw[3]} << 32 | sw[2]; };
  EXPECT_GT(base(q.sw_h2c), iova);
  EXPECT_GT(base(q.sw_c2h), base(q.sw_h2c));
  EXPECT_EQ(q.h2c_ring, UL_SEND_SLOTS + 1u);
  EXPECT_EQ(q.c2h_ring, UL_BUFFERS + 1u);
  EXPECT_EQ(q.completion_ring, UL_BUFFERS + 1u);
  EXPECT_EQ(q.buffer_bytes, unsigned{UL_BUFFER_BYTES});
  EXPECT_EQ(Field(q.sw_c2h, 0, 15, 0), UL_BUFFERS - 1u) << "all buffers but one are posted";
  EXPECT_EQ(Field(q.hw_c2h, 0, 15, 0), 0u);
  EXPECT_EQ(Field(q.prefetch, 1, 13, 13), 1u) << "valid";
  EXPECT_EQ(Field(q.completion, 3, 28, 28), 1u) << "valid";
  EXPECT_EQ(Field(q.completion, 4, 14, 4), 1u) << "vector";
}

TEST(DmaState, PendingDescriptorsAndUnreadEntries) {
  OpenCard open;
  open.Write(kHold, 1);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(ullnic_send_raw(open.port(), kFrame.data(), kFrame.size()), 0);
  }
  ullnic_dma_queue q = Queue(open);
  EXPECT_EQ(Field(q.sw_h2c, 0, 15, 0), 3u);
  EXPECT_EQ(Field(q.hw_h2c, 0, 15, 0), 0u) << "the port takes none";
  open.Write(kHold, 0);
  EXPECT_TRUE(Soon([&] {
    q = Queue(open);
    return Field(q.hw_h2c, 0, 15, 0) == 3 && Field(q.completion, 2, 31, 28) == 3;
  }));
  EXPECT_EQ(Field(q.hw_c2h, 0, 15, 0), 3u) << "buffers used by what has come back";
  EXPECT_EQ(Field(q.completion, 3, 27, 12), 0u) << "and not read";
}

TEST(DmaState, ReadingLeavesNoTrace) {
  OpenCard open(2);
  for (const unsigned queue : {0u, 1u, 7u, 8u, 2047u}) {
    const ullnic_dma_queue first = Queue(open, queue);
    const ullnic_dma_queue second = Queue(open, queue);
    EXPECT_EQ(std::memcmp(&first, &second, sizeof first), 0) << queue;
  }
  for (const unsigned queue : {2048u, 4095u, 0x10000u, ~0u}) {
    ullnic_dma_queue state;
    EXPECT_TRUE(Failed(ullnic_dma_read_queue(open.card(), queue, &state), EINVAL,
                       "no queue " + std::to_string(queue), "give one of its 2048"));
  }
  const ullnic_dma_errors errors = Errors(open);
  const ullnic_dma_errors none{};
  EXPECT_EQ(std::memcmp(&errors, &none, sizeof errors), 0) << "an access that is none";
  ullnic_frame frame;
  ASSERT_EQ(ullnic_send_raw(open.port(), kFrame.data(), kFrame.size()), 0);
  EXPECT_EQ(ReceiveSoon(open.port(), &frame), 1) << "the queue works";
}

TEST(DmaState, BadDoorbell) {
  OpenCard open;
  Ring(open, 0, QDMA_DOORBELL_H2C, 300);  // the ring has 256
  const ullnic_dma_queue q = Queue(open);
  EXPECT_EQ(Field(q.sw_h2c, 1, 0, 0), 0u) << "stopped";
  EXPECT_EQ(Field(q.sw_h2c, 1, 27, 26), 1u) << "bit 26: a descriptor's, not a transfer's";
  EXPECT_EQ(Field(q.sw_c2h, 1, 0, 0), 1u) << "the other direction goes on";
  const ullnic_dma_errors e = Errors(open);
  EXPECT_EQ(e.dsc_err_sts, 1u << 21);
  EXPECT_EQ(e.dsc_err_log[0], 1u << 31);
  EXPECT_EQ(Field(e.dsc_err_log, 1, 4, 0), 21u);
  EXPECT_EQ(Field(e.dsc_err_log, 2, 15, 0), 300u) << "asked for";
}

TEST(DmaState, DoorbellOfAnotherFunctionsQueue) {
  OpenCard open;
  Ring(open, 9, QDMA_DOORBELL_C2H, 5);  // the function has 8
  const ullnic_dma_errors e = Errors(open);
  EXPECT_EQ(e.trq_err_sts, 1u << 5);
  EXPECT_EQ(Field(&e.trq_err_log, 0, 16, 0), 0x18000u + 9 * 16 + 8);
}

TEST(DmaState, BadAddressOfAFrame) {
  OpenCard open;
  qdma_h2c_descriptor* ring = open.port()->send.ring;
  ring[0] = {0, 100, 100, QDMA_H2C_FIRST | QDMA_H2C_LAST, kNowhere};
  Ring(open, 0, QDMA_DOORBELL_H2C, 1);
  ASSERT_TRUE(Soon([&] { return Errors(open).dsc_err_sts != 0; }));
  EXPECT_EQ(Field(Queue(open).sw_h2c, 1, 27, 26), 2u) << "bit 27: a transfer's";
  const ullnic_dma_errors e = Errors(open);
  EXPECT_EQ(e.dsc_err_sts, 1u << 20 | 1u << 2);
  EXPECT_EQ(Field(e.dsc_err_log, 0, 30, 30), 0u) << "H2C";
  EXPECT_EQ(Field(e.dsc_err_log, 1, 4, 0), 20u);
  EXPECT_EQ(Field(e.dsc_err_log, 1, 8, 5), 2u) << "UR";
  EXPECT_EQ(Field(&e.extensions, 0, 23, 16), 0u) << "the model has no log of reads";
  EXPECT_EQ(e.read_err_log[0], 0u);
}

TEST(DmaState, BadAddressOfABuffer) {
  OpenCard open;
  open.port()->receive.descriptors[0] = kNowhere;
  ASSERT_EQ(ullnic_send_raw(open.port(), kFrame.data(), kFrame.size()), 0);
  ASSERT_TRUE(Soon([&] { return Errors(open).c2h_err_stat != 0; }));
  const ullnic_dma_queue q = Queue(open);
  EXPECT_EQ(Field(q.sw_c2h, 1, 27, 26), 2u);
  EXPECT_EQ(Field(q.completion, 3, 28, 28), 0u) << "not valid any more";
  EXPECT_EQ(Field(q.completion, 3, 30, 29), 2u) << "an error of the descriptor ring";
  const ullnic_dma_errors e = Errors(open);
  EXPECT_EQ(Field(e.dsc_err_log, 0, 30, 30), 1u) << "C2H";
  EXPECT_EQ(e.c2h_first_err_qid, 4u << 16);
}

// One set of registers accesses all contexts: opening and closing a port also writes through it.
TEST(DmaState, SerialisedWithPortsThatAreOpenedAndClosed) {
  OpenCard open;
  std::atomic<unsigned> looks = 0;
  const std::jthread reader([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      ullnic_dma_queue q;
      ASSERT_EQ(ullnic_dma_read_queue(open.card(), 0, &q), 0) << ullnic_last_error();
      ASSERT_EQ(q.map[1], unsigned{ULLNIC_MAX_PORTS}) << "words of another context";
      ASSERT_EQ(Field(q.sw_c2h, 0, 15, 0), UL_BUFFERS - 1u);
      ++looks;
    }
  });
  for (int i = 0; (i < 30 || looks < 30) && !HasFailure(); ++i) {
    ullnic_port_t* port = nullptr;
    ASSERT_EQ(ullnic_port_open(open.card(), 1, &port), 0) << ullnic_last_error();
    ullnic_port_close(port);
  }
}

// The model has no watchdog; limits are refused before the card is asked.
TEST(DmaState, WatchdogThatIsNotThere) {
  OpenCard open;
  ullnic_dma_event events[ULLNIC_DMA_EVENTS + 1];
  for (const unsigned ticks : {0u, 1u, unsigned{ULLNIC_DMA_MOST_TICKS}}) {
    EXPECT_TRUE(Failed(ullnic_dma_watch(open.card(), ticks, 0), ENOTSUP, "has no watchdog",
                       "WATCHDOG = 1"));
  }
  EXPECT_TRUE(Failed(ullnic_dma_read_events(open.card(), 0, ULLNIC_DMA_EVENTS, events), ENOTSUP,
                     "has no watchdog", "WATCHDOG = 1"));
  for (const unsigned ticks : {ULLNIC_DMA_MOST_TICKS + 1u, ~0u}) {
    EXPECT_TRUE(Failed(ullnic_dma_watch(open.card(), ticks, 0), EINVAL,
                       "not " + std::to_string(ticks), "32767 ticks"));
  }
  EXPECT_EQ(ullnic_dma_read_events(open.card(), 1, ULLNIC_DMA_EVENTS, events), -EINVAL);
  EXPECT_EQ(ullnic_dma_read_events(open.card(), ~0u, 2, events), -EINVAL);
  const ullnic_dma_errors errors = Errors(open);
  const ullnic_dma_errors none{};
  EXPECT_EQ(std::memcmp(&errors, &none, sizeof errors), 0) << "an access that is none";
}

TEST(DmaState, OfACardThatIsGone) {
  OpenCard open;
  open.process().Kill();
  ullnic_dma_queue q;
  ullnic_dma_errors e;
  ullnic_dma_event event;
  EXPECT_EQ(ullnic_dma_read_events(open.card(), 0, 1, &event), -ENODEV);
  EXPECT_EQ(ullnic_dma_watch(open.card(), 1, 0), -ENODEV);
  EXPECT_EQ(ullnic_dma_read_queue(open.card(), 0, &q), -ENODEV);
  EXPECT_EQ(ullnic_dma_read_errors(open.card(), &e), -ENODEV);
}

}  // namespace
}  // namespace ullnic::test_card
