/** The results of language models: sealed lines in a file that is only appended. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { UserError } from "#foundation/errors.ts";
import { HASH_BYTES, type IndexKey, sealOf } from "#engine/index/mod.ts";
import {
  fillSync,
  isMissing,
  OwnFolder,
  type ReadableFile,
  tryLock,
  unwritable,
  writeAll,
  writeAllSync,
} from "#foundation/boundary/mod.ts";
import { type GeneratedTexts, UNUSED_DAYS } from "../store.ts";
import { HashSlots } from "../vector_table.ts";
import { takeAwayOdd } from "./data_folder.ts";

/** Name of the folder of generated results, in the data folder. */
export const GENERATED_FOLDER = "generated";
const FILE = "results.txt";
/** Since when results are not used. */
const UNUSED = "unused.txt";
/** A file of its own for the lock, because the others are replaced. */
const LOCK = "lock";

/** The first line, before its code. The number changes whenever the layout does. */
const MAGIC = "muxue_rag generated 1 ";
/** Characters of a key, of a code, and of what stands before the JSON of a line. */
const KEY_CHARS = 64;
const CODE_CHARS = 32;
const FRONT_CHARS = KEY_CHARS + CODE_CHARS + 2;
/** Characters of a day, and of a line about a result that is not used. */
const DAY_CHARS = 10, UNUSED_LINE = KEY_CHARS + DAY_CHARS + 2;
/** Most bytes of a line. An answer has at most some thousand tokens. */
const MOST_LINE = 256 * 1024;
/** Most bytes of the file that are read and written: two million results of 1 KB. */
const MOST_BYTES = 2 * 1024 ** 3;
/** Bytes that are read or written at once, and around a result: results are mostly read in the order in which they were written. */
const PIECE_BYTES = 2 * MOST_LINE, NEAR_BYTES = 64 * 1024;
/** A larger file is written anew only when this share of it is not needed any more. */
const SMALL_BYTES = 1024 * 1024;
const WASTE = 0.25;
/** Attempts to take the lock while another process writes the file anew, and the milliseconds between them. */
const ATTEMPTS = 250;
const PAUSE_MS = 20;
const DAY_MS = 86_400_000;
const NEWLINE = 10;

/**
 * The file `.muxue_rag/generated/results.txt`:
 *
 * ```
 * muxue_rag generated 1 CODE            HMAC-SHA-256 of the text before it, in hexadecimal
 * KEY CODE JSON                         a result: its key, and the first 16 bytes of the HMAC of key and JSON
 * ```
 * Lines are only appended, each by one call, so that several processes may write at once. A line that a power cut tore is skipped,
 * since each line begins with a line break of its own. The last line of a key counts. The key of the codes is that of the
 * installation, as for an index: results that came with a folder are not trusted.
 *
 * Beside it, `unused.txt` has a line `KEY YYYY-MM-DD` for each result that the last complete run did not use: the day of the first such run.
 */
export class FolderGenerated implements GeneratedTexts {
  readonly #parent: OwnFolder;
  readonly #folder: OwnFolder;
  readonly #header: string;
  readonly #key: Uint8Array;
  #lines = new Lines();

  /** `parent`: the data folder. */
  constructor(parent: OwnFolder, key: IndexKey) {
    this.#parent = parent;
    this.#folder = new OwnFolder(join(parent.path, GENERATED_FOLDER));
    const magic = new TextEncoder().encode(MAGIC);
    this.#header = `${MAGIC}${sealOf(key, "generated results", magic).toHex()}\n`;
    this.#key = sealOf(key, "generated result", magic);
  }

  keys(): Promise<readonly string[]> {
    return Promise.try(() => {
      this.#refresh();
      return [...this.#lines.keys(this.#folder)];
    });
  }

  get(key: string): Promise<unknown> {
    return Promise.try(() => {
      this.#refresh();
      return this.#read(key);
    });
  }

  async set(key: string, value: unknown): Promise<void> {
    const line = new TextEncoder().encode(`\n${this.#lineOf(key, JSON.stringify(value))}\n`);
    if (line.length > MOST_LINE) return;
    try {
      if (!this.#parent.exists()) return;
      takeAwayOdd(this.#parent, [GENERATED_FOLDER], ({ isDirectory }) => !isDirectory);
      this.#folder.make();
      takeAwayOdd(this.#folder, [FILE, LOCK, UNUSED], ({ isFile, nlink }) => !isFile || (nlink ?? 1) > 1);
      // Only a process that writes the file anew keeps others away.
      if (!this.#isSound()) await this.#locked(true, () => this.#begin());
      await this.#locked(false, async () => {
        using file = this.#folder.openToAppend(FILE);
        if (file.statSync().size + line.length > MOST_BYTES) return;
        writeAllSync(file, line);
        // It takes 0.4 ms, the request took much longer. The result is written also where a file system cannot do it.
        await file.syncData().catch(() => {});
      });
    } catch (error) {
      throw error instanceof UserError ? error : unwritable(error, this.#folder.at(FILE));
    }
  }

  async prune(used: ReadonlySet<string>, now: Date): Promise<void> {
    try {
      this.#refresh();
      if (this.#lines.count === 0) return;
      await this.#locked(true, () => this.#prune(used, now), 1);
    } catch {
      // The next run tries again.
    }
  }

  verify(): Promise<{ readonly results: number; readonly damaged: number }> {
    return Promise.try(() => {
      this.#refresh();
      let damaged = 0;
      const keys = this.#lines.keys(this.#folder);
      for (const key of keys) if (this.#read(key) === undefined) damaged++;
      return { results: keys.size - damaged, damaged };
    });
  }

  /** Reads what was appended since the last call, or all of a file that was replaced. A line that cannot be used counts as missing. */
  #refresh(): void {
    try {
      if (this.#lines.isCurrent(this.#folder)) return;
      using file = this.#folder.open(FILE, "read");
      if (!this.#lines.continuesIn(file)) this.#lines = new Lines();
      this.#lines.refresh(file, this.#header);
    } catch (error) {
      if (!isMissing(error) && !(error instanceof UserError)) throw unwritable(error, this.#folder.at(FILE));
      this.#lines = new Lines();
    }
  }

  /** Returns the sound result of a key. */
  #read(key: string): unknown {
    try {
      const line = this.#lines.read(key, this.#folder);
      if (line === undefined) return undefined;
      const json = line.slice(FRONT_CHARS);
      const [found, expected] = [line, this.#lineOf(key, json)].map((text) =>
        new TextEncoder().encode(text.slice(0, FRONT_CHARS))
      );
      return timingSafeEqual(found!, expected!) ? JSON.parse(json) : undefined;
    } catch (error) {
      if (isMissing(error) || error instanceof UserError || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #lineOf(key: string, json: string): string {
    const code = createHmac("sha256", this.#key).update(`${key} ${json}`).digest("hex");
    return `${key} ${code.slice(0, CODE_CHARS)} ${json}`;
  }

  /** Whether there is a file with the header of this installation. */
  #isSound(): boolean {
    if (this.#folder.look(FILE) === undefined) return false;
    using file = this.#folder.open(FILE, "read");
    return hasHeader(file, this.#header);
  }

  /** Begins the file, in the place of one that cannot be used. */
  async #begin(): Promise<void> {
    if (this.#isSound()) return;
    await this.#folder.replace(FILE, (file) => writeAll(file, new TextEncoder().encode(this.#header)));
  }

  async #prune(used: ReadonlySet<string>, now: Date): Promise<void> {
    this.#refresh();
    const [today, limit] = [dayOf(now), dayOf(new Date(now.getTime() - UNUSED_DAYS * DAY_MS))];
    const since = this.#unusedSince(), unused = new Map<string, string>();
    const keys = [...this.#lines.keys(this.#folder)];
    for (const key of keys.filter((key) => !used.has(key))) {
      const day = since.get(key) ?? today;
      unused.set(key, day < today ? day : today);
    }
    const old = new Set(unused.keys().filter((key) => unused.get(key)! <= limit));
    const isSmall = this.#folder.look(FILE)!.size <= SMALL_BYTES;
    if (old.size > 0 && (isSmall || old.size / keys.length >= WASTE)) {
      await this.#compact(keys.filter((key) => !old.has(key)));
      for (const key of old) unused.delete(key);
    }
    const lines = Iterator.from(unused).map(([key, day]) => `${key} ${day}\n`).toArray().join("");
    await this.#folder.replace(UNUSED, (file) => writeAll(file, new TextEncoder().encode(lines)));
  }

  /** Reads since when results are not used. A line that is no such date counts as missing. */
  #unusedSince(): Map<string, string> {
    const since = new Map<string, string>();
    if (this.#folder.look(UNUSED) === undefined) return since;
    using file = this.#folder.open(UNUSED, "read");
    const bytes = new Uint8Array(Math.min(file.statSync().size, UNUSED_LINE * this.#lines.count));
    const text = new TextDecoder().decode(bytes.subarray(0, fillSync(file, bytes)));
    for (const [, key, day] of text.matchAll(/^([0-9a-f]{64}) (\d{4}-\d\d-\d\d)$/gm)) since.set(key!, day!);
    return since;
  }

  /** Writes the file anew with these results alone. */
  async #compact(kept: readonly string[]): Promise<void> {
    await this.#folder.replace(FILE, async (file) => {
      await writeAll(file, new TextEncoder().encode(this.#header));
      let lines = "";
      for (const key of kept) {
        const value = this.#read(key);
        if (value !== undefined) lines += `${this.#lineOf(key, JSON.stringify(value))}\n`;
        if (lines.length < PIECE_BYTES && key !== kept.at(-1)) continue;
        await writeAll(file, new TextEncoder().encode(lines));
        lines = "";
      }
    });
    this.#lines = new Lines();
  }

  /** Works with the lock. Does nothing where it cannot be had; works without it where the file system has no locks. */
  async #locked(exclusive: boolean, work: () => void | Promise<void>, attempts = ATTEMPTS): Promise<void> {
    using file = this.#folder.openToAppend(LOCK, 0o666);
    for (let attempt = 1; !await tryLock(file, exclusive).catch(() => true); attempt++) {
      if (attempt >= attempts) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    try {
      await work();
    } finally {
      // A process that is being started has a copy of the file for a moment.
      await file.unlock().catch(() => {});
    }
  }
}

/** The day of a time in UTC, such as `2026-11-26`. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, DAY_CHARS);
}

function hasHeader(file: ReadableFile, header: string): boolean {
  const bytes = new Uint8Array(header.length);
  file.seekSync(0, Deno.SeekMode.Start);
  return new TextDecoder().decode(bytes.subarray(0, fillSync(file, bytes))) === header;
}

/** Where the line of each key begins in a file that grows, and the piece of the file that was read last. */
class Lines {
  readonly #slots = new HashSlots();
  /** Offset of each line. */
  readonly #offsets: number[] = [];
  /** Inode and size of the file when it was read. */
  #seen = "";
  #inode: number | null = null;
  /** Offset after the last whole line. */
  #end = 0;
  #piece = { offset: 0, bytes: new Uint8Array() };

  get count(): number {
    return this.#slots.size;
  }

  isCurrent(folder: OwnFolder): boolean {
    const info = folder.look(FILE);
    return info !== undefined && this.#seen === `${info.ino}:${info.size}` && info.isFile;
  }

  /** Whether a file is the one that was read, with more at its end. */
  continuesIn(file: ReadableFile): boolean {
    const { ino, size } = file.statSync();
    return ino === this.#inode && size >= this.#end;
  }

  refresh(file: ReadableFile, header: string): void {
    const { ino, size } = file.statSync();
    if (this.#end === 0) {
      if (!hasHeader(file, header)) return;
      this.#end = header.length;
    }
    this.#inode = ino;
    this.#seen = `${ino}:${size}`;
    const piece = new Uint8Array(PIECE_BYTES);
    for (let at = this.#end; at < MOST_BYTES;) {
      file.seekSync(at, Deno.SeekMode.Start);
      const bytes = piece.subarray(0, fillSync(file, piece));
      const used = this.#add(bytes, at);
      // A line that is longer than a piece is skipped: it is no line of ours.
      at += used === 0 ? bytes.length : used;
      if (used > 0) this.#end = at;
      if (bytes.length < piece.length) break;
    }
  }

  /** Returns the line of a key; `undefined` if there is none. */
  read(key: string, folder: OwnFolder): string | undefined {
    const slot = this.#slots.get(hashOf(key));
    if (slot === undefined) return undefined;
    const from = this.#offsets[slot]!;
    const at = from - this.#piece.offset;
    const end = at < 0 ? -1 : this.#piece.bytes.indexOf(NEWLINE, at);
    if (end >= 0) return new TextDecoder().decode(this.#piece.bytes.subarray(at, end));
    using file = folder.open(FILE, "read");
    for (const size of [NEAR_BYTES, PIECE_BYTES]) {
      file.seekSync(from, Deno.SeekMode.Start);
      const piece = new Uint8Array(size);
      this.#piece = { offset: from, bytes: piece.subarray(0, fillSync(file, piece)) };
      const end = this.#piece.bytes.indexOf(NEWLINE);
      if (end >= 0) return new TextDecoder().decode(this.#piece.bytes.subarray(0, end));
    }
    return undefined;
  }

  /** All keys, in the order of their first lines. */
  keys(folder: OwnFolder): Set<string> {
    const keys = new Set<string>();
    if (this.count === 0) return keys;
    using file = folder.open(FILE, "read");
    const bytes = new Uint8Array(KEY_CHARS);
    for (const offset of this.#offsets) {
      file.seekSync(offset, Deno.SeekMode.Start);
      if (fillSync(file, bytes) === KEY_CHARS) keys.add(new TextDecoder().decode(bytes));
    }
    return keys;
  }

  /** Adds the whole lines of a piece of the file. Returns their bytes. */
  #add(bytes: Uint8Array, offset: number): number {
    let from = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, from);
      if (end < 0) return from;
      if (end - from > FRONT_CHARS) {
        const hash = hashOf(new TextDecoder().decode(bytes.subarray(from, from + KEY_CHARS)));
        const known = this.#slots.get(hash);
        if (known !== undefined) this.#offsets[known] = offset + from;
        else if (this.#slots.size === this.#offsets.length) {
          this.#slots.set(hash, this.#offsets.length);
          this.#offsets.push(offset + from);
        }
      }
      from = end + 1;
    }
  }
}

/** The start of a key as bytes; zeros for a text that is no key, which its code reveals later. */
function hashOf(key: string): Uint8Array {
  const digits = key.slice(0, 2 * HASH_BYTES);
  return /^[0-9a-f]{32}$/.test(digits) ? Uint8Array.fromHex(digits) : new Uint8Array(HASH_BYTES);
}
