import { readStreams } from "../compound/streams.ts";
import { readSummary } from "../compound/summary.ts";
import type { Loader } from "../loader.ts";
import { guarded } from "../reader/guarded.ts";
import type { Document } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { Blocks } from "./blocks.ts";
import { cutOff, PART, readFib } from "./fib.ts";
import { Lists } from "./lists.ts";
import { readNotes } from "./notes.ts";
import { Paragraphs } from "./paragraphs.ts";
import { Pieces } from "./pieces.ts";
import { characterRuns, paragraphRuns } from "./properties.ts";
import { Styles } from "./styles.ts";

/** Word documents of the binary format of 1997 to 2003 (MS-DOC). */
export const loader: Loader = { load: (bytes) => guarded(() => loadDoc(bytes)) };

function loadDoc(bytes: Uint8Array): Document {
  const streams = readStreams(bytes);
  const stream = streams.get("worddocument");
  const fib = readFib(stream);
  const table = streams.get(fib.isSecondTable ? "1table" : "0table");
  if (stream === undefined || table === undefined) throw cutOff();
  const part = (index: number) => {
    const { at, size } = fib.part(index);
    return table.subarray(at, at + size);
  };
  const pieces = new Pieces(stream, part(PART.pieces));
  const paragraphs = new Paragraphs(
    pieces,
    paragraphRuns(stream, part(PART.paragraphProperties)),
    characterRuns(stream, part(PART.characterProperties)),
    readNotes(fib, part),
  );
  const lists = new Lists(table, fib.part(PART.lists), part(PART.listUses));
  const builder = new MarkdownBuilder();
  const blocks = new Blocks(paragraphs, new Styles(part(PART.styles)), lists, builder);
  const { text, footnotes, headers, comments, endnotes, textBoxes } = fib.lengths;
  blocks.add(0, text);
  const boxes = text + footnotes + headers + comments + endnotes;
  blocks.add(boxes, boxes + textBoxes);
  const { title, metadata } = readSummary(streams.get("\x05summaryinformation"));
  return builder.finish({ title: blocks.title ?? title, metadata });
}
