import type { IngestProgress, IngestSummary } from "../ingest/types.ts";

/** Options of {@linkcode Upkeep.update}. */
export interface UpkeepRequest {
  /** Process every file again. */
  readonly full?: boolean;
  /** Ends the request, and the work that is done only for it. The index then stays as it was. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: IngestProgress) => void;
}

/** Vectors that were made again for one document. */
export interface ReembeddedDocument {
  readonly chunks: number;
  /** Ids of the models that the document has vectors of. */
  readonly models: readonly string[];
  /** Texts that a local model refused. They are found by their words only. */
  readonly refused: number;
  /** Problems of the update, in the user's language. */
  readonly warnings?: readonly string[];
}

/** Work on the indexes of the served folders. */
export interface Upkeep {
  /**
   * Brings the index of a served folder up to date. One update is under way at a time; requests that wait share one. Throws
   * what `ingest` throws.
   */
  update(root: string, request: UpkeepRequest): Promise<IngestSummary>;
  /**
   * Makes the vectors of a document again, known ones included, those of local models too. `path`: relative to the folder. Other
   * changes of the folder are taken up as well. Throws what `ingest` throws, `document_not_indexed` and `no_vectors_made`.
   */
  reembed(
    root: string,
    path: string,
    request: Omit<UpkeepRequest, "full">,
  ): Promise<ReembeddedDocument>;
}
