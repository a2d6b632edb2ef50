/**
 * Reads the outlines of JSON, JSON lines, YAML, XML, TOML and INI: keys and items of several lines are sections.
 * The scanners tolerate errors and take linear time for any text.
 */
import { type Document, given, joined, type Section } from "../types.ts";
import { DEEPEST_SPAN as DEEPEST, eachLine, SpanOutline, trimBlanks } from "./outline.ts";

const QUOTE = 0x22, BACKSLASH = 0x5c, SLASH = 0x2f, STAR = 0x2a, COMMA = 0x2c, COLON = 0x3a;
/** Values nested deeper than this are only counted. */
const MOST_FRAMES = 64;
const LONGEST_KEY = 200;
/** Keys whose value names the object that contains them. */
const LABEL_KEYS = new Set(["name", "title", "id", "key", "label", "path", "url"]);

interface JsonFrame {
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
  const frames: JsonFrame[] = [];
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

  function takeString(frame: JsonFrame, at: number, end: number): void {
    if (frame.isArray) return;
    if (frame.key === undefined) {
      if (colonFollows(text, end + 1)) {
        frame.key = text.slice(at + 1, Math.min(end, at + 1 + LONGEST_KEY));
        frame.keyAt = at;
      }
    } else if (
      frame.isSection && frame.index >= 0 && !frame.labelled && LABEL_KEYS.has(frame.key.toLowerCase())
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
  const sections: Section[] = [];
  let number = 0;
  eachLine(text, (start, end) => {
    number++;
    if (sections.length < 100_000 && text.slice(start, Math.min(end, start + 20)).trim() !== "") {
      const label = RECORD_LABEL.exec(text.slice(start, Math.min(end, start + 2000)));
      const found = label?.[1] ?? label?.[2];
      const title = found === undefined ? `[${number}]` : `[${number}] ${found}`;
      sections.push({ start, headingEnd: start, end, level: 1, title, path: [title] });
    }
  });
  return { text, sections };
}

/** UTF-16 units at the start of a line that are searched for a key. */
const LONGEST_YAML_HEAD = 400;
const YAML_KEY =
  /^("(?:[^"\\]|\\.){0,200}"|'[^']{0,200}'|[^\s#&*!|>'"%@`{}[\],?-][^#]{0,200}?|-[^\s#:][^#:]{0,200})\s*:(?=\s|$)/;
const ITEM_LABEL = /^(?:name|id|title|key|label|host|job_name|path|url|uses)\s*:\s*(\S.*)$/;
const BLOCK_SCALAR = /(?:^|\s)[|>][+\-\d]{0,2}\s*(?:#.*)?$/;

interface YamlFrame {
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
  const frames: YamlFrame[] = [];
  /** Frame for the items of a list at the outermost level. */
  const root: YamlFrame = { indent: -1, isItem: false, isSection: false, items: 0 };
  let contentEnd = 0;
  let documents = 1;
  let inDocument = false;
  /** Lines indented deeper than this are the text of a block scalar. */
  let scalarIndent = -1;

  eachLine(text, (start, newline) => {
    let at = start;
    while (text.charCodeAt(at) === 0x20) at++;
    const end = trimBlanks(text, at, newline);
    if (at >= end) return;
    const indent = at - start;
    if (scalarIndent >= 0) {
      if (indent > scalarIndent) {
        contentEnd = end;
        return;
      }
      scalarIndent = -1;
    }
    const line = text.slice(at, Math.min(end, at + LONGEST_YAML_HEAD));
    if (line.startsWith("#")) return;
    if (indent === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(line)) {
      if (contentEnd > 0 && line.startsWith("---")) newDocument(start);
      return;
    }
    takeLine(line, indent, at);
    contentEnd = end;
  });
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
    const key = YAML_KEY.exec(rest);
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

/** UTF-16 units of a tag that are searched for its name and attributes. */
const LONGEST_TAG = 2000;
const TAG_NAME = /^<([\p{L}_][\p{L}\p{N}_.:-]{0,100})/u;
const LABEL_ATTRIBUTE =
  /\s(?:[\w-]+:)?(?:name|id|key|title|label|path|type)\s*=\s*(?:"([^"]{1,100})"|'([^']{1,100})')/;
/** Elements whose text names the element that contains them. */
const NAMING_ELEMENTS = new Set(["name", "title", "id", "key", "label", "artifactid", "package"]);

/**
 * Reads XML. Elements below the outermost one that take more than one line become sections, named by their tag and the name,
 * id or title in them: `dependencies › dependency junit`. Entities are not expanded. Takes linear time for any text.
 */
export function loadXml(text: string): Document {
  const outline = new SpanOutline(text);
  /** Open elements, the outermost first. Deeper ones are only counted. */
  const open: { readonly name: string; readonly isSection: boolean; labelled: boolean }[] = [];
  let deep = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const skipped = skipEnd(text, at);
    if (skipped >= 0) {
      at = skipped;
      continue;
    }
    const end = tagEnd(text, at);
    const head = text.slice(at, Math.min(end, at + LONGEST_TAG));
    if (head.startsWith("</")) leave(head.slice(2).replace(/[\s>].*$/s, ""), end);
    else if (!head.endsWith("/>") && text[end - 2] !== "/") enter(head, at, end);
    at = end;
  }
  return { text, sections: outline.finish() };

  function enter(head: string, at: number, end: number): void {
    const name = TAG_NAME.exec(head)?.[1];
    if (name === undefined) return;
    if (open.length > DEEPEST) {
      deep++;
      return;
    }
    const around = open.at(-1);
    if (around?.isSection === true && !around.labelled && NAMING_ELEMENTS.has(name.toLowerCase())) {
      const close = text.indexOf("<", end);
      const label = text.slice(end, close < 0 ? end : Math.min(close, end + 100)).trim();
      if (label !== "") {
        around.labelled = true;
        outline.rename(`${around.name} ${label}`);
      }
    }
    const label = LABEL_ATTRIBUTE.exec(head);
    const title = label === null ? name : `${name} ${label[1] ?? label[2]}`;
    const isSection = around !== undefined && outline.enter(at, title);
    open.push({ name, isSection, labelled: label !== null });
  }

  function leave(name: string, end: number): void {
    if (deep > 0) {
      deep--;
      return;
    }
    const index = open.findLastIndex((one) => one.name === name);
    if (index < 0) return;
    for (const { isSection } of open.splice(index)) if (isSection) outline.leave(end);
  }
}

/**
 * Returns the end of the comment, CDATA section, declaration or processing instruction at `at`, or -1 if a tag begins there.
 */
function skipEnd(text: string, at: number): number {
  const close = text.startsWith("<!--", at)
    ? "-->"
    : text.startsWith("<![CDATA[", at)
    ? "]]>"
    : text.startsWith("<?", at)
    ? "?>"
    : undefined;
  if (close !== undefined) {
    const end = text.indexOf(close, at + 2);
    return end < 0 ? text.length : end + close.length;
  }
  if (text[at + 1] === "!") return at + 2;
  return /[\p{L}_/]/u.test(text[at + 1] ?? "") ? -1 : at + 1;
}

/** Returns the offset after the `>` of the tag at `at`. A `>` in quotes does not count. A `<` ends a tag that has no `>`. */
function tagEnd(text: string, at: number): number {
  let quote = "";
  for (let end = at + 1; end < text.length; end++) {
    const char = text[end]!;
    if (quote !== "") {
      if (char === quote || char === "<") quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return end + 1;
    else if (char === "<") return end;
  }
  return text.length;
}

const TABLE_HEADER = /^\[{1,2}\s*([^\]\r\n]{1,300}?)\s*\]{1,2}\s*(?:[#;].*)?$/;

/** Reads INI and TOML. Each `[table]` is a section, except in TOML's multi-line strings. Takes linear time. */
export function loadTables(text: string): Document {
  const outline = new SpanOutline(text);
  let quotes = "";
  let contentEnd = 0;
  eachLine(text, (start, newline) => {
    const end = trimBlanks(text, start, newline);
    let at = start;
    while (at < end && (text[at] === " " || text[at] === "\t")) at++;
    const line = text.slice(at, Math.min(end, at + 400));
    if (quotes === "" && line.startsWith("[")) {
      const title = TABLE_HEADER.exec(line)?.[1];
      if (title !== undefined) {
        outline.leave(contentEnd);
        outline.enter(at, title);
      }
    }
    // A comment may belong to the table below it.
    if (quotes === "" && /^[#;]/.test(line)) return;
    quotes = quotesAfter(text, at, end, quotes);
    if (at < end) contentEnd = end;
  });
  outline.leave(contentEnd);
  return { text, sections: outline.finish() };
}

/** Returns the quotes of the multi-line string that is open at the end of a line. */
function quotesAfter(text: string, at: number, end: number, quotes: string): string {
  while (at < end) {
    if (quotes !== "") {
      // Searched in this line only: an unclosed string would be searched again for every line.
      const close = text.slice(at, end).indexOf(quotes);
      if (close < 0) return quotes;
      at += close + 3;
      quotes = "";
    } else {
      quotes = ['"""', "'''"].find((mark) => text.startsWith(mark, at)) ?? "";
      at += quotes === "" ? 1 : 3;
    }
  }
  return quotes;
}

/** Largest distance of a time from the start of its line, in UTF-16 units. */
const REACH = 120;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const ISO = /(\d{4})[-\/.](\d{1,2})[-\/.](\d{1,2})(?:[T\s,_-]+(\d{1,2}):\d{2})?/;
const APACHE = /(\d{1,2})\/(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\/(\d{4}):(\d{2}):\d{2}/;
const SYSLOG =
  /^\W{0,3}(?:<\d+>)?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)?,?\s*(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+(\d{1,2})\s+(\d{2}):\d{2}:\d{2}/;
const GLOG = /^[IWEF](\d{2})(\d{2})\s+(\d{2}):\d{2}:\d{2}/;
const TIME = /^\W{0,3}(\d{2}):\d{2}:\d{2}/;
/** An entry of at least this many lines gets a section: a message with its stack trace. */
const LEAST_TRACE = 3;
const TITLE_LENGTH = 100;

/** The parts of the time that an entry gives. */
interface Moment {
  /** `2024-05-01`, `05-01`. */
  readonly day?: string;
  /** `13:00`. */
  readonly hour?: string;
}

/**
 * Reads logs. Every hour is a section, `2024-05-01 13:00`, and in it every entry of several lines, named by its first line.
 * An entry extends to the next line with a time. Takes linear time.
 */
export function loadLog(text: string): Document {
  const outline = new SpanOutline(text);
  const traces = traceStarts(text);
  let day: string | undefined;
  let hour: string | undefined;
  let inHour = false;
  let inTrace = false;
  let contentEnd = 0;

  eachLine(text, (start, newline) => {
    const end = trimBlanks(text, start, newline);
    const moment = momentOf(text.slice(start, Math.min(end, start + REACH)));
    if (moment !== undefined) {
      if (inTrace) outline.leave(contentEnd);
      inTrace = false;
      begin(moment, start);
      if (traces.has(start)) {
        // The first entry of an hour shares its line with the section of the hour, so it gets no section.
        inTrace = outline.enter(start, text.slice(start, Math.min(end, start + TITLE_LENGTH)));
      }
    }
    if (end > start) contentEnd = end;
  });
  while (outline.depth > 0) outline.leave(contentEnd);
  return { text, sections: outline.finish() };

  function begin(moment: Moment, start: number): void {
    const isNewDay = moment.day !== undefined && moment.day !== day;
    if (!isNewDay && (moment.hour === undefined || moment.hour === hour)) return;
    if (inHour) outline.leave(contentEnd);
    day = moment.day ?? day;
    hour = moment.hour;
    inHour = outline.enter(start, joined([day, hour], " "));
  }
}

/** Returns the offsets of the entries that take several lines. */
function traceStarts(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  let entry = -1;
  let lines = 0;
  const end = () => {
    if (entry >= 0 && lines >= LEAST_TRACE && found.size < 50_000) found.add(entry);
  };
  eachLine(text, (start, newline) => {
    if (momentOf(text.slice(start, Math.min(newline, start + REACH))) !== undefined) {
      end();
      entry = start;
      lines = 0;
    }
    if (newline > start) lines++;
  });
  end();
  return found;
}

/** Returns the time at the start of a line or near it; `undefined` for a line that continues the entry before. */
function momentOf(line: string): Moment | undefined {
  // An indented line belongs to the line above it.
  if (line === "" || /^\s/.test(line)) return undefined;
  const iso = ISO.exec(line);
  if (iso !== null && iso.index <= 40) {
    return moment(`${iso[1]}-${iso[2]!.padStart(2, "0")}-${iso[3]!.padStart(2, "0")}`, iso[4]);
  }
  const apache = APACHE.exec(line);
  if (apache !== null) {
    return moment(`${apache[3]}-${monthNumber(apache[2]!)}-${apache[1]!.padStart(2, "0")}`, apache[4]);
  }
  const syslog = SYSLOG.exec(line);
  if (syslog !== null) return moment(`${monthNumber(syslog[1]!)}-${syslog[2]!.padStart(2, "0")}`, syslog[3]);
  const glog = GLOG.exec(line);
  if (glog !== null) return moment(`${glog[1]}-${glog[2]}`, glog[3]);
  const time = TIME.exec(line);
  return time === null ? undefined : moment(undefined, time[1]);
}

function moment(day: string | undefined, hour: string | undefined): Moment {
  return given({ day, hour: hour === undefined ? undefined : `${hour.padStart(2, "0")}:00` });
}

function monthNumber(name: string): string {
  return `${MONTHS.indexOf(name.toLowerCase()) + 1}`.padStart(2, "0");
}

/** Returns whether most lines at the start of a text have a time. */
export function looksLikeLog(text: string): boolean {
  const lines = text.slice(0, 20_000).split("\n").slice(0, 60).filter((line) => line.trim() !== "");
  const timed = lines.filter((line) => momentOf(line.slice(0, REACH)) !== undefined).length;
  return lines.length >= 4 && timed * 2 > lines.length;
}
