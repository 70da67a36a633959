"""Stream-level designs written by hand, run as native HLS C++ against numpy."""

import numpy as np

from hls_native import ROOT, build

MATMUL = (ROOT / "test/Target/HLSCpp/matmul.mlir").read_text()


def test_matmul(tmp_path):
    design = build(MATMUL, tmp_path)
    random = np.random.default_rng(0)
    x = random.standard_normal((16, 32), dtype=np.float32)
    w = random.standard_normal((48, 32), dtype=np.float32)
    for _ in range(2):
        (y,) = design(x, w)
        np.testing.assert_allclose(y, x @ w.T, rtol=1e-5, atol=1e-5)
