import { join, relative } from "node:path";
import { elements, hasClass, parsePage, textOf } from "./html_text.ts";
import { filesBelow } from "./files.ts";
import type { Language, Passage, Source } from "./types.ts";

const FOLDERS: Readonly<Record<Language, string>> = { en: "en-US", zh: "zh-CN", tw: "zh-TW" };

/** The pages of LibreOffice's help: the first paragraph, which says what the page is about, asks for the rest. */
export const LIBREOFFICE: Source = {
  name: "libreoffice",
  packages: ["libreoffice-help-en-us", "libreoffice-help-zh-cn", "libreoffice-help-zh-tw"],
  async passages(root) {
    const passages: Passage[] = [];
    for (const [language, folder] of Object.entries(FOLDERS) as [Language, string][]) {
      const pages = join(root, "usr/share/libreoffice/help", folder, "text");
      for (const path of await filesBelow(pages)) {
        const page = pageOf(await Deno.readTextFile(path));
        if (page !== undefined) passages.push({ id: relative(pages, path), language, ...page });
      }
    }
    return passages;
  },
};

function pageOf(html: string): { question: string; text: string } | undefined {
  const [body] = elements(parsePage(html), ({ attribs }) => attribs["id"] === "DisplayArea");
  if (body === undefined) return undefined;
  const skipped = elements(
    body.children,
    (element) => element.name === "h1" || hasClass(element, "howtoget"),
  );
  const [first] = elements(
    body.children,
    (element) => hasClass(element, "paragraph") && !skipped.some((outer) => contains(outer, element)),
  );
  if (first === undefined) return undefined;
  const text = textOf(body.children, (element) => element === first || skipped.includes(element));
  return { question: textOf([first], () => false), text };
}

function contains(outer: unknown, inner: { parent: unknown }): boolean {
  for (let node: { parent: unknown } | null = inner; node; node = node.parent as typeof inner | null) {
    if (node === outer) return true;
  }
  return false;
}
