import type { Loader } from "../loader.ts";
import { PREFIXES } from "../ooxml/namespaces.ts";
import { Package } from "../ooxml/package.ts";
import { guarded } from "../reader/guarded.ts";
import type { Document } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { readElements } from "../xml/mod.ts";
import { Blocks } from "./blocks.ts";

const BLOCKS = [
  "w:p",
  "w:tbl",
  "w:sdt",
  "w:ins",
  "w:moveTo",
  "w:customXml",
  "m:oMathPara",
  "mc:AlternateContent",
];

/** Word documents (Office Open XML), read block by block. */
export const loader: Loader = { load: (bytes) => guarded(() => loadDocx(bytes)) };

function loadDocx(bytes: Uint8Array): Document {
  const file = new Package(bytes);
  const part = file.main("word/document.xml");
  const blocks = new Blocks(file, part);
  const builder = new MarkdownBuilder();
  for (const { element } of readElements(file.zip.pieces(part), BLOCKS, { prefixes: PREFIXES })) {
    blocks.add(element, builder);
  }
  blocks.finish(builder);
  const { title, metadata } = file.properties();
  return builder.finish({ title: blocks.title ?? title, metadata });
}
