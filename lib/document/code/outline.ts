import { fileName } from "../reader/file_name.ts";
import { lineEnd, trimBlanks } from "../reader/lines.ts";
import type { Definition } from "./types.ts";

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

  for (let start = 0; start < text.length;) {
    const newline = lineEnd(text, start);
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
    start = newline + 1;
  }
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

type Style = "batch" | "sql" | "make" | "lisp" | "other";

function styleOf(name: string, extension: string): Style {
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
  style: Style,
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
