/**
 * Loads web pages: parses a page, selects its main content and writes it as Markdown.
 * Below it: title, author, date and language of a page.
 */
import { type Document, guarded, type Loader, type Metadata, words } from "../types.ts";
import { described, isoDate, oneLine, united } from "../metadata.ts";
import { readFrontMatter } from "../text/front_matter.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { decodeHtml } from "../decode.ts";
import { measureTree, selectContent } from "./boilerplate.ts";
import { Flow } from "./flow.ts";
import { attribute, type Element, find, lineOf, type Page, parseHtml, textOf, walk } from "./parse.ts";

/** HTML and XHTML: the main content of a page, or all of it if the main content is not certain. */
export const loader: Loader = guarded(async (bytes, file) => {
  return await loadHtml(await decodeHtml(bytes, file.encoding));
});

/** Returns the document of a decoded page. */
export async function loadHtml(source: string): Promise<Document> {
  const builder = new MarkdownBuilder();
  // Site generators keep the title and date of a page above its markup.
  const { end, fields } = readFrontMatter(source);
  if (fields !== undefined) source = source.slice(end);
  const facts = await convertHtml(source, builder, { xml: isXhtml(source), extent: "page" });
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
  const flow = new Flow(builder, { measures, omitted, host, headingOffset: options.headingOffset ?? 0 });
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

const AUTHOR = [
  ...words("author article:author citation_author dc.creator dcterms.creator byl parsely-author"),
];
const DATE = [...words(
  "article:published_time date dc.date dc.date.issued dcterms.created dcterms.date citation_publication_date citation_date",
  "pubdate publishdate datepublished",
)];
const CHANGED = [...words("article:modified_time og:updated_time dcterms.modified last-modified")];

/** Reads title, author, date and language from the head of a page, its JSON-LD and its `<time>`. */
function readFacts(root: Element, comments: readonly string[]): PageFacts {
  const named = new Map<string, string>();
  let title = "";
  let language = "";
  let time = "";
  let address = "";
  const linked: Linked = {};
  walk(root, (element) => {
    if (element.name === "svg") return false;
    const value = (name: string) => attribute(element, name).trim();
    if (element.name === "meta") {
      const key = (value("name") || value("property") || value("itemprop")).toLowerCase();
      if (key !== "" && value("content") !== "" && !named.has(key)) named.set(key, value("content"));
    } else if (element.name === "title") title ||= lineOf(element);
    else if (element.name === "html" || element.name === "body") {
      language ||= value("lang") || value("xml:lang");
    } else if (element.name === "time") time ||= value("datetime");
    else if (element.name === "base" || (element.name === "link" && value("rel") === "canonical")) {
      address ||= value("href");
    } else if (element.name === "script" && /ld\+json/i.test(value("type"))) {
      readLinkedData(textOf(element), linked);
    } else if (language === "" && /^(?:div|main|article)$/.test(element.name)) language = value("lang");
  });
  const first = (keys: readonly string[]) =>
    keys.map((key) => named.get(key)).find((found) => found !== undefined) ?? "";
  address ||= named.get("og:url") ?? /saved from url=\(\d+\)(\S+)/.exec(comments.join("\n"))?.[1] ?? "";
  const author = first(AUTHOR) || linked.author || "";
  const date = isoDate(first(DATE)) ?? isoDate(linked.date ?? "") ?? isoDate(time);
  const description = named.get("description") ?? named.get("og:description") ?? "";
  const { metadata } = described([
    ["author", /^https?:/.test(author) ? "" : author],
    ["published", date],
    ["modified", first(CHANGED)],
    ["language", language || (named.get("og:locale") ?? "")],
    ["keywords", named.get("keywords")],
    ["canonical", address],
    ["description", description],
  ]);
  const host = /^https?:\/\/([^/?#\s]+)/i.exec(address)?.[1]?.toLowerCase();
  return {
    title: oneLine(title || (named.get("og:title") ?? "") || (linked.headline ?? "")),
    description: oneLine(description),
    metadata,
    host,
  };
}

interface Linked {
  author?: string;
  date?: string;
  headline?: string;
}

function readLinkedData(source: string, found: Linked): void {
  if (source.length > 200_000) return;
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch {
    return;
  }
  const visit = (value: unknown, depth: number) => {
    if (depth > 4 || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) return value.slice(0, 50).forEach((one) => visit(one, depth + 1));
    const record = value as Record<string, unknown>;
    if (typeof record.headline === "string") found.headline ??= record.headline;
    if (typeof record.datePublished === "string") found.date ??= record.datePublished;
    const author = Array.isArray(record.author) ? record.author[0] : record.author;
    const name = typeof author === "object" && author !== null
      ? (author as Record<string, unknown>).name
      : author;
    if (typeof name === "string") found.author ??= name;
    visit(record["@graph"], depth + 1);
  };
  visit(data, 0);
}
