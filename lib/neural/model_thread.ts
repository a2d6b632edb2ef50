import { UserError } from "../errors.ts";
import { PROGRAM_FILES, PROGRAM_ROOT } from "../program_root.ts";
import type { Answer, Failure, Load, Task } from "./thread/messages.ts";

/** Module of the threads. */
const WORKER = new URL("lib/neural/thread/worker.ts", PROGRAM_ROOT);

/** A model as {@linkcode ModelThread} needs it. */
export interface ThreadModel {
  /** Paths for messages. */
  readonly path: string;
  readonly tokenizerPath: string;
  /** Reads the files. The buffers are handed to the thread. */
  readonly load: () => Promise<Load>;
}

/** A thread that runs a model, without permissions. It does one task at a time. */
export class ModelThread implements Disposable {
  readonly #worker: Worker;
  readonly #model: ThreadModel;
  readonly #timeMs: number;
  #answer: PromiseWithResolvers<Answer> | undefined;
  /** The error that made the thread useless. */
  #end: UserError | DOMException | undefined;
  #hasTimedOut = false;

  private constructor(model: ThreadModel, timeMs: number, module: URL) {
    this.#model = model;
    this.#timeMs = timeMs;
    // From source, the libraries are read from the program's files when they are imported.
    const permissions: Deno.PermissionOptionsObject | "none" = Deno.build.standalone ? "none" : {
      read: [PROGRAM_FILES],
      write: false,
      net: false,
      env: false,
      run: false,
      ffi: false,
      sys: false,
      import: false,
    };
    this.#worker = new Worker(module, { type: "module", name: "model", deno: { permissions } });
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#answer?.resolve(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#stop(new UserError("neural_stopped", { path: model.path, problem: event.message }));
    };
  }

  /**
   * Starts a thread and loads the model. Throws a {@linkcode UserError} if it cannot be used or takes more than `timeMs`
   * milliseconds, which also limits each later task.
   */
  static async start(model: ThreadModel, timeMs: number, module = WORKER): Promise<ModelThread> {
    const load = await model.load();
    const thread = new ModelThread(model, timeMs, module);
    try {
      await thread.#ask(load, [load.model.buffer, load.tokenizer.buffer]);
      return thread;
    } catch (error) {
      thread[Symbol.dispose]();
      throw error;
    }
  }

  /** Whether the thread can do no further task. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Whether a task took too long. The runtime cannot end a busy thread, so it goes on until the process ends. */
  get hasTimedOut(): boolean {
    return this.#hasTimedOut;
  }

  /** Returns the results of a task, one after the other. Throws a {@linkcode UserError} if the model fails. */
  async run(task: Task): Promise<Float32Array<ArrayBuffer>> {
    const answer = await this.#ask(task, []);
    return "values" in answer ? answer.values : new Float32Array();
  }

  /** Ends the thread. A task that it has fails with an `AbortError`. */
  [Symbol.dispose](): void {
    this.#stop(new DOMException("the model was closed", "AbortError"));
  }

  async #ask(message: Load | Task, transfer: ArrayBuffer[]): Promise<Answer> {
    if (this.#end !== undefined) throw this.#end;
    const answer = this.#answer = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => {
      this.#hasTimedOut = true;
      this.#stop(new UserError("neural_timeout", { path: this.#model.path, seconds: this.#timeMs / 1000 }));
    }, this.#timeMs);
    try {
      this.#worker.postMessage(message, transfer);
      const given = await answer.promise;
      if ("failure" in given) throw errorOf(given.failure, this.#model);
      return given;
    } finally {
      clearTimeout(timer);
      this.#answer = undefined;
    }
  }

  #stop(error: UserError | DOMException): void {
    this.#end ??= error;
    this.#worker.terminate();
    this.#answer?.reject(this.#end);
  }
}

function errorOf({ kind, params }: Failure, model: ThreadModel): UserError {
  const path = kind === "tokenizer_invalid" ? model.tokenizerPath : model.path;
  return new UserError(`neural_${kind}`, { path, ...params });
}
