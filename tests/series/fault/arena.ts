/** The folder in which faults are tried, its commands, and the states of its index before and after each. */
import type { IndexKey } from "#engine/index/mod.ts";
import { type Config, indexKeyIn, loadConfig } from "#foundation/configuration/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { type BackupFile, backupIndex, cleanIndex, ingest, restoreIndex } from "#library/ingest/mod.ts";
import { FolderStore } from "#library/store/folder/folder_store.ts";
import type { DeltaLimits } from "#library/store/folder/delta.ts";
import type { OpenIndex } from "#library/store/mod.ts";
import { join } from "node:path";

/** States of the index: when the folder was indexed, after one update, and after another, as the folder is now. */
type State = "first" | "old" | "new";

/**
 * Commands that write, each with the index that the folder has before and after it. `first update` and `merge` are updates by
 * which a delta comes into being and is taken up into the index. `clean` leaves no index, or the old one.
 */
export const COMMANDS = {
  "index": ["none", "new"],
  "first update": ["first", "new"],
  "update": ["old", "new"],
  "merge": ["old", "new"],
  "full": ["old", "new"],
  "backup": ["old", "old"],
  "restore": ["new", "old"],
  "clean": ["old", "old"],
} as const satisfies Record<string, readonly [before: State | "none", after: State]>;
export type Command = keyof typeof COMMANDS;

/** Files of the folder when it was first indexed, after one change, and as they are now. */
const FIRST = {
  "tea.md": "# Tea\n\nBlack tea at 95 °C.\n",
  "gone.txt": "Nobody needs this.\n",
  "sub/水.txt": "水要烧开。\n",
};
const OLD = { ...FIRST, "tea.md": "# Tea\n\nGreen tea at 70 °C.\n" };
const NEW = {
  "tea.md": "# Tea\n\nOolong at 90 °C.\n",
  "sub/水.txt": "水要烧开。\n",
  "sub/new.md": "# New\n\nWhat was added.\n",
};

/** Texts of the chunks of an index by file, as one comparable string each. */
export type Contents = Readonly<Record<string, string>>;

/** Returns the texts of an index, all of which is checked. */
export async function contentsOf(index: OpenIndex): Promise<Contents> {
  await index.verify();
  const contents: Record<string, string> = {};
  for (const { path, status, firstChunk, chunkCount } of index.files) {
    const chunks = Int32Array.from({ length: chunkCount }, (_, i) => firstChunk + i);
    if (status === "indexed") contents[path] = (await index.texts(chunks, Infinity)).join("\0");
  }
  return contents;
}

/** Returns so many bytes of words. */
function bulkText(bytes: number): string {
  const lines = Array.from(
    { length: 1000 },
    (_, i) => `Row ${i}: ${(i * 2654435761 >>> 0).toString(36)} paid.\n`,
  );
  const block = lines.join("");
  return block.repeat(Math.ceil(bytes / block.length)).slice(0, bytes);
}

/** The files of an index by name. */
type Files = ReadonlyMap<string, Uint8Array>;

/** How the indexes of an arena are stored. */
export interface ArenaOptions {
  /** Whether updates are written as a delta beside the index, as for a large index. */
  readonly delta?: boolean;
  /** Bytes of a further file that never changes. From 8 MB on the program writes deltas by itself. */
  readonly bulk?: number;
}

/** The temporary folder in which faults are tried, with a state folder beside the indexed folder. */
export class Arena implements Disposable {
  readonly root: string;
  readonly stateDir: string;
  readonly backups: string;
  readonly #indexes = new Map<State, Files>();
  readonly contents = new Map<State, Contents>();

  private constructor(
    /** Real path of the temporary folder. */
    readonly path: string,
    readonly config: Config,
    readonly key: IndexKey,
    readonly options: ArenaOptions,
  ) {
    this.root = join(path, "docs");
    this.stateDir = join(path, "state");
    this.backups = join(path, "backups");
  }

  static async make(options: ArenaOptions = {}): Promise<Arena> {
    const path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "muxue_rag-fault-" }));
    const { config } = await loadConfig({
      cwd: "/no/such/folder",
      env: { MUXUE_RAG_EMBEDDING_PROVIDER: "none" },
      flags: { language: "en" },
    });
    const key = await indexKeyIn(join(path, "state"), { create: true });
    const arena = new Arena(path, config, key, options);
    Deno.mkdirSync(arena.backups);
    Deno.mkdirSync(join(arena.root, "sub"), { recursive: true });
    if (options.bulk) {
      Deno.writeTextFileSync(join(arena.root, "bulk.txt"), bulkText(options.bulk));
    }
    arena.#write(FIRST);
    await arena.#keep("first", "index");
    arena.#write(OLD);
    await arena.#keep("old", "update");
    await backupIndex(arena.store(), arena.#backupFile("kept"), arena.#context);
    Deno.removeSync(join(arena.root, "gone.txt"));
    arena.#write(NEW);
    await arena.#keep("new", "update");
    return arena;
  }

  /** Runs a command and notes the index that it makes. */
  async #keep(state: State, command: Command): Promise<void> {
    await this.run(command);
    const read = (name: string) => Deno.readFileSync(join(this.root, ".muxue_rag", name));
    this.#indexes.set(state, new Map(this.files().map((name) => [name, read(name)])));
    this.contents.set(state, (await this.read())!);
  }

  /** Writes the files of which the text differs. */
  #write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.root, name);
      if (!exists(path) || Deno.readTextFileSync(path) !== text) Deno.writeTextFileSync(path, text);
    }
  }

  get index(): string {
    return join(this.root, ".muxue_rag", "index.bin");
  }

  /** Names of the files of the index. */
  files(): string[] {
    return [...Deno.readDirSync(join(this.root, ".muxue_rag"))].map(({ name }) => name)
      .filter((name) => name.endsWith(".bin")).sort();
  }

  /** The path that `backup` writes. */
  get backup(): string {
    return join(this.backups, "made");
  }

  /** The backup of the old index. */
  get kept(): string {
    return join(this.backups, "kept");
  }

  /** Puts everything into the state before a command. */
  reset(command: Command): void {
    const data = join(this.root, ".muxue_rag");
    if (exists(data)) Deno.removeSync(data, { recursive: true });
    for (const { name } of Deno.readDirSync(this.backups)) {
      if (name !== "kept") Deno.removeSync(join(this.backups, name));
    }
    const [before] = COMMANDS[command];
    if (before === "none") return;
    Deno.mkdirSync(data);
    Deno.writeTextFileSync(join(data, ".gitignore"), "*\n");
    for (const [name, bytes] of this.#indexes.get(before)!) {
      Deno.writeFileSync(join(data, name), bytes, { mode: 0o600 });
    }
  }

  /** Runs a command in this process. */
  async run(command: Command): Promise<void> {
    switch (command) {
      case "index":
      case "first update":
      case "update":
      case "full":
        await ingest(this.root, this.config, this.#context, { full: command === "full" });
        return;
      case "merge": {
        const storeOf = (root: string) => this.store(root, { fromBytes: Infinity, share: 0 });
        await ingest(this.root, this.config, { ...this.#context, storeOf });
        return;
      }
      case "backup":
        await backupIndex(this.store(), this.#backupFile("made"), this.#context);
        return;
      case "restore":
        await restoreIndex(this.store(), this.kept, this.#context);
        return;
      case "clean":
        await cleanIndex(this.store(), this.#context);
    }
  }

  /** Returns the texts of the index, all of which is checked; `undefined` without an index. */
  async read(): Promise<Contents | undefined> {
    const loaded = await this.store(this.root).open();
    if (loaded.state === "missing") return undefined;
    if (loaded.state !== "ready") throw new Error(`${loaded.state}: ${loaded.problem}`);
    using index = loaded.index;
    return await contentsOf(index);
  }

  /** Opens the store of a folder. */
  store(
    root = this.root,
    limits: DeltaLimits | undefined = this.options.delta ? { fromBytes: 0, share: Infinity } : undefined,
  ) {
    return new FolderStore(root, this.key, undefined, limits);
  }

  get #context() {
    const storeOf = (root: string) => this.store(root);
    return { stateDir: this.stateDir, log: NO_LOG, version: "0.0.0", indexKey: this.key, storeOf };
  }

  #backupFile(name: string): BackupFile {
    const path = join(this.backups, name);
    return { path, temporary: `${path}.00000000.tmp` };
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
