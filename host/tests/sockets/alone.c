/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Unit tests of parts that need neither a daemon nor a card: a request to ullnicd when the system's
 * calls fail, deadlines, the log, and the fields of a TCP frame, at each limit. Prints failures.
 * Its clock stands still (-Wl,--wrap=clock_gettime).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/client.h"
#include "common/descriptor.h"
#include "daemon/log.h"
#include "daemon/tcp_frame.h"

enum { START_S = 1000, START_NS = 999000000 };
enum { LINK = 70, PASSED = 71, SHOWN = 72, DATA_BYTES = 9, BOTH = 2 };

static int faults;
static const char* at = "";

#define CHECK(what)                                             \
  do {                                                          \
    if (!(what)) {                                              \
      printf("%s:%d: %s: %s\n", __func__, __LINE__, at, #what); \
      ++faults;                                                 \
    }                                                           \
  } while (0)

static struct timespec now = {.tv_sec = START_S, .tv_nsec = START_NS};

int __wrap_clock_gettime(clockid_t clock, struct timespec* time);
int __wrap_clock_gettime(clockid_t clock, struct timespec* time) {
  CHECK(clock == CLOCK_MONOTONIC);
  *time = now;
  return 0;
}

/* What the system's calls do for one request, and what the request must come to. */
struct plan {
  const char* what;
  int socket, connect, send, poll[BOTH], receive[BOTH]; /* errno of each call; 0: it succeeds */
  int short_send;                                       /* bytes that are not sent */
  int reply_bytes;                                      /* beyond a reply's length */
  bool magic_is_wrong, turned_away, passes, other_level, other_type, discards;
  int reply_error;
  int error, fd; /* expected */
};

static const struct plan* plan;
static int polls, receives, link_closes, passed_closes, sends;
static struct timeval limit;

static int socket_(int domain, int type, int protocol) {
  CHECK(domain == AF_UNIX && type == (SOCK_SEQPACKET | SOCK_CLOEXEC) && protocol == 0);
  errno = plan->socket;
  return errno != 0 ? -1 : LINK;
}

static int setsockopt_(int fd, int level, int name, const void* value, socklen_t length) {
  CHECK(fd == LINK && level == SOL_SOCKET && name == SO_SNDTIMEO && length == sizeof(limit));
  memcpy(&limit, value, sizeof(limit));
  return 0;
}

static int connect_(int fd, const struct sockaddr* address, socklen_t length) {
  const struct sockaddr_un* name = (const void*)address;
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  CHECK(sigismember(&blocked, SIGINT) == 1 && sigismember(&blocked, SIGALRM) == 1);
  CHECK(fd == LINK && length == sizeof(*name) && name->sun_family == AF_UNIX);
  CHECK(strcmp(name->sun_path, "/run/x") == 0);
  errno = plan->connect;
  return errno != 0 ? -1 : 0;
}

static ssize_t sendmsg_(int fd, const struct msghdr* message, int flags) {
  const struct cmsghdr* rights = CMSG_FIRSTHDR(message);
  bool has_data = message->msg_iovlen == BOTH;
  int shown = -1;
  sends++;
  CHECK(fd == LINK && flags == (MSG_NOSIGNAL | MSG_DONTWAIT));
  CHECK(message->msg_iov[0].iov_len == sizeof(struct control_request));
  CHECK(!has_data || message->msg_iov[1].iov_len == DATA_BYTES);
  if (rights != NULL) {
    CHECK(rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS);
    memcpy(&shown, CMSG_DATA(rights), sizeof(shown));
  }
  CHECK(shown == (has_data ? -1 : SHOWN)); /* client_show() sends it, and no data */
  errno = plan->send;
  if (errno != 0) return -1;
  return (ssize_t)(sizeof(struct control_request) + (has_data ? DATA_BYTES : 0)) - plan->short_send;
}

static int poll_(struct pollfd* fds, nfds_t count, int timeout) {
  CHECK(count == 1 && fds->fd == LINK && fds->events == POLLIN && timeout == 5001);
  errno = polls < BOTH ? plan->poll[polls] : 0;
  polls++;
  return errno != 0 ? -1 : 1;
}

static ssize_t recvmsg_(int fd, struct msghdr* message, int flags) {
  struct control_reply reply = {.magic = CONTROL_MAGIC, .error = plan->reply_error};
  CHECK(fd == LINK && flags == (MSG_CMSG_CLOEXEC | MSG_DONTWAIT));
  CHECK(message->msg_controllen == CMSG_LEN(sizeof(int)));
  message->msg_controllen = 0;
  errno = receives < BOTH ? plan->receive[receives] : 0;
  receives++;
  if (errno != 0) return -1;
  if (plan->magic_is_wrong) reply.magic++;
  reply.turned_away = plan->turned_away;
  memcpy(message->msg_iov->iov_base, &reply, sizeof(reply));
  if (plan->passes) {
    attach_descriptor(message, message->msg_control, PASSED);
    struct cmsghdr* rights = CMSG_FIRSTHDR(message);
    if (plan->other_level) rights->cmsg_level = IPPROTO_IP;
    if (plan->other_type) rights->cmsg_type = SCM_CREDENTIALS;
  }
  return (ssize_t)sizeof(reply) + plan->reply_bytes;
}

static int close_(int fd) {
  link_closes += fd == LINK;
  passed_closes += fd == PASSED;
  CHECK(fd == LINK || fd == PASSED);
  return 0;
}

static const struct client_calls calls = {.socket = socket_,
                                          .setsockopt = setsockopt_,
                                          .connect = connect_,
                                          .sendmsg = sendmsg_,
                                          .recvmsg = recvmsg_,
                                          .poll = poll_,
                                          .close = close_};

static const struct plan plans[] = {
    {.what = "a reply", .fd = -1},
    {.what = "a descriptor", .passes = true, .fd = PASSED},
    {.what = "a descriptor that is discarded", .passes = true, .discards = true, .fd = PASSED},
    {.what = "no rights", .passes = true, .other_type = true, .fd = -1},
    {.what = "another level", .passes = true, .other_level = true, .fd = -1},
    {.what = "a refusal", .reply_error = EINVAL, .fd = -1},
    {.what = "a refusal of access", .reply_error = EACCES, .fd = -1},
    {.what = "turned away", .turned_away = true, .reply_error = ENOBUFS, .fd = -1},
    {.what = "no access", .turned_away = true, .reply_error = EACCES, .error = EACCES, .fd = -1},
    {.what = "no socket", .socket = EMFILE, .error = EMFILE, .fd = -1},
    {.what = "no daemon", .connect = ENOENT, .error = ENOENT, .fd = -1},
    {.what = "a full backlog", .connect = EAGAIN, .error = ETIMEDOUT, .fd = -1},
    {.what = "no room", .send = EAGAIN, .error = EAGAIN, .fd = -1},
    {.what = "rejected at once", .send = EPIPE, .fd = -1},
    {.what = "a part of it", .short_send = 1, .error = EPROTO, .fd = -1},
    {.what = "a signal", .poll = {EINTR}, .fd = -1},
    {.what = "no memory", .poll = {ENOMEM}, .error = ENOMEM, .fd = -1},
    {.what = "an end before the reply", .receive = {ECONNRESET}, .fd = -1},
    {.what = "an end", .receive = {ECONNRESET, ECONNRESET}, .error = ECONNRESET, .fd = -1},
    {.what = "another end", .receive = {ENOTCONN}, .error = ENOTCONN, .fd = -1},
    {.what = "a short reply", .reply_bytes = -1, .passes = true, .error = EPROTO, .fd = -1},
    {.what = "a long reply", .reply_bytes = 1, .error = EPROTO, .fd = -1},
    {.what = "another version", .magic_is_wrong = true, .passes = true, .error = EPROTO, .fd = -1},
};

static void prepare(const struct plan* next) {
  plan = next;
  at = plan->what;
  polls = receives = link_closes = passed_closes = sends = 0;
}

/* Whatever fails, no descriptor is left over, and signals are as before. */
static void check_rest(void) {
  sigset_t blocked;
  bool is_passed = plan->passes && !plan->other_level && !plan->other_type;
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  CHECK(sigismember(&blocked, SIGINT) == 0);
  CHECK(link_closes == (plan->socket == 0) && sends == (plan->socket == 0 && plan->connect == 0));
  CHECK(passed_closes == (is_passed && (plan->error != 0 || plan->discards)));
}

static void requests(void) {
  const struct control_request request = new_request(CONTROL_QUERY);
  for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
    struct control_reply reply = {0};
    int fd = 0;
    prepare(&plans[i]);
    limit = (struct timeval){0};
    int error = client_ask(&calls, "/run/x", &request, "123456789", DATA_BYTES, deadline_in(5000),
                           &reply, plan->discards ? NULL : &fd);
    CHECK(error == plan->error);
    CHECK(error != 0 || (reply.magic == CONTROL_MAGIC && reply.error == plan->reply_error));
    CHECK(plan->discards || fd == plan->fd);
    CHECK(plan->socket != 0 || (limit.tv_sec == 5 && limit.tv_usec == 1));
    check_rest();
  }
  /* A descriptor is shown; one that comes with the reply is closed. */
  for (int passes = 0; passes < BOTH; passes++) {
    const struct plan showing = {.what = "shows", .passes = passes, .discards = true};
    struct control_reply reply = {0};
    prepare(&showing);
    CHECK(client_show(&calls, "/run/x", SHOWN, deadline_in(5000), &reply) == 0);
    check_rest();
  }
  const struct plan late = {.what = "late", .error = ETIMEDOUT};
  struct control_reply reply;
  prepare(&late);
  CHECK(client_show(&calls, "/run/x", SHOWN, deadline_in(0), &reply) == ETIMEDOUT);
  CHECK(polls == 0 && receives == 0 && link_closes == 1);
}

/* The longest path leaves room for its end. */
static void paths(void) {
  struct sockaddr_un address;
  char path[sizeof(address.sun_path) + 1];
  for (size_t length = 0; length <= sizeof(address.sun_path); length++) {
    memset(path, 'x', sizeof(path));
    path[length] = '\0';
    bool fits = length < sizeof(address.sun_path);
    CHECK(control_address(&address, path) == (fits ? sizeof(address) : 0));
    CHECK(!fits || (address.sun_family == AF_UNIX && strcmp(address.sun_path, path) == 0));
  }
  int fd = 0;
  const struct control_request request = new_request(CONTROL_PROBE);
  CHECK(client_ask(&calls, path, &request, NULL, 0, 0, NULL, &fd) == ENAMETOOLONG && fd == -1);
  setenv(CONTROL_PATH_VARIABLE, "", 1);
  CHECK(strcmp(control_path(), CONTROL_PATH) == 0);
  setenv(CONTROL_PATH_VARIABLE, "/x", 1);
  CHECK(strcmp(control_path(), "/x") == 0);
  unsetenv(CONTROL_PATH_VARIABLE);
  CHECK(strcmp(control_path(), CONTROL_PATH) == 0);
}

static int timeouts[3], waits;

static int poll_nothing(struct pollfd* fds, nfds_t count, int timeout) {
  (void)fds, (void)count;
  timeouts[waits] = timeout;
  now.tv_sec += timeout / 1000;
  return ++waits == 3;
}

static void deadlines(void) {
  at = "deadline";
  const deadline_t later = deadline_in(1001);
  CHECK(later == INT64_C(1002000000000) && deadline_left_ns(later) == INT64_C(1001000000));
  CHECK(deadline_left_ns(deadline_in(0)) == 0 && deadline_left_ns(deadline_in(0) - 1) == 0);
  CHECK(deadline_left_ns(deadline_in(0) + 1) == 1);
  const struct timeval over = deadline_left(deadline_in(0)), some = deadline_left(later);
  CHECK(over.tv_sec == 0 && over.tv_usec == 1 && some.tv_sec == 1 && some.tv_usec == 1001);
  const struct timespec time = deadline_time(INT64_C(1999999999));
  CHECK(time.tv_sec == 1 && time.tv_nsec == 999999999);
  /* Waits of at most a minute; the last is rounded up. */
  CHECK(deadline_poll(poll_nothing, LINK, POLLIN, deadline_in(60001)) == 0);
  CHECK(waits == 3 && timeouts[0] == 60000 && timeouts[1] == 2 && timeouts[2] == 2);
  now.tv_sec = START_S;
  waits = 0;
  CHECK(deadline_poll(poll_nothing, LINK, POLLIN, deadline_in(59998)) == 0 && timeouts[0] == 59999);
  now.tv_sec = START_S;
  waits = 0;
  CHECK(deadline_poll(poll_nothing, LINK, POLLIN, deadline_in(60000)) == ETIMEDOUT && waits == 1);
  now.tv_sec = START_S;
}

/* What has been written to stderr, which is a pipe meanwhile. */
static const char* logged(int pipe_end) {
  static char text[4096];
  ssize_t got = read(pipe_end, text, sizeof(text) - 1);
  text[got > 0 ? got : 0] = '\0';
  return text;
}

static void fill(int pipe_end) {
  static const char page[4096];
  while (write(pipe_end, page, sizeof(page)) > 0) {
  }
}

static void drain(int pipe_end) {
  char page[4096];
  while (read(pipe_end, page, sizeof(page)) > 0) {
  }
}

static void check_log(int pipe_end) {
  char text[600], name[ENDPOINT_TEXT];
  struct log_limit rate = {0};
  log_message("%d%s", 7, "x");
  CHECK(strcmp(logged(pipe_end), "ullnicd: 7x\n") == 0);
  memset(text, 'y', sizeof(text) - 1);
  text[sizeof(text) - 1] = '\0';
  log_message("%s", text);
  const char* line = logged(pipe_end);
  CHECK(strlen(line) == 519 && line[517] == 'y' && line[518] == '\n');
  log_detail("detail");
  CHECK(logged(pipe_end)[0] == '\0');
  log_verbose = true;
  log_detail("%s", "detail");
  CHECK(strcmp(logged(pipe_end), "ullnicd: detail\n") == 0);
  CHECK(now_ms() == 1000999);
  CHECK(strcmp(endpoint_text(name, inet_addr("10.9.1.2"), htons(513)), "10.9.1.2:513") == 0);
  /* One line in ten seconds. */
  for (int i = 0; i < 3; i++) log_limited(&rate, "line %d", i);
  CHECK(strcmp(logged(pipe_end), "ullnicd: line 0\n") == 0);
  now = (struct timespec){.tv_sec = START_S + 10, .tv_nsec = START_NS - 1};
  log_limited(&rate, "line");
  CHECK(logged(pipe_end)[0] == '\0');
  now.tv_nsec = START_NS;
  log_limited(&rate, "line");
  CHECK(strcmp(logged(pipe_end),
               "ullnicd: 3 lines like the next were held back\nullnicd: line\n") == 0);
  now.tv_sec += 10;
  log_limited(&rate, "line");
  CHECK(strcmp(logged(pipe_end), "ullnicd: line\n") == 0);
  /* Nobody waits for a reader that is too slow. */
  fill(STDERR_FILENO);
  log_message("lost");
  log_message("lost");
  drain(pipe_end);
  log_message("kept");
  log_message("kept");
  CHECK(strcmp(logged(pipe_end),
               "ullnicd: 2 lines are lost: stderr was full\nullnicd: kept\nullnicd: kept\n") == 0);
}

static void logs(void) {
  int ends[2], usual = dup(STDERR_FILENO);
  at = "log";
  CHECK(pipe2(ends, O_NONBLOCK) == 0 && dup2(ends[1], STDERR_FILENO) >= 0);
  check_log(ends[0]);
  dup2(usual, STDERR_FILENO);
}

/* Ethernet, IPv4 and TCP, with `options` words in each header and some payload. */
static size_t make_frame(uint8_t* frame, bool tagged, size_t ip_words, size_t tcp_words,
                         size_t payload) {
  uint8_t* ip = frame + (tagged ? 18 : 14);
  size_t header = 20 + 4 * ip_words, offset = 20 + 4 * tcp_words, total = header + offset + payload;
  memset(frame, 0, 200);
  if (tagged) frame[12] = 0x81;
  ip[-2] = 0x08;
  ip[0] = (uint8_t)(0x40 + header / 4);
  ip[2] = (uint8_t)(total >> 8);
  ip[3] = (uint8_t)total;
  ip[9] = 6;
  memcpy(ip + 12, "\12\11\1\2\12\11\1\3", 8);
  uint8_t* tcp = ip + header;
  memcpy(tcp, "\x1b\x58\x13\x88\x81\2\3\4\x85\6\7\x8", 12);
  tcp[12] = (uint8_t)(offset / 4 << 4);
  tcp[13] = 0x18;
  return (size_t)(tcp + offset + payload - frame);
}

static bool parse(const uint8_t* frame, size_t length, struct tcp_fields* fields) {
  const uint8_t* ip = ip_of_frame(frame, &length);
  return ip != NULL && parse_tcp(ip, length, fields);
}

static void frames(void) {
  uint8_t frame[200];
  struct tcp_fields tcp;
  at = "frame";
  for (int tagged = 0; tagged < BOTH; tagged++) {
    for (size_t words = 0; words <= 10; words++) {
      for (size_t payload = 0; payload < BOTH; payload++) {
        size_t length = make_frame(frame, tagged, words, 10 - words, payload);
        CHECK(parse(frame, length, &tcp));
        CHECK(tcp.source_ip == inet_addr("10.9.1.2") && tcp.seq == 0x81020304);
        CHECK(tcp.destination_ip == inet_addr("10.9.1.3"));
        CHECK(tcp.source_port == htons(7000) && tcp.destination_port == htons(5000));
        CHECK(tcp.payload == frame + length - payload && tcp.payload_length == payload);
        CHECK(tcp.flags == 0x18);
      }
    }
    /* The shortest, and what is too short, of another kind or a fragment. */
    const size_t length = make_frame(frame, tagged, 0, 0, 0);
    uint8_t* ip = frame + (tagged ? 18 : 14);
    CHECK(parse(frame, length, &tcp) && tcp.payload_length == 0);
    for (size_t cut = 1; cut <= length; cut++) CHECK(!parse(frame, length - cut, &tcp));
    const struct {
      uint8_t *byte, value;
      bool good;
    } changes[] = {{ip - 2, 0x86, false},  {ip - 1, 0x06, false}, {ip, 0x65, false},
                   {ip, 0x44, false},      {ip, 0x46, false},     {ip + 9, 17, false},
                   {ip + 6, 0x40, true},   {ip + 6, 0x20, false}, {ip + 6, 0x01, false},
                   {ip + 7, 0x01, false},  {ip + 3, 39, false},   {ip + 3, 41, true},
                   {ip + 32, 0x40, false}, {ip + 32, 0x60, false}};
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
      make_frame(frame, tagged, 0, 0, 0);
      *changes[i].byte = changes[i].value;
      CHECK(parse(frame, length, &tcp) == changes[i].good);
    }
  }
  const size_t length = make_frame(frame, true, 0, 0, 0);
  frame[13] = 0x01; /* another kind of tag */
  CHECK(!parse(frame, length, &tcp));
}

int main(void) {
  requests();
  paths();
  deadlines();
  logs();
  frames();
  printf("%d faults\n", faults);
  return faults != 0;
}
