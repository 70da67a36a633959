# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's threads sleep while they wait, unless the user says otherwise."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("given, expected", [(None, "passive"), ("active", "active")])
def test_the_policy_is_set_before_torch_is_loaded(given, expected):
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    environment |= {"OMP_WAIT_POLICY": given} if given else {}
    program = "import streamtensor, os, sys; print('torch' in sys.modules, os.environ['OMP_WAIT_POLICY'])"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False", expected]
