/** Most texts of a folder that are remembered. */
const MOST = 256;

/**
 * The texts of folders that searches have met without a vector, which the background work takes first: the latest before
 * earlier ones.
 */
export class WantedTexts {
  readonly #hashes = new Map<string, Map<string, Uint8Array>>();

  /** Notes a text of a folder by its content hash. */
  add(root: string, hash: Uint8Array): void {
    const hashes = this.#hashes.get(root) ?? new Map<string, Uint8Array>();
    this.#hashes.set(root, hashes);
    const name = hash.toHex();
    hashes.delete(name);
    if (hashes.size === MOST) hashes.delete(hashes.keys().next().value!);
    hashes.set(name, hash.slice());
  }

  /** Whether there are texts of a folder. */
  has(root: string): boolean {
    return this.#hashes.has(root);
  }

  /** Returns the content hashes of a folder's texts and forgets them. */
  take(root: string): Uint8Array[] {
    const hashes = [...this.#hashes.get(root)?.values() ?? []].reverse();
    this.#hashes.delete(root);
    return hashes;
  }
}
