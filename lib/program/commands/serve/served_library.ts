/**
 * The library of a server while it runs: opened on first use, kept current, with and without limits on what its clients may know of.
 */
import {
  DocumentChanges,
  Notes,
  type ReembeddedDocument,
  type Upkeep,
  type UpkeepRequest,
  type WorkUnderWay,
} from "#server/mod.ts";
import type { Session } from "../../request.ts";
import { traceOf, UserError } from "#foundation/errors.ts";
import type { IngestSummary } from "#library/ingest/types.ts";
import type {
  Catalog,
  CheckedSupport,
  Library,
  LibraryOptions,
  WhyNot,
  WhyNotRequest,
} from "#library/search/mod.ts";
import { type ServedCollection, servedCollections } from "#library/search/served_collections.ts";
import type {
  AccessLimit,
  OriginalFile,
  RawFile,
  SearchAnswer,
  SearchRequest,
  ServedDocument,
  ServedPictures,
} from "#library/search/types.ts";
import type { BackgroundUpdates } from "./background_updates.ts";
import type { LocalModels } from "./background_work.ts";

/** Loads the texts, which a start does not need. */
const say = () => import("../../say.ts");

/** Delay before the indexes are opened: the answers to the first requests of a client come before. */
const OPEN_AFTER_MS = 100;

/** The objects that are open while a server runs. */
interface OpenedFolders {
  readonly library: Library;
  /** Keeps the indexes current; absent with `--no-watch`, and for a client that has left meanwhile. */
  readonly updates?:
    & Pick<BackgroundUpdates, "underWay" | "pending" | "isCurrent" | "update">
    & Partial<Pick<BackgroundUpdates, "workOn">>;
  readonly local?: LocalModels | undefined;
  /** Opens the library for clients that may know of some documents only. */
  readonly openLimited?: (limits: LimitedView) => Library;
}

/** The limits of some clients. */
interface LimitedView {
  /** Real paths of the folders. */
  readonly roots: readonly string[];
  readonly access?: AccessLimit | undefined;
  /** Real paths of folders of which they may know nothing. */
  readonly others?: readonly string[] | undefined;
}

/** The parts of a {@linkcode ServedLibrary} that opening it needs. */
interface OpeningHost {
  /** These end with the server. */
  readonly resources: AsyncDisposableStack;
  readonly isBusy: () => boolean;
  /** The folders that were indexed since the start, if the server serves all that were indexed before. */
  readonly added: (() => Promise<string[]>) | undefined;
}

/** A library that hands each call to another one, which is opened when it is needed. The owner of that library closes it. */
export abstract class ForwardedLibrary implements Library {
  abstract readonly collections: readonly ServedCollection[];

  /** Returns the other library. Rejects if it cannot be opened. */
  protected abstract opened(): Promise<Library>;

  get roots(): readonly string[] {
    return this.collections.map(({ root }) => root);
  }

  async search(...given: Parameters<Library["search"]>): Promise<SearchAnswer> {
    return await (await this.opened()).search(...given);
  }

  async whyNot(...given: Parameters<Library["whyNot"]>): Promise<WhyNot> {
    return await (await this.opened()).whyNot(...given);
  }

  async readRawFile(...given: Parameters<Library["readRawFile"]>): Promise<RawFile> {
    return await (await this.opened()).readRawFile(...given);
  }

  async readDocument(...given: Parameters<Library["readDocument"]>): Promise<ServedDocument> {
    return await (await this.opened()).readDocument(...given);
  }

  async readOriginal(...given: Parameters<Library["readOriginal"]>): Promise<OriginalFile> {
    return await (await this.opened()).readOriginal(...given);
  }

  async readPictures(...given: Parameters<Library["readPictures"]>): Promise<ServedPictures> {
    return await (await this.opened()).readPictures(...given);
  }

  async catalog(): Promise<Catalog> {
    return await (await this.opened()).catalog();
  }

  async checkSupport(...given: Parameters<Library["checkSupport"]>): Promise<CheckedSupport> {
    return await (await this.opened()).checkSupport(...given);
  }

  close(): void {}
}

/**
 * The library of a server. The first requests of a client (name and abilities of the server) do not need it, so it is opened
 * on first use, or by {@linkcode ServedLibrary.openSoon}. If opening fails, the next use tries again, since the cause may be
 * gone. Its indexes are kept current from then on, unless `--no-watch` says otherwise.
 */
export class ServedLibrary extends ForwardedLibrary implements Upkeep, AsyncDisposable {
  readonly collections: readonly ServedCollection[];
  /** Messages for the users of the clients. */
  readonly notes: Notes = new Notes();
  /** Tells clients which documents have changed. */
  readonly documents: DocumentChanges;
  readonly #session: Session;
  readonly #open: (session: Session, host: OpeningHost) => Promise<OpenedFolders>;
  readonly #host: OpeningHost;
  readonly #resources = new AsyncDisposableStack();
  #opened: Promise<OpenedFolders> | undefined;
  #opening: ReturnType<typeof setTimeout> | undefined;
  /** Searches under way. */
  #searches = 0;
  /** The parts of the library that clients with limits get, by their limits. */
  readonly #views = new Map<string, View>();
  /** Whether all clients may know of some documents only. Then they hear nothing of updates. */
  readonly isLimited: boolean;

  /** `open`: replaced by tests. */
  constructor(session: Session, open = openFolders) {
    super();
    const { language, log, roots, config } = session;
    this.#session = { ...session, onWarning: (text) => this.notes.publish({ level: "warning", text }) };
    this.#open = open;
    this.isLimited = config.mcp.access !== null;
    this.#host = {
      resources: this.#resources,
      isBusy: () => this.#searches > 0,
      added: session.choice.by === "all" ? foldersSince(session) : undefined,
    };
    this.collections = servedCollections(roots, config);
    this.documents = new DocumentChanges(this, {
      onChange: async ({ root: dir, ...counts }) => {
        const text = (await say()).printableMessage(language, "index_changed", { dir, ...counts });
        this.notes.publish({ level: "info", text });
      },
      onError: (error) => log.debug("serve.look_failed", { error: String(error) }),
    });
  }

  /** Opens the library after the first answers to a client, with a warning if it cannot be opened. */
  openSoon(): void {
    const { language, log } = this.#session;
    this.#opening = setTimeout(() => {
      this.open().catch(async (error) => {
        log.error("serve.open_failed", { error: traceOf(error) });
        const { printableErrorText, warn } = await say();
        const text = printableErrorText(error, language, log.problem === undefined);
        warn(this.#session, "cli_serve_not_open", { text });
      });
    }, OPEN_AFTER_MS);
  }

  /** Opens the library, unless that has begun. Rejects with the error of opening it. */
  open(): Promise<OpenedFolders> {
    return this.#opened ??= this.#open(this.#session, this.#host).then((opened) => {
      this.documents.start();
      return opened;
    }, (error) => {
      this.#opened = undefined;
      throw error;
    });
  }

  /**
   * Searches. The answer names those of the searched folders that are being updated. Where no folder has an index yet, the
   * error `index_not_ready` has that text as its parameter `updating`.
   */
  override async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    const { library, updates } = await this.open();
    const { language } = this.#session;
    const { message } = await import("#foundation/messages/mod.ts");
    // An update that ends during the search may have come too late for its answer.
    const before = library.roots.filter((root) => updates?.isCurrent([root]));
    try {
      const answer = await this.#counted(() => library.search(request, signal));
      if (updates === undefined || this.isLimited) return answer;
      const folders = updates.underWay(answer.roots).join(", ");
      const updating = folders === "" ? undefined : message(language, "folders_updating", { folders });
      const isCurrent = updates.isCurrent(answer.roots) &&
        (answer.roots ?? library.roots).every((root) => before.includes(root));
      return withUpdates(answer, updating, isCurrent);
    } catch (error) {
      const folders = updates?.pending.join(", ") ?? "";
      if (!(error instanceof UserError) || error.key !== "index_not_ready" || folders === "") throw error;
      const updating = message(language, "folders_first_update", { folders });
      throw new UserError(error.key, { ...error.params, updating }, { cause: error });
    }
  }

  override async whyNot(request: WhyNotRequest, signal?: AbortSignal): Promise<WhyNot> {
    const { library } = await this.open();
    return await this.#counted(() => library.whyNot(request, signal));
  }

  protected override async opened(): Promise<Library> {
    return (await this.open()).library;
  }

  /** Runs a search, for which the work in the background waits. */
  async #counted<T>(search: () => Promise<T>): Promise<T> {
    this.#searches++;
    try {
      return await search();
    } finally {
      this.#searches--;
    }
  }

  /** The part of the library that some clients may know of, and its changes. Clients with the same limits share one. */
  limitedTo(limits: LimitedView): View {
    const key = JSON.stringify(limits);
    let view = this.#views.get(key);
    if (view !== undefined) return view;
    const counted = <T>(search: () => Promise<T>) => this.#counted(search);
    const collections = servedCollections(limits.roots, this.#session.config);
    const library = new LimitedLibrary(collections, counted, async () => {
      const { openLimited } = await this.open();
      if (openLimited === undefined) throw new TypeError("a library without limits");
      // Nothing closes a library that is opened after the end of the server.
      if (this.#resources.disposed) throw new DOMException("the server has ended", "AbortError");
      const opened = this.#resources.adopt(openLimited(limits), (library) => library.close());
      changes.start();
      return opened;
    });
    const onError = (error: unknown) =>
      this.#session.log.debug("serve.look_failed", { error: String(error) });
    const changes = this.#resources.use(new DocumentChanges(library, { onError }));
    this.#views.set(key, view = { library, changes });
    return view;
  }

  async update(root: string, request: UpkeepRequest): Promise<IngestSummary> {
    const { updates } = await this.open();
    if (updates === undefined) throw new UserError("ingest_not_allowed");
    return await updates.update(root, request);
  }

  async underWay(root: string): Promise<WorkUnderWay | undefined> {
    return (await this.open()).updates?.workOn?.(root);
  }

  async reembed(
    root: string,
    path: string,
    request: Omit<UpkeepRequest, "full">,
  ): Promise<ReembeddedDocument> {
    const { updates, local } = await this.open();
    if (updates === undefined) throw new UserError("ingest_not_allowed");
    const { reembed } = await import("./background_updates.ts");
    return await reembed(this.#session, updates, local, { ...request, root, path });
  }

  /** Closes the library. Its updates end when this object is disposed of. */
  override close(): void {
    clearTimeout(this.#opening);
    this.#opened?.then(({ library }) => library.close(), () => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    this.documents[Symbol.dispose]();
    await this.#resources.disposeAsync();
  }
}

/** A part of the library, and its changes. */
interface View {
  readonly library: Library;
  readonly changes: DocumentChanges;
}

/** A library that is opened on first use. Its owner closes it. */
class LimitedLibrary extends ForwardedLibrary {
  readonly collections: readonly ServedCollection[];
  readonly #counted: <T>(search: () => Promise<T>) => Promise<T>;
  readonly #open: () => Promise<Library>;
  #opened: Promise<Library> | undefined;

  /** `counted`: runs each search. */
  constructor(
    collections: readonly ServedCollection[],
    counted: <T>(search: () => Promise<T>) => Promise<T>,
    open: () => Promise<Library>,
  ) {
    super();
    this.collections = collections;
    this.#counted = counted;
    this.#open = open;
  }

  override async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    const library = await this.opened();
    return await this.#counted(() => library.search(request, signal));
  }

  override async whyNot(request: WhyNotRequest, signal?: AbortSignal): Promise<WhyNot> {
    const library = await this.opened();
    return await this.#counted(() => library.whyNot(request, signal));
  }

  protected override opened(): Promise<Library> {
    return this.#opened ??= this.#open().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
  }
}

/** An answer with its notice of updates. `isCurrent`: whether all changes of its folders were in their indexes. */
function withUpdates(answer: SearchAnswer, updating: string | undefined, isCurrent: boolean): SearchAnswer {
  const { freshness } = answer;
  const notices = updating === undefined ? answer.notices : [...answer.notices, updating];
  if (freshness === undefined) return { ...answer, notices };
  const known = freshness.state === "unknown" && isCurrent ? "current" : freshness.state;
  const state = updating === undefined ? known : "updating";
  return { ...answer, notices, freshness: { ...freshness, state } };
}

/**
 * Opens the library, warns of folders that cannot be searched, and starts the updates of the indexes, which end when the
 * resources are disposed of. If these were disposed of already, because the client has left, no update starts.
 */
async function openFolders(
  session: Session,
  { resources, isBusy, added }: OpeningHost,
): Promise<OpenedFolders> {
  const { config, flags, roots, ownPlaces, extractor, indexKey: key, indexDirs } = session;
  const { openLibrary, WantedTexts } = await import("#library/search/mod.ts");
  const { libraryModels } = await import("../../session_models.ts");
  const missing: string[] = [];
  for (const root of roots) if (!await hasIndex(session, root)) missing.push(root);
  const models = await session.models();
  const access = config.mcp.access === null ? [] : [config.mcp.access];
  const options: LibraryOptions = {
    key,
    indexDirs,
    ownPlaces,
    extractor,
    models,
    ...libraryModels(session),
    access,
    traces: session.traces,
    ...(added !== undefined && { added }),
  };
  const opened = (more: Pick<LibraryOptions, "isKept" | "table" | "wanted">) => ({
    library: openLibrary(roots, config, { ...options, ...more }),
    openLimited: ({ roots: granted, access: limit, others: hidden = [] }: LimitedView) => {
      const { added: _added, ...others } = options;
      return openLibrary(granted, config, {
        ...others,
        ...more,
        access: limit === undefined ? access : [...access, limit],
        others: hidden,
      });
    },
  });
  const unwatched = () => opened({ isKept: () => false });
  if (flags.noWatch) return unwatched();
  const { BackgroundUpdates } = await import("./background_updates.ts");
  const { BackgroundRecognition, BackgroundTexts, BackgroundVectors } = await import("./background_work.ts");
  // From here on nothing waits, so the resources cannot be disposed of before the library is returned.
  if (resources.disposed) return unwatched();
  // The pages offer to index a folder that has no index.
  const unasked = session.command === "ui" ? missing : [];
  const updates = resources.use(new BackgroundUpdates(session, undefined, undefined, unasked));
  const wanted = new WantedTexts();
  const isKept = (root: string) => updates.keeps(root);
  const libraries = opened({ isKept, table: updates.table, wanted });
  const vectors = models && resources.use(new BackgroundVectors(session, models, { isBusy, wanted }));
  if (config.files.ocr !== "off") {
    const takeUp = updates.takeUp.bind(updates);
    resources.use(new BackgroundRecognition(session, { isBusy, takeUp }));
  }
  if (
    config.llm.tasks.length > 0 && (config.llm.provider !== "none" || config.vision_llm.provider !== "none")
  ) {
    resources.use(new BackgroundTexts(session, { isBusy }));
  }
  return { ...libraries, updates, local: vectors && { models, vectors } };
}

/**
 * Whether a folder has an index. Warns of one that cannot be used. The folder is still served, because the index may be repaired
 * meanwhile.
 */
async function hasIndex(session: Session, root: string): Promise<boolean> {
  // A server with --no-watch never needs lib/library/ingest.
  const { openStore } = await import("#library/store/mod.ts");
  try {
    return await openStore(session.config, root, session).exists();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { printableMessage, warn } = await say();
    const text = printableMessage(session.language, error.key, error.params);
    warn(session, "cli_index_unusable", { dir: root, text });
    return true;
  }
}

/**
 * Returns a function that returns the folders indexed on this machine since this call. The server does not serve them. If
 * the list of folders cannot be read, the function returns an empty array and writes to the log.
 */
export function foldersSince({ stateDir, log }: Pick<Session, "stateDir" | "log">): () => Promise<string[]> {
  const listed = async (): Promise<string[] | undefined> => {
    try {
      const { registeredPaths } = await import("#foundation/registry.ts");
      return await registeredPaths(stateDir);
    } catch (error) {
      log.warning("serve.registry_unreadable", { error: String(error) });
      return undefined;
    }
  };
  const before = listed();
  return async () => {
    const [then, now = []] = await Promise.all([before, listed()]);
    return then === undefined ? [] : now.filter((path) => !then.includes(path));
  };
}
