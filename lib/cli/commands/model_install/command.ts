import { basename, dirname, resolve } from "node:path";
import { realPlaceNamed } from "../../../sandbox/mod.ts";
import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `model install [NAME...]`: downloads models, or takes them from a folder or file of the user. */
export const command: FolderCommand = {
  name: "model install",
  help: "cli_help_cmd_model_install",
  argument: { name: "[name...]", help: "cli_help_arg_models", choices: ["zh", "en", "ocr", "all"] },
  flags: ["from", "json", ...COMMON_FLAGS],
  folders: "none",
  worker: { models: "write", downloads: true, indexKey: "none" },
  // Without the network.
  workerWith: { from: { models: "write", named: "read", indexKey: "none" } },
  namedPaths: async ({ flags: { from }, cwd }) => {
    if (from === undefined) return [];
    const path = resolve(cwd, from);
    // Permissions are given for real paths. The tokenizer of an ONNX file lies beside it, or beside its folder `onnx`.
    const real = await realPlaceNamed(path);
    if (!/\.onnx$/i.test(real)) return [real];
    const beside = dirname(real);
    return [real, basename(beside) === "onnx" ? dirname(beside) : beside];
  },
  load: async () => (await import("./model_install.ts")).modelInstall,
};
