/**
 * Loads DocBook 4 and 5: books, articles and manual pages, which are converted to HTML elements.
 * Below it: synopses of commands, titles, and the names of elements by their use.
 */
import type { Element } from "../html/parse.ts";
import { element, mathElement, tableOf, writeTree } from "../html/from_xml.ts";
import { isoDate, languageTag } from "../html/loader.ts";
import { byWord, given, guarded, type Loader, type Metadata, words } from "../types.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { child, children, descendants, lineOf, parseXml, textOf, type XmlElement } from "../xml.ts";

const PREFIXES = {
  "http://docbook.org/ns/docbook": "",
  "http://www.w3.org/1998/Math/MathML": "",
  "http://www.w3.org/1999/xlink": "xlink",
};

/** DocBook 4 and 5: books, articles, manual pages and parts of them. */
export const loader: Loader = guarded((bytes) => {
  const root = parseXml(bytes, { prefixes: PREFIXES });
  const builder = new MarkdownBuilder();
  const info = children(root).find(({ name }) => name === "info" || name.endsWith("info"));
  writeTree(convertElement(root, 1), builder);
  return builder.finish({ title: titleOf(root), metadata: metadataOf(root, info) });
});

function metadataOf(root: XmlElement, info: XmlElement | undefined): Metadata {
  const authors = [...descendants(info, "author"), ...descendants(info, "editor")].map((one) => {
    const name = child(one, "personname") ?? one;
    const parts = ["firstname", "givenname", "surname"].map((part) => lineOf(child(name, part))).filter((
      part,
    ) => part !== "");
    return parts.length > 0 ? parts.join(" ") : lineOf(child(one, "personname") ?? child(one, "orgname"));
  }).filter((name) => name !== "");
  return given({
    author: authors.join(", ").slice(0, 500),
    date: isoDate(lineOf(child(info, "pubdate") ?? child(info, "date"))),
    language: languageTag(root.attributes["xml:lang"] ?? root.attributes.lang ?? ""),
  });
}

type Content = (Element | string)[];

/** Converts the content of a DocBook element to HTML elements. `level`: level of the headings in it. */
function convert(node: XmlElement, level: number): Content {
  return node.children.flatMap((one) => typeof one === "string" ? [one] : convertElement(one, level));
}

/** Converts one DocBook element to HTML elements. */
function convertElement(node: XmlElement, level: number): Content {
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
      return name === "math" ? [mathElement(node)] : inner();
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

function parts(node: XmlElement): string[] {
  return node.children.map((one) => (typeof one === "string" ? one : textOf(one)).replace(/\s+/g, " ").trim())
    .filter((one) => one !== "");
}

/** Returns the arguments of a command on one line: `[-v] {file}…`. */
function synopsis(node: XmlElement): string {
  const write = (one: XmlElement | string): string => {
    if (typeof one === "string") return one.replace(/\s+/g, " ");
    if (one.name === "sbr") return "\n  ";
    const inner = one.children.map(write).join(one.name === "group" ? " | " : "").replace(/ {2,}/g, " ")
      .trim();
    if (one.name !== "arg" && one.name !== "group") {
      return one.name === "funcdef" || one.name === "paramdef" ? `${inner} ` : inner;
    }
    const { choice, rep } = one.attributes;
    const shown = choice === "plain" ? inner : choice === "req" ? `{${inner}}` : `[${inner}]`;
    return ` ${shown}${rep === "repeat" ? "…" : ""} `;
  };
  return node.children.map(write).join("").replace(/ {2,}/g, " ").trim();
}

/** Returns the title of an element, from the element or from its `info`. */
function titleOf(node: XmlElement): string {
  const info = children(node).find(({ name }) => name === "info" || name.endsWith("info"));
  const title = child(node, "title") ?? child(info, "title");
  if (title !== undefined) return lineOf(title);
  if (node.name !== "refentry") return "";
  const name = lineOf(child(node, "refmeta", "refentrytitle")) ||
    lineOf(child(node, "refnamediv", "refname"));
  return `${name}${volume(child(node, "refmeta"))}`;
}

/** Returns the section of a manual page in parentheses: `(1)`. Empty if there is none. */
function volume(node: XmlElement | undefined): string {
  const number = lineOf(child(node, "manvolnum"));
  return number === "" ? "" : `(${number})`;
}

/** Parts of a book that have a heading. */
const COMPONENTS = words(
  "set book part reference preface chapter appendix article section sect1 sect2 sect3 sect4 sect5 simplesect refentry refsect1",
  "refsect2 refsect3 refsection glossary glossdiv bibliography bibliodiv colophon dedication partintro topic acknowledgements",
  "qandaset qandadiv task",
);
/** Elements that are left out: information about the text, indexes and media. */
const OMITTED = words(
  "title titleabbrev indexterm remark anchor info bookinfo articleinfo chapterinfo sectioninfo sect1info sect2info sect3info",
  "partinfo prefaceinfo appendixinfo setinfo refentryinfo refsect1info glossaryinfo bibliographyinfo blockinfo objectinfo refmeta toc lot index setindex",
  "areaspec alt videoobject audioobject xref-label",
);
/** Elements that become inline code. */
const CODE = words(
  "literal command option filename varname envar function parameter constant systemitem userinput computeroutput code type",
  "classname methodname structname structfield symbol token sgmltag tag prompt property uri package returnvalue errorcode",
  "exceptionname interfacename markup keycode",
);
/** Elements whose line breaks are kept. */
const PREFORMATTED = words(
  "programlisting screen literallayout synopsis funcsynopsisinfo classsynopsisinfo programlistingco screenco",
);
/** Elements that have a counterpart in HTML. */
const HTML_NAMES: Readonly<Record<string, string>> = byWord({
  p: "para simpara attribution subtitle caption",
  blockquote: "blockquote epigraph",
  q: "quote",
  sub: "subscript",
  sup: "superscript",
  i: "replaceable citetitle foreignphrase firstterm",
  li: "step member callout",
  span: "refpurpose",
  b: "guibutton guilabel keycap",
});
/** Boxes that get their kind as a title unless they have one. */
const ADMONITIONS = words("note tip warning caution important danger");
