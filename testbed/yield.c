/* SPDX-FileCopyrightText: The Isotrope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A library to preload into ranks of Open MPI over TCP. Waiting ranks poll their sockets and yield in a loop, which
 * with many hosts on few processors takes most of the processor time. With this library a rank whose polls have found
 * nothing for 50 us sleeps until one of its sockets is ready, for at most a millisecond. The sockets are those of its
 * last poll, the only ones by which Open MPI notices arrivals. Sleeping immediately would cost short messages more time
 * than their links. The limit is a time, not a number of polls, because polls take longer if other processes need the
 * processor. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { most_sockets = 512, longest_watch_ns = 50000, longest_sleep_ms = 1 };

static __thread struct pollfd sockets[most_sockets];
static __thread nfds_t socket_count; /* of the last poll; 0 if the poll found something */
static __thread long long watch_began_ns; /* start of the time without findings, or 0 */

static int next_poll(struct pollfd *fds, nfds_t count, int timeout_ms) {
  static int (*next)(struct pollfd *, nfds_t, int);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "poll");
  return next(fds, count, timeout_ms);
}

int poll(struct pollfd *fds, nfds_t count, int timeout_ms) {
  const int found = next_poll(fds, count, timeout_ms);
  if (timeout_ms != 0) return found;
  socket_count = found == 0 && count <= most_sockets ? count : 0;
  if (socket_count > 0) memcpy(sockets, fds, socket_count * sizeof *fds);
  return found;
}

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int sched_yield(void) {
  if (socket_count == 0) {
    watch_began_ns = 0;
    return (int)syscall(SYS_sched_yield);
  }
  if (watch_began_ns == 0) watch_began_ns = now_ns();
  if (now_ns() - watch_began_ns < longest_watch_ns) return (int)syscall(SYS_sched_yield);
  next_poll(sockets, socket_count, longest_sleep_ms);
  watch_began_ns = 0;
  return 0;
}
