/**
 * Reads the tables of an iWork archive: cells in packed rows, whose texts, formats and comments stand in lists beside them.
 * Numbers of fields are those of the messages TST; the layout of cells is described by numbers-parser and SheetJS.
 * Below it: a cell in the layout since 2017 and in the one before, numbers as they are shown, and the data of charts (TSCH).
 */
import type { BlockSink } from "../markdown_builder.ts";
import { Grid, type Row, type SheetBudget } from "../office/sheet.ts";
import { viewOf } from "../types.ts";
import type { Archive, Message } from "./archive.ts";

/** Sources of a table: the archive, and the texts in its cells. */
export interface TableSource {
  readonly archive: Archive;
  readonly budget: SheetBudget;
  /** Returns a text with styles on one line. */
  richText(id: number | undefined): string;
}

export interface Table {
  /** The name, if it is shown. */
  readonly name: string;
  readonly rows: readonly Row[];
  /** The comments on cells, each with the name of its cell. */
  readonly comments: readonly { readonly id: number; readonly place: string }[];
}

const MODEL = 6001, TILE_ROWS = 256, MOST_COLUMNS = 16_384;

/** Returns the table of a model; `undefined` if there is none. */
export function readTable(source: TableSource, id: number | undefined): Table | undefined {
  const { archive, budget } = source;
  const model = archive.get(id);
  const store = model?.type === MODEL ? model.message.message(4) : undefined;
  if (model === undefined || store === undefined) return undefined;
  const lists = new Lists(source, store);
  const grid = new Grid(budget);
  const comments: { id: number; place: string }[] = [];
  const tiles = store.message(3);
  const height = tiles?.number(2) ?? TILE_ROWS;
  for (const place of tiles?.messages(1) ?? []) {
    const first = (place.number(1) ?? 0) * height;
    for (const row of archive.get(place.reference(2))?.message.messages(5) ?? []) {
      const index = first + (row.number(1) ?? 0);
      for (const [column, cell] of cellsOf(row)) {
        grid.add(index, column, lists.text(cell));
        const comment = lists.comments.get(cell.comment ?? -1)?.reference(10);
        if (comment !== undefined) comments.push({ id: comment, place: `${index + 1}:${column + 1}` });
      }
    }
  }
  const isNamed = model.message.number(22) === 1;
  return { name: isNamed ? model.message.text(8).trim() : "", rows: grid.rows(), comments };
}

/** Writes a table with its name, as a heading of a level or as a paragraph. Empty rows are left out. */
export function writeTable(
  { name, rows }: Table,
  sink: BlockSink,
  budget: SheetBudget,
  level: number | undefined,
): void {
  if (rows.length === 0) return;
  if (level === undefined) sink.paragraph(name);
  else sink.heading(level, name);
  const left = rows.reduce((least, { cells }) => Math.min(least, cells[0]!.column), Infinity);
  const right = rows.reduce((most, { cells }) => Math.max(most, cells.at(-1)!.column), 0);
  budget.table(rows.length, right - left + 1);
  sink.table(rows.map(({ cells }) => {
    const texts = new Array<string>(cells.at(-1)!.column - left + 1).fill("");
    for (const { column, text } of cells) texts[column - left] = text;
    return texts;
  }));
}

/** Yields the cells of a row. Rows of documents before 2017 have another layout, which newer ones keep beside the present one. */
function* cellsOf(row: Message): Generator<readonly [column: number, cell: Cell]> {
  const isNew = (row.bytes(6)?.length ?? 0) > 0;
  const buffer = row.bytes(isNew ? 6 : 3);
  const offsets = row.bytes(isNew ? 7 : 4);
  if (buffer === undefined || offsets === undefined) return;
  const view = viewOf(offsets);
  const unit = isNew && row.number(8) === 1 ? 4 : 1;
  for (let column = 0; 2 * column + 1 < offsets.length && column < MOST_COLUMNS; column++) {
    const offset = view.getUint16(2 * column, true);
    if (offset === 0xffff || offset * unit + 12 > buffer.length) continue;
    // A cell needs less than 200 bytes. Its end is not known without the next one.
    const bytes = buffer.subarray(offset * unit, offset * unit + 200);
    try {
      yield [column, bytes[0]! >= 5 ? readCell(bytes) : readOldCell(bytes)];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

/** A cell. Texts, formats and comments are keys of the lists of the table. */
interface Cell {
  readonly type: number;
  readonly value?: number | undefined;
  /** Seconds since 2001. */
  readonly date?: number | undefined;
  readonly text?: number | undefined;
  readonly rich?: number | undefined;
  readonly format?: number | undefined;
  readonly comment?: number | undefined;
}

/** Bits of the fields that a cell has; those of four bytes follow one another by ascending bit. */
const DECIMAL = 1, DOUBLE = 2, DATE = 4, FIRST_KEY = 3, LAST_KEY = 19;

function readCell(bytes: Uint8Array): Cell {
  const view = viewOf(bytes);
  const flags = view.getUint32(8, true);
  let at = 12;
  let value: number | undefined;
  let date: number | undefined;
  if ((flags & DECIMAL) !== 0) {
    value = decimal(bytes.subarray(at, at + 16));
    at += 16;
  }
  if ((flags & DOUBLE) !== 0) {
    value = view.getFloat64(at, true);
    at += 8;
  }
  if ((flags & DATE) !== 0) {
    date = view.getFloat64(at, true);
    at += 8;
  }
  const keys: number[] = [];
  for (let bit = FIRST_KEY; bit <= LAST_KEY; bit++) {
    if ((flags & (1 << bit)) === 0) continue;
    keys[bit] = view.getUint32(at, true);
    at += 4;
  }
  // Bit 3: text, 4: rich text, 13: number format, 14: currency, 19: comment.
  const format = bytes[1] === CURRENCY ? keys[14] ?? keys[13] : keys[13] ?? keys[14];
  return { type: bytes[1]!, value, date, text: keys[3], rich: keys[4], format, comment: keys[19] };
}

/** Reads a cell of the layouts 1 to 4, whose fields of four bytes stand before and behind the values. */
function readOldCell(bytes: Uint8Array): Cell {
  const view = viewOf(bytes);
  const isFirst = bytes[0]! <= 1;
  const flags = view.getUint32(4, true);
  let at = (isFirst ? 8 : 12) + 4 * ones(flags & (isFirst ? 0x018e : 0x0d8e));
  const key = (flag: number) => {
    if ((flags & flag) === 0) return undefined;
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const double = (flag: number) => {
    if ((flags & flag) === 0) return undefined;
    at += 8;
    return view.getFloat64(at - 8, true);
  };
  const rich = key(0x200);
  at += 4 * ones(flags & (isFirst ? 0x1000 : 0x3000));
  return {
    type: bytes[bytes[0]! >= 4 ? 1 : 2]!,
    rich,
    text: key(0x10),
    value: double(0x20),
    date: double(0x40),
  };
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Reads a decimal number of 128 bits (IEEE 754-2008, binary integer significand). */
function decimal(bytes: Uint8Array): number {
  const exponent = ((bytes[15]! & 0x7f) << 7 | bytes[14]! >> 1) - 6176;
  let digits = BigInt(bytes[14]! & 1);
  for (let i = 13; i >= 0; i--) digits = digits * 256n + BigInt(bytes[i]!);
  return Number(`${(bytes[15]! & 0x80) !== 0 ? "-" : ""}${digits}e${exponent}`);
}

/** Types of cells. */
const NUMBER = 2, TEXT = 3, DATE_CELL = 5, BOOLEAN = 6, DURATION = 7, RICH_TEXT = 9, CURRENCY = 10;

/** The lists that the cells of a table refer to by keys. */
class Lists {
  readonly #source: TableSource;
  readonly #texts: ReadonlyMap<number, Message>;
  readonly #richTexts: ReadonlyMap<number, Message>;
  readonly #formats: ReadonlyMap<number, Message | undefined>;
  readonly comments: ReadonlyMap<number, Message>;
  /** Texts with styles that were read, by their key. */
  readonly #read = new Map<number, string>();

  constructor(source: TableSource, store: Message) {
    this.#source = source;
    const list = (field: number) => readList(source.archive, store.reference(field));
    this.#texts = list(4);
    this.#richTexts = list(17);
    this.#formats = new Map(Array.from(list(22), ([key, entry]) => [key, entry.message(6)]));
    this.comments = list(19);
  }

  /** Returns what a cell shows. */
  text({ type, value = 0, date, text, rich, format }: Cell): string {
    switch (type) {
      case NUMBER:
      case CURRENCY:
        return Number.isFinite(value) ? shownNumber(value, this.#formats.get(format ?? -1)) : "";
      case TEXT:
        return this.#texts.get(text ?? -1)?.text(3) ?? "";
      case DATE_CELL:
        return shownDate(date ?? NaN);
      case BOOLEAN:
        return value > 0 ? "TRUE" : "FALSE";
      case DURATION:
        return shownDuration(value);
      case RICH_TEXT:
        return this.#rich(rich);
      default:
        return "";
    }
  }

  #rich(key: number | undefined): string {
    if (key === undefined) return "";
    let text = this.#read.get(key);
    if (text === undefined) {
      const payload = this.#source.archive.get(this.#richTexts.get(key)?.reference(9));
      text = this.#source.richText(payload?.message.reference(1));
      this.#read.set(key, text);
    }
    return text;
  }
}

/** Returns the entries of a list by key. A long list is in segments. */
function readList(archive: Archive, id: number | undefined): Map<number, Message> {
  const list = archive.get(id)?.message;
  const entries = new Map<number, Message>();
  const segments = [...new Set(list?.references(4))].map((segment) => archive.get(segment)?.message);
  for (const part of [list, ...segments]) {
    for (const entry of part?.messages(3) ?? []) entries.set(entry.number(1) ?? -1, entry);
  }
  return entries;
}

/** Number of decimal places that means: as many as needed. */
const AUTOMATIC = 253;
const MONEY = 257, PERCENT = 258, SCIENTIFIC = 259;
const SYMBOLS = new Map([["USD", "$"], ["EUR", "€"], ["GBP", "£"], ["JPY", "¥"], ["CNY", "¥"]]);

/** Returns a number as its format (TSK.FormatStructArchive) shows it: decimal places, thousands, percent, currency. */
function shownNumber(value: number, format: Message | undefined): string {
  const type = format?.number(1);
  const scaled = type === PERCENT ? value * 100 : value;
  const places = format?.number(2) ?? AUTOMATIC;
  const isExact = places > 20 || Math.abs(scaled) >= 1e15;
  if (type === SCIENTIFIC) return scaled.toExponential(isExact ? undefined : places).replace("e", "E");
  let text = isExact ? String(Number(scaled.toPrecision(15))) : scaled.toFixed(places);
  if (format?.number(5) === 1) {
    text = text.replace(/^(-?\d{1,15})(?=\.|$)/, (digits) => digits.replace(/\B(?=(?:\d{3})+$)/g, ","));
  }
  if (type === PERCENT) return `${text}%`;
  if (type !== MONEY) return text;
  const code = format?.text(3) ?? "";
  return text.replace(/^(-?)/, `$1${(SYMBOLS.get(code) ?? `${code} `).replaceAll("$", "$$$$")}`);
}

/** Returns a number of seconds as hours, minutes and seconds. */
export function shownDuration(seconds: number): string {
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 1e15) return "";
  const whole = Math.floor(Math.abs(seconds));
  const rest = Math.round((Math.abs(seconds) - whole) * 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const clock = `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return `${seconds < 0 ? "-" : ""}${clock}${rest > 0 ? `.${String(rest).padStart(3, "0")}` : ""}`;
}

/** Seconds from 1970 to 2001, from which Apple counts. */
const APPLE_EPOCH = 978_307_200;

/** Returns a date in ISO 8601 from the seconds since 2001; `undefined` if it is none. */
export function appleDate(seconds: number): string | undefined {
  const date = new Date((seconds + APPLE_EPOCH) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Returns a date, with its time unless that is midnight, from the seconds since 2001. */
export function shownDate(seconds: number): string {
  return appleDate(seconds)?.replace(/T00:00:00.*/, "").replace("T", " ").replace(/(?::00)?\.\d{3}Z$/, "") ??
    "";
}

/** A chart: its titles that are shown, and its data with the names of rows and columns. */
export interface Chart {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Most rows and columns of a chart that are read. One with more is drawn from a table that contains its data. */
const MOST_POINTS = 1000;
/** Most axes whose titles are read. Charts have up to four. */
const MOST_AXES = 10;
/** Fields that the styles of a chart and of its axes add to those of all styles. */
const OWN = 10_000;

export function readChart(archive: Archive, chart: Message): Chart {
  const own = (id: number | undefined) => archive.get(id)?.message.message(OWN);
  const title = (style: Message | undefined, isShown: number, field: number) =>
    style?.number(isShown) === 1 ? style.text(field).trim() : "";
  const axes = [16, 14].flatMap((field) => chart.references(field).slice(0, MOST_AXES)).map(own);
  const titles = [
    title(own(chart.reference(10)), 21, 23),
    ...axes.flatMap((axis) => [title(axis, 13, 15), title(axis, 14, 16)]),
  ];
  const grid = chart.message(7);
  const names = grid?.texts(1) ?? [];
  const rows = (grid?.messages(3) ?? []).slice(0, MOST_POINTS).map((row, i) => [
    names[i] ?? "",
    ...row.messages(1).slice(0, MOST_POINTS).map(shownPoint),
  ]);
  return {
    titles: [...new Set(titles)].filter((text) => text !== ""),
    rows: rows.length === 0 ? [] : [["", ...grid!.texts(2).slice(0, MOST_POINTS)], ...rows],
  };
}

/** Returns the value of a chart: a number, a date or a duration. */
function shownPoint(value: Message): string {
  const [number, duration] = [value.double(1), value.double(3)];
  const date = value.double(4) ?? value.double(2);
  if (number !== undefined) return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : "";
  return date !== undefined ? shownDate(date) : duration !== undefined ? shownDuration(duration) : "";
}
