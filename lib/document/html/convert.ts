import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { selectContent } from "./boilerplate.ts";
import { Flow } from "./flow.ts";
import { measureTree } from "./measure.ts";
import { type PageFacts, readFacts } from "./metadata.ts";
import { type Page, parseHtml } from "./parse.ts";
import { type Element, find } from "./tree.ts";

/** How HTML is turned into Markdown. */
export interface ConvertOptions {
  /** XHTML, where `<p/>` is an element without content. */
  readonly xml?: boolean;
  /** `page` leaves out navigation and the like; `whole` keeps everything that is visible. */
  readonly extent: "page" | "whole";
  /** Added to the levels of headings. */
  readonly headingOffset?: number;
  /** Written before a page that has text but no heading. */
  readonly heading?: { readonly title: string; readonly level: number };
}

/** Adds the content of HTML to a document. Throws {@linkcode DocumentError} `too_complex`. Never loads anything. */
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

/** Reads what a page says to programs that show no frames; the parser takes it for plain text. */
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
    // A script was to show what is hidden, or to put it where it belongs.
    const all = measureTree(page.root, { hidden: true });
    if (all.get(page.root)!.text > 4 * visible) measures = all;
  }
  const { content, left, heading } = options.extent === "page"
    ? selectContent(page.root, measures)
    : { content: page.root, left: new Set<never>(), heading: undefined };
  const { text, hasHeading } = measures.get(page.root)!;
  if (options.heading !== undefined && !hasHeading && text > 0) {
    builder.heading(options.heading.level, options.heading.title);
  }
  const flow = new Flow(builder, { measures, left, host, headingOffset: options.headingOffset ?? 0 });
  if (heading !== undefined) flow.write(heading);
  flow.write(content);
}
