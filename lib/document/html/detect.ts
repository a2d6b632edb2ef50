import { rootTag } from "../xml/mod.ts";

/** Returns whether a text that begins with `head` is HTML, whatever its name. 4,000 characters are enough. */
export function isHtml(head: string): boolean {
  const text = head.replace(/^\ufeff/, "");
  if (text.slice(0, text.indexOf("<")).trim() !== "") return false;
  const root = rootTag(text);
  if (root === undefined) return false;
  return /^<!doctype\s+html\b/i.test(root.doctype) || /^(?:html|head|body)$/i.test(root.name);
}
