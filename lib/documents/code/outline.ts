/**
 * Finds the definitions in source code of any language by keywords and indentation.
 * Below it: the sections that definitions become, whether found here or by a parser.
 */
import { type Document, fileName, type Section, words } from "../types.ts";
import { eachLine, lineEnd, trimBlanks } from "../text/outline.ts";
import { type CodeKind, codeKind } from "./languages.ts";

/** A definition in source code: a function, a class … */
export interface Definition {
  /** UTF-16 offsets of the definition and its body. The end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Offset of the name, within its line. */
  readonly nameAt: number;
  /** The language's own word for it: `function`, `class`, `trait` … */
  readonly kind: string;
  /** At most one line. */
  readonly name: string;
}

/** Characters at the start of a line that are searched for a definition. */
const LONGEST_HEAD = 300;
const MOST_NESTED = 10;

const MODIFIERS =
  "(?:(?:pub(?:\\([^)]*\\))?|public|private|protected|internal|static|final|abstract|override|open|sealed|" +
  "inline|export|local|async|virtual|data|case|implicit|lazy|suspend|operator|infix|companion|fileprivate|mutating|shared|" +
  "friend|overridable|partial|unsafe|extern|pure|elemental|recursive|global|declare|indirect|inner|value|annotation)[ \\t]+)*";
const KEYWORDS =
  "class|interface|trait|struct|enum(?:[ \\t]+class)?|union|object|protocol|extension|actor|module|namespace|record|impl|mixin|" +
  "def|defp|defmacro|defmodule|defprotocol|defimpl|fun|func|function|fn|sub|proc|procedure|method|macro|package|subroutine|" +
  "program|contract|library|message|service|rpc|input|type|entity|architecture|task|instance|role|grammar|constructor";
/**
 * Matches a definition by its keyword. The characters after the name distinguish it from prose, such as "class of its own".
 */
const BY_KEYWORD = new RegExp(
  `^${MODIFIERS}(${KEYWORDS})[ \\t]+(?:<[^>]*>[ \\t]*)?([\\p{L}_$@][\\p{L}\\p{N}_$.:!?'-]*)` +
    `[ \\t]*(?:$|[({\\[<:;=|]|(?:extends|implements|is|where|with|of|do|begin|as|returns?|inherits|for)\\b.*[{;:)]?$)`,
  "iu",
);
/** Matches functions that are assigned to a name: `name <- function(`, `M.name = function(`, `name: function(`. */
const ASSIGNED = /^(?:local\s+)?([\p{L}_$.][\p{L}\p{N}_$.:]*)\s*(?:<-|<<-|=|:=|:)\s*(?:async\s+)?function\b/u;
const LISP = /^\((def[\w*+-]*|define[\w-]*)\s+\(?([^\s()]+)/;
const RESOURCE = /^(resource|data|module|variable|output|provider)\s+"([^"]+)"(?:\s+"([^"]+)")?\s*\{/;
const SQL =
  /^create\s+(?:or\s+replace\s+)?(?:(?:global|local|temp|temporary|unique|materialized|definer\s*=\s*\S+)\s+)*(table|view|function|procedure|trigger|index|type|schema|database|sequence|package)\s+(?:body\s+)?(?:if\s+not\s+exists\s+)?([\p{L}\p{N}_."`[\]$]+)/iu;
const SQL_NEXT = /^(?:create|insert|update|alter|drop|grant|comment|delete|truncate|use)\s/i;
/** Matches functions of languages without a keyword for them: `Future<int> count(String a) async {`. */
const TYPED =
  /^(?!(?:if|else|for|while|switch|return|catch|new|throw|await|do|try|when|using|case|foreach|until|unless)\b)(?:[\p{L}_][\p{L}\p{N}_<>[\],.*&?]*\s+){1,6}\*?([\p{L}_]\w*)\s*\([^;]*\)[^;={}]*\{$/u;
/** Matches functions of shells: `configure() {`. */
const SHELL = /^([\w:.-]+)\s*\(\)\s*\{?$/;
const TAG = /^<(template|script|style)\b/;
const LABEL = /^:([\w.-]+)\s*$/;
const TARGET = /^([\w./%-]+(?:\s+[\w./%-]+){0,3})\s*::?(?!=)/;

/** Matches the start of a comment. */
const COMMENT = /^(?:\/\/|\/\*|\*|#|--|;|%|'|"|rem\b|::|<!--)/i;
/** Matches a line that ends the block above it, at the same indentation. */
const CLOSES = /^(?:[})\]]|end\w*\b|<\/|\$\$|esac\b|fi\b|done\b)/i;
/** Matches a line that continues the block above it although it is not indented. */
const GOES_ON =
  /^(?:\{|\(|begin\b|do\b|then\b|as\b|is\b|where\b|else\b|elsif\b|elseif\b|elif\b|catch\b|except\b|rescue\b|ensure\b|finally\b|var\b|const\b|implicit\b|\$\$|language\b|returns?\b|declare\b)/i;
const OPENS_AGAIN = /(?:[{([:]|\bdo|\bthen|\bbegin|->|=>)\s*$/;

/** Returns source code with the definitions found by keywords and indentation, without a parser. Takes linear time. */
export function loadCode(path: string, text: string): Document {
  return {
    text,
    sections: definitionSections(text, outlineCode(path, text), codeKind(path, text) ?? "other"),
  };
}

/**
 * Returns the definitions in source code of any language, found by the words at the start of lines and by indentation. A
 * definition extends to the next line that is not indented deeper. Takes linear time.
 */
export function outlineCode(path: string, text: string): Definition[] {
  const name = fileName(path).toLowerCase();
  const extension = name.slice(name.lastIndexOf(".") + 1);
  const style = styleOf(name, extension);
  const found: { -readonly [K in keyof Definition]: Definition[K] }[] = [];
  const open: { at: number; indent: number; flat: boolean }[] = [];
  let contentEnd = 0;

  eachLine(text, (start, newline) => {
    const { at, indent } = contentOf(text, start, newline);
    const end = trimBlanks(text, at, newline);
    if (at < end) {
      const line = text.slice(at, Math.min(end, at + LONGEST_HEAD));
      const definition = COMMENT.test(line) && !(style === "batch" && LABEL.test(line))
        ? undefined
        : read(line, style, indent);
      close(line, indent, definition !== undefined, end);
      if (definition !== undefined && open.length < MOST_NESTED) {
        open.push({ at: found.length, indent, flat: definition.flat });
        found.push({ start, end, nameAt: at, kind: definition.kind, name: definition.name });
      }
      contentEnd = end;
    }
  });
  for (const { at } of open) found[at]!.end = contentEnd;
  return found;

  /** Closes the definitions that do not contain a line at `indent`. */
  function close(line: string, indent: number, isDefinition: boolean, end: number): void {
    for (let last = open.at(-1); last !== undefined && last.indent >= indent; last = open.at(-1)) {
      if (last.flat ? !isDefinition && !(style === "sql" && SQL_NEXT.test(line)) : false) return;
      if (last.indent === indent && !isDefinition && !last.flat) {
        if (GOES_ON.test(line) || COMMENT.test(line) && !line.startsWith("#")) return;
        if (CLOSES.test(line)) {
          if (OPENS_AGAIN.test(line)) return;
          contentEnd = end;
        }
      }
      found[last.at]!.end = Math.max(contentEnd, found[last.at]!.end);
      open.pop();
    }
  }
}

type BlockStyle = "batch" | "sql" | "make" | "lisp" | "other";

function styleOf(name: string, extension: string): BlockStyle {
  if (extension === "bat" || extension === "cmd") return "batch";
  if (extension === "sql") return "sql";
  if (
    extension === "mk" || extension === "mak" || extension === "make" || name.endsWith("makefile") ||
    name === "justfile"
  ) return "make";
  return "other";
}

/** Returns the definition that a line begins. A `flat` definition extends to the next one, whatever the indentation. */
function read(
  line: string,
  style: BlockStyle,
  indent: number,
): { kind: string; name: string; flat: boolean } | undefined {
  if (style === "batch") {
    const label = LABEL.exec(line);
    return label === null ? undefined : { kind: "label", name: label[1]!, flat: true };
  }
  if (style === "make") {
    const target = indent === 0 && !line.startsWith(".") ? TARGET.exec(line) : null;
    return target === null ? undefined : { kind: "target", name: target[1]!, flat: true };
  }
  const sql = SQL.exec(line);
  if (sql !== null) {
    return { kind: sql[1]!.toLowerCase(), name: sql[2]!.replace(/["`[\]]/g, ""), flat: style === "sql" };
  }
  if (style === "sql") return undefined;
  const keyword = BY_KEYWORD.exec(line);
  if (keyword !== null) {
    const kind = keyword[1]!.toLowerCase().replace(/\s+/g, " ");
    const endless = kind === "package" && !line.includes("{");
    return endless ? undefined : { kind, name: keyword[2]!.replace(/[:.]+$/, ""), flat: false };
  }
  const assigned = ASSIGNED.exec(line);
  if (assigned !== null) return { kind: "function", name: assigned[1]!, flat: false };
  const lisp = LISP.exec(line);
  if (lisp !== null) return { kind: lisp[1]!, name: lisp[2]!, flat: false };
  const resource = RESOURCE.exec(line);
  if (resource !== null) {
    return { kind: resource[1]!, name: [resource[2], resource[3]].filter(Boolean).join("."), flat: false };
  }
  const tag = indent === 0 ? TAG.exec(line) : null;
  if (tag !== null) return { kind: "tag", name: tag[1]!, flat: false };
  const typed = TYPED.exec(line) ?? SHELL.exec(line);
  return typed === null ? undefined : { kind: "function", name: typed[1]!, flat: false };
}

/** Returns where the content of a line starts, and its indentation in columns. A tab counts as eight. */
function contentOf(text: string, start: number, end: number): { at: number; indent: number } {
  let indent = 0;
  let at = start;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20) indent++;
    else if (code === 0x09) indent += 8 - indent % 8;
    else break;
  }
  return { at, indent };
}

const DEEPEST_LEVEL = 10;
/** Longest comment, in UTF-16 units, that belongs to the definition below it. */
const LONGEST_COMMENT = 20_000;
/** Longest distance, in UTF-16 units, from the start of the comment above a definition to the definition's name. */
const LONGEST_HEADING = 500;

/** Shortest definition, in UTF-16 units, that always begins a chunk. */
const LEAST_APART = 300;

/** Kinds of definitions in which a function is a method. */
const HAVE_METHODS = words(
  "class struct interface trait impl record enum object union protocol extension actor mixin annotation contract role",
);

const SLASHES = /^[ \t]*(?:\/\/|\/?\*|@)/;
const HASH = /^[ \t]*(?:#(?!!)|@)/;
/** Matches lines that belong to the definition below them: comments, annotations, attributes. */
const ABOVE: Partial<Record<CodeKind, RegExp>> = {
  bash: HASH,
  powershell: HASH,
  python: HASH,
  ruby: HASH,
  rust: /^[ \t]*(?:\/\/|\/?\*|#!?\[)/,
  php: /^[ \t]*(?:\/\/|\/?\*|#)/,
  "c_sharp": /^[ \t]*(?:\/\/|\/?\*|\[)/,
  other:
    /^[ \t]*(?:\/\/|\/?\*|#(?!\s*(?:include|define|if|endif|else|import|pragma)\b)|--|;|%|'|@|rem\b|::)/i,
};

interface Open {
  readonly definition: Definition;
  readonly path: readonly string[];
  /** Lowest offset where the lines of the next nested definition may begin. */
  floor: number;
}

/**
 * Returns sections for definitions, which must be ordered by start, outer ones first. A section begins with the line of its
 * definition, or with the comment above it, and ends with the definition. A definition inside another one becomes no section
 * if it takes a single line or begins in the first line of the outer one.
 */
export function definitionSections(
  text: string,
  definitions: readonly Definition[],
  kind: CodeKind,
): Section[] {
  const sections: { -readonly [K in keyof Section]: Section[K] }[] = [];
  const open: Open[] = [];
  const above = ABOVE[kind] ?? SLASHES;
  let floor = 0;
  for (const definition of definitions) {
    for (
      let last = open.at(-1);
      last !== undefined && definition.start >= last.definition.end;
      last = open.at(-1)
    ) {
      floor = Math.max(floor, last.definition.end);
      open.pop();
    }
    const around = open.at(-1);
    if (around !== undefined && definition.end > around.definition.end) continue;
    const lineStart = text.lastIndexOf("\n", definition.start) + (text[definition.start] === "\n" ? 0 : 1);
    const lowest = Math.max(floor, around?.floor ?? 0);
    if (lineStart < lowest) continue;
    if (around !== undefined && !text.slice(definition.start, definition.end).includes("\n")) continue;
    const start = withComment(text, lineStart, lowest, above);
    const nameEnd = trimBlanks(text, start, lineEnd(text, Math.max(definition.nameAt, lineStart)));
    const firstEnd = trimBlanks(text, start, lineEnd(text, start));
    const headingEnd = nameEnd - start <= LONGEST_HEADING
      ? nameEnd
      : firstEnd - start <= LONGEST_HEADING
      ? firstEnd
      : start;
    const parentKind = around?.definition.kind;
    const isMethod = definition.kind === "function" && parentKind !== undefined &&
      HAVE_METHODS.has(parentKind);
    const title = `${isMethod ? "method" : definition.kind} ${definition.name}`.slice(0, 200);
    const path = [...around?.path ?? [], title];
    const end = Math.min(
      withLineEnd(text, definition.end),
      around === undefined ? text.length : around.definition.end,
    );
    sections.push({
      start,
      // The whole line of a one-line definition is its body. Otherwise a chunk of such lines would consist of headings.
      headingEnd: headingEnd < end ? headingEnd : start,
      end,
      level: open.length + 1,
      title,
      path,
      ...(end - start >= LEAST_APART ? { apart: true as const } : {}),
    });
    floor = Math.max(lineStart + 1, floor);
    if (open.length < DEEPEST_LEVEL - 1) {
      open.push({ definition, path, floor: lineEnd(text, definition.nameAt) });
    } else floor = Math.max(floor, definition.end);
  }
  return sections;
}

/** Returns where the comments and annotations directly above `lineStart` begin, not before `lowest`. */
function withComment(text: string, lineStart: number, lowest: number, above: RegExp): number {
  lowest = Math.max(lowest, lineStart - LONGEST_COMMENT);
  let start = lineStart;
  while (start > lowest) {
    const end = start - 1;
    const before = text.lastIndexOf("\n", end - 1) + 1;
    if (before < lowest || end <= before) break;
    const line = text.slice(before, Math.min(end, before + 200));
    if (above.test(line)) start = before;
    else if (text.slice(Math.max(before, end - 3), end).trimEnd().endsWith("*/")) {
      const opener = text.slice(lowest, end).lastIndexOf("/*");
      if (opener < 0) break;
      const from = text.lastIndexOf("\n", lowest + opener) + 1;
      if (from < lowest || text.slice(from, lowest + opener).trim() !== "") break;
      start = from;
    } else break;
  }
  return start;
}

/** Returns the end of the line if only punctuation follows `end`, else `end`. */
function withLineEnd(text: string, end: number): number {
  while (/\s/.test(text[end - 1] ?? "x")) end--;
  const newline = lineEnd(text, end);
  return newline - end < 200 && /^[\s;,)}\]]*$/.test(text.slice(end, newline)) ? newline : end;
}
