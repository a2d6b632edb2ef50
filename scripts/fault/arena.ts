import { join } from "node:path";
import { type Config, indexKeyIn, loadConfig } from "../../lib/config/mod.ts";
import { UserError } from "../../lib/errors.ts";
import type { IndexKey } from "../../lib/index/mod.ts";
import {
  type BackupFile,
  backupIndex,
  cleanIndex,
  ingest,
  restoreIndex,
  verifyFolder,
} from "../../lib/ingest/mod.ts";
import { NO_LOG } from "../../lib/log/mod.ts";
import { isSystemError, openNamedSync } from "../../lib/sandbox/mod.ts";
import { folderStore } from "../../lib/store/mod.ts";
import { Killed } from "./inject.ts";

/** Commands that write, each with the index that the folder has before. */
export const COMMANDS = {
  index: "none",
  update: "old",
  full: "old",
  backup: "old",
  restore: "new",
  clean: "old",
} as const;
export type Command = keyof typeof COMMANDS;

/** Files of the folder when it was first indexed, and as they are now. */
const OLD = {
  "tea.md": "# Tea\n\nGreen tea at 70 °C.\n",
  "gone.txt": "Nobody needs this.\n",
  "sub/水.txt": "水要烧开。\n",
};
const NEW = {
  "tea.md": "# Tea\n\nOolong at 90 °C.\n",
  "sub/水.txt": "水要烧开。\n",
  "sub/new.md": "# New\n\nWhat was added.\n",
};

/** Texts of the chunks of an index by file, as one comparable string each. */
type Contents = Readonly<Record<string, string>>;

/** The temporary folder in which faults are tried, with a state folder beside the indexed folder. */
export class Arena implements Disposable {
  readonly root: string;
  readonly stateDir: string;
  readonly backups: string;
  readonly #indexes: { old: Uint8Array; new: Uint8Array };
  readonly #contents: { old: Contents; new: Contents };

  private constructor(
    /** Real path of the temporary folder. */
    readonly path: string,
    readonly config: Config,
    readonly key: IndexKey,
    indexes: { old: Uint8Array; new: Uint8Array },
    contents: { old: Contents; new: Contents },
  ) {
    this.root = join(path, "docs");
    this.stateDir = join(path, "state");
    this.backups = join(path, "backups");
    this.#indexes = indexes;
    this.#contents = contents;
  }

  static async make(): Promise<Arena> {
    const path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "muxue_rag-fault-" }));
    const root = join(path, "docs");
    const { config } = await loadConfig({
      cwd: "/no/such/folder",
      env: { MUXUE_RAG_EMBEDDING_PROVIDER: "none" },
      flags: { language: "en" },
    });
    const key = await indexKeyIn(join(path, "state"), { create: true });
    const empty = { old: new Uint8Array(), new: new Uint8Array() };
    const maker = new Arena(path, config, key, empty, { old: {}, new: {} });
    Deno.mkdirSync(maker.backups);
    Deno.mkdirSync(join(root, "sub"), { recursive: true });
    for (const [name, text] of Object.entries(OLD)) Deno.writeTextFileSync(join(root, name), text);
    await maker.run("index");
    const old = { index: Deno.readFileSync(maker.index), contents: (await maker.#read())! };
    await backupIndex(root, maker.#backupFile("kept"), maker.#context);
    Deno.removeSync(join(root, "gone.txt"));
    for (const name of ["tea.md", "sub/new.md"] as const) Deno.writeTextFileSync(join(root, name), NEW[name]);
    await maker.run("update");
    const now = { index: Deno.readFileSync(maker.index), contents: (await maker.#read())! };
    return new Arena(path, config, key, { old: old.index, new: now.index }, {
      old: old.contents,
      new: now.contents,
    });
  }

  get index(): string {
    return join(this.root, ".muxue_rag", "index.bin");
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
    const before = COMMANDS[command];
    if (before === "none") return;
    Deno.mkdirSync(data);
    Deno.writeTextFileSync(join(data, ".gitignore"), "*\n");
    Deno.writeFileSync(this.index, this.#indexes[before], { mode: 0o600 });
  }

  /** Runs a command in this process. */
  async run(command: Command): Promise<void> {
    switch (command) {
      case "index":
      case "update":
      case "full":
        await ingest(this.root, this.config, this.#context, { full: command === "full" });
        return;
      case "backup":
        await backupIndex(this.root, this.#backupFile("made"), this.#context);
        return;
      case "restore":
        await restoreIndex(this.root, this.kept, this.#context);
        return;
      case "clean":
        await cleanIndex(this.root, this.#context);
    }
  }

  /**
   * Returns the defects after a command met a fault and ended with `error` (`undefined`: it succeeded). The index must hold the
   * texts of the old or the new state, or be missing where it was or was being removed. A backup must be whole or absent. The
   * next run must succeed, after which the index is that of the folder and no file is left over.
   */
  async defects(command: Command, error: unknown): Promise<string[]> {
    const defects: string[] = [];
    if (!isExpected(error)) {
      defects.push(`internal error: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const found = await attempt(() => this.#read());
    if (found.error !== undefined) defects.push(`index: ${found.error}`);
    else defects.push(...this.#wrongTexts(command, error, found.value));
    if (command === "backup") defects.push(...await this.#wrongBackup(error));
    const next = await attempt(() => this.run("update"));
    if (next.error !== undefined) return [...defects, `next run: ${next.error}`];
    const check = await attempt(() =>
      verifyFolder(this.root, this.config, { indexKey: this.key }, { deep: true })
    );
    if (check.value?.state !== "sound") {
      defects.push(`after the next run: ${check.error ?? JSON.stringify(check.value)}`);
    }
    const now = await attempt(() => this.#read());
    if (JSON.stringify(now.value) !== JSON.stringify(this.#contents.new)) {
      defects.push("texts after the next run");
    }
    const names = [...Deno.readDirSync(join(this.root, ".muxue_rag"))].map(({ name }) => name).sort();
    if (names.join() !== ".gitignore,index.bin,lock") defects.push(`left over: ${names.join()}`);
    return defects;
  }

  #wrongTexts(command: Command, error: unknown, found: Contents | undefined): string[] {
    const before = COMMANDS[command];
    if (found === undefined) {
      const mayBeMissing = before === "none" || command === "clean";
      return mayBeMissing ? [] : ["the index is gone"];
    }
    if (error === undefined && command === "clean") return ["the index is still there"];
    const { old, new: now } = this.#contents;
    const wrong = Object.entries(found).filter(([path, text]) => text !== old[path] && text !== now[path]);
    const defects = wrong.map(([path]) => `text of ${path}`);
    // a file that could not be read may keep its old text, but must not be lost; a full run keeps nothing
    if (command !== "full" && before !== "none") {
      const lost = Object.keys(old).filter((path) => path in now && !(path in found));
      defects.push(...lost.map((path) => `${path} is lost`));
    }
    return defects;
  }

  async #wrongBackup(error: unknown): Promise<string[]> {
    if (!exists(this.backup)) return error === undefined ? ["the backup is missing"] : [];
    const opened = await attempt(async () => {
      using backup = await folderStore(this.root, this.key).openBackup(openNamedSync(this.backup));
      return backup.statistics.chunks;
    });
    return opened.error === undefined ? [] : [`backup: ${opened.error}`];
  }

  /** Returns the texts of the index, all of which is checked; `undefined` without an index. */
  async #read(): Promise<Contents | undefined> {
    const loaded = await folderStore(this.root, this.key).open();
    if (loaded.state === "missing") return undefined;
    if (loaded.state !== "ready") throw new Error(`${loaded.state}: ${loaded.problem}`);
    using index = loaded.index;
    await index.verify();
    const contents: Record<string, string> = {};
    for (const { path, status, firstChunk, chunkCount } of index.files) {
      const chunks = Int32Array.from({ length: chunkCount }, (_, i) => firstChunk + i);
      if (status === "indexed") contents[path] = (await index.texts(chunks, Infinity)).join("\0");
    }
    return contents;
  }

  get #context() {
    return { stateDir: this.stateDir, log: NO_LOG, version: "0.0.0", indexKey: this.key };
  }

  #backupFile(name: string): BackupFile {
    const path = join(this.backups, name);
    return { path, temporary: `${path}.00000000.tmp` };
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

/** Whether a run may end with this error after a fault: with a message for people, not as a fault of the program. */
function isExpected(error: unknown): boolean {
  return error === undefined || error instanceof Killed || error instanceof UserError || isSystemError(error);
}

async function attempt<T>(work: () => Promise<T>): Promise<{ value?: T; error?: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
