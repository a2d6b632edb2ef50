import { lineEnd, trimBlanks } from "../reader/lines.ts";
import type { Document } from "../types.ts";
import { SpanOutline } from "./span_outline.ts";

/** UTF-16 units at the start of a line that are searched for a key. */
const LONGEST_HEAD = 400;
const KEY =
  /^("(?:[^"\\]|\\.){0,200}"|'[^']{0,200}'|[^\s#&*!|>'"%@`{}[\],?-][^#]{0,200}?|-[^\s#:][^#:]{0,200})\s*:(?=\s|$)/;
const ITEM_LABEL = /^(?:name|id|title|key|label|host|job_name|path|url|uses)\s*:\s*(\S.*)$/;
const BLOCK_SCALAR = /(?:^|\s)[|>][+\-\d]{0,2}\s*(?:#.*)?$/;

interface Frame {
  readonly indent: number;
  readonly isItem: boolean;
  readonly isSection: boolean;
  items: number;
}

/**
 * Reads YAML. Keys and list items with more than one line below them become sections, by indentation: `services › web ›
 * ports`. Every further document of a stream is a section. Takes linear time for any text.
 */
export function loadYaml(text: string): Document {
  const outline = new SpanOutline(text);
  const frames: Frame[] = [];
  /** Frame for the items of a list at the outermost level. */
  const root: Frame = { indent: -1, isItem: false, isSection: false, items: 0 };
  let contentEnd = 0;
  let documents = 1;
  let inDocument = false;
  /** Lines indented deeper than this are the text of a block scalar. */
  let scalarIndent = -1;

  for (let start = 0, next = 0; start < text.length; start = next) {
    const newline = lineEnd(text, start);
    next = newline + 1;
    let at = start;
    while (text.charCodeAt(at) === 0x20) at++;
    const end = trimBlanks(text, at, newline);
    if (at >= end) continue;
    const indent = at - start;
    if (scalarIndent >= 0) {
      if (indent > scalarIndent) {
        contentEnd = end;
        continue;
      }
      scalarIndent = -1;
    }
    const line = text.slice(at, Math.min(end, at + LONGEST_HEAD));
    if (line.startsWith("#")) continue;
    if (indent === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(line)) {
      if (contentEnd > 0 && line.startsWith("---")) newDocument(start);
      continue;
    }
    takeLine(line, indent, at);
    contentEnd = end;
  }
  close(-1, false);
  if (inDocument) outline.leave(contentEnd);
  return { text, sections: outline.finish() };

  function newDocument(start: number): void {
    close(-1, false);
    root.items = 0;
    if (inDocument) outline.leave(contentEnd);
    documents++;
    inDocument = outline.enter(start, `document ${documents}`);
  }

  function takeLine(line: string, indent: number, at: number): void {
    let column = indent;
    let rest = line;
    for (let dash = /^-(?:\s+|$)/.exec(rest); dash !== null; dash = /^-(?:\s+|$)/.exec(rest)) {
      close(column, true);
      rest = rest.slice(dash[0].length);
      const around = frames.at(-1) ?? root;
      const label = ITEM_LABEL.exec(rest)?.[1];
      const title = `[${around.items}]${label === undefined ? "" : ` ${unquoted(label)}`}`;
      around.items++;
      frames.push({ indent: column, isItem: true, isSection: outline.enter(at, title), items: 0 });
      column += dash[0].length;
      if (frames.length > 100) return;
    }
    if (rest === line) close(column, false);
    const key = KEY.exec(rest);
    if (key === null) {
      if (BLOCK_SCALAR.test(rest)) scalarIndent = indent;
      return;
    }
    const value = rest.slice(key[0].length).trim();
    // The key after a dash shares its line with the item.
    if (BLOCK_SCALAR.test(value)) scalarIndent = column;
    else if (frames.length <= 100) {
      const isSection = (value === "" || /^[&!#]/.test(value)) && outline.enter(at, unquoted(key[1]!));
      frames.push({ indent: column, isItem: false, isSection, items: 0 });
    }
  }

  /** Closes the parts that do not contain a line at `indent`. A list may be indented as deep as its key. */
  function close(indent: number, isDash: boolean): void {
    for (let last = frames.at(-1); last !== undefined; last = frames.at(-1)) {
      if (last.indent < indent || (isDash && !last.isItem && last.indent === indent)) return;
      frames.pop();
      if (last.isSection) outline.leave(contentEnd);
    }
  }
}

function unquoted(value: string): string {
  const quoted = /^(["'])(.*?)\1/.exec(value)?.[2];
  return quoted ?? value.replace(/\s+#.*$/, "");
}
