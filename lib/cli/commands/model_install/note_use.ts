import { CATALOGUE, type ModelId } from "../../../models/mod.ts";
import { note } from "../../context.ts";
import type { Session } from "../../session.ts";

/** Says which settings use the models that were installed, unless they are in effect. */
export function noteUse(session: Session, ids: readonly ModelId[]): void {
  const { embedding, files } = session.config;
  const used = ids.filter((id) => CATALOGUE[id].use !== undefined);
  if (embedding.provider !== "local" && used.length > 0) {
    note(session, "cli_model_use", { ids: used.join(", ") });
  }
  if (files.ocr === "off" && ids.includes("ocr")) note(session, "cli_model_use_ocr");
}
