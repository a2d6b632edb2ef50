import { sep } from "node:path";
import type { IndexKey, IndexReader } from "../index/mod.ts";
import { lookAt } from "../sandbox/mod.ts";
import { indexPath, loadIndex, type UnusableState } from "../store/mod.ts";
import { reasonOf } from "../errors.ts";

/** Milliseconds until a damaged index is opened again: a disk or a network drive may have failed for a moment only. */
const RETRY_MS = 10_000;

/** A folder served, and its index as it is on the disk. */
export class ServedFolder {
  #reader: IndexReader | undefined;
  #problem: string | undefined;
  #state: UnusableState | undefined;
  /** Identity of an index file, by a stat: nothing is read. */
  #stamp: string | undefined;
  /** When the index was found damaged, as `now` says. */
  #damagedAt: number | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** `root`: real path. `key`: what its index must be sealed with. `now`: milliseconds since any time. */
  constructor(
    readonly root: string,
    readonly key: IndexKey,
    readonly now: () => number = () => performance.now(),
  ) {}

  /** The index as the last {@linkcode refresh} left it. Don't hold it across an `await`: another refresh may close it. */
  get reader(): IndexReader | undefined {
    return this.#reader;
  }

  /** Why there is no reader, in English; nothing if there just is no index. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether its index is not to be trusted: made for another folder, or not by this installation. */
  get isElsewhere(): boolean {
    return this.#state === "moved" || this.#state === "foreign";
  }

  /**
   * Opens the index anew if it was replaced, or was damaged a while ago. If the new one cannot be read, the old one does not
   * answer on: what it says is out of date. Calls take turns, so that none sees an index half loaded.
   */
  refresh(): Promise<void> {
    const turn = this.#turn.then(() => this.#refresh());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #refresh(): Promise<void> {
    try {
      const stamp = await stampOf(indexPath(this.root));
      const isDue = this.#damagedAt !== undefined && this.now() - this.#damagedAt >= RETRY_MS;
      if (stamp !== undefined && stamp === this.#stamp && !isDue) return;
      const loaded = await loadIndex(this.root, this.key);
      this.close();
      this.#stamp = stamp;
      if (loaded.state === "ready") this.#reader = loaded.reader;
      else if (loaded.state !== "missing") {
        this.#problem = loaded.problem;
        this.#state = loaded.state;
        if (loaded.state === "damaged") this.#damagedAt = this.now();
      }
    } catch (error) {
      // a link in its place, no permission: the other folders answer all the same
      this.close();
      this.#problem = reasonOf(error);
    }
  }

  /** Lets the index go because it is damaged, as `problem` says in English, for a while or until another is in its place. */
  giveUp(problem: string): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#problem = problem;
    this.#damagedAt = this.now();
  }

  /** The path of one of its files, as the operating system writes it. */
  pathOf(relative: string): string {
    return (this.root.endsWith(sep) ? this.root : this.root + sep) + relative.replaceAll("/", sep);
  }

  /** Frees the index; the next refresh opens it again. */
  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#problem = undefined;
    this.#state = undefined;
    this.#stamp = undefined;
    this.#damagedAt = undefined;
  }
}

async function stampOf(path: string): Promise<string | undefined> {
  const info = await lookAt(path);
  return info && `${info.ino}:${info.size}:${info.mtime?.getTime()}`;
}
