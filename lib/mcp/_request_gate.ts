/** What a request is known by: its JSON-RPC id, or a symbol of our own for what has none. */
export type RequestKey = string | number | symbol;

/** Work that waits for its turn. */
export interface GatedWork {
  readonly key: RequestKey;
  /** Share of the gate's capacity it holds until {@linkcode RequestGate.settle}. At most the capacity. */
  readonly cost: number;
  /** Memory it holds while it waits. */
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Lets work through, first come first served, while the cost of what runs is within `capacity`. What waits is
 * bounded too: {@linkcode RequestGate.roomy} holds the reader back once it passes `maxWaitingBytes`.
 */
export class RequestGate {
  readonly #capacity: number;
  readonly #maxWaitingBytes: number;
  #waiting: GatedWork[] = [];
  /** First entry of `#waiting` not yet started; a moving head keeps a flood linear. */
  #head = 0;
  #waitingBytes = 0;
  #load = 0;
  /** Costs of the work that runs; a client that uses an id twice at once has two entries. */
  readonly #running = new Map<RequestKey, number[]>();
  #watchers: { until: () => boolean; resolve: () => void }[] = [];

  constructor(capacity: number, maxWaitingBytes: number) {
    this.#capacity = capacity;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /** Starts the work now or when it fits. */
  add(work: GatedWork): void {
    this.#waiting.push(work);
    this.#waitingBytes += work.bytes;
    this.#advance();
  }

  /** The work is done or given up: its share is free. Unknown keys are ignored. */
  settle(key: RequestKey): void {
    const costs = this.#running.get(key);
    if (costs === undefined) return;
    this.#load -= costs.shift() ?? 0;
    if (costs.length === 0) this.#running.delete(key);
    this.#advance();
  }

  /** Takes work out that has not started; false if there is none of that key. */
  withdraw(key: RequestKey): boolean {
    const index = this.#waiting.findIndex((work, index) => index >= this.#head && work.key === key);
    if (index < 0) return false;
    this.#waitingBytes -= this.#waiting.splice(index, 1)[0]!.bytes;
    this.#advance();
    return true;
  }

  /** Forgets all that waits. */
  clear(): void {
    this.#waiting = [];
    this.#head = 0;
    this.#waitingBytes = 0;
    this.#notify();
  }

  /** Resolves when more may be added. */
  roomy(): Promise<void> {
    return this.#when(() => this.#waitingBytes <= this.#maxWaitingBytes);
  }

  /** Resolves when nothing runs or waits. */
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
