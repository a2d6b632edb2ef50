/** The text of a model without what a reader must not be led by: links, pictures, HTML, and characters that cannot be seen. */

/** A picture or a link of Markdown, also by reference; its text stays. */
const MARKDOWN_LINK = /!?\[([^[\]]*)\](?:\([^)\n]*\)?|\[[^[\]\n]*\])/g;
/** The address of a link by reference, on a line of its own. */
const REFERENCE = /^([ \t>]{0,20})\[[^[\]\n]{1,200}\]:[ \t]*\S.*$/gm;
/** An address: `https://…`, `mailto:…`, `www.…`, `javascript:…`. Chinese marks end it. */
const ADDRESS =
  /<?(?:\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|(?:mailto|javascript|data|vbscript|tel|sms):(?=\S))|\bwww\.)[^\s<>"'`\u3000-\u303f\uff00-\uffef]*>?/gi;
/** A host with a path, which some programs show as a link, such as `example.com/path`. */
const HOST =
  /\b(?:[a-z0-9](?:[a-z0-9-]{0,62})\.){1,8}(?:com|net|org|io|co|cn|dev|app|ai|me|info|biz|xyz|top|site|online|shop|link|click|ly|gg|ru|tk|example|test|invalid)(?::\d{1,5})?\/[^\s<>"'`\u3000-\u303f\uff00-\uffef]*/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TAG = /<\/?[a-z!?][^<>]*(?:>|$)/gi;

/** Characters that are not seen, or that turn the direction of a text. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2028\u2029\ue000-\uf8ff\u{e0000}-\u{e0fff}]/gu;
// deno-lint-ignore no-control-regex -- the characters that a terminal acts on
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text as it may be shown. */
export interface ShownText {
  readonly text: string;
  /** Number of addresses that were removed. */
  readonly links: number;
}

/** Passes until nothing changes any more: a tag or a link may be left where another one was taken out of it. */
const PASSES = 4;

/** Returns a text without links, pictures, HTML and invisible characters. `removed` stands in the place of an address. Linear in its length. */
export function shownText(text: string, removed: string): ShownText {
  let now = text.replace(CONTROL, "").replace(INVISIBLE, "");
  let links = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    const found = withoutLinks(now, removed);
    links += found.links;
    const after = found.text.replace(COMMENT, "").replace(TAG, "");
    if (after === now) return { text: now, links };
    now = after;
  }
  // It was made to outlast the passes.
  const { text: last, links: more } = withoutLinks(now.replace(/[<>[\]]/g, ""), removed);
  return { text: last, links: links + more };
}

function withoutLinks(text: string, removed: string): ShownText {
  let links = 0;
  const remove = () => {
    links++;
    return removed;
  };
  const bare = text
    .replace(REFERENCE, (_, lead: string) => `${lead}${remove()}`)
    .replace(MARKDOWN_LINK, (whole, words: string) => {
      // Two citations, one after the other.
      if (/^\[\^?\d{1,3}\]\[/.test(whole)) return whole;
      return words.trim() === "" ? remove() : `${words} ${remove()}`;
    })
    .replace(ADDRESS, remove)
    .replace(HOST, remove);
  return { text: links > 0 ? closeToHan(bare, removed) : bare, links };
}

/** Takes the spaces around the Chinese words for a removed link away: a Chinese bracket brings its own. */
function closeToHan(text: string, removed: string): string {
  if (!removed.startsWith("\uff08")) return text;
  return text.split(removed).map((part, i, { length }) => {
    const end = i < length - 1 ? part.replace(/(?<! ) +$/, "") : part;
    return i > 0 ? end.replace(/^ +/, "") : end;
  }).join(removed);
}
