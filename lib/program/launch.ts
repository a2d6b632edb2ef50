/**
 * The launcher's side of the locked worker: starting the thread, handing it stdin and the environment,
 * ending it when it is stuck, and giving up the launcher's own permissions.
 *
 * Starts the locked worker and gives up the permissions of the launcher.
 */
import process from "node:process";
import type { ConnectionRelay, RelayEvent, RelayRequest } from "#library/extract/mod.ts";
import { PROGRAM_ROOT, revokeAllBut, type Right } from "#foundation/runtime.ts";

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
interface WorkerOptions {
  /** Whether the launcher reads stdin and hands its bytes to the worker. */
  readonly handInput: boolean;
  /** Called when the worker has begun to listen to Ctrl-C. */
  readonly onListening: () => void;
  /** Called when stdin has ended and all of it was handed over, so that the worker should end. */
  readonly onInputEnded: () => void;
  /** Makes the relay to the processes that read documents; `undefined` if the worker must not start processes. */
  readonly relay: ((post: (event: RelayEvent) => void) => ConnectionRelay) | undefined;
}

/** The thread that runs a command (`lib/program/worker.ts`), with its reduced permissions. */
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
      new Worker(new URL("lib/program/worker.ts", PROGRAM_ROOT), {
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

/**
 * Bytes of stdin that are read ahead of the worker. The end of stdin is noticed within them, even while the worker is stuck.
 * Further bytes are not read, so that a client cannot fill the memory.
 */
const AHEAD = 64 * 1024 * 1024;

const CHUNK = 64 * 1024;

/** Reads stdin for a worker that may get stuck and would then not notice the end of stdin. */
class InputHander {
  #ahead = 0;
  #onTaken: (() => void) | undefined;

  /** Call it with the number of bytes that the worker has read. */
  taken(bytes: number): void {
    this.#ahead -= bytes;
    this.#onTaken?.();
  }

  /** Passes all of stdin to `hand`, and null at its end. Resolves when stdin has ended or cannot be read. */
  async run(hand: (chunk: Uint8Array<ArrayBuffer> | null) => void): Promise<void> {
    const buffer = new Uint8Array(CHUNK);
    for (;;) {
      while (this.#ahead > AHEAD) await new Promise<void>((resolve) => this.#onTaken = resolve);
      // An error counts as the end, because no bytes will follow.
      const count = await Deno.stdin.read(buffer).catch(() => null);
      if (count === null) return hand(null);
      this.#ahead += count;
      hand(buffer.slice(0, count));
    }
  }
}

/** Variables that commands read: folders, language, terminal. None of them holds secrets. */
const WANTED =
  /^(?:HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_\w+|LANG|LC_\w+|TERM|NO_COLOR|FORCE_COLOR|COLORTERM)$/;
/** They tell which terminal it is, and so whether it shows links. */
const OF_TERMINALS =
  /^(?:FORCE_HYPERLINK|TERM_PROGRAM(?:_VERSION)?|TMUX|VTE_VERSION|KONSOLE_VERSION|WT_SESSION|KITTY_WINDOW_ID)$/;
const OURS = /^MUXUE_RAG_(?:STATE_DIR|CONFIG_DIR|MODELS_DIR|LANGUAGE|CONFIG)$/;

/** The variables that a locked worker gets. The rest was used when the configuration was loaded. */
export function environmentFor(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => [WANTED, OF_TERMINALS, OURS].some((names) => names.test(name))),
  );
}

/**
 * Permanently gives up all permissions of this thread except these kinds. Threads that already run keep their permissions.
 */
export function giveUpAllBut(kept: readonly Right[]): void {
  // Libraries read the environment at any time. An empty one keeps them from failing.
  if (!kept.includes("env")) process.env = {};
  revokeAllBut(kept);
}

/**
 * Messages of the launcher to the worker: the request to run (`R`, plain data), the next bytes of stdin (null: its end),
 * events of the processes that read documents, and the check of whether the worker still answers.
 */
export type MessageToWorker<R> =
  | { readonly run: R }
  | { readonly input: Uint8Array<ArrayBuffer> | null }
  | { readonly relayed: RelayEvent }
  | "alive?";

/**
 * Messages of the worker to the launcher: it has loaded its modules; it answers; it listens to Ctrl-C from now on; how many
 * bytes of the input it has read; its requests to the processes that read documents; the exit code of the process.
 */
export type MessageFromWorker =
  | "ready"
  | "alive"
  | { readonly listening: true }
  | { readonly taken: number }
  | { readonly relay: RelayRequest }
  | { readonly exit: number };
