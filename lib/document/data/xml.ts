import type { Document } from "../types.ts";
import { DEEPEST, SpanOutline } from "./span_outline.ts";

/** UTF-16 units of a tag that are searched for its name and attributes. */
const LONGEST_TAG = 2000;
const NAME = /^<([\p{L}_][\p{L}\p{N}_.:-]{0,100})/u;
const LABEL = /\s(?:[\w-]+:)?(?:name|id|key|title|label|path|type)\s*=\s*(?:"([^"]{1,100})"|'([^']{1,100})')/;
/** Elements whose text names the element that contains them. */
const NAMING = new Set(["name", "title", "id", "key", "label", "artifactid", "package"]);

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
    const name = NAME.exec(head)?.[1];
    if (name === undefined) return;
    if (open.length > DEEPEST) {
      deep++;
      return;
    }
    const around = open.at(-1);
    if (around?.isSection === true && !around.labelled && NAMING.has(name.toLowerCase())) {
      const close = text.indexOf("<", end);
      const label = text.slice(end, close < 0 ? end : Math.min(close, end + 100)).trim();
      if (label !== "") {
        around.labelled = true;
        outline.rename(`${around.name} ${label}`);
      }
    }
    const label = LABEL.exec(head);
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
