import { sep } from "node:path";
import { reasonOf } from "../errors.ts";
import type { IndexStore, OpenIndex, UnusableState } from "../store/mod.ts";
import { type IndexLease, SharedIndex } from "./shared_index.ts";

/** Milliseconds until a damaged index is opened again: a disk or a network drive may have failed for a moment only. */
const RETRY_MS = 10_000;

/** A folder served, and its index as it is on the disk. */
export class ServedFolder {
  readonly #store: IndexStore;
  readonly #now: () => number;
  #shared: SharedIndex | undefined;
  #problem: string | undefined;
  #state: UnusableState | undefined;
  /** What {@linkcode IndexStore.version} said when the index was opened. */
  #version: string | undefined;
  /** When the index was found damaged, as `now` says. */
  #damagedAt: number | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** `now`: milliseconds since any time. */
  constructor(store: IndexStore, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** Real path of the folder. */
  get root(): string {
    return this.#store.root;
  }

  /** Why there is no index to search, in English; `undefined` if there just is none. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether its index is not to be trusted: made for another folder, or not by this installation. */
  get isElsewhere(): boolean {
    return this.#state === "moved" || this.#state === "foreign";
  }

  /** The index as the last {@linkcode refresh} left it, for one search; `undefined` if it cannot be searched. */
  lease(): IndexLease | undefined {
    return this.#shared?.lease();
  }

  /**
   * Opens the index anew if it was replaced, or was damaged a while ago. If the new one cannot be read, the old one does
   * not answer on, because it is out of date. Calls take turns, so that none sees an index half loaded.
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
      // a link in its place, no permission: the other folders answer all the same
      this.close();
      this.#problem = reasonOf(error);
    }
  }

  /** Gives up an index that is damaged, for a while or until another is in its place. `problem`: what is wrong, in English. */
  giveUp(index: OpenIndex, problem: string): void {
    if (this.#shared?.index !== index) return;
    this.#shared.giveUp();
    this.#shared = undefined;
    this.#problem = problem;
    this.#damagedAt = this.#now();
  }

  /** The path of one of its files, as the operating system writes it. */
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
