import { attribute, type Element, elements, find, lineOf } from "./tree.ts";

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

/** Returns MathML on one line. */
function linear(element: Element): string {
  const parts = () => [...elements(element)].map((child) => linear(child));
  const grouped = (part = "") => [...part].length > 1 ? `(${part})` : part;
  const name = element.name.replace(/^\w+:/, "");
  switch (name) {
    case "annotation":
    case "annotation-xml":
      return "";
    case "msup":
    case "mover": {
      const [base, above] = parts();
      return `${base}^${grouped(above)}`;
    }
    case "msub":
    case "munder": {
      const [base, below] = parts();
      return `${base}_${grouped(below)}`;
    }
    case "msubsup":
    case "munderover": {
      const [base, below, above] = parts();
      return `${base}_${grouped(below)}^${grouped(above)}`;
    }
    case "mfrac": {
      const [above, below] = parts();
      return `${grouped(above)}/${grouped(below)}`;
    }
    case "msqrt":
      return `√(${parts().join("")})`;
    case "mroot": {
      const [base, root] = parts();
      return `${root}√(${base})`;
    }
    case "mtr":
      return `${parts().join(", ")}; `;
    case "mspace":
      return " ";
    case "mo":
    case "mi":
    case "mn":
    case "mtext":
    case "ms": {
      const text = lineOf(element).replace(/[\u2061-\u2064]/g, "");
      return name === "mo" && /^[=<>≤≥≠≈±+−×→∈⊂]$/.test(text) ? ` ${text} ` : text;
    }
    default:
      return element.children.map((child) => typeof child === "string" ? child.trim() : linear(child)).join(
        "",
      );
  }
}

/** Returns the formula in an element that a script renders, such as KaTeX's, if there is one. */
export function formulaWithin(element: Element): string | undefined {
  const math = find(element, "math");
  return math === undefined ? undefined : mathText(math);
}
