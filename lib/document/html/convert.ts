import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { selectContent } from "./boilerplate.ts";
import { Flow } from "./flow.ts";
import { measureTree } from "./measure.ts";
import { type PageFacts, readFacts } from "./metadata.ts";
import { type Page, parseHtml } from "./parse.ts";
import { type Element, find } from "./tree.ts";

/** Options for converting HTML to Markdown. */
export interface ConvertOptions {
  /** Whether the source is XHTML, where `<p/>` is an empty element. */
  readonly xml?: boolean;
  /** `page` leaves out navigation and the like. `whole` keeps everything visible. */
  readonly extent: "page" | "whole";
  /** Added to the levels of headings. */
  readonly headingOffset?: number;
  /** Heading to write before a page that has text but no heading. */
  readonly heading?: { readonly title: string; readonly level: number };
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
