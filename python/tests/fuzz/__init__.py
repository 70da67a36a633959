# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random well-typed Linalg graphs through the whole compiler: `python -m fuzz --help`, or `make fuzz`.

A program (program.py) is a graph of operations (ops_*.py) over arrays; its numpy values are its reference, so that
nothing of the compiler is needed to know what it computes. generator.py draws programs, compiler.py and natively.py run
them, model.py compares their C++ (read by printed.py) with the machine that is simulated, shrink.py makes a failing one
small, campaign.py counts. modules.py draws modules of PyTorch, module_runs.py runs them.
"""
