import { fileURLToPath } from "node:url";
import { type OpenConnection, processOf } from "#foundation/boundary/mod.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Starts processes that run the module `main`, a file of the tests, with permissions that they must give up. */
export function openProcess(main: URL): OpenConnection {
  return processOf(Deno.execPath(), [
    "run",
    "--quiet",
    "--no-prompt",
    `--config=${ROOT}deno.dev.json`,
    "--allow-all",
    fileURLToPath(main),
  ], { HOME: Deno.env.get("HOME") ?? "", DENO_DIR: Deno.env.get("DENO_DIR") ?? "" });
}
