import { rootTag } from "../xml/mod.ts";

/** Whether an XML document of which `head` is the beginning (4,000 characters are enough) is one of JATS, NLM or BITS. */
export function isJats(head: string): boolean {
  const root = rootTag(head);
  if (root === undefined) return false;
  if (root.name === "pmc-articleset") return true;
  if (!/^(?:article|book)$/.test(root.name) || /docbook/i.test(root.tag + root.doctype)) return false;
  return /JATS|NLM|BITS|journalpublishing|archivearticle|articleauthoring/i.test(root.doctype) ||
    /\b(?:article-type|dtd-version|book-type)\s*=/.test(root.tag) ||
    /<(?:front|article-meta|book-meta)[\s>]/.test(head);
}
