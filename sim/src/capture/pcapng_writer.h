// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes one interface's frames as pcapng with nanosecond timestamps of virtual time.
//
// Timestamps are those of the first word of a frame, and frames are handed over when they end, so a
// long one can follow a later short one: a small window sorts them by time.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "core/frame.h"

namespace ullnic {

enum class Direction : uint32_t { kInbound = 1, kOutbound = 2 };  // as in the epb_flags option

class PcapngWriter {
 public:
  struct Config {
    std::string path{};
    std::string if_name{};
    std::string if_description{};
    uint32_t snap_bytes = 0;  // 0: whole frames
    int64_t epoch_ns = 0;     // added to virtual time
  };

  // Throws UserError.
  explicit PcapngWriter(const Config& config);
  ~PcapngWriter();

  void Write(const Bytes& frame, int64_t time_ps, Direction direction,
             const std::string& comment = {});
  // Writes the buffered frames and flushes the file: no earlier frame will follow.
  void Flush();

 private:
  struct Entry {
    int64_t time_ps;
    uint64_t sequence;
    Direction direction;
    std::string comment;
    uint32_t full_bytes;
    Bytes bytes;
  };
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.time_ps != b.time_ps ? a.time_ps > b.time_ps : a.sequence > b.sequence;
    }
  };
  struct CloseFile {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };

  void WriteHeaders(const Config& config);
  void WritePacket(const Entry& entry);
  void WriteRaw(const void* data, size_t bytes);

  std::string path_;
  uint32_t snap_bytes_;
  int64_t epoch_ns_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::vector<char> file_buffer_;
  std::priority_queue<Entry, std::vector<Entry>, Later> window_;
  uint64_t sequence_ = 0;
};

}  // namespace ullnic
