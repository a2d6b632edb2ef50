import { UserError } from "../../../errors.ts";
import {
  CATALOGUE,
  type InstalledFrom,
  installFrom,
  lockModels,
  MODEL_IDS,
  type ModelId,
} from "../../../models/mod.ts";
import { OwnFolder } from "../../../sandbox/mod.ts";
import { note } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { formatBytes } from "../../format.ts";
import { printJson } from "../../json.ts";
import { modelsNamed } from "../../model_names.ts";
import type { InstalledModel } from "./installed_model.ts";
import { noteUse } from "./note_use.ts";
import type { Session } from "../../session.ts";

/**
 * `model install --from PATH`: installs models from a folder or file of the user. Without names, those that are there; each
 * of the names must be there.
 */
export async function installNamed(session: Session): Promise<number> {
  const { operands, flags, signal, named: [path = ""] } = session;
  const dir = session.modelsDir!;
  const ids = operands.length === 0 ? MODEL_IDS : modelsNamed(operands);
  const models: InstalledModel[] = [];
  using _lock = await lockModels(new OwnFolder(dir), signal, () => note(session, "cli_model_waiting"));
  let partial: UserError | undefined;
  for (const id of ids) {
    try {
      const installed = await installFrom(CATALOGUE[id], path, {
        dir,
        acceptsOwn: operands.length > 0,
        signal,
      });
      models.push(reportInstalled(session, id, path, installed));
    } catch (error) {
      const isElsewhere = error instanceof UserError && error.key === "model_not_in" && operands.length === 0;
      if (!isElsewhere) throw error;
      const count = String(error.params["missing"]).split(", ").length;
      if (count < Object.keys(CATALOGUE[id].files).length) partial ??= error;
    }
  }
  if (models.length === 0) throw partial ?? new UserError("cli_model_none_in", { path });
  if (flags.json) await printJson(session, { dir, models, failures: [] });
  noteUse(session, models.map(({ id }) => id));
  return EXIT.done;
}

function reportInstalled(
  session: Session,
  id: ModelId,
  from: string,
  { path, description: { name, files }, isOfCatalogue }: InstalledFrom,
): InstalledModel {
  const bytes = Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
  if (!isOfCatalogue) note(session, "cli_model_own_note", { path: from, name, id });
  note(session, "cli_model_installed", { id, name, path, size: formatBytes(bytes) });
  return { id, name, path, bytes, source: "path", catalogue: isOfCatalogue };
}
