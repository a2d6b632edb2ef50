/// <reference lib="deno.worker" />
/**
 * The locked worker: carries out one command with the permissions it was started with. It owns stdin, stdout and stderr;
 * the launcher only waits for the exit code. Its name is that of the command, whose modules it loads before it says that
 * it is ready.
 */
import os from "node:os";
import process from "node:process";
import type { FolderCommand, Io } from "./cli/mod.ts";
import type { Order, Telling } from "./launch/types.ts";

/** Who closes the thread before the command has answered has not done what was asked. */
const EXIT_FAILED = 1;

// Libraries look at these while they load, and a locked worker may not: they find nothing.
process.env = {};
os.hostname = () => "";
// What ends a process ends only this thread here, and the launcher would wait for ever.
Deno.exit = (code) => end(code ?? Number(process.exitCode ?? 0));
self.close = () => end(EXIT_FAILED);
const { loadCommand, performGuarded, systemIo } = await import("./cli/mod.ts");

self.onmessage = async ({ data: { preparation, around, permissions } }: MessageEvent<Order>) => {
  const system = systemIo(around);
  const io: Io = {
    ...system,
    exit: end,
    onInterrupt: (callback) => {
      const listening = system.onInterrupt(callback);
      tell({ listening: true });
      return listening;
    },
  };
  tell({ exit: await performGuarded(preparation, io, permissions) });
};

await loadCommand(self.name as FolderCommand);
tell("ready");

/** Has the launcher end the process. */
function end(code: number): never {
  tell({ exit: code });
  // nothing may happen until then
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new DOMException("the process has ended", "AbortError");
}

function tell(telling: Telling): void {
  self.postMessage(telling);
}
