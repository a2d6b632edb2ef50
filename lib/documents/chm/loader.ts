/** Loads compiled help files (`.chm`): the pages in the order of the table of contents. */
import { decodeHtml } from "../decode.ts";
import { convertHtml } from "../html/loader.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { described } from "../metadata.ts";
import { DocumentError, guarded, type Loader } from "../types.ts";
import { HelpContainer } from "./container.ts";
import { readFacts, readTopics, type Topic } from "./contents.ts";

/** Deepest level of a heading that the table of contents gives. */
const DEEPEST = 6;

/** Compiled help files. Each page is a chapter, with its title from the table of contents if it has no heading. */
export const loader: Loader = guarded(async (bytes, file) => {
  const container = new HelpContainer(bytes);
  const facts = readFacts(container);
  const builder = new MarkdownBuilder();
  let number = 0;
  let found = 0;
  /** Entries without a page, whose headings precede the first page below them. */
  let open: Topic[] = [];
  for (const topic of await inOrder(container, facts)) {
    open = open.filter(({ level }) => level < topic.level);
    if (topic.path === undefined) {
      open.push(topic);
      continue;
    }
    const page = container.read(topic.path);
    if (page === undefined) continue;
    found++;
    const source = await decodeHtml(page, file.encoding, facts.encoding);
    const title = topic.title || titleOf(source);
    builder.page(++number, "chapter", title);
    for (const { level, title } of open) builder.heading(Math.min(level, DEEPEST), title);
    open = [];
    const level = Math.min(topic.level, DEEPEST);
    await convertHtml(source, builder, {
      extent: "whole",
      headingOffset: level - 1,
      heading: title === "" ? undefined : { title, level },
    });
  }
  if (found === 0) throw new DocumentError("damaged", "the help file contains no page that can be read");
  return builder.finish(described([["title", facts.title], ["language", facts.language]]));
});

/** Returns the title of a page. */
function titleOf(source: string): string {
  return /<title>([^<]{1,300})<\/title>/i.exec(source.slice(0, 5_000))?.[1]?.trim() ?? "";
}

/** Returns the entries of the table of contents, each page once, and then the pages that are not in it. */
async function inOrder(container: HelpContainer, facts: ReturnType<typeof readFacts>): Promise<Topic[]> {
  const seen = new Set<string>();
  const topics = (await readTopics(container, facts)).filter(({ path }) => {
    const isNew = path === undefined || !seen.has(path);
    if (path !== undefined) seen.add(path);
    return isNew;
  });
  const others = [...container.paths].filter((path) => /^\/.*\.x?html?$/i.test(path) && !seen.has(path))
    .sort();
  return [...topics, ...others.map((path) => ({ path, title: "", level: 1 }))];
}
