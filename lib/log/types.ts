/** Levels of log records, from most to least verbose. */
export type LogLevel = "debug" | "info" | "warning" | "error";

/** Facts about an event. Secrets in them are replaced before they are written. */
export type LogProperties = Readonly<Record<string, unknown>>;

/** The program's log. Writing to it never throws and never touches stdout or stderr. */
export interface Log {
  /** The lowest level that is written. */
  readonly level: LogLevel;
  /** A message for the user if nothing can be written. */
  readonly problem?: string | undefined;
  /** `event` is a short constant name, such as `search` or `file_failed`; everything variable goes into the properties. */
  debug(event: string, properties?: LogProperties): void;
  info(event: string, properties?: LogProperties): void;
  warning(event: string, properties?: LogProperties): void;
  error(event: string, properties?: LogProperties): void;
  /** Closes the file. Later records are dropped. */
  close(): Promise<void>;
}
