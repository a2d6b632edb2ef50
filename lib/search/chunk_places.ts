/** Chunks that are remembered: those of the last thousand answers. */
const MOST = 20_000;

/** Remembers the files of the chunks that answers have named, so that a chunk is found without looking through all. */
export class ChunkPlaces {
  /** Full paths by chunk id, the one used longest ago first. */
  readonly #files = new Map<string, string>();

  /** Full path of the file in which a chunk was last seen. */
  fileOf(chunkId: string): string | undefined {
    return this.#files.get(chunkId);
  }

  /** Notes the files of hits. */
  noteAll(hits: readonly { readonly chunkId: string; readonly filePath: string }[]): void {
    for (const { chunkId, filePath } of hits) this.note(chunkId, filePath);
  }

  /** Notes the file of a chunk. */
  note(chunkId: string, filePath: string): void {
    this.#files.delete(chunkId);
    this.#files.set(chunkId, filePath);
    if (this.#files.size <= MOST) return;
    const [oldest] = this.#files.keys();
    this.#files.delete(oldest!);
  }
}
