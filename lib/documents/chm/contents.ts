/**
 * Reads what a compiled help file says about itself: the stream `#SYSTEM`, and the table of contents (`.hhc`), a page with
 * nested lists of objects. Described by Matthew Russotto and Paul Wise ("Unofficial (Preliminary) HTML Help Specification").
 */
import { decoderOf, isSound } from "../encoding.ts";
import { attribute, type Element, elements, parseHtml } from "../html/parse.ts";
import { languageOf } from "../lcid.ts";
import { viewOf } from "../types.ts";
import type { HelpContainer } from "./container.ts";

/** The fields of a help file. */
export interface HelpFacts {
  readonly title: string;
  /** Path of the table of contents, if it is known. */
  readonly contents: string | undefined;
  readonly language: string | undefined;
  /** WHATWG label of the encoding of texts that declare none. */
  readonly encoding: string;
}

/** Codes of `#SYSTEM`: table of contents, title, language. */
const CONTENTS = 0, TITLE = 3, LOCALE = 4;

export function readFacts(container: HelpContainer): HelpFacts {
  const bytes = container.read("/#SYSTEM") ?? new Uint8Array();
  const view = viewOf(bytes);
  const fields = new Map<number, Uint8Array>();
  for (let at = 4; at + 4 <= bytes.length;) {
    const [code, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    const value = bytes.subarray(at + 4, at + 4 + length);
    if (!fields.has(code)) fields.set(code, value);
    at += 4 + length;
  }
  const locale = fields.get(LOCALE);
  const lcid = locale !== undefined && locale.length >= 4
    ? viewOf(locale).getUint32(0, true)
    : container.locale;
  const { tag, encoding } = languageOf(lcid);
  const text = (code: number) =>
    decodeText(fields.get(code) ?? new Uint8Array(), encoding).replace(/\0.*$/s, "").trim();
  return {
    title: text(TITLE),
    contents: container.find(`/${text(CONTENTS)}`) ??
      [...container.paths].find((path) => /\.hhc$/i.test(path)),
    language: tag,
    encoding,
  };
}

/** Decodes a text that declares no encoding: as UTF-8 if it is valid. */
function decodeText(bytes: Uint8Array, encoding: string): string {
  return decoderOf(isSound(bytes, "utf-8") ? "utf-8" : encoding)!.decode(bytes);
}

/** An entry in the table of contents. */
export interface Topic {
  readonly title: string;
  /** Path of its page in the container; `undefined` for an entry that only has others below it. */
  readonly path: string | undefined;
  /** Counted from 1, the outermost level. */
  readonly level: number;
}

/** Most entries that are read. */
const MOST_TOPICS = 100_000;

/** Returns the entries of the table of contents in their order. Pages that do not exist are left out. */
export async function readTopics(
  container: HelpContainer,
  { contents, encoding }: HelpFacts,
): Promise<Topic[]> {
  const page = contents === undefined ? undefined : container.read(contents);
  if (page === undefined) return [];
  const topics: Topic[] = [];
  const visit = (parent: Element, level: number) => {
    for (const element of elements(parent)) {
      if (topics.length >= MOST_TOPICS) return;
      if (element.name === "object") {
        const topic = topicOf(element, container, level);
        if (topic !== undefined) topics.push(topic);
      }
      visit(element, element.name === "ul" ? level + 1 : level);
    }
  };
  visit((await parseHtml(decodeText(page, encoding))).root, 0);
  return topics;
}

function topicOf(object: Element, container: HelpContainer, level: number): Topic | undefined {
  const values = new Map<string, string>();
  for (const element of elements(object)) {
    const name = attribute(element, "name").toLowerCase();
    if (element.name === "param" && !values.has(name)) values.set(name, attribute(element, "value"));
  }
  const title = (values.get("name") ?? "").replace(/\s+/g, " ").trim();
  if (title === "") return undefined;
  return {
    title,
    path: container.find(pathOf(values.get("local") ?? "")),
    level: Math.max(1, level),
  };
}

/** Returns the path of a page in a reference: `ms-its:help.chm::/a/b.htm#c` and `a\b.htm` are `/a/b.htm`. */
function pathOf(reference: string): string {
  const path = reference.replace(/^.*::/s, "").replace(/[#?].*$/s, "")
    .replaceAll("\\", "/");
  return `/${path.replace(/^(?:\.?\/)+/, "")}`;
}
