// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "port/packet_port.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/user_error.h"

// Missing from the libc headers of some supported systems.
#ifndef PACKET_IGNORE_OUTGOING
#define PACKET_IGNORE_OUTGOING 23
#endif

namespace ullnic {
namespace {

constexpr size_t kBufferBytes = 65536;
constexpr int kSocketBufferBytes = 64 << 20;
constexpr size_t kAddressBytes = 12;  // the kernel removes a VLAN tag after these

// The privileged request first: it is not bounded by net.core.{r,w}mem_max.
void SetBuffer(int fd, int forced, int ordinary) {
  const int bytes = kSocketBufferBytes;
  if (setsockopt(fd, SOL_SOCKET, forced, &bytes, sizeof bytes) != 0) {
    setsockopt(fd, SOL_SOCKET, ordinary, &bytes, sizeof bytes);
  }
}

}  // namespace

PacketPort::PacketPort(const std::string& ifname, const std::string& netns_path)
    : name_(ifname), buffer_(kBufferBytes) {
  InNetworkNamespace(netns_path, [this] { Open(); });
}

void PacketPort::Open() {
  // Protocol 0: nothing is received before bind(), so no frame of another interface gets in.
  fd_ = Fd(socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (fd_.get() < 0) {
    throw UserError(fmt::format("cannot open a packet socket: {}", strerror(errno)),
                    "run as root, or inside 'unshare -rnm'");
  }
  index_ = static_cast<int>(if_nametoindex(name_.c_str()));
  if (index_ == 0) {
    throw UserError(fmt::format("there is no interface {}", name_),
                    "make it first, e.g. ip link add NAME type veth peer name PEER");
  }
  const int on = 1;
  if (setsockopt(fd_.get(), SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) != 0) {
    throw UserError("this kernel cannot leave out the frames that a packet socket sends itself",
                    "use Linux 4.20 or newer, or a tap: port");
  }
  setsockopt(fd_.get(), SOL_PACKET, PACKET_AUXDATA, &on, sizeof on);
  SetBuffer(fd_.get(), SO_RCVBUFFORCE, SO_RCVBUF);
  SetBuffer(fd_.get(), SO_SNDBUFFORCE, SO_SNDBUF);
  packet_mreq promiscuous{};
  promiscuous.mr_ifindex = index_;
  promiscuous.mr_type = PACKET_MR_PROMISC;
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = index_;
  if (setsockopt(fd_.get(), SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promiscuous, sizeof promiscuous) !=
          0 ||
      bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw UserError(fmt::format("cannot bind to interface {}: {}", name_, strerror(errno)),
                    "is it up, and may this user open it?");
  }
}

nlohmann::json PacketPort::Describe() const { return {{"kind", "packet"}, {"ifname", name_}}; }

void PacketPort::Gone(int error) const {
  throw UserError(fmt::format("interface {} is gone: {}", name_, strerror(error)),
                  "do not delete the interface or its namespace while the link runs");
}

// The socket reports once that the interface went down, but not that it is deleted later.
void PacketPort::CheckStillThere() {
  ifreq request{};
  request.ifr_ifindex = index_;
  if (ioctl(fd_.get(), SIOCGIFNAME, &request) != 0) Gone(errno);
}

bool PacketPort::Receive(Frame& frame) {
  if (was_down_) CheckStillThere();
  for (;;) {
    iovec data{buffer_.data(), buffer_.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(tpacket_auxdata))];
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t n = recvmsg(fd_.get(), &message, MSG_TRUNC);
    if (n < 0) {
      if (errno == EAGAIN || errno == EINTR) return false;
      if (errno == ENETDOWN) {
        was_down_ = true;
        continue;
      }
      Gone(errno);
    }
    if (n == 0 || static_cast<size_t>(n) > kMaxFrameBytes) {
      ++counters_.refused_in;
      continue;
    }
    was_down_ = false;
    frame = {};
    frame.bytes.assign(buffer_.begin(), buffer_.begin() + n);
    // The kernel removes the VLAN tag from the frame: insert it again.
    const cmsghdr* c = CMSG_FIRSTHDR(&message);
    if (c != nullptr && c->cmsg_level == SOL_PACKET && c->cmsg_type == PACKET_AUXDATA) {
      tpacket_auxdata aux;
      std::memcpy(&aux, CMSG_DATA(c), sizeof aux);
      if (aux.tp_status & TP_STATUS_CSUMNOTREADY) ++unfinished_checksums_;
      if (aux.tp_status & TP_STATUS_VLAN_VALID && frame.bytes.size() >= kAddressBytes) {
        const uint16_t tpid =
            aux.tp_status & TP_STATUS_VLAN_TPID_VALID ? aux.tp_vlan_tpid : ETH_P_8021Q;
        const uint8_t tag[] = {static_cast<uint8_t>(tpid >> 8), static_cast<uint8_t>(tpid),
                               static_cast<uint8_t>(aux.tp_vlan_tci >> 8),
                               static_cast<uint8_t>(aux.tp_vlan_tci)};
        frame.bytes.insert(frame.bytes.begin() + kAddressBytes, tag, tag + sizeof tag);
      }
    }
    return true;
  }
}

void PacketPort::Deliver(const Bytes& frame, int64_t /*time_ps*/) {
  const ssize_t n = send(fd_.get(), frame.data(), frame.size(), MSG_DONTWAIT);
  if (n == static_cast<ssize_t>(frame.size())) return;
  ++counters_.dropped_out;  // full, down, or longer than the interface's MTU
  if (n < 0 && (errno == ENXIO || errno == ENODEV)) Gone(errno);
}

nlohmann::json PacketPort::Report() const {
  if (unfinished_checksums_ == 0) return nullptr;
  return {{"unfinished_checksums", unfinished_checksums_},
          {"remedy", "turn checksum offload off at the other end: ethtool -K IFNAME tx off"}};
}

PortCounters PacketPort::counters() const {
  tpacket_stats stats{};
  socklen_t length = sizeof stats;
  // Reading resets the kernel's counter.
  if (getsockopt(fd_.get(), SOL_PACKET, PACKET_STATISTICS, &stats, &length) == 0) {
    kernel_drops_ += stats.tp_drops;
  }
  PortCounters all = counters_;
  all.dropped_in += kernel_drops_;
  return all;
}

}  // namespace ullnic
