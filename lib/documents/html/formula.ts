/**
 * Writes formulas on one line: as TeX if a page contains that, else what MathML shows, `a^2 + b^2`.
 */
import { attribute, type Element, elements, lineOf } from "./parse.ts";
import { byName } from "../types.ts";

/** Returns a formula as TeX if the page contains that, else as text: `a^2`, `(a)/(b)`. */
export function mathText(math: Element): string {
  for (const annotation of annotations(math)) {
    if (/tex/i.test(attribute(annotation, "encoding"))) return tex(lineOf(annotation));
  }
  const alternative = attribute(math, "alttext").replace(/\s+/g, " ").trim();
  if (alternative !== "") return tex(alternative);
  return linear(math).replace(/\s+/g, " ").trim();
}

/** Returns TeX between dollar signs, without the wrapper of MediaWiki. */
export function tex(source: string): string {
  const inner = source.replace(/\s+/g, " ").trim().replace(/^\{\\displaystyle\s+(.*)\}$/, "$1").replace(
    /^\$+|\$+$/g,
    "",
  ).trim();
  return inner === "" ? "" : `$${inner}$`;
}

function* annotations(element: Element): Generator<Element, void, undefined> {
  for (const child of elements(element)) {
    if (child.name === "annotation") yield child;
    else if (child.name === "semantics" || child.name === "mrow") yield* annotations(child);
  }
}

/** How elements of MathML are written, with their children. */
const LINEAR = byName<(children: readonly string[]) => string>({
  "annotation annotation-xml": () => "",
  "msup mover": ([base, above]) => `${base}^${grouped(above)}`,
  "msub munder": ([base, below]) => `${base}_${grouped(below)}`,
  "msubsup munderover": ([base, below, above]) => `${base}_${grouped(below)}^${grouped(above)}`,
  mfrac: ([above, below]) => `${grouped(above)}/${grouped(below)}`,
  msqrt: (children) => `√(${children.join("")})`,
  mroot: ([base, root]) => `${root}√(${base})`,
  mtr: (children) => `${children.join(", ")}; `,
  mspace: () => " ",
});
const LETTERS = /^(?:mo|mi|mn|mtext|ms)$/;

/** Returns MathML on one line. */
function linear(element: Element): string {
  const name = element.name.replace(/^\w+:/, "");
  if (LETTERS.test(name)) {
    const text = lineOf(element).replace(/[\u2061-\u2064]/g, "");
    return name === "mo" && /^[=<>≤≥≠≈±+−×→∈⊂]$/.test(text) ? ` ${text} ` : text;
  }
  const write = LINEAR.get(name);
  return write !== undefined
    ? write([...elements(element)].map(linear))
    : element.children.map((child) => typeof child === "string" ? child.trim() : linear(child)).join("");
}

function grouped(part = ""): string {
  return [...part].length > 1 ? `(${part})` : part;
}
