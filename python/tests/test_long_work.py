# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Long work: the lock of the interpreter is free, Ctrl-C ends it, and progress is heard."""
import concurrent.futures
import signal
import subprocess
import sys
import threading
import time

import pytest

import isotrope



def ticks_during(action):
    """How often another thread runs meanwhile."""
    done, count = threading.Event(), 0

    def tick():
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(0.001)
    thread = threading.Thread(target=tick)
    thread.start()
    try:
        action()
    finally:
        done.set()
        thread.join()
    return count


def test_other_threads_run_meanwhile():
    begin = time.monotonic()
    ticks = ticks_during(lambda: isotrope.plan("torus:64x64x64", "alltoall"))
    assert ticks > 10 * (time.monotonic() - begin)  # with the lock held: none


def test_threads_plan_side_by_side():
    problems = [(network, collective) for network in ("torus:4x4", "hypercube:4", "hexmesh:3")
                for collective in ("broadcast", "alltoall", "allreduce")]
    alone = [isotrope.plan(*problem).stages[-1].hops.tolist() for problem in problems]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        plans = list(pool.map(lambda problem: isotrope.plan(*problem), problems * 4))
    assert [plan.stages[-1].hops.tolist() for plan in plans] == alone * 4


# Each takes many seconds.
@pytest.mark.parametrize("action", [
    lambda: isotrope.plan("torus:100x100x64", "alltoall"),
    lambda: isotrope.plan("torus:16x16", "broadcast", parts=20000),
    lambda: isotrope.simulate("hypercube:8", "alltoall", runs=1000000),
    lambda: isotrope.compare("torus:8x8x8", "alltoall", bytes=range(64, 1 << 20)),
], ids=["plan", "search", "simulate", "compare"])
def test_an_interrupt_ends_the_work(action):
    sent, ended = [], []

    def interrupt():
        sent.append(time.monotonic())
        if not ended:
            signal.raise_signal(signal.SIGINT)
    timer = threading.Timer(0.3, interrupt)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            action()
            ended.append(True)
    finally:
        timer.join()
    assert time.monotonic() - sent[0] < 5


def test_progress_rises_to_the_end():
    shares = []
    isotrope.simulate("hypercube:6", "alltoall", runs=5000, progress=shares.append)
    assert len(shares) > 1 and shares == sorted(shares) and shares[-1] == 1


def test_progress_of_files_and_checks(tmp_path):
    plan, shares = isotrope.plan("torus:8x8x8", "alltoall"), []
    plan.save(tmp_path / "plan.cbor", progress=shares.append)
    isotrope.load(tmp_path / "plan.cbor", progress=shares.append)
    isotrope.verify(plan, progress=shares.append)
    assert shares and all(0 <= share <= 1 for share in shares)


def test_an_exception_of_the_progress_function_ends_the_work():
    def refuse(share):
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        isotrope.simulate("hypercube:6", "alltoall", runs=200, progress=refuse)


def test_an_interrupted_file_is_not_left_behind(tmp_path):
    def refuse(share):
        raise RuntimeError("enough")
    plan = isotrope.plan("torus:32x32x32", "alltoall")
    with pytest.raises(RuntimeError):
        plan.save(tmp_path / "plan.cbor", progress=refuse)
    assert list(tmp_path.iterdir()) == []


def test_importing_takes_no_heavy_package():
    loaded = subprocess.run([sys.executable, "-c", "import isotrope, sys; print(*sys.modules)"], check=True,
                            capture_output=True, text=True).stdout.split()
    assert not {"numpy", "pandas", "networkx", "mpi4py"} & set(loaded)
