/**
 * The interface of the loaders of document formats, and the rules that every loader keeps.
 * Below it: the guard that all loaders run in, and the names of files.
 *
 * The interface that every loader of a document format implements.
 *
 * A loader gets the bytes of one file and returns its text as normalised Markdown, with sections, pages, images and metadata
 * at their offsets. `MarkdownBuilder` in `writer/` builds all of that block by block.
 *
 * Rules for a loader:
 * - It sees bytes and nothing else: no files, no network, no environment. It runs in a thread without permissions, in a
 *   process of its own.
 * - The bytes may be hostile. Time and memory are linear in their number: nesting, expansion (ZIP, repeated table cells) and
 *   counts (pages, slides, sheets) have limits, and a file beyond a limit throws `DocumentError` with `too_complex`.
 *   External entities, links and macros are never followed.
 * - It throws `DocumentError` for a file that it cannot read. `guarded()` in `reader/` turns any other error into
 *   `damaged`. A file that is broken at its end gives the text before it if the format allows that.
 * - It has no signal for cancellation. A document that takes longer than the limits in `lib/library/extract/frames.ts`, or whose
 *   caller gives up, ends together with its process.
 * - It keeps no state between files except libraries and grammars that are expensive to load.
 *
 * To add a loader:
 * 1. Write `lib/documents/NAME/loader.ts`, which exports `loader`. All other files of the folder are private to it.
 * 2. Add an entry to the list in `formats.ts`: name, extensions, how to recognise a file, and the import of the loader.
 * 3. For a binary format, add the extensions to `DOCUMENT_EXTENSIONS` in `lib/documents/classify.ts` as well: the scan of a
 *    folder knows only names, and skips other binary files.
 * 4. Add the message `format_NAME` in `lib/foundation/messages/documents.ts`.
 * 5. Add a test in `tests/documents/NAME/`, and a sample to `tests/e2e/_documents.ts`.
 * 6. Name the format in the table of the guide's page `indexing.md`, in both languages, and in `file-types.csv`.
 *
 * These tests fail while a step is missing: `tests/documents/formats_test.ts` (1, 3, 5), `tests/engine/index/unread_test.ts` (4),
 * `tests/e2e/documents_test.ts` (5), `tests/readme_test.ts` (6).
 *
 * Texts that keep their form (markup, source code, data, logs) have no loader of this kind: `load_document.ts` finds their
 * outline in the main process.
 */
import { type Document, DocumentError } from "./types.ts";

/** The name of a file to be loaded, and the encoding that the user gives for it. */
export interface FileName {
  /** Name or path, with either separator. Only the name counts. */
  readonly path: string;
  /** Whether a picture is a document. Its text is recognised by other means. */
  readonly pictures?: boolean;
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

/** A format that has a loader, and how its files are recognised. */
export interface Format {
  readonly name: string;
  /** Extensions in lower case, without the dot. */
  readonly extensions: readonly string[];
  /**
   * Nature of the files. `text`: text throughout. `mixed`: text that may hold parts in other encodings, or bytes. `binary`:
   * no text, so that a file of this name without the signature is damaged.
   */
  readonly content: "text" | "mixed" | "binary";
  /** Characters at the start of every file, each standing for one byte. */
  readonly signature?: string;
  /** Folder inside the ZIP archive that only this Office format has. */
  readonly officeFolder?: string;
  /** Streams that mark the format in a compound file (MS-CFB). */
  readonly streams?: readonly string[];
  /**
   * Returns whether a text with this beginning (4,096 bytes) is of the format, whatever its name. `isXml`: by name or
   * prolog.
   */
  readonly matches?: (head: string, isXml: boolean) => boolean;
  /** Imports the loader, together with the libraries that it needs. */
  readonly load: () => Promise<{ readonly loader: Loader }>;
}

/** Runs a loader. Errors other than {@linkcode DocumentError} are caused by broken bytes and become `damaged`. */
export async function guarded(load: () => Document | Promise<Document>): Promise<Document> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    // Recursion was too deep, or a string or array exceeded the limits of the engine.
    const isLimit = error instanceof RangeError &&
      /call stack|string length|array (?:length|buffer)/i.test(error.message);
    throw new DocumentError(isLimit ? "too_complex" : "damaged", "the file could not be read", {
      cause: error,
    });
  }
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
