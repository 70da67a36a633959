# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A search over the schedule of a design: tiles, orders and lanes of every operation, simulated.

`space` says what may change, `evaluation` what a schedule gives, `sampler` what is tried next, `storage` where trials
are kept, `worker` does trials, `tune` starts workers and writes the best schedule.
"""

from streamtensor.tuning.evaluation import OBJECTIVES
from streamtensor.tuning.search import SAMPLERS, Search
from streamtensor.tuning.tune import Tuned, tune

__all__ = ["OBJECTIVES", "SAMPLERS", "Search", "Tuned", "tune"]
