/* SPDX-FileCopyrightText: The Isotrope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * To be preloaded into programs of MPICH over UCX, whose ranks poll without pause while they wait: where they
 * outnumber the cores, those that have something to do would hardly get one. A poll that finds nothing gives
 * the core away. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

unsigned ucp_worker_progress(void *worker) {
  static unsigned (*poll)(void *);
  if (!poll) *(void **)&poll = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned found = poll(worker);
  /* Yielding alone would let the waiting ranks pass the core among themselves. */
  if (found == 0) nanosleep(&(struct timespec){.tv_nsec = 1000}, 0);
  return found;
}
