import { withoutReferences } from "./inline_markdown.ts";
import type { Metadata } from "../types.ts";
import { isoDate, languageTag } from "./metadata_values.ts";

/** Title and metadata in front matter. */
export interface FrontMatterFields {
  readonly title?: string;
  readonly metadata?: Metadata;
}

const LONGEST_VALUE = 200;
const MOST_ITEMS = 20;
/** Matches `key: value` and `key = value` at the outermost level. */
const FIELD = /^["']?([A-Za-z][\w-]{0,40})["']?[ \t]*[:=](?:[ \t]+(.*))?$/;

/**
 * Reads the fields of front matter that the program uses, in YAML or TOML as people write it there: lines, quoted or not,
 * and lists. A full YAML parser would reject the whole block for a stray colon in a title.
 */
export function readFields(block: string): FrontMatterFields {
  const fields = new Map<string, readonly string[]>();
  const lines = block.split("\n");
  for (const [at, line] of lines.entries()) {
    if (/^\[/.test(line)) break; // The keys below a TOML table do not belong to the document.
    const [, key, value = ""] = FIELD.exec(line.trimEnd()) ?? [];
    const name = key?.toLowerCase();
    if (name === undefined || fields.has(name)) continue;
    const plain = value.trim();
    const isOpen = plain === "" || plain === "[" || plain.startsWith("#") || /^[>|][+-]?$/.test(plain);
    fields.set(name, isOpen ? below(lines, at + 1, plain) : valuesOf(plain));
  }
  return knownFields(fields);
}

/** The same fields of front matter in JSON; `undefined` if the text is not a JSON object. */
export function jsonFields(block: string): FrontMatterFields | undefined {
  let data: unknown;
  try {
    data = JSON.parse(block);
  } catch {
    return undefined;
  }
  const textOf = (value: unknown): string => {
    const one = typeof value === "object" && value !== null && "name" in value ? value.name : value;
    return typeof one === "string" || typeof one === "number"
      ? String(one).trim().slice(0, LONGEST_VALUE)
      : "";
  };
  return knownFields(
    new Map(
      Object.entries(data as Record<string, unknown>).map(([key, value]) => [
        key.toLowerCase(),
        (Array.isArray(value) ? value : [value]).slice(0, MOST_ITEMS).map(textOf).filter((one) => one !== ""),
      ]),
    ),
  );
}

/** Fields by their names in lower case, with their values. */
function knownFields(fields: ReadonlyMap<string, readonly string[]>): FrontMatterFields {
  const first = (...names: string[]) =>
    names.map((name) => fields.get(name)?.[0]).find((one) => one !== undefined);
  const all = (...names: string[]) => names.map((name) => fields.get(name)).find((one) => one?.length);
  const title = first("title");
  const author = all("author", "authors", "creator", "by")?.join(", ");
  const date = isoDate(first("date", "published", "created", "updated", "lastmod", "modified"));
  const created = isoDate(first("created", "date", "published"));
  const language = languageTag(first("lang", "language", "locale"));
  const tags = all("tags", "keywords", "categories");
  const description = first("description", "summary", "abstract");
  const metadata: Metadata = {
    ...(author === undefined ? {} : { author: author.slice(0, LONGEST_VALUE) }),
    ...(date === undefined ? {} : { date }),
    ...(created === undefined ? {} : { created }),
    ...(language === undefined ? {} : { language }),
    ...(tags === undefined ? {} : { tags }),
    ...(description === undefined ? {} : { description }),
  };
  return {
    ...(title ? { title: withoutReferences(title) } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

/** Returns the lines below a key that stands alone: list items, names of people, or the lines of a long text. */
function below(lines: readonly string[], at: number, opener: string): string[] {
  const isText = /^[>|]/.test(opener);
  const found: string[] = [];
  for (; at < lines.length && found.length < MOST_ITEMS; at++) {
    const line = lines[at]!;
    const isItem = /^\s*-\s/.test(line);
    if (line.trim() === "" || (opener === "[" && /^\s*\]/.test(line))) continue;
    if (!/^\s/.test(line) && !isItem) break;
    const plain = line.trim().replace(/^-\s+/, "").replace(/,$/, "");
    if (isText) found.push(plain);
    else {
      // Of the fields of a person only the name is used.
      const field = FIELD.exec(plain);
      if (field === null || field[1]!.toLowerCase() === "name") found.push(...valuesOf(field?.[2] ?? plain));
    }
  }
  return isText ? [found.join(" ").slice(0, LONGEST_VALUE)] : found;
}

/** Returns the values on one line: the items in brackets, the name in an object, or a single value. */
function valuesOf(value: string): string[] {
  const list = /^\[(.*)\]/.exec(value)?.[1];
  if (list !== undefined) {
    return Array.from(list.matchAll(/"[^"]*"|'[^']*'|[^,\s"'][^,"']*/g), ([item]) => unquoted(item)).slice(
      0,
      MOST_ITEMS,
    )
      .filter((item) => item !== "");
  }
  const name = /^\{.*\bname["']?\s*[:=]\s*("[^"]*"|'[^']*'|[^,}]*)/.exec(value)?.[1];
  const plain = unquoted(name ?? value);
  return plain === "" ? [] : [plain];
}

function unquoted(value: string): string {
  value = value.trim();
  const [, plain, escaped] = /^(?:'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)")/.exec(value) ?? [];
  if (plain !== undefined) return plain.replaceAll("''", "'").trim().slice(0, LONGEST_VALUE);
  if (escaped !== undefined) return escaped.replace(/\\(["\\/])/g, "$1").trim().slice(0, LONGEST_VALUE);
  const comment = value.search(/\s#/);
  return (comment < 0 ? value : value.slice(0, comment)).trim().slice(0, LONGEST_VALUE);
}
