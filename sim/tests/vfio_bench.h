// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A vfio-user client written from the protocol's specification, independent of the server; and a
// server with a slow card.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "port/netns.h"
#include "qdma/device.h"
#include "qdma/endpoint.h"
#include "test_support.h"

namespace ullnic::vfio_test {

struct Reply {
  bool closed = false;
  uint16_t id = 0, command = 0;
  uint32_t flags = 0, error = 0;
  Bytes body = {};
};

template <typename... T>
Bytes Pack(const T&... values) {
  Bytes bytes;
  const auto put = [&bytes](const auto& value) {
    const auto* from = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
  };
  (put(values), ...);
  return bytes;
}

template <typename T>
T At(const Bytes& bytes, size_t offset) {
  T value{};
  if (offset + sizeof value <= bytes.size()) {
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  } else {
    ADD_FAILURE() << "a reply of " << bytes.size() << " bytes";
  }
  return value;
}

class Client {
 public:
  // `serve` lets the server work.
  Client(const std::string& path, std::function<void()> serve) : serve_(std::move(serve)) {
    socket_ = Fd(socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path.c_str());
    EXPECT_EQ(connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }

  void SendRaw(const Bytes& bytes, const std::vector<int>& fds = {}) {
    iovec vector{const_cast<uint8_t*>(bytes.data()), bytes.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(253 * sizeof(int))] = {};
    msghdr header{};
    header.msg_iov = &vector;
    header.msg_iovlen = 1;
    if (!fds.empty()) {
      header.msg_control = control;
      header.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
      cmsghdr* c = CMSG_FIRSTHDR(&header);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
      std::memcpy(CMSG_DATA(c), fds.data(), fds.size() * sizeof(int));
    }
    EXPECT_EQ(sendmsg(socket_.get(), &header, MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  // More than the socket holds: the server reads it while it is sent.
  void SendInParts(const Bytes& bytes) {
    constexpr size_t kPart = 1 << 14;
    for (size_t at = 0; at < bytes.size(); at += kPart) {
      const auto begin = bytes.begin() + static_cast<ptrdiff_t>(at);
      SendRaw(Bytes(begin, begin + static_cast<ptrdiff_t>(std::min(kPart, bytes.size() - at))));
      serve_();
    }
  }
  uint16_t Send(uint16_t command, const Bytes& body, const std::vector<int>& fds = {},
                uint32_t flags = 0) {
    ++id_;
    Bytes message = Pack(id_, command, static_cast<uint32_t>(16 + body.size()), flags, uint32_t{0});
    message.insert(message.end(), body.begin(), body.end());
    SendRaw(message, fds);
    return id_;
  }
  // Nothing after a timeout: closed, or (without `expected`) no reply.
  std::optional<Reply> Receive(bool expected = true) {
    Bytes bytes;
    size_t want = 16;
    for (int i = 0; i < (expected ? 2000 : 20); ++i) {
      serve_();
      uint8_t buffer[8192];
      const ssize_t n = recv(socket_.get(), buffer, want - bytes.size(), MSG_DONTWAIT);
      if (n == 0 || (n < 0 && errno != EAGAIN)) return Reply{.closed = true};
      if (n > 0) bytes.insert(bytes.end(), buffer, buffer + n);
      if (bytes.size() == 16) want = At<uint32_t>(bytes, 4);
      if (bytes.size() < 16 || bytes.size() < want) continue;
      return Reply{false,
                   At<uint16_t>(bytes, 0),
                   At<uint16_t>(bytes, 2),
                   At<uint32_t>(bytes, 8),
                   At<uint32_t>(bytes, 12),
                   Bytes(bytes.begin() + 16, bytes.end())};
    }
    if (expected) ADD_FAILURE() << "no reply";
    return std::nullopt;
  }
  void Discard() {
    uint8_t buffer[8192];
    while (recv(socket_.get(), buffer, sizeof buffer, MSG_DONTWAIT) > 0) {
    }
  }
  Reply Request(uint16_t command, const Bytes& body, const std::vector<int>& fds = {}) {
    const uint16_t id = Send(command, body, fds);
    const Reply reply = Receive().value_or(Reply{.closed = true});
    if (!reply.closed) {
      EXPECT_EQ(reply.id, id);
      EXPECT_EQ(reply.command, command);
      EXPECT_EQ(reply.flags & ~0x20u, 1u) << "a reply";
      EXPECT_EQ(reply.flags >> 5 & 1, reply.error != 0);
      EXPECT_TRUE(reply.error == 0 || reply.body.empty());
    }
    return reply;
  }
  uint32_t Error(uint16_t command, const Bytes& body, const std::vector<int>& fds = {}) {
    const Reply reply = Request(command, body, fds);
    EXPECT_FALSE(reply.closed);
    return reply.error;
  }

  static constexpr uint32_t kIntx = 0, kMsix = 2;  // kinds of interrupts
  uint32_t SetIntx(uint32_t flags, uint32_t count = 1, const std::vector<int>& fds = {},
                   const Bytes& data = {}) {
    return SetIrqs(flags, 0, count, fds, data, kIntx);
  }

  // As proposed by QEMU.
  static constexpr char kProposal[] =
      R"({"capabilities":{"migration":{"pgsize":4096,"max_bitmap_size":268435456},)"
      R"("max_msg_fds":16,"max_data_xfer_size":1048576,"pgsizes":4096,"max_dma_maps":65535,)"
      R"("write_multiple":true}})";
  Reply Negotiate(uint16_t major = 0, uint16_t minor = 1, const std::string& json = kProposal) {
    Bytes body = Pack(major, minor);
    body.insert(body.end(), json.begin(), json.end());
    body.push_back(0);
    return Request(1, body);
  }
  uint64_t Read(uint32_t region, uint64_t offset, uint32_t count) {
    const Reply reply = Request(9, Pack(offset, region, count));
    EXPECT_EQ(reply.error, 0u) << "read at " << offset;
    EXPECT_EQ(reply.body.size(), 16 + count);
    uint64_t value = 0;
    if (reply.body.size() >= 16 + count) std::memcpy(&value, reply.body.data() + 16, count);
    return value;
  }
  template <typename T>
  uint32_t Write(uint32_t region, uint64_t offset, T value) {
    return Error(10, Pack(offset, region, uint32_t{sizeof value}, value));
  }
  uint32_t Map(uint64_t address, uint64_t bytes, const std::vector<int>& fds, uint32_t flags = 3,
               uint64_t offset = 0) {
    return Error(2, Pack(uint32_t{32}, flags, offset, address, bytes), fds);
  }
  uint32_t SetIrqs(uint32_t flags, uint32_t start, uint32_t count, const std::vector<int>& fds = {},
                   const Bytes& data = {}, uint32_t index = kMsix) {
    Bytes body = Pack(uint32_t{20}, flags, index, start, count);
    body.insert(body.end(), data.begin(), data.end());
    return Error(8, body, fds);
  }
  void Close() { socket_ = Fd(); }
  int fd() const { return socket_.get(); }

 private:
  Fd socket_;
  std::function<void()> serve_;
  uint16_t id_ = 0;
};

// Replies of the user BAR are sent only when the test calls `answers`.
class SlowCard final : public qdma::UserSide {
 public:
  void ReadUser(uint32_t address, std::function<void(uint32_t)> done) override {
    answers.push_back([this, address, done = std::move(done)] { done(registers[address / 4]); });
  }
  void WriteUser(uint32_t address, uint32_t value, std::function<void()> done) override {
    answers.push_back([this, address, value, done = std::move(done)] {
      log.push_back(address);
      registers[address / 4] = value;
      done();
    });
  }
  bool SendH2c(unsigned, std::span<const uint8_t>) override { return true; }
  std::span<const uint8_t> PeekC2h(unsigned) override { return {}; }
  void PopC2h(unsigned) override {}
  unsigned queues() const override { return 1; }
  void OnReset() override { ++resets; }
  bool Answer() {
    if (answers.empty()) return false;
    auto answer = std::move(answers.front());
    answers.pop_front();
    answer();
    return true;
  }

  std::deque<std::function<void()>> answers;
  std::vector<uint32_t> registers = std::vector<uint32_t>(0x80000 / 4);
  std::vector<uint32_t> log;
  int resets = 0;
};

class VfioServer : public SeededTest {
 protected:
  void SetUp() override {
    SeededTest::SetUp();
    char pattern[] = "/tmp/ullnic-test-XXXXXX";
    directory_ = mkdtemp(pattern);
    path_ = directory_ + "/card";
    MakeEndpoint();
  }
  void TearDown() override {
    endpoint_.reset();
    std::filesystem::remove_all(directory_);
  }
  void MakeEndpoint() {
    endpoint_ = std::make_unique<qdma::Endpoint>(
        path_, card_, [] { return int64_t{0}; },
        [this](const std::string& what) { said_.push_back(what); });
  }
  // As the RTL has it: with the legacy interrupt, whose level the test sets by host_, or virtual.
  void MakeEndpointOf(std::unique_ptr<qdma::Endpoint>& function, const std::string& path,
                      SlowCard& card, const vfio::PciIdentity& identity) {
    function.reset();
    const auto make = [&](qdma::HostSide& host) {
      host_ = &host;
      return std::make_unique<qdma::Device>(host, card, [] { return int64_t{0}; });
    };
    function = std::make_unique<qdma::Endpoint>(path, make, nullptr, identity);
  }
  Client Connect() {
    return Client(path_, [this] {
      if (answering_) card_.Answer();
      if (endpoint_) endpoint_->Poll();
      if (endpoint_ && !endpoint_->HasWork()) usleep(50);
    });
  }
  Client Negotiated() {
    Client client = Connect();
    EXPECT_EQ(client.Negotiate().error, 0u);
    return client;
  }
  static Fd Memory(size_t bytes) {
    Fd fd(memfd_create("test", MFD_CLOEXEC));
    EXPECT_EQ(ftruncate(fd.get(), static_cast<off_t>(bytes)), 0);
    return fd;
  }
  static bool Readable(int fd) {
    pollfd watched{fd, POLLIN, 0};
    return poll(&watched, 1, 0) == 1;
  }
  static size_t OpenFds() {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
  }
  const vfio::ServerCounters& counters() { return endpoint_->server().counters(); }

  std::string directory_, path_;
  SlowCard card_;
  bool answering_ = true;
  std::vector<std::string> said_;
  std::unique_ptr<qdma::Endpoint> endpoint_;
  qdma::HostSide* host_ = nullptr;
};

}  // namespace ullnic::vfio_test
