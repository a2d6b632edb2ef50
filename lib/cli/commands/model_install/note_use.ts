import { CATALOGUE, type ModelId } from "../../../models/mod.ts";
import { note } from "../../context.ts";
import type { Session } from "../../session.ts";

/** Says which setting uses the embedding models that were installed, unless it is in effect. */
export function noteUse(session: Session, ids: readonly ModelId[]): void {
  const isUsed = session.config.embedding.provider === "local";
  if (!isUsed && ids.some((id) => CATALOGUE[id].use !== undefined)) note(session, "cli_model_use");
}
