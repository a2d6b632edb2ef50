/**
 * Loads DocBook 4 and 5: books, articles and manual pages, which are converted to HTML elements.
 * Below it: lists, pictures, synopses of commands, and titles.
 */
import {
  as,
  type Content,
  type Converter,
  converter,
  element,
  leftOut,
  mathElement,
  type Rule,
  section,
  tableOf,
  writeTree,
} from "../html/from_xml.ts";
import { described } from "../metadata.ts";
import { guarded, joined, type Loader, type Metadata } from "../types.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { child, children, descendants, lineOf, parseXml, textOf, type XmlElement } from "../xml.ts";

const PREFIXES = {
  "http://docbook.org/ns/docbook": "",
  "http://www.w3.org/1998/Math/MathML": "",
  "http://www.w3.org/1999/xlink": "xlink",
};

/** DocBook 4 and 5: books, articles, manual pages and parts of them. */
export const loader: Loader = guarded((bytes) => {
  const root = parseXml(bytes, PREFIXES);
  const builder = new MarkdownBuilder();
  const info = children(root).find(({ name }) => name === "info" || name.endsWith("info"));
  writeTree(docBook.element(root, 1), builder);
  return builder.finish({ title: titleOf(root), metadata: metadataOf(root, info) });
});

function metadataOf(root: XmlElement, info: XmlElement | undefined): Metadata | undefined {
  const authors = [...descendants(info, "author"), ...descendants(info, "editor")].map((one) => {
    const name = child(one, "personname") ?? one;
    return joined(["firstname", "givenname", "surname"].map((part) => lineOf(child(name, part))), " ") ||
      lineOf(child(one, "personname") ?? child(one, "orgname"));
  });
  return described([
    ["authors", authors],
    ["published", lineOf(child(info, "pubdate") ?? child(info, "date"))],
    ["language", root.attributes["xml:lang"] ?? root.attributes.lang],
    ["modified", lineOf(child(child(info, "revhistory"), "revision", "date"))],
    ["tags", descendants(info, "keyword").map(lineOf)],
    ["description", lineOf(child(info, "abstract"))],
    ["access_level", root.attributes.security],
    ["status", root.attributes.status],
    ["subjects", descendants(info, "subjectterm").map(lineOf)],
    ["edition", lineOf(child(info, "edition"))],
    ["release", lineOf(child(info, "releaseinfo"))],
    ["publisher", lineOf(descendants(info, "publishername")[0])],
    ["isbn", lineOf(child(info, "isbn"))],
  ]).metadata;
}

const code = as("code");
const boxed: Rule = (node, level) => titled(node, level);

/** The conversion of DocBook to HTML. */
const docBook: Converter = converter({
  // Information about the text, indexes and media.
  "title titleabbrev indexterm remark anchor info bookinfo articleinfo chapterinfo sectioninfo sect1info":
    leftOut,
  "sect2info sect3info partinfo prefaceinfo appendixinfo setinfo refentryinfo refsect1info glossaryinfo":
    leftOut,
  "bibliographyinfo blockinfo objectinfo refmeta toc lot index setindex areaspec alt videoobject": leftOut,
  "audioobject xref-label": leftOut,
  "set book part reference preface chapter appendix article section sect1 sect2 sect3 sect4 sect5": component,
  "simplesect refentry refsect1 refsect2 refsect3 refsection glossary glossdiv bibliography": component,
  "bibliodiv colophon dedication partintro topic acknowledgements qandaset qandadiv task": component,
  "literal command option filename varname envar function parameter constant systemitem userinput": code,
  "computeroutput code type classname methodname structname structfield symbol token sgmltag tag": code,
  "prompt property uri package returnvalue errorcode exceptionname interfacename markup keycode": code,
  "programlisting screen literallayout synopsis funcsynopsisinfo classsynopsisinfo": listing,
  "programlistingco screenco": listing,
  "para simpara attribution subtitle caption": as("p"),
  "blockquote epigraph": as("blockquote"),
  quote: as("q"),
  subscript: as("sub"),
  superscript: as("sup"),
  "replaceable citetitle foreignphrase firstterm": as("i"),
  "step member callout listitem": as("li"),
  refpurpose: as("span"),
  "guibutton guilabel keycap": as("b"),
  "note tip warning caution important danger": (node, level) =>
    titled(node, level, node.name[0]!.toUpperCase() + node.name.slice(1)),
  emphasis: (node, _level, inner) =>
    element(/^(?:bold|strong)$/.test(node.attributes.role ?? "") ? "b" : "i", inner()),
  ulink: (node, _level, inner) => link(node, node.attributes.url ?? "", inner),
  link: (node, _level, inner) => {
    const target = node.attributes["xlink:href"];
    return target === undefined ? inner() : link(node, target, inner);
  },
  "itemizedlist simplelist calloutlist": (
    node,
    level,
  ) => [...heading(node), element("ul", items(node, level))],
  "orderedlist procedure substeps stepalternatives": (node, level) => [
    ...heading(node),
    element("ol", items(node, level)),
  ],
  "variablelist glosslist segmentedlist": (node, level) => [
    ...heading(node),
    element(
      "dl",
      children(node).flatMap((one) =>
        /^(?:varlistentry|glossentry)$/.test(one.name) ? definition(one, level) : docBook.element(one, level)
      ),
    ),
  ],
  "glossentry varlistentry": (node, level) => element("dl", definition(node, level)),
  qandaentry: (node, level) =>
    element("dl", [
      ...children(node, "question").map((one) => element("dt", docBook.content(one, level))),
      ...children(node, "answer").map((one) => element("dd", docBook.content(one, level))),
    ]),
  "formalpara example informalexample figure sidebar equation": boxed,
  "table informaltable": (node, level) => [
    ...heading(node),
    ...tableOf(node, (cell) => docBook.content(cell, level)),
  ],
  "mediaobject inlinemediaobject": picture,
  footnote: (node) => [" (", lineOf(node), ")"],
  menuchoice: (node) => children(node).map((one) => textOf(one).trim()).join(" > "),
  keycombo: (node) => children(node).map((one) => textOf(one).trim()).join("+"),
  citerefentry: (node) => [element("code", [textOf(child(node, "refentrytitle")).trim()]), volume(node)],
  refnamediv: (node, level) =>
    element("p", [
      children(node, "refname").map((one) => textOf(one).trim()).join(", "),
      " — ",
      ...docBook.content({ ...node, children: children(node, "refpurpose") }, level),
    ]),
  refsynopsisdiv: (node, level) =>
    section(level, [titleOf(node) || "Synopsis"], docBook.content(node, level + 1)),
  "cmdsynopsis funcsynopsis classsynopsis": (node) => element("pre", [synopsis(node)]),
  "biblioentry bibliomixed": (node) => {
    const parts = node.children.map((one) =>
      (typeof one === "string" ? one : textOf(one)).replace(/\s+/g, " ").trim()
    );
    return element("p", [children(node).length === 0 ? textOf(node) : joined(parts, " ")]);
  },
  math: mathElement,
  xref: (node) => node.attributes.xreflabel ?? node.attributes.endterm ?? "",
});

/** Returns a part of a book with its heading. */
function component(node: XmlElement, level: number): Content {
  const title = titleOf(node);
  return [
    section(level, title === "" ? [] : [title], docBook.content(node, title === "" ? level : level + 1)),
  ];
}

/** Returns a text whose line breaks are kept. */
function listing(node: XmlElement): ReturnType<typeof element> {
  return element("pre", [textOf(node)], { "data-lang": node.attributes.language ?? "" });
}

/** Returns a link. One without a text shows its target. */
function link(node: XmlElement, target: string, inner: () => Content): Content {
  return [element("a", textOf(node).trim() === "" ? [target] : inner(), { href: target })];
}

/** Returns a title as a line in bold, unless it is empty: that of a list or table, by default. */
function heading(node: XmlElement, title: string = titleOf(node)): Content {
  return title === "" ? [] : [element("p", [element("b", [title])])];
}

/** Returns a box. One without a title gets its kind as a title. */
function titled(node: XmlElement, level: number, kind = ""): Content {
  return [element("div", [...heading(node, titleOf(node) || kind), ...docBook.content(node, level)])];
}

function items(node: XmlElement, level: number): Content {
  return children(node).flatMap((one) => docBook.element(one, level));
}

function definition(entry: XmlElement, level: number): Content {
  const terms = children(entry).filter(({ name }) => name === "term" || name === "glossterm");
  const meanings = children(entry).filter(({ name }) => name === "listitem" || name === "glossdef");
  return [
    element("dt", terms.flatMap((term, i) => [...(i === 0 ? [] : [", "]), ...docBook.content(term, level)])),
    ...meanings.map((meaning) => element("dd", docBook.content(meaning, level))),
  ];
}

function picture(node: XmlElement, level: number): Content {
  const words = child(node, "textobject");
  const text = lineOf(child(words, "phrase")) || lineOf(child(node, "alt"));
  return [
    element("img", [], { alt: text }),
    ...(words === undefined || text !== "" ? [] : docBook.content(words, level)),
    ...children(node, "caption").flatMap((one) => docBook.element(one, level)),
  ];
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
