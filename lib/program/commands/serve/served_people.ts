/** The tokens that a server over HTTP admits, and the part of its library that the clients of each of them get. */
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import type { IngestSummary } from "#library/ingest/types.ts";
import { grantedFolders, TokenBook, tokenStore } from "#library/people/mod.ts";
import type { Library } from "#library/search/mod.ts";
import type { ServedCollection } from "#library/search/served_collections.ts";
import type { SearchAnswer, SearchRequest } from "#library/search/types.ts";
import type {
  LimitedParts,
  LimitedToken,
  ReembeddedDocument,
  Upkeep,
  UpkeepRequest,
  WorkUnderWay,
} from "#server/mod.ts";
import type { Session } from "../../request.ts";
import { ForwardedLibrary, type ServedLibrary } from "./served_library.ts";

/** The tokens of people that a server admits. */
export async function servedTokens({ config, stateDir, log, http }: Session): Promise<TokenBook> {
  const onError = (error: unknown) => log.warning("serve.tokens", { error: String(error) });
  const book = new TokenBook(await tokenStore(config, stateDir), {
    onError,
    guards: http?.isForPeople ?? false,
  });
  await book.look();
  return book;
}

/**
 * Returns the parts of the server for the clients with a limited token: a library with their collections only, the changes of these
 * collections, and the work that the clients may ask for.
 */
export function limitedParts(
  { access, principal }: LimitedToken,
  library: ServedLibrary,
  { config, flags }: Session,
): LimitedParts {
  if (principal === undefined) return partsOf(library.limitedTo(present({ roots: library.roots, access })));
  const { roots, writable, others } = grantedFolders(principal, library.roots, config);
  const parts = partsOf(library.limitedTo(present({ roots, access, others })));
  // An update tells of documents that its client may not know of.
  const mayWrite = writable.length > 0 && !flags.noWatch && !library.isLimited && access === undefined;
  return {
    ...parts,
    library: new NamedLibrary(parts.library, principal.name),
    ...(mayWrite && { upkeep: new GrantedUpkeep(library, principal.name, writable) }),
  };
}

function partsOf({ library, changes }: ReturnType<ServedLibrary["limitedTo"]>): LimitedParts {
  return { library, changes: changes.bus };
}

/** Work on the indexes of some of the served folders only. Traces get the name of the person who asks. */
class GrantedUpkeep implements Upkeep {
  readonly #upkeep: Upkeep;
  readonly #principal: string;
  readonly #writable: ReadonlySet<string>;

  /** `writable`: real paths of the folders. */
  constructor(upkeep: Upkeep, principal: string, writable: readonly string[]) {
    this.#upkeep = upkeep;
    this.#principal = principal;
    this.#writable = new Set(writable);
  }

  async update(root: string, request: UpkeepRequest): Promise<IngestSummary> {
    this.#check(root);
    return await this.#upkeep.update(root, { ...request, principal: this.#principal });
  }

  async underWay(root: string): Promise<WorkUnderWay | undefined> {
    return this.#writable.has(root) ? await this.#upkeep.underWay(root) : undefined;
  }

  async reembed(
    root: string,
    path: string,
    request: Omit<UpkeepRequest, "full">,
  ): Promise<ReembeddedDocument> {
    this.#check(root);
    return await this.#upkeep.reembed(root, path, { ...request, principal: this.#principal });
  }

  #check(root: string): void {
    if (!this.#writable.has(root)) throw new UserError("ingest_not_granted", { path: root });
  }
}

/** A library that adds the name of the person who asks to each search, for its trace. */
class NamedLibrary extends ForwardedLibrary {
  readonly collections: readonly ServedCollection[];
  readonly #library: Library;

  constructor(library: Library, readonly principal: string) {
    super();
    this.#library = library;
    this.collections = library.collections;
  }

  override search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    return super.search({ ...request, principal: this.principal }, signal);
  }

  protected override opened(): Promise<Library> {
    return Promise.resolve(this.#library);
  }
}
