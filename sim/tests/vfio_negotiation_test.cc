// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The version request of vfio-user: what the server agrees to, and that it respects it.

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "vfio_bench.h"

namespace ullnic {
namespace {

using nlohmann::json;
using vfio_test::At;
using vfio_test::Client;
using vfio_test::Pack;
using vfio_test::Reply;

constexpr uint32_t kEventfdTrigger = 4 | 32;

class VfioNegotiation : public vfio_test::VfioServer {
 protected:
  // The capabilities in the reply.
  static json Agreed(const Reply& reply) {
    EXPECT_EQ(reply.error, 0u);
    if (reply.body.size() < 5 || reply.body.back() != 0) {
      ADD_FAILURE() << "no version data that end with a zero byte";
      return {};
    }
    return json::parse(reply.body.begin() + 4, reply.body.end() - 1)["capabilities"];
  }
  json Propose(Client& client, const std::string& text) {
    return Agreed(client.Negotiate(0, 1, text));
  }
  void Close(Client& client) {
    client.Close();
    endpoint_->Poll();
  }
  const std::string& why() { return endpoint_->server().last_refusal(); }
};

TEST_F(VfioNegotiation, TheReplyIsWithinWhatQemuProposesAndAccepts) {
  Client client = Connect();
  const Reply reply = client.Negotiate(0, 0);
  const json proposed = json::parse(Client::kProposal)["capabilities"];
  const json agreed = Agreed(reply);
  EXPECT_EQ(At<uint16_t>(reply.body, 2), 0u);
  // QEMU has only as much room for the reply as for its request.
  EXPECT_LE(reply.body.size(), 4 + sizeof Client::kProposal);
  for (const auto& [name, value] : agreed.items()) {
    ASSERT_TRUE(proposed.contains(name)) << name;
    if (value.is_number()) EXPECT_LE(value, proposed[name]) << name;
  }
  // What QEMU 11 checks: at most 16 descriptors, pages of 4 KiB or more, at most 65535 maps.
  EXPECT_EQ(agreed["max_msg_fds"], 16);
  EXPECT_EQ(agreed["pgsizes"], 4096);
  EXPECT_GE(agreed["max_dma_maps"], 4096);
  EXPECT_GE(agreed["max_data_xfer_size"], 4096);
  EXPECT_EQ(agreed["write_multiple"], true);
  EXPECT_FALSE(agreed.contains("migration"));
}

TEST_F(VfioNegotiation, TheMinorVersionIsTheLowerOfTheTwo) {
  for (const auto& [theirs, agreed] : {std::pair{0, 0}, {1, 1}, {2, 1}, {65535, 1}}) {
    Client client = Connect();
    const Reply reply = client.Negotiate(0, static_cast<uint16_t>(theirs));
    EXPECT_EQ(reply.error, 0u);
    EXPECT_EQ(At<uint16_t>(reply.body, 0), 0u);
    EXPECT_EQ(At<uint16_t>(reply.body, 2), agreed);
    Close(client);
  }
  Client other = Connect();
  EXPECT_EQ(other.Negotiate(1, 7).error, uint32_t{EINVAL});
  EXPECT_TRUE(other.Receive()->closed);
  EXPECT_NE(why().find("version 1.7"), std::string::npos) << why();
}

TEST_F(VfioNegotiation, TheVersionComesFirstAndOnce) {
  Client hasty = Connect();
  EXPECT_EQ(hasty.Error(4, Pack(uint64_t{0}, uint64_t{0})), uint32_t{EPROTO});
  EXPECT_TRUE(hasty.Receive()->closed);
  Client twice = Negotiated();
  EXPECT_EQ(twice.Negotiate().error, uint32_t{EINVAL});
  EXPECT_TRUE(twice.Receive()->closed);
}

TEST_F(VfioNegotiation, LowerLimitsOfTheClientHold) {
  const Fd memory = Memory(8 << 20);
  const Fd event(eventfd(0, 0));
  Client client = Connect();
  const json agreed = Propose(
      client, R"({"capabilities":{"max_msg_fds":3,"max_data_xfer_size":8,"max_dma_maps":2,)"
              R"("pgsizes":2098176,"write_multiple":false,"twin_socket":{"supported":true}}})");
  EXPECT_EQ(agreed, json::parse(R"({"max_msg_fds":3,"max_data_xfer_size":8,"max_dma_maps":2,)"
                                R"("pgsizes":2097152,"write_multiple":false})"))
      << "pages of 1 KiB are none";

  EXPECT_EQ(client.SetIrqs(kEventfdTrigger, 0, 3, std::vector<int>(3, event.get())), 0u);
  EXPECT_EQ(client.SetIrqs(kEventfdTrigger, 0, 4, std::vector<int>(4, event.get())),
            uint32_t{EINVAL});
  EXPECT_NE(why().find("max_msg_fds"), std::string::npos) << why();

  EXPECT_EQ(client.Read(7, 0, 8) & 0xffff, 0x10eeu);
  EXPECT_EQ(client.Error(9, Pack(uint64_t{0}, uint32_t{7}, uint32_t{9})), uint32_t{EINVAL});
  EXPECT_NE(why().find("max_data_xfer_size"), std::string::npos) << why();

  EXPECT_EQ(client.Map(0x1000, 0x200000, {memory.get()}), uint32_t{EINVAL});
  EXPECT_EQ(client.Map(0, 0x1000, {memory.get()}), uint32_t{EINVAL});
  EXPECT_NE(why().find("pgsizes"), std::string::npos) << why();
  EXPECT_EQ(client.Map(0, 0x200000, {memory.get()}), 0u);
  EXPECT_EQ(client.Map(0x200000, 0x200000, {}), 0u);
  EXPECT_EQ(client.Map(0x400000, 0x200000, {memory.get()}), uint32_t{ENOSPC});
  EXPECT_NE(why().find("max_dma_maps"), std::string::npos) << why();
  EXPECT_EQ(client.Error(3, Pack(uint32_t{24}, uint32_t{0}, uint64_t{0}, uint64_t{0x200000})), 0u);
  EXPECT_EQ(client.Map(0x400000, 0x200000, {memory.get()}), 0u) << "there is room again";

  // The next client has its own limits.
  Close(client);
  Client next = Negotiated();
  EXPECT_EQ(next.SetIrqs(kEventfdTrigger, 0, 4, std::vector<int>(4, event.get())), 0u);
  EXPECT_EQ(next.Map(0, 0x1000, {memory.get()}), 0u);
  Close(next);

  for (const auto& [theirs, ours] : {std::pair{"0", 1},
                                     {"1", 1},
                                     {"16", 16},
                                     {"17", 16},
                                     {"1024", 16},
                                     {"18446744073709551615", 16}}) {
    Client other = Connect();
    const std::string text = std::string(R"({"capabilities":{"max_msg_fds":)") + theirs + "}}";
    EXPECT_EQ(Propose(other, text), (json{{"max_msg_fds", ours}})) << theirs;
    Close(other);
  }
}

TEST_F(VfioNegotiation, WhatTheClientLeavesOutHasTheDefault) {
  const Fd memory = Memory(0x4000);
  const Fd event(eventfd(0, 0));
  std::vector<Bytes> proposals = {Pack(uint16_t{0}, uint16_t{0})};
  for (const std::string text : {"{}", R"({"capabilities":{}})", R"({"other":[1,{"a":null}]})",
                                 R"({"capabilities":{"some_other":"thing"}})"}) {
    proposals.push_back(Pack(uint16_t{0}, uint16_t{0}));
    proposals.back().insert(proposals.back().end(), text.begin(), text.end());
    proposals.back().push_back(0);
  }
  for (const Bytes& proposal : proposals) {
    Client client = Connect();
    EXPECT_EQ(Agreed(client.Request(1, proposal)), json::object());
    EXPECT_EQ(client.Map(0, 0x1000, {memory.get()}), 0u);
    EXPECT_EQ(client.SetIrqs(kEventfdTrigger, 0, 1, {event.get()}), 0u);
    EXPECT_EQ(client.SetIrqs(kEventfdTrigger, 0, 2, {event.get(), event.get()}), uint32_t{EINVAL});
    EXPECT_EQ(client.Request(9, Pack(uint64_t{0}, uint32_t{7}, uint32_t{4096})).body.size(), 4112u);
    Close(client);
  }
  // A write of 1 MiB is within the default, so it gets a reply, although no register accepts it.
  Client client = Connect();
  Propose(client, "{}");
  constexpr uint32_t kBytes = 1 << 20;
  Bytes message = Pack(uint16_t{9}, uint16_t{10}, uint32_t{32 + kBytes}, uint64_t{0}, uint64_t{0},
                       uint32_t{2}, kBytes);
  message.resize(32 + kBytes);
  client.SendInParts(message);
  EXPECT_EQ(client.Receive()->error, uint32_t{EINVAL});
  EXPECT_EQ(client.Read(0, 0, 4), 0x1fd30000u) << "and goes on";
}

TEST_F(VfioNegotiation, MalformedProposalsAreRefused) {
  const auto nested = [](const std::string& open, const std::string& close) {
    std::string text = R"({"capabilities":{"twin_socket":)";
    for (int i = 0; i < 40'000; ++i) text += open;
    text += "1";
    for (int i = 0; i < 40'000; ++i) text += close;
    return text + "}}";
  };
  const std::vector<std::string> refused = {
      "",
      "{",
      "[]",
      "null",
      "1",
      "\"text\"",
      "{}}",
      "\xff\xfe",
      "{\"capabilities\":\"\xff\"}",
      R"({"capabilities":null})",
      R"({"capabilities":[]})",
      R"({"capabilities":7})",
      R"({"capabilities":{"max_msg_fds":-1}})",
      R"({"capabilities":{"max_msg_fds":"16"}})",
      R"({"capabilities":{"max_msg_fds":1.5}})",
      R"({"capabilities":{"max_msg_fds":null}})",
      R"({"capabilities":{"max_msg_fds":36893488147419103232}})",
      R"({"capabilities":{"max_data_xfer_size":-4096}})",
      R"({"capabilities":{"max_dma_maps":true}})",
      R"({"capabilities":{"pgsizes":{}}})",
      R"({"capabilities":{"pgsizes":0}})",
      R"({"capabilities":{"pgsizes":2048}})",
      R"({"capabilities":{"write_multiple":1}})",
      nested("[", "")};
  for (const std::string& text : refused) {
    Client client = Connect();
    EXPECT_EQ(client.Negotiate(0, 1, text).error, uint32_t{EINVAL}) << text.substr(0, 80);
    EXPECT_TRUE(client.Receive()->closed);
    EXPECT_FALSE(why().empty());
  }
  for (const Bytes& body :
       {Bytes(), Pack(uint8_t{0}), Pack(uint16_t{0}, uint16_t{1}, uint16_t{'{'}),
        Pack(uint16_t{0}, uint16_t{1}, uint16_t{'{' | '}' << 8})}) {
    Client client = Connect();
    EXPECT_EQ(client.Error(1, body), uint32_t{EINVAL}) << "short, or no zero byte at the end";
    EXPECT_TRUE(client.Receive()->closed);
  }
  Client deep = Connect();
  EXPECT_EQ(Propose(deep, nested("[", "]")), json::object()) << "ignored, however deep";
  Close(deep);
  EXPECT_EQ(counters().clients, refused.size() + 5);
  EXPECT_EQ(Negotiated().Read(0, 0, 4), 0x1fd30000u) << "and goes on";
}

TEST_F(VfioNegotiation, MoreDescriptorsThanAgreedAreClosedAndRefused) {
  const Fd event(eventfd(0, 0));
  Client client = Negotiated();
  const size_t before = OpenFds();
  const Bytes set = Pack(uint32_t{20}, kEventfdTrigger, uint32_t{2}, uint32_t{0}, uint32_t{17});
  for (const size_t count : {17, 64, 100, 253}) {
    EXPECT_EQ(client.Error(8, set, std::vector<int>(count, event.get())), uint32_t{EINVAL});
    EXPECT_NE(why().find("max_msg_fds"), std::string::npos) << why();
    EXPECT_EQ(OpenFds(), before) << count;
  }
  // Some with each part of a message.
  Bytes message = Pack(uint16_t{1}, uint16_t{8}, uint32_t{36}, uint64_t{0});
  message.insert(message.end(), set.begin(), set.end());
  for (const uint8_t byte : message) {
    client.SendRaw({byte}, {event.get()});
    endpoint_->Poll();
    EXPECT_LE(OpenFds(), before + 16);
  }
  EXPECT_EQ(client.Receive()->error, uint32_t{EINVAL});
  EXPECT_EQ(OpenFds(), before);
  EXPECT_EQ(client.SetIrqs(kEventfdTrigger, 0, 16, std::vector<int>(16, event.get())), 0u)
      << "as many as were agreed";
  EXPECT_EQ(counters().broken_connections, 0u);

  // Before the version request one is the default; a client that does not negotiate leaves none
  // behind.
  Close(client);
  const size_t idle = OpenFds();
  for (const size_t count : {1, 2, 16, 200}) {
    Client stranger = Connect();
    const Bytes body = Pack(uint16_t{0}, uint16_t{1});
    EXPECT_EQ(stranger.Error(1, body, std::vector<int>(count, event.get())) == 0, count == 1);
    Close(stranger);
    endpoint_->Poll();
    EXPECT_EQ(OpenFds(), idle) << count;
  }
}

}  // namespace
}  // namespace ullnic
