/**
 * Loads PowerPoint presentations of the binary format of 1997 to 2003 (MS-PPT): titles, texts and notes.
 * Below it: the texts of a slide, and the records of the file.
 */
import { readStreams } from "../office/binary.ts";
import { readSummary } from "../office/properties.ts";
import { DocumentError, guarded, type Loader, viewOf } from "../types.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";

const MOST_SLIDES = 20_000;
const NOTES = 2;

/** A slide in the list of the document. */
interface Listed {
  readonly number: number;
  readonly id: number;
  readonly records: PptRecord[];
}

/** PowerPoint presentations of the binary format of 1997 to 2003 (MS-PPT): titles, texts and notes. */
export const loader: Loader = guarded((bytes) => {
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
  const { title, metadata } = readSummary(streams);
  return builder.finish({ title: title !== undefined && MADE_UP.test(title) ? undefined : title, metadata });
});

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

/** A text on a slide. */
interface Text {
  /** Type of the text: 0 and 6 are titles, 2 is notes. */
  readonly kind: number;
  readonly text: string;
}

/** Deepest nesting of groups; shapes in deeper ones are left out. */
const DEEPEST = 50;

function isTitle({ kind }: Text): boolean {
  return kind === 0 || kind === 6;
}

/**
 * Returns the texts among records, with the type in the header before each. `outline`: texts that a record may refer to by
 * index.
 */
function textsOf(records: Iterable<PptRecord>, outline: readonly Text[] = []): Text[] {
  const texts: Text[] = [];
  let kind = 4;
  for (const { type, data } of records) {
    if (type === TYPE.textHeader) kind = uint32(data, 0);
    else if (type === TYPE.wideText) {
      texts.push({ kind, text: new TextDecoder("utf-16le").decode(data) });
      // One byte per character: the lower halves of UTF-16.
    } else if (type === TYPE.narrowText) texts.push({ kind, text: new TextDecoder("latin1").decode(data) });
    else if (type === TYPE.outlineReference) {
      const found = outline[uint32(data, 0)];
      if (found !== undefined) texts.push(found);
    }
  }
  return texts;
}

/** Returns the texts in the boxes of a slide's drawing, in its order. */
function boxTexts(container: PptRecord, outline: readonly Text[]): Text[] {
  const texts: Text[] = [];
  const visit = ({ data }: PptRecord, depth: number) => {
    for (const record of recordsIn(data)) {
      if (record.type === TYPE.textBox) texts.push(...textsOf(recordsIn(record.data), outline));
      else if (record.isContainer && depth < DEEPEST) visit(record, depth + 1);
    }
  };
  visit(container, 0);
  return texts;
}

/** Records that a presentation refers to by number. Each save may replace them by new ones. */
class PersistentRecords {
  /** The record that lists the slides. */
  readonly document: PptRecord;
  readonly #stream: Uint8Array;
  readonly #offsets = new Map<number, number>();

  /** `user`: the stream that refers to the last edit. Throws {@linkcode DocumentError}. */
  constructor(stream: Uint8Array, user: Uint8Array) {
    this.#stream = stream;
    if (uint32(user, 12) === ENCRYPTED) throw encrypted();
    let at = uint32(user, 16);
    let document: number | undefined;
    const seen = new Set<number>();
    while (at !== 0 && !seen.has(at)) {
      seen.add(at);
      const edit = recordAt(stream, at);
      if (edit.type !== TYPE.edit) throw broken();
      // An encrypted file also refers to its keys.
      if (edit.data.length >= 32 && uint32(edit.data, 28) !== 0) throw encrypted();
      document ??= uint32(edit.data, 16);
      this.#add(recordAt(stream, uint32(edit.data, 12)));
      at = uint32(edit.data, 8);
    }
    const found = document === undefined ? undefined : this.get(document);
    if (found === undefined) throw broken();
    this.document = found;
  }

  /** Returns the newest record of a number. */
  get(number: number): PptRecord | undefined {
    const at = this.#offsets.get(number);
    return at === undefined ? undefined : recordAt(this.#stream, at);
  }

  /** Adds the offsets in a directory, except for numbers that are already known from a newer edit. */
  #add({ type, data }: PptRecord): void {
    if (type !== TYPE.directory) throw broken();
    for (let at = 0; at + 4 <= data.length;) {
      const head = uint32(data, at);
      const count = head >>> 20;
      at += 4;
      for (let i = 0; i < count && at + 4 <= data.length; i++, at += 4) {
        const number = (head & 0xfffff) + i;
        if (!this.#offsets.has(number)) this.#offsets.set(number, uint32(data, at));
      }
    }
  }
}

const ENCRYPTED = 0xf3d1c4df;

function encrypted(): DocumentError {
  return new DocumentError("encrypted", "a password is needed to open the file");
}

/** A record of a presentation (MS-PPT 2.3.1). */
interface PptRecord {
  readonly type: number;
  readonly instance: number;
  /** Bytes without the header. */
  readonly data: Uint8Array;
  readonly isContainer: boolean;
}

const TYPE = {
  slide: 1006,
  slideAtom: 1007,
  persist: 1011,
  outlineReference: 3998,
  textHeader: 3999,
  wideText: 4000,
  narrowText: 4008,
  slideList: 4080,
  edit: 4085,
  directory: 6002,
  textBox: 0xf00d,
} as const;

/**
 * Returns the record at an offset, cut off at the end of the bytes. Throws {@linkcode DocumentError} `damaged` if there is
 * none.
 */
function recordAt(bytes: Uint8Array, at: number): PptRecord {
  if (at < 0 || at + 8 > bytes.length) throw broken();
  const view = viewOf(bytes);
  const head = view.getUint16(at, true);
  const data = bytes.subarray(at + 8, at + 8 + view.getUint32(at + 4, true));
  return { type: view.getUint16(at + 2, true), instance: head >> 4, data, isContainer: (head & 0xf) === 0xf };
}

/** Yields the records in a container. */
function* recordsIn(data: Uint8Array): Generator<PptRecord, void, undefined> {
  for (let at = 0; at + 8 <= data.length;) {
    const record = recordAt(data, at);
    yield record;
    at += 8 + record.data.length;
  }
}

function uint32(data: Uint8Array, at: number): number {
  if (at + 4 > data.length) throw broken();
  return viewOf(data).getUint32(at, true);
}

function broken(): DocumentError {
  return new DocumentError("damaged", "the presentation is cut off or broken");
}
