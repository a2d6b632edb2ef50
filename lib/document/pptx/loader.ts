import type { Loader } from "../loader.ts";
import { Package } from "../ooxml/package.ts";
import { guarded } from "../reader/guarded.ts";
import { type Document, DocumentError } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, children } from "../xml/mod.ts";
import { Layouts } from "./layout.ts";
import { SlideReader } from "./slide.ts";

const MOST_SLIDES = 10_000;

/** PowerPoint presentations (Office Open XML). A slide is a page. */
export const loader: Loader = { load: (bytes) => guarded(() => loadPptx(bytes)) };

function loadPptx(bytes: Uint8Array): Document {
  const file = new Package(bytes);
  const main = file.main("ppt/presentation.xml");
  const slides = children(child(file.part(main), "p:sldIdLst"), "p:sldId");
  if (slides.length > MOST_SLIDES) throw new DocumentError("too_complex", `it has ${slides.length} slides`);
  const builder = new MarkdownBuilder();
  const reader = new SlideReader(file, new Layouts(file), authorsOf(file, main));
  const emptyPages: number[] = [];
  for (const [i, { attributes }] of slides.entries()) {
    builder.page(i + 1, "slide");
    const before = builder.length;
    const part = file.target(main, attributes["r:id"])?.target;
    if (part !== undefined) reader.add(part, builder);
    if (builder.length === before) emptyPages.push(i + 1);
  }
  return builder.finish({ ...file.properties(), emptyPages });
}

function authorsOf(file: Package, main: string): Map<string, string> {
  const authors = new Map<string, string>();
  for (const { type, target } of file.relations(main)) {
    if (type !== "commentAuthors" && type !== "authors") continue;
    for (const { attributes } of children(file.part(target))) {
      authors.set(attributes["id"] ?? "", attributes["name"] ?? "");
    }
  }
  return authors;
}
