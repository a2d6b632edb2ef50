import { DamagedBlobError, type IndexReader } from "../index/mod.ts";
import type { MessageKey, MessageParams } from "../messages.ts";
import { loadIndex } from "../store/mod.ts";

/** Why an index is rebuilt, for people. */
export interface RebuildReason {
  readonly key: Extract<MessageKey, "rebuild_damaged" | "rebuild_outdated" | "rebuild_settings">;
  readonly params: MessageParams;
}

/** The index that a run builds upon, or, if there is one that it cannot build upon, the reason. */
export interface PreviousIndex {
  readonly reader?: IndexReader;
  readonly reason?: RebuildReason;
}

/**
 * Opens the index of `root` for an update under `settings`; nothing if `full`. Every byte is checked: the texts, which are
 * not when an index is opened for searching, will be copied, and damage is to be found by the next run at the latest.
 */
export async function previousIndex(root: string, settings: string, full: boolean): Promise<PreviousIndex> {
  if (full) return {};
  const loaded = await loadIndex(root, { resident: true });
  if (loaded.state === "missing") return {};
  if (loaded.state !== "ready") {
    const key = loaded.state === "damaged" ? "rebuild_damaged" : "rebuild_outdated";
    return { reason: { key, params: { problem: loaded.problem } } };
  }
  const { reader } = loaded;
  const reason = reader.meta.settings === settings ? damageOf(reader) : settingsChanged();
  if (reason === undefined) return { reader };
  reader.close();
  return { reason };
}

function settingsChanged(): RebuildReason {
  return { key: "rebuild_settings", params: {} };
}

/** Reads all of an index and tells what is wrong with it. */
export function damageOf(reader: IndexReader): RebuildReason | undefined {
  try {
    reader.verify();
    return undefined;
  } catch (error) {
    if (!(error instanceof DamagedBlobError)) throw error;
    return { key: "rebuild_damaged", params: { problem: error.message } };
  }
}
