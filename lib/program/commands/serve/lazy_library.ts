import type { Catalog } from "#library/search/mod.ts";
import type {
  Library,
  LineRange,
  OriginalFile,
  RawFile,
  SearchAnswer,
  SearchRequest,
  ServedCollection,
  ServedDocument,
} from "#library/search/types.ts";

/**
 * A library that is opened on first use, because the first requests of a client (name and abilities of the server) do not
 * need the modules for searching. If opening fails, the next use tries again, since the cause may be gone.
 */
export class LateLibrary implements Library {
  readonly #open: () => Promise<Library>;
  #library: Promise<Library> | undefined;

  constructor(readonly collections: readonly ServedCollection[], open: () => Promise<Library>) {
    this.#open = open;
  }

  get roots(): readonly string[] {
    return this.collections.map(({ root }) => root);
  }

  /** Opens the library, unless that has begun. Rejects with the error of opening it. */
  open(): Promise<Library> {
    return this.#library ??= this.#open().catch((error) => {
      this.#library = undefined;
      throw error;
    });
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    return await (await this.open()).search(request, signal);
  }

  async readRawFile(path: string, range?: LineRange, signal?: AbortSignal): Promise<RawFile> {
    return await (await this.open()).readRawFile(path, range, signal);
  }

  async readDocument(path: string, signal?: AbortSignal): Promise<ServedDocument> {
    return await (await this.open()).readDocument(path, signal);
  }

  async readOriginal(path: string, maxBytes: number, signal?: AbortSignal): Promise<OriginalFile> {
    return await (await this.open()).readOriginal(path, maxBytes, signal);
  }

  async catalog(): Promise<Catalog> {
    return await (await this.open()).catalog();
  }

  close(): void {
    this.#library?.then((library) => library.close(), () => {});
  }
}
