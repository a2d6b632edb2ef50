import { lineEnd, titled, trimBlanks } from "../reader/lines.ts";
import type { TextLoader } from "../loader.ts";
import type { Section } from "../types.ts";
import { type FrontMatterFields, jsonFields, readFields } from "./front_matter_fields.ts";

/** The metadata block at the start of a text. */
export interface FrontMatter {
  /** Offset of the first line after the block; 0 if there is none. */
  readonly end: number;
  /** Absent if the block is not made of fields: it may be text between two rules. */
  readonly fields?: FrontMatterFields;
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
    const metadata = fields?.metadata ?? body.metadata;
    return {
      ...titled(
        { text, sections: body.sections.map((one) => shifted(one, end)) },
        fields?.title ?? body.title,
      ),
      ...(metadata === undefined ? {} : { metadata }),
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
      return hasKey && !hasOther ? { end, fields: readFields(block) } : { end };
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
    : { end: Math.min(lineEnd(text, close.index) + 1, text.length), fields };
}

function shifted(section: Section, by: number): Section {
  const { start, headingEnd, end } = section;
  return { ...section, start: start + by, headingEnd: headingEnd + by, end: end + by };
}
