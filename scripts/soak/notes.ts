import { join } from "node:path";
import type { Random } from "../../tests/series/random.ts";

const TOPICS = [
  "tea",
  "bridge",
  "river",
  "harbour",
  "backup",
  "database",
  "茶叶",
  "桥梁",
  "数据库",
  "备份",
  "索引",
  "港口",
];

/** One file of a folder that changes. */
export interface Note {
  readonly path: string;
  /** A word that only this file holds. */
  readonly word: string;
  /** Counts the contents of the file. The text names it as `word` version N. */
  version: number;
  /** Time at which the content was complete, by `performance.now()`. */
  changedAt: number;
  /** Whether a change is under way. */
  isChanging: boolean;
  /** Time of the last answer that did not show this version; `undefined` if there was none. */
  oldAt: number | undefined;
  /** Whether an answer has shown this version. */
  isSeen: boolean;
}

/** Folders of notes that are changed at random, and what each note says now. */
export class Notes {
  readonly all: readonly Note[];
  readonly #random: Random;
  changes = 0;
  #latest: Note | undefined;

  constructor(readonly folders: readonly string[], count: number, random: Random) {
    this.#random = random;
    this.all = folders.flatMap((folder, f) =>
      Array.from({ length: count }, (_, i): Note => ({
        path: join(folder, `part ${i % 7}`, `note ${i}.md`),
        word: `lantern${f}x${i}`,
        ...{ version: 0, changedAt: 0, isChanging: false, oldAt: undefined, isSeen: false },
      }))
    );
    for (const folder of folders) {
      for (let part = 0; part < 7; part++) Deno.mkdirSync(join(folder, `part ${part}`), { recursive: true });
    }
    for (const note of this.all) Deno.writeTextFileSync(note.path, this.textOf(note));
  }

  any(): Note {
    return this.#random.of(this.all);
  }

  /** Returns the note that was changed last as long as no answer has shown that, otherwise any. */
  latest(): Note {
    return this.#latest?.isSeen === false ? this.#latest : this.any();
  }

  topic(): string {
    return this.#random.of(TOPICS);
  }

  /** Gives one note a new version: written in place, saved by rename as editors do, or removed and written again. */
  async change(): Promise<void> {
    const note = this.any();
    const text = this.textOf({ ...note, version: note.version + 1 });
    note.isChanging = true;
    const way = this.#random.below(4);
    if (way === 0) {
      const beside = `${note.path}~`;
      await Deno.writeTextFile(beside, text);
      await Deno.rename(beside, note.path);
    } else {
      if (way === 1) await Deno.remove(note.path);
      await Deno.writeTextFile(note.path, text);
    }
    note.version++;
    note.changedAt = performance.now();
    note.oldAt = undefined;
    note.isSeen = false;
    note.isChanging = false;
    this.#latest = note;
    this.changes++;
  }

  /** Text of a note. Its length changes with the version. */
  textOf({ word, version }: Note): string {
    const paragraphs = Array.from(
      { length: 3 + version % 5 },
      (_, p) =>
        Array.from(
          { length: 40 },
          (_, i) => TOPICS[(i * i + 3 * p + version + word.length * i) % TOPICS.length],
        ).join(" "),
    );
    return `# Note on ${word}\n\n${word} version ${version}.\n\n${paragraphs.join("\n\n")}\n`;
  }
}

/** The version of a note that a text shows; `undefined` if the text does not name it. */
export function versionIn(text: string, { word }: Note): number | undefined {
  const [, version] = new RegExp(`${word} version (\\d+)\\.`).exec(text) ?? [];
  return version === undefined ? undefined : Number(version);
}
