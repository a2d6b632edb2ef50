import { message } from "../../../messages.ts";
import { BUNDLED, lockModels, ModelPlace } from "../../../models/mod.ts";
import { OwnFolder } from "../../../sandbox/mod.ts";
import { confirm } from "../../confirm.ts";
import { note } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { formatBytes } from "../../format.ts";
import { printJson } from "../../json.ts";
import { modelsNamed } from "../../model_names.ts";
import type { Session } from "../../session.ts";

/** `model remove`: asks, then removes models and what interrupted downloads have left of them. */
export async function modelRemove(session: Session): Promise<number> {
  const { flags, operands, language, signal } = session;
  const dir = session.modelsDir!;
  const ids = modelsNamed(operands);
  const there = ids.map((id) => ({ id, place: new ModelPlace(dir, id) })).filter(({ place }) =>
    place.bytes() > 0
  );
  const names = there.map(({ id }) => id).join(message(language, "list_comma"));
  const bytes = there.reduce((sum, { place }) => sum + place.bytes(), 0);
  if (there.length > 0) {
    if (!await confirm(session, "cli_model_confirm_remove", { names, size: formatBytes(bytes) })) {
      note(session, "cli_declined");
      return EXIT.failed;
    }
    using _lock = await lockModels(new OwnFolder(dir), signal, () => note(session, "cli_model_waiting"));
    for (const { place } of there) await place.remove();
  }
  const [key, params] = there.length === 0
    ? ["cli_model_nothing", {}] as const
    : ["cli_model_removed", { names, size: formatBytes(bytes) }] as const;
  if (flags.json) {
    await printJson(session, {
      removed: there.map(({ id }) => id),
      bytes,
    }, message(language, key, params));
  } else note(session, key, params);
  const contained = there.map(({ id }) => id).filter((id) => BUNDLED.includes(id));
  if (session.containsModels && contained.length > 0) {
    note(session, "cli_model_contained", { names: contained.join(message(language, "list_comma")) });
  }
  return EXIT.done;
}
