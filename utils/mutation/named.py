# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants of which each breaks a law of the performance model, with the test that must see it."""

from __future__ import annotations

from mutation.mutant import Edit, Mutant

_SCHEDULE = "lib/Schedule/LeafSchedule.cpp"
_DEPENDENCES = "Dialect/Dataflow/IR/Dependences"
_EMITTER = "lib/Target/HLSCpp/DesignEmitter.cpp"
_TRANSFORMS = "lib/Dialect/Dataflow/Transforms"
_MODEL = "pytest:python/tests/test_model_check.py"


def _mutant(name: str, test: str, *edits: tuple[str, str, str]) -> Mutant:
    return Mutant(name, tuple(Edit(*edit) for edit in edits), (test,))


NAMED = (
    _mutant(
        "recurrence without the write's latency",
        "lit:Sim/interval",
        (
            f"lib/{_DEPENDENCES}.cpp",
            "return latency + (slack",
            "return 0 + (slack",
        ),
    ),
    _mutant(
        "bank accesses rounded down",
        "lit:Sizing/bank-ports",
        (f"lib/{_DEPENDENCES}.cpp", "llvm::divideCeil(elements, getNumLanes())", "elements / getNumLanes()"),
    ),
    _mutant(
        "words as wide as a lane",
        "lit:Sim/assembled-words",
        ("lib/Schedule/Memories.cpp", "getBitWidth(element) * layout.word", "getBitWidth(element)"),
    ),
    _mutant(
        "parts of two words taken for a word",
        "lit:Dialect/Dataflow/IR/schedule-errors",
        (f"lib/{_DEPENDENCES}.cpp", "extent == factor && AffineExpr(place).isMultipleOf(factor)", "extent == factor"),
    ),
    _mutant(
        "a word stored before its last element",
        "lit:Sim/assembled-words",
        ("lib/Schedule/AssembleWords.cpp", "(parts.word[parts.dim] - part)", "(parts.word[parts.dim] - 2 * part)"),
    ),
    _mutant(
        "II=1 always printed",
        _MODEL,
        (
            "lib/Target/HLSCpp/LeafEmitter.cpp",
            'writer.pragma(llvm::formatv("pipeline II={0} style={1}", pipeline.getInterval(),',
            'writer.pragma(llvm::formatv("pipeline II={0} style={1}", 1,',
        ),
    ),
    _mutant(
        "partition on the wrong dimension at rank 3",
        _MODEL,
        (
            "lib/Target/HLSCpp/PrivateMemories.cpp",
            "dim + 1));\n  return pragmas;",
            "shape.size() == 3 ? 3 - dim : dim + 1));\n  return pragmas;",
        ),
    ),
    _mutant(
        "16 slots always a shift register",
        "lit:Sim/wide-fifo",
        ("include/streamtensor/Device/DeviceModel.h", "depth <= shiftRegisterDepth ||", "depth <= 16 ||"),
    ),
    _mutant(
        "burst gaps hidden by II",
        "lit:Sim/address-jump|Sim/interval",
        ("lib/Sim/PortAccess.cpp", "(use.interval - use.beats)", "use.interval * use.gaps"),
    ),
    _mutant(
        "slots in flight rounded down",
        "unit:SizingTest",
        (
            "lib/Sizing/FifoSizing.cpp",
            "return llvm::divideCeil(writer.getLastWriteStage() - machine.getWriteStage(fifo), interval);",
            "return (writer.getLastWriteStage() - machine.getWriteStage(fifo)) / interval;",
        ),
    ),
    _mutant(
        "line buffer without its memory latency",
        "lit:Sizing/line-buffers",
        (
            "lib/Conversion/ITensorToStream/LowerConverter.cpp",
            "std::max(fill.numVectors + memoryLatency, drain.numVectors)",
            "std::max(fill.numVectors, drain.numVectors)",
        ),
    ),
    _mutant(
        "private memory counted half",
        "lit:Sizing/private-memories",
        (
            "lib/Sizing/DesignReport.cpp",
            "  return type.getNumElements() * getBitWidth(type.getElementType()) / 8;",
            "  return type.getNumElements() * getBitWidth(type.getElementType()) / 16;",
        ),
    ),
    _mutant(
        "private memory's blocks counted half",
        "lit:Sizing/private-memories",
        (
            _SCHEDULE,
            "countBanks(getBanks(leaf, memory), leaf",
            "countBanks({1, getBanks(leaf, memory).depth / 2, 32}, leaf",
        ),
    ),
    _mutant(
        "operators rounded down",
        "lit:Sizing/resources",
        ("lib/Schedule/Multiplexers.cpp", "llvm::divideCeil(lanes, share)", "(lanes / share)"),
    ),
    _mutant(
        "jumps without cost",
        "lit:Sim/address-jump",
        ("lib/Sim/PortAccess.cpp", "if (place > begin || !goesOn) {", "if (place > begin) {"),
    ),
    _mutant(
        "C++ FIFO one shallower than simulated",
        _MODEL,
        (
            _EMITTER,
            'formatv("stream variable={0} depth={1}", name, op.getType().getDepth())',
            'formatv("stream variable={0} depth={1}", name, op.getType().getDepth() - 1)',
        ),
    ),
    _mutant(
        "latency of one operator one less",
        "lit:Sim/frozen-writer",
        (
            _SCHEDULE,
            "TimingAttr::get(context, 0, found->latency,",
            "TimingAttr::get(context, 0, found->latency - isa<arith::MulFOp>(op),",
        ),
    ),
    _mutant(
        "several tokens at once need one slot",
        "unit:SimTest",
        ("lib/Sim/TaskState.h", "if (!channel->hasSlot(ahead)) {", "if (!channel->hasSlot()) {"),
    ),
    _mutant(
        "periods pass that wait for memory otherwise",
        "unit:SimTest",
        ("lib/Sim/Repetition.cpp", "goesOn[owner] ? now == was", "goesOn[owner] ? true"),
    ),
    _mutant(
        "parts pass periods while others may ask their memory",
        "unit:SimTest",
        ("lib/Sim/Repetition.cpp", "now == was : wasDone || othersAreStill", "now == was : true"),
    ),
    _mutant(
        "a writer passes slots that it waited for",
        "unit:SimTest",
        ("lib/Sim/Repetition.cpp", "channel.depth <= before.lateSlot", "channel.depth <= now.lateSlot"),
    ),
    _mutant(
        "a reader passes tokens that it waited for",
        "unit:SimTest",
        ("lib/Sim/Repetition.cpp", "now.read + held <= before.lateToken", "true"),
    ),
    _mutant(
        "reads that pass ahead of their writer count no slots",
        "unit:SimTest",
        ("lib/Sim/Channel.h", "if (writes == 0)", "if (false)"),
    ),
    _mutant(
        "a task at the horizon that waits for a slot does nothing before",
        "unit:SimTest",
        ("lib/Sim/Simulator.cpp", "if (!comeBefore && !std::exchange", "if (!goOn && !std::exchange"),
    ),
    _mutant(
        "periods pass bursts that are asked for and differ",
        "unit:SimTest",
        ("lib/Sim/Repetition.cpp", "int64_t following = -ofNext;", "int64_t following = 0;"),
    ),
    _mutant(
        "traffic of a repeated loop one trip short",
        "lit:Sim/read-again",
        ("lib/Sim/PortAccess.cpp", "later < trips - 2;", "later < trips - 3;"),
    ),
    _mutant(
        "an edited depth keeps the latency that it had",
        "unit:SimTest",
        ("lib/Sim/EditMachine.cpp", "  machine.fifos[fifo].latency = machine.getLatency(fifo, depth);\n", ""),
    ),
    _mutant(
        "burst length printed unlike the one charged",
        "lit:Target/HLSCpp",
        (_EMITTER, "burst, outstanding));", "burst / 2, outstanding));"),
    ),
    _mutant(
        "banks without a trip keep what they held",
        "lit:Dialect/Dataflow/Transforms/run-time-counts",
        (f"{_TRANSFORMS}/RunTimeCounts.cpp", "load.getResult().replaceAllUsesExcept(select, select);", ""),
    ),
    _mutant(
        "new rows of a cache at its beginning",
        "lit:Dialect/Dataflow/Transforms/write-in-place",
        (f"{_TRANSFORMS}/WriteInPlace.cpp", "+ getAffineSymbolExpr(symbols - 1, context);", ";"),
    ),
    _mutant(
        "rows in front of new ones from the last word that is read",
        "lit:Dialect/Dataflow/Transforms/write-in-place",
        (f"{_TRANSFORMS}/PartsOfWords.cpp", "isZero(builder, words[along] - place)", "isZero(builder, first)"),
    ),
    _mutant(
        "all layers on the weights of the first",
        "lit:Dialect/Dataflow/Transforms/loop-layers",
        (
            f"{_TRANSFORMS}/LoopLayers.cpp",
            "map.insertResult(getAffineDimExpr(0, context), 0)",
            "map.insertResult(getAffineConstantExpr(0, context), 0)",
        ),
    ),
    _mutant(
        "a block of all sums, where a part of it is read",
        "lit:Dialect/Dataflow/Transforms/early-drains",
        (f"{_TRANSFORMS}/EarlyDrains.cpp", "part.shape.push_back(reached);", "part.shape.push_back(extent);"),
    ),
    _mutant(
        "sums that come all the time wait for a part",
        "lit:Dialect/Dataflow/Transforms/early-drains",
        (f"{_TRANSFORMS}/EarlyDrains.cpp", "getSize() < trips[loop]; });", "getSize() <= trips[loop]; });"),
    ),
)  # fmt: skip
