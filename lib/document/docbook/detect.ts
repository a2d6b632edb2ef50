import { rootTag } from "../xml/mod.ts";

const ROOTS =
  /^(?:set|book|part|reference|preface|chapter|appendix|article|section|sect[1-5]|refentry|refsect[1-3]|glossary|bibliography|topic)$/;

/** Returns whether an XML document that begins with `head` is DocBook. 4,000 characters are enough. */
export function isDocBook(head: string): boolean {
  const root = rootTag(head);
  if (root === undefined || !ROOTS.test(root.name)) return false;
  return /docbook/i.test(root.doctype) || root.tag.includes("http://docbook.org/ns/docbook") ||
    /<(?:bookinfo|articleinfo|chapterinfo|para|simpara|refnamediv)[\s>]/.test(head);
}
