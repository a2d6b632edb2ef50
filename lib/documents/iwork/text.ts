/**
 * Writes the texts and drawn objects of an iWork archive as blocks of Markdown: paragraphs with their headings and lists, notes,
 * comments, text boxes, groups, pictures, tables and charts. Numbers of fields are those of the messages TSWP, TSD and TST.
 * Below it: attributes of a text, which are lists of places where they begin.
 */
import { alternative, type BlockSink, CellBuilder } from "../markdown_builder.ts";
import { commentLabel, HEADING, link, TITLE } from "../office/text.ts";
import type { SheetBudget } from "../office/sheet.ts";
import type { Archive, ArchiveObject, Message } from "./archive.ts";
import { appleDate, readChart, readTable, type TableSource, writeTable } from "./tables.ts";

/** Types of objects, by their numbers. */
const TEXT = [2001, 2005], DRAWABLE_ATTACHMENT = 2003, NOTE = 2008;
/** Deepest nesting of groups, and of texts in texts. */
const DEEPEST = 20;
/** Characters that stand for an attachment and for the mark of a note. */
const ATTACHMENT = "\ufffc", NOTE_MARK = "\u000e";
/** Ends of paragraphs: a line end, or a break of page, section or column. */
// deno-lint-ignore no-control-regex
const PARAGRAPH_END = /[\n\r\f\u2029\u0004\u0005]|$/g;

/** A text, its attributes, and where the paragraph that is written begins in it. */
interface Text {
  readonly characters: string;
  readonly styles: Attribute;
  readonly lists: Attribute;
  readonly levels: Attribute;
  readonly links: Attribute;
  readonly deleted: Attribute;
  readonly comments: Attribute;
  /** Objects by the place of their character. */
  readonly attached: ReadonlyMap<number, number>;
}

/** Writes the objects of a document, each once. */
export class ObjectWriter {
  readonly #archive: Archive;
  readonly #budget: SheetBudget;
  readonly #sink: BlockSink;
  readonly #seen: Set<number>;
  readonly #headings = new Map<number, number | undefined>();
  readonly #labels = new Map<number, readonly number[]>();
  /** Notes that were referred to since they were last written. */
  #notes: { readonly number: number; readonly text: number }[] = [];
  #noteCount = 0;
  readonly #tableLevel: number | undefined;
  #depth = 0;

  /** `tableLevel`: level of the headings that name tables, if they are headings. `seen`: objects that are written elsewhere. */
  constructor(
    archive: Archive,
    sink: BlockSink,
    budget: SheetBudget,
    tableLevel?: number,
    seen: Set<number> = new Set(),
  ) {
    this.#seen = seen;
    this.#tableLevel = tableLevel;
    this.#archive = archive;
    this.#sink = sink;
    this.#budget = budget;
  }

  /** Writes a text. `asHeading`: its paragraphs are a heading of this level. */
  text(id: number | undefined, asHeading?: number): void {
    const object = this.#new(id);
    if (object === undefined || !TEXT.includes(object.type)) return;
    this.#deeper(() => this.#paragraphs(textOf(object.message), asHeading));
    if (this.#depth === 0) this.#writeNotes();
  }

  /** Writes a drawn object with what it contains, and its comment. */
  drawable(id: number | undefined, asHeading?: number): void {
    const object = this.#new(id);
    if (object !== undefined) this.#deeper(() => this.#drawable(object, asHeading));
    if (this.#depth === 0) this.#writeNotes();
  }

  /** Returns the text of a cell or note on one line; an empty text if it is written elsewhere. */
  cell(id: number | undefined): string {
    const object = this.#archive.get(id);
    if (object === undefined || !TEXT.includes(object.type)) return "";
    const cell = new CellBuilder();
    const writer = new ObjectWriter(this.#archive, cell, this.#budget, undefined, this.#seen);
    writer.#depth = this.#depth + 1;
    writer.text(id);
    return cell.toString();
  }

  /** Writes a comment and the answers to it. */
  comment(id: number | undefined, place?: string): void {
    const object = this.#new(id);
    if (object === undefined) return;
    const { message } = object;
    const author = this.#archive.get(message.reference(3))?.message.text(1);
    const date = message.message(2)?.double(1);
    const day = date === undefined ? undefined : appleDate(date);
    const lines = message.text(1).split(/[\n\r\u2028\u2029]+/).filter((line) => line.trim() !== "");
    if (lines.length > 0) this.#sink.block(`${commentLabel(author, day, place)} ${lines.join("\n> ")}`);
    this.#deeper(() => {
      for (const answer of message.references(4)) this.comment(answer, place);
    });
  }

  #new(id: number | undefined): ArchiveObject | undefined {
    const object = this.#archive.get(id);
    if (object === undefined || this.#seen.has(object.id)) return undefined;
    this.#seen.add(object.id);
    return object;
  }

  #deeper(write: () => void): void {
    if (this.#depth >= DEEPEST) return;
    this.#depth++;
    write();
    this.#depth--;
  }

  #drawable({ type, message }: ArchiveObject, asHeading: number | undefined): void {
    const drawable = DRAWABLE_DEPTH[type];
    if (drawable === undefined) return;
    // The message of each class contains that of the class it extends as its first field.
    const parents = [message];
    for (let i = 0; i < drawable; i++) {
      const parent = parents[0]!.message(1);
      if (parent === undefined) return;
      parents.unshift(parent);
    }
    const [base, ...rest] = parents;
    if (SHAPES.includes(type)) {
      const shape = rest[1]!;
      // The text of a comment's box is that of the comment.
      if (type === COMMENT_BOX && message.reference(2) !== undefined) {
        return this.comment(message.reference(2));
      }
      for (const field of [4, 2]) this.text(shape.reference(field), asHeading);
      const flow = this.#archive.get(shape.reference(3));
      for (const text of flow?.references ?? []) this.text(text, asHeading);
    } else if (TABLES.includes(type)) this.#table(rest[0]!.reference(2));
    else if (type === CHART) this.#chart(message.message(10_000));
    else if (type === GROUP) { for (const child of message.references(2)) this.drawable(child); }
    else if (PICTURES.includes(type)) this.#picture(base!, message);
    for (const [field, hidden] of [[10, 12], [11, 13]] as const) {
      if (base!.number(hidden) !== 1) this.drawable(base!.reference(field));
    }
    this.comment(base!.reference(6));
  }

  #table(model: number | undefined): void {
    const source: TableSource = {
      archive: this.#archive,
      budget: this.#budget,
      richText: (id) => this.cell(id),
    };
    const table = readTable(source, model);
    if (table === undefined) return;
    writeTable(table, this.#sink, this.#budget, this.#tableLevel);
    for (const { id, place } of table.comments) this.comment(id, place);
  }

  /** Writes a picture, or the pictures of a gallery with their captions or a common one (TSA.GalleryInfo). */
  #picture(base: Message, picture: Message): void {
    const gallery = picture.message(GALLERY);
    if (gallery === undefined) return this.#sink.image(alternative(base.text(8)));
    for (const id of gallery.references(1)) {
      const item = this.#new(id)?.message;
      if (item === undefined) continue;
      this.#sink.image(alternative(item.text(9)));
      if (gallery.number(2) === CAPTION_EACH) this.text(item.reference(8));
    }
    if (gallery.number(2) === CAPTION_ALL) this.text(gallery.reference(3));
  }

  #chart(chart: Message | undefined): void {
    if (chart === undefined) return;
    const { titles, rows } = readChart(this.#archive, chart);
    for (const title of titles) this.#sink.paragraph(title);
    this.#budget.table(rows.length, Math.max(0, ...rows.map(({ length }) => length)));
    for (const row of rows) for (const cell of row) this.#budget.cell(cell);
    if (rows.length > 0) this.#sink.table(rows);
  }

  #writeNotes(): void {
    for (; this.#notes.length > 0;) {
      const notes = this.#notes;
      this.#notes = [];
      for (const { number, text } of notes) this.#sink.block(`[^${number}]: ${this.cell(text)}`);
    }
  }

  #paragraphs(text: Text, asHeading: number | undefined): void {
    const { characters } = text;
    const counts: number[] = [];
    let start = 0;
    for (const { index: end } of characters.matchAll(PARAGRAPH_END)) {
      this.#paragraph(text, start, end, counts, asHeading);
      start = end + 1;
    }
  }

  #paragraph(text: Text, start: number, end: number, counts: number[], asHeading: number | undefined): void {
    const drawables: number[] = [];
    const shown = this.#inline(text, start, end, drawables);
    const level = asHeading ?? this.#headingLevel(text.styles.at(start));
    const depth = Math.min(text.levels.at(start) ?? 0, 9);
    const label = this.#listLabels(text.lists.at(start))[depth] ?? 0;
    this.#budget.cell(shown);
    if (shown.trim() === "") counts.length = 0;
    else if (level !== undefined) this.#sink.heading(level, shown.replace(/\[\^\d+\]/g, ""));
    else if (label === 0) {
      counts.length = 0;
      this.#sink.paragraph(shown);
    } else {
      counts.length = depth + 1;
      counts[depth] = label === NUMBERED ? (counts[depth] ?? 0) + 1 : 0;
      this.#sink.item({ depth, number: label === NUMBERED ? counts[depth] : undefined, text: shown });
    }
    for (const id of drawables) this.drawable(id);
    for (const id of text.comments.between(start, end)) {
      this.comment(this.#archive.get(id)?.message.reference(1));
    }
  }

  /** Returns the text of a paragraph with links and marks of notes. Drawn objects in it are added to `drawables`. */
  #inline(text: Text, start: number, end: number, drawables: number[]): string {
    const parts: string[] = [];
    const places = [...text.links.placesIn(start, end), ...text.deleted.placesIn(start, end)];
    const bounds = [...new Set([start, ...places, end])].sort((a, b) => a - b);
    for (let i = 0; i + 1 < bounds.length; i++) {
      const [from, to] = [bounds[i]!, bounds[i + 1]!];
      if (text.deleted.at(from) !== undefined) continue;
      const before = parts.length;
      parts.push(this.#plain(text, from, to, drawables));
      link(parts, before, this.#archive.get(text.links.at(from))?.message.text(2));
    }
    return parts.join("");
  }

  #plain({ characters, attached }: Text, start: number, end: number, drawables: number[]): string {
    const slice = characters.slice(start, end);
    if (!slice.includes(ATTACHMENT) && !slice.includes(NOTE_MARK)) return lines(slice);
    let shown = "";
    for (let at = start; at < end; at++) {
      const char = characters[at]!;
      if (char !== ATTACHMENT && char !== NOTE_MARK) {
        shown += char;
        continue;
      }
      const object = this.#archive.get(attached.get(at));
      const target = object?.message.reference(object.type === NOTE ? 2 : 1);
      if (target === undefined) continue;
      if (object!.type === DRAWABLE_ATTACHMENT) drawables.push(target);
      else if (object!.type === NOTE) {
        this.#notes.push({ number: ++this.#noteCount, text: target });
        shown += `[^${this.#noteCount}]`;
      }
    }
    return lines(shown);
  }

  /** Returns the level of the headings that a paragraph style makes. Styles that differ a little from another refer to it. */
  #headingLevel(style: number | undefined): number | undefined {
    if (style === undefined) return undefined;
    if (!this.#headings.has(style)) this.#headings.set(style, this.#search(style, headingLevel));
    return this.#headings.get(style);
  }

  /** Returns the kinds of labels of a list style by level: 0 for none, {@linkcode NUMBERED}, or another. */
  #listLabels(style: number | undefined): readonly number[] {
    if (style === undefined) return [];
    let labels = this.#labels.get(style);
    if (labels === undefined) {
      labels = this.#search(style, (message) => {
        const own = message.numbers(11);
        return own.length > 0 ? own : undefined;
      }) ?? [];
      this.#labels.set(style, labels);
    }
    return labels;
  }

  /** Returns what is found in a style, or in the nearest of those that it is based on. */
  #search<Found>(style: number, find: (message: Message) => Found | undefined): Found | undefined {
    let at: number | undefined = style;
    for (let i = 0; i < DEEPEST && at !== undefined; i++) {
      const message: Message | undefined = this.#archive.get(at)?.message;
      const found = message === undefined ? undefined : find(message);
      if (found !== undefined) return found;
      at = message?.message(1)?.reference(3);
    }
    return undefined;
  }
}

const NUMBERED = 3;
const COMMENT_BOX = 2014, GROUP = 3008, CHART = 5021;
/** Field of a picture that is a gallery, and where its captions are. */
const GALLERY = 200, CAPTION_EACH = 1, CAPTION_ALL = 2;
/** Shapes with text: of texts, and the placeholders of Keynote and Numbers, whose type has the number 7 or 12. */
const SHAPES: readonly number[] = [2011, COMMENT_BOX, 7, 12, 633];
const TABLES: readonly number[] = [6000, 6007];
const PICTURES: readonly number[] = [3005, 3007];
/** Classes between the type of an object and the drawable that it extends. */
const DRAWABLE_DEPTH: Readonly<Record<number, number>> = {
  2011: 2,
  [COMMENT_BOX]: 3,
  7: 3,
  12: 3,
  633: 3,
  3005: 1,
  3007: 1,
  [GROUP]: 1,
  [CHART]: 1,
  6000: 1,
  6007: 2,
};

/** Names of the style of the largest heading without a number. */
const PLAIN_HEADING = /^(?:heading|header|überschrift|titre de section|小标题|标头)$/iu;

function headingLevel(message: Message): number | undefined {
  const style = message.message(1);
  return headingOf(style?.text(1) ?? "") ??
    headingOf((style?.text(2) ?? "").replace(/^.*paragraph-?style-(?:default-)?/s, ""));
}

/** Returns the level of the headings that a style of this name makes; `undefined` if it makes none. */
export function headingOf(name: string): number | undefined {
  const level = HEADING.exec(name)?.[1];
  if (level !== undefined) return Number(level);
  return TITLE.test(name) || PLAIN_HEADING.test(name) ? 1 : undefined;
}

function textOf(message: Message): Text {
  const table = (field: number) => new Attribute(message.message(field)?.messages(1) ?? []);
  const attached = new Map<number, number>();
  for (const field of [9, 16]) {
    for (const [at, id] of table(field).entries()) if (id !== undefined) attached.set(at, id);
  }
  return {
    characters: message.text(3),
    styles: table(5),
    lists: table(7),
    levels: new Attribute(message.message(6)?.messages(1) ?? [], (entry) => entry.number(2)),
    links: table(11),
    deleted: table(22),
    comments: table(23),
    attached,
  };
}

/** Line breaks inside of a paragraph. */
function lines(text: string): string {
  return text.replace(/[\u2028\v]/g, "\n");
}

/** The values of one attribute of a text, each from a place on until the next. */
class Attribute {
  readonly #entries: readonly (readonly [at: number, value: number | undefined])[];
  /** Index of the last entry that was found. Texts are read from their start, so that the next one is near. */
  #last = 0;

  constructor(entries: readonly Message[], value = (entry: Message) => entry.reference(2)) {
    this.#entries = entries.map((entry) => [entry.number(1) ?? 0, value(entry)] as const).sort(([a], [b]) =>
      a - b
    );
  }

  entries(): Iterable<readonly [at: number, value: number | undefined]> {
    return this.#entries;
  }

  /** Returns the value at a place. */
  at(place: number): number | undefined {
    this.#seek(place);
    const entry = this.#entries[this.#last];
    return entry === undefined || entry[0] > place ? undefined : entry[1];
  }

  /** Returns the places in a range where a value begins or ends. */
  placesIn(start: number, end: number): number[] {
    return this.#within(start, end).map(([at]) => at);
  }

  /** Returns the values that begin in a range. */
  between(start: number, end: number): number[] {
    return this.#within(start, end).flatMap(([, value]) => value ?? []);
  }

  #within(start: number, end: number): (readonly [number, number | undefined])[] {
    this.#seek(start);
    const found: (readonly [number, number | undefined])[] = [];
    for (let i = this.#last; i < this.#entries.length && this.#entries[i]![0] < end; i++) {
      if (this.#entries[i]![0] >= start) found.push(this.#entries[i]!);
    }
    return found;
  }

  #seek(place: number): void {
    if ((this.#entries[this.#last]?.[0] ?? 0) > place) this.#last = 0;
    while (this.#last + 1 < this.#entries.length && this.#entries[this.#last + 1]![0] <= place) this.#last++;
  }
}
