import { note } from "./context.ts";
import type { Session } from "./session.ts";

/**
 * Says in one line that models for sentences can be installed, unless some are, or the configuration chose other vectors.
 * For the first run in a folder and for `setup`.
 */
export function suggestModels(session: Session): void {
  const { hasModels, flags, config } = session;
  if (hasModels || flags.json || config.embedding.provider !== "builtin") return;
  note(session, "cli_suggest_models");
}
