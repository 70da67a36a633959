# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated HLS C++ read as C++: text.py parses it, lint.py checks the rules of Vitis, scan.py counts what it builds.

None of it knows the emitter; tests hold its findings against what the compiler says.
"""
