import { UserError } from "../../errors.ts";
import { type IndexStore, lockContentVectors } from "../../store/mod.ts";

/** Time for another process to take over, in milliseconds. One that waits tries every 20. */
const OFFERED_MS = 60;

/** Options of an {@linkcode OfferedLock}. */
export interface LockOptions {
  readonly signal?: AbortSignal;
  /** Called with the error while another process has the lock, which is then waited for. Default: `vectors_busy` is thrown. */
  readonly onBusy?: (error: UserError) => void;
  /** Milliseconds after which a process that waits may take the lock, again and again. Default: never. */
  readonly offerMs?: number;
}

/** The lock of a folder's vectors, which a process that waits for it can take over. */
export class OfferedLock implements Disposable {
  readonly #store: IndexStore;
  readonly #options: LockOptions;
  #lock: Disposable | undefined;
  #takenAt = 0;

  constructor(store: IndexStore, options: LockOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Takes the lock. Throws `vectors_busy` unless `onBusy` is given, and the reason of the signal. */
  async take(): Promise<void> {
    const { onBusy, signal } = this.#options;
    const { root, elsewhere } = this.#store;
    while (this.#lock === undefined) {
      try {
        this.#lock = await lockContentVectors(root, elsewhere);
      } catch (error) {
        signal?.throwIfAborted();
        if (onBusy === undefined || !(error instanceof UserError) || error.key !== "vectors_busy") {
          throw error;
        }
        onBusy(error);
      }
    }
    this.#takenAt = performance.now();
  }

  /** Whether it is time for {@linkcode offer} to release the lock. */
  get isDue(): boolean {
    return performance.now() - this.#takenAt >= (this.#options.offerMs ?? Infinity);
  }

  /** Releases the lock for a moment if it is time. Returns whether it was released. Throws `vectors_busy` if it was taken. */
  async offer(): Promise<boolean> {
    if (!this.isDue) return false;
    this[Symbol.dispose]();
    await new Promise((resolve) => setTimeout(resolve, OFFERED_MS));
    await this.take();
    return true;
  }

  [Symbol.dispose](): void {
    this.#lock?.[Symbol.dispose]();
    this.#lock = undefined;
  }
}
