import { reasonOf, UserError } from "../errors.ts";
import { DamagedIndexError } from "../index/mod.ts";
import type { MessageKey, MessageParams } from "../messages.ts";
import {
  type IndexStore,
  isMadeFor,
  type LoadedIndex,
  movedFrom,
  type OpenIndex,
  type UnusableState,
} from "../store/mod.ts";
import { changedSettings, isSameContent } from "./settings.ts";

/** Message that says why an index is rebuilt or not trusted. */
export interface RebuildReason {
  readonly key: Extract<MessageKey, `rebuild_${string}`>;
  readonly params: MessageParams;
}

/** The index that a run updates. If there is an index that cannot be updated, the reason. */
export interface PreviousIndex {
  readonly index?: OpenIndex;
  /**
   * Set if the index was made for another folder by this installation: its records hold only for files with the same
   * content.
   */
  readonly moved?: RebuildReason;
  readonly reason?: RebuildReason;
}

/**
 * Opens the index of a folder for an update with `settings`. If `verify` is set, all of it is checked, so that a run finds
 * any damage; else the parts that the run reads are. Throws `data_folder_unsafe`; any other failure is a reason to rebuild
 * the index.
 */
export async function previousIndex(
  store: IndexStore,
  settings: string,
  verify: boolean,
): Promise<PreviousIndex> {
  let loaded: LoadedIndex;
  try {
    loaded = await store.open({ forUpdate: true });
  } catch (error) {
    if (error instanceof UserError) throw error;
    return { reason: unreadable(error) };
  }
  if (loaded.state === "missing") return {};
  if (loaded.state !== "ready") return { reason: reasonFor(loaded.state, loaded.problem) };
  const { index } = loaded;
  const reason = settingsChanged(index, settings) ?? (verify ? await damageOf(index) : undefined);
  if (reason !== undefined) {
    index.close();
    return { reason };
  }
  return isMadeFor(index, store.root) ? { index } : { index, moved: reasonFor("moved", movedFrom(index)) };
}

/** Returns the message for a state of an index. */
export function reasonFor(state: UnusableState, problem: string): RebuildReason {
  return { key: `rebuild_${state}`, params: { problem } };
}

/** Returns the message for an index that failed to be read. */
export function unreadable(error: unknown): RebuildReason {
  return reasonFor("damaged", reasonOf(error));
}

/** Returns a message if an index was made with other settings than the one named `settings`. */
export function settingsChanged({ meta }: OpenIndex, settings: string): RebuildReason | undefined {
  if (isSameContent(meta.settings, settings)) return undefined;
  const changed = changedSettings(meta.settings, settings);
  return changed.length === 0 ? { key: "rebuild_version", params: {} } : {
    key: "rebuild_settings",
    params: {
      keys: changed.map(({ key }) => key).join(", "),
      values: changed.map(({ key, before, now }) => `${key}: ${before} → ${now}`).join(", "),
    },
  };
}

/** Verifies an index. Returns a message if it is damaged. */
export async function damageOf(index: OpenIndex): Promise<RebuildReason | undefined> {
  try {
    await index.verify();
    return undefined;
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error;
    return unreadable(error);
  }
}
