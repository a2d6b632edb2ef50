import { folderStore } from "../../../store/mod.ts";
import { Interrupted, note } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printJson } from "../../json.ts";
import { failuresText, summaryText } from "../../output.ts";
import { makeVectors, vectorsData, vectorsText } from "../../make_vectors.ts";
import { mayGetIndex } from "../../second_index.ts";
import type { Session } from "../../session.ts";
import { styleFor } from "../../style.ts";
import { suggestModels } from "../../suggest_models.ts";
import { oneRoot } from "../../targets.ts";
import { updateIndex } from "../../update_index.ts";

/** `--dir DIR [--full] [--wait]`: builds or updates the index. Failed files are listed; the run succeeds nevertheless. */
export async function index(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const root = oneRoot(session);
  if (!await mayGetIndex(session, root)) {
    note(session, "cli_declined");
    return EXIT.failed;
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
  const vectors = flags.wait ? await makeVectors(session, root) : undefined;
  if (flags.json) await printJson(session, { ...summary, ...vectorsData(vectors) });
  else if (flags.quiet) io.err(failuresText(summary.failed, styleFor(io, "stderr")));
  else {
    await io.out(summaryText(summary, language, styleFor(io, "stdout")));
    if (!hadIndex) suggestModels(session);
    if (vectors !== undefined) await io.out(vectorsText(vectors, language));
    else if (summary.written && await session.models() !== undefined) {
      note(session, "cli_vectors_later", { dir: root });
    }
  }
  return EXIT.done;
}
