import { basename } from "node:path";
import { type Config, folderConfig } from "../config/mod.ts";
import { CurrentRules, readFileBytes, readTextFile, type WalkOptions } from "../corpus/mod.ts";
import { pagesToRecognise, withRecognisedText } from "../document/mod.ts";
import { UserError } from "../errors.ts";
import { type Extractor, readDocument } from "../extract/mod.ts";
import type { IndexKey } from "../index/mod.ts";
import { type Resolved, resolveInside } from "../sandbox/mod.ts";
import { type IndexDirs, RecognisedTexts } from "../store/mod.ts";
import { resolveServed } from "./collection_path.ts";
import { type CitedLines, citedLines } from "./cited_lines.ts";
import type { ServedCollection } from "./served_collections.ts";
import { lineRange } from "./line_range.ts";
import type { LineRange, OriginalFile, RawFile, ServedDocument } from "./types.ts";

/** Documents kept in memory, the latest read: a client that reads one soon asks for its next part. */
const MAX_KEPT = 8;
/** UTF-16 units of text kept in all of them. */
const MAX_KEPT_CHARS = 20_000_000;

/** A file that may be read. */
interface Located {
  readonly real: string;
  /** The folder that it lies in. */
  readonly root: string;
  readonly maxBytes: number;
  readonly encoding: string | undefined;
  /** The lines that were written after the path. */
  readonly cited?: CitedLines;
}

/** Reads files of the served folders by their path, but only files that may be indexed. */
export class ServedFiles {
  readonly #roots: readonly string[];
  readonly #collections: readonly ServedCollection[];
  readonly #config: Config;
  readonly #optionsOf: (root: string) => WalkOptions;
  readonly #rules = new Map<string, CurrentRules>();
  readonly #extractor: Extractor;
  readonly #recognised: (root: string) => RecognisedTexts;
  /** By path, size and time, the one used longest ago first. */
  readonly #kept = new Map<string, ServedDocument>();

  constructor(
    { roots, collections, config, optionsOf, extractor, key, indexDirs = {} }: {
      readonly roots: readonly string[];
      readonly collections: readonly ServedCollection[];
      readonly config: Config;
      readonly optionsOf: (root: string) => WalkOptions;
      readonly extractor: Extractor;
      readonly key: IndexKey;
      readonly indexDirs?: IndexDirs | undefined;
    },
  ) {
    this.#roots = roots;
    this.#collections = collections;
    this.#config = config;
    this.#optionsOf = optionsOf;
    this.#extractor = extractor;
    this.#recognised = (root) => new RecognisedTexts(root, key, indexDirs[root]);
  }

  /** See {@linkcode import("./types.ts").Library.readRawFile}. */
  async readRaw(path: string, range: LineRange, signal?: AbortSignal): Promise<RawFile> {
    const { real, cited, maxBytes, encoding } = await this.#locate(path);
    signal?.throwIfAborted();
    const file = await readTextFile(real, { maxBytes, encoding, signal });
    if (cited?.pages !== undefined) throw new UserError("document_without_pages", { path: cited.path });
    return {
      ...lineRange(file.text, Object.keys(range).length > 0 ? range : cited ?? {}),
      path: real,
      size: file.size,
      modified: new Date(file.mtimeMs),
      encoding: file.encoding,
    };
  }

  /** See {@linkcode import("./types.ts").Library.readDocument}. */
  async readDocument(path: string, signal?: AbortSignal): Promise<ServedDocument> {
    const { real, root, cited, maxBytes, encoding } = await this.#locate(path);
    const { bytes, size, mtimeMs, birthtimeMs, sha256 } = await readFileBytes(real, { maxBytes, signal });
    const hash = sha256.toHex();
    const key = `${real}\0${hash}`;
    let served = this.#kept.get(key);
    let isWhole = true;
    if (served === undefined) {
      const pictures = this.#config.files.ocr !== "off";
      const file = { path: real, pictures, ...(encoding === undefined ? {} : { encoding }) };
      const { document: read, format } = await readDocument(bytes, file, this.#extractor, signal);
      const scans = pictures ? pagesToRecognise(read, format) : [];
      const texts = scans.length > 0 ? (await this.#recognised(root).get(hash))?.texts : undefined;
      const document = texts === undefined ? read : withRecognisedText(read, texts);
      isWhole = scans.every((page) => texts?.has(page));
      served = { document, format, path: real, name: basename(real), size, modified: new Date(mtimeMs) };
    }
    const { created: _, ...kept } = served;
    served = {
      ...kept,
      modified: new Date(mtimeMs),
      ...(birthtimeMs === undefined ? {} : { created: new Date(birthtimeMs) }),
    };
    this.#kept.delete(key);
    // The text of a scan may be recognised at any time.
    if (isWhole) this.#kept.set(key, served);
    this.#forgetOldest();
    return cited === undefined ? served : { ...served, cited };
  }

  /** See {@linkcode import("./types.ts").Library.readOriginal}. */
  async readOriginal(path: string, maxBytes: number, signal?: AbortSignal): Promise<OriginalFile> {
    const { real } = await this.#locate(path);
    const { bytes, size, mtimeMs } = await readFileBytes(real, { maxBytes, signal });
    return { bytes, path: real, name: basename(real), size, modified: new Date(mtimeMs) };
  }

  /** Whether a client may read the file at a full path. */
  async isServed(path: string): Promise<boolean> {
    try {
      await this.#locate(path);
      return true;
    } catch {
      return false;
    }
  }

  /** The file that may be read to the client: not one that the user keeps out of the index. */
  async #locate(path: string): Promise<Located> {
    const { real, root, relative, cited } = await this.#resolve(path);
    const options = this.#optionsOf(root);
    let rules = this.#rules.get(root);
    if (rules === undefined) this.#rules.set(root, rules = new CurrentRules(root, options));
    const reason = await rules.leftOut(relative);
    if (reason !== null) throw new UserError("no_permission", { path, reason });
    const { encoding } = folderConfig(this.#config, root).files;
    return {
      real,
      root,
      maxBytes: options.maxFileBytes,
      encoding: encoding === "auto" ? undefined : encoding,
      ...(cited === undefined ? {} : { cited }),
    };
  }

  /**
   * Finds the file at `path`, or, if there is none, at the path of the citation `path:12-40`. The `#` of a URL begins lines, and so does the query of an address.
   */
  async #resolve(path: string): Promise<Resolved & { readonly cited?: CitedLines }> {
    const places = { roots: this.#roots, collections: this.#collections, resolve: resolveInside };
    const cited = citedLines(path);
    const isUrl = /^\s*(?:file:.*#|muxue:)/is.test(path);
    try {
      if (cited === undefined || !isUrl) return await resolveServed(path, places);
      return { ...await resolveServed(cited.path, places), cited };
    } catch (error) {
      if (cited === undefined || isUrl) throw error;
      return { ...await resolveServed(cited.path, places), cited };
    }
  }

  #forgetOldest(): void {
    let chars = 0;
    for (const { document } of this.#kept.values()) chars += document.text.length;
    for (const [key, { document }] of this.#kept) {
      if (this.#kept.size <= 1 || this.#kept.size <= MAX_KEPT && chars <= MAX_KEPT_CHARS) return;
      this.#kept.delete(key);
      chars -= document.text.length;
    }
  }
}
