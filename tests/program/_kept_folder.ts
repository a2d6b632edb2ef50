import { BackgroundUpdates } from "#program/commands/serve/background_updates.ts";
import type { Clock } from "#program/commands/serve/background_work.ts";
import type { RequestedUpdate } from "#program/commands/serve/update_schedule.ts";
import type { Session } from "#program/request.ts";
import { Extractor } from "#library/extract/mod.ts";
import type { IngestSummary } from "#library/ingest/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import type { Watcher, WatchOptions } from "#foundation/boundary/mod.ts";
import { KEY } from "../engine/index/_blob_forge.ts";
import { setTime } from "../library/ingest/_place.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { fakeContext, fakeRequest } from "./_fake_io.ts";

/** A time that goes on only when a test says so. */
class ManualClock implements Clock {
  #now = 0;
  #asleep = 0;
  #pause: { until: number; end: () => void } | undefined;
  #paused = Promise.withResolvers<void>();

  now = () => this.#now;
  wall = () => 1_000_000 + this.#now + this.#asleep;

  pause(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pause = { until: this.#now + ms, end: resolve };
    signal.addEventListener("abort", () => resolve(), { once: true });
    this.#paused.resolve();
    return promise;
  }

  /** Resolves when the one who waits has nothing to do before a later time. */
  async rest(): Promise<void> {
    await this.#paused.promise;
  }

  /** Runs an action that wakes the one who waits, until it waits again. */
  async through(action: () => void): Promise<void> {
    await this.rest();
    this.#paused = Promise.withResolvers();
    action();
    await this.#paused.promise;
  }

  /** Lets so many milliseconds pass, stopping wherever something is due. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.rest();
    while (this.#pause!.until <= end) {
      this.#now = Math.max(this.#now, this.#pause!.until);
      await this.through(this.#pause!.end);
    }
    this.#now = end;
  }

  /** Lets the machine sleep: only the wall clock goes on. */
  sleep(ms: number): void {
    this.#asleep += ms;
  }
}

/** A folder that is kept current by the real updates, with a time and a watch that the test commands. */
export class KeptFolder implements AsyncDisposable {
  readonly #dir = new TempDir();
  readonly root: string;
  readonly clock = new ManualClock();
  readonly updates: BackgroundUpdates;
  readonly session: Session;
  /** The watches that were started and have not ended. */
  readonly watches = new Set<WatchOptions>();
  /** The error of the next watches. */
  refusal: Error | undefined;
  /** Text on stderr. */
  readonly stderr: () => string;
  readonly #runs: IngestSummary[] = [];
  #seconds = 0;

  /** A folder whose first updates have happened, so that all is current. */
  static async settled(files: Readonly<Record<string, string>>): Promise<KeptFolder> {
    const folder = new KeptFolder(files);
    await folder.after(5000);
    return folder;
  }

  constructor(files: Readonly<Record<string, string>>) {
    this.root = this.#dir.at("docs");
    Deno.mkdirSync(this.root);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    const { context, stderr } = fakeContext({ language: "en", flags: { dir: [this.root] } });
    this.stderr = stderr;
    const info = (event: string, properties: object = {}) => {
      if (event === "ingest.done") this.#runs.push(properties as IngestSummary);
    };
    this.session = {
      ...fakeRequest({
        command: "serve",
        roots: [this.root],
        stateDir: this.#dir.at("state"),
        indexKey: KEY,
      }),
      ...context,
      log: { ...NO_LOG, info },
      extractor: Extractor.none(),
      models: () => Promise.resolve(undefined),
      languageModels: () => Promise.resolve(undefined),
      traces: () => Promise.resolve(undefined),
    };
    const watcher: Watcher = { watch: (_, options) => this.#watch(options), [Symbol.dispose]: () => {} };
    this.updates = new BackgroundUpdates(this.session, this.clock, watcher);
  }

  #watch(options: WatchOptions): Promise<Disposable> {
    if (this.refusal !== undefined) return Promise.reject(this.refusal);
    this.watches.add(options);
    return Promise.resolve({ [Symbol.dispose]: () => this.watches.delete(options) });
  }

  at(path: string): string {
    return `${this.root}/${path}`;
  }

  /** Path beside the folder. */
  beside(path: string): string {
    return this.#dir.at(path);
  }

  /** Writes a file whose time is long past, so that it does not count as being written. */
  write(path: string, text: string): void {
    this.#dir.write(`docs/${path}`, text);
    setTime(this.at(path), this.#seconds++);
  }

  /** Reports changes as a watch does. */
  report(...paths: string[]): void {
    for (const { onChange } of this.watches) paths.forEach(onChange);
  }

  /** Ends the watch as a flood of events does. */
  flood(): void {
    for (const options of [...this.watches]) {
      this.watches.delete(options);
      options.onEnd();
    }
  }

  /** Lets the time pass, and returns the updates made in it: their numbers of new, changed and removed files. */
  async after(ms: number): Promise<number[][]> {
    const before = this.#runs.length;
    await this.clock.advance(ms);
    return this.#runs.slice(before).map((run) => [run.new, run.changed, run.removed]);
  }

  /** A request for an update, once it is made; `made` is its answer. */
  async asked(request: Partial<RequestedUpdate> = {}): Promise<{ made: Promise<IngestSummary> }> {
    let made!: Promise<IngestSummary>;
    await this.clock.through(() => {
      made = this.updates.update(this.root, { signal: new AbortController().signal, ...request });
      made.catch(() => {});
    });
    return { made };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.updates[Symbol.asyncDispose]();
    this.#dir[Symbol.dispose]();
  }
}
