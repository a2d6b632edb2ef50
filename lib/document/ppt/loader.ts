import { readStreams } from "../compound/streams.ts";
import { readSummary } from "../compound/summary.ts";
import type { Loader } from "../loader.ts";
import { guarded } from "../reader/guarded.ts";
import { type Document, DocumentError } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { PersistentRecords } from "./persistent.ts";
import { type PptRecord, recordsIn, TYPE, uint32 } from "./records.ts";
import { boxTexts, isTitle, type Text, textsOf } from "./texts.ts";

const MOST_SLIDES = 20_000;
const NOTES = 2;

/** A slide in the list of the document. */
interface Listed {
  readonly number: number;
  readonly id: number;
  readonly records: PptRecord[];
}

/** PowerPoint presentations of the binary format of 1997 to 2003 (MS-PPT): titles, texts and notes. */
export const loader: Loader = { load: (bytes) => guarded(() => loadPpt(bytes)) };

function loadPpt(bytes: Uint8Array): Document {
  const streams = readStreams(bytes);
  const stream = streams.get("powerpoint document");
  const user = streams.get("current user");
  if (stream === undefined || user === undefined) {
    throw new DocumentError("damaged", "the file contains no presentation");
  }
  const records = new PersistentRecords(stream, user);
  const notes = new Map(listed(records.document, 2).map(({ id, number }) => [id, number]));
  const builder = new MarkdownBuilder();
  const slides = listed(records.document, 0);
  if (slides.length > MOST_SLIDES) throw new DocumentError("too_complex", `it has ${slides.length} slides`);
  const seen = new Set<number>();
  for (const [i, slide] of slides.entries()) {
    builder.page(i + 1, "slide");
    // A slide that is listed twice is read once.
    if (seen.has(slide.number)) continue;
    seen.add(slide.number);
    addSlide(slide, records, notes, builder);
  }
  const { title, metadata } = readSummary(streams.get("\x05summaryinformation"));
  return builder.finish({ title: title !== undefined && MADE_UP.test(title) ? undefined : title, metadata });
}

/** Matches titles that PowerPoint gives to new presentations. */
const MADE_UP = /^(?:powerpoint.*|(?:slide|幻灯片|投影片) ?\d+|no slide title|没有幻灯片标题)$/i;

function addSlide(
  { number, records: own }: Listed,
  records: PersistentRecords,
  notes: Map<number, number>,
  builder: MarkdownBuilder,
): void {
  const outline = textsOf(own);
  const slide = records.get(number);
  const shown = slide === undefined ? [] : boxTexts(slide, outline);
  const texts = [...outline.filter((one) => !shown.includes(one)), ...shown];
  const title = texts.find((one) => isTitle(one) && one.text.trim() !== "");
  if (title !== undefined) builder.heading(1, title.text.replace(/[\r\v]/g, " "));
  for (const one of texts) if (one !== title) addText(one, builder);
  if (slide === undefined) return;
  for (const { type, data } of recordsIn(slide.data)) {
    if (type !== TYPE.slideAtom) continue;
    const id = uint32(data, 16);
    const page = records.get(notes.get(id) ?? -1);
    notes.delete(id);
    if (page === undefined) continue;
    for (const one of boxTexts(page, [])) if (one.kind === NOTES) addText(one, builder);
  }
}

function addText({ text }: Text, builder: MarkdownBuilder): void {
  // An asterisk stands for the number of the slide or the date.
  if (text.trim() === "*") return;
  for (const paragraph of text.split("\r")) builder.paragraph(paragraph.replaceAll("\v", "\n"));
}

/** Returns the slides (`instance` 0) or pages of notes (2) in the lists of the document, with the texts listed for each. */
function listed(document: PptRecord, instance: number): Listed[] {
  const all: Listed[] = [];
  for (const list of recordsIn(document.data)) {
    if (list.type !== TYPE.slideList || list.instance !== instance) continue;
    for (const record of recordsIn(list.data)) {
      if (record.type === TYPE.persist) {
        all.push({ number: uint32(record.data, 0), id: uint32(record.data, 12), records: [] });
      } else all.at(-1)?.records.push(record);
    }
  }
  return all;
}
