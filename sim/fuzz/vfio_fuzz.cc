// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// vfio-user messages, registers, rings and memory of clients against the server and the DMA model.
// README.md has the table of the operations.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>

#include "guest.h"
#include "qdma/endpoint.h"
#include "qdma/registers.h"
#include "records.h"
#include "vfio/protocol.h"

namespace ullnic::fuzz {
namespace {

constexpr size_t kGuests = 3;  // the last ones find the server busy
constexpr size_t kMemories = 2;
constexpr int kPolls = 4;             // after an operation
constexpr int kPollsToRest = 20'000;  // a poll transfers a bounded amount, so some are needed
constexpr char kProposal[] = R"({"capabilities":{"max_msg_fds":16,"max_data_xfer_size":1048576}})";

// Loops packets back on each queue. Registers reply at once or on request.
class Card final : public qdma::UserSide {
 public:
  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override {
    Answer([this, address, done = std::move(done)] { done(registers_[address / 4]); });
  }
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override {
    Answer([this, address, value, done = std::move(done)] {
      registers_[address / 4] = value;
      done();
    });
  }
  bool SendH2c(unsigned qid, std::span<const uint8_t> packet) override {
    if (packets_[qid].size() >= depth) return false;
    packets_[qid].emplace_back(packet.begin(), packet.end());
    return true;
  }
  std::span<const uint8_t> PeekC2h(unsigned qid) override {
    return packets_[qid].empty() ? std::span<const uint8_t>() : packets_[qid].front();
  }
  void PopC2h(unsigned qid) override { packets_[qid].pop_front(); }
  unsigned queues() const override { return 8; }
  void OnReset() override {
    for (auto& queue : packets_) queue.clear();
  }
  void AnswerAll() {
    while (!waiting_.empty()) {
      const auto answer = std::move(waiting_.front());
      waiting_.pop_front();
      answer();
    }
  }

  bool slow = false;
  size_t depth = 8;

 private:
  void Answer(std::function<void()> answer) {
    waiting_.push_back(std::move(answer));
    if (!slow) AnswerAll();
  }

  std::deque<std::function<void()>> waiting_;
  std::deque<Bytes> packets_[8];
  std::vector<uint32_t> registers_ = std::vector<uint32_t>(qdma::reg::kUserBarBytes / 4);
};

class Run {
 public:
  explicit Run(records input) : input_(input), path_(fmt::format("vfio.{}", getpid())) {
    endpoint_ = std::make_unique<qdma::Endpoint>(path_, card_, [this] { return now_ps_; });
    // A correct client connects first.
    Connect(0);
    guests_[0]->Negotiate(Text(kProposal));
    Map(0, 0, 0);
    Poll();
  }

  void Go() {
    record next;
    while (next_record(&input_, &next)) {
      Do(next.operation % kOperations, next.argument);
      Poll();
    }
    Rest();
  }

 private:
  enum Operation {
    kMessage,
    kMap,
    kUnmap,
    kRead,
    kWrite,
    kMulti,
    kIrqs,
    kContext,
    kDoorbell,
    kMemory,
    kCut,
    kEvent,
    kConnect,
    kRaw,
    kReadReplies,
    kQueue,
    kDescriptor,
    kTime,
    kOperations
  };

  static std::span<const uint8_t> Text(const char* text) {
    return {reinterpret_cast<const uint8_t*>(text), std::strlen(text)};
  }
  template <typename T>
  static Bytes Body(const T& value, std::span<const uint8_t> more = {}) {
    const auto* at = reinterpret_cast<const uint8_t*>(&value);
    Bytes body(at, at + sizeof value);
    body.insert(body.end(), more.begin(), more.end());
    return body;
  }
  std::span<const uint8_t> Take(size_t bytes) {
    const uint8_t* data = nullptr;
    const size_t got = take_bytes(&input_, bytes, &data);
    return {data, got};
  }
  Guest& GuestOf(uint8_t choice) {
    auto& guest = guests_[choice % kGuests];
    if (!guest) Connect(choice % kGuests);
    return *guest;
  }
  void Connect(size_t index) {
    guests_[index] = std::make_unique<Guest>(path_);
    deaf_[index] = false;
    endpoint_->Poll();
  }
  void Map(size_t guest, size_t memory, uint32_t pages_up) {
    guests_[guest]->Request(
        vfio::kDmaMap,
        Body(vfio::DmaMapRequest{32, 3, 0, SharedMemory::kAddress + 4096ull * pages_up,
                                 SharedMemory::kBytes}),
        {memories_[memory].fd()});
  }
  // File descriptors of every kind that a client may send.
  std::vector<int> Descriptors(unsigned count, unsigned kind) {
    std::vector<int> fds;
    for (unsigned i = 0; i < count % 20; ++i) {
      switch ((kind + i * (kind >> 4)) % 4) {
        case 0:
          fds.push_back(event_.get());
          break;
        case 1:
          fds.push_back(memories_[i % kMemories].fd());
          break;
        case 2:
          fds.push_back(null_.get());
          break;
        default:
          fds.push_back(directory_.get());
      }
    }
    return fds;
  }

  void Do(unsigned operation, const uint8_t* a);
  void DoMap(const uint8_t* a);
  void DoContext(const uint8_t* a);
  void DoDescriptor(const uint8_t* a);

  void Poll() {
    for (int i = 0; i < kPolls; ++i) endpoint_->Poll();
    for (size_t i = 0; i < kGuests; ++i) {
      if (guests_[i] && !deaf_[i] && !guests_[i]->Read()) guests_[i].reset();
    }
  }
  // Once all clients have disconnected and the card has replied, there must be nothing to do.
  void Rest() {
    for (auto& guest : guests_) guest.reset();
    card_.slow = false;
    card_.AnswerAll();
    for (int i = 0; i < kPollsToRest; ++i) {
      const bool done = endpoint_->Poll();
      if (!done && !endpoint_->HasWork() && !endpoint_->connected()) return;
    }
    std::fprintf(stderr, "ERROR: the server does not come to rest\n");
    std::abort();
  }

  records input_;
  std::string path_;
  Card card_;
  int64_t now_ps_ = 0;
  SharedMemory memories_[kMemories];
  Fd event_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  Fd null_{open("/dev/null", O_RDWR | O_CLOEXEC)};
  Fd directory_{open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  std::unique_ptr<Guest> guests_[kGuests];
  bool deaf_[kGuests] = {};
  std::unique_ptr<qdma::Endpoint> endpoint_;
};

// 1 memory, 2-3 page of the address, 4-5 pages, 6 flags, 7-8 page of the offset, 9 highest byte of
// the address, 10 error in the size, 11-12 descriptors
void Run::DoMap(const uint8_t* a) {
  vfio::DmaMapRequest map{
      32, a[6] & 7u, 4096 * number_of(a + 7, 2),
      SharedMemory::kAddress + 4096 * number_of(a + 2, 2) + (static_cast<uint64_t>(a[9]) << 56),
      4096 * number_of(a + 4, 2)};
  if (a[10] & 1) map.size += a[10];
  if (a[10] & 2) map.address += a[10];
  if (a[10] & 4) map.size <<= 36;
  if (a[10] & 8) map.offset <<= 40;
  std::vector<int> fds = {memories_[a[1] % kMemories].fd()};
  if (a[11] != 0) fds = Descriptors(a[11], a[12]);
  GuestOf(a[0]).Request(vfio::kDmaMap, Body(map), fds);
}

// 1 operation, 2 selector, 3-4 queue, 5 words, which follow
void Run::DoContext(const uint8_t* a) {
  const auto bytes = Take(4 * (a[5] % 9u));
  std::vector<uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), 4 * words.size());
  GuestOf(a[0]).WriteRegisters(
      ContextCommand(a[1] % 4, a[2] % 16, static_cast<unsigned>(number_of(a + 3, 2)), words));
}

// 1 queue, 2 place in its ring, 3-4 bytes, 5 flags, 6 page of the address, 7 direction: host to
// card, card to host; 8 entries from there on
void Run::DoDescriptor(const uint8_t* a) {
  const QueuePlaces places(a[1] % 8);
  const uint64_t address = SharedMemory::kAddress + places.buffers() + 4096ull * a[6];
  const auto length = static_cast<uint16_t>(number_of(a + 3, 2));
  for (unsigned i = 0; i <= a[8] % kRingEntries; ++i) {
    const unsigned entry = (a[2] + i) % (kRingEntries + 1);
    if (a[7] & 1) {
      memories_[0].Write(places.c2h() + 8 * entry, Body(address));
    } else {
      const uint16_t words[4] = {0, length, length, static_cast<uint16_t>(a[5] ^ 3)};
      memories_[0].Write(places.h2c() + 16 * entry, Body(words, Body(address)));
    }
  }
}

void Run::Do(unsigned operation, const uint8_t* a) {
  switch (static_cast<Operation>(operation)) {
    case kMessage:  // 1 command, 2 flags, 3 error in its size, 4-5 descriptors, 6-7 bytes, which
                    // follow
      GuestOf(a[0]).Request(a[1] % 20, Take(number_of(a + 6, 2) % 4096), Descriptors(a[4], a[5]),
                            a[2], static_cast<int8_t>(a[3]));
      break;
    case kMap:
      DoMap(a);
      break;
    case kUnmap:  // 2-3 page of the address, 4-5 pages, 6 flags, 9 highest byte
      GuestOf(a[0]).Request(vfio::kDmaUnmap,
                            Body(vfio::DmaUnmapRequest{
                                24, a[6] & 3u,
                                a[6] & 4 ? 0
                                         : SharedMemory::kAddress + 4096 * number_of(a + 2, 2) +
                                               (static_cast<uint64_t>(a[9]) << 56),
                                4096 * number_of(a + 4, 2)}));
      break;
    case kRead:  // 1 region, 2-4 offset, 5-6 bytes
      GuestOf(a[0]).Request(vfio::kRegionRead,
                            Body(vfio::RegionAccess{number_of(a + 2, 3), a[1] % 10u,
                                                    static_cast<uint32_t>(number_of(a + 5, 2))}),
                            {}, a[7] & 0x10);
      break;
    case kWrite:  // 1 region, 2-4 offset, 5 bytes, 6-13 value
      GuestOf(a[0]).Request(
          vfio::kRegionWrite,
          Body(vfio::RegionAccess{number_of(a + 2, 3), a[1] % 10u, a[5] == 0 ? 4u : a[5]},
               {a + 6, 8}),
          {}, a[14] & 0x10);
      break;
    case kMulti: {  // 1 bar, 2-4 offset, 5-6 writes, 7 step, 8-9 error in their number, 10 bytes
      Bytes body = Body(number_of(a + 5, 2) % 3000 + number_of(a + 8, 2));
      for (uint64_t i = 0; i < number_of(a + 5, 2) % 3000; ++i) {
        const auto one = Body(vfio::MultiWrite{
            {number_of(a + 2, 3) + i * a[7], a[1] % 10u, a[10] == 0 ? 4u : a[10]}, i});
        body.insert(body.end(), one.begin(), one.end());
      }
      GuestOf(a[0]).Request(vfio::kRegionWriteMulti, body);
      break;
    }
    case kIrqs: {  // 1 flags, 2 index, 3-4 start, 5-6 count, 7-8 descriptors, 9 bytes, which follow
      const vfio::IrqSet set{20, a[1], a[2] == 0 ? 2u : a[2],
                             static_cast<uint32_t>(number_of(a + 3, 2)),
                             static_cast<uint32_t>(number_of(a + 5, 2))};
      GuestOf(a[0]).Request(vfio::kSetIrqs, Body(set, Take(a[9])), Descriptors(a[7], a[8]));
      break;
    }
    case kContext:
      DoContext(a);
      break;
    case kDoorbell:  // 1-2 queue, 3 doorbell, 4-7 value
      GuestOf(a[0]).WriteRegisters(
          {{0x18000 + 16 * static_cast<uint32_t>(number_of(a + 1, 2) % 2048) + 4 * (a[3] % 4u),
            static_cast<uint32_t>(number_of(a + 4, 4))}});
      break;
    case kMemory:  // 0 memory, 1-3 offset, 4 bytes, which follow
      memories_[a[0] % kMemories].Write(number_of(a + 1, 3) % SharedMemory::kBytes, Take(a[4]));
      break;
    case kCut:  // 0 memory, 1-3 bytes
      memories_[a[0] % kMemories].Cut(number_of(a + 1, 3) % SharedMemory::kBytes);
      break;
    case kEvent: {  // 0 fill it, 1 make it blocking
      const uint64_t full = ~uint64_t{0} - 1;
      uint64_t count = 0;
      fcntl(event_.get(), F_SETFL, O_NONBLOCK);
      ssize_t moved = read(event_.get(), &count, sizeof count);
      if (a[0] & 1) moved = write(event_.get(), &full, sizeof full);
      if (a[1] & 1) fcntl(event_.get(), F_SETFL, 0);
      static_cast<void>(moved);
      break;
    }
    case kConnect:  // 1 closes it, 2 negotiates, with 3 bytes that follow, or (0) correctly
      guests_[a[0] % kGuests].reset();
      if (a[1] & 1) break;
      Connect(a[0] % kGuests);
      if (a[2] & 1) GuestOf(a[0]).Negotiate(a[3] != 0 ? Take(a[3]) : Text(kProposal));
      if (a[2] & 2) Map(a[0] % kGuests, 0, 0);
      break;
    case kRaw:  // 1-2 bytes, which follow, 3-4 descriptors
      GuestOf(a[0]).Send(Take(number_of(a + 1, 2) % 2048 + 1), Descriptors(a[3], a[4]));
      break;
    case kReadReplies:  // 1 stops reading from now on
      deaf_[a[0] % kGuests] = a[1] & 1;
      break;
    case kQueue:  // 1 queue, 2 vector
      GuestOf(a[0]).WriteRegisters(StartQueue(a[1] % 8, a[2] % 32));
      break;
    case kDescriptor:
      DoDescriptor(a);
      break;
    case kTime:  // 0-3 ns, 4 the card is slow, 5 it replies, 6 packets that it accepts
      now_ps_ += static_cast<int64_t>(number_of(a, 4)) * 1000;
      card_.slow = a[4] & 1;
      card_.depth = a[6] % 16u;
      if (a[5] & 1) card_.AnswerAll();
      break;
    case kOperations:
      break;
  }
}

}  // namespace
}  // namespace ullnic::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ullnic::fuzz::Run({data, size}).Go();
  return 0;
}
