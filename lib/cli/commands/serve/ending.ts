/**
 * The process has to end within a second of stdin's end. What of that is given to the answers still in hand, and after them
 * to an update that has to stop, in milliseconds; the rest is left to a slow machine. The lock of an index ends with the
 * process, whatever else an update leaves, with the next run.
 */
export const ENDING = { answers: 400, updates: 300 } as const;
