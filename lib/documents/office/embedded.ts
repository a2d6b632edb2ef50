/**
 * Reads what is embedded in Office Open XML files: equations as LaTeX, charts as tables, diagrams as lists.
 * The loaders of docx, pptx and xlsx share it.
 */
import { child, children, descendants, textOf, type XmlElement } from "../xml.ts";
import type { BlockSink, ListItem } from "../markdown_builder.ts";
import { pairs } from "../types.ts";
import type { Package } from "./package.ts";

/** Adds the chart or diagram that an element in a part refers to. Any other element adds nothing. */
export function addGraphic(
  { name, attributes }: XmlElement,
  { file, part }: { readonly file: Package; readonly part: string },
  sink: BlockSink,
): void {
  const related = (id: string) => file.part(file.target(part, attributes[id])?.target);
  if (name === "dgm:relIds") { for (const item of readDiagram(related("r:dm"))) sink.item(item); }
  const chart = name === "c:chart" ? readChart(related("r:id")) : undefined;
  if (chart === undefined) return;
  sink.paragraph(chart.caption);
  sink.table(chart.rows);
}

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
    const open = delimiter(property(e, "dPr", "begChr") ?? "(");
    const close = delimiter(property(e, "dPr", "endChr") ?? ")");
    const separator = property(e, "dPr", "sepChr") ?? "|";
    return `\\left${open}${children(e, "m:e").map(inner).join(separator)}\\right${close}`;
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

const NARY: Readonly<Record<string, string>> = pairs(
  "∑ \\sum ∏ \\prod ∐ \\coprod ∫ \\int ∬ \\iint ∭ \\iiint ∮ \\oint ⋃ \\bigcup ⋂ \\bigcap ⋁ \\bigvee ⋀ \\bigwedge",
);

const ACCENTS: Readonly<Record<string, string>> = pairs(
  "\u0302 \\hat \u0303 \\tilde \u0304 \\bar \u0305 \\bar \u0307 \\dot \u0308 \\ddot \u030c \\check",
  "\u0306 \\breve \u20d7 \\vec",
);

/** LaTeX for Greek letters and common signs. Other characters stay as they are, since LaTeX accepts Unicode. */
const LETTERS: Readonly<Record<string, string>> = pairs(
  "α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi",
  "ρ rho σ sigma τ tau υ upsilon φ phi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma",
  "Φ Phi Ψ Psi Ω Omega ∞ infty ± pm ∓ mp × times ÷ div · cdot ⋅ cdot ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∝ propto",
  "→ to ⇒ Rightarrow ↔ leftrightarrow ∈ in ∉ notin ⊂ subset ⊆ subseteq ∪ cup ∩ cap ∀ forall ∃ exists ∂ partial",
  "∇ nabla … dots ⋯ cdots ∅ emptyset",
);

function letters(text: string): string {
  return text.normalize("NFKC").replace(
    /[^\p{ASCII}]/gu,
    (char) => LETTERS[char] === undefined ? char : `\\${LETTERS[char]} `,
  );
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
  return /^(?:[\p{L}\p{N}]?|\\[a-z]+ ?|\(.*\)|\[.*\]|\\left[^\\]+\\right[^\\])$/iu.test(text)
    ? text.trim()
    : `{${text}}`;
}

/** Returns the name of a limit or function as a command. */
function known(text: string): string {
  return /^(?:lim|max|min|sup|inf|limsup|liminf)$/.test(text) ? `\\${text}` : text;
}

/** Returns a delimiter behind `\left` or `\right`, where a point stands for a missing one. */
function delimiter(char: string): string {
  return char === "" ? "." : char === "{" || char === "}" ? `\\${char}` : char;
}

function property(element: XmlElement, group: string, name: string): string | undefined {
  return child(element, `m:${group}`, `m:${name}`)?.attributes["m:val"];
}

function isOn(element: XmlElement, group: string, name: string): boolean {
  const found = child(element, `m:${group}`, `m:${name}`);
  return found !== undefined && !/^(?:0|off|false)$/.test(found.attributes["m:val"] ?? "1");
}

/** A chart as text. */
interface Chart {
  /** Title and kind: `Sales by year (bar chart)`. */
  readonly caption: string;
  /** Data as a table: names of the series, then one row per category. Empty if there are no values. */
  readonly rows: readonly (readonly string[])[];
}

/** Most points of a chart that are shown. A larger chart is drawn from a sheet that contains its data. */
const MOST_POINTS = 1000;
const MOST_SERIES = 50;

/** Reads a chart part (`c:chartSpace`) from its cached values. */
function readChart(space: XmlElement | undefined): Chart | undefined {
  const chart = child(space, "c:chart");
  if (chart === undefined) return undefined;
  const plots = children(child(chart, "c:plotArea")).filter((one) => one.name.endsWith("Chart"));
  const kind = [...new Set(plots.map((one) => kindOf(one.name)))].join(", ");
  const title = titleText(child(chart, "c:title"));
  const series = plots.flatMap((plot) => children(plot, "c:ser")).slice(0, MOST_SERIES).map((one) => ({
    name: cached(child(one, "c:tx")).get(0) ?? textOf(child(one, "c:tx", "c:v")),
    categories: cached(child(one, "c:cat") ?? child(one, "c:xVal")),
    values: cached(child(one, "c:val") ?? child(one, "c:yVal")),
  }));
  const first = series[0];
  const only = series.length === 1 ? first?.name ?? "" : "";
  const caption = title !== "" ? title : child(chart, "c:title") !== undefined ? only : "";
  const indices = new Set(series.flatMap((one) => [...one.categories.keys(), ...one.values.keys()]));
  const ordered = [...indices].sort((a, b) => a - b).slice(0, MOST_POINTS);
  const labels = series.find((one) => one.categories.size > 0)?.categories ?? new Map<number, string>();
  const rows = ordered.map((i) => [
    labels.get(i) ?? String(i + 1),
    ...series.map((one) => one.values.get(i) ?? ""),
  ]);
  const words = kind === "" ? "" : `${kind} chart`;
  return {
    caption: caption === "" ? capitalised(words) : words === "" ? caption : `${caption} (${words})`,
    rows: rows.length === 0 ? [] : [["", ...series.map((one) => one.name)], ...rows],
  };
}

/** Returns the kind of a chart by its element: `bar` for `c:bar3DChart`. */
function kindOf(name: string): string {
  return name.replace(/^c:|(?:3D)?Chart$/g, "").replace(/^ofPie$/, "pie");
}

function titleText(title: XmlElement | undefined): string {
  const rich = descendants(child(title, "c:tx", "c:rich"), "a:p").map((p) =>
    descendants(p, "a:t").map(textOf).join("")
  );
  const text = rich.length > 0 ? rich.join(" ") : [...cached(child(title, "c:tx")).values()].join(" ");
  return text.replace(/\s+/g, " ").trim();
}

/** Returns cached values by index: numbers, strings, or the innermost level of categories. */
function cached(element: XmlElement | undefined): Map<number, string> {
  const points = new Map<number, string>();
  if (element === undefined) return points;
  const level = descendants(element, "c:lvl")[0] ?? element;
  const format = textOf(descendants(element, "c:formatCode")[0]);
  for (const point of descendants(level, "c:pt").slice(0, MOST_POINTS)) {
    const index = Number(point.attributes["idx"] ?? points.size);
    if (Number.isInteger(index) && index >= 0) {
      points.set(index, shown(textOf(child(point, "c:v")).trim(), format));
    }
  }
  return points;
}

/** Returns a number as text: 0.30000000000000004 becomes 0.3, and 0.25 becomes 25% if `format` is a percentage. */
function shown(value: string, format: string): string {
  const number = Number(value);
  if (value === "" || !Number.isFinite(number) || !/[.eE]/.test(value)) return value;
  return format.includes("%")
    ? `${Number((number * 100).toPrecision(6))}%`
    : String(Number(number.toPrecision(12)));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the texts of a SmartArt diagram (`dgm:dataModel`) as a nested list. */
function readDiagram(model: XmlElement | undefined): ListItem[] {
  const texts = new Map<string, string>();
  let root: string | undefined;
  for (const point of children(child(model, "dgm:ptLst"), "dgm:pt")) {
    const id = point.attributes["modelId"] ?? "";
    const type = point.attributes["type"] ?? "node";
    if (type === "doc") root = id;
    if (type !== "node" && type !== "asst") continue;
    const lines = descendants(child(point, "dgm:t"), "a:p").map((p) =>
      descendants(p, "a:t").map(textOf).join("")
    );
    texts.set(id, lines.join("\n"));
  }
  const links = children(child(model, "dgm:cxnLst"), "dgm:cxn")
    .map(({ attributes }) => attributes).filter(({ type = "parOf" }) => type === "parOf");
  const below = Map.groupBy(links, ({ srcId = "" }) => srcId);
  const items: ListItem[] = [];
  const left = new Map(texts);
  // Each text is visited once, which also ends cycles.
  const visit = (id: string, depth: number) => {
    const order = ({ srcOrd = "0" }: Readonly<Record<string, string>>) => Number(srcOrd);
    for (const { destId: to = "" } of (below.get(id) ?? []).sort((a, b) => order(a) - order(b))) {
      const text = left.get(to);
      if (text === undefined || !left.delete(to)) continue;
      items.push({ depth, text });
      if (depth < 20) visit(to, depth + 1);
    }
  };
  if (root !== undefined) visit(root, 0);
  for (const text of left.values()) items.push({ depth: 0, text });
  return items;
}
