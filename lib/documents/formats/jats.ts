/**
 * Loads JATS and NLM articles and BITS books. The body is converted to HTML elements.
 * Below it: front matter, body, and references on one line each.
 */
import {
  as,
  type Content,
  type Converter,
  converter,
  element,
  leftOut,
  mathElement,
  section,
  tableOf,
  writeTree,
} from "../html/from_xml.ts";
import { described } from "../metadata.ts";
import { tex } from "../html/formula.ts";
import { DocumentError, guarded, joined, type Loader, type Metadata } from "../types.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { child, children, descendants, lineOf, parseXml, textOf, type XmlElement } from "../xml.ts";

const PREFIXES = { "http://www.w3.org/1998/Math/MathML": "", "http://www.w3.org/1999/xlink": "xlink" };
/** Matches types of letters between authors and reviewers that are printed with an article. */
const REVIEW =
  /^(?:decision-letter|reply|referee-report|reviewer-report|editor-report|author-comment|aggregated-review-documents)$/;

/** JATS and NLM articles, BITS books, and article sets of PubMed Central. */
export const loader: Loader = guarded((bytes) => {
  const root = parseXml(bytes, PREFIXES);
  const articles = /^(?:article|book)$/.test(root.name) ? [root] : children(root, "article");
  const builder = new MarkdownBuilder();
  const fronts = articles.map((article) => writeArticle(article, builder, 1));
  const front = fronts[0];
  if (front === undefined) throw new DocumentError("unsupported", `its root element is ${root.name}`);
  return builder.finish({ title: front.title, metadata: fronts.length === 1 ? front.metadata : undefined });
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
    const title = child(abstract, "title");
    builder.heading(level + 1, lineOf(title) || "Abstract");
    const rest = abstract.children.filter((one) => one !== title);
    writeTree(jats.content({ ...abstract, children: rest }, level + 2), builder);
  }
  if (front.keywords.length > 0) builder.paragraph(`Keywords: ${front.keywords.join(", ")}`);
  for (const part of children(article)) {
    if (/^(?:body|back|floats-group|book-body|book-back|front-matter)$/.test(part.name)) {
      writeTree(children(part).flatMap((one) => jats.element(one, level + 1)), builder);
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
  readonly metadata: Metadata | undefined;
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
  const keywords = descendants(meta, "kwd").map(line).filter((one) => one !== "");
  return {
    title,
    subtitles: [
      line(child(titles, "subtitle")),
      ...children(titles, "trans-title-group").map((group) => line(child(group, "trans-title"))),
    ].filter((one) => one !== ""),
    authors,
    affiliations: affiliations.filter((one) => one !== ""),
    keywords,
    abstracts: [...children(meta, "abstract"), ...children(meta, "trans-abstract")],
    metadata: described([
      ["authors", authors],
      ["published", dateOf(meta)],
      ["language", article.attributes["xml:lang"]],
      ["tags", keywords],
      ["description", line(child(meta, "abstract"))],
      [
        "modified",
        dateIn(
          descendants(meta, "date").find(({ attributes }) => /^rev-/.test(attributes["date-type"] ?? "")),
        ),
      ],
      ["doi", line(children(meta, "article-id").find((id) => id.attributes["pub-id-type"] === "doi"))],
      ["journal", line(descendants(child(outer, "journal-meta"), "journal-title")[0])],
      ["volume", line(child(meta, "volume"))],
      ["issue", line(child(meta, "issue"))],
      ["publisher", line(descendants(child(outer, "journal-meta") ?? meta, "publisher-name")[0])],
      ["license", child(meta, "permissions", "license")?.attributes["xlink:href"]],
      ["type", article.attributes["article-type"]],
    ]).metadata,
  };
}

function authorOf(contributor: XmlElement): string {
  const name = child(contributor, "name") ?? child(child(contributor, "name-alternatives"), "name");
  if (name === undefined) return line(child(contributor, "string-name") ?? child(contributor, "collab"));
  const parts = ["prefix", "given-names", "surname", "suffix"].map((part) => line(child(name, part)))
    .filter((part) => part !== "");
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
  const text = hasPunctuation ? parts.join("") : joined(parts.map((part) => part.trim()), ", ");
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
  return dateIn(dates.find((one) => /^e?pub$/.test(kind(one))) ?? dates[0]);
}

function dateIn(date: XmlElement | undefined): string | undefined {
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

/** The conversion of JATS to HTML. */
const jats: Converter = converter({
  // Of no use to a reader of the text, or read elsewhere.
  "object-id institution-id label graphic inline-graphic media alt-text long-desc permissions attrib-id":
    leftOut,
  "sec-meta contrib-id related-object related-article counts processing-meta index-term target": leftOut,
  "private-char": leftOut,
  bold: as("b"),
  italic: as("i"),
  monospace: as("code"),
  sub: as("sub"),
  break: as("br"),
  hr: as("hr"),
  "p verse-line speech attrib title": as("p"),
  "disp-quote verse-group": as("blockquote"),
  "statement boxed-text": as("div"),
  "sec app ack notes bio glossary fn-group app-group book-part": part,
  "ref-list": references,
  fn: (node, _level, inner) => element("p", [labelOf(node), ...inner()]),
  list: (node, level) =>
    element(
      /^(?:order|alpha|roman)/.test(node.attributes["list-type"] ?? "") ? "ol" : "ul",
      children(node, "list-item").map((item) => element("li", jats.content(item, level))),
    ),
  "def-list": (node, level) =>
    element(
      "dl",
      children(node, "def-item").flatMap((item) => [
        ...children(item, "term").map((term) => element("dt", jats.content(term, level))),
        ...children(item, "def").map((meaning) => element("dd", jats.content(meaning, level))),
      ]),
    ),
  "fig fig-group table-wrap table-wrap-group supplementary-material": floating,
  "table oasis:table": (node, level) => tableOf(node, (cell) => jats.content(cell, level)),
  "code preformat": (node) => element("pre", [textOf(node)], { "data-lang": node.attributes.language ?? "" }),
  "disp-formula": (node) => element("p", [...formula(node), labelOf(node)]),
  "inline-formula alternatives": formula,
  "tex-math": (node) => plainTex(textOf(node)),
  math: mathElement,
  "ext-link uri": (node, _level, inner) =>
    element("a", inner(), { href: node.attributes["xlink:href"] ?? "" }),
  sup: (node, _level, inner) => {
    const isCitation = children(node, "xref").some((xref) => xref.attributes["ref-type"] === "bibr");
    return isCitation ? ["[", ...inner(), "]"] : element("sup", inner());
  },
  // Surname and given names in the order of references.
  name: (node) => joined(children(node).map((one) => textOf(one).trim()), " "),
  "mixed-citation element-citation nlm-citation citation": citation,
});

/** Returns a part of the text with its heading. */
function part(node: XmlElement, level: number): Content {
  const title = child(node, "title") ?? child(node, "book-part-meta", "title-group", "title");
  const heading = title !== undefined
    ? [labelOf(node), ...jats.content(title, level)]
    : node.name === "ack"
    ? ["Acknowledgements"]
    : [];
  const rest = node.children.filter((one) =>
    typeof one === "string" || one !== title && !one.name.endsWith("-meta")
  );
  return [
    section(
      level,
      heading,
      jats.content({ ...node, children: rest }, level + (heading.length === 0 ? 0 : 1)),
    ),
  ];
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
      parts.push(...jats.content(part, level), " ");
    } else rest.push(...jats.element(part, level));
  }
  const picture = textOf(child(node, "alt-text")).trim();
  return [
    element("p", parts),
    ...rest,
    ...(node.name === "fig" ? [element("figure", [element("img", [], { alt: picture })])] : []),
    ...children(node).filter((one) => one !== caption).flatMap((one) => jats.element(one, level)),
  ];
}

/** Returns a formula in the best available form: TeX, MathML, text. */
function formula(node: XmlElement): Content {
  const inner = child(node, "alternatives") ?? node;
  const source = child(inner, "tex-math");
  if (source !== undefined) return [plainTex(textOf(source))];
  const math = child(inner, "math");
  return math !== undefined ? [mathElement(math)] : jats.content(node, 6);
}

/** Returns TeX without the document that some publishers wrap around each formula. */
function plainTex(source: string): string {
  const body = /\\begin\{document\}([^]*?)\\end\{document\}/.exec(source)?.[1] ?? source;
  return tex(body);
}

/** Returns the references as a list, with their numbers if they have any. */
function references(node: XmlElement, level: number): Content {
  const title = child(node, "title");
  const items = children(node, "ref").map((ref) => {
    const number = /^\D?(\d{1,5})\D?$/.exec(textOf(child(ref, "label")).trim())?.[1];
    const texts = children(ref).flatMap((one) => one.name === "label" ? [] : [...jats.element(one, 6), " "]);
    return { number, texts };
  });
  const isNumbered = items.every(({ number }) => number !== undefined);
  const list = element(
    isNumbered ? "ol" : "ul",
    items.map(({ number, texts }) => element("li", texts, isNumbered ? { value: number! } : {})),
  );
  const inner = children(node, "ref-list").flatMap((one) => references(one, level + 1));
  return [
    section(level, title === undefined ? ["References"] : jats.content(title, level), [list, ...inner]),
  ];
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
  const people = [
    ...children(node, "person-group").flatMap((group) => children(group)),
    ...children(node, "name"),
    ...children(node, "collab"),
  ].map((one) =>
    one.name === "name"
      ? children(one).map(textOf).join(" ")
      : one.name === "etal"
      ? "et al"
      : textOf(one).trim()
  );
  const pages = joined([part("fpage", "elocation-id"), part("lpage")], "–");
  const year = part("year");
  const numbers = children(node, "pub-id").map((id) =>
    `${(id.attributes["pub-id-type"] ?? "").toUpperCase()}: ${textOf(id).trim()}`
  );
  const sentences = [
    joined(people, ", "),
    part("article-title", "data-title", "chapter-title", "part-title"),
    joined([part("source"), joined([part("volume"), pages], ":"), year === "" ? "" : `(${year})`], " "),
    joined([part("publisher-loc"), part("publisher-name")], ": "),
    numbers.join(", "),
    textOf(child(node, "ext-link")).trim(),
  ];
  return joined(sentences.map((one) => one === "" || /[.?!]$/.test(one) ? one : `${one}.`), " ");
}
