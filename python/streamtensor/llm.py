# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Language models: one layer design, which a launch takes through all layers, each with its parameters and cache.

A pass reads up to T tokens (`tokens_per_pass`, the last pass of a prompt is padded) behind those of the cache: the
same design reads the prompt in chunks and then takes each new token. Embedding, final norm, LM head and the choice of
the next token run on the host in PyTorch. The caches lie where the design reads them and writes each pass's new rows;
where it cannot, the host writes them. On demand, or where a design cannot loop over the layers, the host launches it
once for each of them. On demand final norm and head are a design too, launched once for each new token, and what it
gives for the best token may be what the next pass reads.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from streamtensor import dtypes
from streamtensor.answer import DeviceAnswer, Launched
from streamtensor.design import Design
from streamtensor.errors import CompileError, RunError, UnsupportedOpError
from streamtensor.frontend import decoder
from streamtensor.frontend.cached_decoder import FLOAT, LAYERS, Context, context_of
from streamtensor.head import DeviceHead
from streamtensor.kv_cache import KeyValueCache
from streamtensor.layer_program import HostLayers, Shape
from streamtensor.lengths import check_length
from streamtensor.memory import Resident, as_tensor
from streamtensor.oracle import Stacked
from streamtensor.progress import Progress
from streamtensor.quantise import is_quantised
from streamtensor.sampling import Sampler, Sampling
from streamtensor.stored import DEVICE, HOST, MOST_POSITIONS

# PyTorch's own results of one program in two orders of calls; SmolLM2's fp32 logits are 8e-4 from its fp64 ones.
_LOOP_TOLERANCE = 1e-4
_QUANTISED_LOOP_TOLERANCE = 2e-2  # where a rounding may move an activation to the next integer
CHECKED_TOKENS, _CHECKED_PASS = 7, 4
# Who goes through the layers of a pass, and where the manifest says so.
LOOPS = (DEVICE, HOST)
LAYERS_ON = "layers_on"


@dataclass(frozen=True)
class Generation:
    """What `generate` found: the new tokens, an end token among them, their text, and the time it took."""

    prompt: str | list[int]
    tokens: list[int]
    text: str
    seconds: float


@dataclass(frozen=True)
class Pass:
    """One pass over all layers: its first position, how many tokens it read, what each layer gave for them.

    `head` is PyTorch's; `chosen`: the logits of the last token by a head on the device, if that was asked.
    """

    position: int
    count: int
    outputs: list[torch.Tensor | Resident]
    head: Callable[[torch.Tensor], torch.Tensor]
    chosen: torch.Tensor | None = None

    @cached_property
    def layers(self) -> list[torch.Tensor]:
        """Of each layer [1, count, hidden]."""
        return [as_tensor(output)[:, : self.count] for output in self.outputs]

    @cached_property
    def logits(self) -> torch.Tensor:
        """[1, count, vocabulary]."""
        return self.head(self.layers[-1])

    @property
    def last_hidden(self) -> torch.Tensor:
        """What the last layer gave for the last token, [1, 1, hidden]."""
        return as_tensor(self.outputs[-1])[:, self.count - 1 : self.count]

    @property
    def last_logits(self) -> torch.Tensor:
        """Of the last token, [vocabulary]."""
        if self.chosen is not None:
            return self.chosen
        return self.head(self.last_hidden)[0, 0]


class LanguageModel:
    """A Hugging Face causal language model whose decoder layers run on a design."""

    def __init__(
        self,
        design: Design,
        model,
        tokenizer,
        parameters: list[dict] | None = None,
        head: DeviceHead | None = None,
        answer: DeviceAnswer | None = None,
    ):
        """`parameters`: those of each layer, or of all in one, as `design` reads them; without, the model's own.

        `head`: final norm and LM head on the device; without, PyTorch computes them. `answer`: the kernel that makes
        several tokens in a launch; it holds layers and head.
        """
        self.design = design
        self.model = model
        self.tokenizer = tokenizer
        self.max_context: int = design.manifest["max_context"]
        self.most_positions: int | None = design.manifest.get(MOST_POSITIONS)
        self.tokens_per_pass: int = design.manifest["tokens_per_pass"]
        self.head = head
        self.answer = answer
        self.loops_over_layers: bool = design.manifest.get(LAYERS_ON, HOST) == DEVICE
        self._parameters = parameters or ([] if answer else parameters_of(model, self.loops_over_layers))

    @cached_property
    def context(self) -> Context:
        return context_of(self.model, self.max_context, self.design.manifest.get("cache", FLOAT))

    @cached_property
    def _cache(self) -> KeyValueCache:
        return self.new_cache()

    def new_cache(self) -> KeyValueCache:
        """An empty cache, for a text that is continued call by call."""
        if self.answer:
            return KeyValueCache(self, [self.answer.interface.row_buffers()])
        return KeyValueCache(self, [self.design.row_buffers() for _ in self._parameters])

    def encode(self, prompt: str | list[int]) -> list[int]:
        """Token ids of a text; ids are checked alone."""
        if isinstance(prompt, str) and self.tokenizer is None:
            raise RunError(
                "The prompt is a text, but the model was compiled without a tokenizer: give the numbers of its tokens, "
                "or compile with compile_llm(..., tokenizer=...)."
            )
        given = self.tokenizer(prompt)["input_ids"] if isinstance(prompt, str) else prompt
        try:
            ids = [int(operator.index(token)) for token in given]
        except TypeError:
            raise RunError(f"The prompt is {given!r}: it must be a text or the whole numbers of tokens.") from None
        known = self.model.get_input_embeddings().num_embeddings
        unknown = next((token for token in ids if not 0 <= token < known), None)
        if unknown is not None and not isinstance(prompt, str):
            raise RunError(f"The prompt has token {unknown}, but the model knows tokens 0 to {known - 1}: give those.")
        if unknown is not None:
            raise RunError(
                f"The tokenizer gives token {unknown}, but the model knows {known} tokens: it is the tokenizer of "
                "another model. Copy tokenizer.json and tokenizer_config.json from where the model was published."
            )
        return ids

    def generate(
        self,
        prompt: str | list[int],
        max_new_tokens: int = 8,
        progress: Progress | None = None,
        observe: Callable[[Pass], None] | None = None,
        tell: Callable[[str], None] | None = None,
        sampling: Sampling | None = None,
        cache: KeyValueCache | None = None,
    ) -> Generation:
        """Continues `prompt`, greedily without `sampling`. `observe` is given every pass, `tell` every piece of text.

        With `cache`, its tokens are not read again as far as the prompt begins with them.
        """
        progress, tokens, start = progress or Progress(), [], time.monotonic()
        with progress.stage("generate"):
            for piece in self._pieces(self.tokens(prompt, max_new_tokens, sampling, cache, observe, progress), tokens):
                if tell:
                    tell(piece)
        return Generation(prompt, tokens, self.text_of(tokens), time.monotonic() - start)

    def stream(
        self,
        prompt: str | list[int],
        max_new_tokens: int = 8,
        sampling: Sampling | None = None,
        cache: KeyValueCache | None = None,
    ) -> Iterator[str]:
        """As `generate`, giving each piece of text as soon as it is known."""
        return self._pieces(self.tokens(prompt, max_new_tokens, sampling, cache), [])

    def _pieces(self, found: Iterator[int], tokens: list[int]) -> Iterator[str]:
        """The text of the tokens found, which are added to `tokens`; a character of several tokens comes whole."""
        shown = ""
        for token in found:
            tokens.append(token)
            text = self.text_of(tokens)
            if text.startswith(shown) and not text.endswith("\N{REPLACEMENT CHARACTER}"):
                yield text[len(shown) :]
                shown = text
        rest = self.text_of(tokens)[len(shown) :]
        if rest:
            yield rest

    def text_of(self, tokens: list[int]) -> str:
        """The text of new tokens, without an end token; empty without a tokenizer."""
        if self.tokenizer is None:
            return ""
        ended = bool(tokens) and tokens[-1] in end_tokens(self.model)
        return self.tokenizer.decode(tokens[:-1] if ended else tokens)

    @torch.no_grad()
    def tokens(
        self,
        prompt: str | list[int],
        max_new_tokens: int,
        sampling: Sampling | None = None,
        cache: KeyValueCache | None = None,
        observe: Callable[[Pass], None] | None = None,
        progress: Progress | None = None,
    ) -> Iterator[int]:
        """The new tokens one by one, until an end token or `max_new_tokens`."""
        ids = self.encode(prompt)
        check_length(len(ids), max_new_tokens, self.max_context, self.most_positions)
        cache = self._own_cache() if cache is None else cache
        cache.check_owner(self)
        chooser = self.answer or self.head
        if chooser:
            chooser.check(sampling or Sampling())
        sampler, ends = Sampler(sampling or Sampling()), end_tokens(self.model)
        count = 0
        while count < max_new_tokens:
            unread = cache.keep_common(ids)  # the last token, unless another text was read into the cache meanwhile
            if self.answer and not observe:
                # The first token does not wait for others.
                most = max_new_tokens - count if count else 1
                found = self._answer(unread, cache, most, progress or Progress())
            else:
                found = [sampler.choose(self.read(unread, cache, observe, progress), ids)]
            for token in found:
                yield token
                ids.append(token)
                if token in ends:
                    return
            count += len(found)

    def _own_cache(self) -> KeyValueCache:
        """For a text that stands alone: empty."""
        self._cache.keep(0)
        return self._cache

    @torch.no_grad()
    def read(
        self,
        ids: list[int],
        cache: KeyValueCache,
        observe: Callable[[Pass], None] | None = None,
        progress: Progress | None = None,
    ) -> torch.Tensor:
        """Takes `ids` in behind what `cache` has, pass by pass; gives the logits of the last, [vocabulary]."""
        progress = progress or Progress()
        for start in range(0, len(ids), self.tokens_per_pass):
            is_last = start + self.tokens_per_pass >= len(ids)
            found = self._pass(ids[start : start + self.tokens_per_pass], cache, progress, is_last)
            if self.head and is_last:
                following = self.context.numbers(1, len(cache.tokens))
                found = replace(found, chosen=self.head.logits(found.last_hidden, following))
            if observe:
                observe(found)
        return found.last_logits

    def _answer(self, ids: list[int], cache: KeyValueCache, most: int, progress: Progress) -> list[int]:
        """Takes `ids` in, and gives the tokens behind them that the last launch makes, at most `most`."""
        start = (len(ids) - 1) // self.tokens_per_pass * self.tokens_per_pass
        for each in range(0, start, self.tokens_per_pass):
            self._pass(ids[each : each + self.tokens_per_pass], cache, progress, False)
        # All passes of a launch read as many tokens.
        rest = ids[start:]
        turns = min(self.answer.turns, most) if len(rest) == 1 else 1
        found = self._launch(rest, cache, turns, True)
        cache.extend(rest + found.tokens[:-1])
        progress.advance()
        return found.tokens

    def _launch(self, ids: list[int], cache: KeyValueCache, turns: int, chooses: bool) -> Launched:
        """`turns` passes, the first of them on `ids`."""
        position, count = len(cache.tokens), len(ids)
        inputs = self.context.all_inputs(position, self.tokens_per_pass)
        scalars = self.context.scalars(position, count)
        return self.answer.launch(self._embed(ids, position), cache.read(0), inputs, count, scalars, turns, chooses)

    def _pass(self, ids: list[int], cache: KeyValueCache, progress: Progress, is_last: bool) -> Pass:
        """All layers on at most T tokens; `is_last`: a token follows."""
        position, count = len(cache.tokens), len(ids)
        if self.answer:
            launched = self._launch(ids, cache, 1, is_last)
            cache.extend(ids)
            progress.advance()
            return Pass(position, count, list(launched.states), self._head, launched.logits(self._vocabulary))
        hidden = self._embed(ids, position)
        through = self._all_layers if self.loops_over_layers else self._layer_by_layer
        outputs = through(hidden, position, count, cache, progress)
        cache.extend(ids)
        return Pass(position, count, outputs, self._head)

    def _embed(self, ids: list[int], position: int) -> torch.Tensor:
        """What the first layer reads of at most T tokens, [1, T, hidden]. What pads them comes after them, is seen by
        none, and costs no time where the design takes their number."""
        made = self.head.embedded(ids, position) if self.head else None
        if made is not None:
            return made.repeat(1, self.tokens_per_pass, 1)
        padded = [ids[index % len(ids)] for index in range(self.tokens_per_pass)]
        return self.context.embed(torch.tensor([padded]), position)

    def _all_layers(
        self, hidden: torch.Tensor, position: int, count: int, cache: KeyValueCache, progress: Progress
    ) -> list[torch.Tensor]:
        """In one launch."""
        inputs = self.context.all_inputs(position, self.tokens_per_pass)
        scalars = self.context.scalars(position, count) | {LAYERS: len(self.context.kinds)}
        found, *rows = self.design.execute((hidden, *cache.read(0), *inputs), self._parameters[0], scalars)
        _write_rows(cache, 0, rows, count)
        progress.advance()
        return list(as_tensor(found))

    def _layer_by_layer(
        self, hidden: torch.Tensor | Resident, position: int, count: int, cache: KeyValueCache, progress: Progress
    ) -> list[torch.Tensor | Resident]:
        """In a launch each."""
        kinds = self.context.kinds
        inputs = {kind: self.context.inputs(kind, position, self.tokens_per_pass) for kind in set(kinds)}
        outputs, scalars = [], self.context.scalars(position, count)
        for index, (kind, parameters) in enumerate(zip(kinds, self._parameters, strict=True)):
            given = (hidden, *cache.read(index), *inputs[kind])
            hidden, *rows = self.design.execute(given, parameters, scalars)
            _write_rows(cache, index, rows, count)
            outputs.append(hidden)
            progress.advance()
        return outputs

    @property
    def _vocabulary(self) -> int:
        return self.model.get_output_embeddings().out_features

    def _head(self, hidden: torch.Tensor) -> torch.Tensor:
        return self.model.get_output_embeddings()(decoder.decoder_of(self.model).final_norm(hidden))


def _write_rows(cache: KeyValueCache, layer: int, rows: list[torch.Tensor | Resident | None], count: int) -> None:
    """None: the design has written them into the cache."""
    cache.write(layer, *(None if each is None else as_tensor(each)[..., :count, :] for each in rows))


def parameters_of(model, loops_over_layers: bool) -> list[Mapping[str, torch.Tensor]]:
    """What launches read of the model's layers: those of each, or of all in one."""
    layers = [decoder.layer_parameters(model, index) for index in range(len(decoder.decoder_of(model).layers))]
    return [Stacked(layers)] if loops_over_layers else layers


@torch.no_grad()
def check_loop(model, num_tokens: int = CHECKED_TOKENS) -> None:
    """Refuses a model that computes anything but an embedding, layers alike, a final norm and a head.

    The loop runs in PyTorch, in passes with a cache, against the model's own forward pass.
    """
    decoder.use_eager_attention(model)
    loop = LanguageModel(HostLayers(context_of(model, num_tokens), Shape(_CHECKED_PASS, num_tokens)), model, None)
    ids = [index % model.get_input_embeddings().num_embeddings for index in range(num_tokens)]
    passes: list[Pass] = []
    loop.read(ids, loop.new_cache(), passes.append)
    found = torch.cat([each.logits for each in passes], 1)
    expected = model(torch.tensor([ids]), attention_mask=torch.ones(1, num_tokens), use_cache=False).logits
    error = float((found - expected).abs().max() / expected.abs().max())
    if not error < (_QUANTISED_LOOP_TOLERANCE if is_quantised(model) else _LOOP_TOLERANCE):
        if model.training:
            raise CompileError(
                f"{type(model).__name__} is in training mode, where it drops numbers: call model.eval()."
            )
        halves = {parameter.dtype for parameter in model.parameters() if dtypes.is_half(parameter.dtype)}
        if halves:
            raise CompileError(
                f"{type(model).__name__} has weights of {halves.pop()} and rounds to them between operations that a "
                "design computes at once: call model.float()."
            )
        raise UnsupportedOpError(
            f"{type(model).__name__} computes more than an embedding, layers that are alike, a final norm and a head: "
            f"without the rest, a logit is off by {error:.2g} of the largest. The layer loop would be wrong on it. "
            "Compile its parts one by one with streamtensor.compile."
        )


def end_tokens(model) -> set[int]:
    ends = model.generation_config.eos_token_id if model.generation_config else None
    return set(ends) if isinstance(ends, list) else {ends} - {None}
