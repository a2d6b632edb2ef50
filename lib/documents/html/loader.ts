/**
 * Loads web pages: parses a page, selects its main content and writes it as Markdown.
 * Below it: title, author, date and language of a page.
 */
import { type Document, type FileName, guarded, type Loader, type Metadata, words } from "../types.ts";
import { described, isoDate, oneLine, united } from "../metadata.ts";
import { readFrontMatter } from "../text/front_matter.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { decodeHtml } from "../decode.ts";
import { measureTree, selectContent } from "./boilerplate.ts";
import { Flow } from "./flow.ts";
import type { PictureSource } from "../pictures/types.ts";
import { attribute, type Element, find, lineOf, type Page, parseHtml, textOf, walk } from "./parse.ts";

/** HTML and XHTML: the main content of a page, or all of it if the main content is not certain. */
export const loader: Loader = guarded(async (bytes, file) => {
  return await loadHtml(await decodeHtml(bytes, file.encoding), file);
});

/** Returns the document of a decoded page. `pictureAt`: see {@linkcode ConvertOptions}. */
export async function loadHtml(
  source: string,
  file: FileName,
  pictureAt?: ConvertOptions["pictureAt"],
): Promise<Document> {
  const builder = new MarkdownBuilder(file);
  // Site generators keep the title and date of a page above its markup.
  const { end, fields } = readFrontMatter(source);
  if (fields !== undefined) source = source.slice(end);
  const facts = await convertHtml(source, builder, { xml: isXhtml(source), extent: "page", pictureAt });
  const title = fields?.title ?? facts.title;
  if (builder.length === 0 && title !== "") {
    builder.heading(1, title);
    builder.paragraph(facts.description);
  }
  return builder.finish({
    title,
    metadata: fields?.metadata === undefined ? facts.metadata : united(fields.metadata, facts.metadata),
  });
}

/** Returns whether a page is real XHTML, where elements may be empty. Other pages only have similar tags. */
function isXhtml(source: string): boolean {
  const head = source.slice(0, 2_000);
  return /^\s*<\?xml\s/.test(head) && /<html[^>]{0,500}\sxmlns\s*=/i.test(head);
}

/** Options for converting HTML to Markdown. */
export interface ConvertOptions {
  /** Whether the source is XHTML, where `<p/>` is an empty element. */
  readonly xml?: boolean;
  /** `page` leaves out navigation and the like. `whole` keeps everything visible. */
  readonly extent: "page" | "whole";
  /** Added to the levels of headings. */
  readonly headingOffset?: number;
  /** Heading to write before a page that has text but no heading. */
  readonly heading?: { readonly title: string; readonly level: number } | undefined;
  /** Returns where the picture at an address is. By default it is named by the address. Data in the page itself is not asked for. */
  readonly pictureAt?: ((address: string) => PictureSource) | undefined;
}

/** Adds the content of HTML to a document. Loads no other resources. Throws {@linkcode DocumentError} `too_complex`. */
export async function convertHtml(
  source: string,
  builder: MarkdownBuilder,
  options: ConvertOptions,
): Promise<PageFacts> {
  const page = await parseHtml(source, { xml: options.xml ?? false });
  await openNoframes(page.root);
  const facts = readFacts(page.root, page.comments);
  writePage(page, builder, options, facts.host);
  return facts;
}

/** Parses the content for programs without frames, which the HTML parser takes for plain text. */
async function openNoframes(root: Element): Promise<void> {
  const noframes = find(root, "noframes");
  const text = noframes?.children[0];
  if (noframes === undefined || typeof text !== "string") return;
  const inner = await parseHtml(text);
  noframes.children.splice(0, Infinity, ...inner.root.children.slice(0, 10_000));
}

function writePage(
  page: Page,
  builder: MarkdownBuilder,
  options: ConvertOptions,
  host: string | undefined,
): void {
  let measures = measureTree(page.root, { hidden: false });
  const visible = measures.get(page.root)!.text;
  if (visible < 200) {
    // A script would show the hidden content, or move it to its place.
    const all = measureTree(page.root, { hidden: true });
    if (all.get(page.root)!.text > 4 * visible) measures = all;
  }
  const { content, omitted, heading } = options.extent === "page"
    ? selectContent(page.root, measures)
    : { content: page.root, omitted: new Set<never>(), heading: undefined };
  const { text, hasHeading } = measures.get(page.root)!;
  if (options.heading !== undefined && !hasHeading && text > 0) {
    builder.heading(options.heading.level, options.heading.title);
  }
  const flow = new Flow(builder, {
    measures,
    omitted,
    host,
    headingOffset: options.headingOffset ?? 0,
    pictureAt: options.pictureAt ?? ((link) => ({ link })),
    record: (picture) => builder.image(undefined, picture),
  });
  if (heading !== undefined) flow.write(heading);
  flow.write(content);
}

/** Title and metadata of a page. */
interface PageFacts {
  readonly title: string;
  readonly description: string;
  readonly metadata: Metadata | undefined;
  /** Host of the page. */
  readonly host: string | undefined;
}

/** Names of fields in the head of a page: common ones, those of Dublin Core, Open Graph and scientific publishers. The first that a page has counts. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  author: [
    ...words(
      "author article:author citation_author dc.creator dcterms.creator byl parsely-author sailthru.author",
    ),
  ],
  published: [...words(
    "article:published_time dc.date dc.date.issued dcterms.issued dcterms.date citation_publication_date citation_date",
    "date pubdate publishdate datepublished parsely-pub-date",
  )],
  created: [...words("dcterms.created dc.date.created")],
  modified: [
    ...words("article:modified_time og:updated_time dcterms.modified datemodified last-modified lastmod"),
  ],
  tags: [
    ...words("keywords news_keywords article:tag citation_keywords dc.subject dcterms.subject parsely-tags"),
  ],
  description: [
    ...words("description og:description dc.description dcterms.description twitter:description"),
  ],
  canonical: [...words("og:url citation_public_url")],
  accessLevel: [...words("access access_level access-level confidentiality dcterms.accessrights")],
  status: ["status"],
};
/** Other fields that are kept, by their name in `extra`. */
const OTHERS: Readonly<Record<string, string>> = {
  "article:section": "section",
  "og:site_name": "site",
  "og:type": "type",
  "citation_doi": "doi",
  "dc.identifier": "identifier",
  "citation_journal_title": "journal",
  "citation_isbn": "isbn",
  "dc.publisher": "publisher",
  "dcterms.publisher": "publisher",
  "dc.rights": "rights",
  "dcterms.rights": "rights",
};

/** Reads title and metadata from the head of a page, its JSON-LD and its `<time>`. */
function readFacts(root: Element, comments: readonly string[]): PageFacts {
  const named = new Map<string, string[]>();
  let title = "", language = "", time = "", base = "", address = "";
  const linked: [name: string, value: unknown][] = [];
  walk(root, (element) => {
    if (element.name === "svg") return false;
    const value = (name: string) => attribute(element, name).trim();
    if (element.name === "meta") {
      const key = (value("name") || value("property") || value("itemprop")).toLowerCase();
      const content = value("content");
      const before = named.get(key) ?? [];
      if (key !== "" && content !== "" && before.length < MOST_VALUES) named.set(key, [...before, content]);
    } else if (element.name === "title") title ||= lineOf(element);
    else if (element.name === "html" || element.name === "body") {
      language ||= value("lang") || value("xml:lang");
    } else if (element.name === "time") time ||= value("datetime");
    else if (element.name === "base") base ||= value("href");
    else if (element.name === "link" && value("rel") === "canonical") address ||= value("href");
    else if (element.name === "script" && /ld\+json/i.test(value("type"))) {
      linked.push(...linkedData(textOf(element)));
    } else if (language === "" && /^(?:div|main|article)$/.test(element.name)) language = value("lang");
  });
  const first = (key: string) => named.get(key)?.[0] ?? "";
  const saved = /saved from url=\(\d+\)(\S+)/.exec(comments.join("\n"))?.[1];
  const fields = Object.entries(NAMES).flatMap(([field, keys]) => {
    const values = keys.map((key) => (named.get(key) ?? []).filter((one) => isOf(field, one)))
      .find((found) => found.length > 0);
    // One keyword field has all of them, and so has one author field with commas.
    return values === undefined ? [] : [[field, values.length === 1 ? values[0] : values] as const];
  });
  const has = (name: string) => fields.some(([field]) => field === name);
  const { title: headline, metadata } = described([
    ...fields,
    ["canonical", address],
    ["language", language || first("og:locale") || first("dc.language")],
    ...linked.filter(([name]) => !has(name)),
    ...(has("published") || linked.some(([name]) => name === "published")
      ? []
      : [["published", time] as const]),
    ["canonical", saved],
    ...Object.entries(OTHERS).map(([key, name]) => [name, first(key)] as const),
  ]);
  const host = [base, address, first("og:url"), saved ?? ""].map((one) =>
    /^https?:\/\/([^/?#\s]+)/i.exec(one)?.[1]?.toLowerCase()
  ).find((found) => found !== undefined);
  return {
    title: oneLine(title || first("og:title") || (headline ?? "")),
    description: oneLine(first("description") || first("og:description")),
    metadata,
    host,
  };
}

/** Values of one field that are read at most: each author and tag may have its own element. */
const MOST_VALUES = 50;

/** Whether a value fits a field. Some pages give the address of the author's page. */
function isOf(field: string, value: string): boolean {
  if (field === "author") return !/^https?:/.test(value);
  return !["published", "created", "modified"].includes(field) || isoDate(value) !== undefined;
}

/** Types in JSON-LD that describe a page, and not the site or a person. */
const ABOUT_PAGE =
  /Article|Posting|WebPage|Report|Book|Chapter|Dataset|Recipe|HowTo|Course|CreativeWork|Thesis|Guide|Document/;

/** Returns the fields of the first thing in JSON-LD that describes the page, those of the normal form by its names. */
function linkedData(source: string): [name: string, value: unknown][] {
  if (source.length > 200_000) return [];
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch {
    return [];
  }
  const all: Readonly<Record<string, unknown>>[] = [];
  const visit = (value: unknown, depth: number) => {
    if (depth > 4 || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) return value.slice(0, 50).forEach((one) => visit(one, depth + 1));
    const record = value as Record<string, unknown>;
    all.push(record);
    visit(record["@graph"], depth + 1);
    visit(record.mainEntity, depth + 1);
  };
  visit(data, 0);
  const typeOf = (one: Readonly<Record<string, unknown>>) => String([one["@type"] ?? ""].flat());
  const about = all.filter((one) => ABOUT_PAGE.test(typeOf(one)));
  const [thing] = [
    ...about.filter((one) => typeOf(one) !== "WebPage"),
    ...about,
    ...all.filter((one) => one.headline),
  ];
  if (thing === undefined) return [];
  // A graph names people and organisations by their identifiers.
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, MOST_VALUES).map(resolved);
    const id = (value as Record<string, unknown> | null)?.["@id"];
    return typeof id === "string" && (value as Record<string, unknown>).name === undefined
      ? all.find((one) => one["@id"] === id && one.name !== undefined)
      : value;
  };
  const nameOf = (value: unknown) => (value as Record<string, unknown> | null | undefined)?.name;
  return [
    ["title", thing.headline ?? thing.name],
    ["author", resolved(thing.author ?? thing.creator)],
    ["published", thing.datePublished],
    ["created", thing.dateCreated],
    ["modified", thing.dateModified],
    ["tags", thing.keywords],
    ["description", thing.description],
    ["section", thing.articleSection],
    ["publisher", nameOf(resolved(thing.publisher))],
  ];
}
