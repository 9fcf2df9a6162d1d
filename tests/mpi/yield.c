/* SPDX-FileCopyrightText: The Isotrope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Preload this into programs of MPICH over UCX, whose waiting ranks poll without pause: if ranks outnumber
 * the cores, ranks with work would hardly get a core. A poll that finds nothing yields the core. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

unsigned ucp_worker_progress(void *worker) {
  static unsigned (*poll)(void *);
  if (!poll) *(void **)&poll = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned found = poll(worker);
  /* sched_yield() alone would let the waiting ranks pass the core among themselves. */
  if (found == 0) nanosleep(&(struct timespec){.tv_nsec = 1000}, 0);
  return found;
}
