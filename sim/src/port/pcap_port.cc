// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "port/pcap_port.h"

#include <fmt/format.h>
#include <pcap/pcap.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/user_error.h"

namespace ullnic {

void PcapPort::ClosePcap::operator()(pcap* p) const { pcap_close(p); }

PcapPort::PcapPort(const Config& config)
    : config_(config), loops_left_(config.loops), rng_(config.seed) {
  if (config.loops == 0) {
    throw UserError("loop=0 sends nothing", "give loop=1 or more, or leave it out");
  }
  Open();
  if (!config.out_path.empty()) {
    writer_ = std::make_unique<PcapngWriter>(PcapngWriter::Config{
        .path = config.out_path, .if_name = "link", .if_description = "received"});
  }
}

bool PcapPort::Started() {
  if (!started_)
    started_ = config_.start_path.empty() || ::access(config_.start_path.c_str(), F_OK) == 0;
  return started_;
}

void PcapPort::Open() {
  char message[PCAP_ERRBUF_SIZE] = "";
  reader_.reset(pcap_open_offline(config_.in_path.c_str(), message));
  if (!reader_) {
    throw UserError(fmt::format("cannot read capture file: {}", message),
                    "give an existing pcap or pcapng file of an Ethernet interface");
  }
  if (pcap_datalink(reader_.get()) != DLT_EN10MB) {
    const char* name = pcap_datalink_val_to_name(pcap_datalink(reader_.get()));
    throw UserError(
        fmt::format("{} holds frames of link type {}, not Ethernet", config_.in_path,
                    name != nullptr ? name : "unknown"),
        "capture on one Ethernet interface (not on 'any'); of several interfaces, ./ullnic run "
        "link --replay plays those of Ethernet");
  }
}

nlohmann::json PcapPort::Describe() const { return {{"kind", "pcap"}, {"file", config_.in_path}}; }

bool PcapPort::Receive(Frame& frame) {
  if (!Started()) return false;
  while (loops_left_ > 0) {
    pcap_pkthdr* header = nullptr;
    const u_char* data = nullptr;
    const int result = pcap_next_ex(reader_.get(), &header, &data);
    if (result == 1) {
      ++read_frames_;
      // A frame truncated by the capture's snap length is not the frame that was on the wire.
      if (header->caplen != header->len || header->len == 0 || header->len > kMaxFrameBytes) {
        ++counters_.refused_in;
        continue;
      }
      frame = {};
      frame.bytes.assign(data, data + header->caplen);
      frame.idle_cycles_before =
          static_cast<uint32_t>(rng_.Range(config_.min_gap_bytes, config_.max_gap_bytes)) /
          config_.word_bytes;
      return true;
    }
    if (result != PCAP_ERROR_BREAK) {
      throw UserError(
          fmt::format("{} is damaged after frame {}: {}", config_.in_path, read_frames_,
                      pcap_geterr(reader_.get())),
          "./ullnic run link --replay says which frames can cross, and takes captures of "
          "several interfaces");
    }
    if (--loops_left_ > 0) Open();
  }
  return false;
}

void PcapPort::Deliver(const Bytes& frame, int64_t time_ps) {
  ++received_frames_;
  if (writer_) writer_->Write(frame, time_ps, Direction::kInbound);
}

std::string PcapPort::Finish(bool /*complete*/) {
  if (writer_) writer_->Flush();
  return {};
}

nlohmann::json PcapPort::Report() const {
  return {{"read_frames", read_frames_}, {"received_frames", received_frames_}};
}

}  // namespace ullnic
