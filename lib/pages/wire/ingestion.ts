/** The calls of the page Ingestion. Nothing here imports anything but types of this folder. */

/** `POST /api/ingestion/state`, with the body `{}`. */
export interface IngestionAnswer {
  readonly folders: readonly WireFolder[];
  /** The runs of these pages, the latest first. */
  readonly runs: readonly WireRun[];
}

export interface WireFolder {
  readonly name: string;
  readonly root: string;
  readonly hasIndex: boolean;
  /** Present while an update that the pages did not start is under way. */
  readonly work?: {
    /** Whether another process does it. */
    readonly isElsewhere: boolean;
    readonly progress?: WireProgress;
  };
  /** Files that the user took out of the index. */
  readonly out: number;
  /** Present if files may be added through the pages. */
  readonly upload?: { readonly maxBytes: number };
}

/** How far an update is. */
export interface WireProgress {
  readonly step: "check" | "scan" | "read" | "write" | "done";
  /** Files done, or found so far while the folder is listed. */
  readonly files: number;
  /** All files. Absent while they are counted, and where there are none. */
  readonly totalFiles?: number;
  readonly bytes?: number;
  readonly totalBytes?: number;
  readonly chunks: number;
  /** Chunks with a vector that was made in this run, of those that are known to need one. */
  readonly embedded?: number;
  readonly toEmbed?: number;
  /** Pages and pictures whose text was recognised. */
  readonly recognised?: number;
  /** The file under way, relative to the folder. */
  readonly path?: string;
}

/** How a file ended. `removed`: it is not in the folder any more. */
export type End = typeof ALL_ENDS[number];

/** The ends of the files that are in the folder. */
export const ENDS = ["indexed", "unchanged", "skipped", "failed"] as const;
/** Those and the end of the files that are not there any more. */
export const ALL_ENDS = [...ENDS, "removed"] as const;

/** An update that was started here. */
export interface WireRun {
  readonly id: string;
  /** Name of its collection. */
  readonly folder: string;
  readonly full: boolean;
  /** ISO 8601. */
  readonly began: string;
  readonly ended?: string;
  /** `waiting`: for another update, or for another process that has the index. */
  readonly state: "waiting" | "running" | "done" | "failed" | "cancelled";
  readonly progress?: WireProgress;
  /** Why it waits or failed, in the language of the request. */
  readonly reason?: string;
  /** By their ends; present when it is done. `found` is the number of all files that are there. */
  readonly counts?: Readonly<Record<End | "found", number>>;
  /** Problems that did not stop it. */
  readonly warnings?: readonly string[];
}

/** `POST /api/ingestion/start`: updates a folder. A run of the folder that is under way is given instead of a second one. */
export interface StartCall {
  /** Name of a collection. */
  readonly folder: string;
  /** Process every file again. */
  readonly full?: boolean;
}
export interface StartAnswer {
  readonly run: WireRun;
  readonly isNew: boolean;
}

/** `POST /api/ingestion/watch`: the run in lines, one at once and one for each change, until it has ended. */
export interface WatchCall {
  readonly run: string;
}
export interface WatchLine {
  readonly run: WireRun;
}

/** `POST /api/ingestion/cancel`: stops a run. The index stays as it was. The answer is `{}`. */
export interface CancelCall {
  readonly run: string;
}

/** `POST /api/ingestion/ends`: the files of a run that is done, in the order of their paths. */
export interface EndsCall {
  readonly run: string;
  readonly end?: End;
  /** A part of the path. */
  readonly text?: string;
  readonly offset?: number;
  readonly limit?: number;
}
export interface EndsAnswer {
  readonly total: number;
  readonly ends: readonly WireEnd[];
}
export interface WireEnd {
  /** Relative to the folder. That of a folder that was skipped as a whole ends with `/`. */
  readonly path: string;
  readonly end: End;
  readonly reason?: string;
}

/** Most files in one answer, and most that are taken out at once. */
export const MOST_ENDS = 500;
export const MOST_AT_ONCE = 1000;

/** `POST /api/ingestion/out`: the files that the user took out of the index of a folder. */
export interface OutCall {
  readonly folder: string;
}
export interface OutAnswer {
  /** Relative to the folder, in their order. */
  readonly paths: readonly string[];
}

/** `POST /api/ingestion/take_out`: takes documents out of the index. Their files stay, and no run indexes them again. */
export interface TakeOutCall {
  /** Full paths. */
  readonly paths: readonly string[];
}
/** `POST /api/ingestion/give_back`: lets files be indexed again. */
export interface GiveBackCall {
  readonly folder: string;
  /** Relative to the folder. */
  readonly paths: readonly string[];
}
/** The answer to both: how many files it concerns, and the runs that take it up. */
export interface ChangedAnswer {
  readonly count: number;
  readonly runs: readonly WireRun[];
}

/** `POST /api/ingestion/upload`: adds a file to a collection that allows it. */
export interface UploadCall {
  readonly folder: string;
  /** The name of the file, without a folder. */
  readonly name: string;
  /** Its bytes in base64. */
  readonly data: string;
}
export interface UploadAnswer {
  /** Relative to the folder. */
  readonly path: string;
  readonly run: WireRun;
}
