/**
 * Loads JATS and NLM articles and BITS books. The body is converted to HTML elements.
 * Below it: front matter, body, and references on one line each.
 */
import type { Element } from "../html/parse.ts";
import { element, mathElement, tableOf, writeTree } from "../html/from_xml.ts";
import { languageTag } from "../html/loader.ts";
import { tex } from "../html/flow.ts";
import { byWord, DocumentError, given, guarded, type Loader, type Metadata, words } from "../types.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { child, children, descendants, lineOf, parseXml, textOf, type XmlElement } from "../xml.ts";

const PREFIXES = { "http://www.w3.org/1998/Math/MathML": "", "http://www.w3.org/1999/xlink": "xlink" };
/** Matches types of letters between authors and reviewers that are printed with an article. */
const REVIEW =
  /^(?:decision-letter|reply|referee-report|reviewer-report|editor-report|author-comment|aggregated-review-documents)$/;

/** JATS and NLM articles, BITS books, and article sets of PubMed Central. */
export const loader: Loader = guarded((bytes) => {
  const root = parseXml(bytes, { prefixes: PREFIXES });
  const articles = /^(?:article|book)$/.test(root.name) ? [root] : children(root, "article");
  const builder = new MarkdownBuilder();
  const fronts = articles.map((article) => writeArticle(article, builder, 1));
  const front = fronts[0];
  if (front === undefined) throw new DocumentError("unsupported", `its root element is ${root.name}`);
  return builder.finish({ title: front.title, metadata: fronts.length === 1 ? front.metadata : {} });
});

function writeArticle(
  article: XmlElement,
  builder: MarkdownBuilder,
  level: number,
): ReturnType<typeof readFront> {
  const front = readFront(article);
  builder.heading(level, front.title);
  for (const subtitle of front.subtitles) builder.paragraph(subtitle);
  builder.paragraph(front.authors.join(", "));
  builder.paragraph(front.affiliations.join("; "));
  for (const abstract of front.abstracts) {
    builder.heading(level + 1, lineOf(child(abstract, "title")) || "Abstract");
    const title = child(abstract, "title");
    writeTree(
      convert({ ...abstract, children: abstract.children.filter((one) => one !== title) }, level + 2),
      builder,
    );
  }
  if (front.keywords.length > 0) builder.paragraph(`Keywords: ${front.keywords.join(", ")}`);
  for (const part of children(article)) {
    if (/^(?:body|back|floats-group|book-body|book-back|front-matter)$/.test(part.name)) {
      writeTree(children(part).flatMap((one) => convertElement(one, level + 1)), builder);
    } else if (
      /^(?:sub-article|response)$/.test(part.name) && !REVIEW.test(part.attributes["article-type"] ?? "")
    ) {
      writeArticle(part, builder, level + 1);
    }
  }
  return front;
}

/** The front matter of an article. */
interface Front {
  readonly title: string;
  /** Subtitle, and titles in other languages. */
  readonly subtitles: readonly string[];
  readonly authors: readonly string[];
  readonly affiliations: readonly string[];
  readonly keywords: readonly string[];
  readonly abstracts: readonly XmlElement[];
  readonly metadata: Metadata;
}

/** Reads `front`, `front-stub` or a book's metadata. */
function readFront(article: XmlElement): Front {
  const outer = child(article, "front") ?? child(article, "front-stub") ?? article;
  const meta = child(outer, "article-meta") ?? child(article, "book-meta") ?? outer;
  const titles = child(meta, "title-group") ?? child(meta, "book-title-group");
  const title = line(child(titles, "article-title") ?? child(titles, "book-title"));
  const authors = children(meta, "contrib-group").flatMap((group) =>
    children(group, "contrib").filter((one) => (one.attributes["contrib-type"] ?? "author") === "author").map(
      authorOf,
    )
  ).filter((name) => name !== "");
  const others = affiliationsOfOthers(meta);
  const affiliations = [
    ...new Set(descendants(meta, "aff").filter((aff) => !others.has(aff)).map(affiliationOf)),
  ];
  return {
    title,
    subtitles: [
      line(child(titles, "subtitle")),
      ...children(titles, "trans-title-group").map((group) => line(child(group, "trans-title"))),
    ].filter((one) => one !== ""),
    authors,
    affiliations: affiliations.filter((one) => one !== ""),
    keywords: descendants(meta, "kwd").map(line).filter((one) => one !== ""),
    abstracts: [...children(meta, "abstract"), ...children(meta, "trans-abstract")],
    metadata: given({
      author: authors.join(", ").slice(0, 500),
      date: dateOf(meta),
      language: languageTag(article.attributes["xml:lang"] ?? ""),
    }),
  };
}

function authorOf(contributor: XmlElement): string {
  const name = child(contributor, "name") ?? child(child(contributor, "name-alternatives"), "name");
  if (name === undefined) return line(child(contributor, "string-name") ?? child(contributor, "collab"));
  const parts = ["prefix", "given-names", "surname", "suffix"].map((part) => line(child(name, part))).filter((
    part,
  ) => part !== "");
  // Chinese, Japanese and Korean names have the surname first, without a blank.
  const isEastern = name.attributes["name-style"] === "eastern" ||
    parts.every((part) => /^[\p{sc=Han}]+$/u.test(part));
  return isEastern ? `${line(child(name, "surname"))}${line(child(name, "given-names"))}` : parts.join(" ");
}

function affiliationOf(affiliation: XmlElement): string {
  const skipped = new Set(["label", "institution-id", "email", "sup", "xref", "phone", "fax"]);
  const parts = affiliation.children.map((one) =>
    typeof one === "string" ? one : skipped.has(one.name) ? "" : textWithout(one, skipped)
  );
  const hasPunctuation = affiliation.children.some((one) => typeof one === "string" && /[,;、，]/.test(one));
  const text = hasPunctuation
    ? parts.join("")
    : parts.map((part) => part.trim()).filter((part) => part !== "").join(", ");
  return text.replace(/\s+/g, " ").trim();
}

function textWithout(element: XmlElement, skipped: ReadonlySet<string>): string {
  return element.children.map((one) =>
    typeof one === "string" ? one : skipped.has(one.name) ? "" : textWithout(one, skipped)
  ).join("");
}

/** Returns the affiliations of editors and reviewers, which no author has. */
function affiliationsOfOthers(meta: XmlElement): Set<XmlElement> {
  const users = new Map<string, { author: boolean }>();
  const others = new Set<XmlElement>();
  for (const contributor of children(meta, "contrib-group").flatMap((group) => children(group, "contrib"))) {
    const author = (contributor.attributes["contrib-type"] ?? "author") === "author";
    if (!author) { for (const own of descendants(contributor, "aff")) others.add(own); }
    for (const xref of descendants(contributor, "xref")) {
      for (const id of (xref.attributes.rid ?? "").split(/\s+/)) {
        users.set(id, { author: author || (users.get(id)?.author ?? false) });
      }
    }
  }
  for (const affiliation of descendants(meta, "aff")) {
    if (users.get(affiliation.attributes.id ?? "")?.author === false) others.add(affiliation);
  }
  return others;
}

function dateOf(meta: XmlElement): string | undefined {
  const dates = children(meta, "pub-date");
  const kind = (one: XmlElement) => one.attributes["pub-type"] ?? one.attributes["date-type"] ?? "";
  const date = dates.find((one) => /^e?pub$/.test(kind(one))) ?? dates[0];
  const year = /^\d{4}$/.exec(line(child(date, "year")))?.[0];
  if (year === undefined) return undefined;
  const [month, day] = ["month", "day"].map((part) =>
    /^\d{1,2}$/.exec(line(child(date, part)))?.[0].padStart(2, "0")
  );
  return [year, ...(month === undefined ? [] : [month, ...(day === undefined ? [] : [day])])].join("-");
}

function line(element: XmlElement | undefined): string {
  return element === undefined
    ? ""
    : textWithout(element, new Set(["xref", "fn"])).replace(/\s+/g, " ").trim();
}

type Content = (Element | string)[];

/** Elements that are of no use to a reader of the text, or are read elsewhere. */
const OMITTED = words(
  "object-id institution-id label graphic inline-graphic media alt-text long-desc permissions attrib-id sec-meta contrib-id",
  "related-object related-article counts processing-meta index-term target private-char",
);
/** Elements that have a counterpart in HTML. */
const HTML_NAMES: Readonly<Record<string, string>> = byWord({
  b: "bold",
  i: "italic",
  code: "monospace",
  sub: "sub",
  br: "break",
  hr: "hr",
  p: "p verse-line speech attrib title",
  blockquote: "disp-quote verse-group",
  div: "statement boxed-text",
});

/** Converts the content of a JATS element to HTML elements. `level`: level of the headings in it. */
function convert(node: XmlElement, level: number): Content {
  return node.children.flatMap((one) => typeof one === "string" ? [one] : convertElement(one, level));
}

/** Converts one JATS element to HTML elements. */
function convertElement(node: XmlElement, level: number): Content {
  const { name } = node;
  if (OMITTED.has(name)) return [];
  const inner = () => convert(node, level);
  const same = HTML_NAMES[name];
  if (same !== undefined) return [element(same, inner())];
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
      return [mathElement(node)];
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
function section(node: XmlElement, level: number): Element {
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
  if (math !== undefined) return [mathElement(math)];
  return node.children.flatMap((one) => typeof one === "string" ? [one] : convertElement(one, 6));
}

/** Returns TeX without the document that some publishers wrap around each formula. */
function plainTex(source: string): string {
  const body = /\\begin\{document\}([^]*?)\\end\{document\}/.exec(source)?.[1] ?? source;
  return tex(body);
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

/** Returns a reference on one line. A reference with punctuation is kept as it is. */
function citation(node: XmlElement): string {
  const isMixed = node.name === "mixed-citation" ||
    node.children.some((one) => typeof one === "string" && /\p{L}|[,.;]/u.test(one));
  return (isMixed ? mixedText(node) : composed(node)).replace(/\s+/g, " ").trim();
}

/** Returns the text of a citation. Parts of a name are separated. */
function mixedText(node: XmlElement): string {
  if (node.name === "object-id" || node.name === "label") return "";
  const isName = node.name === "name" &&
    node.children.every((one) => typeof one !== "string" || one.trim() === "");
  return node.children.map((one) => typeof one === "string" ? one : mixedText(one)).join(isName ? " " : "");
}

/** Returns a reference in the form: Authors. Title. Source volume:pages (year). DOI */
function composed(node: XmlElement): string {
  const part = (...names: string[]) =>
    names.map((name) => textOf(child(node, name)).trim()).find((text) => text !== "") ?? "";
  const groups = children(node, "person-group");
  const people = [
    ...groups.flatMap((group) => children(group)),
    ...children(node, "name"),
    ...children(node, "collab"),
  ]
    .map((one) =>
      one.name === "name"
        ? children(one).map(textOf).join(" ")
        : one.name === "etal"
        ? "et al"
        : textOf(one).trim()
    )
    .filter((one) => one !== "");
  const pages = [part("fpage", "elocation-id"), part("lpage")].filter((page) => page !== "").join("–");
  const volume = part("volume");
  const year = part("year");
  const source = [
    part("source"),
    [volume, pages].filter((one) => one !== "").join(":"),
    year === "" ? "" : `(${year})`,
  ].filter((one) => one !== "").join(" ");
  const numbers = children(node, "pub-id").map((id) =>
    `${(id.attributes["pub-id-type"] ?? "").toUpperCase()}: ${textOf(id).trim()}`
  );
  const publisher = [part("publisher-loc"), part("publisher-name")].filter((one) => one !== "").join(": ");
  const link = textOf(child(node, "ext-link")).trim();
  return [
    people.join(", "),
    part("article-title", "data-title", "chapter-title", "part-title"),
    source,
    publisher,
    numbers.join(", "),
    link,
  ]
    .filter((one) => one !== "").map((one) => /[.?!]$/.test(one) ? one : `${one}.`).join(" ");
}
