"""Generated code and runtime headers as synthesis and C simulation see them: against the interfaces of Vitis."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from fuzz import natively
from hls_native import ROOT, translate
from vitis_compile import SIMULATION, SYNTHESIS, WAYS, command, errors, faults

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


@pytest.mark.parametrize("name", DESIGNS)
def test_designs_compile(name, tmp_path):
    """Each file by itself, so that it includes what it needs."""
    done = translate((ROOT / f"test/Target/HLSCpp/{name}.mlir").read_text(), tmp_path)
    if done.returncode != 0:
        pytest.skip("not for the emitter alone")
    for path in (tmp_path / "out/hls").glob("*.cpp"):
        is_called = path.stem.endswith("_native") or path.stem == "testbench"
        for way in [SIMULATION] if is_called else WAYS:
            assert errors([path], way) == ""


@pytest.mark.parametrize("defines", WAYS, ids=["simulation", "synthesis"])
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
    assert errors([path], defines) == ""


PAIRS = """#include "st_math.h"
template <int Own, int Common> int count_wrong() {
  int wrong = 0;
  for (int low = -(1 << (Own - 1)); low < 1 << (Own - 1); ++low)
    for (int high = -(1 << (Own - 1)); high < 1 << (Own - 1); ++high)
      for (int common = -(1 << (Common - 1)); common < 1 << (Common - 1); ++common) {
        std::int32_t below, above;
        st::multiply_pair<Own, Common, 3>(low, high, common, below, above);
        wrong += below != low * common || above != high * common;
      }
  return wrong;
}
template <int Wide, int Narrow> int count_wrong_crosses() {
  constexpr int wide = 1 << (Wide - 1), narrow = 1 << (Narrow - 1);
  int wrong = 0;
  for (int low = -wide; low < wide; ++low)
    for (int high = -wide; high < wide; ++high)
      for (int first = -narrow; first < narrow; ++first)
        for (int second = -narrow; second < narrow; ++second) {
          std::int32_t ll, hl, lh, hh;
          st::multiply_cross<Wide, Narrow, 3>(low, high, first, second, ll, hl, lh, hh);
          wrong += ll != low * first || hl != high * first || lh != low * second || hh != high * second;
        }
  return wrong;
}
int main() {
  return count_wrong<4, 9>() + count_wrong<8, 4>() + count_wrong<1, 2>() + count_wrong_crosses<4, 8>() +
             count_wrong_crosses<3, 5>() + count_wrong_crosses<4, 4>() >
         0;
}
"""


def test_operations_of_the_runtime_state_their_latency():
    bound = [
        line
        for header in (ROOT / "runtime/include").rglob("*.h")
        for line in header.read_text().splitlines()
        if line.startswith("#pragma HLS bind_op")
    ]
    assert len(bound) == 2
    assert all(" latency = cycles" in line for line in bound)


@pytest.mark.parametrize("macro", ["#define __SYNTHESIS__ 1\n", ""], ids=["synthesis", "native"])
def test_products_of_one_dsp(tmp_path, macro):
    """All operands; in synthesis two or four products come from one, whose parts are corrected."""
    path, program = tmp_path / "pairs.cpp", tmp_path / "pairs"
    path.write_text(PAIRS)
    (tmp_path / "macro.h").write_text(macro)
    before = ("-include", "ap_fixed.h", "-include", tmp_path / "macro.h")
    subprocess.run(command("-O1", *before, path, "-o", program), check=True, timeout=120)
    assert subprocess.run([program], timeout=60).returncode == 0


SIGNATURES = """#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "hls_vector.h"
#include <type_traits>
template <typename Type, typename Expected> void is() { static_assert(std::is_same<Type, Expected>::value, ""); }
using Token = hls::vector<float, 4>;
using Stream = hls::stream<Token>;
using Block = int[4][8];
using Blocks = hls::stream_of_blocks<Block>;
void streams() {
  is<Stream::value_type, Token>();
  static_assert(std::is_base_of<Stream, hls::stream<Token, 4>>::value, "");
  static_assert(std::is_convertible<const char *, Stream>::value, "");
  static_assert(std::is_constructible<hls::stream<Token, 4>, const char *>::value, "");
  is<decltype(&Stream::operator>>), void (Stream::*)(Token &)>();
  is<decltype(&Stream::operator<<), void (Stream::*)(const Token &)>();
  is<decltype(&Stream::empty), bool (Stream::*)()>();
  is<decltype(&Stream::full), bool (Stream::*)() const>();
  Token (Stream::*read)() = &Stream::read;
  void (Stream::*into)(Token &) = &Stream::read;
  is<decltype(&Stream::read_dep), bool (Stream::*)(Token &, volatile bool)>();
  is<decltype(&Stream::read_nb), bool (Stream::*)(Token &)>();
  is<decltype(&Stream::write), void (Stream::*)(const Token &)>();
  is<decltype(&Stream::write_dep), bool (Stream::*)(const Token &, volatile bool)>();
  is<decltype(&Stream::write_nb), bool (Stream::*)(const Token &)>();
  is<decltype(&Stream::size), std::size_t (Stream::*)()>();
  is<decltype(&Stream::capacity), std::size_t (Stream::*)()>();
  is<decltype(&Stream::set_name), void (Stream::*)(const char *)>();
  (void)read, (void)into;
}
void blocks() {
  static_assert(std::is_default_constructible<hls::stream_of_blocks<Block, 4>>::value, "");
  static_assert(std::is_constructible<Blocks, int, char *>::value, "");
  static_assert(std::is_convertible<Blocks &, hls::read_lock<Block>>::value, "");
  static_assert(std::is_convertible<Blocks &, hls::write_lock<Block>>::value, "");
  static_assert(std::is_convertible<hls::read_lock<Block>, Block &>::value, "");
  static_assert(std::is_convertible<hls::write_lock<Block>, Block &>::value, "");
  is<decltype(&Blocks::full), bool (Blocks::*)()>();
  is<decltype(&Blocks::empty), bool (Blocks::*)()>();
}
void vectors() {
  static_assert(std::is_trivial<Token>::value, "");
  static_assert(std::is_convertible<const float &, Token>::value, "");
  is<decltype(std::declval<Token &>()[0]), float &>();
  is<decltype(std::declval<const Token &>()[0]), const float &>();
}
"""


@pytest.mark.parametrize("defines", WAYS, ids=["simulation", "synthesis"])
def test_channels_and_vectors_have_the_signatures_of_vitis(tmp_path, defines):
    path = tmp_path / "signatures.cpp"
    path.write_text(SIGNATURES)
    assert errors([path], defines) == ""


@pytest.mark.parametrize(
    "statement",
    [
        "hls::stream<int, 2> x(2);",
        'hls::stream<int> x("x", 2);',
        'hls::stream<int> x(std::string("x"));',
        "hls::stream<int> x; hls::stream<int> y(x);",
        "hls::stream<int> x, y; x = y;",
        "hls::stream<int> x; int a; x >> a >> a;",
        "hls::stream<int> x; x.read(1);",
        "hls::stream<int> x; int a = x.read_nb();",
        "hls::stream<int> x; x.peek();",
        "const hls::stream<int> x; x.empty();",
        "const hls::stream<int> x; x.read();",
        "struct Token { Token(int); }; hls::stream<Token> x; x.read();",
        "hls::stream<int, 2> x; void take(hls::stream<int, 4> &); take(x);",
        'hls::stream_of_blocks<int[4], 4> x("x");',
        "hls::stream_of_blocks<int[4], 4> x; hls::read_lock<int[4]> l(x); hls::read_lock<int[4]> m; ",
        "hls::stream_of_blocks<int[4]> x; x.read_acquire();",
        "hls::vector<int, 0> x;",
        "hls::vector<int, 2> x(1, 2);",
        "hls::vector<int, 2> x; int *y = x;",
    ],
)
def test_what_vitis_lacks_does_not_compile(tmp_path, statement):
    path = tmp_path / "lacking.cpp"
    headers = "".join(f'#include "hls_{name}.h"\n' for name in ("stream", "streamofblocks", "vector"))
    path.write_text(f"{headers}#include <string>\nvoid use() {{ {statement} }}\n")
    assert "error: " in errors([path], SIMULATION)


HALVES = """#include "st_types.h"
template <typename Type, typename Expected> void is() { static_assert(std::is_same<Type, Expected>::value, ""); }
void use(st::half a, const st::half b, float c) {
  is<decltype(a + a), st::half>();
  is<decltype(b * b), CONSTANT>();
  is<decltype(a - c), float>();
  is<decltype(-a), CONSTANT>();
  is<decltype(a < a), bool>();
  st::half d = 1.5f, e(1), f(2.0);
  a += b;
}
"""


@pytest.mark.parametrize(("defines", "constant"), [(SIMULATION, "float"), (SYNTHESIS, "st::half")])
def test_half_is_that_of_vitis(tmp_path, defines, constant):
    """A class in C simulation, whose operators take constant halves as floats; a builtin type in synthesis."""
    path = tmp_path / "halves.cpp"
    path.write_text(f"#include <type_traits>\n{HALVES.replace('CONSTANT', constant)}")
    assert errors([path], defines) == ""


def test_functions_of_integers(tmp_path):
    """A call with an integer would be none with floats."""
    path = tmp_path / "integers.cpp"
    path.write_text('#include "st_math.h"\nint *use() { return hls::exp(std::int8_t(1)); }\n')
    assert "int8_t" in errors([path], SYNTHESIS)


@pytest.mark.parametrize("argument", ["long long", "st::half *"])
def test_no_function_is_for_other_types(tmp_path, argument):
    path = tmp_path / "other.cpp"
    path.write_text(f'#include "st_math.h"\nvoid use({argument} x) {{ hls::exp(x); }}\n')
    assert "error: " in errors([path], SYNTHESIS)


def test_a_missing_function_is_seen(tmp_path):
    path = tmp_path / "missing.cpp"
    path.write_text('#include "st_math.h"\n#include "hls_math.h"\nfloat use(float x) { return hls::gamma(x); }\n')
    assert "gamma" in errors([path], SYNTHESIS)


@pytest.mark.parametrize(
    ("file", "good", "bad", "found"),
    [
        ("reverse.cpp", "fill(x, a);", "fill(a, x);", "error: "),
        ("reverse.cpp", "  reverse_tasks::drain(b, y);\n", "", "one-producer-one-consumer"),
        ("reverse_native.cpp", "reverse(static_cast", "reverse(1, static_cast", "no matching function"),
    ],
)
def test_faults_of_a_directory_are_found(tmp_path, file, good, bad, found):
    assert translate((ROOT / "test/Target/HLSCpp/nested-locks.mlir").read_text(), tmp_path).returncode == 0
    clean = faults(tmp_path / "out")
    path = tmp_path / "out/hls" / file
    assert good in path.read_text()
    path.write_text(path.read_text().replace(good, bad))
    new = [fault for fault in faults(tmp_path / "out") if fault not in clean]
    assert new
    assert all(file in fault for fault in new)
    assert any(found in fault for fault in new)


def emitted(directory: Path, only_in_synthesis: str) -> SimpleNamespace:
    """A design with a line that native runs do not see, as the fuzzer has it."""
    directory.mkdir()
    assert translate((ROOT / "test/Target/HLSCpp/scalars.mlir").read_text(), directory).returncode == 0
    for path in (directory / "out/hls").glob("*.cpp"):
        path.write_text(f"{path.read_text()}\n#ifdef __SYNTHESIS__\n{only_in_synthesis}\n#endif\n")
    return SimpleNamespace(emitted=directory / "out", failure=None)


def test_the_fuzzer_finds_what_synthesis_refuses(tmp_path):
    good, bad = emitted(tmp_path / "good", "float a;"), emitted(tmp_path / "bad", "hls::stream<float> a(1, 2);")
    natively.compile_as_vitis([good, bad], tmp_path / "batch")
    assert good.failure is None
    assert bad.failure.kind == "build"
    assert "no matching constructor" in bad.failure.message
