import { TextAnalyzer } from "./analyzer.ts";
import { embedBatch, type EmbeddedBatch } from "./batch.ts";
import type { Table } from "./table.ts";

/** Batches given to one worker before its first is back: the next is there when it has done one. */
const AHEAD = 2;

/** A worker and the batches it has not answered yet. */
interface Member {
  readonly worker: Worker;
  readonly waiting: Map<number, PromiseWithResolvers<EmbeddedBatch>>;
}

/**
 * Embeds batches of texts in threads of their own, which share one table; without any, in the caller's. Close it when done:
 * what is still under way is then never answered.
 */
export class EmbeddingPool {
  readonly #members: Member[] = [];
  readonly #analyzer: TextAnalyzer | undefined;
  #next = 0;

  constructor(table: Table, workers: number) {
    if (workers === 0) this.#analyzer = new TextAnalyzer(table);
    for (let i = 0; i < workers; i++) this.#members.push(startMember(table));
  }

  /** How many batches are worth having under way at once. */
  get capacity(): number {
    return Math.max(1, this.#members.length * AHEAD);
  }

  /** Embeds one batch. Rejects when its thread failed. */
  embed(texts: readonly string[]): Promise<EmbeddedBatch> {
    if (this.#analyzer !== undefined) return Promise.resolve(embedBatch(this.#analyzer, texts));
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

function startMember(table: Table): Member {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "embedding" });
  const waiting: Member["waiting"] = new Map();
  worker.onmessage = (
    { data: { number, batch } }: MessageEvent<{ number: number; batch: EmbeddedBatch }>,
  ) => {
    waiting.get(number)?.resolve(batch);
    waiting.delete(number);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    for (const { reject } of waiting.values()) reject(new Error(event.message));
    waiting.clear();
  };
  worker.postMessage(table.data);
  return { worker, waiting };
}
