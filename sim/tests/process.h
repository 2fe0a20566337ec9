// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A program as used by a person or a script: arguments, JSON lines, signals, exit code.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace ullnic {

using nlohmann::json;

struct Result {
  int exit_code = -1;
  std::vector<json> lines;
  std::string errors;
  const json& Event(const std::string& name) const {
    static const json none;
    for (const json& l : lines) {
      if (l.value("event", "") == name) return l;
    }
    ADD_FAILURE() << "no event " << name;
    return none;
  }
};

class Process {
 public:
  explicit Process(std::vector<std::string> command) {
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) throw std::runtime_error("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      for (const int fd : {in[0], in[1], out[0], out[1]}) close(fd);
      std::vector<char*> argv;
      for (std::string& s : command) argv.push_back(s.data());
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    stdin_ = in[1];
    stdout_ = fdopen(out[0], "r");
  }
  ~Process() {
    CloseStdin();
    if (stdout_ != nullptr) fclose(stdout_);
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }
  void CloseStdin() {
    if (stdin_ >= 0) close(stdin_);
    stdin_ = -1;
  }
  void Signal(int number) const { kill(pid_, number); }
  bool ReadLine(json& line) {
    char* text = nullptr;
    size_t size = 0;
    const bool ok = getline(&text, &size, stdout_) > 0;
    if (ok) line = json::parse(text);
    free(text);
    return ok;
  }
  Result Finish() {
    Result r;
    json line;
    while (ReadLine(line)) r.lines.push_back(line);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    r.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return r;
  }

 private:
  pid_t pid_;
  int stdin_;
  FILE* stdout_;
};

}  // namespace ullnic
