/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Unit tests of libexanic without a card: which buffer a frame goes to, and a listener's ring, at
 * each limit; the clock's lock. Prints failures.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exanic/fcs.h"
#include "exanic/internal.h"
#include "ullnic/card.h"

enum { BYTES = 10000, CHUNKS = EXANIC_RX_NUM_CHUNKS, CHUNK = EXANIC_RX_CHUNK_PAYLOAD_SIZE };

static struct exanic_own own;
static uint8_t bytes[BYTES];
static struct ullnic_frame frame = {.data = bytes};

static struct ex_steering* steering(void) { return &own.ports[0].steering; }

static int buffer_of_frame(void) { return ex_steer(steering(), &frame).buffer; }

static void forget_all(void) { memset(steering(), 0, sizeof *steering()); }

/** Ethernet with tags, then IPv4; frame.len extends to the end of TCP's or UDP's port numbers. */
static uint8_t* make_packet(const uint16_t* tags, unsigned tag_count, unsigned ihl,
                            unsigned protocol) {
  memset(bytes, 0, sizeof bytes);
  memcpy(bytes, "\2\0\0\0\0\2\2\0\0\0\0\1", 12);
  uint8_t* at = bytes + 12;
  for (unsigned i = 0; i < tag_count; ++i) {
    const uint16_t tag[2] = {htons(tags[2 * i]), htons(tags[2 * i + 1])};
    memcpy(at, tag, sizeof tag);
    at += sizeof tag;
  }
  memcpy(at, "\x08\0", 2);
  uint8_t* ip = at + 2;
  ip[0] = (uint8_t)(0x40 | ihl);
  ip[9] = (uint8_t)protocol;
  memcpy(ip + 12, "\x0a\0\0\1\x0a\0\0\2", 8);
  const unsigned header = ihl < 5 ? 20 : ihl * 4;
  memcpy(ip + header, "\x03\xe8\x07\xd0", 4);  // 1000, 2000
  frame.len = (uint16_t)(ip + header + 4 - bytes);
  return ip;
}

static void filter_ip(const char* src, const char* dst, unsigned sport, unsigned dport,
                      unsigned protocol) {
  const exanic_rx_t rx = {.exanic = &own.face, .buffer_number = 9};
  forget_all();
  CHECK(exanic_filter_add_ip(&own.face, &rx,
                             &(exanic_ip_filter_t){.src_addr = inet_addr(src),
                                                   .dst_addr = inet_addr(dst),
                                                   .src_port = htons((uint16_t)sport),
                                                   .dst_port = htons((uint16_t)dport),
                                                   .protocol = (uint8_t)protocol}) == 0);
}

static bool matches(void) { return buffer_of_frame() == 9; }

static void steer_ip(void) {
  uint8_t* ip = make_packet(NULL, 0, 5, 17);
  CHECK(buffer_of_frame() == 0);
  filter_ip("0.0.0.0", "0.0.0.0", 0, 0, 0);
  CHECK(matches());
  frame.len = 14 + 20;  // the shortest frame that has addresses
  CHECK(matches());
  frame.len = 14 + 19;
  CHECK(!matches());
  make_packet(NULL, 0, 5, 17);
  const struct {
    const char *src, *dst;
    unsigned sport, dport, protocol;
    bool match;
  } filters[] = {
      {"10.0.0.1", "0.0.0.0", 0, 0, 0, true},
      {"10.0.0.2", "0.0.0.0", 0, 0, 0, false},
      {"0.0.0.0", "10.0.0.2", 0, 0, 0, true},
      {"0.0.0.0", "10.0.0.1", 0, 0, 0, false},
      {"0.0.0.0", "0.0.0.0", 1000, 0, 0, true},
      {"0.0.0.0", "0.0.0.0", 2000, 0, 0, false},
      {"0.0.0.0", "0.0.0.0", 0, 2000, 0, true},
      {"0.0.0.0", "0.0.0.0", 0, 1000, 0, false},
      {"0.0.0.0", "0.0.0.0", 0, 0, 17, true},
      {"0.0.0.0", "0.0.0.0", 0, 0, 6, false},
      {"10.0.0.1", "10.0.0.2", 1000, 2000, 17, true},
      {"10.0.0.1", "10.0.0.2", 1000, 2001, 17, false},
  };
  for (size_t i = 0; i < sizeof filters / sizeof *filters; ++i) {
    filter_ip(filters[i].src, filters[i].dst, filters[i].sport, filters[i].dport,
              filters[i].protocol);
    CHECK(matches() == filters[i].match);
  }
  // Port numbers: after a header of any length, of TCP and UDP, in the first fragment.
  filter_ip("0.0.0.0", "0.0.0.0", 1000, 0, 0);
  for (unsigned ihl = 0; ihl < 16; ++ihl) {
    make_packet(NULL, 0, ihl, 6);
    CHECK(matches());
    --frame.len;
    CHECK(!matches());
  }
  for (unsigned protocol = 0; protocol < 256; ++protocol) {
    make_packet(NULL, 0, 5, protocol);
    CHECK(matches() == (protocol == 6 || protocol == 17));
  }
  for (unsigned bit = 0; bit < 16; ++bit) {
    ip = make_packet(NULL, 0, 5, 6);
    ip[6] = (uint8_t)(1u << bit >> 8);
    ip[7] = (uint8_t)(1u << bit);
    CHECK(matches() == (bit >= 13));
  }
}

static void filter_mac(const char* mac, unsigned type, unsigned vlan, int method) {
  const exanic_rx_t rx = {.exanic = &own.face, .buffer_number = 9};
  exanic_mac_filter_t filter = {
      .ethertype = htons((uint16_t)type), .vlan = (uint16_t)vlan, .vlan_match_method = method};
  memcpy(filter.dst_mac, mac, sizeof filter.dst_mac);
  forget_all();
  CHECK(exanic_filter_add_mac(&own.face, &rx, &filter) == 0);
}

static void steer_mac(void) {
  static const char any[6], here[] = "\2\0\0\0\0\2";
  make_packet(NULL, 0, 5, 17);
  for (int i = 0; i < 6; ++i) {
    char other[6];
    memcpy(other, here, sizeof other);
    filter_mac(other, 0, 0, EXANIC_VLAN_MATCH_METHOD_ALL);
    CHECK(matches());
    other[i] ^= 1;
    filter_mac(other, 0, 0, EXANIC_VLAN_MATCH_METHOD_ALL);
    CHECK(!matches());
  }
  // Tags: both types; the outer one's VLAN ID, not its priority; complete or none.
  static const uint16_t tags[] = {0x8100, 0xf005, 0x88a8, 7, 0x8100, 0xfff};
  for (unsigned first = 0; first < 3; ++first) {
    for (unsigned count = 1; first + count <= 3; ++count) {
      make_packet(tags + 2 * first, count, 5, 17);
      const unsigned vlan = tags[2 * first + 1] & 0xfff;
      filter_mac(any, 0x800, vlan, EXANIC_VLAN_MATCH_METHOD_SPECIFIC);
      CHECK(matches());
      filter_mac(any, 0, vlan == 7 ? 5 : 7, EXANIC_VLAN_MATCH_METHOD_SPECIFIC);
      CHECK(!matches());
      filter_ip("10.0.0.1", "10.0.0.2", 1000, 2000, 17);
      CHECK(matches());
      --frame.len;
      CHECK(!matches());
      frame.len = (uint16_t)(14 + 4 * count);
      filter_mac(any, 0x800, 0, EXANIC_VLAN_MATCH_METHOD_ALL_VLAN);
      CHECK(matches());
      --frame.len;  // only one byte of the last tag's type is present
      CHECK(!matches());
      filter_mac(any, 0, 0, EXANIC_VLAN_MATCH_METHOD_ALL_VLAN);
      CHECK(matches() == (count > 1));
      filter_mac(any, 0, 0, EXANIC_VLAN_MATCH_METHOD_NOT_VLAN);
      CHECK(matches() == (count == 1));
    }
  }
  make_packet(NULL, 0, 5, 17);
  const exanic_rx_t rx = {.exanic = &own.face, .buffer_number = 9};
  filter_mac(any, 0x806, 0, EXANIC_VLAN_MATCH_METHOD_ALL);
  CHECK(buffer_of_frame() == 0);
  exanic_mac_filter_t filter = {.vlan = 0xfff};
  CHECK(exanic_filter_add_mac(&own.face, &rx, &filter) == 1);
  CHECK(matches() && ex_steer(steering(), &frame).filter == 1);
  CHECK(exanic_filter_remove_mac(&own.face, 0, 1) == 0 && buffer_of_frame() == 0);
  CHECK(exanic_filter_remove_mac(&own.face, 0, 1) == -1);
  filter.vlan = 0x1000;
  CHECK(exanic_filter_add_mac(&own.face, &rx, &filter) == -1);
  filter = (exanic_mac_filter_t){.vlan_match_method = -1};
  CHECK(exanic_filter_add_mac(&own.face, &rx, &filter) == -1);
}

/** All numbers can be used, a free one is reused; releasing a buffer removes only its own
 * filters. */
static void count_filters(void) {
  const exanic_ip_filter_t ip = {0};
  const exanic_mac_filter_t mac = {0};
  forget_all();
  make_packet(NULL, 0, 5, 17);
  exanic_t other = {.name = "other"};
  const exanic_rx_t wrong[] = {{.exanic = &own.face}, {.exanic = &other, .buffer_number = 1}};
  for (int i = 0; i < 2; ++i) {
    forget_all();
    CHECK(exanic_filter_add_ip(&own.face, &wrong[i], &ip) == -1);
    CHECK(exanic_filter_add_mac(&own.face, &wrong[i], &mac) == -1);
    CHECK(buffer_of_frame() == 0);
  }
  for (int i = 0; i <= EX_FILTERS; ++i) {
    const exanic_rx_t rx = {.exanic = &own.face, .buffer_number = 1 + i % 2};
    const int id = i < EX_FILTERS ? i : -1;
    CHECK(exanic_filter_add_ip(&own.face, &rx, &ip) == id);
    CHECK(exanic_filter_add_mac(&own.face, &rx, &mac) == id);
  }
  CHECK(strstr(exanic_get_last_error(), "256 MAC filters already; remove one") != NULL);
  const int none[] = {-1, EX_FILTERS};
  for (int i = 0; i < 2; ++i) {
    CHECK(exanic_filter_remove_ip(&own.face, 0, none[i]) == -1);
    CHECK(exanic_filter_remove_mac(&own.face, 0, none[i]) == -1);
  }
  for (int id = EX_FILTERS - 1; id >= 0; id -= EX_FILTERS - 1) {
    const exanic_rx_t rx = {.exanic = &own.face, .buffer_number = 2};
    CHECK(exanic_filter_remove_ip(&own.face, 0, id) == 0);
    CHECK(exanic_filter_remove_ip(&own.face, 0, id) == -1);
    CHECK(exanic_filter_add_ip(&own.face, &rx, &ip) == id);
  }
  CHECK(ex_steer(steering(), &frame).filter == 0 && buffer_of_frame() == 2);
  ex_steer_forget(steering(), 2);
  struct ex_match match = ex_steer(steering(), &frame);
  CHECK(match.buffer == 1 && match.region == EXANIC_FILTER_REGION_IP && match.filter == 2);
  for (int id = 2; id < EX_FILTERS; id += 2) {
    CHECK(exanic_filter_remove_ip(&own.face, 0, id) == (id == EX_FILTERS ? -1 : 0));
  }
  match = ex_steer(steering(), &frame);
  CHECK(match.buffer == 1 && match.region == EXANIC_FILTER_REGION_MAC && match.filter == 0);
  ex_steer_forget(steering(), 1);
  CHECK(buffer_of_frame() == 0);
}

static void hash_flows(void) {
  for (int function = EXANIC_RX_HASH_FUNCTION_PORT; function <= EXANIC_RX_HASH_FUNCTION_PORT_IP;
       ++function) {
    const bool by_address = function != EXANIC_RX_HASH_FUNCTION_PORT;
    const bool by_port = function != EXANIC_RX_HASH_FUNCTION_IP;
    for (int buffers = 1; buffers <= EX_FILTER_BUFFERS; buffers *= 2) {
      forget_all();
      CHECK(exanic_enable_flow_hashing(&own.face, 0, buffers, function) == buffers);
      unsigned used[EX_FILTER_BUFFERS + 1] = {0}, by_addresses = 0, by_ports = 0;
      for (unsigned flow = 0; flow < 2048; ++flow) {
        uint8_t* ip = make_packet(NULL, 0, 5, 6);
        const uint32_t number = flow * 2654435761u;  // unrelated to the port's number
        memcpy(ip + 12, &number, 4);
        memcpy(ip + 20, &flow, 2);
        const int forth = buffer_of_frame();
        CHECK(forth >= 1 && forth <= buffers);
        ++used[forth];
        uint8_t back[12];
        memcpy(back, ip + 16, 4);
        memcpy(back + 4, ip + 12, 4);
        memcpy(ip + 12, back, 8);
        memcpy(back, ip + 22, 2);
        memcpy(back + 2, ip + 20, 2);
        memcpy(ip + 20, back, 4);
        CHECK(buffer_of_frame() == forth);
        ip[20] ^= 0x55;
        by_ports += buffer_of_frame() != forth;
        ip[20] ^= 0x55;
        ip[12] ^= 0x55;
        by_addresses += buffer_of_frame() != forth;
      }
      for (int i = 1; i <= buffers; ++i) {
        CHECK(used[i] > 1024u / (unsigned)buffers && used[i] <= 4096u / (unsigned)buffers);
      }
      CHECK((by_ports > 500) == (by_port && buffers > 1));
      CHECK((by_addresses > 500) == (by_address && buffers > 1));
      make_packet(NULL, 0, 5, 1);  // no ports
      CHECK((buffer_of_frame() != 0) == !by_port);
      bytes[12] = 9;  // not IP
      CHECK(buffer_of_frame() == 0);
    }
  }
  const int wrong[] = {0, 3, EX_FILTER_BUFFERS + 1, 2 * EX_FILTER_BUFFERS, -1};
  forget_all();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    CHECK(exanic_enable_flow_hashing(&own.face, 0, wrong[i], 0) == -1);
  }
  CHECK(exanic_enable_flow_hashing(&own.face, 0, 1, EXANIC_RX_HASH_FUNCTION_PORT - 1) == -1);
  CHECK(exanic_enable_flow_hashing(&own.face, 0, 1, EXANIC_RX_HASH_FUNCTION_PORT_IP + 1) == -1);
  CHECK(exanic_enable_flow_hashing(&own.face, (int)own.face.num_ports, 1, 0) == -1);
  // Buffers in use, and those above them, are not used.
  struct exanic_rx_own rx = {.face = {.exanic = &own.face, .buffer_number = 5}};
  own.ports[0].listeners = &rx;
  CHECK(exanic_enable_flow_hashing(&own.face, 0, 16, 0) == 4);
  exanic_disable_flow_hashing(&own.face, 0);
  CHECK(exanic_enable_flow_hashing(&own.face, 0, 1, 0) == 1);
  CHECK(exanic_enable_flow_hashing(&own.face, 0, 1, 0) == -1);  // hashing is already enabled
  exanic_disable_flow_hashing(&own.face, 0);
  rx.face.buffer_number = 1;
  CHECK(exanic_enable_flow_hashing(&own.face, 0, 16, 0) == -1);
  rx.face.buffer_number = 0;
  CHECK(exanic_enable_flow_hashing(&own.face, 0, 16, 0) == 16);
  exanic_disable_flow_hashing(&own.face, 0);
  rx.face.buffer_number = 17;
  CHECK(exanic_enable_flow_hashing(&own.face, 0, 16, 0) == 16);
  exanic_disable_flow_hashing(&own.face, 0);
  rx.face.buffer_number = 16;
  CHECK(exanic_enable_flow_hashing(&own.face, 0, 16, 0) == 8);
  own.ports[0].listeners = NULL;
  forget_all();
}

static const struct ex_match no_filter;

static void put(struct exanic_rx_own* rx, size_t length, uint8_t first) {
  for (size_t i = 0; i < length; ++i) {
    bytes[i] = (uint8_t)(first + i * 7 + i / 256);
  }
  frame.len = (uint16_t)length;
  frame.timestamp = first;
  ex_ring_put(rx, &frame, &no_filter);
}

/** Reads exactly the frame that was written, and no other. */
static bool take(struct exanic_rx_own* rx, size_t length, uint8_t first) {
  static char data[BYTES];
  exanic_cycles32_t time = 0;
  const bool there = ex_ring_state(rx) == EX_RING_CHUNK;
  if (!there || ex_ring_take_frame(rx, data, length + 4, &time) != (ssize_t)length + 4) {
    return false;
  }
  bool same = time == first;
  for (size_t i = 0; i < length; ++i) {
    same = same && (uint8_t)data[i] == (uint8_t)(first + i * 7 + i / 256);
  }
  const uint32_t fcs = ethernet_fcs((const uint8_t*)data, length);
  return same && memcmp(data + length, &fcs, 4) == 0;
}

static struct exanic_rx_own* new_ring(uint8_t generation) {
  static struct exanic_rx_own rx;
  free((void*)rx.face.buffer);
  memset(&rx, 0, sizeof rx);
  rx.face.own = &rx;
  rx.face.exanic = &own.face;
  CHECK(ex_ring_make(&rx));
  if (generation != 1) {  // as if the ring had wrapped before
    rx.put_generation = rx.face.generation = rx.restart_generation = generation;
    for (unsigned i = 0; i < CHUNKS; ++i) {
      rx.face.buffer[i].u.info.generation = (uint8_t)(generation - 1);
    }
  }
  CHECK(ex_ring_state(&rx) == EX_RING_EMPTY);
  return &rx;
}

/** Makes a new ring of a listener. */
static void begin(void) {
  struct exanic_rx_own* rx = new_ring(1);
  CHECK(ex_ring_state(rx) == EX_RING_EMPTY);
  put(rx, 60, 1);
  CHECK(rx->face.next_chunk == 0 && exanic_receive_chunk_recheck(&rx->face, CHUNKS) == 1);
  CHECK(exanic_receive_chunk_recheck(&rx->face, 2 * CHUNKS) == 0);
  CHECK(take(rx, 60, 1));
}

/** Frames that end around a chunk's end, across the wrap of the ring and of the generations. */
static void follow(void) {
  static const size_t lengths[] = {14, 115, 116, 117, 235, 236, 237, 238, 1514, 9618};
  struct exanic_rx_own* rx = new_ring(253);
  const uint8_t begin = rx->put_generation;
  for (unsigned i = 0; (uint8_t)(rx->put_generation - begin) < 5; ++i) {
    const size_t length = lengths[i % 10];
    const uint32_t before = rx->put;
    put(rx, length, (uint8_t)i);
    CHECK((rx->put + CHUNKS - before) % CHUNKS == (length + 4 + CHUNK - 1) / CHUNK);
    CHECK(take(rx, length, (uint8_t)i));
    CHECK(ex_ring_state(rx) == EX_RING_EMPTY);
  }
  put(rx, 60, 1);
  put(rx, 60, 2);
  char small[63];
  CHECK(ex_ring_take_frame(rx, small, sizeof small, NULL) == -EXANIC_RX_FRAME_TRUNCATED);
  CHECK(take(rx, 60, 2));  // the one that did not fit was discarded
}

static bool catches_up(struct exanic_rx_own* rx, const char* text) {
  return ex_ring_state(rx) == EX_RING_LAPPED && ex_ring_catch_up(rx) == -EXANIC_RX_FRAME_SWOVFL &&
         strstr(exanic_get_last_error(), text) != NULL;
}

/** A reader may lag by the whole ring, but not by a chunk more. */
static void be_lapped(void) {
  for (unsigned more = 0; more < 3; ++more) {
    struct exanic_rx_own* rx = new_ring(254);
    for (unsigned i = 0; i < CHUNKS + more; ++i) {
      put(rx, 60, (uint8_t)i);
    }
    if (more == 0) {
      for (unsigned i = 0; i < CHUNKS; ++i) {
        CHECK(take(rx, 60, (uint8_t)i));
      }
    } else {
      CHECK(catches_up(rx, "were overwritten"));
    }
    CHECK(ex_ring_state(rx) == EX_RING_EMPTY);
    put(rx, 60, 3);
    CHECK(take(rx, 60, 3));
  }
}

/** A loss on the card is reported between the frames before and after it. */
static void lose(void) {
  struct exanic_rx_own* rx = new_ring(254);
  for (unsigned round = 0; round < 4; ++round) {
    put(rx, 200, 1);
    ex_ring_break(rx, 7);
    if (round % 2 == 1) {
      ex_ring_break(rx, 5);
    }
    put(rx, 60, 2);
    put(rx, 60, 3);
    CHECK(take(rx, 200, 1));
    CHECK(catches_up(rx, round % 2 == 1 ? ": 12 frames were lost" : ": 7 frames were lost"));
    CHECK(take(rx, 60, 2) && take(rx, 60, 3));
    CHECK(ex_ring_state(rx) == EX_RING_EMPTY);
    ex_ring_break(rx, 1);
    CHECK(catches_up(rx, ": 1 frames were lost"));
    CHECK(ex_ring_state(rx) == EX_RING_EMPTY);
  }
  // A loss followed by nearly a full ring, a full one, and more.
  for (unsigned count = CHUNKS - 1; count <= CHUNKS + 1; ++count) {
    rx = new_ring(254);
    put(rx, 60, 1);
    CHECK(take(rx, 60, 1));
    ex_ring_break(rx, 9);
    for (unsigned i = 0; i < count; ++i) {
      put(rx, 60, (uint8_t)i);
    }
    CHECK(catches_up(rx, count < CHUNKS ? ": 9 frames were lost" : "were overwritten"));
    for (unsigned i = 0; count < CHUNKS && i < count; ++i) {
      CHECK(take(rx, 60, (uint8_t)i));
    }
    CHECK(ex_ring_state(rx) == EX_RING_EMPTY);
    put(rx, 60, 3);
    CHECK(take(rx, 60, 3));
  }
}

/** Chunk by chunk: numbers, lengths, copies; an aborted frame; resuming after a loss. */
static void take_chunks(void) {
  struct exanic_rx_own* rx = new_ring(254);
  char copy[CHUNK], *place = NULL;
  uint32_t id = 0;
  int more = -1;
  struct rx_chunk_info info;
  for (unsigned round = 0; round < 3 * CHUNKS / 4; ++round) {  // across the wrap of the generations
    const uint32_t first = (uint32_t)rx->put_generation * CHUNKS + rx->put;
    put(rx, 2 * CHUNK, 9);  // with its FCS three chunks and 4 bytes
    put(rx, 60, 5);
    CHECK(exanic_receive_chunk_inplace_ex(&rx->face, &place, &id, &more, &info) == CHUNK);
    CHECK(more == 1 && info.length == 0 && id == first && (uint8_t)place[0] == 9);
    CHECK(exanic_receive_chunk_timestamp(&rx->face, id) == 9 && info.timestamp == 9);
    CHECK(exanic_receive_chunk_recheck(&rx->face, id) == 1);
    CHECK(exanic_receive_chunk_ex(&rx->face, copy, &more, &info) == CHUNK && more == 1);
    CHECK((uint8_t)copy[1] == (uint8_t)(9 + 7 * (CHUNK + 1)));
    if (round % 2 == 0) {
      CHECK(exanic_receive_abort(&rx->face) == 0);  // skips the rest
    } else {
      CHECK(exanic_receive_chunk(&rx->face, copy, &more) == 4 && more == 0);
    }
    CHECK(exanic_receive_chunk_inplace(&rx->face, &place, NULL, &more) == 64 && more == 0);
    CHECK((uint8_t)place[0] == 5 && ex_ring_state(rx) == EX_RING_EMPTY);
    CHECK(exanic_receive_abort(&rx->face) == 0);
    CHECK(ex_ring_state(rx) == EX_RING_EMPTY);
  }
  put(rx, CHUNK - 3, 9);  // its last chunk has one byte, of the FCS
  put(rx, 60, 5);
  CHECK(exanic_receive_chunk(&rx->face, copy, &more) == CHUNK && more == 1);
  CHECK(exanic_receive_abort(&rx->face) == 0);
  CHECK(take(rx, 60, 5));
  frame.len = 60;
  ex_ring_put(rx, &frame, &(struct ex_match){2, EXANIC_FILTER_REGION_IP, 77});
  CHECK(exanic_receive_chunk_inplace_ex(&rx->face, &place, &id, &more, &info) == 64);
  CHECK(info.frame_status == EXANIC_FILTER_REGION_IP << 4 && info.matched_filter == 77);
  for (unsigned i = 0; i < CHUNKS; ++i) {
    put(rx, 60, 1);
  }
  CHECK(exanic_receive_chunk_recheck(&rx->face, id) == 0);
  put(rx, 60, 1);
  CHECK(exanic_receive_abort(&rx->face) == -EXANIC_RX_FRAME_SWOVFL);
  CHECK(ex_ring_state(rx) == EX_RING_EMPTY);
  for (int again = 0; again < 2; ++again) {
    ex_ring_break(rx, 3);
    put(rx, 60, 7);
    __exanic_rx_catchup(&rx->face);
    CHECK(take(rx, 60, 7));
  }
}

static int read_result;

/** In place of libullnic's. */
int ullnic_read32(ullnic_t* card, uint32_t address, uint32_t* value) {
  (void)card;
  *value = address == ULLNIC_CARD_REGISTER(TIME_HI) ? 1 : 2;
  return read_result;
}

/** A lock that a call leaves locked would otherwise be seen only as a program that hangs. */
static void read_clock(void) {
  const int results[] = {0, -EIO};
  for (size_t i = 0; i < sizeof results / sizeof *results; ++i) {
    uint64_t ticks = 0;
    read_result = results[i];
    CHECK(ex_now(&own.face, &ticks) == results[i]);
    CHECK(ticks == (results[i] == 0 ? UINT64_C(0x100000002) : 0));
    CHECK(pthread_mutex_trylock(&own.clock_lock) == 0);
    pthread_mutex_unlock(&own.clock_lock);
  }
}

int main(void) {
  own.face = (exanic_t){.own = &own, .name = "alone", .num_ports = 2};
  for (unsigned i = 0; i < 2; ++i) {
    pthread_mutex_init(&own.ports[i].lock, NULL);
  }
  pthread_mutex_init(&own.clock_lock, NULL);
  steer_ip();
  steer_mac();
  count_filters();
  hash_flows();
  begin();
  follow();
  be_lapped();
  lose();
  take_chunks();
  read_clock();
  printf("%d faults\n", faults);
  return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
