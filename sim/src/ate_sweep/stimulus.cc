// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "ate_sweep/stimulus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/user_error.h"
#include "stac_t0_regs.h"
#include "trigger_regs.h"

namespace ullnic {
namespace {

constexpr size_t kMaxBytes = 160;  // of market data: more would only cost time

Bytes RandomFrame(Rng& rng, size_t bytes) {
  Bytes frame(bytes);
  for (uint8_t& b : frame) b = static_cast<uint8_t>(rng.Next());
  return frame;
}

void PutBigEndian(uint8_t* to, uint64_t value, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = static_cast<uint8_t>(value >> 8 * (count - 1 - i));
}

// Answers are numbered in the first four bytes of their payload; the rest is determined by the
// trigger and the registers.
class Numbered : public Stimulus {
 public:
  std::string Check(const Bytes& payload, const Bytes& trigger, uint64_t count) override {
    Bytes wanted = Wanted(trigger);
    PutBigEndian(wanted.data(), first_ + count, kNumberBytes);
    if (payload == wanted) return {};
    const bool number = payload.size() >= kNumberBytes &&
                        std::equal(payload.begin(), payload.begin() + kNumberBytes, wanted.begin());
    return number ? "the payload is not what was to be sent" : "the number is not the next";
  }

 protected:
  static constexpr size_t kNumberBytes = 4;
  static constexpr uint32_t kRegisters = 0x8000;  // of the card's user logic

  // The expected payload of an answer, without its number.
  virtual Bytes Wanted(const Bytes& trigger) = 0;

  uint32_t first_ = 0;  // number
};

// cards/trigger: the first four bytes of the destination address are all ones.
class TriggerStimulus final : public Numbered {
 public:
  void Arm(uint16_t connection, Rng& rng, const WriteRegister& write) override {
    payload_.resize(rng.Range(kNumberBytes, kMaxPayloadBytes));
    for (uint8_t& b : payload_) b = static_cast<uint8_t>(rng.Next());
    first_ = rng.Word();
    for (size_t at = kNumberBytes; at < payload_.size(); at += 4) {
      uint32_t word = 0;
      for (size_t i = 0; i < 4 && at + i < payload_.size(); ++i) {
        word |= static_cast<uint32_t>(payload_[at + i]) << 8 * i;
      }
      write(Register(offsetof(trigger_regs_t, TEMPLATE) + at), word);
    }
    write(Register(offsetof(trigger_regs_t, CONNECTION)), connection);
    write(Register(offsetof(trigger_regs_t, LENGTH)), static_cast<uint32_t>(payload_.size()));
    write(Register(offsetof(trigger_regs_t, NUMBER)), first_ - 1);
    write(Register(offsetof(trigger_regs_t, CONTROL)), TRIGGER_REGS__CONTROL__ARM_bm);
  }

  uint32_t armed_address() const override { return Register(offsetof(trigger_regs_t, STATUS)); }

  Bytes MakeTrigger(Rng& rng) override {
    Bytes frame = RandomFrame(rng, rng.Range(kMinFrameBytes, kMaxBytes));
    std::fill_n(frame.begin(), kDecidingBytes, 0xff);
    return frame;
  }

  Bytes MakeOther(Rng& rng) override {
    Bytes frame = RandomFrame(rng, rng.Range(kMinFrameBytes, kMaxBytes));
    // One bit different, or random; the card ignores ones elsewhere.
    if (rng.Below(2) != 0) {
      std::fill_n(frame.begin(), kDecidingBytes + rng.Below(8), 0xff);
    }
    frame[rng.Below(kDecidingBytes)] &= static_cast<uint8_t>(~(1u << rng.Below(8)));
    return frame;
  }

  std::vector<Expectation> Afterwards(uint64_t triggers) override {
    const auto count = static_cast<uint32_t>(triggers);
    return {{"TRIGGERS", Register(offsetof(trigger_regs_t, TRIGGERS)), count},
            {"REFUSED_DISARMED", Register(offsetof(trigger_regs_t, REFUSED_DISARMED)), 0},
            {"REFUSED_WINDOW", Register(offsetof(trigger_regs_t, REFUSED_WINDOW)), 0},
            {"REFUSED_BUSY", Register(offsetof(trigger_regs_t, REFUSED_BUSY)), 0},
            {"REFUSED_ATE", Register(offsetof(trigger_regs_t, REFUSED_ATE)), 0},
            {"ORDERS", Register(offsetof(trigger_regs_t, ORDERS)), count},
            {"NUMBER", Register(offsetof(trigger_regs_t, NUMBER)), first_ - 1 + count}};
  }

 private:
  static constexpr size_t kDecidingBytes = 4;
  static constexpr size_t kMaxPayloadBytes = 64;

  static uint32_t Register(size_t offset) { return kRegisters + static_cast<uint32_t>(offset); }

  Bytes Wanted(const Bytes& /*trigger*/) override { return payload_; }

  Bytes payload_;
};

// cards/stac_t0: frames of either form whose index ends with ten zeros. The answer is sent on the
// connection that the frame names, and contains the index.
class StacT0Stimulus final : public Numbered {
 public:
  void Arm(uint16_t connection, Rng& rng, const WriteRegister& write) override {
    connection_ = connection;
    payload_bytes_ = rng.Range(kNumberBytes + kIndexBytes, kMaxPayloadBytes);
    first_ = rng.Word();
    write(Register(offsetof(stac_t0_regs_t, LENGTH)), static_cast<uint32_t>(payload_bytes_));
    write(Register(offsetof(stac_t0_regs_t, NUMBER)), first_ - 1);
    write(Register(offsetof(stac_t0_regs_t, CONTROL)), STAC_T0_REGS__CONTROL__ARM_bm);
  }

  uint32_t armed_address() const override { return Register(offsetof(stac_t0_regs_t, STATUS)); }

  Bytes MakeTrigger(Rng& rng) override { return MakeFrame(rng, rng.Next() & ~kMask); }

  Bytes MakeOther(Rng& rng) override {
    // One bit is enough.
    return MakeFrame(rng, (rng.Next() & ~kMask) | uint64_t{1} << rng.Below(kMaskBits));
  }

  std::vector<Expectation> Afterwards(uint64_t triggers) override {
    const auto count = static_cast<uint32_t>(triggers);
    return {{"TRIGGERS", Register(offsetof(stac_t0_regs_t, TRIGGERS)), count},
            {"REFUSED_DISARMED", Register(offsetof(stac_t0_regs_t, REFUSED_DISARMED)), 0},
            {"REFUSED_WINDOW", Register(offsetof(stac_t0_regs_t, REFUSED_WINDOW)), 0},
            {"REFUSED_BUSY", Register(offsetof(stac_t0_regs_t, REFUSED_BUSY)), 0},
            {"REFUSED_ATE", Register(offsetof(stac_t0_regs_t, REFUSED_ATE)), 0},
            {"ORDERS", Register(offsetof(stac_t0_regs_t, ORDERS)), count},
            {"NUMBER", Register(offsetof(stac_t0_regs_t, NUMBER)), first_ - 1 + count}};
  }

 private:
  struct Shape {
    size_t bytes;
    size_t index;
    uint8_t type;
  };
  static constexpr Shape kLong{503, 275, 0x41}, kShort{64, 47, 0x42};
  static constexpr size_t kTypeByte = 42, kConnectionByte = 44;
  static constexpr size_t kIndexBytes = 8, kMaxPayloadBytes = 64;
  static constexpr uint64_t kMaskBits = 10, kMask = (1u << kMaskBits) - 1;

  static uint32_t Register(size_t offset) { return kRegisters + static_cast<uint32_t>(offset); }

  Bytes MakeFrame(Rng& rng, uint64_t index) const {
    const Shape& shape = rng.Below(4) == 0 ? kLong : kShort;
    Bytes frame = RandomFrame(rng, shape.bytes);
    frame[kTypeByte] = shape.type;
    frame[kConnectionByte] = static_cast<uint8_t>(connection_);
    frame[kConnectionByte + 1] = static_cast<uint8_t>(connection_ >> 8);
    PutBigEndian(&frame[shape.index], index, kIndexBytes);
    return frame;
  }

  Bytes Wanted(const Bytes& trigger) override {
    const Shape& shape = trigger.size() == kLong.bytes ? kLong : kShort;
    Bytes payload(payload_bytes_);
    std::copy_n(&trigger[shape.index], kIndexBytes, payload.begin() + kNumberBytes);
    return payload;
  }

  uint16_t connection_ = 0;
  size_t payload_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Stimulus> MakeStimulus(const std::string& trade_rule) {
  if (trade_rule == "trigger") return std::make_unique<TriggerStimulus>();
  if (trade_rule == "stac_t0") return std::make_unique<StacT0Stimulus>();
  throw UserError(fmt::format("there is no market data for the trade rule '{}'", trade_rule),
                  "take a configuration of a card whose card.toml has the rule trigger or stac_t0");
}

}  // namespace ullnic
