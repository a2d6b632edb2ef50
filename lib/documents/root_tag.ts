/**
 * Recognises formats of text by what they begin with: the root element of XML, the first fields of JSON.
 * The registry of formats loads it, long before any document is read, so it uses no parser.
 */

/** Returns whether a text that begins with `head` is HTML, whatever its name. 4,000 characters are enough. */
export function isHtml(head: string): boolean {
  const text = head.replace(/^\ufeff/, "");
  if (text.slice(0, text.indexOf("<")).trim() !== "") return false;
  const root = rootTag(text);
  if (root === undefined) return false;
  return /^<!doctype\s+html\b/i.test(root.doctype) || /^(?:html|head|body)$/i.test(root.name);
}

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

const ROOTS =
  /^(?:set|book|part|reference|preface|chapter|appendix|article|section|sect[1-5]|refentry|refsect[1-3]|glossary|bibliography|topic)$/;

/** Returns whether an XML document that begins with `head` is DocBook. 4,000 characters are enough. */
export function isDocBook(head: string): boolean {
  const root = rootTag(head);
  if (root === undefined || !ROOTS.test(root.name)) return false;
  return /docbook/i.test(root.doctype) || root.tag.includes("http://docbook.org/ns/docbook") ||
    /<(?:bookinfo|articleinfo|chapterinfo|para|simpara|refnamediv)[\s>]/.test(head);
}

/** Returns whether an XML document that begins with `head` is a mind map of FreeMind, or an outline (OPML). */
export function isOutline(head: string): boolean {
  if (!/^\ufeff?\s*</.test(head)) return false;
  const root = rootTag(head);
  return root?.name === "opml" ||
    root?.name === "map" && /\sversion\s*=/.test(root.tag) && /<node\b|MapStyle/.test(head);
}

/** Returns whether an XML document that begins with `head` is an export of Evernote. */
export function isEvernote(head: string): boolean {
  return /^\ufeff?\s*</.test(head) && rootTag(head)?.name === "en-export";
}

/** Returns whether a text that begins with `head` is a drawing of draw.io or Excalidraw, or a note of Obsidian with one. */
export function isDiagram(head: string): boolean {
  if (/^\ufeff?\s*</.test(head)) {
    const { name, tag } = rootTag(head) ?? { name: "", tag: "" };
    return /^(?:mxfile|mxGraphModel)$/.test(name) || name === "svg" && /\scontent="&lt;mxfile\b/.test(tag);
  }
  return /^\ufeff?\s*\{\s*"type"\s*:\s*"excalidraw(?:lib)?"/.test(head) ||
    /^\ufeff?---\r?\n(?:[^\n]*\n){0,40}?excalidraw-plugin\s*:/.test(head);
}

/** Returns whether JSON that begins with `head` is an export of chats. */
export function isChat(head: string): boolean {
  if (/^\ufeff?\s*\[/.test(head)) {
    return /"type"\s*:\s*"message"/.test(head) && /"ts"\s*:\s*"\d{10}\.\d{6}"/.test(head) ||
      /"mapping"\s*:\s*\{/.test(head) && /"message"\s*:\s*(?:null|\{)/.test(head);
  }
  return isTelegram(head) ||
    /^\ufeff?\s*\{\s*"guild"\s*:\s*\{/.test(head) && /"channel"\s*:\s*\{/.test(head) ||
    /^\ufeff?\s*\{\s*"participants"\s*:\s*\[/.test(head) && /"sender_name"\s*:/.test(head);
}

/** One chat of Telegram, or an account with its chats. */
function isTelegram(head: string): boolean {
  if (!/^\ufeff?\s*\{/.test(head)) return false;
  return /"type"\s*:\s*"(?:personal_chat|bot_chat|saved_messages|(?:private|public)_(?:group|supergroup|channel))"/
    .test(head) &&
    /"messages"\s*:\s*\[|"chats"\s*:\s*\{/.test(head);
}

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
