import { applyEdits, type Node, parseTree } from "jsonc-parser";
import { isDeepStrictEqual } from "node:util";
import { UserError } from "../../../errors.ts";
import { setInJson } from "./edit_json.ts";
import { setInToml } from "./edit_toml.ts";
import { isTable } from "./server_entry.ts";
import { statementsOf } from "./toml_statements.ts";
import type { Setting } from "./types.ts";

/** Where a client's file has its servers. */
type Place = Pick<Setting, "path" | "format" | "servers">;

const BYTE_ORDER_MARK = "\ufeff";

/** The servers in a client's file, by name. Empty if it cannot be parsed. */
export function entriesIn(text: string, place: Place): [name: string, entry: unknown][] {
  try {
    const content = parsed(text, place);
    const servers = isTable(content) ? content[place.servers] : undefined;
    return isTable(servers) ? Object.entries(servers) : [];
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

/**
 * The text of a client's file without a server's entry. Everything else stays the same to the byte, except for the comma or
 * blank lines beside the entry. Throws `UserError` `cli_setup_invalid`, and `cli_setup_not_editable` where that is not
 * possible.
 */
export function withoutEntry(text: string, place: Place & Pick<Setting, "name">): string {
  const { path, format, servers, name } = place;
  const content = parsed(text, place);
  const notEditable = () => new UserError("cli_setup_not_editable", { path, key: servers });
  if (!isTable(content) || !isTable(content[servers])) throw notEditable();
  const { [name]: _, ...others } = content[servers];
  const after = format === "toml"
    ? withoutTable(text, [servers, name])
    : withoutProperty(text, [servers, name]);
  const left = after === undefined ? undefined : parsed(after, place);
  const wanted = [{ ...content, [servers]: others }, withoutKey(content, servers)];
  // A TOML table without entries is gone.
  const isRight = Object.keys(others).length === 0 ? wanted : wanted.slice(0, 1);
  if (after === undefined || !isRight.some((each) => isDeepStrictEqual(left ?? {}, each))) {
    throw notEditable();
  }
  return after;
}

function parsed(text: string, { path, format, servers }: Place): unknown {
  const setting = { path, format, servers, name: "", entry: { command: "", args: [] } };
  return (format === "toml" ? setInToml : setInJson).parse(text.replace(BYTE_ORDER_MARK, ""), setting);
}

function withoutKey(content: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: _, ...rest } = content;
  return rest;
}

function withoutProperty(text: string, path: readonly string[]): string | undefined {
  let node = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  let property: Node | undefined;
  for (const key of path) {
    property = node?.children?.find(({ children }) => children?.[0]?.value === key);
    node = property?.children?.[1];
  }
  const siblings = property?.parent?.children ?? [];
  if (property === undefined) return undefined;
  const at = siblings.indexOf(property);
  const [before, next] = [siblings[at - 1], siblings[at + 1]];
  const object = property.parent!;
  const end = property.offset + property.length;
  const [from, to] = next !== undefined
    ? [property.offset, next.offset]
    : before !== undefined
    ? [before.offset + before.length, end]
    : [object.offset + 1, object.offset + object.length - 1];
  const cut = (offset: number, end: number) => ({ offset, length: end - offset, content: "" });
  const isPlain = !`${text.slice(from, property.offset)}${text.slice(end, to)}`.includes("/");
  if (isPlain) return applyEdits(text, [cut(from, to)]);
  // The comments around the entry may be about others.
  const comma = commaAfter(text, next === undefined && before !== undefined ? from : end);
  return applyEdits(text, [cut(property.offset, end), ...comma === undefined ? [] : [cut(comma, comma + 1)]]);
}

/** The offset of the comma that is next in a text, apart from comments. */
function commaAfter(text: string, from: number): number | undefined {
  const next = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*(,?)/y;
  next.lastIndex = from;
  return next.exec(text)![1] === "" ? undefined : next.lastIndex - 1;
}

/** Removes a table and the tables inside it, each with its pairs and the line ends after them. */
function withoutTable(text: string, path: readonly string[]): string | undefined {
  const statements = statementsOf(text);
  const edits: { offset: number; length: number; content: string }[] = [];
  for (const [at, { kind, start, path: own }] of statements.entries()) {
    if (kind !== "header" || !path.every((key, i) => own[i] === key)) continue;
    let last = at;
    while (statements[last + 1]?.kind === "pair") last++;
    const line = /[ \t]*(?:#[^\n]*)?\r?\n?(?:[ \t]*\r?\n)*/y;
    line.lastIndex = statements[last]!.end;
    line.exec(text);
    edits.push({ offset: start, length: line.lastIndex - start, content: "" });
  }
  return edits.length === 0 ? undefined : applyEdits(text, edits);
}
