import { basename, join } from "node:path";
import { type Element, elements, hasClass, parsePage, textOf } from "./html_text.ts";
import { filesBelow } from "./files.ts";
import type { Language, Passage, Source } from "./types.ts";

/** A book in one language: its folder, the ending of its pages' names, and the start of its passages' ids. */
interface Book {
  readonly name: string;
  readonly language: Language;
  readonly folder: string;
  readonly ending: string;
}

const REFERENCE = "usr/share/debian-reference";
const FAQ = "usr/share/doc/debian/FAQ";
const HANDBOOK = "usr/share/doc/debian-handbook/html";

const BOOKS: readonly Book[] = [
  { name: "reference", language: "en", folder: REFERENCE, ending: ".en.html" },
  { name: "reference", language: "zh", folder: REFERENCE, ending: ".zh-cn.html" },
  { name: "reference", language: "tw", folder: REFERENCE, ending: ".zh-tw.html" },
  { name: "faq", language: "en", folder: FAQ, ending: ".en.html" },
  { name: "faq", language: "zh", folder: join(FAQ, "zh-cn"), ending: ".zh-cn.html" },
  { name: "handbook", language: "en", folder: join(HANDBOOK, "en-US"), ending: ".html" },
  { name: "handbook", language: "zh", folder: join(HANDBOOK, "zh-CN"), ending: ".html" },
  { name: "handbook", language: "tw", folder: join(HANDBOOK, "zh-TW"), ending: ".html" },
];

/** The sections of Debian's books: a heading asks for the text below it. */
export const DEBIAN: Source = {
  name: "debian",
  packages: [
    "debian-reference-en",
    "debian-reference-zh-cn",
    "debian-reference-zh-tw",
    "debian-faq",
    "debian-faq-zh-cn",
    "debian-handbook",
  ],
  async passages(root) {
    const passages: Passage[] = [];
    for (const { name, language, folder, ending } of BOOKS) {
      for (const path of await filesBelow(join(root, folder))) {
        if (!path.endsWith(ending)) continue;
        for (const { id, question, text } of sectionsOf(await Deno.readTextFile(path))) {
          passages.push({ id: `${name}/${basename(path, ending)}/${id}`, language, question, text });
        }
      }
    }
    return passages;
  },
};

function sectionsOf(html: string): { id: string; question: string; text: string }[] {
  const isSection = (element: Element) => hasClass(element, "section") && element.name === "div";
  return elements(parsePage(html), isSection).flatMap((section) => {
    const [heading] = elements(section.children, (element) => hasClass(element, "title"));
    const [anchor] = heading === undefined
      ? []
      : elements(heading.children, ({ attribs }) => "id" in attribs);
    if (heading === undefined || anchor === undefined) return [];
    // "6.2.1. Installing" has the number of the section in front.
    const question = textOf([heading], () => false).replace(/^[\d.]+\s*/, "");
    const text = textOf(section.children, (element) => isSection(element) || hasClass(element, "titlepage"));
    return [{ id: anchor.attribs["id"]!, question, text }];
  });
}
