/** Files on their way at once. */
const AHEAD_FILES = 8;
/** No more are begun while so many bytes are on their way or wait to be taken. */
const AHEAD_BYTES = 32 * 1024 * 1024;

/** Reads items in their order before they are asked for, so that the work on one hides the wait for the next. */
export class ReadAhead<Item extends { readonly size: number }, Result> {
  readonly #items: readonly Item[];
  readonly #read: (item: Item) => Promise<Result>;
  readonly #waiting = new Map<Item, Promise<Result>>();
  #next = 0;
  #bytes = 0;

  /** `read` must not reject: what it could not do is a result. */
  constructor(items: readonly Item[], read: (item: Item) => Promise<Result>) {
    this.#items = items;
    this.#read = read;
  }

  /** The result for `item`: the items must be taken in their order. */
  async take(item: Item): Promise<Result> {
    this.#fill();
    const result = await this.#waiting.get(item)!;
    this.#waiting.delete(item);
    this.#bytes -= item.size;
    return result;
  }

  #fill(): void {
    while (this.#next < this.#items.length && this.#waiting.size < AHEAD_FILES) {
      const item = this.#items[this.#next]!;
      if (this.#waiting.size > 0 && this.#bytes + item.size > AHEAD_BYTES) return;
      this.#next++;
      this.#bytes += item.size;
      this.#waiting.set(item, this.#read(item));
    }
  }
}
