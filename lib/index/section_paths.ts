import { type Bytes, DamagedIndexError, type Numbers } from "./blob/mod.ts";
import { ByteBuffer, u32 } from "./bytes.ts";
import type { StoredPage } from "./types.ts";

/** Separates the headings of a path. In headings it is replaced by a space. */
const SEPARATOR = "\u001f";

/** Section paths, each stored once. Path 0 is the empty one. */
export class SectionPathsBuilder {
  readonly #ids = new Map<string, number>();
  readonly #bytes = new ByteBuffer();
  readonly #offsets = u32();
  readonly #encoder = new TextEncoder();

  constructor() {
    this.#offsets.push(0);
    this.add([]);
  }

  /** Returns the number of a path. */
  add(path: readonly string[]): number {
    const key = path.map((heading) => heading.replaceAll(SEPARATOR, " ")).join(SEPARATOR);
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#ids.size;
      this.#ids.set(key, id);
      this.#bytes.append(this.#encoder.encode(key));
      this.#offsets.push(this.#bytes.length);
    }
    return id;
  }

  /** Returns the arrays to store. */
  finish(): { bytes: Uint8Array; offsets: Uint32Array } {
    return { bytes: this.#bytes.view(), offsets: this.#offsets.view() };
  }
}

/** Stored section paths, decoded when they are needed. */
export class SectionPaths {
  readonly #decoder = new TextDecoder();

  constructor(
    readonly bytes: Bytes,
    readonly offsets: Numbers,
    readonly damaged: (problem: string) => Error = (problem) => new DamagedIndexError(problem),
  ) {}

  /** The headings of path `id`, outermost first. */
  get(id: number): readonly string[] {
    const start = this.offsets.at(id), end = this.offsets.at(id + 1);
    if (start === undefined || end === undefined || start > end || end > this.bytes.length) {
      throw this.damaged(`place of section path ${id}`);
    }
    const text = this.#decoder.decode(this.bytes.subarray(start, end));
    return text === "" ? [] : text.split(SEPARATOR);
  }
}

/** Returns pages as a list that is stored like a section path: `number@offset label`. */
export function pageList(pages: readonly StoredPage[]): string[] {
  return pages.map(({ number, at, label }) => `${number}@${at}${label === undefined ? "" : ` ${label}`}`);
}

/** Reads an item of {@linkcode pageList}. */
export function storedPage(item: string): StoredPage {
  const [, number, at, label] = /^(\d+)@(\d+)(?: (.*))?$/s.exec(item) ?? [];
  if (number === undefined) throw new DamagedIndexError("list of pages");
  return { number: Number(number), at: Number(at), ...(label === undefined ? {} : { label }) };
}
