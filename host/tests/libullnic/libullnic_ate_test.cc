// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Registers of connections against frames built byte by byte here, and payloads for the engine.

#include <arpa/inet.h>

#include <cstring>

#include "card_process.h"
#include "test_card.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"

namespace ullnic::test_card {
namespace {

constexpr unsigned kPort = 1;  // has the engine

// RFC 1071 over bytes in network order, not complemented.
uint16_t Sum(const std::vector<uint8_t>& bytes) {
  uint32_t sum = 0;
  for (size_t i = 0; i < bytes.size(); ++i) sum += i % 2 ? bytes[i] : bytes[i] << 8;
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

void Append(std::vector<uint8_t>& to, uint64_t value, size_t bytes) {
  while (bytes != 0) to.push_back(static_cast<uint8_t>(value >> 8 * --bytes));
}

template <typename T>
T Random(std::mt19937_64& rng) {
  T value;
  const uint64_t word = rng();
  std::memcpy(&value, &word, sizeof value);
  return value;
}

ullnic_ate_connection RandomConnection(std::mt19937_64& rng) {
  ullnic_ate_connection c{};
  for (uint8_t& byte : c.local_mac) byte = Random<uint8_t>(rng);
  for (uint8_t& byte : c.peer_mac) byte = Random<uint8_t>(rng);
  c.local_ip = Random<uint32_t>(rng);
  c.peer_ip = rng() % 4 == 0 ? ~0u : Random<uint32_t>(rng);  // sums that carry
  c.local_port = rng() % 4 == 0 ? 0xffff : Random<uint16_t>(rng);
  c.peer_port = Random<uint16_t>(rng);
  c.seq = Random<uint32_t>(rng);
  c.ack = Random<uint32_t>(rng);
  c.window = Random<uint16_t>(rng);
  c.check_max_seq = rng() % 2;
  c.max_seq = Random<uint32_t>(rng);
  c.vlan = rng() % 2 ? ULLNIC_ATE_NO_VLAN : static_cast<int>(Random<uint16_t>(rng));
  return c;
}

class Connections : public testing::Test {
 protected:
  uint32_t Register(unsigned conn, uint32_t offset) {
    return open_.Read(ULLNIC_CONNECTION_BASE(kPort, conn) + offset);
  }
  // The register's bytes in the order of a frame.
  std::vector<uint8_t> Bytes(unsigned conn, uint32_t offset) {
    const uint32_t value = Register(conn, offset);
    std::vector<uint8_t> bytes(4);
    std::memcpy(bytes.data(), &value, 4);
    return bytes;
  }
  std::vector<uint8_t> Bytes(unsigned conn, std::initializer_list<uint32_t> offsets) {
    std::vector<uint8_t> all;
    for (const uint32_t offset : offsets) {
      const auto bytes = Bytes(conn, offset);
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
  }
  OpenCard open_{2};
};

// Sums up all headers of a frame; then computes it as the engine does: the partial sum and what it
// adds.
void CheckChecksums(uint32_t partial, const ullnic_ate_connection& c,
                    const std::vector<uint8_t>& payload) {
  const auto segment_bytes = static_cast<uint32_t>(20 + payload.size());
  std::vector<uint8_t> ip;
  Append(ip, 0x4500, 2);
  Append(ip, 20 + segment_bytes, 2);
  Append(ip, 0x00004000, 4);
  Append(ip, 0x40060000, 4);
  Append(ip, ntohl(c.local_ip), 4);
  Append(ip, ntohl(c.peer_ip), 4);
  std::vector<uint8_t> tcp;
  Append(tcp, ntohl(c.local_ip), 4);
  Append(tcp, ntohl(c.peer_ip), 4);
  Append(tcp, 6, 2);
  Append(tcp, segment_bytes, 2);
  Append(tcp, ntohs(c.local_port), 2);
  Append(tcp, ntohs(c.peer_port), 2);
  std::vector<uint8_t> rest;  // what the engine adds to the partial sum
  Append(rest, c.seq, 4);
  Append(rest, c.ack, 4);
  Append(rest, c.window, 2);
  std::vector<uint8_t> whole = tcp;
  whole.insert(whole.end(), rest.begin(), rest.end());
  const uint32_t flags = payload.empty() ? 0x10 : 0x18;
  Append(whole, 0x5000 | flags, 2);
  whole.insert(whole.end(), payload.begin(), payload.end());

  std::vector<uint8_t> engine_ip;
  Append(engine_ip, partial & 0xffff, 2);
  Append(engine_ip, 20 + segment_bytes, 2);
  std::vector<uint8_t> engine_tcp = rest;
  Append(engine_tcp, partial >> 16, 2);
  Append(engine_tcp, payload.size(), 2);
  Append(engine_tcp, flags, 2);
  engine_tcp.insert(engine_tcp.end(), payload.begin(), payload.end());
  EXPECT_EQ(Sum(engine_ip), Sum(ip));
  EXPECT_EQ(Sum(engine_tcp), Sum(whole));
}

TEST_F(Connections, Setup) {
  std::mt19937_64 rng(Seed());
  for (int i = 0; i < 200; ++i) {
    const ullnic_ate_connection c = RandomConnection(rng);
    const auto conn = static_cast<unsigned>(rng() % 512);
    ASSERT_EQ(ullnic_ate_setup(open_.card(), kPort, conn, &c), 0) << ullnic_last_error();
    std::vector<uint8_t> macs(c.peer_mac, c.peer_mac + 6);
    macs.insert(macs.end(), c.local_mac, c.local_mac + 6);
    EXPECT_EQ(Bytes(conn, {0, 4, 8}), macs);
    std::vector<uint8_t> rest;
    Append(rest, ntohl(c.local_ip), 4);
    Append(rest, ntohl(c.peer_ip), 4);
    Append(rest, ntohs(c.local_port), 2);
    Append(rest, ntohs(c.peer_port), 2);
    Append(rest, c.seq, 4);
    Append(rest, c.ack, 4);
    Append(rest, 0, 2);
    Append(rest, c.window, 2);
    EXPECT_EQ(Bytes(conn, {16, 20, 24, 28, 32, 36}), rest);
    std::vector<uint8_t> max_seq;
    Append(max_seq, c.max_seq, 4);
    EXPECT_EQ(Bytes(conn, 52), max_seq);
    EXPECT_EQ(Register(conn, 56), c.vlan < 0 ? 0 : 1u << 16 | static_cast<uint32_t>(c.vlan));
    EXPECT_EQ(Register(conn, 48), 0u) << "enabled before its time";
    CheckChecksums(Register(conn, 12), c, RandomFrame(rng, 0, 100));
    ASSERT_EQ(ullnic_ate_enable(open_.card(), kPort, conn), 0) << ullnic_last_error();
    EXPECT_EQ(Register(conn, 48), 1u | (c.check_max_seq ? 2u : 0u));
    ASSERT_EQ(ullnic_ate_disable(open_.card(), kPort, conn), 0) << ullnic_last_error();
    EXPECT_EQ(Register(conn, 48), c.check_max_seq ? 2u : 0u);
  }
  EXPECT_EQ(open_.Read(kUnsafeWrites), 0u);
}

// The active bank is never written; the flip changes both values at once.
TEST_F(Connections, Update) {
  std::mt19937_64 rng(Seed());
  const ullnic_ate_connection c = RandomConnection(rng);
  ASSERT_EQ(ullnic_ate_setup(open_.card(), kPort, 5, &c), 0);
  const uint32_t before = open_.Read(kUserReads);
  ASSERT_EQ(ullnic_ate_enable(open_.card(), kPort, 5), 0);
  const uint32_t reads = open_.Read(kUserReads);
  EXPECT_EQ(reads, before + 2) << "enable does not wait until the card has it";
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(ullnic_ate_update(open_.card(), kPort, 5, rng() & 0xffffffff, 7), 0);
  }
  EXPECT_EQ(open_.Read(kUserReads), reads + 1) << "an update waits for the card";
  for (int i = 0; i < 100; ++i) {
    const auto ack = Random<uint32_t>(rng);
    const auto window = Random<uint16_t>(rng);
    ASSERT_EQ(ullnic_ate_update(open_.card(), kPort, 5, ack, window), 0) << ullnic_last_error();
    const uint32_t control = Register(5, 48);
    EXPECT_EQ(control & 3, 1u | (c.check_max_seq ? 2u : 0u));
    const uint32_t bank = control & 4 ? 8 : 0;
    EXPECT_EQ(bank != 0, i % 2 == 0);
    std::vector<uint8_t> expected;
    Append(expected, ack, 4);
    Append(expected, 0, 2);
    Append(expected, window, 2);
    EXPECT_EQ(Bytes(5, {32 + bank, 36 + bank}), expected);
    ASSERT_EQ(ullnic_ate_set_max_seq(open_.card(), kPort, 5, ack + 1000), 0);
    EXPECT_EQ(Register(5, 52), htonl(ack + 1000));
  }
  EXPECT_EQ(open_.Read(kUnsafeWrites), 0u);
  uint32_t seq = 0;
  EXPECT_EQ(ullnic_ate_read_seq(open_.card(), kPort, 5, &seq), 0);
  EXPECT_EQ(seq, c.seq);
}

// A reused connection number keeps nothing of its last use: neither its bank nor its check.
TEST_F(Connections, SetUpAgain) {
  ullnic_t* card = open_.card();
  ullnic_ate_connection c{};
  c.vlan = ULLNIC_ATE_NO_VLAN;
  for (const bool check : {true, false, true}) {
    c.check_max_seq = check;
    const uint32_t checks = check ? 2 : 0;
    ASSERT_EQ(ullnic_ate_setup(card, kPort, 6, &c), 0) << ullnic_last_error();
    EXPECT_EQ(Register(6, 48), 0u);
    ASSERT_EQ(ullnic_ate_enable(card, kPort, 6), 0) << ullnic_last_error();
    EXPECT_EQ(Register(6, 48), 1u | checks);
    ASSERT_EQ(ullnic_ate_update(card, kPort, 6, 1, 2), 0) << ullnic_last_error();
    // Disabled and enabled without another setup: unchanged.
    ASSERT_EQ(ullnic_ate_disable(card, kPort, 6), 0) << ullnic_last_error();
    EXPECT_EQ(Register(6, 48), 4u | checks);
    ASSERT_EQ(ullnic_ate_enable(card, kPort, 6), 0) << ullnic_last_error();
    EXPECT_EQ(Register(6, 48), 5u | checks);
    ASSERT_EQ(ullnic_ate_disable(card, kPort, 6), 0) << ullnic_last_error();
  }
  EXPECT_EQ(open_.Read(kUnsafeWrites), 0u);
}

// Connections up to the number that the public window has room for.
TEST(Engines, Sizes) {
  const struct {
    uint32_t capability;
    unsigned connections, max_payload;
  } cases[] = {{0, 1, 0},
               {9u << 16 | 510, 511, 9},
               {1460u << 16 | 1023, 512, 1460},
               {9564u << 16 | 0xffff, 512, 9564}};
  for (const auto& each : cases) {
    OpenCard open(2, {"--ate-capability", std::to_string(each.capability)});
    unsigned connections = 0;
    unsigned max_payload = ~0u;
    EXPECT_EQ(ullnic_ate_connections(open.card(), kPort, &connections), 0);
    EXPECT_EQ(ullnic_ate_max_payload(open.card(), kPort, &max_payload), 0);
    EXPECT_EQ(connections, each.connections);
    EXPECT_EQ(max_payload, each.max_payload);
    const std::string last = "0 to " + std::to_string(each.connections - 1);
    uint32_t seq = 0;
    EXPECT_EQ(ullnic_ate_read_seq(open.card(), kPort, connections - 1, &seq), 0);
    EXPECT_TRUE(Failed(ullnic_ate_read_seq(open.card(), kPort, connections, &seq), EINVAL,
                       "connection", last));
    const std::vector<uint8_t> payload(max_payload + 1);
    const auto end = static_cast<uint16_t>(connections);
    EXPECT_TRUE(Failed(ullnic_send_payload(open.port(kPort), end, payload.data(), 0), EINVAL,
                       "connection", last));
    EXPECT_TRUE(Failed(ullnic_send_payload(open.port(kPort), 0, payload.data(), payload.size()),
                       EMSGSIZE, "at most " + std::to_string(max_payload), ""));
  }
}

TEST_F(Connections, Mistakes) {
  ullnic_ate_connection c{};
  c.vlan = ULLNIC_ATE_NO_VLAN;
  uint32_t seq = 0;
  ullnic_t* card = open_.card();
  EXPECT_TRUE(Failed(ullnic_ate_setup(card, 0, 0, &c), EOPNOTSUPP, "port 0 has no TCP", "another"));
  EXPECT_TRUE(Failed(ullnic_ate_setup(card, 2, 0, &c), EINVAL, "no port 2", "0 to 1"));
  EXPECT_TRUE(Failed(ullnic_ate_setup(card, 1, 512, &c), EINVAL, "connection 512", "0 to 511"));
  EXPECT_TRUE(Failed(ullnic_ate_read_seq(card, 1, 512, &seq), EINVAL, "512", "0 to 511"));
  EXPECT_TRUE(Failed(ullnic_ate_enable(card, 1, 9), EINVAL, "not set up", "ullnic_ate_setup"));
  EXPECT_TRUE(
      Failed(ullnic_ate_update(card, 1, 9, 0, 0), EINVAL, "not set up", "ullnic_ate_setup"));
  for (const int vlan : {-2, 65536}) {
    c.vlan = vlan;
    EXPECT_TRUE(
        Failed(ullnic_ate_setup(card, 1, 9, &c), EINVAL, std::to_string(vlan), "0 to 65535"));
  }
  c.vlan = 65535;
  EXPECT_EQ(ullnic_ate_setup(card, 1, 9, &c), 0) << ullnic_last_error();
  c.vlan = ULLNIC_ATE_NO_VLAN;
  EXPECT_EQ(ullnic_ate_setup(card, 1, 9, &c), 0);
  EXPECT_EQ(ullnic_ate_enable(card, 1, 9), 0);
  EXPECT_TRUE(Failed(ullnic_ate_setup(card, 1, 9, &c), EBUSY, "is enabled", "disable it"));
}

TEST_F(Connections, Engine) {
  unsigned connections = 0;
  unsigned max_payload = 0;
  EXPECT_EQ(ullnic_ate_connections(open_.card(), kPort, &connections), 0);
  EXPECT_EQ(ullnic_ate_max_payload(open_.card(), kPort, &max_payload), 0);
  EXPECT_EQ(connections, 512u);
  EXPECT_EQ(max_payload, 1460u);
  EXPECT_EQ(ullnic_ate_set_strict(open_.card(), kPort, true), 0);
  EXPECT_EQ(open_.Read(ULLNIC_ATE_BASE(kPort) + 0xc), 1u);
  ullnic_ate_counters counters;
  ASSERT_EQ(ullnic_ate_read_counters(open_.card(), kPort, &counters), 0);
  const uint32_t values[] = {counters.sent_user, counters.sent_host,  counters.sent_raw,
                             counters.no_conn,   counters.no_room,    counters.no_window,
                             counters.bad_late,  counters.bad_length, counters.bad_window,
                             counters.bad_raw,   counters.bad_chunk,  counters.aborted,
                             counters.no_frame};
  const uint32_t numbers[] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13, 7};
  for (size_t i = 0; i < std::size(numbers); ++i) EXPECT_EQ(values[i], 1000 + numbers[i]);
}

// {checksum, big-endian; connection, little-endian; 14 reserved} payload, at every length.
TEST_F(Connections, Payloads) {
  std::mt19937_64 rng(Seed());
  for (size_t length = 0; length <= 1460; length += length < 70 ? 1 : 139) {
    std::vector<uint8_t> payload = RandomFrame(rng, length, length);
    if (length % 3 == 0) std::fill(payload.begin(), payload.end(), 0xff);
    const auto conn = static_cast<uint16_t>(rng() % 512);
    ASSERT_EQ(ullnic_send_payload(open_.port(kPort), conn, payload.data(), length), 0)
        << ullnic_last_error();
    ullnic_frame frame;
    ASSERT_EQ(ReceiveSoon(open_.port(kPort), &frame), 1) << ullnic_last_error();
    EXPECT_EQ(frame.type, ULLNIC_FRAME_SENT);
    ASSERT_EQ(frame.len, 18 + length);
    // The sum of byte-swapped words is the byte-swapped sum (RFC 1071).
    const uint16_t swapped = Sum(payload);
    EXPECT_EQ(frame.data[0], swapped & 0xff) << "length " << length;
    EXPECT_EQ(frame.data[1], swapped >> 8) << "length " << length;
    EXPECT_EQ(frame.data[2] | frame.data[3] << 8, conn);
    EXPECT_EQ(std::vector<uint8_t>(frame.data + 18, frame.data + frame.len), payload);
  }
  EXPECT_EQ(open_.Read(kBadChunks), 0u);
}

TEST_F(Connections, PayloadsThatAreNone) {
  const std::vector<uint8_t> payload(1461);
  ullnic_port_t* port = open_.port(kPort);
  EXPECT_TRUE(Failed(ullnic_send_payload(port, 0, payload.data(), payload.size()), EMSGSIZE, "1461",
                     "at most 1460"));
  EXPECT_TRUE(Failed(ullnic_send_payload(port, 512, payload.data(), 1), EINVAL, "connection 512",
                     "0 to 511"));
  EXPECT_TRUE(Failed(ullnic_send_payload(open_.port(0), 0, payload.data(), 1), EOPNOTSUPP,
                     "port 0 has no TCP transmit engine", "take another"));
  EXPECT_EQ(ullnic_send_pending(port), 0u);
}

TEST_F(Connections, ThatCouldNotBeSetUp) {
  std::mt19937_64 rng(1);
  ullnic_ate_connection connection = RandomConnection(rng);
  open_.process().Kill();
  EXPECT_LT(ullnic_ate_setup(open_.card(), kPort, 3, &connection), 0);
  EXPECT_TRUE(Failed(ullnic_ate_enable(open_.card(), kPort, 3), EINVAL,
                     "connection 3 of port 1 is not set up", "ullnic_ate_setup()"));
}

}  // namespace
}  // namespace ullnic::test_card
