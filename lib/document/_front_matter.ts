import { isBlank, lineEnd, trimBlanks } from "./_text.ts";

/** The block of metadata a Markdown file may begin with. */
export interface FrontMatter {
  /** Offset of the first line after it; 0 when there is none. */
  readonly end: number;
  readonly title?: string;
}

/** Reads YAML (`---`) or TOML (`+++`) front matter, of which only a `title` on one line is used. */
export function readFrontMatter(text: string): FrontMatter {
  const fence = text.slice(0, 3);
  if (fence !== "---" && fence !== "+++") return { end: 0 };
  const first = lineEnd(text, 0);
  if (trimBlanks(text, 0, first) !== 3) return { end: 0 };
  let title: string | undefined;
  for (let start = first + 1; start < text.length;) {
    const newline = lineEnd(text, start);
    const end = trimBlanks(text, start, newline);
    if (end - start === 3) {
      const line = text.slice(start, end);
      if (line === fence || (fence === "---" && line === "...")) {
        return { end: newline + 1, ...(title ? { title } : {}) };
      }
    }
    if (title === undefined && isTitle(text, start)) {
      const value = text.slice(start + 5, Math.min(end, start + 1000)).replace(/^\s*[:=]\s*/, "");
      title = unquote(value).slice(0, 200);
    }
    start = newline + 1;
  }
  return { end: 0 };
}

function isTitle(text: string, start: number): boolean {
  if (text.slice(start, start + 5).toLowerCase() !== "title") return false;
  let at = start + 5;
  while (isBlank(text.charCodeAt(at))) at++;
  return text[at] === ":" || text[at] === "=";
}

function unquote(value: string): string {
  const quote = value[0];
  if (quote === '"' || quote === "'") {
    const close = value.indexOf(quote, 1);
    if (close > 0) return value.slice(1, close).trim();
  }
  const comment = value.indexOf(" #");
  const plain = (comment < 0 ? value : value.slice(0, comment)).trim();
  return /^[>|][+-]?$/.test(plain) ? "" : plain;
}
