# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do the tests see a compiler that is wrong? `python -m mutation --help`, or `make mutate`.

A mutant (mutant.py) is a change of the compiler's source. named.py holds those that a test of a law must see, drawn.py
draws others at random. checkout.py keeps a copy of the sources with a build of its own, in which a mutant is built and
the nearest tests (nearest.py) run until one fails.
"""
