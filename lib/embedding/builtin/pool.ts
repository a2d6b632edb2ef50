import { PROGRAM_ROOT } from "../../program_root.ts";
import { TextAnalyzer } from "./analyzer.ts";
import { embedBatch, type EmbeddedBatch } from "./batch.ts";
import type { Table } from "./table.ts";

/** Batches given to one worker before its first is back: the next is there when it has done one. */
const AHEAD = 2;

/** What the threads run. */
const WORKER = new URL("lib/embedding/builtin/worker.ts", PROGRAM_ROOT);

/** A worker and the batches it has not answered yet. */
interface Member {
  readonly worker: Worker;
  readonly waiting: Map<number, PromiseWithResolvers<EmbeddedBatch>>;
  /** Why it has ended: nothing that it is sent from then on would ever be answered. */
  failure?: Error;
}

/**
 * Embeds batches of texts in threads of their own, which share one table; without any, in the caller's. Close it when done:
 * what is still under way is then never answered.
 */
export class EmbeddingPool {
  readonly #members: Member[] = [];
  readonly #analyzer: TextAnalyzer | undefined;
  #next = 0;

  /** `worker`: the module that the threads run. */
  constructor(table: Table, workers: number, worker: URL = WORKER) {
    if (workers === 0) this.#analyzer = new TextAnalyzer(table);
    for (let i = 0; i < workers; i++) this.#members.push(startMember(table, worker));
  }

  /** How many batches are worth having under way at once. */
  get capacity(): number {
    return Math.max(1, this.#members.length * AHEAD);
  }

  /** Embeds one batch. Rejects when its thread fails, and at once where any has failed before. */
  embed(texts: readonly string[]): Promise<EmbeddedBatch> {
    if (this.#analyzer !== undefined) return Promise.resolve(embedBatch(this.#analyzer, texts));
    const failure = this.#members.find((member) => member.failure !== undefined)?.failure;
    if (failure !== undefined) return Promise.reject(failure);
    const idlest = this.#members.reduce((a, b) => b.waiting.size < a.waiting.size ? b : a);
    const number = this.#next++;
    const answer = Promise.withResolvers<EmbeddedBatch>();
    idlest.waiting.set(number, answer);
    idlest.worker.postMessage({ number, texts });
    return answer.promise;
  }

  [Symbol.dispose](): void {
    for (const { worker } of this.#members) worker.terminate();
  }
}

function startMember(table: Table, module: URL): Member {
  const worker = new Worker(module, { type: "module", name: "embedding" });
  const member: Member = { worker, waiting: new Map() };
  const { waiting } = member;
  const fail = (error: Error) => {
    member.failure ??= error;
    for (const { reject } of waiting.values()) reject(member.failure);
    waiting.clear();
  };
  worker.onmessage = (
    { data: { number, batch } }: MessageEvent<{ number: number; batch: EmbeddedBatch }>,
  ) => {
    waiting.get(number)?.resolve(batch);
    waiting.delete(number);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail(new Error(event.message));
  };
  // it cannot be told which batch the answer was for
  worker.onmessageerror = () => fail(new Error("an embedding thread's answer could not be read"));
  worker.postMessage(table.data);
  return member;
}
