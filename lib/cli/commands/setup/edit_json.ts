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
import { isDeepStrictEqual } from "node:util";
import { UserError } from "../../../errors.ts";
import { isCommand, isLocal, isTable, merged } from "./server_entry.ts";
import { endOfLine, indentationAt, isFirstOnLine, positionAt } from "./text_lines.ts";
import type { Editor } from "./types.ts";

const DEFAULT_UNIT = "  ";

/**
 * Edits JSON with and without comments. Only the parser of jsonc-parser is used: its `modify` formats whole lines again,
 * and moves a comment behind the last server to the new entry.
 */
export const setInJson: Editor = {
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
