# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the files of a language model are whole, before any long work.

transformers meets a file that is cut short with an error of whatever reads it, and makes up what a file lacks.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from streamtensor.errors import SourceError, first_line

_AGAIN = "Download or copy it again."
_TAKEN = ("torchao", "fp8")  # forms of quantised weights in a directory; transformers makes floats of the latter
_OTHER_FORM = "Take the model in another form, Q4_0, Q4_K_M, Q8_0 or F16 for example."
_UNKNOWN = ("GGMLQuantizationType", "file appears to be version")  # in what GGUFReader says
_SAFETENSORS, _PYTORCH = "model.safetensors", "pytorch_model.bin"  # the files of weights, in transformers' order


def check(path: Path) -> None:
    """Raises SourceError if `path`, a Hugging Face directory or a GGUF file, is not whole."""
    if path.is_file():
        return _check_gguf(path)
    config = _read_object(path / "config.json")
    if "model_type" not in config:
        raise SourceError(
            f"'{path / 'config.json'}' names no model_type: it is not the configuration of a Hugging Face model. Give "
            "the directory of the model itself."
        )
    _check_quantisation(path, config.get("quantization_config"))
    for file in _weight_files(path):
        _check_safetensors(file) if file.suffix == ".safetensors" else _check_archive(file)
    return None


def _check_quantisation(path: Path, stated: object) -> None:
    method = stated.get("quant_method") if isinstance(stated, dict) else None
    if stated and method not in _TAKEN:
        raise SourceError(
            f"The weights in '{path}' are quantised ({method or 'in a way that config.json does not name'}), and only "
            f"those of {' and '.join(_TAKEN)} are read. Download the model in floats, which --quantise rounds, or as a "
            "GGUF file of Q4_0, Q4_1 or Q4_K_M, whose integers are taken over."
        )


def _read_object(path: Path) -> dict:
    try:
        data = json.loads(path.read_text())
    except OSError as error:
        raise SourceError(f"'{path}' cannot be read: {error.strerror}. {_AGAIN}") from error
    except ValueError as error:
        raise SourceError(f"'{path}' is not valid JSON ({error}): it may be cut short. {_AGAIN}") from error
    if not isinstance(data, dict):
        raise SourceError(f"'{path}' holds no JSON object. {_AGAIN}")
    return data


def _weight_files(directory: Path) -> list[Path]:
    places = (directory / name for kind in (_SAFETENSORS, _PYTORCH) for name in (kind, f"{kind}.index.json"))
    index = next((place for place in places if place.exists()), None)
    if index is None:
        raise SourceError(
            f"'{directory}' holds no weights: there is neither model.safetensors nor its index. Download the whole "
            "model."
        )
    if index.suffix != ".json":
        return [index]
    mapped = _read_object(index).get("weight_map")
    names = sorted(set(mapped.values())) if isinstance(mapped, dict) else []
    missing = [name for name in names if not (directory / name).exists()]
    if missing or not names:
        what = f"{len(missing)} of {len(names)} files of weights, the first '{missing[0]}'," if missing else "the files"
        raise SourceError(f"'{directory}' lacks {what} that {index.name} names. Download the whole model.")
    return [directory / name for name in names]


def _check_safetensors(path: Path) -> None:
    """A length of 8 bytes, so many bytes of JSON, and as many bytes of data as the JSON says."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        text = file.read(length) if 8 + length <= size else b""
    try:
        header = json.loads(text)
        needed = 8 + length + max(entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__")
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise SourceError(f"'{path}' is no safetensors file, or it is cut short ({size} bytes). {_AGAIN}") from error
    if needed != size:
        what = "it is cut short" if size < needed else "something was added to it"
        raise SourceError(f"'{path}' has {size} bytes where its header names {needed}: {what}. {_AGAIN}")


def _check_archive(path: Path) -> None:
    """A zip archive, as torch.save writes it, ends with its table; files of before PyTorch 1.6 are none."""
    with path.open("rb") as file:
        start = file.read(2)
    if not start or (start == b"PK" and not zipfile.is_zipfile(path)):
        size = path.stat().st_size
        raise SourceError(f"'{path}' holds no weights that can be read: with {size} bytes it is cut short. {_AGAIN}")


def _check_gguf(path: Path) -> None:
    import gguf

    with path.open("rb") as file:
        magic = file.read(4)
    if magic != b"GGUF":
        raise SourceError(f"'{path}' is no GGUF file: it does not begin with 'GGUF'. {_AGAIN}")
    try:
        gguf.GGUFReader(str(path))
    except Exception as error:  # of any kind: the reader trusts what the file says
        if any(word in str(error) for word in _UNKNOWN):
            raise SourceError(
                f"The GGUF file '{path}' holds what the package gguf cannot read: {first_line(error)} {_OTHER_FORM}"
            ) from error
        size = path.stat().st_size
        raise SourceError(
            f"The GGUF file '{path}' cannot be read: with {size} bytes it is cut short. {_AGAIN}"
        ) from error
