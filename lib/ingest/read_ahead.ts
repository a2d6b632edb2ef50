/** Items that are read or wait to be taken, at most. */
const AHEAD_FILES = 8;
/** Bytes of these items, at most; a larger item is read alone. */
const AHEAD_BYTES = 32 * 1024 * 1024;

/** Reads items in order before they are taken, so that work on one item hides the wait for the next. */
export class ReadAhead<Item extends { readonly size: number }, Result> {
  readonly #items: readonly Item[];
  readonly #read: (item: Item) => Promise<Result>;
  readonly #waiting = new Map<Item, Promise<Result>>();
  #next = 0;
  #bytes = 0;

  constructor(items: readonly Item[], read: (item: Item) => Promise<Result>) {
    this.#items = items;
    this.#read = read;
  }

  /** Returns the result for `item`, or throws the error of reading it. Items must be taken in their order. */
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
      const result = this.#read(item);
      // The error is thrown when the item is taken. After an earlier error it never is.
      result.catch(() => {});
      this.#waiting.set(item, result);
    }
  }
}
