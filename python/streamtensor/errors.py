# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The errors a user can meet.

Each message is one paragraph: what is wrong, where in the user's source, and what to do about it. The command line
prints the message alone and exits with 1; a stack trace always means a defect of StreamTensor itself.
"""

from __future__ import annotations


class Error(Exception):
    """Base class of every error that StreamTensor raises on purpose."""


class CompileError(Error):
    """The model, or the design made from it, cannot be compiled."""


class UnsupportedOpError(CompileError):
    """The model holds an operation that has no meaning in a streaming design yet."""


class UnfitError(CompileError):
    """A design that is not released; `values`: what it was given, what is expected and, if it came so far, found."""

    def __init__(self, text: str, values: dict | None = None):
        super().__init__(text)
        self.values = values or {}


class DifferenceError(UnfitError):
    """A design computes something else than its source."""


class CrashError(UnfitError):
    """A design crashed, stopped or did not end when it was run to compare it."""


class DeviceError(Error):
    """The device is unknown, its file is malformed, or the design does not fit it."""


class CapacityError(DeviceError):
    """The design takes more than the device has; `needs`: of what, and how much, as far as it was counted.

    `fits`: options with which it was found to fit, for a user who stated no lanes.
    """

    def __init__(self, message: str, needs: dict[str, float] | None = None, fits: dict[str, int] | None = None):
        super().__init__(message)
        self.needs = needs or {}
        self.fits = fits or {}


class MemoryCapacityError(CapacityError):
    """The tensors of the design take more than the memory beside the chip has."""


class EngineError(Error):
    """A contraction that was to share multipliers cannot; with those of its own it needs other lanes."""


class RunError(Error):
    """A design cannot be executed on the given inputs."""


class ToolError(Error):
    """A program that StreamTensor needs is missing, failed to start, or ran over its time limit."""


class CrashedToolError(ToolError):
    """A program crashed, or refused what StreamTensor made, on files that its message names."""


class TimeLimitError(ToolError):
    """A program ran over its time limit and was stopped."""


class NoSpaceError(Error):
    """The disk is full."""


class SourceError(CompileError):
    """The source to compile is missing, unreadable, or not what it should be."""


def first_line(error: BaseException) -> str:
    """The first line of another library's message, as a sentence."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0] if lines[0].endswith((".", "!", "?", ":")) else lines[0] + "."
