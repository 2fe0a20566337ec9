// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The vfio-user server over a real socket: with shared memory, eventfds, and clients that
// misbehave.

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/user_error.h"
#include "vfio_bench.h"

namespace ullnic {
namespace {

using vfio_test::At;
using vfio_test::Client;
using vfio_test::Pack;
using vfio_test::Reply;
using vfio_test::VfioServer;

TEST_F(VfioServer, TellsWhatTheDeviceIs) {
  Client client = Negotiated();
  const Reply info = client.Request(4, Pack(uint32_t{16}, uint32_t{0}, uint64_t{0}));
  EXPECT_EQ(At<uint32_t>(info.body, 4), 3u) << "PCI, can be reset";
  EXPECT_EQ(At<uint32_t>(info.body, 8), 9u);
  EXPECT_EQ(At<uint32_t>(info.body, 12), 5u);
  const std::map<uint32_t, uint64_t> sizes = {{0, 256 << 10}, {2, 512 << 10}, {7, 4096}};
  for (uint32_t index = 0; index < 9; ++index) {
    const Reply region = client.Request(
        5, Pack(uint32_t{32}, uint32_t{0}, index, uint32_t{0}, uint64_t{0}, uint64_t{0}));
    const uint64_t want = sizes.contains(index) ? sizes.at(index) : 0;
    EXPECT_EQ(At<uint64_t>(region.body, 16), want) << index;
    EXPECT_EQ(At<uint32_t>(region.body, 4), want != 0 ? 3u : 0u) << "read and write, not mapped";
  }
  for (uint32_t index = 0; index < 5; ++index) {
    const Reply irq = client.Request(7, Pack(uint32_t{16}, uint32_t{0}, index, uint32_t{0}));
    EXPECT_EQ(At<uint32_t>(irq.body, 12), index == 2 ? 32u : 0u);
  }
  EXPECT_EQ(client.Error(5, Pack(uint32_t{32}, uint32_t{0}, uint32_t{9}, uint32_t{0}, uint64_t{0},
                                 uint64_t{0})),
            uint32_t{EINVAL});
}

TEST_F(VfioServer, ConfigurationSpaceIsThatOfAPciFunction) {
  Client client = Negotiated();
  EXPECT_EQ(client.Read(7, 0, 4), 0x903f10eeu);
  EXPECT_EQ(client.Read(7, 8, 4) >> 8, 0x058000u);
  // A BAR's size is given by the bits that stay 0 after all ones.
  for (const auto& [bar, bytes] : {std::pair{0u, 256u << 10}, {2u, 512u << 10}}) {
    client.Write(7, 0x10 + 4 * bar, ~uint64_t{0});
    EXPECT_EQ(~(client.Read(7, 0x10 + 4 * bar, 8) & ~uint64_t{15}) + 1, bytes);
    EXPECT_EQ(client.Read(7, 0x10 + 4 * bar, 1) & 7, 4u) << "64-bit memory";
  }
  std::map<uint64_t, uint64_t> capabilities;  // by identifier
  for (uint64_t at = client.Read(7, 0x34, 1); at != 0; at = client.Read(7, at + 1, 1)) {
    ASSERT_TRUE(capabilities.emplace(client.Read(7, at, 1), at).second);
  }
  ASSERT_TRUE(capabilities.contains(0x11));
  const uint64_t msix = capabilities[0x11];
  EXPECT_EQ(client.Read(7, msix + 2, 2), 31u);
  EXPECT_EQ(client.Read(7, msix + 4, 4), 0x30000u);
  EXPECT_EQ(client.Read(7, msix + 8, 4), 0x34000u);
  client.Write(7, msix + 2, uint16_t{0xffff});
  EXPECT_EQ(client.Read(7, msix + 2, 2), 0xc01fu) << "the table's size is read-only";
  client.Write(7, 0, ~uint32_t{0});
  EXPECT_EQ(client.Read(7, 0, 4), 0x903f10eeu);
  // The function-level reset of the PCI Express capability.
  ASSERT_TRUE(capabilities.contains(0x10));
  const int before = card_.resets;
  client.Write(7, capabilities[0x10] + 8, uint16_t{0x8000});
  EXPECT_EQ(card_.resets, before + 1);
  EXPECT_EQ(client.Read(7, msix + 2, 2), 31u);
  EXPECT_EQ(client.Read(7, 0x100, 4), 0u) << "no extended capability";
  EXPECT_EQ(client.Error(9, Pack(uint64_t{4095}, uint32_t{7}, uint32_t{2})), uint32_t{EINVAL});
}

// Each bit, initially and after all ones were written, except that of the function-level reset,
// which is not stored.
TEST_F(VfioServer, EveryBitOfTheConfigurationSpace) {
  Client client = Negotiated();
  std::map<uint64_t, uint64_t> at;
  for (uint64_t place = client.Read(7, 0x34, 1); place != 0; place = client.Read(7, place + 1, 1)) {
    at[client.Read(7, place, 1)] = place;
  }
  ASSERT_EQ(at.size(), 3u);  // power, MSI-X, PCI Express, in this order
  const uint64_t pm = at[0x01], msix = at[0x11], express = at[0x10];
  struct Word {
    uint64_t first, written;  // initial value, writable bits
  };
  const std::map<uint64_t, Word> words = {
      {0x00, {0x903f10ee, 0}},
      {0x04, {0x00100000, 0x0406}},  // capabilities; memory, master, no INTx
      {0x08, {0x05800000, 0}},
      {0x0c, {0, 0xff}},          // cache line
      {0x10, {0xc, 0xfffc0000}},  // 256 KiB, 64 bits, prefetchable
      {0x14, {0, 0xffffffff}},
      {0x18, {0xc, 0xfff80000}},  // 512 KiB
      {0x1c, {0, 0xffffffff}},
      {0x2c, {0x000710ee, 0}},
      {0x34, {pm, 0}},
      {0x3c, {0, 0xff}},  // interrupt line
      {pm, {3u << 16 | msix << 8 | 1, 0}},
      {pm + 4, {8, 3}},  // no reset by D3
      {msix, {31u << 16 | express << 8 | 0x11, 0xc0000000}},
      {msix + 4, {0x30000, 0}},
      {msix + 8, {0x34000, 0}},
      {express, {2u << 16 | 0x10, 0}},
      {express + 4, {0x10008002, 0}},  // FLR, role-based errors, 512 bytes
      {express + 8, {0x2810, 0x7fff}},
      {express + 12, {0x103, 0}},  // 16 lanes of 8 GT/s
      {express + 16, {0x103u << 16, 0xfff}},
  };
  for (uint64_t place = 0; place < 0x100; place += 4) {
    const auto known = words.find(place);
    const Word want = known != words.end() ? known->second : Word{0, 0};
    EXPECT_EQ(client.Read(7, place, 4), want.first) << "at " << place;
    const uint32_t ones = place == express + 8 ? 0xffff7fff : 0xffffffff;
    client.Write(7, place, ones);
    EXPECT_EQ(client.Read(7, place, 4), want.first | want.written) << "at " << place;
    client.Write(7, place, uint32_t{0});
    EXPECT_EQ(client.Read(7, place, 4), want.first & ~want.written) << "at " << place;
  }
  EXPECT_EQ(card_.resets, 0);
}

TEST_F(VfioServer, RegistersAreReachedInOrder) {
  Client client = Negotiated();
  EXPECT_EQ(client.Read(0, 0, 4), 0x1fd30000u);
  EXPECT_EQ(client.Write(2, 0x100, uint32_t{0x11223344}), 0u);
  EXPECT_EQ(client.Write(2, 0x104, uint64_t{0x99aabbcc55667788}), 0u);
  EXPECT_EQ(client.Read(2, 0x100, 8), 0x5566778811223344u);
  EXPECT_EQ(client.Read(2, 0x101, 1), 0x33u);
  EXPECT_EQ(client.Read(2, 0x10a, 2), 0x99aau);
  EXPECT_EQ(client.Write(2, 0x7fffc, uint32_t{5}), 0u);
  EXPECT_EQ(client.Read(2, 0x7fffc, 4), 5u);
  // Posted writes, then a read after them: the card's replies are late.
  card_.log.clear();
  answering_ = false;
  for (uint32_t i = 0; i < 50; ++i) {
    client.Send(10, Pack(uint64_t{4 * i}, uint32_t{2}, uint32_t{4}, i), {}, 0x10);
  }
  client.Send(9, Pack(uint64_t{4 * 49}, uint32_t{2}, uint32_t{4}));
  EXPECT_FALSE(client.Receive(false).has_value());
  EXPECT_TRUE(endpoint_->HasWork()) << "the simulation must go on";
  EXPECT_EQ(card_.answers.size(), 1u) << "one at a time";
  answering_ = true;
  EXPECT_EQ(At<uint32_t>(client.Receive()->body, 16), 49u);
  ASSERT_EQ(card_.log.size(), 50u);
  EXPECT_TRUE(std::is_sorted(card_.log.begin(), card_.log.end()));
  EXPECT_FALSE(endpoint_->HasWork());
  // Several writes in one message.
  Bytes body = Pack(uint64_t{2});
  for (uint32_t i = 0; i < 2; ++i) {
    const Bytes write = Pack(uint64_t{8 * i}, uint32_t{2}, uint32_t{8}, uint64_t{i} << 32 | 77);
    body.insert(body.end(), write.begin(), write.end());
  }
  EXPECT_EQ(At<uint64_t>(client.Request(15, body).body, 0), 2u);
  EXPECT_EQ(client.Read(2, 8, 8), uint64_t{1} << 32 | 77);
}

TEST_F(VfioServer, AccessesThatCannotBeAreRefused) {
  Client client = Negotiated();
  const auto read = [&](uint64_t offset, uint32_t region, uint32_t count) {
    return client.Error(9, Pack(offset, region, count));
  };
  for (const auto& [offset, region, count] : {std::tuple{0ull, 1u, 4u},
                                              {0ull, 6u, 4u},
                                              {0ull, 8u, 4u},
                                              {0ull, 99u, 4u},
                                              {0ull, 2u, 0u},
                                              {0ull, 2u, 3u},
                                              {2ull, 2u, 4u},
                                              {0x7fffdull, 2u, 4u},
                                              {0x80000ull, 2u, 4u},
                                              {~0ull, 2u, 4u},
                                              {~0ull - 3, 0u, 4u},
                                              {0ull, 0u, 16u},
                                              {0ull, 2u, ~0u}}) {
    EXPECT_EQ(read(offset, region, count), uint32_t{EINVAL}) << offset << ", region " << region;
  }
  EXPECT_NE(endpoint_->server().last_refusal().find("region 2"), std::string::npos)
      << endpoint_->server().last_refusal();
  EXPECT_EQ(client.Write(2, 0x100, uint8_t{1}), uint32_t{EINVAL}) << "a part of a register";
  EXPECT_EQ(client.Error(10, Pack(uint64_t{0}, uint32_t{2}, uint32_t{8}, uint32_t{1})),
            uint32_t{EINVAL})
      << "less data than announced";
  EXPECT_EQ(client.Error(15, Pack(uint64_t{3}, uint64_t{0})), uint32_t{EINVAL});
  EXPECT_EQ(client.Error(15, Pack(~uint64_t{0})), uint32_t{EINVAL});
  EXPECT_EQ(client.Error(15, {}), uint32_t{EINVAL});
  EXPECT_EQ(client.Error(6, Pack(uint64_t{0}, uint64_t{0})), uint32_t{ENOTSUP});
  EXPECT_EQ(client.Error(777, {}), uint32_t{ENOTSUP});
  EXPECT_EQ(client.Error(2, {}), uint32_t{EINVAL});
  EXPECT_EQ(client.Read(0, 0, 4), 0x1fd30000u) << "and goes on";
}

TEST_F(VfioServer, MemoryIsMappedAndUnmapped) {
  Client client = Negotiated();
  const Fd memory = Memory(0x10000);
  auto& dma = endpoint_->server().memory();
  uint8_t bytes[16] = {1, 2, 3};
  EXPECT_FALSE(dma.Write(0x100000, bytes));
  EXPECT_EQ(client.Map(0x100000, 0x8000, {memory.get()}), 0u);
  EXPECT_EQ(client.Map(0x108000, 0x8000, {memory.get()}, 1, 0x8000), 0u) << "read only";
  EXPECT_TRUE(dma.Write(0x100ff8, bytes));
  uint8_t seen[16] = {};
  EXPECT_EQ(pread(memory.get(), seen, sizeof seen, 0xff8), 16);
  EXPECT_EQ(std::memcmp(seen, bytes, 16), 0);
  EXPECT_TRUE(dma.Read(0x107ff8, bytes)) << "across two ranges";
  EXPECT_FALSE(dma.Write(0x107ff8, bytes)) << "the second is read-only";
  EXPECT_FALSE(dma.Read(0x10fff8, bytes)) << "beyond the end";
  EXPECT_FALSE(dma.Read(~uint64_t{0} - 7, bytes)) << "round the end of addresses";

  EXPECT_EQ(client.Map(0x107000, 0x1000, {memory.get()}), uint32_t{EEXIST});
  EXPECT_EQ(client.Map(0xf0000, 0x100000, {memory.get()}), uint32_t{EEXIST});
  EXPECT_EQ(client.Map(0x200000, 0, {memory.get()}), uint32_t{EINVAL});
  EXPECT_EQ(client.Map(0x200800, 0x1000, {memory.get()}), uint32_t{EINVAL});
  EXPECT_EQ(client.Map(~uint64_t{0xfff}, 0x2000, {memory.get()}), uint32_t{EINVAL});
  EXPECT_EQ(client.Map(0x200000, 0x1000, {memory.get()}, 0), uint32_t{EINVAL});
  EXPECT_EQ(client.Map(0x200000, 0x1000, {memory.get()}, 3, 0x10000), uint32_t{EINVAL})
      << "beyond the end of the file";
  EXPECT_EQ(client.Map(0x200000, 0x1000, {memory.get()}, 3, 0x800), uint32_t{EINVAL});
  EXPECT_EQ(client.Map(0x200000, 0x1000, {memory.get(), memory.get()}), uint32_t{EINVAL});
  EXPECT_EQ(client.Map(0x200000, 0x1000, {}), 0u) << "known, but of no use";
  EXPECT_NE(said_.back().find("no file descriptor"), std::string::npos);
  EXPECT_FALSE(dma.Read(0x200000, bytes));

  const auto unmap = [&](uint64_t address, uint64_t size) {
    return client.Request(3, Pack(uint32_t{24}, uint32_t{0}, address, size));
  };
  EXPECT_EQ(unmap(0x100000, 0x4000).error, uint32_t{ENOENT});
  const Reply undone = unmap(0x100000, 0x8000);
  EXPECT_EQ(undone.error, 0u);
  EXPECT_EQ(At<uint64_t>(undone.body, 8), 0x100000u);
  EXPECT_FALSE(dma.Read(0x100000, bytes));
  EXPECT_EQ(unmap(0x100000, 0x8000).error, uint32_t{ENOENT});
}

// Transfers across adjacent ranges, wherever they are in their files, to the byte; and no byte
// more.
TEST_F(VfioServer, TransfersGoOverRangesThatAdjoin) {
  Client client = Negotiated();
  const Fd low = Memory(0x3000);
  const Fd high = Memory(0x3000);
  auto& dma = endpoint_->server().memory();
  EXPECT_EQ(client.Map(0x5000, 0x1000, {high.get()}, 3, 0x2000), 0u);
  EXPECT_EQ(client.Map(0x4000, 0x1000, {low.get()}, 3, 0x1000), 0u);
  EXPECT_EQ(client.Map(0x3000, 0x1000, {high.get()}, 3, 0x1000), 0u);
  EXPECT_EQ(client.Map(0x3000, 0x1000, {low.get()}), uint32_t{EEXIST});
  EXPECT_EQ(client.Map(0x2000, 0x2000, {low.get()}), uint32_t{EEXIST}) << "its last page";
  EXPECT_EQ(client.Map(0x5000, 0x2000, {low.get()}), uint32_t{EEXIST}) << "its first page";
  EXPECT_EQ(client.Map(~uint64_t{0xfff}, 0x1000, {low.get()}), 0u) << "the last page of all";
  std::vector<uint8_t> data(0x3000);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i * 7 + i / 256);
  EXPECT_FALSE(dma.Write(0x2fff, data));
  EXPECT_FALSE(dma.Write(0x3001, data));
  EXPECT_TRUE(dma.Write(0x3000, data));
  for (size_t page = 0; page < 3; ++page) {
    std::vector<uint8_t> there(0x1000);
    const int file = page == 1 ? low.get() : high.get();
    EXPECT_EQ(pread(file, there.data(), there.size(), page == 2 ? 0x2000 : 0x1000), 0x1000);
    EXPECT_EQ(std::memcmp(there.data(), data.data() + 0x1000 * page, 0x1000), 0) << page;
  }
  for (const size_t begin : {0x0, 0x1, 0xfff, 0x1000, 0x1001, 0x1fff}) {
    for (const size_t end : {0x2000, 0x2001, 0x2fff, 0x3000}) {
      std::vector<uint8_t> seen(end - begin);
      EXPECT_TRUE(dma.Read(0x3000 + begin, seen));
      EXPECT_TRUE(std::equal(seen.begin(), seen.end(), data.begin() + begin)) << begin << end;
    }
  }
  uint8_t last[1];
  EXPECT_TRUE(dma.Write(~uint64_t{0}, last));
}

// QEMU's request when a guest with an IOMMU unmaps several ranges at once.
TEST_F(VfioServer, AnUnmapTakesEveryMapWithinIt) {
  Client client = Negotiated();
  const Fd memory = Memory(0x1000);
  auto& dma = endpoint_->server().memory();
  const auto unmap = [&](uint64_t address, uint64_t size, uint32_t flags = 0) {
    return client.Error(3, Pack(uint32_t{24}, flags, address, size));
  };
  const auto map_all = [&] {
    for (const uint64_t at : {0x1000ull, 0x3000ull, 0x4000ull, 0x9000ull, ~0xfffull}) {
      EXPECT_EQ(client.Map(at, 0x1000, {memory.get()}), 0u) << at;
    }
  };
  map_all();
  for (const auto& [address, size] : {std::pair{0ull, 0x1000ull},
                                      {0x5000ull, 0x4000ull},
                                      {0x800ull, 0x1000ull},
                                      {0x1800ull, 0x2800ull},
                                      {0x1000ull, 0x3800ull},
                                      {0x1000ull, 0ull},
                                      {~0xfffull, 0x2000ull}}) {
    EXPECT_EQ(unmap(address, size), uint32_t{ENOENT}) << address << ", " << size;
    EXPECT_EQ(dma.ranges(), 5u) << "all or nothing";
  }
  EXPECT_EQ(unmap(0, 0x8000), 0u);
  EXPECT_EQ(dma.ranges(), 2u);
  EXPECT_EQ(unmap(0x8000, ~0x7fffull), 0u) << "to the end of addresses";
  EXPECT_EQ(dma.ranges(), 0u);
  map_all();
  EXPECT_EQ(unmap(0x1000, 0x1000, 1), uint32_t{ENOTSUP}) << "with a bitmap of dirty pages";
  EXPECT_EQ(unmap(0x1000, 0x1000, 2), uint32_t{ENOTSUP}) << "all, but a range";
  EXPECT_EQ(dma.ranges(), 5u);
  EXPECT_EQ(unmap(0, 0, 2), 0u);
  EXPECT_EQ(dma.ranges(), 0u);
}

TEST_F(VfioServer, MemoryThatTheClientTakesAwayIsAFailedTransfer) {
  Client client = Negotiated();
  const Fd memory = Memory(0x4000);
  EXPECT_EQ(client.Map(0x100000, 0x4000, {memory.get()}), 0u);
  auto& dma = endpoint_->server().memory();
  uint8_t bytes[64] = {};
  EXPECT_TRUE(dma.Write(0x103000, bytes));
  EXPECT_EQ(ftruncate(memory.get(), 0x1000), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(dma.Write(0x103000, bytes));
    EXPECT_FALSE(dma.Read(0x103000, bytes));
    EXPECT_TRUE(dma.Write(0x100000, bytes)) << "what is left";
  }
}

TEST_F(VfioServer, InterruptsReachEventfds) {
  Client client = Negotiated();
  auto& server = endpoint_->server();
  EXPECT_FALSE(server.Interrupt(32));
  EXPECT_TRUE(server.Interrupt(5)) << "kept until there is an eventfd";
  std::vector<Fd> events;
  std::vector<int> fds;
  for (int i = 0; i < 32; ++i) {
    events.emplace_back(eventfd(0, 0));
    fds.push_back(events.back().get());
  }
  EXPECT_EQ(client.SetIrqs(4 | 32, 0, 16, {fds.begin(), fds.begin() + 16}), 0u);
  EXPECT_EQ(client.SetIrqs(4 | 32, 16, 16, {fds.begin() + 16, fds.end()}), 0u);
  const auto took = [&](unsigned vector) {
    uint64_t count = 0;
    if (!Readable(fds[vector]) || read(fds[vector], &count, sizeof count) != sizeof count) return 0;
    return static_cast<int>(count);
  };
  EXPECT_EQ(took(5), 1);
  server.Interrupt(31);
  server.Interrupt(31);
  EXPECT_EQ(took(31), 2);
  EXPECT_EQ(took(5), 0);
  EXPECT_EQ(client.SetIrqs(1 | 8, 3, 2), 0u) << "mask 3 and 4";
  server.Interrupt(3);
  EXPECT_EQ(took(3), 0);
  EXPECT_EQ(client.Read(0, 0x34000, 8), 1u << 3) << "its pending bit";
  EXPECT_EQ(client.Read(0, 0x34004, 4), 0u);
  EXPECT_EQ(client.SetIrqs(2 | 16, 3, 2, {}, {1, 0}), 0u) << "unmask 3";
  EXPECT_EQ(client.Read(0, 0x34000, 4), 0u);
  EXPECT_EQ(took(3), 1);
  server.Interrupt(4);
  EXPECT_EQ(took(4), 0);
  EXPECT_EQ(client.SetIrqs(1 | 32, 7, 1), 0u) << "the client's own trigger";
  EXPECT_EQ(took(7), 1);
  EXPECT_EQ(client.SetIrqs(4 | 32, 7, 1), 0u) << "released";
  server.Interrupt(7);
  EXPECT_EQ(took(7), 0);
  EXPECT_EQ(client.SetIrqs(1 | 32, 0, 0), 0u) << "all of them";
  server.Interrupt(8);
  EXPECT_EQ(took(8), 0);

  EXPECT_EQ(client.SetIrqs(4 | 32, 31, 2, {fds[0], fds[1]}), uint32_t{EINVAL});
  EXPECT_EQ(client.SetIrqs(4 | 32, ~0u, 1, {fds[0]}), uint32_t{EINVAL});
  EXPECT_EQ(client.SetIrqs(4 | 32, 0, 2, {fds[0]}), uint32_t{EINVAL});
  EXPECT_EQ(client.SetIrqs(4 | 8, 0, 1, {fds[0]}), uint32_t{EINVAL});
  EXPECT_EQ(client.SetIrqs(2 | 32, 0, 4, {}, {1}), uint32_t{EINVAL});
  EXPECT_EQ(client.SetIrqs(63, 0, 1), uint32_t{EINVAL});
  int pipe_fds[2];
  ASSERT_EQ(pipe(pipe_fds), 0);
  const Fd in(pipe_fds[0]), out(pipe_fds[1]);
  EXPECT_EQ(client.SetIrqs(4 | 32, 0, 1, {out.get()}), uint32_t{EINVAL}) << "not an eventfd";
  const Bytes intx = Pack(uint32_t{20}, uint32_t{4 | 32}, uint32_t{0}, uint32_t{0}, uint32_t{1});
  EXPECT_EQ(client.Error(8, intx, {fds[0]}), uint32_t{EINVAL});
  EXPECT_EQ(client.Error(8, Pack(uint32_t{20}, uint32_t{1 | 32}, uint32_t{0}, uint64_t{0})), 0u)
      << "switching off what is not there";

  // A counter that its owner has filled, and does not read, must not stop the server.
  const uint64_t full = ~uint64_t{0} - 1;
  const Fd stuffed(eventfd(0, 0));
  ASSERT_EQ(write(stuffed.get(), &full, sizeof full), 8);
  EXPECT_EQ(client.SetIrqs(4 | 32, 0, 1, {stuffed.get()}), 0u);
  EXPECT_TRUE(server.Interrupt(0));
}

// Level, automatic mask, the client's mask, interrupt disable and interrupt status.
TEST_F(VfioServer, TheLegacyInterruptIsALevel) {
  constexpr uint32_t kTrigger = 4 | 32, kMask = 1 | 8, kUnmask = 1 | 16;
  constexpr uint64_t kCommand = 4, kStatus = 6, kPin = 0x3d;
  constexpr uint16_t kDisable = 1 << 10;
  MakeEndpointOf(endpoint_, path_, card_, qdma::PhysicalFunction());
  Client client = Negotiated();
  const Reply info = client.Request(7, Pack(uint32_t{16}, uint32_t{0}, Client::kIntx, uint32_t{0}));
  EXPECT_EQ(At<uint32_t>(info.body, 4), 7u) << "eventfd, maskable, masked automatically";
  EXPECT_EQ(At<uint32_t>(info.body, 12), 1u);
  EXPECT_EQ(client.Read(7, kPin, 1), 1u);
  const Fd event(eventfd(0, EFD_NONBLOCK)), other(eventfd(0, EFD_NONBLOCK));
  const auto heard = [](const Fd& fd) {
    uint64_t count = 0;
    return read(fd.get(), &count, sizeof count) == sizeof count ? count : 0;
  };
  const auto status = [&] { return client.Read(7, kStatus, 2) >> 3 & 1; };
  host_->SetIntx(true);
  EXPECT_EQ(status(), 1u);
  EXPECT_EQ(client.SetIntx(kTrigger, 1, {event.get()}), 0u);
  EXPECT_EQ(heard(event), 1u) << "it was asserted before";
  host_->SetIntx(false);
  EXPECT_EQ(status(), 0u);
  host_->SetIntx(true);
  EXPECT_EQ(heard(event), 0u) << "masked by the first one";
  EXPECT_EQ(client.SetIntx(kUnmask), 0u);
  EXPECT_EQ(heard(event), 1u) << "still asserted";
  EXPECT_EQ(client.SetIntx(kUnmask), 0u);
  EXPECT_EQ(heard(event), 1u);
  host_->SetIntx(false);
  EXPECT_EQ(client.SetIntx(kUnmask), 0u);
  EXPECT_EQ(heard(event), 0u);
  EXPECT_EQ(client.SetIntx(kMask), 0u);
  host_->SetIntx(true);
  EXPECT_EQ(heard(event), 0u) << "masked by the client";
  EXPECT_EQ(client.SetIntx(2 | 16, 1, {}, {0}), 0u);
  EXPECT_EQ(heard(event), 0u) << "a flag of 0";
  EXPECT_EQ(client.SetIntx(2 | 16, 1, {}, {1}), 0u);
  EXPECT_EQ(heard(event), 1u);
  host_->SetIntx(false);
  EXPECT_EQ(client.SetIntx(kUnmask), 0u);
  EXPECT_EQ(client.Write(7, kCommand, kDisable), 0u);
  host_->SetIntx(true);
  EXPECT_EQ(heard(event), 0u) << "disabled by the command register";
  EXPECT_EQ(status(), 1u) << "whatever that is";
  EXPECT_EQ(client.Write(7, kCommand, uint16_t{0}), 0u);
  EXPECT_EQ(heard(event), 1u);
  EXPECT_EQ(client.SetIntx(kTrigger, 1, {other.get()}), 0u);
  EXPECT_EQ(heard(other), 1u);
  EXPECT_EQ(client.SetIntx(1 | 32), 0u);
  EXPECT_EQ(heard(other), 1u) << "the client's own trigger";
  // A reset leaves the level until the device is reset, and enables it.
  EXPECT_EQ(client.Write(7, kCommand, kDisable), 0u);
  EXPECT_EQ(client.SetIntx(kUnmask), 0u);
  EXPECT_EQ(client.Error(13, {}), 0u);
  EXPECT_EQ(status(), 1u);
  EXPECT_EQ(heard(other), 1u);
  host_->SetIntx(false);
  EXPECT_EQ(status(), 0u);
  EXPECT_EQ(client.SetIntx(1 | 32, 0), 0u) << "released";
  host_->SetIntx(true);
  EXPECT_EQ(heard(other), 0u);
  // Requests that cannot be
  EXPECT_EQ(client.SetIntx(kTrigger, 2, {event.get(), other.get()}), uint32_t{EINVAL});
  EXPECT_EQ(client.SetIntx(kTrigger, 1, {event.get(), other.get()}), uint32_t{EINVAL});
  EXPECT_EQ(client.SetIrqs(kMask, 1, 1, {}, {}, Client::kIntx), uint32_t{EINVAL});
  EXPECT_EQ(client.SetIntx(2 | 16), uint32_t{EINVAL}) << "without its flag";
  EXPECT_EQ(client.SetIntx(4 | 16, 1, {event.get()}), uint32_t{EINVAL});
  EXPECT_EQ(client.SetIntx(63), uint32_t{EINVAL});
  EXPECT_EQ(client.SetIntx(1), uint32_t{EINVAL});
  const Fd file = Memory(4096);
  EXPECT_EQ(client.SetIntx(kTrigger, 1, {file.get()}), uint32_t{EINVAL}) << "not an eventfd";
  // The next client finds neither mask nor eventfd of the previous one.
  EXPECT_EQ(client.SetIntx(kTrigger, 1, {event.get()}), 0u);
  EXPECT_EQ(heard(event), 1u);
  client.Close();
  Client next = Negotiated();
  host_->SetIntx(false);
  host_->SetIntx(true);
  EXPECT_EQ(heard(event), 0u);
  EXPECT_EQ(next.SetIntx(kTrigger, 1, {other.get()}), 0u);
  EXPECT_EQ(heard(other), 1u);
}

TEST_F(VfioServer, AClientThatGoesLeavesNothingBehind) {
  const size_t fds_before = OpenFds();
  for (int i = 0; i < 20; ++i) {
    const Fd memory = Memory(0x2000);
    const Fd event(eventfd(0, 0));
    Client client = Negotiated();
    EXPECT_EQ(client.Map(0x1000, 0x2000, {memory.get()}), 0u);
    EXPECT_EQ(client.SetIrqs(4 | 32, 0, 1, {event.get()}), 0u);
    EXPECT_EQ(client.Write(0, 0x204, uint32_t{65}), 0u);
    // Unexpected descriptors.
    EXPECT_EQ(client.Error(4, Pack(uint64_t{0}, uint64_t{0}), {event.get(), memory.get()}), 0u);
    if (i % 2 == 0) client.Send(9, Pack(uint64_t{0}, uint32_t{2}, uint32_t{4}));  // unanswered
    const int resets = card_.resets;
    client.Close();
    for (int k = 0; k < 10; ++k) {
      card_.Answer();
      endpoint_->Poll();
    }
    EXPECT_FALSE(endpoint_->connected());
    EXPECT_EQ(card_.resets, resets + 1);
    EXPECT_EQ(endpoint_->Describe().at("resets"), i + 1);
  }
  EXPECT_EQ(OpenFds(), fds_before);
  Client next = Negotiated();
  EXPECT_EQ(next.Read(0, 0x204, 4), 0u) << "registers are as after power-up";
  EXPECT_EQ(counters().clients, 21u);
  EXPECT_EQ(counters().broken_connections, 0u);
}

TEST_F(VfioServer, ASecondClientIsToldToWait) {
  Client first = Negotiated();
  Client second = Connect();
  EXPECT_EQ(second.Negotiate().error, uint32_t{EBUSY});
  EXPECT_TRUE(second.Receive()->closed);
  EXPECT_EQ(counters().clients_refused, 1u);
  EXPECT_EQ(first.Read(0, 0, 4), 0x1fd30000u);
  // Silent clients do not fill the server.
  const size_t before = OpenFds();
  std::vector<Client> crowd;
  for (int i = 0; i < 30; ++i) {
    crowd.push_back(Connect());
    endpoint_->Poll();
  }
  EXPECT_LT(OpenFds(), before + 30 + 15) << "of the 30 that are the clients' own";
  crowd.clear();
  first.Close();
  Client third = Connect();  // before the server has noticed that the first has disconnected
  EXPECT_EQ(third.Negotiate().error, 0u);
}

TEST_F(VfioServer, BrokenMessagesEndTheConnectionOnly) {
  const auto header = [](uint32_t size, uint32_t flags = 0) {
    return Pack(uint16_t{1}, uint16_t{4}, size, flags, uint32_t{0});
  };
  uint64_t broken = 0;
  for (const uint32_t size : {0u, 15u, (1u << 20) + 33, ~0u}) {
    Client client = Negotiated();
    client.SendRaw(header(size));
    EXPECT_TRUE(client.Receive()->closed);
    EXPECT_EQ(counters().broken_connections, ++broken);
  }
  {
    Client client = Negotiated();
    client.SendRaw(header(32));
    endpoint_->Poll();
    client.Close();  // in the middle of a message
    endpoint_->Poll();
    EXPECT_EQ(counters().broken_connections, ++broken);
  }
  {
    Client client = Negotiated();
    client.SendRaw(header(16, 1));  // an unsolicited reply
    EXPECT_EQ(client.Read(0, 0, 4), 0x1fd30000u);
    Bytes slow = header(16);  // byte by byte
    for (const uint8_t byte : slow) {
      client.SendRaw({byte});
      endpoint_->Poll();
    }
    EXPECT_EQ(client.Receive()->command, 4u);
  }
  endpoint_->Poll();
  EXPECT_EQ(counters().broken_connections, broken);
}

TEST_F(VfioServer, RandomMessagesDoNoHarm) {
  const Fd memory = Memory(0x10000);
  const Fd event(eventfd(0, 0));
  auto client = std::make_unique<Client>(Negotiated());
  for (int i = 0; i < 20'000; ++i) {
    Bytes body = RandomBytes(rng_.Below(80), rng_);
    const auto command = static_cast<uint16_t>(rng_.Below(20));
    if (rng_.Chance(0.7)) {  // small numbers are valid more often
      for (size_t at = 0; at < body.size(); ++at) {
        if (at % 4 >= 1) body[at] = 0;
        body[at] &= at % 8 < 4 ? 0x3f : 0x07;
      }
    }
    std::vector<int> fds;
    if (rng_.Chance(0.2)) fds.push_back(rng_.Chance(0.5) ? memory.get() : event.get());
    client->Send(command, body, fds, rng_.Chance(0.3) ? 0x10 : 0);
    card_.Answer();
    endpoint_->Poll();
    client->Discard();
    if (!endpoint_->connected()) client = std::make_unique<Client>(Negotiated());
  }
  while (card_.Answer() || endpoint_->Poll()) {
  }
  EXPECT_GT(counters().requests, counters().requests_refused + 1000);
  std::cout << counters().requests << " requests, " << counters().requests_refused << " refused\n";
  client->Close();
  endpoint_->Poll();
  EXPECT_EQ(Negotiated().Read(0, 0, 4), 0x1fd30000u);
}

TEST_F(VfioServer, SocketsThatCannotBeServed) {
  EXPECT_THROW(MakeEndpoint(), UserError) << "the path is in use";
  const std::string taken = path_;
  path_ = directory_ + "/" + std::string(200, 'x');
  EXPECT_THROW(MakeEndpoint(), UserError);
  path_ = "/nowhere/card";
  EXPECT_THROW(MakeEndpoint(), UserError);
  path_ = directory_ + "/file";
  const Fd file(open(path_.c_str(), O_CREAT | O_RDWR, 0600));
  EXPECT_THROW(MakeEndpoint(), UserError) << "a file that is no socket is not removed";
  EXPECT_TRUE(std::filesystem::exists(path_));
  // A socket left by a killed process.
  path_ = directory_ + "/stale";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path_.c_str());
  {
    const Fd dead(socket(AF_UNIX, SOCK_STREAM, 0));
    ASSERT_EQ(bind(dead.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  MakeEndpoint();
  EXPECT_EQ(Negotiated().Read(0, 0, 4), 0x1fd30000u);
  EXPECT_FALSE(std::filesystem::exists(taken)) << "the old endpoint took its socket away";
}

}  // namespace
}  // namespace ullnic
