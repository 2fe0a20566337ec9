// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A request has one deadline, whatever the other end does meanwhile: it sends other messages, or
// the reply in small parts, or signals arrive continuously, or nobody accepts the connection.

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "card_process.h"
#include "ullnic/ate.h"
#include "ullnic/dma.h"

extern "C" {
#include <linux/vfio.h>

#include "../../libullnic/vfio_user_protocol.h"
}

// Deadlines of this thread's requests, if recorded.
static thread_local std::vector<int64_t>* deadlines = nullptr;

// Linked in place of the library's function.
extern "C" {
int64_t __real_ul_call_deadline(int patience_ms);
int64_t __wrap_ul_call_deadline(int patience_ms) {
  const int64_t deadline = __real_ul_call_deadline(patience_ms);
  if (deadlines != nullptr) deadlines->push_back(deadline);
  return deadline;
}
}

namespace ullnic::test_card {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// As documented in ullnic.h: of a call, and of the first reply.
constexpr milliseconds kPatience(20000);
constexpr milliseconds kFirstPatience(5000);
constexpr milliseconds kDaemonPatience(10000);
constexpr milliseconds kMargin(2500);  // for a busy machine

// A peer of one connection, which acts until the library disconnects.
class Peer {
 public:
  // The peer's behaviour from the first request on, given its header.
  using Deed = std::function<void(Peer&, const vfio_user_header&)>;

  Peer(const std::string& path, Deed deed)
      : listener_(ListenAt(path)), thread_([this, deed = std::move(deed)] { Serve(deed); }) {}
  ~Peer() {
    thread_.join();
    close(listener_);
  }

  bool ended() const {
    pollfd end{fd_, POLLRDHUP, 0};
    return poll(&end, 1, 0) == 1 && (end.revents & (POLLRDHUP | POLLHUP)) != 0;
  }
  bool Receive(vfio_user_header& header) const {
    if (recv(fd_, &header, sizeof header, MSG_WAITALL) != sizeof header) return false;
    std::array<uint8_t, 4096> body;  // longer than any request here
    const size_t bytes = header.size - sizeof header;
    return bytes == 0 || (bytes <= body.size() && recv(fd_, body.data(), bytes, MSG_WAITALL) ==
                                                      static_cast<ssize_t>(bytes));
  }
  void Send(const void* data, size_t bytes) const {
    (void)!send(fd_, data, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  // Sends as much as there is room for, and waits for more room for a while.
  void Fill(const void* data, size_t bytes) const {
    Send(data, bytes);
    pollfd room{fd_, POLLOUT, 0};
    poll(&room, 1, kRoomMs);
  }
  void Reply(vfio_user_header asked, std::vector<uint8_t> body) const {
    asked.size = static_cast<uint32_t>(sizeof asked + body.size());
    asked.flags = VFIO_USER_REPLY;
    Send(&asked, sizeof asked);
    Send(body.data(), body.size());
  }
  // An unsolicited message with descriptors.
  void SendWithDescriptors(const vfio_user_header& header) const {
    iovec piece{const_cast<vfio_user_header*>(&header), sizeof header};
    alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(2 * sizeof(int));
    const int fds[2] = {STDIN_FILENO, STDIN_FILENO};
    std::memcpy(CMSG_DATA(rights), fds, sizeof fds);
    (void)!sendmsg(fd_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

 private:
  void Serve(const Deed& deed) {
    fd_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    vfio_user_header asked{};
    if (Receive(asked)) deed(*this, asked);
    close(fd_);
  }

  static constexpr int kRoomMs = 10;

  int listener_;
  int fd_ = -1;
  std::thread thread_;
};

vfio_user_header Message(uint16_t id, uint32_t flags, size_t body = 0) {
  return {id, 11, static_cast<uint32_t>(sizeof(vfio_user_header) + body), flags, 0};
}

// Repeats until the library has given up.
void Repeat(const Peer& peer, milliseconds pause, const std::function<void()>& deed) {
  while (!peer.ended()) {
    deed();
    std::this_thread::sleep_for(pause);
  }
}

void Dribble(Peer& peer, vfio_user_header asked, size_t body, milliseconds pause) {
  asked.size = static_cast<uint32_t>(sizeof asked + body);
  asked.flags = VFIO_USER_REPLY;
  std::vector<uint8_t> all(asked.size);
  std::memcpy(all.data(), &asked, sizeof asked);
  size_t at = 0;
  Repeat(peer, pause, [&] {
    if (at < all.size()) peer.Send(&all[at++], 1);
  });
}

struct Case {
  const char* name;
  Peer::Deed deed;
  bool busy = false;  // occupies a core, and not for long: only with the shorter deadline
};

const Case kCases[] = {
    {"messages that want no reply",
     [](Peer& peer, auto) {
       const auto message = Message(9, VFIO_USER_NO_REPLY);
       Repeat(peer, milliseconds(900), [&] { peer.Send(&message, sizeof message); });
     }},
    {"commands",
     [](Peer& peer, auto) {
       const auto message = Message(9, 0);
       Repeat(peer, milliseconds(400), [&] { peer.Send(&message, sizeof message); });
     }},
    {"commands, whose replies are never read",  // until none can be sent
     [](Peer& peer, auto) {
       const auto message = Message(9, 0);
       Repeat(peer, milliseconds(0), [&] { peer.Fill(&message, sizeof message); });
     }},
    {"a flood",  // when the deadline comes
     [](Peer& peer, auto) {
       std::this_thread::sleep_for(kFirstPatience - milliseconds(700));
       const std::vector<vfio_user_header> many(1000, Message(9, VFIO_USER_NO_REPLY));
       Repeat(peer, milliseconds(0), [&] { peer.Send(many.data(), many.size() * sizeof many[0]); });
     },
     true},
    {"late replies",
     [](Peer& peer, vfio_user_header asked) {
       const auto reply = Message(static_cast<uint16_t>(asked.id - 1), VFIO_USER_REPLY);
       Repeat(peer, milliseconds(700), [&] { peer.Send(&reply, sizeof reply); });
     }},
    {"descriptors",
     [](Peer& peer, auto) {
       Repeat(peer, milliseconds(300),
              [&] { peer.SendWithDescriptors(Message(9, VFIO_USER_NO_REPLY)); });
     }},
    {"a reply's header in bytes",
     [](Peer& peer, auto asked) { Dribble(peer, asked, 16, milliseconds(1900)); }},
    {"a reply's body in bytes",
     [](Peer& peer, auto asked) { Dribble(peer, asked, 1 << 19, milliseconds(150)); }},
};

void Nothing(int) {}

// The library's call, while signals arrive.
int OpenAmongSignals(const std::string& name, ullnic_t** card) {
  struct sigaction action{};
  action.sa_handler = Nothing;  // no SA_RESTART: each one interrupts
  sigaction(SIGUSR1, &action, nullptr);
  std::atomic_bool done = false;
  std::thread storm([&done, target = pthread_self()] {
    while (!done) {
      pthread_kill(target, SIGUSR1);
      std::this_thread::sleep_for(milliseconds(2));
    }
  });
  const int result = ullnic_open(name.c_str(), card);
  done = true;
  storm.join();
  return result;
}

void CheckTime(steady_clock::time_point start, milliseconds limit, const std::string& what) {
  const auto took = duration_cast<milliseconds>(steady_clock::now() - start);
  EXPECT_LT(took.count(), (limit + kMargin).count()) << what;
  EXPECT_GT(took.count(), (limit - milliseconds(500)).count()) << what;
}

// Runs the cases in parallel, each in its own thread; every second one with signals.
void RunCases(const std::function<Peer::Deed(const Case&)>& deed_of, milliseconds limit,
              const char* cause) {
  ScratchDirectory directory;
  std::vector<std::thread> threads;
  for (const Case& each : kCases) {
    if (each.busy && limit > kFirstPatience) continue;
    threads.emplace_back([&, number = threads.size()] {
      const std::string path = directory / std::to_string(number);
      Peer peer(path, deed_of(each));
      ullnic_t* card = nullptr;
      const auto start = steady_clock::now();
      const int result = number % 2 == 0 ? ullnic_open(("vfio-user:" + path).c_str(), &card)
                                         : OpenAmongSignals("vfio-user:" + path, &card);
      EXPECT_TRUE(Failed(result, ETIMEDOUT, cause, "")) << each.name;
      CheckTime(start, limit, each.name);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Deadline, OfTheFirstAnswer) {
  RunCases([](const Case& each) { return each.deed; }, kFirstPatience, "no answer");
}

TEST(Deadline, OfALaterAnswer) {
  const auto later = [](const Case& each) -> Peer::Deed {
    return [&each](Peer& peer, const vfio_user_header& asked) {
      peer.Reply(asked, {0, 0, 1, 0});
      vfio_user_header next{};
      if (peer.Receive(next)) each.deed(peer, next);
    };
  };
  RunCases(later, kPatience, "does not answer");
}

// Each reply arrives in time, all of them together do not.
TEST(Deadline, OfACallWithManyRequests) {
  ScratchDirectory directory;
  const std::string path = directory / "card";
  Peer peer(path, [](Peer& self, vfio_user_header asked) {
    self.Reply(asked, {0, 0, 1, 0});
    while (self.Receive(asked)) {
      std::this_thread::sleep_for(milliseconds(4000));
      std::vector<uint8_t> answer(64);
      answer[4] = VFIO_DEVICE_FLAGS_PCI;
      self.Reply(asked, answer);
    }
  });
  ullnic_t* card = nullptr;
  const auto start = steady_clock::now();
  const int result = ullnic_open(("vfio-user:" + path).c_str(), &card);
  EXPECT_TRUE(Failed(result, ETIMEDOUT, "does not answer", "let it go on"));
  CheckTime(start, kPatience, "opening");
}

// The deadline of a call with several requests, in ns of the clock: the first request's applies to
// all of them, and the next call has another.
TEST(Deadline, OfEachCall) {
  constexpr unsigned kEngine = 1;  // the port that has one
  CardProcess process;
  const std::string name = process.name();
  ullnic_t* card = nullptr;
  ullnic_port_t* port = nullptr;
  ullnic_ate_connection connection{};
  connection.vlan = ULLNIC_ATE_NO_VLAN;
  ullnic_ate_counters counters{};
  ullnic_dma_queue queue{};
  ullnic_dma_errors errors{};
  const struct {
    const char* name;
    std::function<int()> call;
  } calls[] = {
      {"open", [&] { return ullnic_open(name.c_str(), &card); }},
      {"port_open", [&] { return ullnic_port_open(card, 0, &port); }},
      {"port_open of another", [&] { return ullnic_port_open(card, kEngine, &port); }},
      {"ate_setup", [&] { return ullnic_ate_setup(card, kEngine, 5, &connection); }},
      {"ate_enable", [&] { return ullnic_ate_enable(card, kEngine, 5); }},
      {"ate_update", [&] { return ullnic_ate_update(card, kEngine, 5, 1, 2); }},
      {"ate_disable", [&] { return ullnic_ate_disable(card, kEngine, 5); }},
      {"ate_read_counters", [&] { return ullnic_ate_read_counters(card, kEngine, &counters); }},
      {"dma_read_queue", [&] { return ullnic_dma_read_queue(card, 0, &queue); }},
      {"dma_read_errors", [&] { return ullnic_dma_read_errors(card, &errors); }},
      {"port_close", [&] { return ullnic_port_close(port), 0; }},
      {"port_open again", [&] { return ullnic_port_open(card, kEngine, &port); }},
      {"close of two ports", [&] { return ullnic_close(card), 0; }},
  };
  int64_t before = 0;
  for (const auto& each : calls) {
    std::vector<int64_t> given;
    deadlines = &given;
    const int result = each.call();
    deadlines = nullptr;
    ASSERT_EQ(result, 0) << each.name << ": " << ullnic_last_error();
    ASSERT_GE(given.size(), 2u) << each.name;
    EXPECT_EQ(std::count(given.begin(), given.end(), given[0]), std::ssize(given)) << each.name;
    EXPECT_GT(given[0], before) << each.name;
    before = given[0];
  }
}

// As many connections as needed for the next one to wait.
std::vector<int> FillQueue(const std::string& path, int type) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  std::vector<int> waiting;
  for (;;) {
    const int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    waiting.push_back(fd);
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return waiting;
  }
}

TEST(Deadline, OfAConnectionThatNobodyAccepts) {
  ScratchDirectory directory;
  const struct {
    std::string path;
    const char* transport;
    int type, error;
    milliseconds limit;
    const char* cause;
  } cases[] = {
      {directory / "card", "vfio-user:", SOCK_STREAM, EBUSY, kFirstPatience, "others wait"},
      {directory / "daemon", "ullnicd:", SOCK_SEQPACKET, ETIMEDOUT, kDaemonPatience,
       "does not answer"},
  };
  std::vector<std::thread> threads;
  for (const auto& each : cases) {
    threads.emplace_back([&each] {
      const int listener = ListenAt(each.path, each.type);
      const std::vector<int> waiting = FillQueue(each.path, each.type);
      const auto start = steady_clock::now();
      ullnic_t* card = nullptr;
      const int result = OpenAmongSignals(each.transport + each.path, &card);
      EXPECT_TRUE(Failed(result, each.error, each.cause, ""));
      CheckTime(start, each.limit, each.cause);
      for (const int fd : waiting) close(fd);
      close(listener);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ullnic::test_card
