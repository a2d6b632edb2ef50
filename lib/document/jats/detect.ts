import { rootTag } from "../xml/mod.ts";

/** Returns whether an XML document that begins with `head` is JATS, NLM or BITS. 4,000 characters are enough. */
export function isJats(head: string): boolean {
  const root = rootTag(head);
  if (root === undefined) return false;
  if (root.name === "pmc-articleset") return true;
  if (!/^(?:article|book)$/.test(root.name) || /docbook/i.test(root.tag + root.doctype)) return false;
  return /JATS|NLM|BITS|journalpublishing|archivearticle|articleauthoring/i.test(root.doctype) ||
    /\b(?:article-type|dtd-version|book-type)\s*=/.test(root.tag) ||
    /<(?:front|article-meta|book-meta)[\s>]/.test(head);
}
