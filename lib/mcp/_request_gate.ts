/** The JSON-RPC id of a request, or a symbol for work without an id. */
export type RequestKey = string | number | symbol;

/** Work that starts when the gate has capacity for it. */
export interface GatedWork {
  readonly key: RequestKey;
  /** Share of the gate's capacity that it uses until {@linkcode RequestGate.settle}. At most the capacity. */
  readonly cost: number;
  /** Bytes of memory it uses while it waits. */
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Starts work in the order of arrival, as long as the total cost of running work is at most `capacity`. The waiting work is
 * limited too: {@linkcode RequestGate.roomy} makes the reader wait while it has more than `maxWaitingBytes`.
 */
export class RequestGate {
  readonly #capacity: number;
  readonly #maxWaitingBytes: number;
  #waiting: GatedWork[] = [];
  /** Index of the first entry of `#waiting` not yet started. Moving it takes constant time, unlike `shift()`. */
  #head = 0;
  #waitingBytes = 0;
  #load = 0;
  /** Costs of the running work. If a client uses an id twice at the same time, the id has two costs. */
  readonly #running = new Map<RequestKey, number[]>();
  #watchers: { until: () => boolean; resolve: () => void }[] = [];

  constructor(capacity: number, maxWaitingBytes: number) {
    this.#capacity = capacity;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /** Number of the requests that have not started. */
  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  /** Starts the work at once, or as soon as there is capacity. */
  add(work: GatedWork): void {
    this.#waiting.push(work);
    this.#waitingBytes += work.bytes;
    this.#advance();
  }

  /** Frees the capacity of work that is done or cancelled. Ignores unknown keys. */
  settle(key: RequestKey): void {
    const costs = this.#running.get(key);
    if (costs === undefined) return;
    this.#load -= costs.shift() ?? 0;
    if (costs.length === 0) this.#running.delete(key);
    this.#advance();
  }

  /** Removes work that has not started. Returns `false` if no waiting work has this key. */
  withdraw(key: RequestKey): boolean {
    const index = this.#waiting.findIndex((work, index) => index >= this.#head && work.key === key);
    if (index < 0) return false;
    this.#waitingBytes -= this.#waiting.splice(index, 1)[0]!.bytes;
    this.#advance();
    return true;
  }

  /** Removes all waiting work. */
  clear(): void {
    this.#waiting = [];
    this.#head = 0;
    this.#waitingBytes = 0;
    this.#notify();
  }

  /** Resolves when more work may be added. */
  roomy(): Promise<void> {
    return this.#when(() => this.#waitingBytes <= this.#maxWaitingBytes);
  }

  /** Resolves when no work is running or waiting. */
  idle(): Promise<void> {
    return this.#when(() => this.#running.size === 0 && this.#head === this.#waiting.length);
  }

  #advance(): void {
    while (this.#head < this.#waiting.length) {
      const work = this.#waiting[this.#head]!;
      if (this.#load + work.cost > this.#capacity) break;
      this.#head++;
      this.#waitingBytes -= work.bytes;
      this.#load += work.cost;
      const costs = this.#running.get(work.key);
      if (costs) costs.push(work.cost);
      else this.#running.set(work.key, [work.cost]);
      work.start();
    }
    if (this.#head > 1000 || this.#head === this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    this.#notify();
  }

  #when(until: () => boolean): Promise<void> {
    if (until()) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ until, resolve }));
  }

  #notify(): void {
    if (this.#watchers.length === 0) return;
    const ready = this.#watchers.filter((watcher) => watcher.until());
    this.#watchers = this.#watchers.filter((watcher) => !ready.includes(watcher));
    for (const watcher of ready) watcher.resolve();
  }
}
