# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The child that runs native designs for `launches.Apart`: jobs come as lines of JSON, tensors in shared memory.

    python -I -S launch_worker.py DESCRIPTOR-OF-THE-MEMORY

It imports nothing but the standard library, so that it starts in milliseconds.
"""

from __future__ import annotations

import ctypes
import functools
import json
import mmap
import os
import resource
import sys
from collections.abc import Sequence

_MESSAGE_BYTES = 4096


def call(library: ctypes.CDLL, name: str, addresses: Sequence[int]) -> str:
    """Runs a design; gives the reason why it stopped, "" where it ended."""
    arguments = (ctypes.c_void_p * len(addresses))(*addresses)
    message = ctypes.create_string_buffer(_MESSAGE_BYTES)
    function = getattr(library, name)
    function.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p, ctypes.c_size_t]
    if function(arguments, message, _MESSAGE_BYTES) == 0:
        return ""
    return message.value.decode(errors="replace") or "it gave no reason"


def _do(job: dict, descriptor: int, load) -> str:
    with mmap.mmap(descriptor, job["size"]) as memory:
        anchor = ctypes.c_char.from_buffer(memory)
        base = ctypes.addressof(anchor)
        reason = call(load(job["library"]), job["call"], [base + start for start in job["starts"]])
        del anchor
    return reason


def main(descriptor: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash is told in words
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a design prints is no answer
    load = functools.cache(ctypes.CDLL)
    for line in sys.stdin:
        print(json.dumps(_do(json.loads(line), descriptor, load)), file=answers, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
