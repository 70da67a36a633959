# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Golden results: what the compiler makes of fixed designs, decision by decision, kept beside the tests.

results/NAME.txt holds the decisions and figures of a design; results/NAME.cpp its C++ where it is small, else the
figures end with a digest of every function. A change of the compiler that means to change them writes them anew with
`make golden`, and shows by their difference what it does to every design: see docs/golden.md.
"""
