import { type Element, element, tableOf, tex } from "../html/mod.ts";
import { child, children, textOf, type XmlElement } from "../xml/mod.ts";
import { citation } from "./references.ts";

type Content = (Element | string)[];

/** Elements that are of no use to a reader of the text, or are read elsewhere. */
const OMITTED = new Set([
  "object-id",
  "institution-id",
  "label",
  "graphic",
  "inline-graphic",
  "media",
  "alt-text",
  "long-desc",
  "permissions",
  "attrib-id",
  "sec-meta",
  "contrib-id",
  "related-object",
  "related-article",
  "counts",
  "processing-meta",
  "index-term",
  "target",
  "private-char",
]);
const INLINE: Readonly<Record<string, string>> = {
  bold: "b",
  italic: "i",
  monospace: "code",
  sub: "sub",
  break: "br",
  hr: "hr",
  p: "p",
  "disp-quote": "blockquote",
  "verse-group": "blockquote",
  "verse-line": "p",
  speech: "p",
  statement: "div",
  "boxed-text": "div",
  attrib: "p",
  title: "p",
};

/** Converts the content of a JATS element to HTML elements. `level`: level of the headings in it. */
export function convert(node: XmlElement, level: number): Content {
  return node.children.flatMap((one) => typeof one === "string" ? [one] : convertElement(one, level));
}

/** Converts one JATS element to HTML elements. */
export function convertElement(node: XmlElement, level: number): Content {
  const { name } = node;
  if (OMITTED.has(name)) return [];
  const inner = () => convert(node, level);
  const inline = INLINE[name];
  if (inline !== undefined) return [element(inline, inner())];
  switch (name) {
    case "sec":
    case "app":
    case "ack":
    case "notes":
    case "bio":
    case "glossary":
    case "fn-group":
    case "app-group":
    case "book-part":
      return [section(node, level)];
    case "ref-list":
      return [referenceList(node, level)];
    case "fn":
      return [element("p", [labelOf(node), ...inner()])];
    case "list":
      return [
        element(
          /^(?:order|alpha|roman)/.test(node.attributes["list-type"] ?? "") ? "ol" : "ul",
          children(node, "list-item").map((item) => element("li", convert(item, level))),
        ),
      ];
    case "def-list":
      return [element(
        "dl",
        children(node, "def-item").flatMap((item) => [
          ...children(item, "term").map((term) => element("dt", convert(term, level))),
          ...children(item, "def").map((meaning) => element("dd", convert(meaning, level))),
        ]),
      )];
    case "fig":
    case "fig-group":
    case "table-wrap":
    case "table-wrap-group":
    case "supplementary-material":
      return floating(node, level);
    case "table":
    case "oasis:table":
      return tableOf(node, (cell) => convert(cell, level));
    case "code":
    case "preformat":
      return [element("pre", [textOf(node)], { "data-lang": node.attributes.language ?? "" })];
    case "disp-formula":
      return [element("p", [...formula(node), labelOf(node)])];
    case "inline-formula":
    case "alternatives":
      return formula(node);
    case "tex-math":
      return [plainTex(textOf(node))];
    case "math":
      return [htmlMath(node)];
    case "ext-link":
    case "uri":
      return [element("a", inner(), { href: node.attributes["xlink:href"] ?? "" })];
    case "sup": {
      const isCitation = children(node, "xref").some((xref) => xref.attributes["ref-type"] === "bibr");
      return isCitation ? ["[", ...inner(), "]"] : [element("sup", inner())];
    }
    case "name":
      return [nameOf(node)];
    case "mixed-citation":
    case "element-citation":
    case "nlm-citation":
    case "citation":
      return [citation(node)];
    default:
      return inner();
  }
}

/** Returns surname and given names in the order of references. */
function nameOf(name: XmlElement): string {
  return children(name).map((part) => textOf(part).trim()).filter((part) => part !== "").join(" ");
}

/** Returns a section with its heading. */
export function section(node: XmlElement, level: number): Element {
  const meta = child(node, "book-part-meta", "title-group");
  const title = child(node, "title") ?? child(meta, "title");
  const words = title === undefined ? "" : [labelOf(node), ...convert(title, level)];
  const fallback = node.name === "ack" ? ["Acknowledgements"] : [];
  const heading = words === "" ? fallback : words;
  const body = node.children.flatMap((one) => {
    if (typeof one === "string") return [one];
    return one === title || one.name.endsWith("-meta")
      ? []
      : convertElement(one, heading.length === 0 ? level : level + 1);
  });
  return element("section", [
    ...(heading.length === 0 ? [] : [element(`h${Math.min(6, level)}`, heading)]),
    ...body,
  ]);
}

/** Returns the number or mark of a section, formula or note, followed by a blank. */
function labelOf(node: XmlElement): string {
  const label = textOf(child(node, "label")).trim();
  return label === "" ? "" : node.name === "disp-formula" ? ` ${label}` : `${label} `;
}

/** Returns a figure or table, with its label and caption in a paragraph before it. */
function floating(node: XmlElement, level: number): Content {
  const caption = child(node, "caption");
  const label = textOf(child(node, "label")).trim();
  const parts: Content = label === "" ? [] : [/[.:]$/.test(label) ? `${label} ` : `${label}. `];
  const rest: Content = [];
  for (const part of caption === undefined ? [] : children(caption)) {
    if (
      part.name === "title" ||
      (part.name === "p" && !children(part).some(({ name }) => name === "list" || name === "table-wrap"))
    ) {
      parts.push(...convert(part, level), " ");
    } else rest.push(...convertElement(part, level));
  }
  const picture = textOf(child(node, "alt-text")).trim();
  return [
    element("p", parts),
    ...rest,
    ...(node.name === "fig" ? [element("figure", [element("img", [], { alt: picture })])] : []),
    ...node.children.flatMap((one) =>
      typeof one === "string" || one === caption ? [] : convertElement(one, level)
    ),
  ];
}

/** Returns a formula in the best available form: TeX, MathML, text. */
function formula(node: XmlElement): Content {
  const inner = child(node, "alternatives") ?? node;
  const source = child(inner, "tex-math");
  if (source !== undefined) return [plainTex(textOf(source))];
  const math = child(inner, "math");
  if (math !== undefined) return [htmlMath(math)];
  return node.children.flatMap((one) => typeof one === "string" ? [one] : convertElement(one, 6));
}

/** Returns TeX without the document that some publishers wrap around each formula. */
function plainTex(source: string): string {
  const body = /\\begin\{document\}([^]*?)\\end\{document\}/.exec(source)?.[1] ?? source;
  return tex(body);
}

function htmlMath(node: XmlElement): Element {
  return element(
    node.name,
    node.children.map((one) => typeof one === "string" ? one : htmlMath(one)),
    { alttext: node.attributes.alttext ?? "", encoding: node.attributes.encoding ?? "" },
  );
}

/** Returns the references as a list, with their numbers if they have any. */
function referenceList(node: XmlElement, level: number): Element {
  const title = child(node, "title");
  const items = children(node, "ref").map((ref) => {
    const number = /^\D?(\d{1,5})\D?$/.exec(textOf(child(ref, "label")).trim())?.[1];
    const texts = children(ref).flatMap((part) =>
      part.name === "label" ? [] : [...convertElement(part, 6), " "]
    );
    return { number, texts };
  });
  const isNumbered = items.every(({ number }) => number !== undefined);
  return element("section", [
    element(`h${Math.min(6, level)}`, title === undefined ? ["References"] : convert(title, level)),
    element(
      isNumbered ? "ol" : "ul",
      items.map(({ number, texts }) => element("li", texts, isNumbered ? { value: number! } : {})),
    ),
    ...children(node, "ref-list").map((inner) => referenceList(inner, level + 1)),
  ]);
}
