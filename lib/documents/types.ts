/**
 * The document that reading gives, and the interface of loaders.
 * Below them: what loaders share: the guard against broken bytes, fields that may say nothing, and names of files.
 *
 * A loader sees bytes and nothing else: no files, no network, no environment, no name of `Deno`. The bytes may be hostile:
 * time and memory are linear in their number, and nesting, expansion and counts have limits beyond which it throws
 * {@linkcode DocumentError} `too_complex`. External entities, links and macros are never followed. A file that is cut off
 * gives the text before it if the format allows that. A loader keeps no state between files but libraries and grammars that
 * are expensive to load. README.md of this folder says how to add one.
 */

import type { PictureSource } from "./pictures/types.ts";
import { DocumentError } from "./errors.ts";

export { DocumentError, type DocumentProblem, LONGEST_TEXT } from "./errors.ts";

/** A heading and the content below it. A line of more than 500 UTF-16 units is never a heading. */
export interface Section {
  /**
   * UTF-16 offset in the text where the heading line starts, or the line above it where that belongs to the heading
   * (reStructuredText).
   */
  readonly start: number;
  /** Exclusive end of the heading, including an underline, without the line end. */
  readonly headingEnd: number;
  /** Exclusive end of the content, including subsections. */
  readonly end: number;
  /** Counted from 1, the outermost level. */
  readonly level: number;
  /** The heading without its markup, at most 200 characters. Empty for a heading that consists of an image. */
  readonly title: string;
  /** Titles from the outermost heading to this one, without empty ones. */
  readonly path: readonly string[];
  /** The section begins a chunk even if the chunk before it is small. Set for long functions, which are searched by name. */
  readonly apart?: true;
}

/** The kinds of parts that {@linkcode Document.pages} lists. */
export const PAGE_UNITS = ["page", "slide", "sheet", "chapter", "cell", "message", "time"] as const;
export type PageUnit = typeof PAGE_UNITS[number];

/** A page, or another part that people cite in its place: a slide, a sheet, a chapter … */
export interface Page {
  /** Counted from 1. */
  readonly number: number;
  /** The name that people cite it by, where it has one: that of a sheet, the time of a subtitle (`00:01:23`). */
  readonly label?: string;
  /** UTF-16 offsets in the text; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * From `line` of the text on, each line is a row of a sheet, `row` and the following ones as its program numbers them; with
 * `row` 0 the lines are no rows. The lines are counted from 1, up to the next of these entries.
 */
export interface SheetRows {
  readonly line: number;
  readonly row: number;
}

/** Returns the row of a sheet that a line of the text shows; undefined for any other line. */
export function rowAt(rows: readonly SheetRows[], line: number): number | undefined {
  let low = 0;
  for (let high = rows.length; low < high;) {
    const middle = low + high >> 1;
    if (rows[middle]!.line <= line) low = middle + 1;
    else high = middle;
  }
  const run = rows[low - 1];
  return run === undefined || run.row === 0 ? undefined : run.row + line - run.line;
}

/** A picture in a document. Its bytes are not kept: they are read again when asked for. */
export interface Image {
  /** UTF-16 offset of the picture in the text. */
  readonly at: number;
  /** Page counted from 1, in formats that have pages. */
  readonly page?: number;
  /** Caption or alternative text. */
  readonly caption?: string;
  /** UTF-16 offsets of the text that was recognised in it, the end exclusive. It may contain errors. Absent if there is none. */
  readonly recognised?: readonly [start: number, end: number];
}

/** Facts that a document gives about itself, in the normal form that `described` of metadata.ts makes and bounds. */
export interface Metadata {
  readonly authors?: readonly string[];
  /** When it was created. ISO 8601: `2024`, `2024-05`, `2024-05-01` or with a time, which has a zone if one was written. */
  readonly created?: string;
  /** When the text was last changed, and when it was made public, in the same form. */
  readonly modified?: string;
  readonly published?: string;
  /** BCP 47 tag: `en`, `zh-CN`. */
  readonly language?: string;
  /** Keywords given by the author. */
  readonly tags?: readonly string[];
  /** Address that the document was taken from or belongs to. */
  readonly sourceUrl?: string;
  /** The people who may see it, in the author's words: `public`, `internal` … */
  readonly accessLevel?: string;
  /** `draft`, `final` … in the author's words. */
  readonly status?: string;
  /** At most 200 UTF-16 units. */
  readonly description?: string;
  /** Every other field, by its name as written. */
  readonly extra?: Readonly<Record<string, MetadataValue>>;
}

/** A field's value. A text that is a date stays as it is written. */
export type MetadataValue = string | number | boolean | readonly string[];

/** The text of a document and its structure. Every offset refers to `text`. */
export interface Document {
  /** The unchanged decoded file for plain text, markup and source code. Normalised Markdown for every other format. */
  readonly text: string;
  readonly title?: string;
  /** UTF-16 offset behind the front matter, whose fields are in `title` and `metadata` and which is not indexed. Absent for 0. */
  readonly bodyStart?: number;
  /** Ordered by start. A subsection follows the section that contains it. */
  readonly sections: readonly Section[];
  /** In ascending order, without overlaps. Absent for formats without pages. */
  readonly pages?: readonly Page[];
  /** The unit of {@linkcode pages}, such as sheets. Absent if they are pages. */
  readonly pageUnit?: Exclude<PageUnit, "page">;
  readonly images?: readonly Image[];
  /** The rows of sheets and of delimited text, by ascending line. Absent if there are none, or if they are too scattered. */
  readonly rows?: readonly SheetRows[];
  readonly metadata?: Metadata;
  /** Other files that it links to, as `References` of text/references.ts has them. Absent if there are none. */
  readonly links?: readonly string[];
  /** Numbers of the pages without text, such as scans. Absent if there are none. */
  readonly emptyPages?: readonly number[];
  /** Numbers of the pages with text that was recognised in a picture. It may contain errors. Absent if there are none. */
  readonly recognised?: readonly number[];
}

/** The name of a file to be loaded, and the encoding that the user gives for it. */
export interface FileName {
  /** Name or path, with either separator. Only the name counts. */
  readonly path: string;
  /** Whether a picture is a document. Its text is recognised by other means. */
  readonly pictures?: boolean;
  /** Whether the pictures in documents are left out. */
  readonly ignoreImages?: boolean;
  /** If given, the loader adds the places of the document's {@linkcode Document.images}, in their order. */
  readonly sources?: PictureSource[];
  /** WHATWG label of the encoding that the user forces on text formats. Without it the encoding is detected. */
  readonly encoding?: string;
}

/** Reads the files of one format. */
export interface Loader {
  /** Returns the document in `bytes`, in linear time and memory. Rejects with {@linkcode DocumentError}. */
  load(bytes: Uint8Array<ArrayBuffer>, file: FileName): Promise<Document>;
}

/** Reads the outline of a text that keeps its form: markup, source code, data, logs. Takes linear time for any text. */
export type TextLoader = (text: string) => Document;

/**
 * Returns the loader that runs a function. Errors other than {@linkcode DocumentError} are caused by broken bytes and become
 * `damaged`.
 */
export function guarded(
  load: (bytes: Uint8Array<ArrayBuffer>, file: FileName) => Document | Promise<Document>,
): Loader {
  return {
    async load(bytes, file) {
      try {
        return await load(bytes, file);
      } catch (cause) {
        if (cause instanceof DocumentError) throw cause;
        // Recursion was too deep, or a string or array exceeded the limits of the engine.
        const isLimit = cause instanceof RangeError &&
          /call stack|string length|array (?:length|buffer)/i.test(cause.message);
        throw new DocumentError(isLimit ? "too_complex" : "damaged", "the file could not be read", { cause });
      }
    },
  };
}

/** Returns the fields that say something: without `undefined`, empty texts and empty lists. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const found = Object.entries(fields).filter(([, value]) =>
    value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)
  );
  return Object.fromEntries(found) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Returns the texts that say something, with a separator between them. */
export function joined(texts: readonly (string | undefined)[], separator: string): string {
  return texts.filter((text) => text !== undefined && text !== "").join(separator);
}

/** Returns the first line with a word, if it is short enough to name something; empty if it is not. */
export function shortName(lines: readonly string[]): string {
  const line = lines.find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  return line.length <= 60 ? line : "";
}

/** Returns the value of a key. A missing one is made and kept. */
export function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, value = make());
  return value;
}

/** Returns the list of a key and removes it, so that many that ask for one key get it once. */
export function taken<Key, Value>(map: Map<Key, Value[]>, key: Key): Value[] {
  const list = map.get(key) ?? [];
  map.delete(key);
  return list;
}

/** Returns a view for reading numbers from some bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the words in texts that separate them by blanks. */
export function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

/** Returns the table in a text that lists each name with its value behind it, all separated by blanks. */
export function pairs(...lines: readonly string[]): Readonly<Record<string, string>> {
  const list = lines.flatMap((line) => line.split(" "));
  return Object.fromEntries(list.flatMap((name, i) => i % 2 === 0 ? [[name, list[i + 1]!]] : []));
}

/** Returns the values of a table by each of the names in their keys, which blanks separate. */
export function byName<Value>(table: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(
    Object.entries(table).flatMap(([names, value]) => names.split(" ").map((name) => [name, value] as const)),
  );
}

/** Returns for each word in some lists the name of its list. */
export function byWord<Name extends string>(
  lists: Readonly<Record<Name, string>>,
): Readonly<Record<string, Name>> {
  const entries = Object.entries<string>(lists) as [Name, string][];
  return Object.fromEntries(entries.flatMap(([name, list]) => list.split(" ").map((word) => [word, name])));
}

/** Returns the last segment of a path with either separator. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** Returns the extension of a path in lower case, without the dot. Empty if there is none. */
export function extensionOf(path: string): string {
  const name = fileName(path);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}
