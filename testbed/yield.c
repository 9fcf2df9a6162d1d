/* SPDX-FileCopyrightText: The Isotrope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * To be preloaded into ranks of Open MPI over TCP. While they wait they poll their sockets and yield, again and again;
 * many hosts on few processors leave those little else to do. Here a rank sleeps, after some polls that found nothing,
 * until one of its sockets is ready, a millisecond at most: the sockets of its last poll, as Open MPI notices what has
 * come nowhere else. Falling asleep at once would cost short messages more time than their links do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { most_sockets = 512, polls_before_sleep = 20, longest_sleep_ms = 1 };

static __thread struct pollfd sockets[most_sockets];
static __thread nfds_t socket_count; /* of the last poll, 0 where it found something */
static __thread int empty_polls;

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

int sched_yield(void) {
  empty_polls = socket_count > 0 ? empty_polls + 1 : 0;
  if (empty_polls <= polls_before_sleep) return (int)syscall(SYS_sched_yield);
  next_poll(sockets, socket_count, longest_sleep_ms);
  empty_polls = 0;
  return 0;
}
