import { sep } from "node:path";
import { reasonOf } from "../errors.ts";
import type { IndexStore, OpenIndex, UnusableState } from "../store/mod.ts";
import { type IndexLease, SharedIndex } from "./shared_index.ts";

/** Milliseconds until a damaged index is opened again, because a disk or network drive may have failed only briefly. */
const RETRY_MS = 10_000;

/** A served folder and its index on the disk. */
export class ServedFolder {
  readonly #store: IndexStore;
  readonly #now: () => number;
  #shared: SharedIndex | undefined;
  #problem: string | undefined;
  #state: UnusableState | undefined;
  /** The value of {@linkcode IndexStore.version} when the index was opened. */
  #version: string | undefined;
  /** The time, by `now`, at which the index was found damaged. */
  #damagedAt: number | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** `shows`: whether a file of the index may be found; all without it. `now` returns milliseconds since any fixed time. */
  constructor(
    store: IndexStore,
    readonly shows?: (path: string) => boolean,
    now: () => number = () => performance.now(),
  ) {
    this.#store = store;
    this.#now = now;
  }

  /** Real path of the folder. */
  get root(): string {
    return this.#store.root;
  }

  /** The reason why the index cannot be searched, in English; `undefined` if the folder has no index. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether the index must not be trusted, because it was made for another folder or by another installation. */
  get isElsewhere(): boolean {
    return this.#state === "moved" || this.#state === "foreign";
  }

  /** The index as the last {@linkcode refresh} left it, for one search; `undefined` if it cannot be searched. */
  lease(): IndexLease | undefined {
    return this.#shared?.lease();
  }

  /**
   * Opens the index again if it was replaced, or if it was found damaged some time ago. If the new index cannot be read,
   * the old one is not used any more, because it is out of date. Calls run one after another, so that no call sees a partly
   * loaded index.
   */
  refresh(): Promise<void> {
    const turn = this.#turn.then(() => this.#refresh());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #refresh(): Promise<void> {
    try {
      const version = await this.#store.version();
      const isDue = this.#damagedAt !== undefined && this.#now() - this.#damagedAt >= RETRY_MS;
      if (version !== undefined && version === this.#version && !isDue) return;
      const loaded = await this.#store.open();
      this.close();
      this.#version = version;
      if (loaded.state === "ready") this.#shared = new SharedIndex(loaded.index);
      else if (loaded.state !== "missing") {
        this.#problem = loaded.problem;
        this.#state = loaded.state;
        if (loaded.state === "damaged") this.#damagedAt = this.#now();
      }
    } catch (error) {
      // The index is a link, or permission is denied. The other folders can still be searched.
      this.close();
      this.#problem = reasonOf(error);
    }
  }

  /** Stops using a damaged index for some time, or until it is replaced. `problem`: description in English. */
  giveUp(index: OpenIndex, problem: string): void {
    if (this.#shared?.index !== index) return;
    this.#shared.giveUp();
    this.#shared = undefined;
    this.#problem = problem;
    this.#damagedAt = this.#now();
  }

  /** Returns the path of one of its files in the notation of the operating system. */
  pathOf(relative: string): string {
    return (this.root.endsWith(sep) ? this.root : this.root + sep) + relative.replaceAll("/", sep);
  }

  /** Frees the index when the searches that use it have ended; the next refresh opens it again. */
  close(): void {
    this.#shared?.giveUp();
    this.#shared = undefined;
    this.#problem = undefined;
    this.#state = undefined;
    this.#version = undefined;
    this.#damagedAt = undefined;
  }
}
