import { isDeepStrictEqual } from "node:util";
import { UserError } from "../../../errors.ts";
import { setInJson } from "./edit_json.ts";
import { setInToml } from "./edit_toml.ts";
import { isTable, merged } from "./server_entry.ts";
import type { Setting } from "./types.ts";

const BYTE_ORDER_MARK = "\ufeff";

/** A text with the entry. `state`: whether the text had no entry of that name before, another one, or the same. */
export interface Edited {
  readonly text: string;
  readonly state: "none" | "other" | "same";
}

/**
 * The text of a client's file with the server's entry. Everything else stays the same to the byte. Throws `UserError`
 * `cli_setup_invalid` for a text that cannot be parsed, and `cli_setup_not_editable` where the entry cannot be set without
 * changing something else.
 */
export function withEntry(text: string, setting: Setting): Edited {
  const { path, format, servers, name, entry } = setting;
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const before = text.slice(mark.length);
  const editor = format === "toml" ? setInToml : setInJson;
  const content = editor.parse(before, setting) ?? {};
  const notEditable = () => new UserError("cli_setup_not_editable", { path, key: servers });
  if (!isTable(content)) throw notEditable();
  const present = content[servers] ?? {};
  if (!isTable(present) || content[servers] === null) throw notEditable();
  const wanted = { ...content, [servers]: { ...present, [name]: merged(present[name], entry) } };
  if (isDeepStrictEqual(wanted, content)) return { text, state: "same" };
  const after = editor.set(before, setting);
  let parsed: unknown;
  try {
    parsed = editor.parse(after, setting);
  } catch {
    throw notEditable();
  }
  if (!isDeepStrictEqual(parsed, wanted)) throw notEditable();
  return { text: mark + after, state: present[name] === undefined ? "none" : "other" };
}
