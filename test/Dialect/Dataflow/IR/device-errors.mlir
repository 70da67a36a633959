// RUN: streamtensor-opt %s --split-input-file --verify-diagnostics

// Printed IR that was edited by hand is read as strictly as a file.

// expected-error @below {{[module.device] device 'card' of the module: 'card' is missing; text that says what the card is called is expected}}
module attributes {dataflow.device = #dataflow.device<"card", {}>} {}

// -----

// expected-error @below {{[module.device] device 'card' of the module: 'card' is 5; text that says what the card is called is expected}}
module attributes {dataflow.device = #dataflow.device<"card", {card = 5 : i64}>} {}

// -----

// expected-error @below {{[module.device] 'dataflow.device' is a #dataflow.device at a module}}
module attributes {dataflow.device = "u55c"} {}

// -----

module {
  // expected-error @below {{[module.device] 'dataflow.device' is a #dataflow.device at a module}}
  func.func private @f() attributes {dataflow.device = "u55c"}
}
