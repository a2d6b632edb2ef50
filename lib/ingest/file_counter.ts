import type { FileRecord, StoredFile } from "../index/mod.ts";

/** Number of files by result of the run. Files without text are counted only if they were indexed before. */
export interface FileCounts {
  readonly new: number;
  readonly changed: number;
  readonly renamed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Bytes of the files that were read. */
  readonly bytesRead: number;
}

/** The result of writing one file into the new index. */
export interface FileOutcome {
  readonly status: FileRecord["status"];
  /** SHA-256 of the content in hexadecimal; empty where the file could not be read. */
  readonly sha256: string;
  /** Whether the content is that of the previous index. */
  readonly same: boolean;
  readonly bytesRead: number;
}

/** Counts the files of a run as new, changed, renamed, removed or unchanged. */
export class FileCounter {
  readonly #counts = { new: 0, changed: 0, renamed: 0, removed: 0, unchanged: 0, bytesRead: 0 };
  /** Number of removed files by content that no new file has turned out to be a rename of. */
  readonly #gone = new Map<string, number>();

  /** `removed`: the files of the previous index that are no longer in the folder. */
  constructor(removed: readonly StoredFile[]) {
    for (const { status, sha256 } of removed) {
      if (status !== "indexed") continue;
      this.#counts.removed++;
      this.#gone.set(sha256, (this.#gone.get(sha256) ?? 0) + 1);
    }
  }

  get counts(): FileCounts {
    return { ...this.#counts };
  }

  /** Counts a file. `old`: its record in the previous index, if it has one. */
  add(old: StoredFile | undefined, { status, sha256, same, bytesRead }: FileOutcome): void {
    this.#counts.bytesRead += bytesRead;
    const wasIndexed = old?.status === "indexed";
    if (status !== "indexed") this.#counts.removed += wasIndexed ? 1 : 0;
    else if (wasIndexed) this.#counts[same || old.sha256 === sha256 ? "unchanged" : "changed"]++;
    else this.#counts[this.#takeGone(sha256) ? "renamed" : "new"]++;
  }

  /** Whether a removed file has this content. It then counts as renamed, not as removed, and only once. */
  #takeGone(sha256: string): boolean {
    const gone = this.#gone.get(sha256) ?? 0;
    if (gone === 0) return false;
    this.#gone.set(sha256, gone - 1);
    this.#counts.removed--;
    return true;
  }
}
