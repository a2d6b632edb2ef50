import type {
  Library,
  OriginalFile,
  RawFile,
  SearchAnswer,
  SearchRequest,
  ServedDocument,
} from "../../../search/types.ts";

/**
 * A library that is opened when it is first wanted: what a client asks of a server first, who it is and what it can do, needs
 * none of the modules that search. If that fails, it is opened again when it is next wanted: what was wrong may have been put
 * right.
 */
export class LateLibrary implements Library {
  readonly roots: readonly string[];
  readonly #open: () => Promise<Library>;
  #library: Promise<Library> | undefined;

  /** `roots`: real paths. */
  constructor(roots: readonly string[], open: () => Promise<Library>) {
    this.roots = roots;
    this.#open = open;
  }

  /** Opens it now, unless it is open or being opened. Rejects with what opening throws. */
  open(): Promise<Library> {
    return this.#library ??= this.#open().catch((error) => {
      this.#library = undefined;
      throw error;
    });
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    return await (await this.open()).search(request, signal);
  }

  async readRawFile(path: string, range?: { startLine?: number; endLine?: number }): Promise<RawFile> {
    return await (await this.open()).readRawFile(path, range);
  }

  async readDocument(path: string, signal?: AbortSignal): Promise<ServedDocument> {
    return await (await this.open()).readDocument(path, signal);
  }

  async readOriginal(path: string, maxBytes: number): Promise<OriginalFile> {
    return await (await this.open()).readOriginal(path, maxBytes);
  }

  close(): void {
    this.#library?.then((library) => library.close(), () => {});
  }
}
