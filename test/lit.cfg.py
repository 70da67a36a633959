"""Configuration of the lit suites.

Substitutions:
  %roundtrip   streamtensor-opt that also prints, parses and compares its input
  %devices     the folder of device files
  %u55c        the pass that gives a module this device, before single passes that need one
  %runtime     the folder of headers that generated code uses
  %source      the root of the source tree
  %cxx         the C++ compiler for generated code
"""

import os
import shutil

import lit.formats

config.name = "StreamTensor"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.streamtensor_test_dir

search_path = [config.streamtensor_tools_dir, config.llvm_tools_dir, os.environ["PATH"]]
config.environment["PATH"] = os.pathsep.join(search_path)
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --allow-unused-prefixes=false"

source = config.streamtensor_source_dir
config.substitutions += [
    ("%roundtrip", "streamtensor-opt --verify-roundtrip"),
    ("%u55c", "--dataflow-attach-device=device=" + os.path.join(source, "devices", "u55c.json")),
    ("%devices", os.path.join(source, "devices")),
    ("%runtime", os.path.join(source, "runtime")),
    ("%source", source),
    ("%cxx", shutil.which("clang++-22") or shutil.which("c++")),
]
