import { isDeepStrictEqual } from "node:util";
import { applyEdits, type Edit } from "jsonc-parser";
import { parse, stringify, TomlError } from "smol-toml";
import { UserError } from "../../errors.ts";
import { isLocal } from "./entry.ts";
import { endOfLine, indentationAt } from "./text_lines.ts";
import { type Statement, statementsOf } from "./toml_statements.ts";
import type { Editor, Entry } from "./types.ts";

/**
 * Edits TOML: what is ours in the table `[servers.name]`, or that table behind the end of the text. An entry written in
 * another way (`servers = { name = … }`) is left to people.
 */
export const setInToml: Editor = {
  parse(text, { path }) {
    try {
      // The parser's tables have no prototype, those they are compared to have.
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
    const eol = endOfLine(text);
    const table = stringify({ [servers]: { [name]: entry } }).trimEnd().replaceAll("\n", eol);
    const statements = statementsOf(text);
    const at = statements.findIndex(({ kind, path }) =>
      kind === "header" && isDeepStrictEqual(path, [servers, name])
    );
    const header = statements[at];
    if (header === undefined) {
      const rest = text.replace(/\s*$/, "");
      return `${rest === "" ? "" : `${text.endsWith("\n") ? text : text + eol}${eol}`}${table}${eol}`;
    }
    const next = statements.findIndex(({ kind }, index) => index > at && kind === "header");
    const pairs = statements.slice(at + 1, next < 0 ? undefined : next);
    const present = (parse(text, { integersAsBigInt: "asNeeded" })[servers] as Record<string, unknown>)[name];
    if (!isLocal(present)) {
      const end = pairs.at(-1)?.end ?? header.end;
      return applyEdits(text, [{ offset: header.start, length: end - header.start, content: table }]);
    }
    return applyEdits(text, pairEdits(text, { header, pairs, present, entry }));
  },
};

interface Table {
  readonly header: Statement;
  readonly pairs: readonly Statement[];
  readonly present: Record<string, unknown>;
  readonly entry: Entry;
}

/** The edits that set the entry's keys in a table; its other pairs, and remarks, stay. */
function pairEdits(text: string, { header, pairs, present, entry }: Table): Edit[] {
  const edits: Edit[] = [];
  const added: string[] = [];
  for (const [key, value] of Object.entries(entry)) {
    if (isDeepStrictEqual(present[key], value)) continue;
    const content = stringify({ [key]: value }).trimEnd();
    const pair = pairs.find(({ path }) => path.length === 1 && path[0] === key);
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
  return edits.sort((a, b) => a.offset - b.offset);
}
