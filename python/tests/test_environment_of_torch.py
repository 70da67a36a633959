# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PyTorch reads of the environment as it is loaded is set before, unless the user says otherwise."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "name, ours, theirs", [("OMP_WAIT_POLICY", "passive", "active"), ("THP_MEM_ALLOC_ENABLE", "1", "0")]
)
@pytest.mark.parametrize("is_given", [False, True])
def test_the_environment_is_set_before_torch_is_loaded(name, ours, theirs, is_given):
    environment = {key: value for key, value in os.environ.items() if key != name}
    environment |= {name: theirs} if is_given else {}
    program = f"import streamtensor, os, sys; print('torch' in sys.modules, os.environ['{name}'])"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False", theirs if is_given else ours]
