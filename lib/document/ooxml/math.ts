import { child, children, textOf, type XmlElement } from "../xml/mod.ts";

/** Returns an equation (`m:oMath`) as LaTeX. */
export function mathToLatex(element: XmlElement): string {
  return inner(element).replace(/\s+/g, " ").trim();
}

/** Converters by the name of an element, without its prefix. */
const CONVERTERS: Readonly<Record<string, (element: XmlElement) => string>> = {
  f: (e) => {
    const type = property(e, "fPr", "type");
    const [top, bottom] = [part(e, "num"), part(e, "den")];
    if (type === "lin" || type === "skw") return `${top}/${bottom}`;
    return type === "noBar" ? `\\binom{${top}}{${bottom}}` : `\\frac{${top}}{${bottom}}`;
  },
  sSup: (e) => `${base(e)}^{${part(e, "sup")}}`,
  sSub: (e) => `${base(e)}_{${part(e, "sub")}}`,
  sSubSup: (e) => `${base(e)}_{${part(e, "sub")}}^{${part(e, "sup")}}`,
  sPre: (e) => `{}_{${part(e, "sub")}}^{${part(e, "sup")}}${base(e)}`,
  rad: (e) => {
    const degree = isOn(e, "radPr", "degHide") ? "" : part(e, "deg");
    return degree === "" ? `\\sqrt{${part(e, "e")}}` : `\\sqrt[${degree}]{${part(e, "e")}}`;
  },
  nary: (e) => {
    const sign = property(e, "naryPr", "chr") ?? "∫";
    const [sub, sup] = [part(e, "sub"), part(e, "sup")];
    const limits = (sub === "" ? "" : `_{${sub}}`) + (sup === "" ? "" : `^{${sup}}`);
    return `${NARY[sign] ?? sign}${limits} ${part(e, "e")}`;
  },
  d: (e) => {
    const open = property(e, "dPr", "begChr") ?? "(";
    const close = property(e, "dPr", "endChr") ?? ")";
    const separator = property(e, "dPr", "sepChr") ?? "|";
    const content = children(e, "m:e").map(inner).join(separator);
    return `${escapeBrace(open)}${content}${escapeBrace(close)}`;
  },
  func: (e) => {
    const name = part(e, "fName");
    const known =
      /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|log|ln|lg|exp|lim|max|min|sup|inf|det|dim|ker|gcd|deg|arg)\b/;
    return `${known.test(name) ? `\\${name}` : name} ${part(e, "e")}`;
  },
  limLow: (e) => `${known(part(e, "e"))}_{${part(e, "lim")}}`,
  limUpp: (e) => `${known(part(e, "e"))}^{${part(e, "lim")}}`,
  acc: (e) => `${ACCENTS[property(e, "accPr", "chr") ?? "\u0302"] ?? "\\hat"}{${part(e, "e")}}`,
  bar: (e) => `${property(e, "barPr", "pos") === "top" ? "\\overline" : "\\underline"}{${part(e, "e")}}`,
  groupChr: (e) =>
    `${property(e, "groupChrPr", "pos") === "top" ? "\\overbrace" : "\\underbrace"}{${part(e, "e")}}`,
  borderBox: (e) => `\\boxed{${part(e, "e")}}`,
  m: (e) => {
    const rows = children(e, "m:mr").map((row) => children(row, "m:e").map(inner).join(" & "));
    return `\\begin{matrix}${rows.join(" \\\\ ")}\\end{matrix}`;
  },
  eqArr: (e) => `\\begin{aligned}${children(e, "m:e").map(inner).join(" \\\\ ")}\\end{aligned}`,
  r: (e) =>
    children(e).map((one) => one.name === "m:t" || one.name === "w:t" ? letters(textOf(one)) : "").join(""),
};

const NARY: Readonly<Record<string, string>> = {
  "∑": "\\sum",
  "∏": "\\prod",
  "∐": "\\coprod",
  "∫": "\\int",
  "∬": "\\iint",
  "∭": "\\iiint",
  "∮": "\\oint",
  "⋃": "\\bigcup",
  "⋂": "\\bigcap",
  "⋁": "\\bigvee",
  "⋀": "\\bigwedge",
};

const ACCENTS: Readonly<Record<string, string>> = {
  "\u0302": "\\hat",
  "\u0303": "\\tilde",
  "\u0304": "\\bar",
  "\u0305": "\\bar",
  "\u0307": "\\dot",
  "\u0308": "\\ddot",
  "\u030c": "\\check",
  "\u0306": "\\breve",
  "\u20d7": "\\vec",
};

/** LaTeX for Greek letters and common signs. Other characters stay as they are, since LaTeX accepts Unicode. */
const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  ("α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi " +
    "ρ rho σ sigma τ tau υ upsilon φ phi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma " +
    "Φ Phi Ψ Psi Ω Omega ∞ infty ± pm ∓ mp × times ÷ div · cdot ⋅ cdot ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∝ propto " +
    "→ to ⇒ Rightarrow ↔ leftrightarrow ∈ in ∉ notin ⊂ subset ⊆ subseteq ∪ cup ∩ cap ∀ forall ∃ exists ∂ partial " +
    "∇ nabla … dots ⋯ cdots ∅ emptyset").split(" ").reduce<[string, string][]>(
      (pairs, word, i, all) => i % 2 === 0 ? [...pairs, [word, `\\${all[i + 1]!} `]] : pairs,
      [],
    ),
);

function letters(text: string): string {
  return text.normalize("NFKC").replace(/[^\p{ASCII}]/gu, (char) => LETTERS[char] ?? char);
}

function inner(element: XmlElement): string {
  return children(element).map((one) => {
    const name = one.name.slice(one.name.indexOf(":") + 1);
    if (name === "del" || name === "moveFrom" || name.endsWith("Pr")) return "";
    return one.name.startsWith("m:") && Object.hasOwn(CONVERTERS, name)
      ? CONVERTERS[name]!(one)
      : one.name === "w:r"
      ? CONVERTERS["r"]!(one)
      : inner(one);
  }).join("").trim();
}

function part(element: XmlElement, name: string): string {
  const found = child(element, `m:${name}`);
  return found === undefined ? "" : inner(found);
}

/**
 * Returns the base of a subscript or superscript. More than one letter is put in braces, since a script binds to one token.
 */
function base(element: XmlElement): string {
  const text = part(element, "e");
  return /^(?:[\p{L}\p{N}]?|\\[a-z]+ ?|\(.*\)|\[.*\])$/iu.test(text) ? text.trim() : `{${text}}`;
}

/** Returns the name of a limit or function as a command. */
function known(text: string): string {
  return /^(?:lim|max|min|sup|inf|limsup|liminf)$/.test(text) ? `\\${text}` : text;
}

function escapeBrace(char: string): string {
  return char === "{" || char === "}" ? `\\${char}` : char;
}

function property(element: XmlElement, group: string, name: string): string | undefined {
  return child(element, `m:${group}`, `m:${name}`)?.attributes["m:val"];
}

function isOn(element: XmlElement, group: string, name: string): boolean {
  const found = child(element, `m:${group}`, `m:${name}`);
  return found !== undefined && !/^(?:0|off|false)$/.test(found.attributes["m:val"] ?? "1");
}
