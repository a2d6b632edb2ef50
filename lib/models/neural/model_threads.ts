/**
 * Threads without permissions, each with one model; a thread that fails is replaced.
 */
import type { Failure, Load, Task, ThreadAnswer } from "./network.ts";
import { UserError } from "#foundation/errors.ts";
import { mayLoadCode, PROGRAM_ROOT } from "#foundation/runtime.ts";

/** Time for loading a model and for one task, in milliseconds. The largest models in use need a tenth of it. */
const TIME_MS = 120_000;

/** Options of {@linkcode ModelThreads}. */
export interface ThreadOptions {
  /** Most threads. Each has a copy of the model in memory. Default: 1. */
  readonly workers?: number;
  readonly timeMs?: number;
  /** Main module of the threads. */
  readonly module?: URL;
}

interface Job {
  readonly task: Task;
  readonly result: PromiseWithResolvers<Float32Array<ArrayBuffer>>;
}

/**
 * Threads that run one model. They start with the first task. Urgent tasks overtake the others, and each thread has one task
 * at a time, so an urgent task waits for one other task at most.
 *
 * A thread that dies fails its task, and the next task starts another thread. After a task that takes too long, all further
 * ones are refused: each of them could leave behind a thread that is busy for ever.
 */
export class ModelThreads implements Disposable {
  readonly #model: ThreadModel;
  readonly #workers: number;
  readonly #timeMs: number;
  readonly #module: URL | undefined;
  readonly #urgent: Job[] = [];
  readonly #others: Job[] = [];
  readonly #idle: ModelThread[] = [];
  readonly #all = new Set<ModelThread>();
  /** Calls of `#work` under way: each starts or has a thread. */
  #busy = 0;
  #refusal: unknown;

  constructor(model: ThreadModel, { workers = 1, timeMs = TIME_MS, module }: ThreadOptions = {}) {
    this.#model = model;
    this.#workers = workers;
    this.#timeMs = timeMs;
    this.#module = module;
  }

  /**
   * Runs a task. Throws a `UserError` if the model cannot be loaded or fails, and the reason of `signal` if it is aborted; a
   * thread that has the task already finishes it then.
   */
  async run(task: Task, urgent: boolean, signal?: AbortSignal): Promise<Float32Array<ArrayBuffer>> {
    signal?.throwIfAborted();
    if (this.#refusal !== undefined) throw this.#refusal;
    const job: Job = { task, result: Promise.withResolvers() };
    const queue = urgent ? this.#urgent : this.#others;
    queue.push(job);
    const abort = () => {
      const at = queue.indexOf(job);
      if (at >= 0) queue.splice(at, 1);
      job.result.reject(signal!.reason);
    };
    signal?.addEventListener("abort", abort);
    if (this.#busy < this.#workers) void this.#work();
    try {
      return await job.result.promise;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Ends the threads. Tasks that are not finished fail with an `AbortError`. */
  [Symbol.dispose](): void {
    this.#refuse(new DOMException("the model was closed", "AbortError"));
    for (const thread of this.#all) thread[Symbol.dispose]();
    this.#all.clear();
  }

  /** Does the tasks that wait, in one thread, which then becomes idle. */
  async #work(): Promise<void> {
    this.#busy++;
    let thread = this.#idle.pop();
    while (this.#urgent.length + this.#others.length > 0) {
      try {
        thread ??= await this.#start();
      } catch (error) {
        this.#failAll(error);
        break;
      }
      // Only now, because a more urgent one may have come meanwhile.
      const job = this.#urgent.shift() ?? this.#others.shift();
      if (job === undefined) break;
      try {
        job.result.resolve(await thread.run(job.task));
      } catch (error) {
        job.result.reject(error);
        if (!thread.hasEnded) continue;
        this.#all.delete(thread);
        if (thread.hasTimedOut) this.#refuse(error);
        thread = undefined;
      }
    }
    this.#busy--;
    if (thread !== undefined) this.#idle.push(thread);
  }

  async #start(): Promise<ModelThread> {
    const thread = await ModelThread.start(this.#model, this.#timeMs, this.#module);
    if (this.#refusal !== undefined) {
      thread[Symbol.dispose]();
      throw this.#refusal;
    }
    this.#all.add(thread);
    return thread;
  }

  #refuse(error: unknown): void {
    this.#refusal ??= error;
    this.#failAll(this.#refusal);
  }

  #failAll(error: unknown): void {
    for (const { result } of [...this.#urgent.splice(0), ...this.#others.splice(0)]) result.reject(error);
  }
}

/** Module of the threads. */
const WORKER = new URL("lib/models/neural/thread.ts", PROGRAM_ROOT);

/** A model as {@linkcode ModelThread} needs it. */
export interface ThreadModel {
  /** Paths for messages. */
  readonly path: string;
  readonly tokenizerPath: string;
  /** Reads the files. The buffers are handed to the thread. */
  readonly load: () => Promise<Load>;
}

/** A thread that runs a model, without permissions. It does one task at a time. */
class ModelThread implements Disposable {
  readonly #worker: Worker;
  readonly #model: ThreadModel;
  readonly #timeMs: number;
  #answer: PromiseWithResolvers<ThreadAnswer> | undefined;
  /** The error that made the thread useless. */
  #end: UserError | DOMException | undefined;
  #hasTimedOut = false;

  private constructor(model: ThreadModel, timeMs: number, module: URL) {
    this.#model = model;
    this.#timeMs = timeMs;
    this.#worker = new Worker(module, {
      type: "module",
      name: "model",
      deno: { permissions: mayLoadCode() },
    });
    this.#worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => this.#answer?.resolve(data);
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

  /** Returns the result of a task. Throws a {@linkcode UserError} if the model fails. */
  async run(task: Task): Promise<Float32Array<ArrayBuffer>> {
    const answer = await this.#ask(task, []);
    return "values" in answer ? answer.values : new Float32Array();
  }

  /** Ends the thread. A task that it has fails with an `AbortError`. */
  [Symbol.dispose](): void {
    this.#stop(new DOMException("the model was closed", "AbortError"));
  }

  async #ask(message: Load | Task, transfer: ArrayBuffer[]): Promise<ThreadAnswer> {
    if (this.#end !== undefined) throw this.#end;
    const answer = this.#answer = Promise.withResolvers<ThreadAnswer>();
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
