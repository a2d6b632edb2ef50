/** How much is written. */
export type LogLevel = "debug" | "info" | "warning" | "error";

/** Facts about an event. Secrets among them are blotted out. */
export type LogProperties = Readonly<Record<string, unknown>>;

/** The program's log. Writing to it never throws and never touches stdout or stderr. */
export interface Log {
  /** The least level that is written. */
  readonly level: LogLevel;
  /** Why nothing is being written, for the user; absent when all is well. */
  readonly problem?: string | undefined;
  /** `event` is a short constant name, `search` or `file_failed`; what varies goes into the properties. */
  debug(event: string, properties?: LogProperties): void;
  info(event: string, properties?: LogProperties): void;
  warning(event: string, properties?: LogProperties): void;
  error(event: string, properties?: LogProperties): void;
  /** Closes the file. Records written later are dropped. */
  close(): Promise<void>;
}
