// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "capture/pcapng_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/user_error.h"

// Layout and numbers: draft-ietf-opsawg-pcapng, "PCAP Now Generic".
namespace ullnic {
namespace {

constexpr uint32_t kSectionHeader = 0x0a0d0d0a;
constexpr uint32_t kInterfaceDescription = 1;
constexpr uint32_t kEnhancedPacket = 6;
constexpr uint16_t kLinkTypeEthernet = 1;
constexpr uint16_t kOptEnd = 0;
constexpr uint16_t kOptComment = 1;
constexpr uint16_t kShbUserApplication = 4;
constexpr uint16_t kIfName = 2;
constexpr uint16_t kIfDescription = 3;
constexpr uint16_t kIfTsResolution = 9;
constexpr uint16_t kEpbFlags = 2;
constexpr size_t kFileBufferBytes = 1 << 20;
// More than the longest frame's time on the wire: nothing older can still arrive.
constexpr int64_t kWindowPs = 20'000'000;

// One block of the file; all fields little-endian, each padded to four bytes.
class Block {
 public:
  explicit Block(uint32_t type) {
    Add32(type);
    Add32(0);  // total length, filled in at the end
  }
  void Add16(uint16_t v) { AddBytes(&v, sizeof v); }
  void Add32(uint32_t v) { AddBytes(&v, sizeof v); }
  void AddBytes(const void* data, size_t count) {
    const char* p = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), p, p + count);
  }
  void Pad() { bytes_.resize((bytes_.size() + 3) / 4 * 4); }
  void AddOption(uint16_t code, const void* data, size_t count) {
    Add16(code);
    Add16(static_cast<uint16_t>(count));
    AddBytes(data, count);
    Pad();
  }
  void AddOption(uint16_t code, const std::string& text) {
    if (!text.empty()) AddOption(code, text.data(), std::min<size_t>(text.size(), 0xffff));
  }
  const std::vector<char>& Finish() {
    Add16(kOptEnd);
    Add16(0);
    const auto total = static_cast<uint32_t>(bytes_.size() + 4);
    Add32(total);
    std::memcpy(bytes_.data() + 4, &total, sizeof total);
    return bytes_;
  }

 private:
  std::vector<char> bytes_;
};

}  // namespace

PcapngWriter::PcapngWriter(const Config& config)
    : path_(config.path),
      snap_bytes_(config.snap_bytes),
      epoch_ns_(config.epoch_ns),
      file_(std::fopen(config.path.c_str(), "wb")),
      file_buffer_(kFileBufferBytes) {
  if (!file_) {
    throw UserError(fmt::format("cannot write {}: {}", path_, strerror(errno)),
                    "name a file in an existing directory that you may write to");
  }
  std::setvbuf(file_.get(), file_buffer_.data(), _IOFBF, file_buffer_.size());
  WriteHeaders(config);
}

PcapngWriter::~PcapngWriter() {
  try {
    Flush();
  } catch (const UserError&) {
    // A destructor cannot report an error; Flush() at the end of a run does.
  }
}

void PcapngWriter::WriteHeaders(const Config& config) {
  Block section(kSectionHeader);
  section.Add32(0x1a2b3c4d);  // byte order
  section.Add16(1);           // version 1.0
  section.Add16(0);
  section.Add32(~0u);  // section length not given
  section.Add32(~0u);
  section.AddOption(kShbUserApplication, "ullnic virtual card");
  const auto& s = section.Finish();
  WriteRaw(s.data(), s.size());

  Block interface(kInterfaceDescription);
  interface.Add16(kLinkTypeEthernet);
  interface.Add16(0);
  interface.Add32(snap_bytes_);
  interface.AddOption(kIfName, config.if_name);
  interface.AddOption(kIfDescription, config.if_description);
  const uint8_t nanoseconds = 9;
  interface.AddOption(kIfTsResolution, &nanoseconds, 1);
  const auto& i = interface.Finish();
  WriteRaw(i.data(), i.size());
}

void PcapngWriter::Write(const Bytes& frame, int64_t time_ps, Direction direction,
                         const std::string& comment) {
  const size_t kept = snap_bytes_ == 0 ? frame.size() : std::min<size_t>(frame.size(), snap_bytes_);
  window_.push({time_ps, sequence_++, direction, comment, static_cast<uint32_t>(frame.size()),
                Bytes(frame.begin(), frame.begin() + static_cast<ptrdiff_t>(kept))});
  while (window_.top().time_ps < time_ps - kWindowPs) {
    WritePacket(window_.top());
    window_.pop();
  }
}

void PcapngWriter::Flush() {
  for (; !window_.empty(); window_.pop()) WritePacket(window_.top());
  if (std::fflush(file_.get()) != 0) {
    throw UserError(fmt::format("cannot write {}: {}", path_, strerror(errno)),
                    "is the disk full? --snaplen N keeps the first N bytes of each frame only");
  }
}

void PcapngWriter::WritePacket(const Entry& entry) {
  const auto time_ns = static_cast<uint64_t>(epoch_ns_ + entry.time_ps / 1000);
  Block packet(kEnhancedPacket);
  packet.Add32(0);  // the only interface
  packet.Add32(static_cast<uint32_t>(time_ns >> 32));
  packet.Add32(static_cast<uint32_t>(time_ns));
  packet.Add32(static_cast<uint32_t>(entry.bytes.size()));
  packet.Add32(entry.full_bytes);
  packet.AddBytes(entry.bytes.data(), entry.bytes.size());
  packet.Pad();
  packet.AddOption(kOptComment, entry.comment);
  const auto flags = static_cast<uint32_t>(entry.direction);
  packet.AddOption(kEpbFlags, &flags, sizeof flags);
  const auto& p = packet.Finish();
  WriteRaw(p.data(), p.size());
}

void PcapngWriter::WriteRaw(const void* data, size_t bytes) {
  if (std::fwrite(data, 1, bytes, file_.get()) != bytes) {
    throw UserError(fmt::format("cannot write {}: {}", path_, strerror(errno)),
                    "is the disk full? --snaplen N keeps the first N bytes of each frame only");
  }
}

}  // namespace ullnic
