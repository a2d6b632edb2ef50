/**
 * Characters by the names that HTML has for them, without letters with marks. Names of rarer symbols stay as they are written.
 */
const NAMED: Readonly<Record<string, string>> = {
  ...{
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: " ",
    ensp: " ",
    emsp: " ",
    thinsp: " ",
    shy: "",
  },
  ...{ ndash: "–", mdash: "—", hellip: "…", bull: "•", middot: "·", lsquo: "‘", rsquo: "’", sbquo: "‚" },
  ...{
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
    laquo: "«",
    raquo: "»",
    lsaquo: "‹",
    rsaquo: "›",
    para: "¶",
    sect: "§",
  },
  ...{
    copy: "©",
    reg: "®",
    trade: "™",
    deg: "°",
    plusmn: "±",
    times: "×",
    divide: "÷",
    minus: "−",
    micro: "µ",
  },
  ...{
    frac12: "½",
    frac14: "¼",
    frac34: "¾",
    sup1: "¹",
    sup2: "²",
    sup3: "³",
    euro: "€",
    pound: "£",
    yen: "¥",
  },
  ...{ larr: "←", rarr: "→", uarr: "↑", darr: "↓", harr: "↔", rArr: "⇒", hArr: "⇔", infin: "∞", sum: "∑" },
  ...{
    ne: "≠",
    le: "≤",
    ge: "≥",
    asymp: "≈",
    radic: "√",
    part: "∂",
    int: "∫",
    szlig: "ß",
    aelig: "æ",
    AElig: "Æ",
  },
  ...{
    oelig: "œ",
    OElig: "Œ",
    oslash: "ø",
    Oslash: "Ø",
    iexcl: "¡",
    iquest: "¿",
    cent: "¢",
    ordm: "º",
    ordf: "ª",
  },
  ...{
    alpha: "α",
    beta: "β",
    gamma: "γ",
    delta: "δ",
    epsilon: "ε",
    zeta: "ζ",
    eta: "η",
    theta: "θ",
    iota: "ι",
  },
  ...{
    kappa: "κ",
    lambda: "λ",
    mu: "μ",
    nu: "ν",
    xi: "ξ",
    pi: "π",
    rho: "ρ",
    sigma: "σ",
    tau: "τ",
    phi: "φ",
  },
  ...{ chi: "χ", psi: "ψ", omega: "ω", Gamma: "Γ", Delta: "Δ", Theta: "Θ", Lambda: "Λ", Pi: "Π", Sigma: "Σ" },
  ...{ Phi: "Φ", Psi: "Ψ", Omega: "Ω" },
};

/** The combining marks in names such as `eacute`. */
const MARKS: Readonly<Record<string, string>> = {
  ...{ grave: "\u0300", acute: "\u0301", circ: "\u0302", tilde: "\u0303", uml: "\u0308", ring: "\u030a" },
  ...{ caron: "\u030c", cedil: "\u0327" },
};

/** UTF-16 units of the longest reference that is looked for. */
const MOST_UNITS = 12;

/** The text with the character references of HTML replaced, `&eacute;`, `&#233;` and `&#xe9;`. Unknown ones stay. */
export function withoutReferences(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,8}));/g,
    (written, decimal?: string, hex?: string, name = "") => {
      if (decimal !== undefined || hex !== undefined) {
        const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
        // Control characters and halves of characters are no text.
        const isText = code > 0x1f && code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) &&
          code >> 11 !== 0x1b;
        return isText ? String.fromCodePoint(code) : written;
      }
      if (Object.hasOwn(NAMED, name)) return NAMED[name]!;
      const mark = name.slice(1);
      return Object.hasOwn(MARKS, mark) ? (name[0] + MARKS[mark]!).normalize("NFC") : written;
    },
  );
}

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
      const reference = /^&#?\w+;/.exec(source.slice(at, at + MOST_UNITS))?.[0] ?? char;
      out.push(withoutReferences(reference));
      at += reference.length;
    } else {
      out.push(char);
      at++;
    }
  }
  return out.join("").replace(/\s+/g, " ").trim();
}
