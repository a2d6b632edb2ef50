/** Time without a change after which a folder is updated, in milliseconds: programs save a file in several steps. */
export const SETTLE_MS = 300;
/** Longest time that changes which follow each other put off an update, in milliseconds. */
const FLOOD_MS = 2000;
/** Time between two reconciliations of a folder whose events cannot be relied on, in milliseconds. */
const SHORT_MS = 30_000;
/** Time between two reconciliations of a folder whose events can be relied on, in milliseconds: events may get lost. */
const LONG_MS = 300_000;
/** Time until a folder that another process is updating is tried again, in milliseconds. */
const BUSY_MS = 2000;
/** Longest pause after an update, in milliseconds. Shorter updates are followed by a pause of their own length. */
const MAX_PAUSE_MS = 2000;

/** Why a folder is updated: changes were reported, or it was due to be compared with its index as a whole. */
export type UpdateCause = "changes" | "reconciliation";

/** Result of an update. */
export interface UpdateOutcome {
  /**
   * `done`: the index agrees with the folder. `busy`: another process is updating it. `failed`: the index could not be
   * written.
   */
  readonly state: "done" | "busy" | "failed";
  /** Whether the index was written. */
  readonly written?: boolean;
  /** Whether files were left out because they may still be written. */
  readonly unsettled?: boolean;
  /** Whether the folder's events arrive. */
  readonly watched: boolean;
}

/**
 * Decides when a folder is updated. All times are milliseconds of any clock that never goes back.
 *
 * An update follows 300 ms after the last change, and at most 2 s after the first. Reconciliations find what no event told.
 * They come every 30 s, and less and less often, up to every 5 minutes, while they find nothing. Of a folder that is not
 * watched they come every 30 s.
 */
export class FolderSchedule {
  #firstChange: number | undefined;
  #lastChange = 0;
  #reconcileAt: number;
  #againAt = Infinity;
  #notBefore = -Infinity;
  #interval = SHORT_MS;
  #settleMs = SETTLE_MS;
  #isFirst = true;
  #run: { readonly cause: UpdateCause; readonly told: boolean; readonly began: number } | undefined;

  /** `firstAt`: time of the first update. */
  constructor(firstAt: number) {
    this.#reconcileAt = firstAt;
  }

  /** Whether changes were reported that no update has begun to take up. */
  get hasChanges(): boolean {
    return this.#firstChange !== undefined;
  }

  /** Time of the next update. */
  get dueAt(): number {
    const settled = this.#firstChange === undefined
      ? Infinity
      : Math.min(this.#lastChange + SETTLE_MS, this.#firstChange + FLOOD_MS);
    return Math.max(this.#notBefore, Math.min(settled, this.#reconcileAt, this.#againAt));
  }

  /** Notes a change. True if it is the first one since the last update began. */
  changed(now: number): boolean {
    const isFirst = this.#firstChange === undefined;
    this.#firstChange ??= now;
    this.#lastChange = now;
    return isFirst;
  }

  /** Makes an update due after the settling time although no change was reported. */
  checkSoon(now: number): void {
    this.#againAt = Math.min(this.#againAt, now + SETTLE_MS);
  }

  /** Notes that changes come too fast to be reported: the update follows 2 s after the first. */
  flooded(now: number): void {
    this.#firstChange ??= now;
    this.#lastChange = this.#firstChange + FLOOD_MS - SETTLE_MS;
  }

  /** Makes a reconciliation due at once, since events may have been lost. */
  reconcile(now: number): void {
    this.#reconcileAt = now;
    this.#notBefore = -Infinity;
  }

  /** Makes a reconciliation due soon, since no events will come. */
  unwatched(now: number): void {
    this.#interval = SHORT_MS;
    this.#reconcileAt = Math.min(this.#reconcileAt, now + SHORT_MS);
  }

  /** Begins an update that is due. Changes from now on belong to the next one. */
  begin(now: number): UpdateCause {
    const cause = now >= this.#reconcileAt ? "reconciliation" : "changes";
    const told = this.hasChanges || this.#againAt !== Infinity || this.#isFirst;
    this.#run = { cause, told, began: now };
    this.#firstChange = undefined;
    this.#againAt = Infinity;
    return cause;
  }

  /** Ends the update that was begun. */
  end(now: number, { state, written = false, unsettled = false, watched }: UpdateOutcome): void {
    const { cause, told, began } = this.#run!;
    this.#run = undefined;
    if (state === "busy") {
      if (cause === "reconciliation") this.#reconcileAt = now + BUSY_MS;
      else this.#againAt = now + BUSY_MS;
      return;
    }
    this.#isFirst = false;
    if (state === "failed") {
      this.#interval = Math.min(this.#interval * 2, LONG_MS);
      this.#reconcileAt = now + this.#interval;
      // Events make no difference to a disk that is full or must not be written.
      this.#notBefore = this.#reconcileAt;
      return;
    }
    this.#notBefore = now + Math.min(now - began, MAX_PAUSE_MS);
    this.#settleMs = unsettled ? Math.min(this.#settleMs * 2, SHORT_MS) : SETTLE_MS;
    if (unsettled) this.#againAt = now + this.#settleMs;
    if (!watched || cause === "reconciliation" && written && !told) this.#interval = SHORT_MS;
    else if (cause === "reconciliation" && !told) this.#interval = Math.min(this.#interval * 2, LONG_MS);
    if (cause === "reconciliation") this.#reconcileAt = now + this.#interval;
    else if (!watched) this.#reconcileAt = Math.min(this.#reconcileAt, now + SHORT_MS);
  }
}
