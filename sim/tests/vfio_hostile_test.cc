// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Malicious clients: the server neither stops, nor spins, nor runs out of stack.

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "vfio_bench.h"

namespace ullnic {
namespace {

using vfio_test::Client;
using vfio_test::Pack;
using vfio_test::Reply;

class VfioHostile : public vfio_test::VfioServer {
 protected:
  void Serve(int polls) {
    for (int i = 0; i < polls; ++i) endpoint_->Poll();
  }
  // Whether the process would sleep, or run needlessly.
  bool Sleeps() { return !endpoint_->HasWork() && !Readable(endpoint_->poll_fds().front()); }
  // Sends requests until the socket is full, without reading replies. Returns their number.
  int FillWithReads(Client& client) {
    fcntl(client.fd(), F_SETFL, O_RDWR | O_NONBLOCK);
    const Bytes read = Pack(uint16_t{5}, uint16_t{9}, uint32_t{32}, uint64_t{0}, uint64_t{0},
                            uint32_t{7}, uint32_t{4096});
    int sent = 0;
    while (write(client.fd(), read.data(), read.size()) == static_cast<ssize_t>(read.size())) {
      ++sent;
      Serve(1);
    }
    EXPECT_EQ(errno, EAGAIN);
    fcntl(client.fd(), F_SETFL, O_RDWR);
    return sent;
  }
};

TEST_F(VfioHostile, ManyWritesOfOneMessageAreDoneInALoop) {
  Client client = Negotiated();
  constexpr uint64_t kWrites = 43'000;
  Bytes body = Pack(kWrites);
  for (uint64_t i = 0; i < kWrites; ++i) {  // storage, replied at once
    const Bytes write = Pack(uint64_t{0x204}, uint32_t{0}, uint32_t{8}, i);
    body.insert(body.end(), write.begin(), write.end());
  }
  Bytes message =
      Pack(uint16_t{9}, uint16_t{15}, static_cast<uint32_t>(16 + body.size()), uint64_t{0});
  message.insert(message.end(), body.begin(), body.end());
  client.SendInParts(message);
  const Reply reply = client.Receive().value_or(Reply{.closed = true});
  EXPECT_EQ(reply.error, 0u);
  EXPECT_EQ(reply.body, Pack(kWrites));
  EXPECT_EQ(client.Read(0, 0x204, 4), kWrites - 1);
}

TEST_F(VfioHostile, AnEventfdThatWouldBlockIsSkippedAndCounted) {
  Client client = Negotiated();
  const Fd event(eventfd(0, EFD_NONBLOCK));
  EXPECT_EQ(client.SetIrqs(4 | 32, 0, 1, {event.get()}), 0u);
  const uint64_t full = ~uint64_t{0} - 1;
  ASSERT_EQ(write(event.get(), &full, sizeof full), 8);
  // The flags are shared by both ends: the client can make it blocking again at any time.
  for (const int flags : {O_RDWR, O_RDWR | O_NONBLOCK, O_RDWR}) {
    ASSERT_EQ(fcntl(event.get(), F_SETFL, flags), 0);
    EXPECT_TRUE(endpoint_->server().Interrupt(0));
  }
  ASSERT_EQ(fcntl(event.get(), F_SETFL, O_RDWR), 0);
  EXPECT_EQ(client.SetIrqs(1 | 32, 0, 1), 0u) << "the client's own trigger";
  EXPECT_EQ(endpoint_->Describe()["interrupts_skipped"], 4);
  uint64_t count = 0;
  ASSERT_EQ(read(event.get(), &count, sizeof count), 8);
  EXPECT_EQ(count, full) << "its owner has them all the same";
  EXPECT_TRUE(endpoint_->server().Interrupt(0));
  ASSERT_EQ(read(event.get(), &count, sizeof count), 8);
  EXPECT_EQ(count, 1u);
}

TEST_F(VfioHostile, AClientThatDoesNotReadIsWaitedForAsleepAndNotForEver) {
  auto& server = endpoint_->server();
  server.set_unread_limit(std::chrono::milliseconds(100));
  for (const bool half_closed : {false, true}) {
    Client client = Negotiated();
    const int sent = FillWithReads(client);
    EXPECT_GT(sent, 30);
    Serve(3);
    EXPECT_TRUE(Sleeps()) << "though requests wait in the socket";
    if (half_closed) {
      ASSERT_EQ(shutdown(client.fd(), SHUT_WR), 0);
      Serve(3);
      EXPECT_TRUE(Sleeps());
      Client second = Connect();
      EXPECT_EQ(second.Negotiate().error, uint32_t{EBUSY});
      Serve(3);
      EXPECT_TRUE(Sleeps());
    }
    pollfd watched{endpoint_->poll_fds().front(), POLLIN, 0};
    EXPECT_EQ(poll(&watched, 1, 5000), 1) << "it wakes when the time is over";
    Serve(3);
    EXPECT_FALSE(endpoint_->connected());
    EXPECT_NE(said_.back().find("unread for 100 ms"), std::string::npos) << said_.back();
    EXPECT_TRUE(Sleeps());
  }
  EXPECT_EQ(counters().broken_connections, 2u);

  // A client that reads in the end gets every reply.
  server.set_unread_limit(std::chrono::seconds(60));
  Client late = Negotiated();
  const int sent = FillWithReads(late);
  for (int i = 0; i < sent; ++i) {
    const Reply reply = late.Receive().value_or(Reply{.closed = true});
    ASSERT_EQ(reply.body.size(), 16u + 4096u) << i << " of " << sent;
  }
  Serve(3);
  EXPECT_TRUE(Sleeps());
  EXPECT_EQ(late.Read(0, 0, 4), 0x1fd30000u);
}

}  // namespace
}  // namespace ullnic
