const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

/**
 * Returns the words of a heading without emphasis, code marks, links, HTML tags, escapes and a closing `{#id}`. Alternative
 * texts of images stay. Works in one pass with a stack: regular expressions with backtracking would take quadratic time for
 * a heading with a thousand brackets, and a file can contain a hundred thousand such headings.
 */
export function stripInlineMarkdown(source: string): string {
  const attributes = source.endsWith("}") ? source.lastIndexOf("{") : -1;
  if (attributes >= 0 && /[#.:]/.test(source[attributes + 1] ?? "")) source = source.slice(0, attributes);

  const out: string[] = [];
  const brackets: number[] = [];
  const emphasis: { mark: string; at: number }[] = [];
  const missing = new Set<string>();
  // A closing mark that is not found does not exist for later openers either.
  const find = (mark: string, from: number) => {
    if (missing.has(mark)) return -1;
    const at = source.indexOf(mark, from);
    if (at < 0) missing.add(mark);
    return at;
  };

  for (let at = 0; at < source.length;) {
    const char = source[at]!;
    const next = source[at + 1] ?? "";
    if (char === "\\" && /[!-/:-@[-`{-~]/.test(next)) {
      out.push(next);
      at += 2;
    } else if (char === "`") {
      let ticks = 1;
      while (source[at + ticks] === "`") ticks++;
      const mark = "`".repeat(ticks);
      const close = find(mark, at + ticks);
      if (close >= 0) out.push(source.slice(at + ticks, close).trim());
      else out.push(mark);
      at = close >= 0 ? close + ticks : at + ticks;
    } else if (char === "[" || (char === "!" && next === "[")) {
      out.push(char === "!" ? "![" : "[");
      brackets.push(out.length - 1);
      at += char === "!" ? 2 : 1;
    } else if (char === "]") {
      const open = brackets.pop();
      const close = open === undefined
        ? -1
        : next === "("
        ? find(")", at + 2)
        : next === "["
        ? find("]", at + 2)
        : -1;
      if (close >= 0) out[open!] = "";
      else out.push(char);
      at = close >= 0 ? close + 1 : at + 1;
    } else if (char === "<" && /[a-z/!]/i.test(next)) {
      const close = find(">", at + 1);
      const inside = close < 0 ? "" : source.slice(at + 1, close);
      if (close < 0) out.push(char);
      else if (/^[a-z][a-z0-9+.-]*:\S+$/i.test(inside)) out.push(inside);
      at = close < 0 ? at + 1 : close + 1;
    } else if (char === "*" || char === "_" || char === "~") {
      let run = 1;
      while (source[at + run] === char) run++;
      const before = source[at - 1] ?? " ";
      const after = source[at + run] ?? " ";
      const inWord = char === "_" && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
      const open = emphasis.findLastIndex((one) => one.mark === char.repeat(Math.min(run, 9)));
      out.push(char.repeat(run));
      if (!inWord && open >= 0 && before.trim() !== "") {
        out[emphasis[open]!.at] = "";
        out[out.length - 1] = "";
        emphasis.length = open;
      } else if (
        !inWord && after.trim() !== "" && run <= 3 && (char !== "~" || run === 2) && emphasis.length < 16
      ) {
        emphasis.push({ mark: char.repeat(run), at: out.length - 1 });
      }
      at += run;
    } else if (char === "&") {
      const entity = /^&#?\w{2,5};/.exec(source.slice(at, at + 8))?.[0] ?? "";
      out.push(ENTITIES[entity] ?? char);
      at += ENTITIES[entity] === undefined ? 1 : entity.length;
    } else {
      out.push(char);
      at++;
    }
  }
  return out.join("").replace(/\s+/g, " ").trim();
}
