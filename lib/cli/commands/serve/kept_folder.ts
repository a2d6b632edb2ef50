import type { FolderState, IngestProgress } from "../../../ingest/types.ts";
import type { MessageKey } from "../../../messages.ts";
import type { FolderSchedule } from "./folder_schedule.ts";
import type { RequestedUpdates } from "./requested_updates.ts";
import type { WatchedFolder } from "./watched_folder.ts";

/** A folder that is kept up to date. */
export interface KeptFolder {
  readonly root: string;
  readonly watch: WatchedFolder;
  readonly schedule: FolderSchedule;
  /** The updates that clients ask for. */
  readonly requests: RequestedUpdates;
  /** Result of the last update. `new`: there was none since the folder appeared. */
  state: "new" | "current" | "busy" | "failed" | "gone";
  /** Share of the work of the update under way, 0 … 1; `undefined` while there is none that finds changes. */
  share: number | undefined;
  /** The folder as the last update found it. */
  last: FolderState | undefined;
  /** The problems that hold, as they were reported. */
  readonly told: Map<MessageKey, string>;
}

/** Time of the next update of a folder. */
export function dueAt({ requests, schedule, state }: KeptFolder): number {
  return state === "gone" ? Infinity : Math.min(requests.dueAt, schedule.dueAt);
}

/** The folder as answers name it while it is updated: with the share of the work done, or alone if another process does it. */
export function shownUpdate({ root, state, share = 0 }: KeptFolder): string {
  return state === "busy" ? root : `${root} (${Math.floor(share * 100)} %)`;
}

/** Whether the first update of a folder has not found a change so far. */
export function isUnchecked({ state, share }: KeptFolder): boolean {
  return state === "new" && share === undefined;
}

/** Whether changes of the folder are not in its index yet. */
export function isUnderWay({ state, share, schedule }: KeptFolder): boolean {
  if (state === "gone" || state === "failed") return false;
  return state !== "current" || share !== undefined || schedule.hasChanges;
}

/** The share of the files' bytes that an update has processed, 0 to 1. */
export function shareOf({ bytesDone, bytesTotal }: IngestProgress): number {
  return bytesTotal === 0 ? 0 : Math.min(1, bytesDone / bytesTotal);
}
