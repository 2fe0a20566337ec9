// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The socket to a virtual card: other messages between a request and its reply, the limits of a
// reply, and descriptors and memory that run out or leak.

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <thread>

#include "card_process.h"

extern "C" {
#include "../../libullnic/internal.h"
#include "../../libullnic/vfio_user_protocol.h"
#include "../../sockets/common/protocol.h"
}

namespace ullnic::test_card {
namespace {

// Answers the version exchange and the query of the device's properties, then disconnects. Its
// replies can be changed.
class Server {
 public:
  using Answer = std::function<void(Server&, vfio_user_header)>;

  int Open(const Answer& to_version, const Answer& to_info) {
    ScratchDirectory directory;
    const std::string path = directory / "socket";
    const int listener = ListenAt(path);
    std::thread thread([&] {
      fd_ = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      vfio_user_header asked{};
      if (Receive(asked)) to_version(*this, asked);
      if (Receive(asked)) to_info(*this, asked);
      close(fd_);
    });
    ullnic_t* card = nullptr;
    const int result = ullnic_open(("vfio-user:" + path).c_str(), &card);
    EXPECT_EQ(card, nullptr);
    thread.join();
    close(listener);
    return result;
  }

  // A message of the library.
  bool Receive(vfio_user_header& header) {
    if (recv(fd_, &header, sizeof header, MSG_WAITALL) != sizeof header) return false;
    body_.resize(header.size - sizeof header);
    return body_.empty() ||
           recv(fd_, body_.data(), body_.size(), MSG_WAITALL) == static_cast<ssize_t>(body_.size());
  }
  const std::vector<uint8_t>& body() const { return body_; }  // of the last message
  void Send(const vfio_user_header& header, const std::vector<uint8_t>& body,
            size_t piece = SIZE_MAX) {
    std::vector<uint8_t> all(sizeof header);
    std::memcpy(all.data(), &header, sizeof header);
    all.insert(all.end(), body.begin(), body.end());
    for (size_t at = 0; at < all.size();) {
      const size_t bytes = std::min(piece, all.size() - at);
      if (send(fd_, all.data() + at, bytes, MSG_NOSIGNAL) < 0) return;
      at += bytes;
    }
  }
  void Reply(vfio_user_header asked, const std::vector<uint8_t>& body, uint32_t flags = 0,
             uint32_t error = 0) {
    asked.size = static_cast<uint32_t>(sizeof asked + body.size());
    asked.flags = VFIO_USER_REPLY | flags;
    asked.error = error;
    Send(asked, body);
  }

 private:
  int fd_ = -1;
  std::vector<uint8_t> body_;
};

const std::vector<uint8_t> kVersion01 = {0, 0, 1, 0};
const std::vector<uint8_t> kNoPci(16);  // not a PCI device: the library stops here

void GoOn(Server& server, const vfio_user_header& asked) { server.Reply(asked, kVersion01); }
void EndHere(Server& server, const vfio_user_header& asked) { server.Reply(asked, kNoPci); }

testing::AssertionResult GotThrough(int result) {
  return Failed(result, ENXIO, "not a PCI device", "give another socket");
}

TEST(Link, Versions) {
  for (const uint8_t minor : {0, 1}) {
    EXPECT_TRUE(GotThrough(Server().Open(
        [&](Server& server, auto asked) { server.Reply(asked, {0, 0, minor, 0}); }, EndHere)));
  }
  for (const std::vector<uint8_t>& version : {std::vector<uint8_t>{0, 0, 2, 0}, {1, 0, 0, 0}}) {
    EXPECT_TRUE(Failed(
        Server().Open([&](Server& server, auto asked) { server.Reply(asked, version); }, EndHere),
        EPROTO, "it speaks vfio-user", "0.1; use one that fits"));
  }
}

// The first message: vfio-user 0.1 and the library's capabilities, as JSON with its zero byte.
TEST(Link, WhatIsSaidFirst) {
  vfio_user_header first{}, second{};
  std::vector<uint8_t> body, next;
  EXPECT_TRUE(GotThrough(Server().Open(
      [&](Server& server, auto asked) {
        first = asked;
        body = server.body();
        server.Reply(asked, kVersion01);
      },
      [&](Server& server, auto asked) {
        second = asked;
        next = server.body();
        server.Reply(asked, kNoPci);
      })));
  EXPECT_EQ(first.command, VFIO_USER_VERSION);
  EXPECT_EQ(second.command, VFIO_USER_DEVICE_GET_INFO);
  EXPECT_NE(first.id, second.id);
  for (const vfio_user_header& each : {first, second}) {
    EXPECT_EQ(each.flags, 0u);
    EXPECT_EQ(each.error, 0u);
  }
  ASSERT_GT(body.size(), kVersion01.size());
  EXPECT_EQ(std::vector<uint8_t>(body.begin(), body.begin() + 4), kVersion01);
  EXPECT_EQ(
      std::string(body.begin() + 4, body.end()),
      std::string("{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":1048576}}") + '\0');
  const uint32_t room = 16;  // of struct vfio_device_info in vfio-user
  ASSERT_EQ(next.size(), room);
  EXPECT_EQ(std::memcmp(next.data(), &room, sizeof room), 0);
}

// Commands of the card, with and without a reply; late replies to other requests; all in single
// bytes; excess data after the reply.
TEST(Link, WhatComesBeforeTheAnswer) {
  for (const size_t bytes : {0, 1, 255, 256, 257, 512, 700}) {
    std::vector<vfio_user_header> refusals(2);
    const auto to_info = [&](Server& server, vfio_user_header asked) {
      const std::vector<uint8_t> body(bytes, 0xff);
      const auto size = static_cast<uint32_t>(sizeof asked + bytes);
      server.Send({77, 11, size, 0, 0}, body, 1);
      ASSERT_TRUE(server.Receive(refusals[0]));
      server.Send({78, 12, size, VFIO_USER_NO_REPLY, 0}, body, 3);
      server.Send({static_cast<uint16_t>(asked.id - 1), 1, size, VFIO_USER_REPLY, 0}, body, 5);
      server.Send({79, 11, size, 0, 0}, body);
      ASSERT_TRUE(server.Receive(refusals[1]));
      std::vector<uint8_t> answer(kNoPci);
      answer.insert(answer.end(), body.begin(), body.end());
      server.Reply(asked, answer);
    };
    EXPECT_TRUE(GotThrough(Server().Open(GoOn, to_info))) << bytes << " bytes";
    for (unsigned i : {0u, 1u}) {
      EXPECT_EQ(refusals[i].id, 77 + 2 * i);
      EXPECT_EQ(refusals[i].command, 11);
      EXPECT_EQ(refusals[i].size, sizeof(vfio_user_header));
      EXPECT_EQ(refusals[i].flags, static_cast<uint32_t>(VFIO_USER_REPLY | VFIO_USER_ERROR));
      EXPECT_EQ(refusals[i].error, static_cast<uint32_t>(ENOTSUP));
    }
  }
}

TEST(Link, SizesOfAnAnswer) {
  const auto with_size = [](uint32_t size, size_t sent) {
    return Server().Open(GoOn, [=](Server& server, vfio_user_header asked) {
      asked.size = size;
      asked.flags = VFIO_USER_REPLY;
      server.Send(asked, std::vector<uint8_t>(sent));
    });
  };
  const auto header = static_cast<uint32_t>(sizeof(vfio_user_header));
  EXPECT_TRUE(Failed(with_size(header - 1, 0), EPROTO, "impossible size", "virtual card?"));
  EXPECT_TRUE(Failed(with_size(header, 0), EPROTO, "too short", "virtual card?"));
  EXPECT_TRUE(Failed(with_size(header + 15, 15), EPROTO, "too short", "virtual card?"));
  EXPECT_TRUE(GotThrough(with_size(header + 16, 16)));
  EXPECT_TRUE(GotThrough(with_size(1 << 20, (1 << 20) - header)));
  EXPECT_TRUE(Failed(with_size((1 << 20) + 1, 0), EPROTO, "impossible size", "virtual card?"));
}

TEST(Link, Refusals) {
  const std::pair<uint32_t, int> errors[] = {
      {ENOSPC, ENOSPC}, {4095, 4095}, {0, EIO}, {4096, EIO}, {~0u, EIO}};
  for (const auto& [sent, result] : errors) {
    const auto refuse = [error = sent](Server& server, auto asked) {
      server.Reply(asked, {}, VFIO_USER_ERROR, error);
    };
    EXPECT_TRUE(Failed(Server().Open(GoOn, refuse), result, "refused command 4", strerror(result)));
  }
}

int LowestFree() {
  const int fd = dup(STDIN_FILENO);
  close(fd);
  return fd;
}

size_t OpenDescriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

size_t MappedRings() {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);)
    count += line.find("/memfd:ullnic") != line.npos;
  return count;
}

// Unexpected descriptors with a reply of ullnicd, in any number.
TEST(Resources, DescriptorsThatNobodyWants) {
  ScratchDirectory directory;
  const std::string path = directory / "daemon";
  const int listener = ListenAt(path, SOCK_SEQPACKET);
  const size_t before = OpenDescriptors();
  for (unsigned count = 0; count < 4; ++count) {
    std::thread daemon([&] {
      const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      control_request asked;
      EXPECT_EQ(recv(fd, &asked, sizeof asked, 0), static_cast<ssize_t>(sizeof asked));
      control_reply reply{};
      reply.magic = CONTROL_MAGIC;
      reply.error = EIO;
      iovec piece{&reply, sizeof reply};
      const int fds[3] = {STDIN_FILENO, STDIN_FILENO, STDIN_FILENO};
      alignas(cmsghdr) char control[CMSG_SPACE(sizeof fds)] = {};
      msghdr message{};
      message.msg_iov = &piece;
      message.msg_iovlen = 1;
      if (count != 0) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        cmsghdr* rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(count * sizeof(int));
        std::memcpy(CMSG_DATA(rights), fds, count * sizeof(int));
      }
      EXPECT_GT(sendmsg(fd, &message, MSG_NOSIGNAL), 0);
      close(fd);
    });
    ullnic_t* card = nullptr;
    EXPECT_EQ(ullnic_open(("ullnicd:" + path).c_str(), &card), -EIO);
    daemon.join();
    EXPECT_EQ(OpenDescriptors(), before) << count << " descriptors";
  }
  close(listener);
}

// Whichever step fails for lack of a descriptor: the call reports it, and nothing remains open.
TEST(Resources, TooFewDescriptors) {
  CardProcess process;
  const size_t before = OpenDescriptors();
  rlimit all;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &all), 0);
  unsigned failed_opens = 0;
  unsigned failed_ports = 0;
  for (rlim_t free = 0;; ++free) {
    ASSERT_LT(free, 20u);
    rlimit few = all;
    few.rlim_cur = static_cast<rlim_t>(LowestFree()) + free;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    ullnic_t* card = nullptr;
    ullnic_port_t* port = nullptr;
    const int opened = ullnic_open(process.name().c_str(), &card);
    const int got_port = opened == 0 ? ullnic_port_open(card, 0, &port) : 0;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &all), 0);
    EXPECT_EQ(card != nullptr, opened == 0);
    EXPECT_EQ(port != nullptr, opened == 0 && got_port == 0);
    if (opened != 0) {
      ++failed_opens;
      EXPECT_TRUE(Failed(opened, EMFILE, "Too many open files", ""));
    } else if (got_port != 0) {
      ++failed_ports;
      EXPECT_TRUE(Failed(got_port, EMFILE, "Too many open files", ""));
      // The port is not half open.
      EXPECT_EQ(ullnic_port_open(card, 0, &port), 0) << ullnic_last_error();
    }
    ullnic_close(card);
    EXPECT_EQ(OpenDescriptors(), before) << "with room for " << free;
    EXPECT_EQ(MappedRings(), 0u);
    if (opened == 0 && got_port == 0) break;
  }
  EXPECT_GE(failed_opens, 3u);  // socket, an eventfd for each of two ports
  EXPECT_GE(failed_ports, 2u);  // epoll, the rings' file
}

TEST(Resources, TooLittleMemory) {
  OpenCard open(0);
  const size_t before = OpenDescriptors();
  rlimit all;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &all), 0);
  rlimit little = all;
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  little.rlim_cur = (pages << 12) + (1 << 20);
  ullnic_port_t* port = nullptr;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &little), 0);
  const int result = ullnic_port_open(open.card(), 0, &port);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &all), 0);
  EXPECT_TRUE(Failed(result, ENOMEM, "KiB of memory for a port's rings", "free some memory"));
  EXPECT_EQ(port, nullptr);
  EXPECT_EQ(OpenDescriptors(), before + 1);  // `statm`
  EXPECT_EQ(MappedRings(), 0u);
  EXPECT_EQ(ullnic_port_open(open.card(), 0, &port), 0) << ullnic_last_error();
}

TEST(Resources, AllAreGivenBack) {
  CardProcess process;
  const size_t before = OpenDescriptors();
  for (int i = 0; i < 5; ++i) {
    ullnic_t* card = nullptr;
    ullnic_port_t* ports[2];
    ASSERT_EQ(ullnic_open(process.name().c_str(), &card), 0) << ullnic_last_error();
    for (unsigned number : {0u, 1u}) {
      ASSERT_EQ(ullnic_port_open(card, number, &ports[number]), 0) << ullnic_last_error();
    }
    EXPECT_EQ(MappedRings(), 4u);  // each with its mirror
    ullnic_port_close(ports[1]);
    EXPECT_EQ(MappedRings(), 2u);
    ullnic_close(card);
    EXPECT_EQ(MappedRings(), 0u);
    EXPECT_EQ(OpenDescriptors(), before);
  }
}

// A child has neither the rings nor their mirror: it would write to memory that the card reads.
TEST(Resources, ChildHasNoRings) {
  OpenCard open;
  const uint8_t* buffers = open.port()->receive.buffers;
  for (const uint8_t* place : {open.port()->send.slots, const_cast<uint8_t*>(buffers),
                               const_cast<uint8_t*>(buffers) + UL_BUFFERS * UL_BUFFER_BYTES}) {
    const pid_t child = fork();
    if (child == 0) _exit(madvise(const_cast<uint8_t*>(place), 4096, MADV_NORMAL) == 0 ? 0 : errno);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), ENOMEM) << "it is mapped in the child";
  }
}

}  // namespace
}  // namespace ullnic::test_card
