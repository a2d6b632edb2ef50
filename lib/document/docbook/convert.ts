import { type Element, element, tableOf } from "../html/mod.ts";
import { child, children, lineOf, textOf, type XmlElement } from "../xml/mod.ts";
import { synopsis } from "./synopsis.ts";
import { titleOf, volume } from "./titles.ts";
import { ADMONITIONS, CODE, COMPONENTS, HTML_NAMES, OMITTED, PREFORMATTED } from "./vocabulary.ts";

type Content = (Element | string)[];

/** Converts the content of a DocBook element to HTML elements. `level`: level of the headings in it. */
export function convert(node: XmlElement, level: number): Content {
  return node.children.flatMap((one) => typeof one === "string" ? [one] : convertElement(one, level));
}

/** Converts one DocBook element to HTML elements. */
export function convertElement(node: XmlElement, level: number): Content {
  const { name } = node;
  if (OMITTED.has(name)) return [];
  if (COMPONENTS.has(name)) return component(node, level);
  if (CODE.has(name)) return [element("code", convert(node, level))];
  if (PREFORMATTED.has(name)) {
    return [element("pre", [textOf(node)], { "data-lang": node.attributes.language ?? "" })];
  }
  const inner = () => convert(node, level);
  const same = HTML_NAMES[name];
  if (same !== undefined) return [element(same, inner())];
  if (ADMONITIONS.has(name)) return [titled(node, level, name[0]!.toUpperCase() + name.slice(1))];
  switch (name) {
    case "emphasis":
      return [element(/^(?:bold|strong)$/.test(node.attributes.role ?? "") ? "b" : "i", inner())];
    case "ulink":
      return [
        element("a", linkText(node, node.attributes.url, inner()), { href: node.attributes.url ?? "" }),
      ];
    case "link": {
      const target = node.attributes["xlink:href"];
      return target === undefined
        ? inner()
        : [element("a", linkText(node, target, inner()), { href: target })];
    }
    case "itemizedlist":
    case "simplelist":
    case "calloutlist":
      return [...heading(node), element("ul", items(node, level))];
    case "orderedlist":
    case "procedure":
    case "substeps":
    case "stepalternatives":
      return [...heading(node), element("ol", items(node, level))];
    case "listitem":
      return [element("li", inner())];
    case "variablelist":
    case "glosslist":
    case "segmentedlist":
      return [...heading(node), element("dl", definitions(node, level))];
    case "glossentry":
    case "varlistentry":
      return [element("dl", definition(node, level))];
    case "qandaentry":
      return [element("dl", [
        ...children(node, "question").map((one) => element("dt", convert(one, level))),
        ...children(node, "answer").map((one) => element("dd", convert(one, level))),
      ])];
    case "formalpara":
    case "example":
    case "informalexample":
    case "figure":
    case "sidebar":
    case "equation":
      return [titled(node, level)];
    case "table":
    case "informaltable":
      return [...heading(node), ...tableOf(node, (cell) => convert(cell, level))];
    case "mediaobject":
    case "inlinemediaobject":
      return picture(node, level);
    case "footnote":
      return [" (", lineOf(node), ")"];
    case "menuchoice":
    case "keycombo":
      return [children(node).map((one) => textOf(one).trim()).join(name === "keycombo" ? "+" : " > ")];
    case "citerefentry":
      return [element("code", [textOf(child(node, "refentrytitle")).trim()]), volume(node)];
    case "refnamediv":
      return [
        element("p", [
          children(node, "refname").map((one) => textOf(one).trim()).join(", "),
          " — ",
          ...convert({ ...node, children: children(node, "refpurpose") }, level),
        ]),
      ];
    case "refsynopsisdiv":
      return [
        element("section", [
          element(`h${Math.min(6, level)}`, [titleOf(node) || "Synopsis"]),
          ...convert(node, level + 1),
        ]),
      ];
    case "cmdsynopsis":
    case "funcsynopsis":
    case "classsynopsis":
      return [element("pre", [synopsis(node)])];
    case "biblioentry":
    case "bibliomixed":
      return [element("p", [children(node).length === 0 ? textOf(node) : parts(node).join(" ")])];
    case "inlineequation":
    case "mathphrase":
    case "math":
      return name === "math" ? [htmlMath(node)] : inner();
    case "xref":
      return [node.attributes.xreflabel ?? node.attributes.endterm ?? ""];
    default:
      return inner();
  }
}

/** Returns a part of a book with its heading. */
function component(node: XmlElement, level: number): Content {
  const title = titleOf(node);
  const inner = title === "" ? level : level + 1;
  return [element("section", [
    ...(title === "" ? [] : [element(`h${Math.min(6, level)}`, [title])]),
    ...convert(node, inner),
  ])];
}

/** Returns the title of a list or table as a line in bold. */
function heading(node: XmlElement): Element[] {
  const title = titleOf(node);
  return title === "" ? [] : [element("p", [element("b", [title])])];
}

function titled(node: XmlElement, level: number, kind = ""): Element {
  const title = titleOf(node) || kind;
  return element("div", [
    ...(title === "" ? [] : [element("p", [element("b", [title])])]),
    ...convert(node, level),
  ]);
}

function items(node: XmlElement, level: number): Content {
  return children(node).flatMap((one) => convertElement(one, level));
}

function definitions(node: XmlElement, level: number): Content {
  return children(node).flatMap((one) =>
    /^(?:varlistentry|glossentry)$/.test(one.name) ? definition(one, level) : convertElement(one, level)
  );
}

function definition(entry: XmlElement, level: number): Content {
  const terms = children(entry).filter(({ name }) => name === "term" || name === "glossterm");
  const meanings = children(entry).filter(({ name }) => name === "listitem" || name === "glossdef");
  return [
    element("dt", terms.flatMap((term, i) => [...(i === 0 ? [] : [", "]), ...convert(term, level)])),
    ...meanings.map((meaning) => element("dd", convert(meaning, level))),
  ];
}

function linkText(node: XmlElement, target: string | undefined, inner: Content): Content {
  return textOf(node).trim() === "" ? [target ?? ""] : inner;
}

function picture(node: XmlElement, level: number): Content {
  const words = child(node, "textobject");
  const text = lineOf(child(words, "phrase")) || lineOf(child(node, "alt"));
  return [
    element("img", [], { alt: text }),
    ...(words === undefined || text !== "" ? [] : convert(words, level)),
    ...children(node, "caption").flatMap((one) => convertElement(one, level)),
  ];
}

function htmlMath(node: XmlElement): Element {
  return element(node.name, node.children.map((one) => typeof one === "string" ? one : htmlMath(one)), {
    alttext: node.attributes.alttext ?? "",
    encoding: node.attributes.encoding ?? "",
  });
}

function parts(node: XmlElement): string[] {
  return node.children.map((one) => (typeof one === "string" ? one : textOf(one)).replace(/\s+/g, " ").trim())
    .filter((one) => one !== "");
}
