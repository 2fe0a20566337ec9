// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A card without RTL for tests of the driver: the DMA model with the card's registers, and a loop
// that parses chunks and returns them as frames. Its identity can be falsified.

#include "test_card.h"

#include <poll.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "qdma/endpoint.h"
#include "qdma/registers.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"

namespace {

namespace test_card = ullnic::test_card;

struct Options {
  std::string socket;
  uint32_t id = CARD_REGS__ID__ID_reset;
  uint32_t version = CARD_REGS__VERSION__MAJOR_reset << CARD_REGS__VERSION__MAJOR_bp |
                     CARD_REGS__VERSION__MINOR_reset;
  unsigned kind = ULLNIC_KIND_TRIGGER;
  unsigned ports = 2;
  uint32_t tcp_enables = 2;
  uint32_t ate_id = ULLNIC_ATE_ENGINE_MAGIC;
  uint32_t ate_version = ULLNIC_ATE_ENGINE_MAJOR << 16;
  uint32_t ate_capability = 1460u << 16 | 511;
  bool strange = false;
  unsigned vendor = 0x10ee;
  unsigned device = 0x903f;
  uint64_t bar0_bytes = ullnic::qdma::reg::kBar0Bytes;
  uint64_t bar2_bytes = ULLNIC_BAR_SIZE;
  uint32_t dma_id = 0x1fd30000;
  uint32_t dma_version = 0x02200000;
  uint32_t dma_queues = 2048;
  uint32_t dma_busy = 0;
};

class TestCard final : public ullnic::qdma::UserSide {
 public:
  explicit TestCard(const Options& options) : queues_(options.ports) {
    Word(ULLNIC_CARD_REGISTER(ID)) = options.id;
    Word(ULLNIC_CARD_REGISTER(VERSION)) = options.version;
    Word(ULLNIC_CARD_REGISTER(CARD)) = options.kind | options.ports << 8 | 16u << 16;
    Word(ULLNIC_CARD_REGISTER(TCP_ENABLES)) = options.tcp_enables;
    Word(ULLNIC_CARD_REGISTER(PORT_STATUS)) = 0x01ff;  // the link of port 0 is up
    Word(ULLNIC_CARD_REGISTER(TIME_LO)) = 250'000'000;
    for (unsigned port = 0; port < 8; ++port) {
      const bool engine = (options.tcp_enables >> port & 1) != 0;
      Word(ULLNIC_HOST_PATH_REGISTER(port, MAX_FRAME)) = engine ? 1518 : 9618;
      if (!engine) continue;
      const uint32_t base = ULLNIC_ATE_BASE(port);
      Word(base + ULLNIC_ATE_ENGINE_ID) = options.ate_id;
      Word(base + ULLNIC_ATE_ENGINE_VERSION) = options.ate_version;
      Word(base + ULLNIC_ATE_ENGINE_CAPABILITY) = options.ate_capability;
      for (unsigned n = 0; n < 16; ++n) {
        Word(base + ULLNIC_ATE_ENGINE_COUNTERS + 4 * n) = 1000 * port + n;
      }
      // As left by a killed program.
      Word(ULLNIC_CONNECTION_BASE(port, 7) + ULLNIC_ATE_CONTROL) = ULLNIC_ATE_ENABLE;
    }
  }
  void set_endpoint(const ullnic::qdma::Endpoint* endpoint) { endpoint_ = endpoint; }

  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override {
    static const std::map<uint32_t, const char*> counters = {
        {test_card::kDoorbells, "doorbells"},
        {test_card::kInterrupts, "c2h_interrupts"},
        {test_card::kUserReads, "user_reads"}};
    const auto counter = counters.find(address);
    done(counter == counters.end() ? Word(address)
                                   : endpoint_->Describe().at(counter->second).get<uint32_t>());
  }

  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override {
    CheckBank(address);
    Word(address) = value;
    if (address == test_card::kInject) Inject(value >> 24, value & 0xffffff);
    done();
  }

  // A payload is returned as a mirror, with its metadata prepended.
  bool SendH2c(unsigned qid, std::span<const uint8_t> packet) override {
    if (Word(test_card::kHold) >> qid & 1) return false;
    uint16_t length;
    std::memcpy(&length, packet.data() + 4, sizeof length);
    const bool whole = packet.size() >= 10 && packet.size() == 8u + length;
    if (!whole) {
      ++Word(test_card::kBadChunks);
      return true;
    }
    const auto frame = packet.subspan(10);
    Push(qid, static_cast<uint16_t>(frame.size()), packet[6] == 2 ? 1 : 0, frame);
    return true;
  }
  std::span<const uint8_t> PeekC2h(unsigned qid) override {
    const auto& packets = queues_[qid].packets;
    return packets.empty() ? std::span<const uint8_t>() : packets.front();
  }
  void PopC2h(unsigned qid) override { queues_[qid].packets.pop_front(); }
  unsigned queues() const override { return static_cast<unsigned>(queues_.size()); }
  void OnReset() override {
    for (Queue& queue : queues_) queue.packets.clear();
  }

 private:
  struct Queue {
    std::deque<std::vector<uint8_t>> packets;
    uint32_t sequence = 0;
  };

  uint32_t& Word(uint32_t address) { return words_[address]; }

  // The active bank must not be written.
  void CheckBank(uint32_t address) {
    if (address < ULLNIC_CONNECTIONS_BASE(0)) return;
    const uint32_t base = address & ~0x3fu;
    const uint32_t control = Word(base + ULLNIC_ATE_CONTROL);
    const uint32_t bank = ULLNIC_ATE_ACK + (control & ULLNIC_ATE_BANK ? ULLNIC_ATE_BANK_BYTES : 0);
    const uint32_t offset = address & 0x3f;
    const bool fixed = offset < ULLNIC_ATE_ACK;
    const bool in_use = offset == bank || offset == bank + 4;
    if ((control & ULLNIC_ATE_ENABLE) && (fixed || in_use)) ++Word(test_card::kUnsafeWrites);
  }

  void Push(unsigned qid, uint16_t length, uint8_t type, std::span<const uint8_t> data) {
    Queue& queue = queues_[qid];
    std::vector<uint8_t> packet(16 + data.size());
    std::memcpy(packet.data(), &length, sizeof length);
    packet[2] = type;
    packet[3] = static_cast<uint8_t>(qid);
    const uint32_t sequence = queue.sequence++;
    const uint64_t timestamp = 1000ull * sequence;
    std::memcpy(packet.data() + 4, &sequence, sizeof sequence);
    std::memcpy(packet.data() + 8, &timestamp, sizeof timestamp);
    if (!data.empty()) std::memcpy(packet.data() + 16, data.data(), data.size());
    queue.packets.push_back(std::move(packet));
  }

  // Sends a packet with the header of kInjectHeader: length, type << 16, port << 24.
  void Inject(unsigned qid, size_t bytes) {
    if (qid >= queues_.size()) return;
    const std::vector<uint8_t> data(bytes, 0x5a);
    Push(qid, 0, 0, data);
    std::memcpy(queues_[qid].packets.back().data(), &Word(test_card::kInjectHeader), 4);
  }

  std::map<uint32_t, uint32_t> words_;
  std::vector<Queue> queues_;
  const ullnic::qdma::Endpoint* endpoint_ = nullptr;
};

// A card that is not ours.
class Stranger final : public ullnic::vfio::PciDevice {
 public:
  explicit Stranger(const Options& options) : options_(options) {}
  ullnic::vfio::PciIdentity identity() const override {
    ullnic::vfio::PciIdentity id;
    id.vendor = static_cast<uint16_t>(options_.vendor);
    id.device = static_cast<uint16_t>(options_.device);
    id.class_code = 0x058000;
    id.bar_bytes[0] = options_.bar0_bytes;
    id.bar_bytes[2] = options_.bar2_bytes;
    id.msix_vectors = 8;
    id.msix_table = 0x30000;
    id.msix_pending = 0x34000;
    return id;
  }
  void ReadBar(unsigned bar, uint64_t offset, std::function<void(uint32_t)> done) override {
    if (bar == 0 && offset == 0) return done(options_.dma_id);
    if (bar == 0 && offset == 0x134) return done(options_.dma_version);
    if (bar == 0 && offset == 0x120) return done(options_.dma_queues);
    if (bar == 0 && offset == 0x844) return done(options_.dma_busy);
    done(0);
  }
  void WriteBar(unsigned, uint64_t, uint32_t, std::function<void()> done) override { done(); }
  void Reset() override {}

 private:
  Options options_;
};

template <typename Served>
void Serve(Served& served) {
  std::puts("ready");
  std::fflush(stdout);
  for (;;) {
    while (served.Poll() || served.HasWork()) {
    }
    std::vector<pollfd> fds = {{STDIN_FILENO, 0, 0}};
    for (const int fd : served.poll_fds()) fds.push_back({fd, POLLIN, 0});
    poll(fds.data(), fds.size(), 100);
    if (fds[0].revents != 0) return;  // the test has ended
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("A card for tests of libullnic. It ends when standard input is closed.");
  app.add_option("--socket", options.socket)->required();
  app.add_option("--id", options.id);
  app.add_option("--version", options.version);
  app.add_option("--kind", options.kind);
  app.add_option("--ports", options.ports);
  app.add_option("--tcp-enables", options.tcp_enables);
  app.add_option("--ate-id", options.ate_id);
  app.add_option("--ate-version", options.ate_version);
  app.add_option("--ate-capability", options.ate_capability);
  app.add_flag("--strange", options.strange, "no DMA model");
  app.add_option("--vendor", options.vendor);
  app.add_option("--device", options.device);
  app.add_option("--bar0-bytes", options.bar0_bytes);
  app.add_option("--bar2-bytes", options.bar2_bytes);
  app.add_option("--dma-id", options.dma_id);
  app.add_option("--dma-version", options.dma_version);
  app.add_option("--dma-queues", options.dma_queues);
  app.add_option("--dma-busy", options.dma_busy, "what the register of context commands reads");
  CLI11_PARSE(app, argc, argv);
  if (options.strange) {
    Stranger stranger(options);
    ullnic::vfio::Server server(options.socket, stranger);
    Serve(server);
    return 0;
  }
  const auto now_ps = [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() * int64_t{1000};
  };
  TestCard card(options);
  ullnic::qdma::Endpoint endpoint(options.socket, card, now_ps);
  card.set_endpoint(&endpoint);
  Serve(endpoint);
}
