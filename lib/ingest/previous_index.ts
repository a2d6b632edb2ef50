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

/** Why an index is rebuilt, or not taken as it is, for people. */
export interface RebuildReason {
  readonly key: Extract<MessageKey, `rebuild_${string}`>;
  readonly params: MessageParams;
}

/** The index that a run builds upon, or, if there is one that it cannot build upon, the reason. */
export interface PreviousIndex {
  readonly index?: OpenIndex;
  /** Why the index is not believed without a look at every file, though it is ours. */
  readonly moved?: RebuildReason;
  readonly reason?: RebuildReason;
}

/**
 * Opens the index of a folder for an update under `settings`. Every byte is checked: damage is to be found by the next run at
 * the latest. Throws `data_folder_unsafe`; whatever else keeps the index from being read is a reason to rebuild it.
 */
export async function previousIndex(store: IndexStore, settings: string): Promise<PreviousIndex> {
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
  const reason = index.meta.settings === settings ? await damageOf(index) : settingsChanged();
  if (reason !== undefined) {
    index.close();
    return { reason };
  }
  return isMadeFor(index, store.root) ? { index } : { index, moved: reasonFor("moved", movedFrom(index)) };
}

/** The words for a state of an index. */
export function reasonFor(state: UnusableState, problem: string): RebuildReason {
  return { key: `rebuild_${state}`, params: { problem } };
}

/** Why an index is rebuilt that could not be read to its end. */
export function unreadable(error: unknown): RebuildReason {
  return reasonFor("damaged", reasonOf(error));
}

function settingsChanged(): RebuildReason {
  return { key: "rebuild_settings", params: {} };
}

/** Reads all of an index and tells what is wrong with it. */
export async function damageOf(index: OpenIndex): Promise<RebuildReason | undefined> {
  try {
    await index.verify();
    return undefined;
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error;
    return unreadable(error);
  }
}
