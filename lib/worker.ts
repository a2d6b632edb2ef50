/// <reference lib="deno.worker" />
/**
 * The locked worker: carries out one command with the permissions it was started with. It owns stdin, stdout and stderr;
 * the launcher only waits for the exit code. Its name is that of the command, whose modules it loads before it says that
 * it is ready.
 */
import os from "node:os";
import process from "node:process";
import type { FolderCommand } from "./cli/mod.ts";
import type { Order, Telling } from "./launch/types.ts";

// Libraries look at these while they load, and a locked worker may not: they find nothing.
process.env = {};
os.hostname = () => "";
const { loadCommand, perform, systemIo } = await import("./cli/mod.ts");

self.onmessage = async ({ data: { preparation, around, permissions } }: MessageEvent<Order>) => {
  const exit = (code: number): never => {
    tell({ exit: code });
    // the launcher ends the process: nothing may happen until then
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    throw new DOMException("the process has ended", "AbortError");
  };
  tell({ exit: await perform(preparation, { ...systemIo(around), exit }, permissions) });
};

await loadCommand(self.name as FolderCommand);
tell("ready");

function tell(telling: Telling): void {
  self.postMessage(telling);
}
