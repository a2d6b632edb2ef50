import { ModelThread, type ThreadModel } from "./model_thread.ts";
import type { Task } from "./thread/messages.ts";

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
