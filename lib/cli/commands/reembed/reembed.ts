import { UsageError } from "../../../errors.ts";
import { note } from "../../context.ts";
import { configurationData } from "../../configuration.ts";
import { EXIT } from "../../exit.ts";
import { printJson } from "../../json.ts";
import { summaryText } from "../../output.ts";
import { makeVectors, vectorsData, vectorsText } from "../../make_vectors.ts";
import { mayGetIndex } from "../../second_index.ts";
import type { Session } from "../../session.ts";
import { styleFor } from "../../style.ts";
import { oneRoot } from "../../targets.ts";
import { updateIndex } from "../../update_index.ts";

/**
 * `reembed --dir DIR`: rebuilds the index and computes every vector again, also known ones, for a model that has changed
 * under the same name. Searches use the old index until the new one is complete.
 */
export async function reembed(session: Session): Promise<number> {
  const { io, flags, language, config } = session;
  if (config.embedding.provider === "none") throw new UsageError("cli_reembed_without_provider");
  const root = oneRoot(session);
  if (!await mayGetIndex(session, root)) {
    note(session, "cli_declined");
    return EXIT.failed;
  }
  const summary = await updateIndex(session, root, { full: true });
  const isText = !flags.json && !flags.quiet;
  if (isText) await io.out(summaryText(summary, language, styleFor(io, "stdout")));
  const vectors = await makeVectors(session, root, { fresh: true });
  if (flags.json) {
    await printJson(session, { ...summary, ...vectorsData(vectors), ...configurationData(session) });
  } else if (isText && vectors !== undefined) await io.out(vectorsText(vectors, language));
  return EXIT.done;
}
