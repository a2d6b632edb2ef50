import { isMissing, type OwnFolder, writeAll } from "../sandbox/mod.ts";
import { cannotWrite } from "./failure.ts";

/** The source of a partial file. */
interface Origin {
  /** SHA-256 of the complete file. */
  readonly sha256: string;
  readonly url: string;
  /** Strong `ETag`, or `Last-Modified`; absent if the server sends neither. */
  readonly validator?: string;
}

/**
 * A file that is not complete yet, `NAME.partial`, and beside it `NAME.partial.json` with its {@linkcode Origin}. Every source
 * of a file has the same bytes, so a part from one is continued from another. A file with another digest starts anew.
 */
export class PartialFile {
  readonly name: string;
  readonly #origin: string;

  constructor(
    readonly folder: OwnFolder,
    readonly whole: string,
    readonly file: Pick<Origin, "url" | "sha256">,
  ) {
    this.name = `${whole}.partial`;
    this.#origin = `${this.name}.json`;
  }

  /** Bytes that are there and can be continued or checked. */
  async bytes(): Promise<number> {
    const size = this.folder.look(this.name)?.size ?? 0;
    return size > 0 && (await this.#read())?.sha256 === this.file.sha256 ? size : 0;
  }

  /** The validator that this address sent; `undefined` for a part from another one. */
  async validator(): Promise<string | undefined> {
    const origin = await this.#read();
    return origin?.url === this.file.url ? origin.validator : undefined;
  }

  /** Opens the file to append to it; with `start` 0 a new one, whose origin is written down. */
  async open(start: number, headers: Headers): Promise<Deno.FsFile> {
    try {
      if (start > 0) return this.folder.openToAppend(this.name);
      this.remove();
      const validator = validatorOf(headers);
      const origin: Origin = { ...this.file, ...(validator === undefined ? {} : { validator }) };
      const text = new TextEncoder().encode(JSON.stringify(origin));
      await this.folder.replace(this.#origin, (file) => writeAll(file, text));
      return this.folder.create(this.name);
    } catch (error) {
      throw cannotWrite(error, this.folder.at(this.name));
    }
  }

  /** Gives the complete file its name. */
  finish(): void {
    this.folder.rename(this.name, this.whole);
    this.remove();
  }

  remove(): void {
    for (const name of [this.name, this.#origin]) {
      try {
        this.folder.remove(name);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
  }

  /** The origin; `undefined` if its file is missing or damaged. */
  async #read(): Promise<Origin | undefined> {
    try {
      const { sha256, url, validator } = JSON.parse(await this.folder.readText(this.#origin));
      if (typeof url !== "string" || typeof sha256 !== "string") return undefined;
      return typeof validator === "string" ? { sha256, url, validator } : { sha256, url };
    } catch {
      return undefined;
    }
  }
}

/** The header for `If-Range` (RFC 9110, 13.1.5), which takes no weak `ETag`. */
function validatorOf(headers: Headers): string | undefined {
  const etag = headers.get("etag");
  if (etag !== null && /^"[\x21\x23-\x7e]*"$/.test(etag)) return etag;
  return headers.get("last-modified") ?? undefined;
}
