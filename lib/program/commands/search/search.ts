/**
 * The command `search`: updates the indexes of the folders that were asked, searches them,
 * and prints the hits with the remarks about them.
 */
import { MAX_QUERY_CHARS } from "#foundation/constants.ts";
import { LazyTable } from "#models/embedding/mod.ts";
import { reasonOf, traceOf, UsageError, UserError } from "#foundation/errors.ts";
import { logSearch } from "#foundation/log.ts";
import { printable } from "#foundation/messages/mod.ts";
import { type Library, openLibrary, type SearchAnswer, type SearchRequest } from "#library/search/mod.ts";
import { hasFilesHere, openStore } from "#library/store/mod.ts";
import { abortable, EXIT, warnText } from "../../context.ts";
import { explainChoice, jsonText, note, printableErrorText, warn } from "../../say.ts";
import { libraryModels } from "../../session_models.ts";
import { present } from "#foundation/present.ts";
import type { Session } from "../../request.ts";
import { askedLine, askedPlaces, printHits, withAsked } from "./show_hits.ts";
import { updateIndex } from "../../update_index.ts";

/** `search QUERY...`: updates the indexes, then searches them. A search without hits succeeds. */
export async function search(session: Session): Promise<number> {
  const { io, flags, language, log } = session;
  const request = requestOf(session);
  explainChoice(session);
  const { library, answer } = await answered(session, request);
  try {
    logSearch(log, request.query, answer);
    const asked = askedPlaces(answer.roots ?? library.roots, session.choice);
    if (flags.explain) {
      const { explanationResult, explanationText } = await import("#library/answer/mod.ts");
      if (flags.json) await io.out(jsonText(withAsked(explanationResult(answer, language), asked, session)));
      else await io.out(`${explanationText(answer, language)}\n${askedLine(asked, session)}`);
      return EXIT.done;
    }
    // On a terminal, many hits would scroll the notices away.
    const noticesLast = io.terminal.stdout;
    if (!noticesLast) printNotices(session, answer);
    await printHits(session, answer, asked);
    if (noticesLast) printNotices(session, answer);
    return EXIT.done;
  } finally {
    library.close();
  }
}

/** An answer, and the library that gave it. */
interface Searched {
  readonly library: Library;
  readonly answer: SearchAnswer;
}

/**
 * Updates the indexes and searches them. To check a whole index takes longer than a search, so the update checks what it reads, as the
 * search does. If the search finds damage, both are done once more: the update then checks all, and builds a damaged index again.
 */
async function answered(session: Session, request: SearchRequest): Promise<Searched> {
  const table = new LazyTable();
  const ask = (verify: boolean) => searchUpdated(session, request, { table, current: new Set(), verify });
  return await ask(false) ?? (await ask(true))!;
}

/** Returns `undefined` if not all of an index was checked and the search finds damage in it. */
async function searchUpdated(
  session: Session,
  request: SearchRequest,
  before: UpdateBefore,
): Promise<Searched | undefined> {
  const { signal } = session;
  const { current, verify } = before;
  using _opened = await openBefore(session);
  const library = await openUpdated(session, session.roots, before);
  try {
    const answer = await abortable(library.search(request, signal), signal).catch(asUsage);
    const isDamaged = answer.damaged?.some((root) => current.has(root)) ?? false;
    if (verify || !isDamaged) return { library, answer };
  } catch (error) {
    library.close();
    const isDamaged = error instanceof UserError && error.key === "index_not_ready" && current.size > 0;
    if (verify || !isDamaged) throw error;
    return undefined;
  }
  library.close();
  return undefined;
}

/**
 * Opens the indexes of folders on this machine until it is disposed of. The update and the search share what is open, so that it is
 * read and checked once.
 */
async function openBefore(session: Session): Promise<Disposable> {
  const opened = new DisposableStack();
  for (const root of session.flags.noUpdate ? [] : session.roots) {
    const store = openStore(session.config, root, session);
    if (store.isShared === true) continue;
    // The update tells of an index that cannot be opened.
    const loaded = await store.open({ forUpdate: true }).catch(() => undefined);
    if (loaded?.state === "ready") opened.use(loaded.index);
  }
  return opened;
}

/** Updates the indexes of the folders of a session, unless `--no-update`, and opens them. `roots`: those among them that are searched. */
export async function updatedLibrary(session: Session, roots = session.roots): Promise<Library> {
  explainChoice(session);
  return await openUpdated(session, roots, { table: new LazyTable(), current: new Set(), verify: true });
}

/** How indexes are updated before a search. */
interface UpdateBefore {
  readonly table: LazyTable;
  /** Receives the folders whose index is up to date. */
  readonly current: Set<string>;
  /** Whether the update checks all of an index, unless machines share its store. */
  readonly verify: boolean;
}

async function openUpdated(
  session: Session,
  roots: readonly string[],
  before: UpdateBefore,
): Promise<Library> {
  const { table, current } = before;
  const usable = session.flags.noUpdate ? roots : await updated(session, roots, before);
  return openLibrary(usable, session.config, {
    key: session.indexKey,
    indexDirs: session.indexDirs,
    table,
    models: await session.models(),
    ...libraryModels(session),
    ownPlaces: session.ownPlaces,
    below: new Map(Object.entries(session.choice.below)),
    extractor: session.extractor,
    isKept: (root) => current.has(root),
    traces: session.traces,
  });
}

/** Prints the remarks of an answer on stderr. With `--json` they are a part of the answer. */
function printNotices(session: Session, { notices }: SearchAnswer): void {
  if (session.flags.json) return;
  for (const text of notices) warnText(session, printable(text));
}

/** Rethrows a query that cannot be parsed or has no words as a wrong command line. */
export function asUsage(error: unknown): never {
  const isOfQuery = error instanceof UserError && /^(?:query_|empty_query|filter_)/.test(error.key);
  throw isOfQuery ? new UsageError(error.key, error.params, { cause: error }) : error;
}

function requestOf({ flags, operands }: Session): SearchRequest {
  return {
    ...questionOf(operands.join(" "), flags),
    ...(flags.explain ? { explain: true } : { marks: !flags.json && flags.format !== "paths" }),
  };
}

/** The request for a question with the flags that say what is searched. Throws `UsageError`. */
export function questionOf(typed: string, flags: Session["flags"]): SearchRequest {
  const query = typed.trim();
  if (query.length > MAX_QUERY_CHARS) {
    throw new UsageError("cli_query_too_long", { length: query.length, limit: MAX_QUERY_CHARS });
  }
  const filters = flags.filter && { json: filterOf(flags.filter) };
  return present({ query, topK: flags.topK, mode: flags.mode, filters });
}

/** The filters of several flags as one: the condition on a field that stands last counts. Throws `UsageError` `filter_not_json`. */
function filterOf(texts: readonly string[]): Record<string, unknown> {
  return Object.assign(
    {},
    ...texts.map((text) => {
      const example = `--filter '{"tags": {"any": ["budget"]}}'`;
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (error) {
        throw new UsageError("filter_not_json", { problem: reasonOf(error), example });
      }
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
      throw new UsageError("filter_not_json", { problem: text.slice(0, 80), example });
    }),
  );
}

/** The folders that can be searched; throws if none can. */
async function updated(
  session: Session,
  roots: readonly string[],
  before: UpdateBefore,
): Promise<string[]> {
  const usable: string[] = [];
  const failures: unknown[] = [];
  for (const root of roots) {
    try {
      if (await update(session, root, before)) before.current.add(root);
      usable.push(root);
    } catch (error) {
      session.signal.throwIfAborted();
      failures.push(error);
      if (roots.length === 1) break;
      warn(session, "cli_dir_gone", { dir: root, text: printableErrorText(error, session.language, false) });
    }
  }
  if (usable.length === 0) throw failures[0];
  return usable;
}

/**
 * Updates an index. Returns false if it cannot be updated (another writer, a read-only folder, files on another machine), and is searched as it is.
 */
async function update(session: Session, root: string, { table, verify }: UpdateBefore): Promise<boolean> {
  const { language, log, signal } = session;
  if (!hasFilesHere(openStore(session.config, root, session))) return false;
  try {
    const summary = await updateIndex(session, root, {
      before: "search",
      table,
      // Left to the store otherwise: one that machines share would be fetched as a whole.
      ...(verify ? {} : { verify }),
    });
    const { written, new: added, changed, renamed, removed, rebuildReason: reason } = summary;
    if (!written) return true;
    note(session, "cli_updated", { dir: root, new: added, changed, renamed, removed });
    if (reason !== undefined) note(session, "cli_rebuilt", { reason });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    log.warning("search.update_failed", { root, error: traceOf(error) });
    if (!(await openStore(session.config, root, session).exists().catch(() => false))) throw error;
    const text = printableErrorText(error, language, log.problem === undefined);
    warn(session, "cli_update_failed", { dir: root, text });
    return false;
  }
}
