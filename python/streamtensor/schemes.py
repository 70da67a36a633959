# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The quantisations that can be asked for, told without PyTorch; streamtensor.quantise says what each means."""

W4A8 = "w4a8"
SYMMETRIC = "w4a8-symmetric"
CHANNEL = "w4a8-channel"
SCHEMES = (W4A8, SYMMETRIC, CHANNEL, "w8a8")
OF_ROWS = (CHANNEL, "w8a8")  # one scale a row, whatever the groups
GROUPS = (32, 64, 128)
GROUP_SIZE = 32  # divides every row of the models that are known; the finest that hardware holds well
