/** Header of the first message of a process: its modules are loaded and its permissions given up. */
export const READY = "ready";
