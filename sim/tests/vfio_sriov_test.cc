// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A physical function with virtual ones: its SR-IOV capability, and what the virtual ones answer.

#include <algorithm>
#include <map>

#include "vfio_bench.h"

namespace ullnic {
namespace {

using vfio_test::Client;
using vfio_test::SlowCard;

constexpr uint32_t kConfig = 7;
constexpr uint16_t kReset = 13;
constexpr uint32_t kAri = 0x100, kSriov = 0x140;
constexpr uint32_t kControl = kSriov + 8, kNumVfs = kSriov + 0x10, kPageSize = kSriov + 0x20;
constexpr uint32_t kVfBar = kSriov + 0x24;
constexpr uint16_t kEnable = 1, kMemory = 8;
constexpr uint32_t kNothing = ~0u;
constexpr unsigned kVfs = 2;

class VfioSriov : public vfio_test::VfioServer {
 protected:
  void SetUp() override {
    VfioServer::SetUp();
    MakeEndpointOf(endpoint_, path_, card_, qdma::PhysicalFunction(kVfs));
    for (unsigned i = 0; i < kVfs; ++i) {
      const std::string path = path_ + std::to_string(i);
      MakeEndpointOf(virtual_[i], path, virtual_card_[i], qdma::VirtualFunction());
    }
    endpoint_->set_on_virtual([this](const vfio::VirtualState& state) {
      states_.push_back(state);
      for (unsigned i = 0; i < kVfs; ++i) {
        virtual_[i]->server().Enable(i < state.enabled, state.has_memory);
      }
    });
  }
  void TearDown() override {
    for (auto& function : virtual_) function.reset();
    VfioServer::TearDown();
  }
  Client ConnectTo(const std::string& path) {
    Client client(path, [this] {
      endpoint_->Poll();
      for (auto& function : virtual_) function->Poll();
      usleep(50);
    });
    EXPECT_EQ(client.Negotiate().error, 0u);
    return client;
  }
  Client Physical() { return ConnectTo(path_); }
  Client Virtual(unsigned i) { return ConnectTo(path_ + std::to_string(i)); }
  static void Enable(Client& physical, uint16_t vfs, uint16_t control = kEnable | kMemory) {
    physical.Write(kConfig, kNumVfs, vfs);
    physical.Write(kConfig, kControl, control);
  }

  std::unique_ptr<qdma::Endpoint> virtual_[kVfs];
  SlowCard virtual_card_[kVfs];
  std::vector<vfio::VirtualState> states_;
};

TEST_F(VfioSriov, QemuFindsTheCapabilityOnlyAfterItHasLooked) {
  Client client = Physical();
  EXPECT_EQ(client.Read(kConfig, kAri, 4), kSriov << 20 | 0x1000e);
  EXPECT_EQ(client.Read(kConfig, kSriov, 4), 0x1000bu) << "vendor-specific";
  EXPECT_EQ(client.Read(kConfig, kSriov, 1), 0x0bu);
  EXPECT_EQ(client.Read(kConfig, kSriov - 4, 8), 0x1000bull << 32);
  EXPECT_EQ(client.Read(kConfig, kSriov + 1, 1), 0u);
  EXPECT_EQ(client.Error(kReset, {}), 0u);
  EXPECT_EQ(client.Read(kConfig, kSriov, 4), 0x10010u);
  client.Write(kConfig, 0x78, uint16_t{0x8000});  // a function-level reset
  EXPECT_EQ(client.Read(kConfig, kSriov, 4), 0x10010u);
  client.Close();
  EXPECT_EQ(Physical().Read(kConfig, kSriov, 4), 0x1000bu) << "the next client";
}

TEST_F(VfioSriov, AFunctionWithoutVirtualOnesHasNoCapability) {
  MakeEndpointOf(endpoint_, path_ + "plain", card_, qdma::PhysicalFunction());
  Client client = ConnectTo(path_ + "plain");
  EXPECT_EQ(client.Error(kReset, {}), 0u);
  for (uint32_t place = kAri; place < 0x1000; place += 4) {
    client.Write(kConfig, place, ~0u);
    ASSERT_EQ(client.Read(kConfig, place, 4), 0u) << "at " << place;
  }
}

// Each bit of the extended configuration space, initially and after all ones and zeros were
// written, while the virtual functions are disabled.
TEST_F(VfioSriov, EveryBitOfTheCapability) {
  Client client = Physical();
  client.Request(kReset, {});
  struct Word {
    uint32_t first, written;  // initial value, writable bits
  };
  const std::map<uint32_t, Word> words = {
      {kAri, {kSriov << 20 | 0x1000e, 0}},
      {kSriov, {0x10010, 0}},
      {kControl, {0, kEnable | kMemory | 0x10}},
      {kSriov + 0x0c, {kVfs << 16 | kVfs, 0}},  // total, initial
      {kNumVfs, {0, 0xffff}},
      {kSriov + 0x14, {1 << 16 | 1, 0}},    // stride, offset
      {kSriov + 0x18, {0xa03fu << 16, 0}},  // device of a virtual function
      {kSriov + 0x1c, {0x553, 0}},
      {kPageSize, {1, 0}},          // all ones and 0 are no page size
      {kVfBar, {0xc, 0xffff8000}},  // 32 KiB, 64 bits, prefetchable
      {kVfBar + 4, {0, ~0u}},
  };
  for (uint32_t place = kAri; place < 0x1000; place += 4) {
    const auto known = words.find(place);
    const Word want = known != words.end() ? known->second : Word{0, 0};
    EXPECT_EQ(client.Read(kConfig, place, 4), want.first) << "at " << place;
    client.Write(kConfig, place, ~0u);
    EXPECT_EQ(client.Read(kConfig, place, 4), want.first | want.written) << "at " << place;
    client.Write(kConfig, place, uint32_t{0});
    EXPECT_EQ(client.Read(kConfig, place, 4), want.first & ~want.written) << "at " << place;
  }
}

TEST_F(VfioSriov, PagesOfTheSystemAlignTheMemoryOfEachFunction) {
  Client client = Physical();
  client.Request(kReset, {});
  client.Write(kConfig, kVfBar, uint64_t{0x12'3456'8000});
  for (const uint32_t page : {0x2u, 0x10u, 0x40u, 0x100u, 0x400u, 0x1u}) {
    client.Write(kConfig, kPageSize, page);
    EXPECT_EQ(client.Read(kConfig, kPageSize, 4), page);
    const uint64_t address = client.Read(kConfig, kVfBar, 8);
    client.Write(kConfig, kVfBar, ~uint64_t{0});
    const uint64_t bytes = std::max<uint64_t>(page * 4096, 32 << 10);
    EXPECT_EQ(client.Read(kConfig, kVfBar, 8), ~(bytes - 1) | 0xc) << page;
    client.Write(kConfig, kVfBar, address);
    EXPECT_EQ(client.Read(kConfig, kVfBar, 8), address);
  }
  for (const uint32_t page : {0x4u, 0x8u, 0x3u, 0x800u}) {
    client.Write(kConfig, kPageSize, page);
    EXPECT_EQ(client.Read(kConfig, kPageSize, 4), 1u) << page;
  }
  Enable(client, 1);
  client.Write(kConfig, kPageSize, 0x10u);
  EXPECT_EQ(client.Read(kConfig, kPageSize, 4), 1u) << "constant while functions are enabled";
}

TEST_F(VfioSriov, TheFunctionsAreEnabledAndDisabled) {
  using States = std::vector<vfio::VirtualState>;
  Client client = Physical();
  client.Request(kReset, {});
  client.Write(kConfig, kNumVfs, uint16_t{1});
  EXPECT_EQ(states_, States{});
  client.Write(kConfig, kControl, kEnable);
  client.Write(kConfig, kControl, uint16_t{kEnable | kMemory});
  client.Write(kConfig, kNumVfs, uint16_t{2});
  EXPECT_EQ(client.Read(kConfig, kNumVfs, 2), 1u) << "constant while functions are enabled";
  client.Write(kConfig, kControl, uint16_t{0});
  EXPECT_EQ(states_, (States{{1, false}, {1, true}, {0, false}}));
  states_.clear();
  Enable(client, 9);
  client.Write(kConfig, 0x78, uint16_t{0x8000});  // a function-level reset
  EXPECT_EQ(states_, (States{{kVfs, true}, {0, false}}));
  states_.clear();
  Enable(client, 2);
  client.Request(kReset, {});
  EXPECT_EQ(states_, (States{{2, true}, {0, false}}));
  states_.clear();
  Enable(client, 2);
  client.Close();
  Physical();
  EXPECT_EQ(states_, (States{{2, true}, {0, false}}));
}

TEST_F(VfioSriov, AFunctionThatIsNotEnabledAnswersNothing) {
  Client physical = Physical(), second = Virtual(1);
  physical.Request(kReset, {});
  EXPECT_EQ(second.Read(kConfig, 0, 4), kNothing) << "no vendor and device of its own";
  EXPECT_EQ(second.Read(kConfig, 0x34, 1), 0x40u) << "QEMU creates its device";
  EXPECT_EQ(second.Read(kConfig, kAri, 4), 0x1000eu);
  EXPECT_EQ(second.Read(0, 0x5014, 4), kNothing);
  second.Request(kReset, {});
  const auto is_absent = [&] {
    second.Write(kConfig, 4, uint16_t{6});
    second.Write(0, 0x4000, 0x12345678u);
    bool absent = second.Read(0, 0x4000, 4) == kNothing && second.Read(0, 0x4002, 2) == 0xffff;
    for (uint32_t place = 0; place < 0x1000; place += 4) {
      absent &= second.Read(kConfig, place, 4) == kNothing;
    }
    return absent;
  };
  EXPECT_TRUE(is_absent());
  Enable(physical, 1);
  EXPECT_TRUE(is_absent()) << "the first is enabled";
  Enable(physical, 0, 0);
  const int resets = virtual_card_[1].resets;
  Enable(physical, 2);
  EXPECT_EQ(second.Read(kConfig, 0, 4), kNothing) << "no vendor and device of its own";
  EXPECT_EQ(second.Read(kConfig, 4, 4), 0x00100000u) << "the command register as after a reset";
  second.Write(kConfig, 4, uint16_t{6});
  EXPECT_EQ(second.Read(kConfig, 4, 2), 6u);
  EXPECT_NE(second.Read(0, 0x4000, 4), kNothing);
  Enable(physical, 2, kEnable);
  EXPECT_EQ(second.Read(kConfig, 4, 2), 6u);
  EXPECT_EQ(second.Read(0, 0x4000, 4), kNothing) << "without memory";
  EXPECT_EQ(virtual_card_[1].resets, resets);
  Enable(physical, 2, 0);
  EXPECT_EQ(virtual_card_[1].resets, resets + 1) << "what it had is gone";
  EXPECT_TRUE(is_absent());
  Enable(physical, 2);
  EXPECT_EQ(second.Read(kConfig, 4, 2), 2u) << "QEMU's map of the memory is as it was";
  EXPECT_EQ(virtual_card_[1].resets, resets + 1);
}

}  // namespace
}  // namespace ullnic
