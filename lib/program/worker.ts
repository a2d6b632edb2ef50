/// <reference lib="deno.worker" />
/**
 * The locked worker: runs one command with the permissions that it was started with. It owns stdout, stderr, and stdin
 * unless the launcher hands stdin over. The launcher waits for the exit code. The worker's name is the name of the command,
 * whose modules it loads before it says that it is ready.
 */
import os from "node:os";
import process from "node:process";
// Opens an executable at once, so that a newer one in its place has nothing of this program.
import "#foundation/boundary/held_files.ts";
import type { Io } from "./io.ts";
import type { MessageFromWorker, MessageToWorker, WorkerRequest } from "./launch.ts";

// Libraries read these while they load, and a locked worker may not. Empty values keep them from failing.
process.env = {};
os.hostname = () => "";
// A call that ends the process would end only this thread, and the launcher would wait for ever.
Deno.exit = (code) => end(code ?? Number(process.exitCode ?? 0));
// A worker that stops before it reports a result has failed.
self.close = () => end(1);
// One after the other: what two imports share is loaded twice if they run at the same time.
const { loadCommand, runGuarded } = await import("./run_request.ts");
const { HandedInput, systemIo } = await import("./io.ts");
const { RelayedConnections } = await import("#library/extract/mod.ts");

const input = new HandedInput((taken) => send({ taken }));
const extractors = new RelayedConnections((relay) => {
  self.postMessage({ relay } satisfies MessageFromWorker, "bytes" in relay ? [relay.bytes.buffer] : []);
});

self.onmessage = ({ data }: MessageEvent<MessageToWorker>) => {
  if (data === "alive?") {
    input.report();
    send("alive");
  } else if ("input" in data) input.hand(data.input);
  else if ("relayed" in data) extractors.receive(data.relayed);
  else void run(data.run);
};

await loadCommand(self.name);
send("ready");

async function run({ request, system, canShow }: WorkerRequest): Promise<void> {
  const own = systemIo(system);
  const io: Io = {
    ...own,
    // The only command that reads stdin this way is the server, and the launcher hands it over then.
    input: () => input.readable,
    openExtractor: extractors.open,
    openEvaluator: extractors.openEvaluator,
    ...(canShow && { show: (show) => send({ show }) }),
    exit: end,
    onInterrupt: (callback) => {
      const listening = own.onInterrupt(callback);
      send({ listening: true });
      return listening;
    },
  };
  send({ exit: await runGuarded(request, io) });
}

/** Makes the launcher end the process. */
function end(code: number): never {
  send({ exit: code });
  // Nothing may happen until the launcher has done so.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new DOMException("the process has ended", "AbortError");
}

function send(message: MessageFromWorker): void {
  self.postMessage(message);
}
