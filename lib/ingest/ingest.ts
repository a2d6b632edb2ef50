import type { Config } from "../config/mod.ts";
import { UserError } from "../errors.ts";
import { DamagedIndexError } from "../index/mod.ts";
import { previousIndex, unreadable } from "./previous_index.ts";
import { ingestSettings, settingsName } from "./settings.ts";
import { storeOf } from "./store_of.ts";
import type { IngestContext, IngestOptions, IngestSummary } from "./types.ts";
import { IngestRun } from "./ingest_run.ts";

/**
 * Builds or updates the index of `root` (a real path). An unchanged file costs one stat; the new index replaces the old one
 * in a single step at the end. An old index that cannot be read or is not trusted is rebuilt. Throws `index_busy`,
 * `data_folder_unsafe`, `data_folder_unwritable`, `disk_full`, `index_too_large`, `index_unreadable`, with `keepsSettings`
 * `index_settings_differ`, or the reason of the signal; the old index then stays as it was.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { loadConfig } from "../config/mod.ts";
 * import { NO_LOG } from "../log/mod.ts";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * await Deno.writeTextFile(`${root}/notes.txt`, "Descale the coffee machine.");
 * const { config } = await loadConfig({ cwd: root, env: {} });
 * const context = { stateDir: `${root}/.state`, log: NO_LOG, version: "1.0.0", indexKey: new Uint8Array(32) };
 * equal((await ingest(root, config, context)).new, 1);
 * equal((await ingest(root, config, context)).unchanged, 1);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function ingest(
  root: string,
  config: Config,
  context: IngestContext,
  options: IngestOptions = {},
): Promise<IngestSummary> {
  const store = storeOf(root, context);
  using lock = await store.lock();
  const settings = ingestSettings(root, config, context.ownPlaces);
  const input = { root, store, config, context, options, settings, takenAway: lock.takenAway };
  const before = options.full
    ? {}
    : await previousIndex(store, settingsName(settings), options.verify ?? true);
  if (before.reason?.key === "rebuild_settings" && options.keepsSettings) {
    throw new UserError("index_settings_differ", { path: root, ...before.reason.params });
  }
  try {
    return await new IngestRun(input, before).run();
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error;
    // The old index was damaged after it was verified. Data that is copied from it is checked again.
    return await new IngestRun(input, { reason: unreadable(error) }).run();
  }
}
