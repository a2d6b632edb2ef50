/** The beginning of an XML document, by which its kind is recognised. */
export interface RootTag {
  /** Name of the root element, without prefix. */
  readonly name: string;
  /** The start tag of the root element, as far as `head` contains it. */
  readonly tag: string;
  /** The document type declaration. Empty if there is none. */
  readonly doctype: string;
}

/**
 * Returns the root element of an XML document that begins with `head`, or `undefined` if there is none. Skips comments and
 * instructions before it in one pass.
 */
export function rootTag(head: string): RootTag | undefined {
  let doctype = "";
  for (let at = head.indexOf("<"); at >= 0; at = head.indexOf("<", at)) {
    if (head.startsWith("<!--", at)) at = after(head, "-->", at);
    else if (head.startsWith("<?", at)) at = after(head, "?>", at);
    else if (head.startsWith("<!", at)) {
      const end = doctypeEnd(head, at);
      doctype = head.slice(at, end);
      at = end;
    } else {
      const end = after(head, ">", at);
      const tag = head.slice(at, end);
      const name = /^<(?:[\w.-]+:)?([\w.-]+)/.exec(tag)?.[1];
      return name === undefined ? undefined : { name, tag, doctype };
    }
  }
  return undefined;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** Returns the end of a document type declaration, which may contain others in brackets. */
function doctypeEnd(text: string, from: number): number {
  const end = after(text, ">", from);
  const bracket = text.indexOf("[", from);
  return bracket < 0 || bracket > end ? end : after(text, ">", after(text, "]", bracket) - 1);
}
