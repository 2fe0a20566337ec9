// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A card in a process of its own, and an open handle on it.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "ullnic/ullnic.h"

namespace ullnic::test_card {

// A directory that is removed with the object.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// A socket that listens at a path, for a test that itself replies.
int ListenAt(const std::string& path, int type = SOCK_STREAM);

class CardProcess {
 public:
  explicit CardProcess(std::vector<std::string> arguments = {},
                       const std::string& program = TEST_CARD);
  ~CardProcess();
  CardProcess(const CardProcess&) = delete;
  CardProcess& operator=(const CardProcess&) = delete;

  std::string name() const { return "vfio-user:" + socket_; }
  const std::string& socket() const { return socket_; }
  void Kill();  // returns when it has ended
  void Stop();
  void Continue();

 private:
  ScratchDirectory directory_;
  std::string socket_;
  pid_t pid_ = -1;
  int stdin_ = -1;
  int stdout_ = -1;  // kept open: a card ends when its output has no reader
};

// The card of most tests: open, with the requested ports.
class OpenCard {
 public:
  explicit OpenCard(unsigned ports = 1, std::vector<std::string> arguments = {});
  ~OpenCard() { ullnic_close(card_); }

  CardProcess& process() { return process_; }
  ullnic_t* card() const { return card_; }
  ullnic_port_t* port(unsigned number = 0) const { return ports_.at(number); }
  uint32_t Read(uint32_t address) const;
  void Write(uint32_t address, uint32_t value) const;

 private:
  CardProcess process_;
  ullnic_t* card_ = nullptr;
  std::vector<ullnic_port_t*> ports_;
};

// Waits some seconds for a frame; returns the result of ullnic_receive().
int ReceiveSoon(ullnic_port_t* port, ullnic_frame* frame);

// From the environment variable ULLNIC_SEED, or random; always printed.
uint64_t Seed();
std::vector<uint8_t> RandomFrame(std::mt19937_64& rng, size_t least, size_t most);

// A failed call returned this error, and its message has this cause and remedy.
testing::AssertionResult Failed(int result, int error, const std::string& cause,
                                const std::string& remedy);

}  // namespace ullnic::test_card
