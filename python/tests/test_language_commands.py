# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compile, generate, chat and simulate on a language model that was saved to a directory."""

from __future__ import annotations

import io
import json

import harness
import pytest
from corpus import model_directories
from streamtensor import cli, llm_files
from streamtensor.chat import Chat
from streamtensor.errors import RunError
from streamtensor.lengths import check_length
from streamtensor.sampling import Sampling

MAX_CONTEXT = 24
TEMPLATE = "{% for m in messages %}{{ m['role'][0] }} {{ m['content'] }} </s> {% endfor %}the"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return model_directories.save("llama", tmp_path_factory.mktemp("source") / "model")


@pytest.fixture(scope="module")
def design(source, tmp_path_factory):
    out = tmp_path_factory.mktemp("design") / "out"
    sizes = ["--max-context", str(MAX_CONTEXT), "--tokens-per-pass", "2", "--tile-size", "8", "--unroll", "16"]
    assert cli.run(["compile", str(source), "-o", str(out), *sizes]) == 0
    return out


@pytest.fixture
def llm(design):
    return llm_files.load_llm(design)


def run(capsys, *words) -> str:
    capsys.readouterr()
    assert cli.run([str(word) for word in words]) == 0
    return capsys.readouterr().out


def refusal(capsys, *words) -> str:
    capsys.readouterr()
    assert cli.run([str(word) for word in words]) == 1
    return capsys.readouterr().err


def test_several_prompts_one_after_another(design, llm, capsys):
    prompts = ["the cat sat", "a dog"]
    text = run(capsys, "generate", design, *(w for p in prompts for w in ("--prompt", p)), "--max-new-tokens", 6)
    expected = [prompt + llm.generate(prompt, 6).text for prompt in prompts]
    assert text == "".join(f"{line}\n" for line in expected)


def test_checked_texts_are_the_same(design, capsys):
    words = ("generate", design, "--prompt", "the cat sat", "--max-new-tokens", 6)
    assert run(capsys, *words) == run(capsys, *words, "--check")
    assert json.loads((design / "run.json").read_text())["positions_compared"] == 3 + 5


def test_draws(design, capsys):
    words = ("generate", design, "--prompt", "the cat", "--max-new-tokens", 12, "--temperature", 3.0, "--seed")
    texts = [run(capsys, *words, seed) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    assert "--check compares the likeliest" in refusal(capsys, *words, 1, "--check")
    assert "top_p is 2.0: it must be above 0" in refusal(capsys, *words, 1, "--top-p", 2)


def test_texts_that_do_not_fit(design, capsys):
    message = refusal(capsys, "generate", design, "--prompt", "the cat", "--max-new-tokens", 24)
    assert "needs 25 positions, but the design has 24" in message
    message = refusal(capsys, "generate", design, "--prompt", "the " * 30)
    assert "A prompt of 30 tokens with 8 new ones needs 37 positions" in message
    assert "ask for fewer tokens, or compile with --max-context 37." in message


def test_no_more_positions_are_advised_than_the_model_has(design, llm, capsys):
    has = json.loads((design / "design.json").read_text())["most_positions"]
    assert has == llm.model.config.max_position_embeddings
    words = ("simulate", design, "--new-tokens", 2, "--prompt-tokens")
    assert f"or compile with --max-context {has}." in refusal(capsys, *words, has - 1)
    message = refusal(capsys, *words, has)
    assert message.rstrip().endswith(
        f"Shorten the prompt or ask for fewer tokens: the model has no more than {has} positions, which a design "
        f"compiled with --max-context {has} has."
    )
    assert "compile with" not in refusal(capsys, "generate", design, "--prompt", "the " * (has + 1))
    with pytest.raises(RunError, match=rf"fewer tokens: the model has no more than {has} positions\.$"):
        check_length(has, 2, has, has)
    check_length(has, 1, has, has)


def test_a_conversation(llm):
    llm.tokenizer.chat_template = TEMPLATE
    chat = Chat(llm, "sky")
    places = []
    observed = llm._pass
    llm._pass = lambda ids, cache, *others: (places.append(len(cache.tokens)), observed(ids, cache, *others))[1]
    first = "".join(chat.answer("see the cat", 3))
    assert [message["role"] for message in chat.messages] == ["system", "user", "assistant"]
    assert chat.messages[-1]["content"] == first
    assert places[0] == 0
    places.clear()
    _ = "".join(chat.answer("a dog", 3))
    assert places[0] >= 8, "what the first turn read was read again"
    expected = llm.generate(chat._encode(chat.messages[:-1]), 3).text
    assert chat.messages[-1]["content"] == expected


def test_a_conversation_ends_where_the_context_does(llm):
    llm.tokenizer.chat_template = TEMPLATE
    chat = Chat(llm)
    list(chat.answer("the cat", 2))
    before = list(chat.messages)
    assert len(before) == 2
    with pytest.raises(RunError, match=r"The conversation has \d+ tokens with this message, but the design holds 24"):
        list(chat.answer("the cat " * 12))
    with pytest.raises(RunError, match=r"or compile with --max-context (\d+)\.$") as caught:
        list(chat.answer("the cat " * 33))
    assert str(caught.value).endswith(f"--max-context {llm.most_positions}.")  # not twice as many as it has
    with pytest.raises(RunError, match=rf"Start a new one: the model has no more than {llm.most_positions} positions"):
        list(chat.answer("the cat " * 80))
    assert chat.messages == before
    assert list(chat.answer("a", 1))


def test_chat_reads_lines(design, llm, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("the cat\n\n"))
    assert "no chat template" in refusal(capsys, "chat", design)
    llm.tokenizer.chat_template = TEMPLATE
    monkeypatch.setattr(llm_files, "load_llm", lambda directory: llm)
    monkeypatch.setattr("sys.stdin", io.StringIO("see the cat\n\na dog\n"))
    text = run(capsys, "chat", design, "--max-new-tokens", 2)
    chat = Chat(llm, sampling=Sampling())
    assert text == "".join("".join(chat.answer(message, 2)) + "\n" for message in ("see the cat", "a dog"))


def test_predictions_count_passes_and_launches(design, capsys):
    def seconds(position: int, tokens: int) -> float:
        """Of a pass there: one launch for both layers at 250 MHz, 75 us to start it."""
        sized, scalars = design / "ir" / "sized.mlir", {"context": max(position, 1), "tokens": tokens}
        words = [f"--scalar={name}={value}" for name, value in scalars.items()]
        cycles = json.loads(harness.run_tool("streamtensor-sim", sized, "--json", *words).succeed().stdout)["cycles"]
        return cycles / 250e6 + 75e-6

    words = ("simulate", design, "--prompt-tokens", 7, "--new-tokens", 14)
    found = json.loads(run(capsys, *words, "--json"))
    prompt = [seconds(at, count) for at, count in ((0, 2), (2, 2), (4, 2), (6, 1))]  # 2 tokens a pass
    answer = [seconds(at, 1) for at in range(7, 20)]
    assert found["ttft_ms"] == pytest.approx(sum(prompt) * 1e3)
    assert found["latency_ms"] == pytest.approx(sum(prompt + answer) * 1e3)
    assert found["tokens_per_second"] == pytest.approx(13 / sum(answer))
    assert answer[0] < answer[-1]  # later tokens read more of the cache
    released = json.loads((design / "simulation.json").read_text())
    assert released["least"]["scalars"] == {"tokens": 1, "context": 1, "position": 0, "layers": 1}
    assert released["least"]["cycles"] / 250e6 + 75e-6 < prompt[0]  # of one layer
    assert "simulated" in run(capsys, *words)
    assert "needs 25 positions" in refusal(capsys, "simulate", design, "--prompt-tokens", 20, "--new-tokens", 6)
    assert "give both, or neither" in refusal(capsys, "simulate", design, "--prompt-tokens", 20)


def test_predictions_count_bytes_and_multiply_adds(design, capsys):
    """Of both layers: linears of 32 and 64 features with half as many of keys and values, attention in tiles of 8."""
    found = json.loads(run(capsys, "simulate", design, "--prompt-tokens", 7, "--new-tokens", 14, "--json"))
    linears = 2 * 32 * 32 + 2 * 32 * 16 + 3 * 32 * 64

    def multiply_adds(tokens: int, rows: int) -> int:
        return 2 * tokens * (linears + 2 * rows * 32)

    prompt = 3 * multiply_adds(2, 8) + multiply_adds(1, 8)
    answer = sum(multiply_adds(1, rows) for rows in [8] * 2 + [16] * 8 + [24] * 3)  # positions 7 to 19
    assert (found["prompt"]["multiply_adds"], found["answer"]["multiply_adds"]) == (prompt, answer)
    [roof] = [each["roofline"] for each in json.loads((design / "simulation.json").read_text())["designs"]]
    for phase in (found["prompt"], found["answer"]):
        seconds, products = phase["seconds"], phase["multiply_adds"]
        assert phase["memory_share"] == pytest.approx(phase["external_bytes"] / seconds / roof["bytes_per_second"])
        assert phase["lane_share"] == pytest.approx(products / (roof["placeable_lanes"] * seconds * 250e6), rel=0.05)
        assert phase["joules"] > found["static_watts"] * seconds
    # Weights and biases are read once in a pass, whatever its tokens are.
    assert found["prompt"]["external_bytes"] > 4 * 2 * linears * 4
    assert [each["position"] for each in found["over_context"]] == [8, 16, 24]


def test_sizes_of_language_models_are_checked(source, tmp_path, capsys):
    module = "streamtensor.frontend.examples:mlp"
    assert "is no language model, and --max-context is for those alone" in refusal(
        capsys, "compile", module, "-o", tmp_path / "m", "--max-context", 8
    )
    words = ("compile", source, "-o", tmp_path / "out", "--max-context")
    assert "the model holds 1 to 128 positions" in refusal(capsys, *words, 129)
    assert "a pass reads 1 to 8 tokens" in refusal(capsys, *words, 8, "--tokens-per-pass", 9)
    assert "no quantisation 'w3a8'" in refusal(capsys, *words, 8, "--quantise", "w3a8")
    assert "--group-size is for quantised weights" in refusal(capsys, *words, 8, "--group-size", 64)
    assert "Groups of 64 do not divide" in refusal(capsys, *words, 8, "--quantise", "w4a8", "--group-size", 64)
    assert not (tmp_path / "out").exists()
