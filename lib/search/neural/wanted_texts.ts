/** Most texts that are remembered. */
const MOST = 256;

/**
 * The texts that searches have met without a vector, which the background work takes first: the latest before earlier ones.
 */
export class WantedTexts {
  readonly #hashes = new Map<string, Uint8Array>();

  /** Notes a text by its content hash. */
  add(hash: Uint8Array): void {
    const name = hash.toHex();
    this.#hashes.delete(name);
    if (this.#hashes.size === MOST) this.#hashes.delete(this.#hashes.keys().next().value!);
    this.#hashes.set(name, hash.slice());
  }

  /** Returns the content hashes and forgets them. */
  take(): Uint8Array[] {
    const hashes = [...this.#hashes.values()].reverse();
    this.#hashes.clear();
    return hashes;
  }
}
