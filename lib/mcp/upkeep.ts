import type { IngestProgress, IngestSummary } from "../ingest/types.ts";

/** Options of {@linkcode Upkeep.update}. */
export interface UpkeepRequest {
  /** Process every file again. */
  readonly full?: boolean;
  /** Ends the request, and the work that is done only for it. The index then stays as it was. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: IngestProgress) => void;
}

/** Work on the indexes of the served folders. */
export interface Upkeep {
  /**
   * Brings the index of a served folder up to date. One update is under way at a time; requests that wait share one. Throws
   * what `ingest` throws.
   */
  update(root: string, request: UpkeepRequest): Promise<IngestSummary>;
}
