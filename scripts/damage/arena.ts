import { dirname, join } from "node:path";
import { indexKeyIn } from "#foundation/configuration/mod.ts";
import { Program } from "./program.ts";
import type { Sound } from "./types.ts";

/** The folder of the bilingual guide: 24 files of real text, whose index has about 600 kB. */
const DOCUMENTS = join(import.meta.dirname!, "../../examples/docs");

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
