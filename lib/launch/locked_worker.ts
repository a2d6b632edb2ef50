import type { ConnectionRelay, RelayEvent } from "../extract/mod.ts";
import { PROGRAM_ROOT } from "../program_root.ts";
import { InputHander } from "./hand_input.ts";
import type { MessageFromWorker, MessageToWorker } from "./types.ts";

/** Milliseconds between two checks of whether a worker that should end still answers. */
const QUESTION_MS = 100;
/**
 * Unanswered checks in a row after which the worker counts as stuck: 5 s. On a busy machine a sound worker may not answer
 * for 1.5 s.
 */
const UNANSWERED = 50;
/** Checks after which a worker that answers, but reads no input and does not end, also counts as stuck: 10 s. */
const QUESTIONS = 100;

/** Options of {@linkcode LockedWorker.run}. */
export interface WorkerOptions {
  /** Whether the launcher reads stdin and hands its bytes to the worker. */
  readonly handInput: boolean;
  /** Called when the worker has begun to listen to Ctrl-C. */
  readonly onListening: () => void;
  /** Called when stdin has ended and all of it was handed over, so that the worker should end. */
  readonly onInputEnded: () => void;
  /** Makes the relay to the processes that read documents; `undefined` if the worker must not start processes. */
  readonly relay: ((post: (event: RelayEvent) => void) => ConnectionRelay) | undefined;
}

/** The thread that runs a command (`lib/worker.ts`), with its reduced permissions. */
export class LockedWorker {
  readonly #listening: Promise<void>;
  readonly #worker: Worker;
  readonly #outcome: Promise<number>;
  readonly #input = new InputHander();
  /** Unanswered checks in a row, and all checks since the worker last read input. */
  readonly #asked = { unanswered: 0, idle: 0 };

  #expected = false;
  #relay: ConnectionRelay | undefined;

  private constructor(worker: Worker, ready: PromiseWithResolvers<void>) {
    const { promise: listening, resolve: setListening } = Promise.withResolvers<void>();
    const { promise: outcome, resolve: setOutcome, reject } = Promise.withResolvers<number>();
    this.#worker = worker;
    this.#listening = listening;
    this.#outcome = outcome;
    worker.onmessage = ({ data }: MessageEvent<MessageFromWorker>) => {
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

  /** Starts the worker of the command with this name, and waits until it has loaded the command's modules. */
  static async start(name: string, permissions: Deno.PermissionOptionsObject): Promise<LockedWorker> {
    const ready = Promise.withResolvers<void>();
    const worker = new LockedWorker(
      new Worker(new URL("lib/worker.ts", PROGRAM_ROOT), {
        type: "module",
        name,
        deno: { permissions },
      }),
      ready,
    );
    await Promise.race([ready.promise, worker.#outcome]);
    return worker;
  }

  /** Runs a request, which is plain data. Returns the exit code. Rejects if the worker dies. */
  async run(
    request: unknown,
    { handInput, onListening, onInputEnded, relay }: WorkerOptions,
  ): Promise<number> {
    this.#relay = relay?.((relayed) => this.#send({ relayed }));
    void this.#listening.then(onListening);
    this.#send({ run: request });
    if (handInput) void this.#input.run((input) => this.#send({ input })).then(onInputEnded);
    return await this.#outcome;
  }

  /**
   * Watches a worker that should end by itself. Calls `onStuck` if it does not: 5 s after it has stopped answering (in a
   * loop, a system call or a sleep), or after 10 s in which it answered but read no input. Only the first call counts.
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

  #send(message: MessageToWorker<unknown>): void {
    const bytes = typeof message !== "object"
      ? undefined
      : "input" in message
      ? message.input
      : "relayed" in message && "bytes" in message.relayed
      ? message.relayed.bytes
      : undefined;
    const buffer = bytes?.buffer;
    this.#worker.postMessage(message, buffer === undefined ? [] : [buffer]);
  }
}
