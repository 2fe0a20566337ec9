/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * In the guest: rx_stamp INTERFACE FRAMES turns receive time stamps on, and prints how many frames
 * in a row had one that is later than that of the frame before, and a multiple of 4 ns.
 */
#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

enum { TICK_NS = 4, NS_A_SECOND = 1000000000 };

static int turn_on(int fd, const char* name) {
  struct hwtstamp_config config = {.rx_filter = HWTSTAMP_FILTER_PTP_V2_EVENT};
  struct ifreq request = {.ifr_data = (char*)&config};
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  const int wanted = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
  const struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                      .sll_protocol = htons(ETH_P_ALL),
                                      .sll_ifindex = (int)if_nametoindex(name)};
  if (ioctl(fd, SIOCSHWTSTAMP, &request) != 0) {
    perror("SIOCSHWTSTAMP");
    return 1;
  }
  if (config.rx_filter != HWTSTAMP_FILTER_ALL) {
    fprintf(stderr, "the filter became %d\n", config.rx_filter);
    return 1;
  }
  if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof wanted) != 0 ||
      bind(fd, (const struct sockaddr*)&address, sizeof address) != 0) {
    perror(name);
    return 1;
  }
  return 0;
}

/** Of the next frame that has come in; 0: it has none. */
static long long next_stamp(int fd) {
  char frame[64];
  char control[512];
  struct sockaddr_ll from;
  do {
    struct iovec vector = {.iov_base = frame, .iov_len = sizeof frame};
    struct msghdr message = {.msg_name = &from,
                             .msg_namelen = sizeof from,
                             .msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    if (recvmsg(fd, &message, 0) < 0) {
      return 0;
    }
    for (struct cmsghdr* each = CMSG_FIRSTHDR(&message);
         from.sll_pkttype != PACKET_OUTGOING && each != NULL; each = CMSG_NXTHDR(&message, each)) {
      if (each->cmsg_level == SOL_SOCKET && each->cmsg_type == SO_TIMESTAMPING) {
        struct scm_timestamping stamps;
        memcpy(&stamps, CMSG_DATA(each), sizeof stamps);
        return (long long)stamps.ts[2].tv_sec * NS_A_SECOND + stamps.ts[2].tv_nsec;
      }
    }
  } while (from.sll_pkttype == PACKET_OUTGOING);
  return 0;
}

int main(int argc, char** argv) {
  const int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
  if (argc != 3 || fd < 0 || turn_on(fd, argv[1]) != 0) {
    return 1;
  }
  long long before = 0;
  int good = 0;
  for (int i = 0; i < atoi(argv[2]); ++i) {
    const long long stamp = next_stamp(fd);
    good += stamp > before && stamp % TICK_NS == 0;
    before = stamp;
  }
  printf("%d\n", good);
  return 0;
}
