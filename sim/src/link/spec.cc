// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "link/spec.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "core/user_error.h"
#include "port/generator_port.h"
#include "port/packet_port.h"
#include "port/pcap_port.h"
#include "port/sink_port.h"
#include "port/tap_port.h"

namespace ullnic {
namespace {

constexpr uint64_t kMaxGapBytes = 1'000'000'000;
constexpr const char* kPortForms =
    "tap:NAME[,netns=PATH] | packet:IFNAME[,netns=PATH] | pcap:IN[,out=OUT][,loop=N]"
    "[,gap=MIN-MAX][,start=PATH] | gen:frames=N[,len=MIN-MAX][,gap=MIN-MAX][,burst] | sink";
constexpr const char* kFaultForms = "drop=P,dup=P,reorder=P,corrupt=P,ber=P (P from 0 to 1)";

bool TakesName(const std::string& kind) {
  return kind == "tap" || kind == "packet" || kind == "pcap";
}

}  // namespace

Spec Spec::Parse(const std::string& text) {
  Spec spec;
  spec.text_ = text;
  const size_t colon = text.find(':');
  spec.kind_ = text.substr(0, colon);
  if (colon == std::string::npos) return spec;
  std::istringstream items(text.substr(colon + 1));
  std::string item;
  bool first = true;
  while (std::getline(items, item, ',')) {
    const size_t equals = item.find('=');
    if (first && TakesName(spec.kind_)) {
      spec.name_ = item;
    } else if (equals == std::string::npos) {
      spec.flags_.insert(item);
    } else if (!spec.values_.emplace(item.substr(0, equals), item.substr(equals + 1)).second) {
      spec.Fail(fmt::format("'{}' is given twice", item.substr(0, equals)));
    }
    first = false;
  }
  return spec;
}

void Spec::Fail(const std::string& why) const {
  throw UserError(fmt::format("'{}': {}", text_, why), kind_ == "fault" ? kFaultForms : kPortForms);
}

std::string Spec::Name(const std::string& what) {
  if (name_.empty()) Fail(fmt::format("the {} is missing", what));
  return name_;
}

std::string Spec::Text(const std::string& key, const std::string& fallback) {
  const auto node = values_.extract(key);
  return node.empty() ? fallback : node.mapped();
}

uint64_t Spec::ToNumber(const std::string& key, const std::string& value, uint64_t max) const {
  uint64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stop != end || number > max) {
    Fail(fmt::format("{}={} is not a number from 0 to {}", key, value, max));
  }
  return number;
}

uint64_t Spec::Number(const std::string& key, uint64_t fallback, uint64_t max) {
  const auto node = values_.extract(key);
  return node.empty() ? fallback : ToNumber(key, node.mapped(), max);
}

std::pair<uint64_t, uint64_t> Spec::Range(const std::string& key, uint64_t fallback_min,
                                          uint64_t fallback_max, uint64_t max) {
  const auto node = values_.extract(key);
  if (node.empty()) return {fallback_min, fallback_max};
  const std::string& value = node.mapped();
  const size_t dash = value.find('-');
  const uint64_t low = ToNumber(key, value.substr(0, dash), max);
  const uint64_t high =
      dash == std::string::npos ? low : ToNumber(key, value.substr(dash + 1), max);
  if (low > high) Fail(fmt::format("{}={} is no range MIN-MAX", key, value));
  return {low, high};
}

double Spec::Probability(const std::string& key) {
  const auto node = values_.extract(key);
  if (node.empty()) return 0;
  const std::string& value = node.mapped();
  double number = -1;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stop != end || !(number >= 0 && number <= 1)) {
    Fail(fmt::format("{}={} is not a probability from 0 to 1", key, value));
  }
  return number;
}

bool Spec::Flag(const std::string& name) { return flags_.erase(name) > 0; }

void Spec::CheckAllUsed() const {
  if (!values_.empty()) Fail(fmt::format("'{}=' is unknown here", values_.begin()->first));
  if (!flags_.empty()) Fail(fmt::format("'{}' is unknown here", *flags_.begin()));
}

std::unique_ptr<FramePort> MakePort(const std::string& spec_text, uint64_t seed, int word_bytes) {
  Spec spec = Spec::Parse(spec_text);
  const std::string& kind = spec.kind();
  std::unique_ptr<FramePort> port;
  if (kind == "tap" || kind == "packet") {
    const std::string name = spec.Name("interface name");
    const std::string netns = spec.Text("netns", "");
    spec.CheckAllUsed();
    if (kind == "tap") return std::make_unique<TapPort>(name, netns);
    return std::make_unique<PacketPort>(name, netns);
  }
  if (kind == "pcap") {
    PcapPort::Config config;
    config.in_path = spec.Name("capture file");
    config.out_path = spec.Text("out", "");
    config.loops = spec.Number("loop", 1, UINT64_MAX);
    const auto gap = spec.Range("gap", 0, 0, kMaxGapBytes);
    config.min_gap_bytes = static_cast<uint32_t>(gap.first);
    config.max_gap_bytes = static_cast<uint32_t>(gap.second);
    config.word_bytes = static_cast<uint32_t>(word_bytes);
    config.start_path = spec.Text("start", "");
    config.seed = seed;
    spec.CheckAllUsed();
    return std::make_unique<PcapPort>(config);
  }
  if (kind == "gen") {
    GeneratorConfig config;
    config.frames = spec.Number("frames", 1000, UINT64_MAX);
    const auto length = spec.Range("len", config.min_bytes, config.max_bytes, kMaxFrameBytes);
    if (length.first == 0) {
      throw UserError(fmt::format("'{}': a frame has at least one byte", spec_text), kPortForms);
    }
    const auto gap = spec.Range("gap", 0, 0, kMaxGapBytes);
    config.min_bytes = static_cast<uint32_t>(length.first);
    config.max_bytes = static_cast<uint32_t>(length.second);
    config.min_gap_bytes = static_cast<uint32_t>(gap.first);
    config.max_gap_bytes = static_cast<uint32_t>(gap.second);
    config.word_bytes = static_cast<uint32_t>(word_bytes);
    config.burst = spec.Flag("burst");
    config.seed = seed;
    spec.CheckAllUsed();
    return std::make_unique<GeneratorPort>(config);
  }
  if (kind == "sink") {
    spec.CheckAllUsed();
    return std::make_unique<SinkPort>();
  }
  throw UserError(fmt::format("'{}' is no port", spec_text), kPortForms);
}

FaultConfig ParseFaults(const std::string& text) {
  FaultConfig config;
  if (text.empty()) return config;
  Spec spec = Spec::Parse("fault:" + text);
  config.drop = spec.Probability("drop");
  config.dup = spec.Probability("dup");
  config.reorder = spec.Probability("reorder");
  config.corrupt = spec.Probability("corrupt");
  config.ber = spec.Probability("ber");
  spec.CheckAllUsed();
  return config;
}

}  // namespace ullnic
