/** A word, string or mark of a source text. Comments are none; of templates only the substitutions are looked into. */
export interface Token {
  readonly kind: "word" | "string" | "mark";
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/**
 * The tokens of a TypeScript source. Comments, strings, templates and regular expressions hide what is no code, so they are
 * told apart; a string's `text` is what stands in its quotes, escapes as they are written.
 */
export function tokens(source: string): Token[] {
  const found: Token[] = [];
  // Every open `${` of a template keeps the number of `{` opened since.
  const templates: number[] = [];
  let line = 1;
  let at = 0;
  const skipTo = (end: number) => {
    for (; at < end && at < source.length; at++) if (source[at] === "\n") line++;
  };
  const skipTemplate = () => {
    while (at < source.length) {
      if (source[at] === "\\") skipTo(at + 2);
      else if (source[at] === "`") return skipTo(at + 1);
      else if (source.startsWith("${", at)) {
        templates.push(0);
        return skipTo(at + 2);
      } else skipTo(at + 1);
    }
  };
  while (at < source.length) {
    const char = source[at] ?? "";
    if (source.startsWith("//", at)) {
      const end = source.indexOf("\n", at);
      skipTo(end < 0 ? source.length : end);
    } else if (source.startsWith("/*", at)) {
      const end = source.indexOf("*/", at + 2);
      skipTo(end < 0 ? source.length : end + 2);
    } else if (char === '"' || char === "'") {
      const start = line;
      let end = at + 1;
      while (end < source.length && source[end] !== char) end += source[end] === "\\" ? 2 : 1;
      found.push({ kind: "string", text: source.slice(at + 1, end), line: start });
      skipTo(end + 1);
    } else if (char === "`") {
      found.push({ kind: "mark", text: "`", line });
      skipTo(at + 1);
      skipTemplate();
    } else if (char === "}" && templates.at(-1) === 0) {
      templates.pop();
      skipTo(at + 1);
      skipTemplate();
    } else if (char === "/" && startsRegExp(found.at(-1))) {
      skipTo(regExpEnd(source, at));
      found.push({ kind: "mark", text: "/", line });
    } else if (/[\w$]/.test(char)) {
      const word = /[\w$]+/y;
      word.lastIndex = at;
      const text = word.exec(source)?.[0] ?? char;
      found.push({ kind: "word", text, line });
      skipTo(at + text.length);
    } else {
      const open = templates.length - 1;
      if (open >= 0 && char === "{") templates[open] = (templates[open] ?? 0) + 1;
      if (open >= 0 && char === "}") templates[open] = (templates[open] ?? 0) - 1;
      if (/\S/.test(char)) found.push({ kind: "mark", text: char, line });
      skipTo(at + 1);
    }
  }
  return found;
}

/** A slash divides after a value, and opens a regular expression anywhere else. */
function startsRegExp(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === "word") return /^(return|typeof|case|in|of|await|yield|void|else)$/.test(before.text);
  return before.kind === "mark" && !/[)\]}`/]/.test(before.text);
}

function regExpEnd(source: string, start: number): number {
  let inClass = false;
  let at = start + 1;
  for (; at < source.length && source[at] !== "\n"; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "[") inClass = true;
    else if (source[at] === "]") inClass = false;
    else if (source[at] === "/" && !inClass) break;
  }
  return at + 1;
}
