import { collectionOf } from "../../../config/mod.ts";
import type { NeuralModels } from "../../../embedding/mod.ts";
import { folderStatus, neuralShare } from "../../../ingest/mod.ts";
import { folderStore } from "../../../store/mod.ts";
import { configurationData, configurationText } from "../../configuration.ts";
import { message } from "../../../messages.ts";
import { abortable } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { explainChoice } from "../../explain_choice.ts";
import { printJson } from "../../json.ts";
import { type ShownStatus, statusText } from "../../output.ts";
import { errorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import { styleFor } from "../../style.ts";
import { statusFiles } from "./status_files.ts";

/**
 * `status`: the time, size and state of each index, its failed files with reasons, and its stale files. A folder that cannot
 * be read is reported among the others. The run fails where all folders are.
 */
export async function status(session: Session): Promise<number> {
  const { io, flags, language, roots } = session;
  explainChoice(session);
  // --skipped and --failed list files, too.
  if (flags.files || flags.skipped || flags.failed) return await statusFiles(session);
  const models = await session.models();
  const folders: ShownStatus[] = [];
  for (const root of roots) {
    const collection = collectionOf(session.config, root)?.name;
    folders.push({
      ...(collection === undefined ? {} : { collection }),
      ...await statusOf(session, root, models),
    });
  }
  const style = styleFor(io, "stdout");
  if (flags.json) await printJson(session, { folders, ...configurationData(session) });
  else {
    await io.out(folders.map((folder) => statusText(folder, language, style)).join("\n"));
    const text = configurationText(session, language);
    if (text !== undefined) await io.out(`${style.dim(message(language, "cli_configuration", { text }))}\n`);
  }
  return folders.every(({ state }) => state === "unusable") ? EXIT.failed : EXIT.done;
}

async function statusOf(
  { config, ownPlaces, indexKey, indexDirs, language, log, signal }: Session,
  root: string,
  models: NeuralModels | undefined,
): Promise<ShownStatus> {
  try {
    const status = await abortable(folderStatus(root, config, { ownPlaces, indexKey, indexDirs }), signal);
    if (models === undefined || status.state !== "ready") return status;
    const share = neuralShare(folderStore(root, indexKey, indexDirs), models, indexKey);
    const neural = await abortable(share, signal);
    return neural === undefined ? status : { ...status, neural };
  } catch (error) {
    signal.throwIfAborted();
    log.warning("status.failed", { root, error: error instanceof Error ? error.stack : String(error) });
    return { root, state: "unusable", detail: errorText(error, language, log.problem === undefined) };
  }
}
