/** The texts that were recognised in scans: a sealed file for each document, named by its content. */
import { timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { UserError } from "#foundation/errors.ts";
import { type IndexKey, sealOf } from "#engine/index/mod.ts";
import {
  fileError,
  fill,
  isMissing,
  OwnFolder,
  TEMPORARY_END,
  unwritable,
  writeAll,
} from "#foundation/boundary/mod.ts";
import { isPictureKey, pictureKey, type RecognisedPages, type RecognisedTexts } from "../store.ts";
import { takeAwayOdd } from "./data_folder.ts";

/** Name of the folder of recognised texts, in the data folder. */
export const RECOGNISED_FOLDER = "recognised";
/** Changes whenever recognition gives another text for the same page. */
const VERSION = 1;
/** Bytes of the code in front of the JSON. */
const CODE_BYTES = 32;
/** Most bytes of a file that is read. 10,000 pages of 5,000 characters have 150 million. */
const MOST_BYTES = 200_000_000;
/** Names of the files of documents. */
const SHA256 = /^[0-9a-f]{64}$/;
/** Milliseconds after which a temporary file is removed. Writing one takes less than a second. */
const ABANDONED_MS = 3_600_000;

/**
 * Keeps recognised texts by the content of their document, so that no page is recognised twice. Each document has a file,
 * `.muxue_rag/recognised/<SHA-256>`: an HMAC-SHA-256 and JSON. As for an index, the key of the installation is needed: texts
 * that came with a folder are not trusted. A damaged file counts as missing. Several processes may write at once.
 */
export class FolderTexts implements RecognisedTexts {
  readonly #parent: OwnFolder;
  readonly #folder: OwnFolder;
  readonly #key: IndexKey;

  /** `parent`: the data folder. */
  constructor(parent: OwnFolder, key: IndexKey) {
    this.#parent = parent;
    this.#folder = new OwnFolder(join(parent.path, RECOGNISED_FOLDER));
    this.#key = key;
  }

  async get(sha256: string): Promise<RecognisedPages | undefined> {
    try {
      if (!this.#folder.exists() || this.#folder.look(sha256) === undefined) return undefined;
      using file = this.#folder.open(sha256, "read");
      const { size } = file.statSync();
      if (size < CODE_BYTES || size > MOST_BYTES) return undefined;
      const bytes = new Uint8Array(size);
      return this.#decode(sha256, bytes.subarray(0, await fill(file, bytes)));
    } catch (error) {
      if (isMissing(error) || error instanceof UserError && error.key === "data_folder_unsafe") {
        return undefined;
      }
      throw fileError(error, this.#folder.at(sha256));
    }
  }

  async set(sha256: string, pages: RecognisedPages): Promise<void> {
    const content = new TextEncoder().encode(encodePages(pages));
    try {
      if (!this.#parent.exists()) return;
      takeAwayOdd(this.#parent, [RECOGNISED_FOLDER], ({ isDirectory }) => !isDirectory);
      this.#folder.make();
      takeAwayOdd(this.#folder, [sha256]);
      await this.#folder.replace(sha256, async (file) => {
        await writeAll(file, this.#codeOf(sha256, content));
        await writeAll(file, content);
      });
    } catch (error) {
      throw error instanceof UserError ? error : unwritable(error, this.#folder.at(sha256));
    }
  }

  /** Removes temporary files that interrupted runs left as well. */
  async keepOnly(needed: ReadonlySet<string>): Promise<void> {
    try {
      if (!this.#folder.exists()) return;
      const names = [...this.#folder.names()];
      const isOld = (name: string) => SHA256.test(name) ? !needed.has(name) : this.#isAbandoned(name);
      const old = names.filter(isOld);
      for (const name of old) this.#folder.remove(name);
      // A picture is needed until its last document is gone.
      const pictures = old.some((name) => SHA256.test(name)) ? names.filter(isPictureKey) : [];
      if (pictures.length === 0) return;
      const rest = await this.#picturesOf(names.filter((name) => needed.has(name)));
      for (const name of pictures) if (!rest.has(name)) this.#folder.remove(name);
    } catch {
      // The next run tries again.
    }
  }

  /** Returns the keys of the pictures of documents. */
  async #picturesOf(documents: readonly string[]): Promise<Set<string>> {
    const keys = new Set<string>();
    for (const sha256 of documents) {
      const pictures = (await this.get(sha256))?.pictures;
      for (const picture of pictures?.values() ?? []) keys.add(pictureKey(picture.sha256));
    }
    return keys;
  }

  /** Whether a temporary file is too old to be one that another process is writing. */
  #isAbandoned(name: string): boolean {
    const written = this.#folder.look(name)?.mtime?.getTime() ?? Infinity;
    return name.endsWith(TEMPORARY_END) && Date.now() - written > ABANDONED_MS;
  }

  #decode(sha256: string, bytes: Uint8Array): RecognisedPages | undefined {
    const code = bytes.subarray(0, CODE_BYTES), content = bytes.subarray(CODE_BYTES);
    if (code.length < CODE_BYTES || !timingSafeEqual(code, this.#codeOf(sha256, content))) return undefined;
    return decodePages(new TextDecoder().decode(content));
  }

  #codeOf(sha256: string, content: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(sha256.length + content.length);
    new TextEncoder().encodeInto(sha256, bytes);
    bytes.set(content, sha256.length);
    return sealOf(this.#key, "recognised text", bytes);
  }
}

/** Returns recognised texts as JSON. */
export function encodePages({ texts, failed, pictures, ...facts }: RecognisedPages): string {
  return JSON.stringify({
    version: VERSION,
    ...facts,
    texts: [...texts],
    ...(failed?.size ? { failed: [...failed] } : {}),
    ...(pictures === undefined ? {} : { pictures: [...pictures] }),
  });
}

/** Returns the texts in JSON that {@linkcode encodePages} wrote; `undefined` for those of another version. */
export function decodePages(json: string): RecognisedPages | undefined {
  const { version, texts, failed, pictures, ...facts } = JSON.parse(json);
  if (version !== VERSION) return undefined;
  return {
    ...facts,
    texts: new Map(texts),
    ...(failed === undefined ? {} : { failed: new Map(failed) }),
    ...(pictures === undefined ? {} : { pictures: new Map(pictures) }),
  };
}
