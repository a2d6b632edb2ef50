/**
 * The commands `index` and `reembed`: build or update an index and its vectors,
 * and print the summary.
 */
import { collectionOf, folderConfig } from "#foundation/configuration/mod.ts";
import { traceOf, UsageError, UserError } from "#foundation/errors.ts";
import { type IngestSummary, type NeuralShare, neuralShare, removeGenerated } from "#library/ingest/mod.ts";
import { openStore } from "#library/store/mod.ts";
import { message, printable } from "#foundation/messages/mod.ts";
import type { Span } from "#foundation/span.ts";
import { HIDES_NAMES } from "#foundation/runtime.ts";
import { abortable, EXIT, Interrupted, MODEL_THREADS, warnText } from "../context.ts";
import {
  configurationData,
  errorText,
  mayGetIndex,
  note,
  printableMessage,
  printJson,
  suggestModels,
} from "../say.ts";
import { failuresText, summaryText } from "../output.ts";
import {
  estimatedTime,
  type MadeVectors,
  makeVectors,
  traced,
  updateIndex,
  vectorsData,
  vectorsText,
} from "../update_index.ts";
import type { Session } from "../request.ts";
import { styleFor } from "../terminal_text.ts";
import { oneRoot } from "../targets.ts";

/**
 * `index [DIR] [--full] [--wait]`: builds or updates the index. Failed files are listed; the run succeeds nevertheless. Without
 * a folder it works on all collections of the configuration, if there are any. One that fails does not stop the others.
 */
export async function index(session: Session): Promise<number> {
  if (HIDES_NAMES) note(session, "cli_names_hidden", { deno: Deno.version.deno });
  if (session.choice.by !== "collections") return (await indexOne(session, oneRoot(session))).code;
  const { io, config, flags, language, log, roots, signal } = session;
  const done: object[] = [];
  // Folders that cannot be used were left out with a warning.
  const absent = Object.entries(config.collections).filter(([, { path }]) => !roots.includes(path));
  const names = absent.map(([name]) => name).join(", ");
  if (names !== "" && flags.quiet) {
    io.err(`${printableMessage(language, "cli_collections_absent", { names })}\n`);
  }
  let isWell = names === "";
  for (const root of roots) {
    const { name = root } = collectionOf(config, root) ?? {};
    try {
      const { summary } = await indexOne(session, root, name);
      if (summary !== undefined) done.push({ collection: name, ...summary });
    } catch (error) {
      if (signal.aborted) throw error;
      log.error("index.failed", { root, error: traceOf(error) });
      const text = errorText(error, language, log.problem === undefined);
      io.err(`${printableMessage(language, "cli_collection_failed", { name, text })}\n`);
      done.push({ collection: name, root, problem: text });
      isWell = false;
    }
  }
  if (flags.json) {
    const data = { collections: done, ...configurationData(session) };
    await printJson(session, data, undefined, isWell ? 200 : 500);
  }
  return isWell ? EXIT.done : EXIT.failed;
}

/** Builds or updates one index. With the name of a collection, `--json` is left to the caller. */
async function indexOne(
  session: Session,
  root: string,
  collection?: string,
): Promise<{ readonly code: number; readonly summary?: object }> {
  if (!await mayGetIndex(session, root)) return { code: EXIT.failed };
  return await traced(
    session,
    root,
    { cause: "command" },
    (span) => indexTraced(session, root, collection, span),
  );
}

async function indexTraced(
  session: Session,
  root: string,
  collection: string | undefined,
  span: Span | undefined,
): Promise<{ readonly code: number; readonly summary?: object }> {
  const { io, flags, language } = session;
  const store = openStore(session.config, root, session);
  const hadIndex = await store.version().catch(() => undefined) !== undefined;
  const updating = updateIndex(session, root, {
    full: flags.full ?? false,
    recognise: true,
    span,
    onJoined: () => note(session, "cli_index_joined", { dir: root }),
  });
  const summary = await updating.catch((error) => {
    if (!(error instanceof Interrupted)) throw error;
    throw new Interrupted(hadIndex ? "cli_stopped" : "cli_stopped_first");
  });
  if (flags.quiet && !flags.json) io.err(failuresText(summary.failed, styleFor(io, "stderr")));
  else if (!flags.json) {
    await io.out(summaryText(summary, language, styleFor(io, "stdout")));
    if (!hadIndex) suggestModels(session);
  }
  if (flags.estimate) return await estimate(session, root, collection);
  if (!wantsTexts(session, root)) await removeGenerated(store);
  const models = usesLanguageModels(session) ? await import("../generated_texts.ts") : undefined;
  const texts = await models?.makeTexts(session, root, span);
  const { vectors, problem } = await vectorsOf(session, summary, span);
  const warnings = [...summary.warnings ?? [], ...problem === undefined ? [] : [problem]];
  if (problem !== undefined) warnText(session, printable(problem));
  for (const text of texts?.problems ?? []) if (flags.json || flags.quiet) warnText(session, printable(text));
  const generated = texts && { generated: models!.textsData(texts) };
  const data = {
    ...summary,
    ...generated,
    ...vectorsData(vectors),
    ...(warnings.length > 0 && { warnings }),
  };
  if (flags.json && collection === undefined) {
    await printJson(session, { ...data, ...configurationData(session) });
  } else if (flags.json) return { code: EXIT.done, summary: data };
  else if (!flags.quiet) {
    if (texts !== undefined) await io.out(models!.madeTextsLines(texts, session));
    if (vectors !== undefined && problem === undefined) await io.out(vectorsText(vectors, language));
    else if (problem === undefined) {
      const { done = 0, total = 0, tokensLeft = 0 } = await shareOf(session, root) ?? {};
      const left = estimatedTime(tokensLeft, MODEL_THREADS);
      if (done < total) note(session, "cli_vectors_later", { dir: root, count: total - done, left });
    }
  }
  return { code: EXIT.done, summary: data };
}

/** Whether the index of a folder may have texts of language models. */
function wantsTexts({ config }: Session, root: string): boolean {
  const { llm: { tasks } } = folderConfig(config, root);
  return tasks.includes("enrich") && config.llm.provider !== "none" ||
    tasks.includes("caption") && config.vision_llm.provider !== "none";
}

function usesLanguageModels({ config: { llm, vision_llm: vision } }: Session): boolean {
  return llm.provider !== "none" || vision.provider !== "none";
}

/** Says what would be sent to language models. The index is up to date by then. */
async function estimate(
  session: Session,
  root: string,
  collection: string | undefined,
): Promise<{ readonly code: number; readonly summary?: object }> {
  const { estimateLines, estimateTexts } = await import("../generated_texts.ts");
  const servers = await estimateTexts(session, root);
  const data = { root, estimate: servers };
  if (!session.flags.json) await session.io.out(estimateLines(root, servers, session));
  else if (collection === undefined) await printJson(session, { ...data, ...configurationData(session) });
  return { code: EXIT.done, summary: data };
}

/**
 * Makes the vectors that are wanted at once: those of local models with `--wait`, and those of a server, unless it fails. The
 * index is written by then, and can be searched without them. `problem`: why a server gave no more.
 */
async function vectorsOf(
  session: Session,
  { root, chunks }: IngestSummary,
  span: Span | undefined,
): Promise<{ readonly vectors?: MadeVectors; readonly problem?: string }> {
  const { flags, language, log, signal } = session;
  const models = await session.models();
  const isServer = models?.server !== undefined;
  if (!flags.wait && !isServer) return {};
  try {
    const vectors = await makeVectors(session, root, { span });
    return vectors === undefined ? {} : { vectors };
  } catch (error) {
    signal.throwIfAborted();
    if (!isServer || !(error instanceof UserError)) throw error;
    log.warning("index.vectors_failed", { root, key: error.key, ...error.params });
    // The vectors that are there cannot be read either if their file is what failed.
    const { done = 0, total = chunks } = await shareOf(session, root).catch(() => {}) ?? {};
    signal.throwIfAborted();
    const text = errorText(error, language, false);
    const problem = message(language, "cli_server_vectors_missing", { dir: root, done, total, text });
    return { vectors: { done, total }, problem };
  }
}

/** How many of the vectors of neural models the folder has; `undefined` where none are used. */
async function shareOf(session: Session, root: string): Promise<NeuralShare | undefined> {
  const models = await session.models();
  if (models === undefined) return undefined;
  return await abortable(neuralShare(openStore(session.config, root, session), models), session.signal);
}

/**
 * `reembed --dir DIR`: rebuilds the index and computes every vector again, also known ones, for a model that has changed
 * under the same name. Searches use the old index until the new one is complete.
 */
export async function reembed(session: Session): Promise<number> {
  const { io, flags, language, config } = session;
  if (config.embedding.provider === "none") throw new UsageError("cli_reembed_without_provider");
  const root = oneRoot(session);
  if (!await mayGetIndex(session, root)) return EXIT.failed;
  const isText = !flags.json && !flags.quiet;
  const { summary, vectors } = await traced(session, root, { cause: "command" }, async (span) => {
    const summary = await updateIndex(session, root, { full: true, span });
    if (isText) await io.out(summaryText(summary, language, styleFor(io, "stdout")));
    return { summary, vectors: await makeVectors(session, root, { fresh: true, span }) };
  });
  if (flags.json) {
    await printJson(session, { ...summary, ...vectorsData(vectors), ...configurationData(session) });
  } else if (isText && vectors !== undefined) await io.out(vectorsText(vectors, language));
  return EXIT.done;
}
