/** Time limit for a document of any size, in milliseconds. */
const BASE_MS = 60_000;
/**
 * Additional time per million bytes, in milliseconds. A PDF of one million bytes takes about 3 s on an otherwise idle
 * machine.
 */
const MS_A_MEGABYTE = 5_000;
/** Longest time limit, in milliseconds. */
const MOST_MS = 600_000;

/** Memory limit of an extractor process in bytes. The process itself takes about 75 MB. */
const MAX_MEMORY = 1_500_000_000;
/** Interval of the memory checks in milliseconds. A process that fills memory takes about 1 MB per millisecond. */
export const MEMORY_LOOK_MS = 50;
/** Longest text of a document, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 400_000_000;
/** Longest message in bytes. A document of more than half this size is not sent to a process. */
export const MAX_FRAME_BYTES = 1_000_000_000;

/** Limits for reading one document. */
export interface ExtractLimits {
  /** Returns the time limit in milliseconds for a document of so many bytes. */
  readonly time: (bytes: number) => number;
  /** Memory limit for the whole process, in bytes. */
  readonly memory: number;
}

export const LIMITS: ExtractLimits = {
  time: (bytes) => Math.min(MOST_MS, BASE_MS + Math.ceil(bytes / 1_000_000) * MS_A_MEGABYTE),
  memory: MAX_MEMORY,
};
