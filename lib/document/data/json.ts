import type { Document } from "../types.ts";
import { SpanOutline } from "./span_outline.ts";

const QUOTE = 0x22, BACKSLASH = 0x5c, SLASH = 0x2f, STAR = 0x2a, COMMA = 0x2c, COLON = 0x3a;
/** Values nested deeper than this are only counted. */
const MOST_FRAMES = 64;
const LONGEST_KEY = 200;
/** Keys whose value names the object that contains them. */
const LABELS = new Set(["name", "title", "id", "key", "label", "path", "url"]);

interface Frame {
  readonly isArray: boolean;
  /** Whether the value has a section. */
  readonly isSection: boolean;
  /** Index in an array; -1 in an object. */
  readonly index: number;
  items: number;
  /** The key whose value comes next, and its offset. */
  key: string | undefined;
  keyAt: number;
  labelled: boolean;
}

/**
 * Reads JSON, also with comments and trailing commas. Objects and arrays of more than one line become sections. Their title
 * is their key; in arrays it is their position and the name, title or id in them: `users › [3] Ann`. Takes linear time.
 * Broken JSON keeps the sections before the error.
 */
export function loadJson(text: string): Document {
  const outline = new SpanOutline(text);
  const frames: Frame[] = [];
  let deep = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const frame = frames.at(-1);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (deep === 0 && frame !== undefined) takeString(frame, at, end);
      at = end;
    } else if (code === SLASH) {
      const next = text.charCodeAt(at + 1);
      const end = next === SLASH ? text.indexOf("\n", at) : next === STAR ? text.indexOf("*/", at + 2) : at;
      at = end < 0 ? text.length : end;
    } else if (code === 0x7b || code === 0x5b) {
      if (frames.length >= MOST_FRAMES) deep++;
      else push(code === 0x5b, at);
    } else if (code === 0x7d || code === 0x5d) {
      if (deep > 0) deep--;
      else if (frames.pop()?.isSection === true) outline.leave(at + 1);
    } else if (code === COMMA && deep === 0 && frame !== undefined) {
      frame.items++;
      frame.key = undefined;
    }
  }
  return { text, sections: outline.finish() };

  function push(isArray: boolean, at: number): void {
    const around = frames.at(-1);
    const inArray = around?.isArray === true;
    const title = inArray ? `[${around!.items}]` : around?.key;
    const isSection = title !== undefined && outline.enter(inArray ? at : around!.keyAt, title);
    const index = inArray ? around!.items : -1;
    frames.push({ isArray, isSection, index, items: 0, key: undefined, keyAt: at, labelled: false });
  }

  function takeString(frame: Frame, at: number, end: number): void {
    if (frame.isArray) return;
    if (frame.key === undefined) {
      if (colonFollows(text, end + 1)) {
        frame.key = text.slice(at + 1, Math.min(end, at + 1 + LONGEST_KEY));
        frame.keyAt = at;
      }
    } else if (
      frame.isSection && frame.index >= 0 && !frame.labelled && LABELS.has(frame.key.toLowerCase())
    ) {
      frame.labelled = true;
      outline.rename(`[${frame.index}] ${text.slice(at + 1, Math.min(end, at + 1 + LONGEST_KEY))}`);
    }
  }
}

/** Returns where the string that opens at `at` closes. An unclosed string ends at the end of the line. */
function stringEnd(text: string, at: number): number {
  for (at++; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE || code === 10) return at;
  }
  return at;
}

function colonFollows(text: string, at: number): boolean {
  while (/\s/.test(text[at] ?? "")) at++;
  return text.charCodeAt(at) === COLON;
}

const RECORD_LABEL =
  /"(?:title|name|id|_id|key|path|url)"\s*:\s*(?:"((?:[^"\\]|\\.){1,100})|(-?[\w.]{1,40}))/;

/** Reads JSON lines. Each line is a record, named by its number and the title, name or id in it. */
export function loadJsonLines(text: string): Document {
  const sections = [];
  let number = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    number++;
    if (sections.length < 100_000 && text.slice(start, Math.min(end, start + 20)).trim() !== "") {
      const label = RECORD_LABEL.exec(text.slice(start, Math.min(end, start + 2000)));
      const found = label?.[1] ?? label?.[2];
      const title = found === undefined ? `[${number}]` : `[${number}] ${found}`;
      sections.push({ start, headingEnd: start, end, level: 1, title, path: [title] });
    }
    start = end + 1;
  }
  return { text, sections };
}
