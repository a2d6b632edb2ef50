import { message, printable } from "../../../messages.ts";
import { type ModelState, modelStates } from "../../../models/mod.ts";
import { EXIT } from "../../exit.ts";
import { formatBytes } from "../../format.ts";
import { printJson } from "../../json.ts";
import { printableMessage } from "../../printable_message.ts";
import type { Session } from "../../session.ts";
import { type Style, styleFor } from "../../style.ts";

/** `model list`: the state of every model. Fails if one is damaged. */
export async function modelList(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const dir = session.modelsDir!;
  const states = await modelStates(dir, { verify: flags.verify ?? false });
  const isDamaged = states.some(({ state }) => state === "damaged");
  if (flags.json) await printJson(session, { dir, models: states.map(jsonOf) });
  else {
    const style = styleFor(io, "stdout");
    await io.out([
      printableMessage(language, "cli_model_folder", { path: dir }),
      ...states.map((state) => stateText(state, language, style)),
      "",
    ].join("\n"));
  }
  return isDamaged ? EXIT.failed : EXIT.done;
}

function jsonOf({ id, state, path, description, bytes, languages, isOfCatalogue, damage }: ModelState) {
  const { name, licence, revision } = description;
  return {
    ...{ id, name, languages, state, path, bytes, licence, revision },
    "catalogue": isOfCatalogue,
    ...(damage === undefined ? {} : { damage }),
  };
}

function stateText(
  { id, state, path, description: { name, licence }, bytes, languages, isOfCatalogue, damage }: ModelState,
  language: Session["language"],
  style: Style,
): string {
  const colour = state === "installed" ? style.green : state === "damaged" ? style.red : style.yellow;
  const own = isOfCatalogue ? "" : message(language, "cli_model_own");
  const facts = [languages.join("+"), formatBytes(bytes), printable(licence)].filter((fact) => fact !== "")
    .join(", ");
  const lines = [
    `  ${id.padEnd(4)} ${colour(message(language, `cli_model_state_${state}`))}  ${
      printable(name)
    }${own} (${facts})`,
  ];
  if (state !== "missing") lines.push(`       ${printable(path)}`);
  if (damage !== undefined) {
    const { file, reason } = damage;
    const known = reason === "missing" || reason === "size" || reason === "sha256" ? reason : "other";
    lines.push(`       ${printableMessage(language, `cli_model_damage_${known}`, { file, reason })}`);
    lines.push(`       ${message(language, "cli_model_repair", { id })}`);
  }
  return lines.join("\n");
}
