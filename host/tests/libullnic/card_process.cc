// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "card_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace ullnic::test_card {

using std::chrono::steady_clock;

ScratchDirectory::ScratchDirectory() {
  std::string pattern = std::filesystem::temp_directory_path() / "ullnic-test-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch directory");
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

CardProcess::CardProcess(std::vector<std::string> arguments, const std::string& program)
    : socket_(directory_ / "card") {
  int input[2];
  int output[2];
  if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  arguments.insert(arguments.begin(), {program, "--socket", socket_});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(input[0]);
  close(output[1]);
  stdin_ = input[1];
  stdout_ = output[0];
  // Its first line reports that it listens.
  char line[256];
  const ssize_t got = read(stdout_, line, sizeof line);
  if (got <= 0 || std::string(line, static_cast<size_t>(got)).find("ready") == std::string::npos) {
    throw std::runtime_error("the test's card did not start: " + program);
  }
}

CardProcess::~CardProcess() {
  close(stdin_);
  close(stdout_);
  Kill();
}

void CardProcess::Kill() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void CardProcess::Stop() {
  kill(pid_, SIGSTOP);
  waitpid(pid_, nullptr, WUNTRACED);
}

void CardProcess::Continue() { kill(pid_, SIGCONT); }

OpenCard::OpenCard(unsigned ports, std::vector<std::string> arguments)
    : process_(std::move(arguments)), ports_(ports) {
  if (ullnic_open(process_.name().c_str(), &card_) != 0) {
    throw std::runtime_error(ullnic_last_error());
  }
  for (unsigned number = 0; number < ports; ++number) {
    if (ullnic_port_open(card_, number, &ports_[number]) != 0) {
      throw std::runtime_error(ullnic_last_error());
    }
  }
}

uint32_t OpenCard::Read(uint32_t address) const {
  uint32_t value = 0;
  EXPECT_EQ(ullnic_read32(card_, address, &value), 0) << ullnic_last_error();
  return value;
}

void OpenCard::Write(uint32_t address, uint32_t value) const {
  EXPECT_EQ(ullnic_write32(card_, address, value), 0) << ullnic_last_error();
}

int ReceiveSoon(ullnic_port_t* port, ullnic_frame* frame) {
  const auto limit = steady_clock::now() + std::chrono::seconds(10);
  int result = 0;
  while ((result = ullnic_receive(port, frame)) == 0 && steady_clock::now() < limit) {
  }
  return result;
}

uint64_t Seed() {
  const char* given = std::getenv("ULLNIC_SEED");
  const auto seed = static_cast<unsigned long long>(given != nullptr && *given != '\0'
                                                        ? std::strtoull(given, nullptr, 0)
                                                        : std::random_device()());
  std::printf("seed %llu (repeat with ULLNIC_SEED=%llu)\n", seed, seed);
  std::fflush(stdout);
  return seed;
}

std::vector<uint8_t> RandomFrame(std::mt19937_64& rng, size_t least, size_t most) {
  std::vector<uint8_t> frame(std::uniform_int_distribution<size_t>(least, most)(rng));
  for (size_t i = 0; i < frame.size(); i += sizeof(uint64_t)) {
    const uint64_t word = rng();
    std::memcpy(frame.data() + i, &word, std::min(sizeof word, frame.size() - i));
  }
  return frame;
}

testing::AssertionResult Failed(int result, int error, const std::string& cause,
                                const std::string& remedy) {
  const std::string said = ullnic_last_error();
  if (result != -error) {
    return testing::AssertionFailure() << "it gave " << result << ", not " << -error << " ("
                                       << strerror(error) << "): " << said;
  }
  for (const std::string& part : {cause, remedy}) {
    if (said.find(part) == std::string::npos) {
      return testing::AssertionFailure() << "'" << said << "' does not tell of '" << part << "'";
    }
  }
  return testing::AssertionSuccess();
}

int ListenAt(const std::string& path, int type) {
  const int listener = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listen(listener, 1), 0);
  return listener;
}

}  // namespace ullnic::test_card
