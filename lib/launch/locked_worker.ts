import { withoutSecrets } from "../cli/mod.ts";
import { reasonOf } from "../errors.ts";
import { PROGRAM_ROOT } from "../program_root.ts";
import type { LockedCommand } from "../sandbox/mod.ts";
import type { Order, Telling } from "./types.ts";

/** The thread that carries a command out (`lib/worker.ts`), with permissions of its own. */
export class LockedWorker {
  readonly #listening: Promise<void>;
  readonly #worker: Worker;
  readonly #outcome: Promise<number>;

  private constructor(worker: Worker, listening: Promise<void>, outcome: Promise<number>) {
    this.#worker = worker;
    this.#listening = listening;
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
    const { promise: listening, resolve: setListening } = Promise.withResolvers<void>();
    const { promise: outcome, resolve: setOutcome, reject } = Promise.withResolvers<number>();
    worker.onmessage = ({ data }: MessageEvent<Telling>) => {
      if (data === "ready") setReady();
      else if ("listening" in data) setListening();
      else setOutcome(data.exit);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    await Promise.race([ready, outcome]);
    return new LockedWorker(worker, listening, outcome);
  }

  /**
   * Carries the order out and gives the exit code; calls `onListening` when the worker itself listens to Ctrl-C. Rejects, with
   * an error without secrets, when the worker dies.
   */
  async perform(order: Order, onListening: () => void): Promise<number> {
    void this.#listening.then(onListening);
    this.#worker.postMessage(order);
    try {
      return await this.#outcome;
    } catch (error) {
      throw new Error(withoutSecrets(reasonOf(error), order.preparation));
    }
  }
}
