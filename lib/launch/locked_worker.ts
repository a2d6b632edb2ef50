import { PROGRAM_ROOT } from "../program_root.ts";
import type { LockedCommand } from "../sandbox/mod.ts";
import type { Order, Telling } from "./types.ts";

/** The thread that carries a command out (`lib/worker.ts`), with permissions of its own. */
export class LockedWorker {
  readonly #worker: Worker;
  readonly #outcome: Promise<number>;

  private constructor(worker: Worker, outcome: Promise<number>) {
    this.#worker = worker;
    this.#outcome = outcome;
  }

  /** Starts the worker; it has loaded the command's modules when this ends. */
  static async start(
    command: LockedCommand,
    permissions: Deno.PermissionOptionsObject,
  ): Promise<LockedWorker> {
    const worker = new Worker(new URL("lib/worker.ts", PROGRAM_ROOT), {
      type: "module",
      name: command,
      deno: { permissions },
    });
    const { promise: ready, resolve: setReady } = Promise.withResolvers<void>();
    const { promise: outcome, resolve: setOutcome, reject } = Promise.withResolvers<number>();
    worker.onmessage = ({ data }: MessageEvent<Telling>) => {
      if (data === "ready") setReady();
      else setOutcome(data.exit);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    await Promise.race([ready, outcome]);
    return new LockedWorker(worker, outcome);
  }

  /** Carries the order out and gives the exit code. Rejects when the worker dies. */
  async perform(order: Order): Promise<number> {
    this.#worker.postMessage(order);
    return await this.#outcome;
  }
}
