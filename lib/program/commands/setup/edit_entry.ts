/**
 * Setting and removing a server's entry in the text of a client's file, JSON or TOML.
 * Everything else stays the same to the byte.
 */
import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  type Edit,
  type Node,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import { parse as parseToml, stringify, TomlError } from "smol-toml";
import { UserError } from "#foundation/errors.ts";
import { isCommand, isLocal, isTable, merged } from "./server_entry.ts";
import type { Editor, Setting } from "./types.ts";

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

/** Where a client's file has its servers. */
type Place = Pick<Setting, "path" | "format" | "servers">;

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
  return (format === "toml" ? setInToml : setInJson).parse(
    text.replace(BYTE_ORDER_MARK, ""),
    setting,
  );
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

const DEFAULT_UNIT = "  ";

/**
 * Edits JSON with and without comments. Only the parser of jsonc-parser is used: its `modify` formats whole lines again,
 * and moves a comment behind the last server to the new entry.
 */
const setInJson: Editor = {
  parse(text, { path, format }) {
    const strict = format === "json";
    const errors: ParseError[] = [];
    const content: unknown = parse(text, errors, {
      allowEmptyContent: true,
      allowTrailingComma: !strict,
      disallowComments: strict,
    });
    const [first] = errors;
    if (first === undefined) return content;
    const problem = printParseErrorCode(first.error);
    throw new UserError("cli_setup_invalid", {
      path,
      ...positionAt(text, first.offset),
      format: "JSON",
      problem,
    });
  },
  set(text, { servers, name, entry }) {
    const content = parse(text) as Record<string, Record<string, unknown>> | undefined;
    const present = content?.[servers]?.[name];
    if (!isLocal(present) || !isCommand(entry)) return put(text, [servers, name], merged(present, entry));
    const changes = differences(present, { ...entry }, [servers, name]);
    return changes.reduce((edited, [path, value]) => put(edited, path, value), text);
  },
};

type Change = readonly [path: readonly string[], value: unknown];

/** The values to set so that the object at a path contains `wanted`: only the keys that differ. */
function differences(
  present: Record<string, unknown>,
  wanted: Record<string, unknown>,
  path: readonly string[],
): Change[] {
  return Object.entries(wanted).flatMap(([key, value]) => {
    const at = [...path, key];
    const old = present[key];
    if (isTable(old) && isTable(value)) return differences(old, value, at);
    return isDeepStrictEqual(old, value) ? [] : [[at, value] as const];
  });
}

/** Sets the value at a path of keys. Missing objects on the way are added. */
function put(text: string, path: readonly string[], value: unknown): string {
  const root = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  const eol = endOfLine(text);
  if (root === undefined) {
    const start = text.trim() === "" ? "" : text.replace(/\s*$/, eol);
    return `${start}${laidOut(nested(path, value), DEFAULT_UNIT, "", eol)}${eol}`;
  }
  const unit = unitOf(text, root);
  let node = root;
  for (const [at, key] of path.entries()) {
    // Of duplicate keys the last counts.
    const property = node.children?.findLast(({ children }) => children?.[0]?.value === key);
    const found = property?.children?.[1];
    if (found === undefined) {
      return applyEdits(text, insertion(text, node, key, nested(path.slice(at + 1), value), unit));
    }
    node = found;
  }
  const { offset, length } = node;
  const content = isFirstOnLine(text, node.parent?.offset ?? offset)
    ? laidOut(value, unit, indentationAt(text, offset), eol)
    : JSON.stringify(value);
  return applyEdits(text, [{ offset, length, content }]);
}

/** The edits that put a property behind the last one of an object. */
function insertion(text: string, object: Node, key: string, value: unknown, unit: string): Edit[] {
  const close = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const from = last === undefined ? object.offset + 1 : last.offset + last.length;
  const { at, comma } = endOfItem(text, from, close);
  const edits: Edit[] = last === undefined || comma ? [] : [{ offset: from, length: 0, content: "," }];
  // A trailing comma is kept.
  const tail = last !== undefined && comma ? "," : "";
  const name = JSON.stringify(key);
  if (last !== undefined && !text.slice(object.offset, close).includes("\n")) {
    return [...edits, { offset: at, length: 0, content: ` ${name}: ${JSON.stringify(value)}${tail}` }];
  }
  const eol = endOfLine(text);
  const outer = indentationAt(text, last === undefined ? object.offset : close);
  const indentation = last !== undefined && isFirstOnLine(text, last.offset)
    ? indentationAt(text, last.offset)
    : outer + unit;
  const rest = text.slice(at, close);
  const blank = rest.trim() === "" && !rest.includes("\n");
  const content = `${eol}${indentation}${name}: ${laidOut(value, unit, indentation, eol)}${tail}`;
  edits.push({
    offset: at,
    length: blank ? rest.length : 0,
    content: rest.includes("\n") ? content : `${content}${eol}${outer}`,
  });
  return edits;
}

/** Offset after an item with its comma and the comments on its line, and whether it has that comma. */
function endOfItem(text: string, from: number, close: number): { at: number; comma: boolean } {
  const marks: { start: number; end: number; comma: boolean }[] = [];
  const note = (comma: boolean) => (start: number, length: number) => {
    if (start >= from && start < close) marks.push({ start, end: start + length, comma });
  };
  visit(text, {
    onSeparator: (character, start, length) => note(character === ",")(start, length),
    onComment: note(false),
  });
  let at = from;
  let comma = false;
  for (const mark of marks.sort((a, b) => a.start - b.start)) {
    if (!mark.comma && text.slice(at, mark.start).includes("\n")) {
      if (comma || !marks.some((other) => other.comma)) break;
    }
    at = mark.end;
    comma ||= mark.comma;
  }
  return { at, comma };
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

/** A value on several lines. The lines after the first begin with `indentation`. */
function laidOut(value: unknown, unit: string, indentation: string, eol: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indentation);
}

/** The file's unit of indentation, taken from its first property. */
function unitOf(text: string, root: Node): string {
  const first = root.children?.[0];
  if (first === undefined || !isFirstOnLine(text, first.offset)) return DEFAULT_UNIT;
  return indentationAt(text, first.offset).slice(indentationAt(text, root.offset).length) || DEFAULT_UNIT;
}

/**
 * Edits TOML: sets keys in the table `[servers.name]`, or adds that table at the end of the text. An entry in another
 * notation (`servers = { name = … }`) is not edited.
 */
const setInToml: Editor = {
  parse(text, { path }) {
    try {
      // The parser's tables have no prototype, unlike the objects that they are compared with.
      return structuredClone(parseToml(text, { integersAsBigInt: "asNeeded" }));
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
    const content = parseToml(text, { integersAsBigInt: "asNeeded" });
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

/** A header or a pair of a TOML text, without blanks and comments around it. */
interface Statement {
  /** Offset of its first character. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
  readonly kind: "header" | "pair";
  /** The keys of a header (`["mcp_servers", "x"]`) or of a pair, outermost first. */
  readonly path: readonly string[];
}

const STRING = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/;

/** The statements of a valid TOML text, in order. A `[` inside a string or an array does not begin a header. */
function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = /(?:\s|#[^\n]*)*/y;
    blank.lastIndex = at;
    blank.exec(text);
    const start = blank.lastIndex;
    if (start >= text.length) break;
    const end = endOf(text, start);
    const source = text.slice(start, end);
    statements.push({ start, end, kind: source.startsWith("[") ? "header" : "pair", path: keysOf(source) });
    at = end;
  }
  return statements;
}

/** Offset after the last character of the statement that begins at `start`, before its comment or line end. */
function endOf(text: string, start: number): number {
  const string = new RegExp(STRING, "y");
  let depth = 0;
  let end = start;
  for (let at = start; at < text.length;) {
    const character = text.charAt(at);
    if (character === "\n" && depth === 0) break;
    if (character === "#") {
      const line = text.indexOf("\n", at);
      at = line < 0 ? text.length : line;
      continue;
    }
    string.lastIndex = at;
    const length = string.exec(text)?.[0].length ?? 1;
    if ("[{".includes(character)) depth++;
    if ("]}".includes(character)) depth--;
    at += length;
    if (character.trim() !== "") end = at;
  }
  return end;
}

/**
 * The keys of a statement, from the first key inwards. An inline table as value lengthens the path, so that such a pair
 * matches no path that is looked for.
 */
function keysOf(source: string): string[] {
  const keys: string[] = [];
  let value: unknown = parseToml(source, { integersAsBigInt: "asNeeded" });
  while (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const [pair] = Object.entries(value);
    if (pair === undefined) break;
    keys.push(pair[0]);
    value = pair[1];
  }
  return keys;
}

/** The line end of a text, taken from its first line. */
function endOfLine(text: string): "\r\n" | "\n" {
  return /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** The blanks at the start of the line that contains an offset. */
function indentationAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(startOfLine(text, offset), offset))?.[0] ?? "";
}

/** Whether only blanks precede an offset in its line. */
function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(startOfLine(text, offset), offset).trim() === "";
}

/** Line and column of an offset, both counted from 1. */
function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - startOfLine(text, offset) + 1 };
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}
