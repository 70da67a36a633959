"""Generated code and runtime headers as synthesis and C simulation see them: against the interfaces of Vitis' headers.

The streams and vectors are those of native runs, which have AMD's signatures; vitis_headers/ declares the others.
"""

import subprocess
from pathlib import Path

import pytest
from hls_native import ROOT, compiler, translate
from streamtensor.headers import ap_types_directory

DESIGNS = sorted(path.stem for path in (ROOT / "test/Target/HLSCpp").glob("*.mlir") if "error" not in path.stem)
UNARY = [
    "atan",
    "cos",
    "erf",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log10",
    "log1p",
    "log2",
    "sin",
    "tanh",
    "sqrt",
    "rsqrt",
    "ceil",
    "floor",
    "trunc",
    "round",
    "roundeven",
    "abs",
]
BINARY = ["pow", "atan2", "fmod", "maximum", "minimum", "maxnum", "minnum", "ordered", "less_or_greater", "copysign"]


def check(path: Path, *defines: str) -> str:
    """What the compiler says. Synthesis defines its macro behind the open ap_int, which knows no synthesis."""
    macro = path.with_name("as_vitis.h")
    macro.write_text("".join(f"#define {name} 1\n" for name in defines))
    headers = [
        ROOT / "python/tests/vitis_headers",
        *(ROOT / "runtime" / part for part in ("native", "host", "include")),
    ]
    flags = ["-std=c++17", "-fsyntax-only", "-Wno-unknown-pragmas", *(f"-I{folder}" for folder in headers)]
    flags += [f"-I{ap_types_directory()}", "-include", "ap_int.h", "-include", str(macro)]
    return subprocess.run([compiler(), *flags, str(path)], capture_output=True, text=True).stderr


@pytest.mark.parametrize("name", DESIGNS)
def test_designs_compile(name, tmp_path):
    done = translate((ROOT / f"test/Target/HLSCpp/{name}.mlir").read_text(), tmp_path)
    if done.returncode != 0:
        pytest.skip("not for the emitter alone")
    hls = tmp_path / "out/hls"
    for path in hls.glob("*.cpp") if hls.exists() else ():
        if path.stem.endswith("_native") or path.stem == "testbench":
            assert check(path, "ST_VITIS") == ""
        else:
            assert check(path, "ST_VITIS", "__SYNTHESIS__") == ""


@pytest.mark.parametrize("defines", [("ST_VITIS",), ("ST_VITIS", "__SYNTHESIS__")], ids=["simulation", "synthesis"])
def test_every_function_has_a_counterpart(tmp_path, defines):
    lines = ['#include "st_math.h"', '#include "st_tokens.h"', "namespace st {"]
    for number, type_name in enumerate(("float", "double", "half", "bfloat16")):
        lines.append(f"void use{number}({type_name} x, {type_name} y) {{")
        lines += [f"  (void){function}(x);" for function in UNARY]
        lines += [f"  (void){function}(x, y);" for function in BINARY]
        lines += ["  (void)fma(x, y, x);", "  (void)powi(x, 3);", f"  x = {type_name}(x * y + {type_name}(1.5f));", "}"]
    for number, type_name in enumerate(("std::int8_t", "std::uint16_t")):
        calls = "".join(f"(void){function}(x, y); " for function in ("divide", "remainder", "floor_div", "ceil_div"))
        lines.append(f"void count{number}({type_name} x, {type_name} y) {{ {calls}}}")
    path = tmp_path / "functions.cpp"
    path.write_text("\n".join([*lines, "} // namespace st", ""]))
    assert check(path, *defines) == ""


def test_a_missing_function_is_seen(tmp_path):
    path = tmp_path / "missing.cpp"
    path.write_text('#include "st_math.h"\n#include "hls_math.h"\nfloat use(float x) { return hls::gamma(x); }\n')
    assert "gamma" in check(path, "ST_VITIS", "__SYNTHESIS__")
