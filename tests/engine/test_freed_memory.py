"""What a process has freed goes back to the system."""

import subprocess
import sys

import pytest

# Threads take blocks of ten megabytes twice over and free them, with a small one behind them that stays: as the
# activations of a network are, and what is kept of an answer.
THREADS = """
import ctypes, os, sys, threading
from engine.freed_memory import give_freed_memory_back
if sys.argv[1] == "given back":
    give_freed_memory_back()
malloc, free = ctypes.CDLL(None).malloc, ctypes.CDLL(None).free
malloc.restype, free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
SIZE = 10 << 20
def work():
    for _ in range(2):
        blocks = [malloc(SIZE) for _ in range(3)]
        malloc(1024)
        for block in blocks:
            ctypes.memset(block, 1, SIZE)
            free(block)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
with open("/proc/self/statm") as file:
    print(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20)
"""


def megabytes(how):
    run = subprocess.run([sys.executable, "-c", THREADS, how], capture_output=True, text=True, check=True)
    return int(run.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_what_threads_have_freed_does_not_stay_with_the_process():
    kept, given_back = megabytes("kept"), megabytes("given back")
    assert kept > given_back + 40
    assert given_back < 60
