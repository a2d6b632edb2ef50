/** Time that a document may take, whatever its size, in milliseconds. */
const BASE_MS = 60_000;
/** Further time for each million bytes, in milliseconds. A PDF of one million bytes takes about 3 s on a machine that has nothing else to do. */
const MS_A_MEGABYTE = 5_000;
/** Time that no document may exceed, in milliseconds. */
const MOST_MS = 600_000;

/** Memory that an extractor process may take in all, in bytes. The process itself takes about 75 MB. */
const MAX_MEMORY = 1_500_000_000;
/** How often the memory is looked at, in milliseconds. A process that fills memory takes about 1 MB in a millisecond. */
export const MEMORY_LOOK_MS = 50;
/** The longest text of a document, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 400_000_000;
/** The longest message that is passed: a document of this size is not sent to a process. */
export const MAX_FRAME_BYTES = 1_000_000_000;

/** Limits of time and memory for one document. */
export interface ExtractLimits {
  /** Milliseconds for a document of so many bytes. */
  readonly time: (bytes: number) => number;
  /** Bytes of memory of the whole process. */
  readonly memory: number;
}

/** The limits in force. */
export const LIMITS: ExtractLimits = {
  time: (bytes) => Math.min(MOST_MS, BASE_MS + Math.ceil(bytes / 1_000_000) * MS_A_MEGABYTE),
  memory: MAX_MEMORY,
};
