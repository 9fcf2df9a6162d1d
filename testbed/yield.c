/* SPDX-FileCopyrightText: The Isotrope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A library to preload into ranks of Open MPI or MPICH over TCP. Waiting ranks poll their sockets in a loop, which
 * with many hosts on few processors takes most of the processor time. With this library a rank whose polls have found
 * nothing for 50 us sleeps until one of its sockets is ready, for at most a millisecond. Sleeping immediately would cost
 * short messages more time than their links; but a rank that wakes and finds nothing sleeps again after 10 us. The limit is a
 * time, not a number of polls, because polls take longer if other processes need the processor.
 *
 *     Open MPI       poll(2) looks for arrivals over TCP; the sockets are those of the last poll. Then it yields.
 *     MPICH (UCX)    ucp_worker_progress() looks for arrivals, over TCP by epoll_wait(2), whose set is what it sleeps on
 *
 * Ranks of one host also write to a memory that they share, which no socket tells. So each of them has a bell, a socket
 * that is watched with the others:
 *
 *     before a rank sleeps      it sets its flag in a shared page, and looks for messages once more
 *     after a rank has worked   it clears the flags of the sleepers on its host and rings their bells
 *
 * A rank has worked if its looks before the last one found something, if it sent something, or if it computed; with Open MPI also if it
 * polled without yielding (it yields only if no message has come through the memory). What a look finds is worked on after it: the
 * rank may then write to the memory. A rank that wakes and finds nothing rings nobody. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
  most_sockets = 512,
  most_neighbours = 64, /* ranks of one host */
  longest_watch_ns = 50000,
  watch_after_sleep_ns = 10000,
  least_work_ns = 30000, /* more than a poll takes */
  longest_sleep_ms = 1
};

static __thread struct pollfd sockets[most_sockets + 1];
static __thread nfds_t socket_count; /* of the last poll; 0 if the poll found something */
static __thread long long watch_began_ns; /* start of the time without findings, or 0; after a sleep a time before it */

static int next_poll(struct pollfd *fds, nfds_t count, int timeout_ms) {
  static int (*next)(struct pollfd *, nfds_t, int);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "poll");
  return next(fds, count, timeout_ms);
}

static long long now_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* The bells of the ranks of this host. */
static int neighbours, own; /* their number, and that of this rank; 0 neighbours: alone, or no bells */
static int bell = -1;
static atomic_int *sleeps; /* by rank of the host, in the shared page */

static int number_in(const char *variable) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char *text = getenv(variable);
  return text ? atoi(text) : 0;
}

/* The name of the job: Open MPI gives one, else that of testbed/launch. */
static const char *job(void) {
  // NOLINTBEGIN(concurrency-mt-unsafe): as above
  const char *name = getenv("PMIX_NAMESPACE");
  if (!name) name = getenv("TESTBED_JOB");
  // NOLINTEND(concurrency-mt-unsafe)
  return name ? name : "";
}

/* The address of a bell, in the host's own namespace of sockets. */
static socklen_t bell_of(int rank, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  const int length =
      snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "testbed-%.60s-%d", job(), rank);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static atomic_int *shared_page(void) {
  char host[65] = "", name[200];
  gethostname(host, sizeof host - 1);
  snprintf(name, sizeof name, "/dev/shm/testbed-%s-%.60s", host, job());
  const int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return NULL;
  const size_t bytes = most_neighbours * sizeof(atomic_int);
  void *page = ftruncate(file, (off_t)bytes) == 0
                   ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                   : MAP_FAILED;
  close(file);
  return page == MAP_FAILED ? NULL : page;
}

static void hang_bell(void) {
  static atomic_int is_hung;
  if (atomic_exchange(&is_hung, 1)) return;
  const int count = number_in("OMPI_COMM_WORLD_LOCAL_SIZE") + number_in("MPI_LOCALNRANKS");
  if (count < 2 || count > most_neighbours) return;
  own = number_in("OMPI_COMM_WORLD_LOCAL_RANK") + number_in("MPI_LOCALRANKID");
  bell = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (bell < 0) return;
  struct sockaddr_un address;
  const socklen_t length = bell_of(own, &address);
  if (bind(bell, (struct sockaddr *)&address, length) != 0) return;
  sleeps = shared_page();
  if (sleeps) neighbours = count;
}

static void ring_sleepers(void) {
  for (int rank = 0; rank < neighbours; ++rank) {
    if (rank == own || !atomic_load(&sleeps[rank]) || !atomic_exchange(&sleeps[rank], 0)) continue;
    struct sockaddr_un address;
    const socklen_t length = bell_of(rank, &address);
    (void)sendto(bell, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&address, length);
  }
}

/* Whether this thread has computed since the last call, of which every look for messages makes one. */
static int has_computed(void) {
  static __thread long long last_ns;
  const long long now = now_ns(CLOCK_THREAD_CPUTIME_ID);
  const int computed = now - last_ns > least_work_ns;
  last_ns = now;
  return computed;
}

/* Sleeps until a socket or the bell of this rank is ready. */
static void sleep_on_sockets(void) {
  nfds_t count = socket_count;
  if (neighbours) sockets[count++] = (struct pollfd){.fd = bell, .events = POLLIN};
  next_poll(sockets, count, longest_sleep_ms);
  watch_began_ns = now_ns(CLOCK_MONOTONIC) - longest_watch_ns + watch_after_sleep_ns;
  if (!neighbours) return;
  atomic_store(&sleeps[own], 0);
  char rings[64];
  while (recv(bell, rings, sizeof rings, MSG_DONTWAIT) > 0) continue;
}

/* Sleeps if this rank has long found nothing. It has just looked for messages, and has worked since the look before or not.
 * Returns whether it slept. */
static int rested(int has_worked) {
  if (has_worked) {
    watch_began_ns = 0;
    if (neighbours) atomic_store(&sleeps[own], 0);
    ring_sleepers();
    return 0;
  }
  if (socket_count == 0) return 0;
  if (watch_began_ns == 0) watch_began_ns = now_ns(CLOCK_MONOTONIC);
  if (now_ns(CLOCK_MONOTONIC) - watch_began_ns < longest_watch_ns) return 0;
  /* What came before the flag was set is found by the next look; what comes after it rings. */
  if (neighbours && !atomic_exchange(&sleeps[own], 1)) return 0;
  sleep_on_sockets();
  return 1;
}

static __thread unsigned findings; /* looks that found something, since the last yield, or with MPICH the last look */

/* Open MPI. */
static __thread unsigned polls; /* since the last yield */

int poll(struct pollfd *fds, nfds_t count, int timeout_ms) {
  const int found = next_poll(fds, count, timeout_ms);
  if (timeout_ms != 0) return found;
  ++polls;
  findings += found > 0;
  socket_count = found == 0 && count <= most_sockets ? count : 0;
  if (socket_count > 0) memcpy(sockets, fds, socket_count * sizeof *fds);
  return found;
}

int sched_yield(void) {
  hang_bell();
  const int computed = neighbours && has_computed();
  const int has_worked = findings > 0 || computed || (neighbours && polls > 1);
  polls = findings = 0;
  return rested(has_worked) ? 0 : (int)syscall(SYS_sched_yield);
}

/* MPICH over UCX. */
static __thread int arrivals = -1; /* the set of its last epoll_wait() */
static __thread unsigned sends;    /* since its last look for messages */

int epoll_wait(int set, struct epoll_event *events, int most, int timeout_ms) {
  static int (*next)(int, struct epoll_event *, int, int);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "epoll_wait");
  if (timeout_ms == 0) arrivals = set;
  return next(set, events, most, timeout_ms);
}

void *ucp_tag_send_nbx(void *to, const void *buffer, size_t count, uint64_t tag, const void *options) {
  static void *(*next)(void *, const void *, size_t, uint64_t, const void *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
  ++sends;
  return next(to, buffer, count, tag, options);
}

/* Nothing is closed at the end of a job: over TCP, UCX would wait for ranks that have stopped looking for messages, and
 * MPI_Finalize() would not return. */
void *ucp_disconnect_nb(void *to) {
  (void)to;
  return NULL;
}

unsigned ucp_worker_progress(void *worker) {
  static unsigned (*next)(void *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned found = next(worker);
  hang_bell();
  const int computed = neighbours && has_computed();
  const int has_worked = findings > 0 || sends > 0 || computed;
  findings = found > 0;
  sends = 0;
  socket_count = found == 0 && arrivals >= 0;
  sockets[0] = (struct pollfd){.fd = arrivals, .events = POLLIN};
  if (!rested(has_worked) && !has_worked && found == 0) syscall(SYS_sched_yield);
  return found;
}
