/** A kind of trace of the program. `client`: an entry in the file of an MCP client. */
export type TraceKind =
  | "index"
  | "folders"
  | "logs"
  | "models"
  | "index_key"
  | "configuration"
  | "secret_key"
  | "client";

/** Something that the program has written on this machine. */
export interface Trace {
  readonly kind: TraceKind;
  /** The file or folder; of a client's entry the file that holds it. */
  readonly path: string;
  /** The name of a client's entry. */
  readonly name?: string;
  /** Bytes on the disk, where the whole file or folder goes. */
  readonly bytes?: number;
  /** Throws `UserError`, or an error of the system, if it cannot be removed. */
  readonly remove: () => Promise<void>;
}
