// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Opening a card: names, the device that answers, other holders; registers; the tool that prints
// them.

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include "card_process.h"
#include "test_card.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"

extern "C" {
#include "../../libullnic/vfio_sysfs.h"
}

namespace ullnic::test_card {
namespace {

int Open(const std::string& name) {
  ullnic_t* card = nullptr;
  const int result = ullnic_open(name.c_str(), &card);
  EXPECT_EQ(card != nullptr, result == 0);
  ullnic_close(card);
  return result;
}

TEST(Names, NoneGiven) {
  unsetenv("ULLNIC_CARD");
  ullnic_t* card = nullptr;
  EXPECT_TRUE(Failed(ullnic_open(nullptr, &card), EINVAL, "no card is named", "set ULLNIC_CARD"));
  setenv("ULLNIC_CARD", "", 1);
  EXPECT_TRUE(Failed(ullnic_open(nullptr, &card), EINVAL, "no card is named", "set ULLNIC_CARD"));
}

TEST(Names, OfTheEnvironment) {
  CardProcess process;
  setenv("ULLNIC_CARD", process.name().c_str(), 1);
  ullnic_t* card = nullptr;
  ASSERT_EQ(ullnic_open(nullptr, &card), 0) << ullnic_last_error();
  ullnic_close(card);
  unsetenv("ULLNIC_CARD");
}

TEST(Names, OfNoForm) {
  for (const char* name : {"card", "vfio", "/tmp/socket", "vfio-user", "VFIO:0000:01:00.0"}) {
    EXPECT_TRUE(Failed(Open(name), EINVAL, name, "vfio-user:PATH"));
  }
}

TEST(Names, NoSocket) {
  ScratchDirectory directory;
  EXPECT_TRUE(
      Failed(Open("vfio-user:" + directory / "none"), ENOENT, "no such socket", "./ullnic run"));
  EXPECT_TRUE(Failed(Open("vfio-user:"), EINVAL, "a socket's path", "1 to 107"));
  EXPECT_TRUE(Failed(Open("vfio-user:/tmp/" + std::string(200, 'x')), EINVAL, "a socket's path",
                     "1 to 107"));
  std::ofstream(directory / "file") << "x";
  EXPECT_TRUE(
      Failed(Open("vfio-user:" + directory / "file"), ECONNREFUSED, "it is no socket", "start it"));
  EXPECT_TRUE(
      Failed(Open("vfio-user:" + directory / "file/card"), ENOENT, "no such socket", "start it"));
  ASSERT_EQ(symlink("loop", (directory / "loop").c_str()), 0);
  EXPECT_TRUE(Failed(Open("vfio-user:" + directory / "loop"), ELOOP, directory / "loop",
                     "cannot connect: Too many levels"));
}

TEST(Names, CardThatHasEnded) {
  CardProcess process;
  process.Kill();
  EXPECT_TRUE(Failed(Open(process.name()), ECONNREFUSED, "the virtual card has ended", "start it"));
}

// A sysfs tree with one device.
class Sysfs {
 public:
  Sysfs(const std::string& driver, const std::string& group) {
    const std::string device = root_ / "bus/pci/devices/0000:01:00.0";
    std::filesystem::create_directories(device);
    if (!driver.empty()) {
      std::filesystem::create_symlink("../../drivers/" + driver, device + "/driver");
    }
    if (!group.empty()) {
      std::filesystem::create_symlink("../../kernel/iommu_groups/" + group,
                                      device + "/iommu_group");
    }
  }
  int Find(const char* address) {
    return ul_vfio_find_group("vfio:x", (root_ / "").c_str(), address, full_, &group_);
  }
  const char* full() const { return full_; }
  unsigned group() const { return group_; }

 private:
  ScratchDirectory root_;
  char full_[13] = "";
  unsigned group_ = 0;
};

TEST(Vfio, Addresses) {
  for (const char* address : {"", "x", "0000:01:00", "01:00.8", "0000:01:20.0", "0000:01:00.0x"}) {
    EXPECT_TRUE(Failed(Open(std::string("vfio:") + address), EINVAL, "not a PCI address", "lspci"));
  }
  Sysfs sysfs("vfio-pci", "17");
  for (const char* address : {"0000:01:00.0", "01:00.0", "0:1:0.0"}) {
    EXPECT_EQ(sysfs.Find(address), 0) << address << ": " << ullnic_last_error();
    EXPECT_STREQ(sysfs.full(), "0000:01:00.0");
    EXPECT_EQ(sysfs.group(), 17u);
  }
}

TEST(Vfio, DevicesThatCannotBeUsed) {
  EXPECT_TRUE(Failed(Sysfs("vfio-pci", "1").Find("02:00.0"), ENOENT, "no PCI device 0000:02:00.0",
                     "lspci"));
  EXPECT_TRUE(Failed(Sysfs("nvme", "1").Find("01:00.0"), ENXIO, "belongs to nvme", "driverctl"));
  EXPECT_TRUE(Failed(Sysfs("", "1").Find("01:00.0"), ENXIO, "no driver", "driverctl"));
  EXPECT_TRUE(Failed(Sysfs("vfio-pci", "").Find("01:00.0"), ENXIO, "no IOMMU group", "iommu=on"));
  EXPECT_TRUE(Failed(Open("vfio:ffff:ff:1f.7"), ENOENT, "no PCI device", "lspci"));
}

TEST(Identification, CardsThatAreNot) {
  const struct {
    std::vector<std::string> arguments;
    int error;
    const char* cause;
    const char* remedy;
  } cases[] = {
      {{"--strange", "--vendor", "4660"}, ENXIO, "1234:903f is not an ullnic card", "10ee:903f"},
      {{"--strange", "--dma-id", "0xdead0000"}, ENXIO, "0xdead0000", "give another"},
      {{"--strange", "--dma-version", "0x02100000"}, EPROTO, "version 0x02100000", "EQDMA 5.0"},
      {{"--strange"}, ENXIO, "no ullnic card (ID 0x00000000)", "give another"},
      {{"--strange", "--device", "0x933f"}, ENXIO, "no ullnic card (ID", "give another"},
      {{"--strange", "--device", "0x943f"}, ENXIO, "10ee:943f is not an ullnic", "10ee:903f"},
      {{"--strange", "--device", "0x903e"}, ENXIO, "10ee:903e is not an ullnic", "10ee:903f"},
      {{"--strange", "--bar0-bytes", "65536"}, ENXIO, "BAR0 is too small", "give another"},
      {{"--strange", "--bar0-bytes", "131072"}, ENXIO, "no ullnic card (ID", "give another"},
      {{"--strange", "--dma-queues", "7"}, ENXIO, "has 7 queues, 8 are needed", "give another"},
      {{"--strange", "--dma-queues", "0x5007"}, ENXIO, "has 7 queues", "give another"},
      {{"--strange", "--dma-queues", "8"}, ENXIO, "no ullnic card (ID", "give another"},
      {{"--strange", "--dma-busy", "1"}, EIO, "does not end a context command", "reset the card"},
      {{"--strange", "--dma-busy", "2"}, ENXIO, "no ullnic card (ID", "give another"},
      {{"--id", "0xffffffff"}, ENXIO, "ID 0xffffffff", "give another"},
      {{"--version", "0x20003"}, EPROTO, "version 2.3", "use one that fits"},
      {{"--tcp-enables", "4"}, EPROTO, "engines at 0x4", "fits"},
      {{"--ports", "0", "--tcp-enables", "0"}, EPROTO, "0 ports", "fits"},
      {{"--ports", "9"}, EPROTO, "9 ports", "fits"},
      {{"--ports", "1", "--tcp-enables", "2"}, EPROTO, "1 ports, engines at 0x2", "fits"},
      {{"--ate-version", "0x20001"}, EPROTO, "version 2, this library", "use one that fits"},
      {{"--ate-id", "1"}, EPROTO, "engine of port 1 has ID 0x00000001", "use one that fits"},
      // Longer than the slots of the send ring.
      {{"--ate-capability", "0x255d0000"}, EPROTO, "takes 9565 bytes at once", "use one that fits"},
      {{"--ate-capability", "0xffff01ff"}, EPROTO, "takes 65535 bytes at", "use one that fits"},
  };
  for (const auto& each : cases) {
    CardProcess process(each.arguments);
    EXPECT_TRUE(Failed(Open(process.name()), each.error, each.cause, each.remedy));
  }
}

// Maximum number of ports, an engine at the last one, a later minor version of it.
TEST(Identification, LargestCard) {
  OpenCard open(8, {"--ports", "8", "--tcp-enables", "0x80", "--ate-version", "0x10009"});
  EXPECT_EQ(ullnic_ports(open.card()), 8u);
  EXPECT_EQ(ullnic_tcp_enables(open.card()), 0x80u);
}

TEST(Identification, SmallBar) {
  CardProcess process({"--strange", "--bar2-bytes", "65536"});
  EXPECT_TRUE(Failed(Open(process.name()), ENXIO, "BAR2 is too small", "give another"));
}

// The listener sends these bytes and disconnects.
int OpenOn(const std::string& bytes) {
  ScratchDirectory directory;
  const std::string path = directory / "socket";
  const int listener = ListenAt(path);
  const pid_t child = fork();
  if (child == 0) {
    const int client = accept(listener, nullptr, nullptr);
    std::array<char, 4096> request;
    const bool asked = read(client, request.data(), request.size()) > 0;
    _exit(asked && write(client, bytes.data(), bytes.size()) >= 0 ? 0 : 1);
  }
  close(listener);
  const int result = Open("vfio-user:" + path);
  waitpid(child, nullptr, 0);
  return result;
}

TEST(Identification, OtherServers) {
  EXPECT_TRUE(Failed(OpenOn(""), ENODEV, "hung up", "is it the socket of a virtual card?"));
  EXPECT_TRUE(Failed(OpenOn("HTTP/1.1 400 Bad Request\r\n\r\n"), EPROTO, "impossible size",
                     "is it the socket of a virtual card?"));
  // Replies to request 0, version exchange: version 7.0; one without a body.
  const std::string header("\0\0\1\0\x14\0\0\0\1\0\0\0\0\0\0\0", 16);
  EXPECT_TRUE(Failed(OpenOn(header + std::string("\7\0\0\0", 4)), EPROTO, "vfio-user 7.0",
                     "use one that fits"));
  std::string empty = header;
  empty[4] = 16;
  EXPECT_TRUE(Failed(OpenOn(empty), EPROTO, "too short", "virtual card?"));
}

TEST(Holders, SecondIsRefused) {
  CardProcess process;
  ullnic_t* first = nullptr;
  ASSERT_EQ(ullnic_open(process.name().c_str(), &first), 0) << ullnic_last_error();
  EXPECT_TRUE(Failed(Open(process.name()), EBUSY, "another program holds the card", "end it"));
  uint32_t id = 0;
  EXPECT_EQ(ullnic_read32(first, ULLNIC_CARD_REGISTER(ID), &id), 0) << "the first one suffered";
  ullnic_close(first);
  EXPECT_EQ(Open(process.name()), 0) << ullnic_last_error();
}

TEST(Holders, KilledOne) {
  CardProcess process;
  const pid_t child = fork();
  if (child == 0) {
    ullnic_t* card = nullptr;
    ullnic_port_t* port = nullptr;
    const ullnic_ate_connection connection{};
    _exit(ullnic_open(process.name().c_str(), &card) == 0 &&
                  ullnic_port_open(card, 1, &port) == 0 &&
                  ullnic_ate_setup(card, 1, 3, &connection) == 0 &&
                  ullnic_ate_enable(card, 1, 3) == 0 && raise(SIGKILL) == 0
              ? 0
              : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ullnic_t* card = nullptr;
  ASSERT_EQ(ullnic_open(process.name().c_str(), &card), 0) << ullnic_last_error();
  for (const unsigned conn : {3u, 7u}) {  // 7: enabled initially on the test's card
    uint32_t control = ~0u;
    EXPECT_EQ(ullnic_read32(card, ULLNIC_CONNECTION_BASE(1u, conn) + ULLNIC_ATE_CONTROL, &control),
              0);
    EXPECT_EQ(control, 0u) << "connection " << conn << " is still enabled";
  }
  ullnic_close(card);
}

TEST(Registers, ReadAndWrite) {
  OpenCard open(0);
  EXPECT_EQ(ullnic_ports(open.card()), 2u);
  EXPECT_EQ(ullnic_tcp_enables(open.card()), 2u);
  EXPECT_EQ(ullnic_kind(open.card()), static_cast<uint32_t>(ULLNIC_KIND_TRIGGER));
  EXPECT_EQ(ullnic_tick_ps(open.card()), 4000u);
  const uint64_t seed = Seed();
  std::mt19937_64 rng(seed);
  std::vector<std::pair<uint32_t, uint32_t>> words;
  for (uint32_t address = 0x9000; address < 0xa000; address += 4) {
    words.emplace_back(address, static_cast<uint32_t>(rng()));
    open.Write(address, words.back().second);
  }
  for (const auto& [address, value] : words) EXPECT_EQ(open.Read(address), value);
}

TEST(Registers, AddressesThatAreNone) {
  OpenCard open(0);
  uint32_t value = 0;
  for (const uint32_t address : {1u, 2u, ULLNIC_BAR_SIZE, ULLNIC_BAR_SIZE + 4, ~3u}) {
    EXPECT_TRUE(Failed(ullnic_read32(open.card(), address, &value), EINVAL, "no register at",
                       "multiples of 4"));
    EXPECT_TRUE(Failed(ullnic_write32(open.card(), address, 0), EINVAL, "no register at",
                       "multiples of 4"));
  }
}

TEST(Registers, TesterHasOtherTicks) {
  OpenCard open(1, {"--kind", "3", "--tcp-enables", "0"});
  EXPECT_EQ(ullnic_tick_ps(open.card()), 250u);
}

std::string Tool(const std::string& arguments, int* status) {
  const std::string command = std::string(ULLNIC_INFO) + " " + arguments + " 2>&1";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string said;
  std::array<char, 4096> piece;
  for (size_t got; (got = fread(piece.data(), 1, piece.size(), pipe.get())) > 0;) {
    said.append(piece.data(), got);
  }
  *status = WEXITSTATUS(pclose(pipe.release()));
  return said;
}

TEST(Info, PrintsTheCard) {
  CardProcess process;
  int status = -1;
  const std::string said = Tool("--card " + process.name(), &status);
  EXPECT_EQ(status, 0) << said;
  for (const char* line :
       {"card trigger, registers 1.1, 2 ports, 16-bit transceivers, up for 1.000000 s",
        "  port 0: link up\n",
        "  port 1: link down, TCP transmit engine with 512 connections, payload up to 1460 bytes\n",
        "    ate bad late     1008\n", "    ate bad chunk    1012\n"}) {
    EXPECT_NE(said.find(line), std::string::npos) << line << "is not in:\n" << said;
  }
}

TEST(Info, TheDmaOfACardThatNobodyHolds) {
  CardProcess process;
  for (const char* subject : {" queue 1", " errors"}) {
    int status = -1;
    const std::string said = Tool("--card " + process.name() + subject, &status);
    EXPECT_EQ(status, 0) << said;
    EXPECT_EQ(said.find("opening the card has reset its function"), 0u) << said;
    EXPECT_NE(said.find(std::string(subject) == " errors" ? "last cleared: none" : "not in use"),
              std::string::npos)
        << said;
  }
  int status = -1;
  EXPECT_NE(Tool("--card " + process.name() + " queue 2048", &status).find("no queue 2048"),
            std::string::npos);
  EXPECT_EQ(status, 1);
}

TEST(Info, Mistakes) {
  int status = -1;
  EXPECT_NE(Tool("--card vfio-user:/nowhere/card", &status).find("no such socket"),
            std::string::npos);
  EXPECT_EQ(status, 1);
  EXPECT_NE(Tool("--colour", &status).find("usage: ullnic-info"), std::string::npos);
  EXPECT_EQ(status, 2);
  EXPECT_NE(Tool("card0", &status).find("what is 'card0'?"), std::string::npos);
  EXPECT_EQ(status, 2);
  EXPECT_NE(Tool("--help", &status).find("ULLNIC_CARD"), std::string::npos);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace ullnic::test_card
