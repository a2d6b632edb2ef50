/**
 * Reads front matter: the block of fields in YAML, TOML or JSON at the start of a text.
 */
import { type Described, described, united } from "../metadata.ts";
import type { Section, TextLoader } from "../types.ts";
import { withoutReferences } from "./markdown.ts";
import { lineEnd, titled, trimBlanks } from "./outline.ts";

/** The metadata block at the start of a text. */
interface FrontMatter {
  /** Offset of the first line after the block; 0 if there is none. */
  readonly end: number;
  /** Absent if the block is not made of fields: it may be text between two rules. */
  readonly fields?: Described;
}

/** UTF-16 units of the block that are searched for fields. */
const LONGEST_BLOCK = 65_536;

const KEY = String.raw`["']?[\p{L}_][\p{L}\p{N}_. -]{0,60}["']?[ \t]*`;
/** A line with a key, by the fence of the block. */
const KEY_LINE: Readonly<Record<string, RegExp>> = {
  "---": new RegExp(`^${KEY}:(?:\\s|$)`, "u"),
  "+++": new RegExp(`^${KEY}=`, "u"),
};
/** A line that goes on with the value of the key above it, and a table of TOML. */
const VALUE_LINE = /^(?:\s|-(?:\s|$)|[[\]{}])/;

/**
 * Lets a loader read the text below the front matter. The front matter's title is the document's title. Between two rules, a
 * Markdown file (`isMarkdown`) has no headings even where the lines are not fields.
 */
export function withFrontMatter(load: TextLoader, isMarkdown = false): TextLoader {
  return (text) => {
    const { end, fields } = readFrontMatter(text);
    if (end === 0 || (fields === undefined && !isMarkdown)) return load(text);
    const body = load(text.slice(end));
    const metadata = fields?.metadata === undefined || body.metadata === undefined
      ? fields?.metadata ?? body.metadata
      : united(fields.metadata, body.metadata);
    return {
      ...titled(
        { text, sections: body.sections.map((one) => shifted(one, end)) },
        fields?.title ?? body.title,
      ),
      ...(metadata === undefined ? {} : { metadata }),
      ...(body.links === undefined ? {} : { links: body.links }),
      // Front matter is the text of a file that has no other.
      ...(fields === undefined || !/\S/.test(text.slice(end)) ? {} : { bodyStart: end }),
    };
  };
}

/** Reads YAML (`---`), TOML (`+++`) or JSON front matter. */
export function readFrontMatter(text: string): FrontMatter {
  if (text[0] === "{") return readJson(text);
  const fence = text.slice(0, 3);
  const isKey = KEY_LINE[fence];
  const first = lineEnd(text, 0);
  if (isKey === undefined || trimBlanks(text, 0, first) !== 3) return { end: 0 };
  let hasKey = false;
  let hasOther = false;
  /** The sign that ends a TOML text of several lines. */
  let open = "";
  for (let start = first + 1; start < text.length;) {
    const newline = lineEnd(text, start);
    const line = text.slice(start, Math.min(trimBlanks(text, start, newline), start + 200));
    if (open === "" && (line === fence || (fence === "---" && line === "..."))) {
      const block = text.slice(first + 1, Math.min(start, first + 1 + LONGEST_BLOCK));
      const end = Math.min(newline + 1, text.length);
      return hasKey && !hasOther ? { end, fields: describedBy(readFields(block)) } : { end };
    }
    if (open === "" && line !== "" && line[0] !== "#") {
      if (isKey.test(line)) hasKey = true;
      else if (!hasKey && line[0] !== "[" || !VALUE_LINE.test(line)) hasOther = true;
    }
    for (const [mark] of fence === "+++" ? line.matchAll(/"""|'''/g) : []) {
      if (open === "") open = mark;
      else if (open === mark) open = "";
    }
    start = newline + 1;
  }
  return { end: 0 };
}

/** Reads an object that ends with `}` on a line of its own, as Hugo has it. */
function readJson(text: string): FrontMatter {
  const close = /^\}[ \t\r]*$/m.exec(text.slice(0, LONGEST_BLOCK));
  if (close === null) return { end: 0 };
  const fields = jsonFields(text.slice(0, close.index + 1));
  return fields === undefined
    ? { end: 0 }
    : { end: Math.min(lineEnd(text, close.index) + 1, text.length), fields: describedBy(fields) };
}

function shifted(section: Section, by: number): Section {
  const { start, headingEnd, end } = section;
  return { ...section, start: start + by, headingEnd: headingEnd + by, end: end + by };
}

const LONGEST_VALUE = 500;
const MOST_ITEMS = 100;
/** Matches `key: value` and `key = value`, indented or not. */
const FIELD = /^(\s*)["']?([\p{L}_][\p{L}\p{N}_. -]{0,60}?)["']?[ \t]*[:=](?:[ \t]+(.*))?$/u;

/** A field that may have others below it. */
interface OpenField {
  readonly indent: number;
  readonly name: string;
}

/**
 * Reads the fields of front matter in YAML or TOML as people write it there: lines, quoted or not, lists, and fields below a field. A
 * full YAML parser would reject the whole block for a stray colon in a title.
 */
function readFields(block: string): [name: string, value: unknown][] {
  const fields: [string, unknown][] = [];
  const lines = block.split("\n").map((line) => line.trimEnd());
  const open: OpenField[] = [];
  let table = "";
  for (let at = 0; at < lines.length;) {
    const line = lines[at++]!;
    const header = /^\[([^[\]]+)\]$/.exec(line)?.[1];
    if (header !== undefined) table = `${header.trim()}.`;
    const [, blanks = "", key, value = ""] = FIELD.exec(line) ?? [];
    if (key === undefined) continue;
    const indent = blanks.length;
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
    // A line further in without a field above it goes on with a text.
    if (indent > 0 && open.length === 0) continue;
    const name = `${open.at(-1)?.name ?? table}${key}`;
    const plain = value.trim();
    const quotes = /^(?:"""|''')/.exec(plain)?.[0];
    if (quotes !== undefined) {
      const end = lines.slice(at).findIndex((one) => one.endsWith(quotes));
      const last = plain.length > 5 && plain.endsWith(quotes) ? 0 : end < 0 ? lines.length - at : end + 1;
      const text = [plain, ...lines.slice(at, at + last)].join("\n").replaceAll(quotes, "");
      fields.push([name, text.trim().slice(0, LONGEST_VALUE)]);
      at += last;
    } else if (plain === "" || plain === "[" || plain.startsWith("#") || /^[>|][+-]?$/.test(plain)) {
      const { value, next } = below(lines, at, indent, plain);
      if (value !== undefined) fields.push([name, value]);
      else open.push({ indent, name: `${name}.` });
      at = next;
    } else fields.push([name, valueOf(plain)]);
  }
  return fields;
}

/** Returns the fields of front matter in JSON; `undefined` if the text is not a JSON object. */
function jsonFields(block: string): [name: string, value: unknown][] | undefined {
  try {
    return Object.entries(JSON.parse(block));
  } catch {
    return undefined;
  }
}

/** Returns title and metadata in the fields of front matter. */
function describedBy(fields: readonly [name: string, value: unknown][]): Described {
  const { title, metadata } = described(fields);
  return {
    ...(title === undefined ? {} : { title: withoutReferences(title) }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/**
 * Returns what stands below a key without a value: list items, names of people, or the lines of a long text; and the line behind it.
 * The value is `undefined` if fields stand there.
 */
function below(lines: readonly string[], at: number, indent: number, opener: string) {
  const isText = /^[>|]/.test(opener);
  const found: unknown[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next]!;
    const isItem = !isText && /^\s*-(?:\s|$)/.test(line);
    if (line.trim() === "" || (opener === "[" && /^\s*\]/.test(line))) continue;
    const depth = line.search(/\S/);
    if (depth <= indent && !(isItem && depth === indent)) break;
    const plain = line.trim().replace(/^-\s+/, "").replace(/,$/, "");
    const [, , key, value] = isText ? [] : FIELD.exec(plain) ?? [];
    if (opener !== "[" && !isText && !isItem && found.length === 0) return { next: at, value: undefined };
    if (found.length >= MOST_ITEMS) continue;
    // Of the fields of a person only the name is used.
    if (key === undefined || key.toLowerCase() === "name") found.push(...[valueOf(value ?? plain)].flat());
  }
  if (isText) return { next, value: found.join(" ").slice(0, LONGEST_VALUE) };
  return { next, value: found.length > 0 || opener === "[" ? found : undefined };
}

/** Returns the value on one line: the items in brackets, the name in an object, or a single value in its type. */
function valueOf(value: string): string | number | boolean | string[] {
  const list = /^\[(.*)\]/.exec(value)?.[1];
  if (list !== undefined) {
    const items = Array.from(list.matchAll(/"[^"]*"|'[^']*'|[^,\s"'][^,"']*/g), ([item]) => unquoted(item));
    return items.slice(0, MOST_ITEMS).filter((item) => item !== "");
  }
  const name = /^\{.*\bname["']?\s*[:=]\s*("[^"]*"|'[^']*'|[^,}]*)/.exec(value)?.[1];
  const text = unquoted(name ?? value);
  if (/^["']/.test(value)) return text;
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  // `1.10` and `007` are names.
  if (/^-?\d/.test(text) && String(Number(text)) === text) return Number(text);
  return /^(?:~|null)$/i.test(text) ? "" : text;
}

function unquoted(value: string): string {
  value = value.trim();
  const [, plain, escaped] = /^(?:'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)")/.exec(value) ?? [];
  if (plain !== undefined) return plain.replaceAll("''", "'").trim().slice(0, LONGEST_VALUE);
  if (escaped !== undefined) return escaped.replace(/\\(["\\/])/g, "$1").trim().slice(0, LONGEST_VALUE);
  const comment = value.search(/\s#/);
  return (comment < 0 ? value : value.slice(0, comment)).trim().slice(0, LONGEST_VALUE);
}
