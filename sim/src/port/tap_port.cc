// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "port/tap_port.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/user_error.h"

namespace ullnic {
namespace {

constexpr size_t kFrameBytes = 65536;  // no frame that the kernel hands over is longer

Fd OpenTap(std::string& name) {
  if (name.empty() || name.size() >= IFNAMSIZ) {
    throw UserError(fmt::format("'{}' is no interface name", name),
                    fmt::format("give a name of 1 to {} characters, e.g. tap:ull0", IFNAMSIZ - 1));
  }
  Fd fd(open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (fd.get() < 0) {
    throw UserError(fmt::format("cannot open /dev/net/tun: {}", strerror(errno)),
                    "run as root, load the tun module, or use a packet: port on a veth interface");
  }
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  std::memcpy(request.ifr_name, name.data(), name.size());
  if (ioctl(fd.get(), TUNSETIFF, &request) != 0) {
    throw UserError(fmt::format("cannot make TAP device {}: {}", name, strerror(errno)),
                    errno == EBUSY ? "another process has that device: choose another name"
                                   : "run as root, or inside 'unshare -rnm'");
  }
  name = request.ifr_name;
  return fd;
}

}  // namespace

TapPort::TapPort(const std::string& name, const std::string& netns_path)
    : name_(name), buffer_(kFrameBytes) {
  InNetworkNamespace(netns_path, [this] { fd_ = OpenTap(name_); });
}

nlohmann::json TapPort::Describe() const { return {{"kind", "tap"}, {"ifname", name_}}; }

bool TapPort::Receive(Frame& frame) {
  for (;;) {
    const ssize_t n = read(fd_.get(), buffer_.data(), buffer_.size());
    if (n < 0) {
      if (errno == EAGAIN || errno == EINTR) return false;
      throw UserError(fmt::format("TAP device {} is gone: {}", name_, strerror(errno)),
                      "do not delete the device or its namespace while the link runs");
    }
    if (n == 0 || static_cast<size_t>(n) > kMaxFrameBytes) {
      ++counters_.refused_in;
      continue;
    }
    frame = {};
    frame.bytes.assign(buffer_.begin(), buffer_.begin() + n);
    return true;
  }
}

void TapPort::Deliver(const Bytes& frame, int64_t /*time_ps*/) {
  const ssize_t n = write(fd_.get(), frame.data(), frame.size());
  if (n == static_cast<ssize_t>(frame.size())) return;
  // EIO: the interface is down; EINVAL: a frame shorter than an Ethernet header; a short write
  // cannot be continued, since every write is a frame. The kernel lost it: count it and continue.
  ++counters_.dropped_out;
  if (n < 0 && (errno == EBADFD || errno == ENODEV)) {
    throw UserError(fmt::format("TAP device {} is gone: {}", name_, strerror(errno)),
                    "do not delete the device or its namespace while the link runs");
  }
}

}  // namespace ullnic
