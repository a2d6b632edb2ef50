/** The materials of a series of damage: the kinds of outcomes, the program as the tries call it, the folders, and the questions. */
import type { IndexKey } from "#engine/index/mod.ts";
import { type Config, indexKeyIn, loadConfig } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { NO_LOG } from "#foundation/log.ts";
import { message } from "#foundation/messages/mod.ts";
import { registeredRoots } from "#foundation/registry.ts";
import { ingest } from "#library/ingest/mod.ts";
import { type Library, openLibrary, type SearchAnswer, type SearchRequest } from "#library/search/mod.ts";
import { LazyTable } from "#models/embedding/mod.ts";
import { dirname, join } from "node:path";
import type { Random } from "../random.ts";

/** Outcomes of a try: the last three are defects. */
export const OUTCOMES = ["same", "refused", "different", "internal error", "hang"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Operations that are tried with a damaged index. */
export const STAGES = ["search", "other folder", "index run", "run after touch", "full run"] as const;
export type Stage = (typeof STAGES)[number] | "registry";

/** The indexes from which a kind of damage is made. */
export interface Sound {
  /** The index of the honest folder. */
  readonly honest: Uint8Array<ArrayBuffer>;
  /** The index of a folder with the same file names but false texts. */
  readonly shipped: Uint8Array<ArrayBuffer>;
  /** The index of another folder, which has some of the same files under other paths. */
  readonly other: Uint8Array<ArrayBuffer>;
  /** The honest folder. */
  readonly root: string;
  /** The key that seals the indexes of this installation. */
  readonly key: Uint8Array;
}

/** A damaged file. */
export interface Damage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Size of the file if it is longer than `bytes`; the rest is a hole. */
  readonly size?: number;
}

/** A kind of attack. */
export interface Kind {
  /** `group: description`. The group is a row of the short table. */
  readonly name: string;
  /** Whether the bytes are changed while the index is open, between two searches. */
  readonly inPlace?: boolean;
  /**
   * Whether the seal is valid because the forger has the key. A different answer is then not a defect, but a hang or an
   * error is.
   */
  readonly isBelieved?: boolean;
  /** Run only this stage. */
  readonly only?: Stage;
  readonly damage: (sound: Sound, random: Random) => Damage;
}

/** Messages which say that the index of a folder cannot be used. */
const REFUSALS = ["folder_index_unusable", "folder_index_elsewhere", "folder_without_index"] as const;

/** The program, as the tries call it. */
export class Program {
  readonly #table = new LazyTable();

  private constructor(readonly stateDir: string, readonly config: Config, readonly indexKey: IndexKey) {}

  /** Starts the program with its default configuration and this state folder. Creates its key if the folder has no key. */
  static async start(stateDir: string): Promise<Program> {
    const { config } = await loadConfig({ cwd: "/no/such/folder", env: {}, flags: { language: "en" } });
    return new Program(stateDir, config, await indexKeyIn(stateDir, { create: true }));
  }

  /** Opens the library of folders. */
  open(...roots: string[]): Library {
    return openLibrary(roots, this.config, { key: this.indexKey, table: this.#table });
  }

  /** Indexes a folder. */
  async index(root: string, full: boolean): Promise<void> {
    const { stateDir, indexKey } = this;
    const context = { stateDir, indexKey, log: NO_LOG, version: "0.0.0", table: this.#table };
    await ingest(root, this.config, context, { full });
  }

  /** Returns the folders that were indexed with this state folder. */
  registered(): Promise<readonly string[]> {
    return registeredRoots(this.stateDir);
  }

  /** Returns whether an error, or a notice of an answer, says that the index of `root` cannot be used. */
  isRefusal(what: unknown, root: string): boolean {
    if (what instanceof UserError) return what.key === "index_not_ready";
    return REFUSALS.some((key) => what === message("en", key, { path: root }));
  }
}

/** The folder of the bilingual guide: 24 files of real text, whose index has about 600 kB. */
const DOCUMENTS = join(import.meta.dirname!, "../../../examples/docs");

/** Modification time of every file. */
const TIME = new Date("2026-01-01");

/** The folders on which the tries run. */
export class Arena implements Disposable {
  private constructor(readonly path: string) {}

  /** Makes the folders in a new temporary folder and indexes them. */
  static async make(): Promise<Arena> {
    const arena = new Arena(Deno.realPathSync(Deno.makeTempDirSync({ prefix: "muxue_rag-damage-" })));
    copy(DOCUMENTS, arena.honest, (text) => text);
    copy(join(DOCUMENTS, "en"), arena.other, (text) => text);
    // As many bytes and words as the honest folder, but different texts.
    copy(
      DOCUMENTS,
      arena.false,
      (text) => text.split("\n").reverse().join("\n").replaceAll("index", "dance"),
    );
    const program = await Program.start(arena.stateDir);
    for (const root of [arena.other, arena.honest, arena.false]) await program.index(root, true);
    Deno.copyFileSync(indexOf(arena.honest), join(arena.path, "honest.bin"));
    Deno.copyFileSync(indexOf(arena.false), join(arena.path, "false.bin"));
    return arena;
  }

  /** Opens an existing arena. */
  static at(path: string): Arena {
    return new Arena(path);
  }

  get honest(): string {
    return join(this.path, "honest");
  }

  /** Folder that is searched together with the damaged one. */
  get other(): string {
    return join(this.path, "other");
  }

  get false(): string {
    return join(this.path, "false");
  }

  get stateDir(): string {
    return join(this.path, "state");
  }

  /** Returns the sound indexes and their key. */
  async sound(): Promise<Sound> {
    const read = (name: string) => Deno.readFileSync(join(this.path, name));
    return {
      honest: read("honest.bin"),
      shipped: read("false.bin"),
      other: Deno.readFileSync(indexOf(this.other)),
      root: this.honest,
      key: await indexKeyIn(this.stateDir, { create: false }),
    };
  }

  /** Sets the times of the honest folder's files. */
  touch(time: Date = TIME): void {
    for (const path of filesIn(this.honest)) Deno.utimeSync(path, time, time);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

/** Returns the path of a folder's index. */
export function indexOf(root: string): string {
  return join(root, ".muxue_rag", "index.bin");
}

function copy(from: string, to: string, change: (text: string) => string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copy(join(from, name), join(to, name), change);
    else {
      const path = join(to, name);
      Deno.writeTextFileSync(path, change(Deno.readTextFileSync(join(from, name))));
      // The time is fixed, so that every run of the series is the same.
      Deno.utimeSync(path, TIME, TIME);
    }
  }
}

/** Yields the files of a folder, without those of its index. */
function* filesIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (!isDirectory) yield join(folder, name);
    else if (name !== ".muxue_rag") yield* filesIn(join(folder, name));
  }
}

/** Replaces the file at `path` by a new one of `size` bytes. */
export function place(path: string, bytes: Uint8Array, size = bytes.length): void {
  const temporary = `${dirname(path)}/placed`;
  Deno.writeFileSync(temporary, bytes);
  if (size > bytes.length) Deno.truncateSync(temporary, size);
  Deno.renameSync(temporary, path);
}

/** Overwrites the existing file, and restores its times. */
export function overwrite(path: string, bytes: Uint8Array): void {
  const { mtime, atime } = Deno.statSync(path);
  using file = Deno.openSync(path, { write: true });
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  file.truncateSync(bytes.length);
  Deno.utimeSync(path, atime!, mtime!);
}

/** The searches in every damaged index: words, meanings, phrases and filters, in both languages. */
export const QUESTIONS: readonly SearchRequest[] = [
  { query: "registered folders", mode: "keyword" },
  { query: "proxy environment server", mode: "keyword", topK: 20 },
  { query: "backup restore index", mode: "keyword" },
  { query: "index", mode: "keyword", topK: 50 },
  { query: "配置文件", mode: "keyword" },
  { query: "检索 目录", mode: "keyword", topK: 20 },
  { query: "备份与恢复", mode: "keyword" },
  { query: "how is the answer ranked" },
  { query: "which files are left out of the index" },
  { query: "keep a secret key out of the configuration" },
  { query: "怎样排除不想索引的文件" },
  { query: "向量是用哪个模型生成的", topK: 20 },
  { query: "the server gives no answer", mode: "semantic" },
  { query: "升级以后需要重新处理吗", mode: "semantic" },
  { query: '"state folder" logs' },
  { query: '"embedding server" dimensions', mode: "keyword" },
  { query: '"配置" 语言' },
  { query: '"索引"', mode: "keyword", topK: 50 },
  { query: '"the folder"', mode: "keyword", topK: 50 },
  { query: 'index -"embedding server"', mode: "keyword", topK: 50 },
  { query: "search -phrase", mode: "keyword" },
  { query: "index", filters: { path: "en/" }, topK: 20 },
  { query: "索引 type:txt lang:zh" },
  { query: "server", filters: { type: "md", lang: "en", after: "2000" } },
];

/** Returns an answer as one text, equal for equal answers. Times and the explanation are left out. */
export function told({ hits, notices }: SearchAnswer): string {
  return JSON.stringify({ hits, notices });
}
