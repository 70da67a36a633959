# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Language models: one layer design, triggered once per layer with that layer's parameters.

Embedding, final norm, LM head and the choice of the next token run on the host in PyTorch. The design has a fixed
number of tokens; the prompt and the tokens found so far are computed again for each new token under a causal mask.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import torch

from streamtensor import compiler, output
from streamtensor.design import Design
from streamtensor.devices import find_device
from streamtensor.errors import RunError, UnsupportedOpError
from streamtensor.frontend import decoder, export, models
from streamtensor.interface import Interface
from streamtensor.memory import Resident, as_tensor
from streamtensor.options import Options
from streamtensor.oracle import Module, Oracle
from streamtensor.process import TIME_LIMIT
from streamtensor.progress import Progress
from streamtensor.source import Program

LAYERS = "layers"
# PyTorch's own results of one program in two orders of calls; SmolLM2's fp32 logits are 8e-4 from its fp64 ones.
_LOOP_TOLERANCE = 1e-4


@dataclass(frozen=True)
class Generation:
    """What `generate` found: the new tokens and their text."""

    prompt: str
    tokens: list[int]
    text: str


@dataclass(frozen=True)
class Step:
    """One forward pass of a generation: padded token ids, the output of each layer, the logits of every position."""

    ids: torch.Tensor
    outputs: list[torch.Tensor | Resident]
    logits: torch.Tensor

    @cached_property
    def layers(self) -> list[torch.Tensor]:
        return [as_tensor(output) for output in self.outputs]


class LanguageModel:
    """A Hugging Face causal language model whose decoder layers run on a design."""

    def __init__(self, design: Design, model, tokenizer, parameters: list[dict] | None = None):
        """`parameters`: those of each layer, as `design` reads them; without, the model's own."""
        self.design = design
        self.model = model
        self.tokenizer = tokenizer
        self.num_tokens = design.manifest["num_tokens"]
        self._decoder = decoder.decoder_of(model)
        self._kinds = decoder.layer_kinds(model)
        layers = range(len(self._decoder.layers))
        self._parameters = parameters or [decoder.layer_parameters(model, index) for index in layers]

    def encode(self, prompt: str) -> list[int]:
        ids = list(self.tokenizer(prompt)["input_ids"])
        known = self.model.get_input_embeddings().num_embeddings
        if ids and max(ids) >= known:
            raise RunError(
                f"The tokenizer gives token {max(ids)}, but the model knows {known} tokens: it is the tokenizer of "
                "another model. Copy tokenizer.json and tokenizer_config.json from where the model was published."
            )
        return ids

    @torch.no_grad()
    def generate(
        self,
        prompt: str,
        max_new_tokens: int = 8,
        progress: Progress | None = None,
        observe: Callable[[Step], None] | None = None,
    ) -> Generation:
        """Continues `prompt` greedily; each new token is fed back. `observe` is given every forward pass."""
        progress = progress or Progress()
        ids = self.encode(prompt)
        self._check_length(len(ids), max_new_tokens)
        tokens: list[int] = []
        with progress.stage("generate", max_new_tokens * len(self._kinds)):
            while len(tokens) < max_new_tokens:
                step = self._forward(pad(ids + tokens, self.num_tokens), progress)
                if observe:
                    observe(step)
                tokens.append(int(step.logits[0, len(ids) + len(tokens) - 1].argmax()))
                if tokens[-1] in end_tokens(self.model):
                    break
        return Generation(prompt, tokens, self.tokenizer.decode(tokens))

    def _check_length(self, prompt_tokens: int, max_new_tokens: int) -> None:
        if prompt_tokens == 0:
            raise RunError("The prompt is empty: give at least one word.")
        needed = prompt_tokens + max_new_tokens - 1
        if max_new_tokens < 1 or needed > self.num_tokens:
            raise RunError(
                f"A prompt of {prompt_tokens} tokens with {max_new_tokens} new ones needs {needed} positions, but the "
                f"design has {self.num_tokens}. Shorten the prompt, ask for fewer tokens, or compile with --num-tokens "
                f"{needed}."
            )

    def _forward(self, ids: torch.Tensor, progress: Progress) -> Step:
        hidden = embed(self.model, ids)
        inputs = {kind: decoder.layer_inputs(self.model, hidden, kind)[1:] for kind in set(self._kinds)}
        outputs = []
        for kind, parameters in zip(self._kinds, self._parameters, strict=True):
            (hidden,) = self.design.execute((hidden, *inputs[kind]), parameters)
            outputs.append(hidden)
            progress.advance()
        hidden = self._decoder.final_norm(as_tensor(hidden))
        return Step(ids, outputs, self.model.get_output_embeddings()(hidden))


def embed(model, ids: torch.Tensor) -> torch.Tensor:
    """What the first layer reads of token ids [1, tokens]."""
    return model.get_input_embeddings()(ids) + decoder.decoder_of(model).embed_positions(ids.shape[1])


class _HostLayers:
    """In the place of a design: the first layer in PyTorch, with the parameters that it is given."""

    def __init__(self, model, num_tokens: int):
        self.manifest = {"num_tokens": num_tokens}
        self._layer = decoder.wrap_layer(model, 0)

    def execute(self, inputs: tuple[torch.Tensor, ...], parameters: dict[str, torch.Tensor]) -> list[torch.Tensor]:
        named = {f"layer.{name}": tensor for name, tensor in parameters.items()}
        return [torch.func.functional_call(self._layer, named, inputs)]


@torch.no_grad()
def check_loop(model, num_tokens: int) -> None:
    """Refuses a model that computes anything but an embedding, layers alike, a final norm and a head."""
    decoder.use_eager_attention(model)
    ids = torch.arange(num_tokens)[None, :] % model.get_input_embeddings().num_embeddings
    found = LanguageModel(_HostLayers(model, num_tokens), model, None)._forward(ids, Progress()).logits
    expected = model(ids, attention_mask=torch.ones_like(ids), use_cache=False).logits
    error = float((found - expected).abs().max() / expected.abs().max())
    if not error < _LOOP_TOLERANCE:
        raise UnsupportedOpError(
            f"{type(model).__name__} computes more than an embedding, layers that are alike, a final norm and a head: "
            f"without the rest, a logit is off by {error:.2g} of the largest. The layer loop would be wrong on it. "
            "Compile its parts one by one with streamtensor.compile."
        )


def pad(ids: list[int], num_tokens: int) -> torch.Tensor:
    """`ids` in a row of `num_tokens`, [1, num_tokens]. The mask is causal, so what follows changes nothing before it.

    The text repeats: every position then holds values of ordinary size. Behind a run of one special token SmolLM2 is
    so badly conditioned that PyTorch's own fp32 logits are 8e-4 away from its fp64 ones.
    """
    return torch.tensor([[ids[position % len(ids)] for position in range(num_tokens)]])


def end_tokens(model) -> set[int]:
    ends = model.generation_config.eos_token_id if model.generation_config else None
    return set(ends) if isinstance(ends, list) else {ends} - {None}


def compile_llm(
    model_or_path: object,
    tokenizer=None,
    num_tokens: int = 16,
    options: Options | None = None,
    out: str | Path = "out",
    progress: Progress | None = None,
) -> LanguageModel:
    """Compiles one decoder layer of a causal language model, given as a model, a directory or a GGUF file."""
    options, progress = options or Options(), progress or Progress()
    device = find_device(options.device)
    output.check(out, options.force, options.stops_before_code)
    origin = str(Path(model_or_path).absolute()) if isinstance(model_or_path, str | Path) else None
    with progress.stage("load"):
        model, tokenizer = _load_model(origin) if origin else (model_or_path, tokenizer)
    with progress.stage("export"):
        decoder.check_model(model)
        export.check_weights(model)
        program = layer_program(model, num_tokens, options.time_limit)
        check_loop(model, num_tokens)
    extra = {"num_tokens": num_tokens, LAYERS: len(decoder.decoder_of(model).layers), "origin": origin}
    design = compiler.compile_program(
        program, device, options, Path(out), progress, extra, lambda work: _save(work, model, tokenizer, origin)
    )
    return LanguageModel(design, model, tokenizer, _load(design))


def _load_model(origin: str):
    """Model and tokenizer; what a directory's configuration alone shows to be impossible is refused before."""
    if Path(origin).is_dir():
        decoder.check_model(models.without_weights(origin))
    return models.load_causal_lm(origin)


def layer_program(model, num_tokens: int, time_limit: float = TIME_LIMIT) -> Program:
    """The program of one layer, after a check that the last layer is the same program."""
    first = decoder.export_decoder_layer(model, num_tokens, 0, time_limit)
    last_index = len(decoder.decoder_of(model).layers) - 1
    if last_index and decoder.export_decoder_layer(model, num_tokens, last_index, time_limit).text != first.text:
        raise UnsupportedOpError(
            f"The layers 0 and {last_index} of {type(model).__name__} compute different things (a constant or a shape "
            "differs): one design cannot serve both. Compile each layer with streamtensor.compile."
        )
    first.parameters = {}
    return Program(type(model).__name__, first.text, first, partial(_oracles, model, num_tokens))


def _oracles(model, num_tokens: int, seed: int) -> list[Oracle]:
    """The first and the last layer of the model, each on embeddings of random tokens."""
    generator = torch.Generator().manual_seed(seed)
    last = len(decoder.decoder_of(model).layers) - 1
    return [_layer_oracle(model, index, num_tokens, generator, seed) for index in (0, last)]


@torch.no_grad()
def _layer_oracle(model, index: int, num_tokens: int, generator: torch.Generator, seed: int) -> Oracle:
    table = model.get_input_embeddings()
    hidden = embed(model, torch.randint(table.num_embeddings, (1, num_tokens), generator=generator))
    inputs = decoder.layer_inputs(model, hidden, decoder.layer_kinds(model)[index])
    title = f"layer {index} with embeddings of seed {seed}"
    return Module(title, decoder.wrap_layer(model, index), inputs, decoder.layer_parameters(model, index))


def _save(work: Path, model, tokenizer, origin: str | None) -> None:
    """The packed parameters of each layer and, for a model that came from no file, the model itself."""
    from safetensors.torch import save_file

    directory = work / "params"
    directory.mkdir(exist_ok=True)
    interface = Interface(work)
    for index in range(len(decoder.decoder_of(model).layers)):
        packed = interface.pack_parameters(decoder.layer_parameters(model, index))
        copies = {name: tensor.detach().contiguous().clone() for name, tensor in packed.items()}
        save_file(copies, directory / f"{_layer_name(index)}.safetensors")
    if origin is None:
        model.save_pretrained(work / "model")
        if tokenizer is not None:
            tokenizer.save_pretrained(work / "model")


def _layer_name(index: int) -> str:
    return f"layer-{index:02d}"


def _load(design: Design) -> list[dict] | None:
    """The parameters of each layer; none where the compilation stopped before the code."""
    if not (design.directory / "interface.json").exists():
        return None
    return [design.load_parameters(_layer_name(index)) for index in range(design.manifest[LAYERS])]


def load_llm(directory: str | Path) -> LanguageModel:
    """Opens the output directory of `compile_llm`."""
    design = Design(directory)
    if LAYERS not in design.manifest:
        raise RunError(
            f"The design in {directory} is not a language model: compile a Hugging Face directory or a GGUF file, or "
            "use `streamtensor run`."
        )
    model, tokenizer = models.load_causal_lm(_model_path(design))
    decoder.use_eager_attention(model)
    return LanguageModel(design, model, tokenizer, _load(design))


def _model_path(design: Design) -> Path:
    """Where the model's own files lie: the design holds the parameters of its layers alone."""
    path = Path(design.manifest["origin"] or design.directory / "model")
    if path.exists():
        return path
    raise RunError(
        f"The design in {design.directory} was compiled from '{path}', which is no longer there: embedding, tokenizer "
        "and LM head are read from it. Move the model back, or compile it again where it is now."
    )


def write_run(design: Design, data: dict) -> None:
    """Keeps what the last checked generation found, for the report."""
    output.write_file(design.directory / "run.json", json.dumps(data, indent=1) + "\n")
