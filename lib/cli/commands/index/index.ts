import { collectionOf } from "../../../config/mod.ts";
import { neuralShare } from "../../../ingest/mod.ts";
import { folderStore } from "../../../store/mod.ts";
import { configurationData } from "../../configuration.ts";
import { abortable, Interrupted, note } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printJson } from "../../json.ts";
import { failuresText, summaryText } from "../../output.ts";
import { makeVectors, vectorsData, vectorsText } from "../../make_vectors.ts";
import { mayGetIndex } from "../../second_index.ts";
import { printableMessage } from "../../printable_message.ts";
import { errorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import { styleFor } from "../../style.ts";
import { suggestModels } from "../../suggest_models.ts";
import { oneRoot } from "../../targets.ts";
import { updateIndex } from "../../update_index.ts";

/**
 * `index [DIR] [--full] [--wait]`: builds or updates the index. Failed files are listed; the run succeeds nevertheless. Without
 * a folder it works on all collections of the configuration, if there are any. One that fails does not stop the others.
 */
export async function index(session: Session): Promise<number> {
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
      log.error("index.failed", { root, error: error instanceof Error ? error.stack : String(error) });
      const text = errorText(error, language, log.problem === undefined);
      io.err(`${printableMessage(language, "cli_collection_failed", { name, text })}\n`);
      done.push({ collection: name, root, problem: text });
      isWell = false;
    }
  }
  if (flags.json) {
    await printJson(
      session,
      { collections: done, ...configurationData(session) },
      undefined,
      isWell ? 200 : 500,
    );
  }
  return isWell ? EXIT.done : EXIT.failed;
}

/** Builds or updates one index. With the name of a collection, `--json` is left to the caller. */
async function indexOne(
  session: Session,
  root: string,
  collection?: string,
): Promise<{ readonly code: number; readonly summary?: object }> {
  const { io, flags, language } = session;
  if (!await mayGetIndex(session, root)) {
    note(session, "cli_declined");
    return { code: EXIT.failed };
  }
  const store = folderStore(root, session.indexKey, session.indexDirs);
  const hadIndex = await store.version().catch(() => undefined) !== undefined;
  const summary = await updateIndex(session, root, { full: flags.full ?? false, recognise: true }).catch(
    (error) => {
      throw error instanceof Interrupted
        ? new Interrupted(hadIndex ? "cli_stopped" : "cli_stopped_first")
        : error;
    },
  );
  if (flags.quiet && !flags.json) io.err(failuresText(summary.failed, styleFor(io, "stderr")));
  else if (!flags.json) {
    await io.out(summaryText(summary, language, styleFor(io, "stdout")));
    if (!hadIndex) suggestModels(session);
  }
  const vectors = flags.wait ? await makeVectors(session, root) : undefined;
  const data = { ...summary, ...vectorsData(vectors) };
  if (flags.json && collection === undefined) {
    await printJson(session, { ...data, ...configurationData(session) });
  } else if (flags.json) return { code: EXIT.done, summary: data };
  else if (!flags.quiet) {
    if (vectors !== undefined) await io.out(vectorsText(vectors, language));
    else if (await lacksVectors(session, root)) {
      note(session, "cli_vectors_later", { dir: root });
    }
  }
  return { code: EXIT.done, summary: data };
}

/** Whether vectors of local models are still to be made. */
async function lacksVectors(session: Session, root: string): Promise<boolean> {
  const models = await session.models();
  if (models === undefined) return false;
  const { indexKey, indexDirs, signal } = session;
  const share = neuralShare(folderStore(root, indexKey, indexDirs), models, indexKey);
  const { done = 0, total = 0 } = await abortable(share, signal) ?? {};
  return done < total;
}
