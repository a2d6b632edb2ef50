/// <reference lib="deno.worker" />
/**
 * The locked worker: carries out one command with the permissions it was started with. It owns stdout and stderr, and stdin
 * where the launcher does not hand that over; the launcher waits for the exit code. Its name is that of the command, whose
 * modules it loads before it says that it is ready.
 */
import os from "node:os";
import process from "node:process";
import type { FolderCommand, Io } from "./cli/mod.ts";
import type { Order, Sending, Telling } from "./launch/types.ts";

/** Exit code when the worker stops before it reports a result. */
const EXIT_FAILED = 1;

// Libraries look at these while they load, and a locked worker may not: they find nothing.
process.env = {};
os.hostname = () => "";
// A call that ends a process ends only this thread here, and the launcher would wait for ever.
Deno.exit = (code) => end(code ?? Number(process.exitCode ?? 0));
self.close = () => end(EXIT_FAILED);
const [{ HandedInput, loadCommand, performGuarded, systemIo }, { RelayedConnections }] = await Promise.all([
  import("./cli/mod.ts"),
  import("./extract/mod.ts"),
]);

const input = new HandedInput((taken) => tell({ taken }));
const extractors = new RelayedConnections((relay) => {
  self.postMessage({ relay } satisfies Telling, "bytes" in relay ? [relay.bytes.buffer] : []);
});

self.onmessage = ({ data }: MessageEvent<Sending>) => {
  if (data === "alive?") tell("alive");
  else if ("input" in data) input.hand(data.input);
  else if ("relayed" in data) extractors.receive(data.relayed);
  else void perform(data.order);
};

await loadCommand(self.name as FolderCommand);
tell("ready");

async function perform({ preparation, around, permissions, handsInput }: Order): Promise<void> {
  const system = systemIo(around);
  const io: Io = {
    ...system,
    ...(handsInput ? { input: () => input.readable } : {}),
    openExtractor: extractors.open,
    exit: end,
    onInterrupt: (callback) => {
      const listening = system.onInterrupt(callback);
      tell({ listening: true });
      return listening;
    },
  };
  tell({ exit: await performGuarded(preparation, io, permissions) });
}

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
