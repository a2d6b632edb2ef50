/** Header of the first message of a process, sent after its modules are loaded and its permissions revoked. */
export const READY = "ready";
