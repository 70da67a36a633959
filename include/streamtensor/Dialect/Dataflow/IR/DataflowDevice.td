//===- DataflowDevice.td - The device of a module -----------*- tablegen -*-===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_DATAFLOWDEVICE_TD
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_DATAFLOWDEVICE_TD

def Dataflow_DeviceAttr : AttrDef<Dataflow_Dialect, "Device"> {
  let mnemonic = "device";
  let summary = "the card that a module is compiled for: all that its file says";
  let description = [{
    Stands at the module as `dataflow.device`, put there once by `dataflow-attach-device`. Every
    pass and tool reads it there, none reads a file: printed IR can be taken up again without one. The content is
    that of the device's file, with its sources, and as strict: a missing, unknown or ill-typed key is an error.

    ```
    #u55c = #dataflow.device<"u55c", {card = "Alveo U55C", clock_mhz = {value = 250 : i64, source = "..."}, ...}>
    module attributes {dataflow.device = #u55c} {}
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::DictionaryAttr":$content);
  let assemblyFormat = "`<` $name `,` custom<DeviceContent>($content) `>`";
  let genVerifyDecl = 1;
}

#endif
