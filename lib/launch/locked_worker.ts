import { withoutSecrets } from "../cli/mod.ts";
import type { ConnectionRelay, RelayEvent } from "../extract/mod.ts";
import { reasonOf } from "../errors.ts";
import { PROGRAM_ROOT } from "../program_root.ts";
import type { LockedCommand } from "../sandbox/mod.ts";
import { InputHander } from "./hand_input.ts";
import type { Order, Sending, Telling } from "./types.ts";

/** How often a worker that should end is asked whether it still answers. */
const QUESTION_MS = 100;
/** Questions without an answer after which it counts as stuck: 1.5 s. */
const UNANSWERED = 15;
/** Questions after which a worker that answers, but takes no input and does not end, counts as stuck as well: 10 s. */
const QUESTIONS = 100;

/** The events that a caller of {@linkcode LockedWorker.perform} gets. */
export interface PerformOptions {
  /** The worker itself listens to Ctrl-C from here on. */
  readonly onListening: () => void;
  /** The input has ended and been handed over: the worker should end. Never called where the worker reads stdin itself. */
  readonly onInputEnded: () => void;
  /** Makes what starts the processes that read documents, where the command may have them. */
  readonly relay?: ((post: (event: RelayEvent) => void) => ConnectionRelay) | undefined;
}

/** The thread that carries a command out (`lib/worker.ts`), with permissions of its own. */
export class LockedWorker {
  readonly #listening: Promise<void>;
  readonly #worker: Worker;
  readonly #outcome: Promise<number>;
  readonly #input = new InputHander();
  /** Questions asked in a row that were not answered, and all since the worker last took input. */
  readonly #asked = { unanswered: 0, idle: 0 };

  #expected = false;
  #relay: ConnectionRelay | undefined;

  private constructor(worker: Worker, ready: PromiseWithResolvers<void>) {
    const { promise: listening, resolve: setListening } = Promise.withResolvers<void>();
    const { promise: outcome, resolve: setOutcome, reject } = Promise.withResolvers<number>();
    this.#worker = worker;
    this.#listening = listening;
    this.#outcome = outcome;
    worker.onmessage = ({ data }: MessageEvent<Telling>) => {
      this.#asked.unanswered = 0;
      if (data === "alive") return;
      if (data === "ready") ready.resolve();
      else if ("listening" in data) setListening();
      else if ("taken" in data) this.#take(data.taken);
      else if ("relay" in data) this.#relay?.handle(data.relay);
      else setOutcome(data.exit);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
  }

  /** Starts the worker; it has loaded the command's modules when this ends. */
  static async start(
    command: LockedCommand,
    permissions: Deno.PermissionOptionsObject,
  ): Promise<LockedWorker> {
    const ready = Promise.withResolvers<void>();
    const worker = new LockedWorker(
      new Worker(new URL("lib/worker.ts", PROGRAM_ROOT), {
        type: "module",
        name: command,
        deno: { permissions },
      }),
      ready,
    );
    await Promise.race([ready.promise, worker.#outcome]);
    return worker;
  }

  /**
   * Carries the order out and gives the exit code. Rejects, with an error without secrets, when the worker dies.
   */
  async perform(order: Order, { onListening, onInputEnded, relay }: PerformOptions): Promise<number> {
    this.#relay = relay?.((relayed) => this.#send({ relayed }));
    void this.#listening.then(onListening);
    this.#send({ order });
    if (order.handsInput) void this.#input.run((input) => this.#send({ input })).then(onInputEnded);
    try {
      return await this.#outcome;
    } catch (error) {
      throw new Error(withoutSecrets(reasonOf(error), order.preparation));
    }
  }

  /**
   * Says that the worker should end by itself. Calls `onStuck` if it does not: 1.5 s after it has stopped answering, be it in
   * a loop, in a call of the system or asleep, or after 10 s in which it answered and did nothing else. Only the first call
   * counts.
   */
  expectEnd(onStuck: () => void): void {
    if (this.#expected) return;
    this.#expected = true;
    const timer = setInterval(() => {
      if (this.#asked.unanswered < UNANSWERED && this.#asked.idle < QUESTIONS) {
        this.#asked.unanswered++;
        this.#asked.idle++;
        return this.#send("alive?");
      }
      clearInterval(timer);
      onStuck();
    }, QUESTION_MS);
  }

  #take(bytes: number): void {
    this.#asked.idle = 0;
    this.#input.taken(bytes);
  }

  #send(sending: Sending): void {
    const bytes = typeof sending !== "object"
      ? undefined
      : "input" in sending
      ? sending.input
      : "relayed" in sending && "bytes" in sending.relayed
      ? sending.relayed.bytes
      : undefined;
    const buffer = bytes?.buffer;
    this.#worker.postMessage(sending, buffer === undefined ? [] : [buffer]);
  }
}
