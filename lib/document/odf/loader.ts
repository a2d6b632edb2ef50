import type { Loader } from "../loader.ts";
import { loader as spreadsheets } from "../ods/loader.ts";
import { guarded } from "../reader/guarded.ts";
import { type Document, DocumentError } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, readElements, type XmlElement } from "../xml/mod.ts";
import { Blocks } from "./blocks.ts";
import { readMetadata } from "./metadata.ts";
import { PREFIXES } from "./namespaces.ts";
import { Package } from "./package.ts";
import { addSlide } from "./slides.ts";
import { Styles } from "./styles.ts";

/** Most slides of a presentation. */
const MOST_SLIDES = 20_000;

const STYLES = new Set(["office:styles", "office:automatic-styles", "office:font-face-decls"]);
/** Elements without text to show: indexes repeat the text, and tracked deletions are gone. */
const SILENT = [
  "office:master-styles",
  "office:settings",
  "office:scripts",
  "office:forms",
  "text:tracked-changes",
  "text:table-of-content",
  "text:illustration-index",
  "text:table-index",
  "text:object-index",
  "text:user-index",
  "text:alphabetical-index",
  "text:variable-decls",
  "text:sequence-decls",
  "presentation:settings",
];
const SHAPES = ["frame", "g", "custom-shape", "rect", "ellipse", "circle", "line", "polygon", "a"];
const BLOCKS = ["text:p", "text:h", "text:list", "table:table", ...SHAPES.map((name) => `draw:${name}`)];
const WANTED = ["office:meta", ...STYLES, ...SILENT, ...BLOCKS, "draw:page"];

/** OpenDocument texts, presentations and spreadsheets, their templates and their flat XML variants. */
export const loader: Loader = {
  load: (bytes, file) =>
    guarded(() => {
      const opened = new Package(bytes);
      return opened.kind === "spreadsheet" ? spreadsheets.load(bytes, file) : loadBlocks(opened);
    }),
};

/** Reads a text or presentation block by block. */
function loadBlocks(file: Package): Document {
  const styles = new Styles();
  const shared = file.part("styles.xml");
  for (const name of STYLES) styles.add(child(shared, name));
  let meta: XmlElement | undefined = child(file.part("meta.xml"), "office:meta");
  const blocks = new Blocks(file, styles);
  const builder = new MarkdownBuilder();
  const silent = new Set(SILENT);
  let slides = 0;
  for (const { element, ancestors } of readElements(file.content(), WANTED, { prefixes: PREFIXES })) {
    if (silent.has(element.name)) continue;
    if (element.name === "office:meta") meta = element;
    else if (STYLES.has(element.name)) styles.add(element);
    else if (element.name === "draw:page") {
      if (++slides > MOST_SLIDES) {
        throw new DocumentError("too_complex", `it has more than ${MOST_SLIDES} slides`);
      }
      addSlide(element, slides, blocks, builder);
    } else if (ancestors.every((one) => one.attributes["text:display"] !== "none")) {
      blocks.add(element, builder);
    }
  }
  blocks.finish(builder);
  const { title, metadata } = readMetadata(meta);
  return builder.finish({ title: blocks.title ?? title, metadata });
}
