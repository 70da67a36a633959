# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Language models compiled into a directory, and opened from one."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from streamtensor import card_memory, compiler, output
from streamtensor.answer_files import build_answer, load_answer
from streamtensor.card_memory import OnCard
from streamtensor.design import Design
from streamtensor.devices import find_device
from streamtensor.errors import CompileError, Error, RunError
from streamtensor.frontend import decoder, export, flat_state, models
from streamtensor.frontend.cached_decoder import CACHE_ARGUMENTS, FLOAT, context_of, most_positions
from streamtensor.head import VOCABULARY, DeviceHead
from streamtensor.head_files import Wish, build_head
from streamtensor.interface import Interface
from streamtensor.layer_program import Shape, check_zeros, examples, program_of_examples
from streamtensor.llm import CHECKED_TOKENS, LAYERS_ON, LOOPS, LanguageModel, check_loop, parameters_of
from streamtensor.memory import apart
from streamtensor.options import Options
from streamtensor.oracle import Oracle
from streamtensor.progress import Progress
from streamtensor.quantise import Quantisation, copy_for_quantisation, quantise_model
from streamtensor.schemes import GROUP_SIZE
from streamtensor.source import Program
from streamtensor.stored import ANSWER, DEVICE, HEAD, HEAD_ON, HOST, MOST_POSITIONS, WORKLOAD
from streamtensor.workload import Workload, try_passes

LAYERS = "layers"
_DIGEST = "origin_digest"
_DIGESTED = 64  # elements of each tensor, at most
MAX_CONTEXT = 256
# Of all passes of a text only those of its prompt can be full: benchmarks/tokens_per_pass.py.
TOKENS_PER_PASS = 1


def compile_llm(
    model_or_path: object,
    tokenizer=None,
    max_context: int | None = None,
    tokens_per_pass: int | None = None,
    options: Options | None = None,
    out: str | Path = "out",
    progress: Progress | None = None,
    quantise: str | None = None,
    group_size: int = GROUP_SIZE,
    cache: str = FLOAT,
    layers: str = DEVICE,
    head: str = HOST,
    head_share: int | None = None,
    candidates: int | None = None,
    embedding: str = HOST,
    tokens_per_launch: int = 1,
    workload: tuple[int, int] | None = None,
) -> LanguageModel:
    """Compiles one decoder layer of a causal language model, given as a model, a directory or a GGUF file.

    `max_context`: the longest text in tokens, prompt and answer together; 256 without it, or less if the model holds
    less. `tokens_per_pass`: how many tokens one pass over the layers reads, 1 without it; or `workload`, tokens of the
    prompt and new ones of the texts that the design is for: it is then compiled for the number of tokens a pass with
    which such a text is predicted to take the least time. `quantise`: a scheme of
    streamtensor.quantise, with a scale for each `group_size` weights of a row; a model handed over stays as it is.
    `cache`: "float" or "int8", one scale for each head and token. `layers`: "device", one launch for all layers of a
    pass, or "host", one for each layer. Where a design cannot loop over them the compilation says why.
    `head`: "host", or "device": final norm and LM head as a design of their own, which takes `head_share` percent of
    the lanes (without it, by its share of a token's products) and gives all logits or, with `candidates`, so many of
    the best. `embedding`: "host", or "device": the head also gives the embedding of the best token for the next pass.
    `tokens_per_launch`: how many tokens one launch makes at most, one pass after the other; above 1, layers, head and
    embedding are on the device, which then takes the likeliest token each time.
    """
    if layers not in LOOPS:
        raise CompileError(f"layers is '{layers}': choose one of {', '.join(LOOPS)}.")
    wish = _wish(head, head_share, candidates, embedding, tokens_per_launch)
    if tokens_per_launch > 1 and layers == HOST:
        raise CompileError(
            "Several tokens in one launch go through all layers there: leave layers='host' (--layers host) out."
        )
    options, progress = options or Options(), progress or Progress()
    tried = None
    if workload is not None:
        if tokens_per_pass is not None:
            raise CompileError(
                "workload chooses the tokens of a pass, and tokens_per_pass (--tokens-per-pass) states them: leave one "
                "of the two out."
            )

        def build(tokens: int, directory: Path) -> object:
            own = replace(options, compare=False)
            return compile_llm(
                model_or_path,
                tokenizer,
                max_context,
                tokens,
                own,
                directory,
                quantise=quantise,
                group_size=group_size,
                cache=cache,
                layers=layers,
                head=head,
                head_share=head_share,
                candidates=candidates,
                embedding=embedding,
                tokens_per_launch=tokens_per_launch,
            )

        is_whole = options.stop_after is None and options.schedule is None
        tried = try_passes(Workload(*workload), build, options.tile_size, is_whole, progress)
        tokens_per_pass = tried.tokens_per_pass
    if tokens_per_pass is None:
        tokens_per_pass = TOKENS_PER_PASS
    if tokens_per_launch > 1 and options.kernels != "one":
        raise CompileError(
            f"tokens_per_launch is {tokens_per_launch} and kernels is '{options.kernels}': a launch of several tokens "
            "is one kernel, which calls layers and head in turn. Leave one of the two out."
        )
    device = find_device(options.device)
    output.check(out, options.force, options.stops_before_code)
    origin = str(Path(model_or_path).absolute()) if isinstance(model_or_path, str | Path) else None
    with progress.stage("load"):
        model, tokenizer = _load_model(origin) if origin else (model_or_path, tokenizer)
        digest = _digest(model, tokenizer) if origin else None
    with progress.stage("export"):
        decoder.check_model(model)
        export.check_weights(model)
        found, positions = model, _max_context(model, max_context)
        _check_most("tokens_per_pass", "a pass reads", tokens_per_pass, positions)
        _check_most("tokens_per_launch", "a launch makes", tokens_per_launch, positions)
        if tokens_per_launch > 1 and len(decoder.decoder_of(model).layers) == 1:
            raise CompileError(
                "Several tokens in one launch need a design that goes through all layers by itself, and the model has "
                "one layer only: leave tokens_per_launch (--tokens-per-launch) out."
            )
        decoder.use_eager_attention(model)
        check = partial(check_loop, model, min(positions, CHECKED_TOKENS))
        # What is quantised in place is no longer what its layers are compared with.
        checks_first = bool(quantise and origin)
        if checks_first:
            check()
        quantisation = None
        if quantise:
            model = model if origin else copy_for_quantisation(model)  # one that was loaded is ours
            quantisation = Quantisation(model, quantise, group_size, origin, joins=True, head=wish is not None)
            every = decoder.decoder_of(model).layers
            quantisation.take(every[index] for index in examples(decoder.layer_kinds(model)))
        context = context_of(model, positions, cache)
        # Each turn of a launch may begin at each position that the first one may.
        rows = positions + tokens_per_pass - 1 + tokens_per_launch - 1
        shape = Shape(tokens_per_pass, _rows(rows, options.tile_size), tokens_per_launch > 1)
        try:
            program = program_of_examples(context, shape, options.time_limit, layers == DEVICE)
        except Error:
            if not checks_first:  # it says what is wrong with the model, not with one of its layers
                check()
            raise
    scheme = {"scheme": quantise, "group_size": group_size, "joins": True, **({HEAD: True} if wish else {})}
    extra = {
        "max_context": context.max_context,
        MOST_POSITIONS: most_positions(model),
        "tokens_per_pass": tokens_per_pass,
        "quantise": scheme if quantise else None,
        "cache": cache,
        LAYERS: len(decoder.decoder_of(model).layers),
        "origin": origin,
        _DIGEST: digest,
        HEAD_ON: head,
        **({WORKLOAD: tried.to_json()} if tried else {}),
    }
    sizes = card_memory.Context(
        cache_arguments=CACHE_ARGUMENTS,
        max_context=context.max_context,
        tile=options.tile_size,
        least=max(tokens_per_pass, tokens_per_launch),
        has_float_cache=cache == FLOAT,
        is_quantised=quantise is not None,
        layers=extra[LAYERS],
    )
    with output.scratch(out) as scratch, ThreadPoolExecutor(1) as pool:
        built = None
        if wish:
            built = build_head(context, device, options, wish, tokens_per_pass, scratch, Path(out), progress)
            extra[HEAD] = built.facts
            sizes = replace(sizes, beside=built.programs())

        def complete() -> None:
            if not checks_first:
                check()
            if quantisation:
                quantisation.finish()
            check_zeros(model, program)

        def save(work: Path) -> None:
            rest.result()
            extra[LAYERS_ON] = DEVICE if Interface(work).layers else HOST
            if own_files:
                shutil.move(own_files.result(), work / "model")
            if built:
                built.put(work)
            if tokens_per_launch == 1:
                _save_parameters(work, model)
                return
            parameters = {LAYERS: parameters_of(model, True)[0], HEAD: built.parameters}
            extra[ANSWER] = build_answer(work, device, options, tokens_per_launch, parameters)
            programs = [OnCard.read(work / ANSWER)]
            card_memory.check_memory(program.name, device.card, work / compiler.DEVICE_FILE, programs, sizes)

        # The model is checked, its other layers are quantised, and one that came from no file is written, while the
        # compiler, another process, is at work.
        rest = pool.submit(complete)
        if not options.emits:
            rest.result()
        is_kept = origin is None and options.emits
        own_files = pool.submit(_save_model, found, tokenizer, scratch / "model") if is_kept else None
        left = built.rest if built else device
        with built.blaming() if built else nullcontext():
            design = compiler.compile_program(
                _with_all_layers(program, rest), left, options, Path(out), progress, extra, save, sizes
            )
    return _opened(design, model, tokenizer)


def _opened(design: Design, model, tokenizer) -> LanguageModel:
    answer = load_answer(design)
    if answer:
        return LanguageModel(design, model, tokenizer, answer=answer)
    return LanguageModel(design, model, tokenizer, _load(design), _load_head(design))


def _with_all_layers(program: Program, rest: Future) -> Program:
    """`program`, whose oracles wait for `rest`."""

    def waiting(draw: Callable[[int], list[Oracle]], seed: int) -> list[Oracle]:
        rest.result()
        return draw(seed)

    return replace(program, oracles=partial(waiting, program.oracles), looped=partial(waiting, program.looped))


def _wish(head: str, share: int | None, candidates: int | None, embedding: str, turns: int) -> Wish | None:
    """What is asked for of a head on the device; none where it is the host's."""
    if turns < 1:
        raise CompileError(f"tokens_per_launch is {turns}: a launch makes 1 token at least.")
    for name, value in (("head", head), ("embedding", embedding)):
        if value not in (DEVICE, HOST):
            raise CompileError(f"{name} is '{value}': choose one of {DEVICE}, {HOST}.")
    if head == DEVICE:
        return Wish(share, candidates, embedding == DEVICE, turns)
    if turns > 1:
        raise CompileError(
            "Several tokens in one launch need a head on the device: give head='device', candidates=1 and "
            "embedding='device' (--head device --candidates 1 --embedding device) as well."
        )
    if share is not None or candidates is not None or embedding == DEVICE:
        raise CompileError(
            "head_share, candidates and an embedding on the device are of a head on the device: give head='device' "
            "(--head device) as well, or leave them out."
        )
    return None


def _load_model(origin: str):
    """Model and tokenizer; what a directory's configuration alone shows to be impossible is refused before."""
    if Path(origin).is_dir():
        decoder.check_model(models.without_weights(origin))
    return models.load_causal_lm(origin)


def _max_context(model, asked: int | None) -> int:
    if asked is None:
        return min(MAX_CONTEXT, most_positions(model) or MAX_CONTEXT)
    if not isinstance(asked, int) or asked < 1:
        raise CompileError(f"max_context is {asked!r}: it is a whole number of tokens, one at least.")
    return asked


def _check_most(name: str, does: str, tokens: int, max_context: int) -> None:
    if not 1 <= tokens <= max_context:
        raise CompileError(
            f"{name} is {tokens}, but {does} 1 to {max_context} tokens (max_context): choose a number between."
        )


def _rows(count: int, tile: int) -> int:
    """Rows of a cache that holds `count`: whole tiles, so that a context of awkward length makes no awkward tiles."""
    return -(-count // tile) * tile


def _save_model(given, tokenizer, directory: Path) -> Path:
    """The model as it was `given`, and its tokenizer."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
    given.save_pretrained(directory)
    if tokenizer is not None:
        tokenizer.save_pretrained(directory)
    return directory


def _save_parameters(work: Path, model) -> None:
    """The packed parameters of each layer."""
    from safetensors.torch import save_file

    directory = work / "params"
    directory.mkdir(exist_ok=True)
    interface = Interface(work)
    for index, parameters in enumerate(parameters_of(model, interface.layers > 0)):
        packed = interface.pack_parameters(parameters)
        save_file(apart(packed), directory / f"{_layer_name(index, interface.layers > 0)}.safetensors")


def _layer_name(index: int, has_all: bool) -> str:
    return "layers" if has_all else f"layer-{index:02d}"


def _load(design: Design) -> list[dict] | None:
    """The parameters of each layer, or of all in one; none where the compilation stopped before the code."""
    if not (design.directory / "interface.json").exists():
        return None
    has_all = design.manifest.get(LAYERS_ON, HOST) == DEVICE
    count = 1 if has_all else design.manifest[LAYERS]
    return [design.load_parameters(_layer_name(index, has_all)) for index in range(count)]


def _load_head(design: Design) -> DeviceHead | None:
    """None where PyTorch is the head, and where the compilation stopped before the code."""
    if not (design.directory / "interface.json").exists() or design.head is None:
        return None
    return DeviceHead(Design(design.head))


def load_llm(directory: str | Path) -> LanguageModel:
    """Opens the output directory of `compile_llm`."""
    design = Design(directory)
    if VOCABULARY in design.manifest:
        raise RunError(
            f"The design in {directory} is the head of a language model: name the directory of its layers, "
            f"'{Path(directory).absolute().parent}'."
        )
    if LAYERS not in design.manifest:
        raise RunError(
            f"The design in {directory} is not a language model: compile a Hugging Face directory or a GGUF file, or "
            "use `streamtensor run`."
        )
    model, tokenizer = models.load_causal_lm(_model_path(design))
    known = design.manifest.get(_DIGEST)
    if known and known != _digest(model, tokenizer):
        raise RunError(
            f"The design in {design.directory} was compiled from '{design.manifest['origin']}', which holds other "
            "weights or another vocabulary by now: embedding, tokenizer and LM head would not be those of its layers. "
            "Put the model back, or compile the one that is there."
        )
    if design.manifest.get("quantise"):
        model = quantise_model(model, **design.manifest["quantise"], origin=_model_path(design))
    decoder.use_eager_attention(model)
    return _opened(design, model, tokenizer)


def _digest(model, tokenizer) -> str:
    """Of the names and sizes of a model's tensors, a few values of each, and its vocabulary."""
    digest = hashlib.sha256()
    for name, tensor in flat_state.named_parameters(model):
        values = tensor.reshape(-1)
        some = values[:: -(-values.numel() // _DIGESTED)].tolist()
        digest.update(repr((name, tuple(tensor.shape), some)).encode())
    digest.update(repr(sorted(tokenizer.get_vocab().items())).encode())
    return digest.hexdigest()


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
