# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m streamtensor`: the command line."""

from __future__ import annotations

from streamtensor.cli import main

main()
