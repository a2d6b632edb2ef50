/**
 * The library of a server as it is opened on first use: what keeps its indexes current is started,
 * and its answers name the folders that are being updated.
 */
import { UserError } from "#foundation/errors.ts";
import type { Library, LibraryOptions } from "#library/search/mod.ts";
import type { ReembeddedDocument, Upkeep, UpkeepRequest } from "#server/mod.ts";
import { printableMessage, warn } from "../../context.ts";
import type { Session } from "../../request.ts";
import type { BackgroundVectors } from "./background_work.ts";
import { type Language, message } from "#foundation/messages/mod.ts";
import type { BackgroundUpdates } from "./background_updates.ts";
import type { IngestSummary } from "#library/ingest/types.ts";

/**
 * Opens the library of a server and warns of folders that cannot be searched. Without `--no-watch` it also starts to keep
 * their indexes current, until `resources` are disposed of; if they already are, since the client has left, no update
 * starts. `onUpkeep` gets what updates them when a client asks for it.
 */
export async function openServed(
  session: Session,
  resources: AsyncDisposableStack,
  added: LibraryOptions["added"],
  onUpkeep: (upkeep: Upkeep) => void = () => {},
): Promise<Library> {
  const { config, flags, language, roots, ownPlaces, indexKey: key, indexDirs } = session;
  const { openLibrary, WantedTexts } = await import("#library/search/mod.ts");
  for (const root of roots) await warnOfUnusable(session, root);
  const models = await session.models();
  const options = {
    key,
    indexDirs,
    ownPlaces,
    extractor: session.extractor,
    models,
    ...(added === undefined ? {} : { added }),
  };
  const unwatched = () => openLibrary(roots, config, { ...options, isKept: () => false });
  if (flags.noWatch) return unwatched();
  const { BackgroundUpdates } = await import("./background_updates.ts");
  if (resources.disposed) return unwatched();
  const updates = resources.use(new BackgroundUpdates(session));
  const wanted = new WantedTexts();
  const isKept = (root: string) => updates.keeps(root);
  const library = countedLibrary(
    openLibrary(roots, config, { ...options, isKept, table: updates.table, wanted }),
  );
  let vectors: BackgroundVectors | undefined;
  if (models !== undefined) {
    const { BackgroundVectors } = await import("./background_work.ts");
    vectors = resources.use(
      new BackgroundVectors(session, models, { isBusy: library.isBusy, wanted }),
    );
  }
  const { ServedUpkeep } = await import("./background_updates.ts");
  onUpkeep(new ServedUpkeep(session, updates, models && vectors && { models, vectors }));
  if (config.files.ocr !== "off") {
    const { BackgroundRecognition } = await import("./background_work.ts");
    const takeUp = updates.takeUp.bind(updates);
    resources.use(new BackgroundRecognition(session, { isBusy: library.isBusy, takeUp }));
  }
  return updatedLibrary(library, updates, language);
}

/** Warns of a folder whose index cannot be used. The folder is still served, because the index may be repaired meanwhile. */
async function warnOfUnusable(session: Session, root: string): Promise<void> {
  // Not lib/library/ingest, which a server with --no-watch never needs.
  const { openStore } = await import("#library/store/mod.ts");
  try {
    await openStore(session.config, root, session).exists();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    warn(session, "cli_index_unusable", {
      dir: root,
      text: printableMessage(session.language, error.key, error.params),
    });
  }
}

/**
 * A library whose answers name those of the searched folders that are being updated. Where no folder has an index yet, the
 * error `index_not_ready` has that text as its parameter `updating`.
 */
export function updatedLibrary(
  library: Library,
  updates: Pick<BackgroundUpdates, "underWay" | "pending" | "isCurrent">,
  language: Language,
): Library {
  const noticeOf = (folders: readonly string[]) =>
    folders.length === 0 ? [] : [message(language, "folders_updating", { folders: folders.join(", ") })];
  return {
    get roots() {
      return library.roots;
    },
    get collections() {
      return library.collections;
    },
    async search(request, signal) {
      // An update that ends during the search may have come too late for its answer.
      const before = new Set(library.roots.filter((root) => updates.isCurrent([root])));
      try {
        const answer = await library.search(request, signal);
        const { freshness, roots } = answer;
        const updating = noticeOf(updates.underWay(roots));
        const state = updating.length > 0
          ? "updating"
          : freshness?.state === "unknown" && updates.isCurrent(roots) &&
              (roots ?? library.roots).every((root) => before.has(root))
          ? "current"
          : freshness?.state;
        return {
          ...answer,
          notices: [...answer.notices, ...updating],
          ...(freshness === undefined || state === undefined ? {} : { freshness: { ...freshness, state } }),
        };
      } catch (error) {
        const { pending } = updates;
        if (!(error instanceof UserError) || error.key !== "index_not_ready" || pending.length === 0) {
          throw error;
        }
        const updating = message(language, "folders_first_update", { folders: pending.join(", ") });
        throw new UserError(error.key, { ...error.params, updating }, { cause: error });
      }
    },
    readRawFile: (path, range, signal) => library.readRawFile(path, range, signal),
    readDocument: (path, signal) => library.readDocument(path, signal),
    readOriginal: (path, maxBytes, signal) => library.readOriginal(path, maxBytes, signal),
    catalog: () => library.catalog(),
    close: () => library.close(),
  };
}

/** A library that knows whether searches are under way. */
function countedLibrary(library: Library): Library & { readonly isBusy: () => boolean } {
  let searches = 0;
  return {
    get roots() {
      return library.roots;
    },
    get collections() {
      return library.collections;
    },
    async search(request, signal) {
      searches++;
      try {
        return await library.search(request, signal);
      } finally {
        searches--;
      }
    },
    readRawFile: (path, range, signal) => library.readRawFile(path, range, signal),
    readDocument: (path, signal) => library.readDocument(path, signal),
    readOriginal: (path, maxBytes, signal) => library.readOriginal(path, maxBytes, signal),
    catalog: () => library.catalog(),
    close: () => library.close(),
    isBusy: () => searches > 0,
  };
}

/** Updates by a server whose library is opened on first use. */
export class LateUpkeep implements Upkeep {
  readonly #open: () => Promise<unknown>;
  #upkeep: Upkeep | undefined;

  /** `open` opens the library, and calls {@linkcode set}. */
  constructor(open: () => Promise<unknown>) {
    this.#open = open;
  }

  /** Sets what does the work. */
  set(upkeep: Upkeep): void {
    this.#upkeep = upkeep;
  }

  async update(root: string, request: UpkeepRequest): Promise<IngestSummary> {
    return await (await this.#opened()).update(root, request);
  }

  async reembed(
    root: string,
    path: string,
    request: Omit<UpkeepRequest, "full">,
  ): Promise<ReembeddedDocument> {
    return await (await this.#opened()).reembed(root, path, request);
  }

  async #opened(): Promise<Upkeep> {
    await this.#open();
    if (this.#upkeep === undefined) throw new UserError("ingest_not_allowed");
    return this.#upkeep;
  }
}
