import type { LoggingLevel } from "@modelcontextprotocol/server";

/** A message about the server for the people who use its clients. */
export interface ServerNote {
  readonly level: Extract<LoggingLevel, "info" | "warning" | "error">;
  /** In the user's language. */
  readonly text: string;
}

/** Passes messages on to the clients that are connected. */
export class Notes {
  readonly #listeners = new Set<(note: ServerNote) => void>();

  /** Sends a message to all. */
  publish(note: ServerNote): void {
    for (const listener of this.#listeners) listener(note);
  }

  /** Calls `listener` for each message from now on, until the result is called. */
  subscribe(listener: (note: ServerNote) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
