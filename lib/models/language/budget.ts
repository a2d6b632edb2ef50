/**
 * The limits of requests: the tokens of a run and of a day, and the calls at the same time. Processes at the same time share the day's
 * ledger: a file to which each of them only appends.
 */
import type { Config } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import {
  isMissing,
  OwnFolder,
  type ReadableFile,
  unwritable,
  writeAllSync,
} from "#foundation/boundary/mod.ts";
import { type Budget, LanguageFailure, type Usage } from "./types.ts";

/** Most bytes of a ledger that are read: a million calls. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Names of the ledgers, which are removed after their day. */
const LEDGER = /^\d{4}-\d\d-\d\d\.txt$/;

/** Whether a name is that of a day's ledger. */
export function isLedger(name: string): boolean {
  return LEDGER.test(name);
}

/** Returns the date in local time: `2026-11-26`. */
export function localDay(now = new Date()): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * The tokens of each day: the files `2026-11-26.txt` of a folder in the user's state folder. A line is a number of tokens that a call
 * reserves, or the difference to what it used. So a process that ends before its answer has used what it reserved.
 */
class Ledger {
  readonly #folder: OwnFolder;
  #day = "";
  #read = 0;
  #sum = 0;

  constructor(folder: string) {
    this.#folder = new OwnFolder(folder, { named: true });
  }

  /** Returns the tokens of today, those of other processes included. */
  used(day: string): number {
    const name = `${day}.txt`;
    try {
      using file = this.#folder.open(name, "read");
      const { size } = file.statSync();
      if (day !== this.#day || size < this.#read) this.#restart(day);
      this.#add(file, Math.min(size, MOST_BYTES));
    } catch (error) {
      if (!isMissing(error)) throw this.#unwritable(error, name);
      this.#restart(day);
    }
    return Math.max(0, this.#sum);
  }

  add(day: string, tokens: number): void {
    const name = `${day}.txt`;
    try {
      this.#folder.make();
      const isNew = this.#folder.look(name) === undefined;
      using file = this.#folder.openToAppend(name);
      writeAllSync(file, new TextEncoder().encode(`${tokens}\n`));
      if (isNew) this.#removeOld(name);
    } catch (error) {
      throw this.#unwritable(error, name);
    }
  }

  #restart(day: string): void {
    this.#day = day;
    this.#read = 0;
    this.#sum = 0;
  }

  /** Adds the whole lines from where the last call has ended. */
  #add(file: ReadableFile, size: number): void {
    const bytes = new Uint8Array(Math.max(0, size - this.#read));
    file.seekSync(this.#read, 0);
    let length = 0;
    for (let count; length < bytes.length && (count = file.readSync(bytes.subarray(length))) !== null;) {
      length += count;
    }
    const end = bytes.subarray(0, length).lastIndexOf(10) + 1;
    for (const line of new TextDecoder().decode(bytes.subarray(0, end)).split("\n")) {
      if (/^-?\d{1,12}$/.test(line)) this.#sum += Number(line);
    }
    this.#read += end;
  }

  #removeOld(today: string): void {
    for (const name of this.#folder.names()) {
      if (!isLedger(name) || name >= today) continue;
      try {
        this.#folder.remove(name);
      } catch {
        // The next day tries again.
      }
    }
  }

  #unwritable(error: unknown, name: string): UserError {
    return error instanceof UserError ? error : unwritable(error, this.#folder.at(name));
  }
}

/** Returns the tokens that language models have used today, as far as a limit of a day counts them. */
export function usedToday(folder: string): number {
  return new Ledger(folder).used(localDay());
}

/** The budget of a run. It is exceeded by no more than the calls that run at the same time. */
export class TokenBudget implements Budget {
  readonly #limits: Config["llm"]["budget"];
  readonly #ledger: Ledger;
  #run = 0;
  /** The day on which the calls that are not settled were reserved. */
  readonly #days: { readonly tokens: number; readonly day: string }[] = [];

  /** `folder`: that of the ledgers, `usageDir()`. Nothing is written there without a limit of a day. */
  constructor(limits: Config["llm"]["budget"], folder: string) {
    this.#limits = limits;
    this.#ledger = new Ledger(folder);
  }

  /** Throws {@linkcode LanguageFailure} `budget_run` or `budget_day`, and the errors of writing. */
  reserve(tokens: number): void {
    const { run_tokens: runTokens, day_tokens: dayTokens } = this.#limits;
    const wanted = Math.ceil(tokens);
    if (runTokens !== null && this.#run + wanted > runTokens) {
      throw new LanguageFailure("budget_run", { limit: runTokens });
    }
    const day = localDay();
    if (dayTokens !== null) {
      if (this.#ledger.used(day) + wanted > dayTokens) {
        throw new LanguageFailure("budget_day", { limit: dayTokens });
      }
      this.#ledger.add(day, wanted);
    }
    this.#run += wanted;
    this.#days.push({ tokens: wanted, day });
  }

  settle(reserved: number, { inputTokens, outputTokens }: Usage): void {
    const wanted = Math.ceil(reserved);
    const at = this.#days.findIndex(({ tokens }) => tokens === wanted);
    const [{ day } = { day: localDay() }] = at < 0 ? [] : this.#days.splice(at, 1);
    const difference = Math.round(inputTokens + outputTokens) - wanted;
    this.#run += difference;
    if (this.#limits.day_tokens !== null && difference !== 0) this.#ledger.add(day, difference);
  }
}

/** Lets a number of calls run at the same time; the others wait in their order. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a slot, which is free again when the result is disposed of. Throws the reason of an aborted signal. */
  async take(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    return { [Symbol.dispose]: () => this.#release() };
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(go);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }
}
