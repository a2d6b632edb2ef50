/** The calls of the page Overview. Nothing here imports anything but types of this folder. */

/** `POST /api/overview/state`, with the body `{}`. */
export interface OverviewAnswer {
  readonly version: string;
  /** In the order in which a document and a question pass them. */
  readonly components: readonly WireComponent[];
  readonly collections: readonly WireCollection[];
  /** The last update of an index, and the last search of this process, if they are known. */
  readonly lastIngestion?: LastRun;
  readonly lastQuery?: LastRun;
  /** Whether `overview/doctor` can be asked for. */
  readonly canCheck: boolean;
}

/**
 * A component in use. A page names it by `method` and `provider`, and shows one that it does not know as it is, so that a new component
 * needs no change there.
 */
export interface WireComponent {
  /** The stage of ingestion or of a query that it does, by its name in traces. */
  readonly stage: string;
  readonly method?: string;
  readonly provider?: string;
  readonly model?: string;
  /** Host of its server. */
  readonly server?: string;
  /** Further facts by name, such as `max_chars: 1200`. */
  readonly facts: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export interface WireCollection {
  readonly name: string;
  readonly description?: string;
  readonly root: string;
  readonly state: "ready" | "missing" | "unusable";
  readonly documents: number;
  readonly chunks: number;
  /** Files that were looked at and are not in the index. */
  readonly notIndexed: number;
  readonly pictures: number;
  /** The most frequent first. */
  readonly languages: readonly { readonly language: string; readonly chunks: number }[];
  /** Id of the model of the vectors; absent if there are none. */
  readonly model?: string;
  /** ISO 8601. */
  readonly indexedAt?: string;
  /** Files that are new or have changed since then, at least. Absent where that is not known. */
  readonly newerFiles?: number;
  /** Bytes of the index. */
  readonly indexBytes?: number;
  /** Whether the index is being updated. */
  readonly isUpdating?: boolean;
}

/** An update or a search that has ended. */
export interface LastRun {
  /** When it began, ISO 8601; of an update without a trace, when its index was written. */
  readonly at: string;
  /** Elapsed milliseconds, if it is known. */
  readonly ms?: number;
  /** Id of its trace. */
  readonly trace?: string;
}

/** `POST /api/overview/doctor`, with the body `{}`: tries out each component. It may take a minute. */
export interface DoctorAnswer {
  readonly isWell: boolean;
  /** In one sentence, in the language of the request. */
  readonly verdict: string;
  readonly rows: readonly { readonly label: string; readonly text: string }[];
}
