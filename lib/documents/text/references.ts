/**
 * Reads what a Markdown text refers to: `#tags`, `[[links]]`, embeds, and links to other files.
 */

/** Tags and links in a text, without repeated ones. */
export interface References {
  /** Without the `#`. */
  readonly tags: readonly string[];
  /** `Note` for `[[Note]]` and `![[Note#heading|alias]]`; `./a.md` or `../a.md` for a relative link, `/a.md` for one from the root. */
  readonly links: readonly string[];
}

const MOST_TAGS = 100, MOST_LINKS = 500;
/** UTF-16 units of a link, and of the text that is searched. */
const LONGEST = 200, LONGEST_TEXT = 4_000_000;
/** UTF-16 units within which code in a line ends. */
const LONGEST_CODE = 2_000;

/**
 * Matches what may begin a reference, or something in which there is none: a fence, code, a comment, a style sheet. A tag stands at
 * the start of a line or behind a blank.
 */
const BEGINNINGS =
  /^ {0,3}(?<fence>`{3,}|~{3,})|(?<code>`+)|(?<block><!--|<style\b|<script\b|%%)|^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*(?<target>[^\s<>]{1,400}|<[^<>\n]{1,400}>)|\[\[(?<wiki>[^[\]\n]{1,400})\]\]|\]\((?<link>[^()\s<>]{1,400}|<[^<>\n]{1,400}>)|(?<=^|[ \t\u3000])#(?<tag>[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]{1,100})(?=$|[^\p{L}\p{N}_/#-])/gmu;

const ENDS: Readonly<Record<string, string>> = {
  "<!--": "-->",
  "<style": "</style",
  "<script": "</script",
  "%%": "%%",
};

/** Returns the references in a text of Markdown. Takes linear time. */
export function readReferences(text: string): References {
  const tags = new Map<string, string>();
  const links = new Set<string>();
  if (!/#\S|\[\[|\][(:]/.test(text)) return { tags: [], links: [] };
  const source = text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text;
  /** Ends of blocks that do not occur in the rest of the text. */
  const missing = new Set<string>();
  const expression = new RegExp(BEGINNINGS);
  for (let match; (match = expression.exec(source)) !== null;) {
    const { fence, code, block, wiki, target, link = target, tag } = match.groups!;
    const at = expression.lastIndex;
    if (fence !== undefined) expression.lastIndex = afterFence(source, at, fence);
    else if (code !== undefined) {
      const end = source.slice(at, at + LONGEST_CODE).search(new RegExp(`(?<!\`)${code}(?!\`)`));
      if (end >= 0) expression.lastIndex = at + end + code.length;
    } else if (block !== undefined) {
      const end = ENDS[block]!;
      const found = missing.has(end) ? -1 : source.indexOf(end, at);
      if (found < 0) missing.add(end);
      else expression.lastIndex = found + end.length;
    } else if (tag !== undefined) {
      const name = tag.replace(/\/+$/, "");
      const key = name.toLowerCase();
      if (tags.size < MOST_TAGS && !tags.has(key) && isTag(name, source, match.index)) tags.set(key, name);
    } else if (links.size < MOST_LINKS) {
      const found = wiki === undefined ? fileOf(link!) : noteOf(wiki);
      if (found !== undefined) links.add(found);
    }
  }
  return { tags: [...tags.values()], links: [...links] };
}

/** Returns the offset behind the fence that closes the one of this sign and length, or that of the end. */
function afterFence(text: string, at: number, fence: string): number {
  const close = new RegExp(`^ {0,3}\\${fence[0]}{${fence.length},}[ \\t]*$`, "gm");
  close.lastIndex = at;
  return close.exec(text) === null ? text.length : close.lastIndex;
}

/** Whether a word behind `#` is a tag, and not a number, a colour, or a line of indented code. */
function isTag(tag: string, text: string, at: number): boolean {
  if (!/\p{L}|\p{Extended_Pictographic}/u.test(tag) || /^[/-]|\/\//.test(tag)) return false;
  const isHex = /^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(tag);
  if (isHex && (/\d/.test(tag) || /:\s*$/.test(text.slice(Math.max(0, at - 3), at)))) return false;
  // A tag further in belongs to a list, or the line is code.
  const before = text.slice(Math.max(0, at - 100), at);
  const indent = /(?:^|\n)(?: {4,}|\t)[^\n]*$/.exec(before)?.[0];
  return indent === undefined || /^\n?\s*(?:[-*+]|\d+[.)])\s/.test(indent) ||
    !/\n[ \t]*$/.test(before.slice(0, -indent.length));
}

/** Extensions of files that are shown in a note, and are no documents. */
const MEDIA =
  /\.(?:png|jpe?g|gif|webp|svg|bmp|avif|heic|ico|tiff?|mp[34]|m4[av]|mov|webm|ogg|wav|flac|avi|mkv)$/i;

/** Returns the note that a `[[link]]` names; `undefined` for a heading of the same note, and for media. */
function noteOf(link: string): string | undefined {
  // In a table, the sign before an alias is escaped.
  const name = link.replace(/\\?\|.*$/s, "").replace(/[#^].*$/s, "").trim();
  return name === "" || name.length > LONGEST || MEDIA.test(name) ? undefined : name.replace(/^\.?\/+/, "");
}

/** Returns the file that a link of Markdown names, relative to its own; `undefined` for an address, a heading, and for media. */
function fileOf(link: string): string | undefined {
  const written = link.replace(/^<|>$/g, "").replace(/[#?].*$/s, "");
  if (written === "" || /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(written)) return undefined;
  let path = written;
  try {
    path = decodeURIComponent(written);
  } catch {
    // A stray `%` stands for itself.
  }
  path = path.replaceAll("\\", "/").trim();
  if (path === "" || path.length > LONGEST || MEDIA.test(path)) return undefined;
  return /^(?:\.{0,2}\/)/.test(path) ? path : `./${path}`;
}
