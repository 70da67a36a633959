"""The XRT host program: built against XRT's headers and library, run on a stand-in of the library."""

import numpy as np
import pytest
import streamtensor as st
import torch
from hls_native import ROOT
from host_program import Card, build_stand_in, write_data
from number_words import Words
from streamtensor.frontend import models
from streamtensor.llm import LanguageModel
from streamtensor.memory import PackedTensor, as_tensor

PAGE = 4096


def source(name: str) -> str:
    return (ROOT / f"test/Target/HLSCpp/{name}.mlir").read_text()


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory):
    return build_stand_in(tmp_path_factory.mktemp("xrt"))


@pytest.fixture(scope="module")
def matmul(tmp_path_factory, stand_in):
    """y = x w^T; w is a parameter."""
    directory = tmp_path_factory.mktemp("matmul")
    card = Card.of(source("matmul"), directory, stand_in)
    random = np.random.default_rng(1)
    weight = random.standard_normal((48, 32), dtype=np.float32)
    inputs = [random.standard_normal((16, 32), dtype=np.float32) for _ in range(3)]
    data = [write_data(directory / f"data{number}", [x, weight]) for number, x in enumerate(inputs)]
    return card, data, inputs, weight


def check_results(card, data, inputs, weight):
    for directory, x in zip(data, inputs, strict=True):
        (expected,) = card.native(x, weight)
        assert np.array_equal(np.fromfile(directory / "result0.bin", np.float32).reshape(16, 48), expected)
        (directory / "result0.bin").unlink()


def test_parameters_are_loaded_once_for_three_launches(matmul):
    card, data, inputs, weight = matmul
    done = card.run(*data)
    assert done.code == 0, done.error
    check_results(card, data, inputs, weight)
    assert done.log.count("load matmul") == 1
    assert done.log.count("launch matmul") == 3
    assert sorted(done.moved("to")) == [inputs[0].nbytes] * 3 + [weight.nbytes]
    assert done.moved("from") == [16 * 48 * 4] * 3


def pack(card, data, directory):
    directory.mkdir()
    done = card.run("--pack", directory, data)
    assert done.code == 0, done.error
    return directory


def test_images_hold_the_parameters_as_each_memory_has_them(matmul, tmp_path):
    card, data, inputs, weight = matmul
    images = pack(card, data[0], tmp_path / "images")
    (image,) = images.iterdir()
    assert image.name == "matmul-HBM_1.bin"
    content = image.read_bytes()
    assert content[PAGE : PAGE + weight.nbytes] == weight.tobytes()
    assert len(content) == 2 * PAGE + weight.nbytes // PAGE * PAGE
    without = [write_data(tmp_path / f"data{number}", [x]) for number, x in enumerate(inputs)]
    done = card.run("--images", images, *without)
    assert done.code == 0, done.error
    check_results(card, without, inputs, weight)
    assert sorted(done.moved("to")) == [inputs[0].nbytes] * 3 + [len(content) - PAGE]


def test_results_that_are_there_are_compared(matmul, tmp_path):
    card, _, inputs, weight = matmul
    data = write_data(tmp_path / "data", [inputs[0], weight])
    assert card.run(data).code == 0
    assert card.run("--check", data).code == 0
    result = np.fromfile(data / "result0.bin", np.float32)
    (result * np.float32(1 + 1e-6)).tofile(data / "result0.bin")
    assert "differs from the result at byte" in card.run("--check", data).error
    assert card.run("--check", "--tolerance", "1e-5", data).code == 0
    (result * np.float32(1.001)).tofile(data / "result0.bin")
    assert "of its largest value" in card.run("--check", "--tolerance", "1e-5", data).error


def test_errors_say_what_where_and_what_to_do(matmul, tmp_path):
    card, data, inputs, weight = matmul
    binary = card.xclbins / "matmul.xclbin"
    text = binary.read_text()

    def error(*words: object, code: int = 1) -> str:
        done = card.run(*words)
        assert done.code == code
        assert done.error.startswith("error: ") and "launch" not in " ".join(done.log)
        return done.error

    assert "there is no '" in (message := error("--xclbins", tmp_path, data[0]))
    assert f"{tmp_path}/matmul.xclbin': link it with" in message
    try:
        binary.write_text(text.replace("arg HBM[1]", "arg HBM[5]"))
        assert "('w')" in (message := error(data[0]))
        assert "is linked to HBM[5], and the design has it in HBM[1]: link with vitis/matmul.cfg" in message
        binary.write_text(text.replace("kernel matmul", "kernel other"))
        assert "holds no kernel 'matmul'" in error(data[0])
        binary.write_text("ELF")
        assert "is no binary for a card: not an axlf file" in error(data[0])
    finally:
        binary.write_text(text)
    assert "card 1 cannot be opened" in error("--card", 1, data[0])
    images = pack(card, data[0], tmp_path / "images")
    image = images / "matmul-HBM_1.bin"
    content = image.read_bytes()
    image.write_bytes(content[:-1])
    assert f"holds {len(content) - 1} bytes; the design takes {len(content)}" in error("--images", images, data[0])
    image.write_bytes(content[:8] + bytes(8) + content[16:])
    assert "is no image of this design's parameters in HBM[1]" in error("--images", images, data[0])
    image.unlink()
    assert f"there is no file '{image}'" in error("--images", images, data[0])
    short = write_data(tmp_path / "short", [inputs[0][:4], weight])
    assert "arg0.bin' holds 512 bytes; the design takes 2048" in error(short)
    assert "usage: " in error(code=2)
    assert "there is no option '--speed'" in error("--speed", data[0], code=2)


def test_a_striped_cache_is_updated_in_place(tmp_path, stand_in):
    card = Card.of(source("external-memory"), tmp_path, stand_in)
    random = np.random.default_rng(3)
    new, old = (random.integers(-100, 100, (rows, 4), dtype=np.int32) for rows in (2, 4))
    data = write_data(tmp_path / "data", [new, old])
    done = card.run(data)
    assert done.code == 0, done.error
    for number in range(2):
        result = np.fromfile(data / f"result{number}.bin", np.int32).reshape(4, 4)
        assert np.array_equal(result, np.concatenate([old[:2], new]))
    assert np.array_equal(np.fromfile(data / "arg1.bin", np.int32).reshape(4, 4), old)


def test_a_compiled_module_gives_what_its_design_gives(tmp_path, stand_in):
    """Parameters and inputs in the order of their tiles, results back in rows; parameters from images as well."""
    module = torch.nn.Sequential(torch.nn.Linear(32, 48), torch.nn.ReLU(), torch.nn.Linear(48, 16)).eval()
    x = torch.randn(8, 32)
    design = st.compile(
        module, (x,), st.Options(tile_size=8, unroll=32, decision="rules", compare=False), out=tmp_path / "out"
    )
    card = Card(tmp_path, stand_in)
    values = [design.parameters.get(argument.name, x) for argument in design.interface.arguments]
    assert {step["op"] for step in card.native.interface["main"]["steps"]} >= {"pack", "launch"}
    data = write_data(tmp_path / "data", [value.numpy() for value in values])
    images = pack(card, data, tmp_path / "images")
    for words in ((data,), ("--images", images, data)):
        done = card.run(*words)
        assert done.code == 0, done.error
        result = np.fromfile(data / "result0.bin", np.float32).reshape(8, 16)
        assert np.array_equal(result, design(x).detach().numpy())
        (data / "result0.bin").unlink()
    *loaded, given = done.moved("to")
    assert sum(loaded) == sum(image.stat().st_size - PAGE for image in images.iterdir())
    assert given == x.nbytes


def test_integers_share_bytes(tmp_path, stand_in):
    card = Card.of(source("shared-bytes"), tmp_path, stand_in)
    values = [
        np.random.default_rng(4).integers(-8, 8, argument["shape"], dtype=np.int8)
        for argument in card.native.interface["main"]["arguments"]
    ]
    data = write_data(tmp_path / "data", values)
    done = card.run(data)
    assert done.code == 0, done.error
    for number, expected in enumerate(card.native(*values)):
        assert np.array_equal(np.fromfile(data / f"result{number}.bin", np.int8), expected.reshape(-1))


def test_scalars_of_the_launch(tmp_path, stand_in):
    forward = source("scalars").replace("(s0 - d0 - 1, d1 * 2 + d2)", "(d0, d1 * 2 + d2)")
    card = Card.of(forward, tmp_path, stand_in)
    x = np.random.default_rng(5).standard_normal((8, 6), dtype=np.float32)
    data = write_data(tmp_path / "data", [x])
    for tokens, setting in ((8, ()), (3, ("tokens=3",))):
        done = card.run(data, *setting)
        assert done.code == 0, done.error
        assert np.fromfile(data / "result0.bin", np.float32)[0] == x[tokens - 1, 3] * np.float32(3)
    assert "'tokens=9' must lie between 1 and 8" in card.run(data, "tokens=9").error
    assert card.run(data, "rows=1").code == 2


@pytest.mark.parametrize("quantise", [None, "w8a8"])
def test_all_layers_of_a_language_model_in_one_launch(quantise, tmp_path, stand_in, monkeypatch):
    """The passes of a text, each on rows of a cache drawn at random: parameters and caches of all layers, stacked."""
    model = models.random_causal_lm(models.tiny_llama_config())
    model.generation_config.eos_token_id = None
    options = st.Options(tile_size=8, unroll=16, compare=False)
    llm = st.compile_llm(model, Words(), 12, 2, options=options, out=tmp_path / "out", quantise=quantise)
    assert llm.loops_over_layers
    interface, passes = llm.design.interface, []
    execute = interface.execute

    def note(values, scalars, **others):
        drawn = [torch.randn(v.shape) if isinstance(v, PackedTensor) else as_tensor(v).clone() for v in values]
        passes.append((drawn, dict(scalars)))
        return execute(values, scalars, **others)

    monkeypatch.setattr(interface, "execute", note)
    LanguageModel(llm.design, llm.model, Words()).generate("3 14 15", 3)  # with parameters that are not packed
    assert [scalars["tokens"] for _, scalars in passes] == [2, 1, 1, 1]
    card = Card(tmp_path, stand_in)
    for number, (values, scalars) in enumerate(passes):
        data = write_data(tmp_path / f"data{number}", [value.numpy() for value in values])
        done = card.run(data, *(f"{name}={value}" for name, value in scalars.items()))
        assert done.code == 0, done.error
        for index, expected in enumerate(execute(values, scalars)):
            found = np.fromfile(data / f"result{index}.bin", np.uint8)
            assert np.array_equal(found, as_tensor(expected).contiguous().view(torch.uint8).numpy().reshape(-1)), index
