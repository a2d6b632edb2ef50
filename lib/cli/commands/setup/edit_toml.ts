import { applyEdits, type Edit } from "jsonc-parser";
import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import { UserError } from "../../../errors.ts";
import { isCommand, isLocal, isTable, merged } from "./server_entry.ts";
import { endOfLine, indentationAt } from "./text_lines.ts";
import { type Statement, statementsOf } from "./toml_statements.ts";
import type { Editor } from "./types.ts";

/**
 * Edits TOML: sets keys in the table `[servers.name]`, or adds that table at the end of the text. An entry in another
 * notation (`servers = { name = … }`) is not edited.
 */
export const setInToml: Editor = {
  parse(text, { path }) {
    try {
      // The parser's tables have no prototype, unlike the objects that they are compared with.
      return structuredClone(parse(text, { integersAsBigInt: "asNeeded" }));
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const problem = error.message.replace(/\n[^]*/, "").replace(/^Invalid TOML document: /, "");
      const { line, column } = error;
      throw new UserError("cli_setup_invalid", { path, line, column, format: "TOML", problem }, {
        cause: error,
      });
    }
  },
  set(text, { servers, name, entry }) {
    const statements = statementsOf(text);
    const own = tableAt(statements, [servers, name]);
    const variables = tableAt(statements, [servers, name, "env"]);
    const content = parse(text, { integersAsBigInt: "asNeeded" });
    const present = (content[servers] as Record<string, unknown> | undefined)?.[name];
    if (own !== undefined && (!isLocal(present) || !isCommand(entry))) {
      const { start } = own.header;
      const end = own.pairs.at(-1)?.end ?? own.header.end;
      return applyEdits(text, [{
        offset: start,
        length: end - start,
        content: tableText(text, servers, name, entry),
      }]);
    }
    if (!isCommand(entry)) return withTable(text, tableText(text, servers, name, entry));
    const known = isLocal(present) ? present : {};
    // Variables stay in their own table where they have one, otherwise they go into the table of the entry.
    const { env = {}, ...rest } = entry;
    const { env: all } = merged(known, entry);
    const inOwn = variables === undefined && entry.env !== undefined ? { ...rest, env: all } : rest;
    const edits = [
      ...(own === undefined ? [] : pairEdits(text, own, known, inOwn)),
      ...(variables === undefined ? [] : pairEdits(text, variables, known["env"], env)),
    ];
    const edited = applyEdits(text, edits.sort((a, b) => a.offset - b.offset));
    return own === undefined ? withTable(edited, tableText(text, servers, name, inOwn)) : edited;
  },
};

/** A table of a text: its header, and the pairs up to the next header. */
interface Table {
  readonly header: Statement;
  readonly pairs: readonly Statement[];
}

function tableAt(statements: readonly Statement[], path: readonly string[]): Table | undefined {
  const at = statements.findIndex((statement) =>
    statement.kind === "header" && isDeepStrictEqual(statement.path, path)
  );
  const header = statements[at];
  if (header === undefined) return undefined;
  const next = statements.findIndex(({ kind }, index) => index > at && kind === "header");
  return { header, pairs: statements.slice(at + 1, next < 0 ? undefined : next) };
}

/** The entry as a table, with the line ends of `text`. */
function tableText(text: string, servers: string, name: string, entry: object): string {
  return stringify({ [servers]: { [name]: entry } }).trimEnd().replaceAll("\n", endOfLine(text));
}

/** The text with a table added at its end. */
function withTable(text: string, table: string): string {
  const eol = endOfLine(text);
  const blank = text.trim() === "";
  return `${blank ? "" : `${text.endsWith("\n") ? text : text + eol}${eol}`}${table}${eol}`;
}

/** The edits that set keys in a table with the content `present`. Its other pairs and comments stay. */
function pairEdits(text: string, { header, pairs }: Table, present: unknown, wanted: object): Edit[] {
  const edits: Edit[] = [];
  const added: string[] = [];
  for (const [key, value] of Object.entries(wanted)) {
    if (isTable(present) && isDeepStrictEqual(present[key], value)) continue;
    const content = pairText(key, value);
    // An inline table, or a table written key by key if that is a single pair.
    const pair = pairs.find(({ path }) => path[0] === key && (path.length === 1 || isTable(value)));
    if (pair === undefined) added.push(content);
    else edits.push({ offset: pair.start, length: pair.end - pair.start, content });
  }
  if (added.length > 0) {
    const last = pairs.at(-1) ?? header;
    const line = text.indexOf("\n", last.end);
    const offset = line < 0 ? text.length : text[line - 1] === "\r" ? line - 1 : line;
    const start = endOfLine(text) + indentationAt(text, last.start);
    edits.push({ offset, length: 0, content: added.map((pair) => start + pair).join("") });
  }
  return edits;
}

/** `key = value` on one line, also for tables. */
function pairText(key: string, value: unknown): string {
  if (!isTable(value)) return stringify({ [key]: value }).trimEnd();
  const inner = Object.entries(value).map(([name, part]) => pairText(name, part)).join(", ");
  return `${key} = { ${inner} }`;
}
