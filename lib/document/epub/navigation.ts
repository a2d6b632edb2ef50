import { child, children, descendants, parseXml, textOf, type XmlElement } from "../xml/mod.ts";
import type { Zip } from "../zip/mod.ts";
import { type Package, resolvePath } from "./package.ts";

/** A chapter in the table of contents. */
export interface Chapter {
  readonly title: string;
  /** Counted from 1, the outermost level. */
  readonly level: number;
}

const XHTML = { "http://www.w3.org/1999/xhtml": "", "http://www.daisy.org/z3986/2005/ncx/": "" };
const DEEPEST = 6;

/** Returns title and level of the first chapter in each document, by the path of the document. */
export function readChapters(zip: Zip, { navigation, ncx }: Package): Map<string, Chapter> {
  const chapters = new Map<string, Chapter>();
  const add = (path: string, title: string, level: number) => {
    const text = title.replace(/\s+/g, " ").trim();
    if (text !== "" && !chapters.has(path)) {
      chapters.set(path, { title: text, level: Math.min(level, DEEPEST) });
    }
  };
  const page = navigation === undefined ? undefined : zip.read(navigation);
  if (page !== undefined) {
    const navs = descendants(parseXml(page, { prefixes: XHTML }), "nav");
    const nav = navs.find((one) => /\btoc\b/.test(one.attributes["epub:type"] ?? "")) ?? navs[0];
    readList(
      child(nav, "ol"),
      1,
      (reference, title, level) => add(resolvePath(navigation!, reference), title, level),
    );
  }
  const contents = ncx === undefined || chapters.size > 0 ? undefined : zip.read(ncx);
  if (contents !== undefined) {
    const map = descendants(parseXml(contents, { prefixes: XHTML }), "navMap")[0];
    readPoints(map, 1, (reference, title, level) => add(resolvePath(ncx!, reference), title, level));
  }
  return chapters;
}

type Add = (reference: string, title: string, level: number) => void;

function readList(list: XmlElement | undefined, level: number, add: Add): void {
  for (const item of children(list, "li")) {
    const link = child(item, "a");
    if (link?.attributes.href !== undefined) add(link.attributes.href, textOf(link), level);
    readList(child(item, "ol"), level + 1, add);
  }
}

function readPoints(parent: XmlElement | undefined, level: number, add: Add): void {
  for (const point of children(parent, "navPoint")) {
    const source = child(point, "content")?.attributes.src;
    if (source !== undefined) add(source, textOf(child(point, "navLabel", "text")), level);
    readPoints(point, level + 1, add);
  }
}
