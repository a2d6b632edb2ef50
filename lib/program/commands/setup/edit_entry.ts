/**
 * Setting and removing a server's entry in the text of a client's file, JSON (by jsonc-parser) or TOML.
 * The rest of the file stays as it is: each result is parsed, and its content compared, before it is returned.
 */
import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  format as formatEdits,
  modify,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { parse as parseToml, stringify, TomlError } from "smol-toml";
import { UserError } from "#foundation/errors.ts";
import { type Format, isCommand, isLocal, isTable, merged, type ServerEntry } from "./server_entry.ts";

const BYTE_ORDER_MARK = "\ufeff";

/** Where a client's file has its servers. */
interface Place {
  /** Path of the file, for errors. */
  readonly path: string;
  readonly format: Format;
  /** The key that holds the servers. */
  readonly servers: string;
}

/** An entry to be set in a client's file. */
interface Setting extends Place {
  /** The server's name. */
  readonly name: string;
  readonly entry: ServerEntry;
}

/** A text with the entry. `state`: whether the text had no entry of that name before, another one, or the same. */
export interface Edited {
  readonly text: string;
  readonly state: "none" | "other" | "same";
}

/**
 * The text of a client's file with the server's entry. Throws `UserError` `cli_setup_invalid` for a text that cannot be
 * parsed, and `cli_setup_not_editable` where the entry cannot be set without changing something else.
 */
export function withEntry(text: string, setting: Setting): Edited {
  const { format, servers, name, entry } = setting;
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const before = text.slice(mark.length);
  const read = parsed(before, setting);
  const content = read === undefined ? {} : read;
  if (!isTable(content)) throw notEditable(setting);
  const { [servers]: known = {} } = content;
  if (!isTable(known)) throw notEditable(setting);
  const { [name]: present } = known;
  const wanted = { ...content, [servers]: { ...known, [name]: merged(present, entry) } };
  if (isDeepStrictEqual(wanted, content)) return { text, state: "same" };
  const after = format === "toml" ? setInToml(before, setting, present) : setInJson(before, setting, present);
  mustBeOneOf([wanted], after, setting);
  return { text: mark + after, state: present === undefined ? "none" : "other" };
}

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
 * The text of a client's file without a server's entry, and without the comma or blank lines beside it. Throws as
 * {@linkcode withEntry} does.
 */
export function withoutEntry(text: string, place: Place & Pick<Setting, "name">): string {
  const { format, servers, name } = place;
  const content = parsed(text, place);
  if (!isTable(content) || !isTable(content[servers])) throw notEditable(place);
  const { [name]: _, ...others } = content[servers];
  const after = (format === "toml" ? withoutTable : withoutProperty)(text, [servers, name]);
  const { [servers]: __, ...rest } = content;
  // A TOML table without entries is gone.
  const isLast = Object.keys(others).length === 0;
  if (after === undefined) throw notEditable(place);
  mustBeOneOf([{ ...content, [servers]: others }, ...isLast ? [rest] : []], after, place);
  return after;
}

function notEditable({ path, servers }: Place): UserError {
  return new UserError("cli_setup_not_editable", { path, key: servers });
}

/** Throws unless the text holds one of these contents. */
function mustBeOneOf(wanted: readonly unknown[], text: string, place: Place): void {
  let content: unknown;
  try {
    content = parsed(text, place) ?? {};
  } catch {
    throw notEditable(place);
  }
  if (!wanted.some((each) => isDeepStrictEqual(content, each))) throw notEditable(place);
}

/** The content as plain values; `undefined` for an empty text. Throws `cli_setup_invalid`. */
function parsed(marked: string, { path, format }: Place): unknown {
  const text = marked.replace(BYTE_ORDER_MARK, "");
  if (format === "toml") return parsedToml(text, path);
  const strict = format === "json";
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, {
    allowEmptyContent: true,
    allowTrailingComma: !strict,
    disallowComments: strict,
  });
  const [first] = errors;
  if (first === undefined) return content;
  const code = printParseErrorCode(first.error);
  const problem = code.replaceAll(/\B[A-Z]/g, " $&").toLowerCase();
  const before = text.slice(0, first.offset).split("\n");
  const position = { line: before.length, column: before.at(-1)!.length + 1 };
  const key = code === "InvalidCommentToken" ? "cli_setup_comment" : "cli_setup_invalid";
  throw new UserError(key, { path, ...position, format: "JSON", problem });
}

function parsedToml(text: string, path: string): unknown {
  try {
    // The parser's tables have no prototype, unlike the objects that they are compared with.
    return structuredClone(parseToml(text, { integersAsBigInt: "asNeeded" }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const problem = error.message.replace(/\n[^]*/, "").replace(/^Invalid TOML document: /, "");
    const { line, column } = error;
    const params = { path, line, column, format: "TOML", problem };
    throw new UserError("cli_setup_invalid", params, { cause: error });
  }
}

/** Sets an entry in JSON, with and without comments. Of an entry that starts a program, only the keys that differ. */
function setInJson(before: string, { servers, name, entry }: Setting, present: unknown): string {
  const eol = endOfLine(before);
  const text = parseTree(before) !== undefined
    ? before
    : `${before.trim() === "" ? "" : before.replace(/\s*$/, eol)}{}${eol}`;
  const path = [servers, name];
  if (!isLocal(present) || !isCommand(entry)) return put(text, path, entry);
  return differences(present, { ...entry }, path).reduce(
    (edited, [at, value]) => put(edited, at, value),
    text,
  );
}

/** The values to set so that the object at a path contains `wanted`: only the keys that differ. */
function differences(
  present: Record<string, unknown>,
  wanted: Record<string, unknown>,
  path: readonly string[],
): (readonly [path: string[], value: unknown])[] {
  return Object.entries(wanted).flatMap(([key, value]) => {
    const at = [...path, key];
    const old = present[key];
    if (isTable(old) && isTable(value)) return differences(old, value, at);
    return isDeepStrictEqual(old, value) ? [] : [[at, value] as const];
  });
}

/**
 * Sets the value at a path of keys, and adds missing objects on the way. `modify` without options makes one edit on one line.
 * Its own layout would format the whole lines around, and move the comment behind the last property to the new one
 * (microsoft/node-jsonc-parser#125).
 */
function put(text: string, path: string[], value: unknown): string {
  const root = parseTree(text, [], { allowTrailingComma: true })!;
  const [{ offset, length, content }] = modify(text, path, value, {}) as [Edit];
  if (length > 0) {
    const property = findNodeAtLocation(root, path)!.parent!;
    const edited = applyEdits(text, [{ offset, length, content }]);
    const isFirst = text.slice(startOfLine(text, property.offset), property.offset).trim() === "";
    return isFirst ? laidOut(edited, offset, offset + content.length) : edited;
  }
  const object = path.map((_, at) => findNodeAtLocation(root, path.slice(0, at))).findLast((node) => node)!;
  const property = content.replace(/^,/, "");
  const isEmpty = object.children!.length === 0;
  if (!isEmpty && !text.slice(object.offset, object.offset + object.length).includes("\n")) {
    return applyEdits(text, [{ offset, length, content: `, ${property}` }]);
  }
  // Comments on the line stay with what is before them, and a trailing comma stays one.
  const line = /(?:[ \t]*(?:,|\/\*[^]*?\*\/|\/\/[^\r\n]*))*/y;
  line.lastIndex = offset;
  const [rest] = line.exec(text)!;
  const skipped = rest.includes("/") ? rest : "";
  const hasComma = skipped.replaceAll(/\/\*[^]*?\*\/|\/\/[^\r\n]*/g, "").includes(",");
  const before = `${isEmpty || hasComma ? "" : ","}${skipped}`;
  const added = `${endOfLine(text)}${property}${hasComma ? "," : ""}`;
  const start = offset + before.length;
  const edited = `${text.slice(0, offset)}${before}${added}${text.slice(offset + skipped.length)}`;
  return laidOut(edited, start, start + added.length + 1);
}

/** The text with the part between two offsets on lines of its own, indented as the file is. */
function laidOut(text: string, start: number, end: number): string {
  const unit = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  // `format` would remove the first character of a line end of two.
  const isLineEnd = /[\r\n]/.test(text.charAt(end - 1));
  const range = { offset: start, length: end - start - (isLineEnd ? 1 : 0) };
  const options = { tabSize: unit.length, insertSpaces: !unit.startsWith("\t") };
  return applyEdits(text, formatEdits(text, range, options));
}

/** Removes a property of JSON. `modify` would remove the comments beside it as well, which may be about others. */
function withoutProperty(text: string, path: readonly string[]): string | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const property = root && findNodeAtLocation(root, [...path])?.parent;
  if (property === undefined) return undefined;
  const object = property.parent!;
  const siblings = object.children!;
  const at = siblings.indexOf(property);
  const [before, next] = [siblings[at - 1], siblings[at + 1]];
  const end = property.offset + property.length;
  const [from, to] = next !== undefined
    ? [property.offset, next.offset]
    : before !== undefined
    ? [before.offset + before.length, end]
    : [object.offset + 1, object.offset + object.length - 1];
  const cut = (offset: number, end: number) => ({ offset, length: end - offset, content: "" });
  const isPlain = !`${text.slice(from, property.offset)}${text.slice(end, to)}`.includes("/");
  if (isPlain) return applyEdits(text, [cut(from, to)]);
  // The comma between this property and the one before it goes, unless the last property has one behind it.
  const behind = commaAfter(text, end);
  const comma = behind === undefined && before !== undefined ? commaAfter(text, from) : behind;
  const others = comma === undefined || comma === end ? [] : [cut(comma, comma + 1)];
  return applyEdits(text, [
    cut(...wholeLines(text, property.offset, comma === end ? end + 1 : end)),
    ...others,
  ]);
}

/** The part between two offsets, with its line ends and indentation if it stands on lines of its own. */
function wholeLines(text: string, start: number, end: number): [start: number, end: number] {
  const line = startOfLine(text, start);
  const rest = /[ \t]*\r?\n/y;
  rest.lastIndex = end;
  return text.slice(line, start).trim() === "" && rest.test(text) ? [line, rest.lastIndex] : [start, end];
}

/** The offset of the comma that is next in a text, apart from comments. */
function commaAfter(text: string, from: number): number | undefined {
  const next = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*(,?)/y;
  next.lastIndex = from;
  return next.exec(text)![1] === "" ? undefined : next.lastIndex - 1;
}

/**
 * Sets an entry in TOML: keys in the table `[servers.name]`, or that table at the end of the text. An entry in another
 * notation (`servers = { name = … }`) is not edited, which the comparison after it finds.
 */
function setInToml(text: string, { servers, name, entry }: Setting, present: unknown): string {
  const statements = statementsOf(text);
  const own = tableAt(statements, [servers, name]);
  const variables = tableAt(statements, [servers, name, "env"]);
  if (own !== undefined && (!isLocal(present) || !isCommand(entry))) {
    const { start } = own.header;
    const end = own.pairs.at(-1)?.end ?? own.header.end;
    return `${text.slice(0, start)}${tableText(text, servers, name, entry)}${text.slice(end)}`;
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
}

/**
 * Removes a table and the tables inside it, each with its pairs and the line ends after them. At the end of the text, the blank line before it
 * goes as well, which {@linkcode withTable} adds.
 */
function withoutTable(text: string, path: readonly string[]): string | undefined {
  const statements = statementsOf(text);
  const edits: Edit[] = [];
  for (const [at, { kind, start, path: own }] of statements.entries()) {
    if (kind !== "header" || !path.every((key, i) => own[i] === key)) continue;
    let last = at;
    while (statements[last + 1]?.kind === "pair") last++;
    const line = /[ \t]*(?:#[^\n]*)?\r?\n?(?:[ \t]*\r?\n)*/y;
    line.lastIndex = statements[last]!.end;
    line.exec(text);
    edits.push({ offset: start, length: line.lastIndex - start, content: "" });
  }
  const last = edits.at(-1);
  if (last === undefined) return undefined;
  const rest = applyEdits(text, edits);
  const isAtEnd = last.offset + last.length === text.length;
  return isAtEnd ? rest.replace(/(\n|^)[ \t]*\r?\n$/, "$1") : rest;
}

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

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}
