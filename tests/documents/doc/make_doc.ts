import CFB from "cfb";

/** A paragraph with its mark and the operations on its properties. */
export interface MadeParagraph {
  /** Ends with `\r`, `\x07` or `\x0c`. */
  readonly text: string;
  readonly style?: number;
  readonly operations?: readonly number[];
}

export interface MadeDoc {
  readonly paragraphs: readonly MadeParagraph[];
  /** Paragraphs of the footnotes, one per note. */
  readonly footnotes?: readonly string[];
  readonly flags?: number;
  readonly version?: number;
  /** Further parts of the table stream by their index, and further streams. */
  readonly parts?: Readonly<Record<number, readonly number[]>>;
  readonly streams?: Readonly<Record<string, Uint8Array>>;
  /** The page of properties of characters, number 2 in the stream. */
  readonly page?: Uint8Array;
  /** Whether the text is written in Windows-1252. */
  readonly narrow?: boolean;
}

const TEXT = 2048;

/** Returns a Word document (MS-DOC) with the styles Normal, heading 1 and heading 2. */
export function makeDoc(
  {
    paragraphs,
    footnotes = [],
    flags = 0x200,
    version = 0xc1,
    narrow = false,
    parts = {},
    streams,
    page: own,
  }: MadeDoc,
) {
  const main = paragraphs.map(({ text }) => text).join("");
  const notes = footnotes.join("");
  const text = main + notes + (notes === "" ? "" : "\r");
  const width = narrow ? 1 : 2;
  const page = Math.ceil((TEXT + width * text.length) / 512);
  const stream = new Uint8Array((page + 1) * 512);
  const view = new DataView(stream.buffer);
  const table: number[] = [];
  const part = (index: number, bytes: readonly number[]) => {
    view.setUint32(0x9a + 8 * index, table.length, true);
    view.setUint32(0x9a + 8 * index + 4, bytes.length, true);
    for (const byte of bytes) table.push(byte);
  };
  view.setUint16(0, 0xa5ec, true);
  view.setUint16(2, version, true);
  view.setUint16(10, flags, true);
  view.setUint32(0x4c, main.length, true);
  view.setUint32(0x50, notes.length, true);
  view.setUint16(0x98, 93, true);
  for (let i = 0; i < text.length; i++) {
    if (narrow) stream[TEXT + i] = text.charCodeAt(i);
    else view.setUint16(TEXT + 2 * i, text.charCodeAt(i), true);
  }
  part(1, styleSheet());
  if (footnotes.length > 0) {
    const places = Array.from(main, (char, i) => char === "\x02" ? i : -1).filter((i) => i >= 0);
    part(2, [...[...places, main.length].flatMap(long), ...places.flatMap(() => [0, 0])]);
    let at = 0;
    part(3, [0, ...footnotes.map((note) => at += note.length), at + 1].flatMap(long));
  }
  part(13, [...long(TEXT), ...long(TEXT + width * text.length), ...long(page)]);
  part(33, [
    2,
    ...long(16),
    ...long(0),
    ...long(text.length),
    0,
    0,
    ...long(narrow ? 0x40000000 | TEXT * 2 : TEXT),
    0,
    0,
  ]);
  if (own !== undefined) stream.set(own, 1024);
  for (const [index, bytes] of Object.entries(parts)) part(Number(index), bytes);
  propertiesPage(stream.subarray(page * 512), paragraphs, width);
  return compound({ WordDocument: stream, "1Table": Uint8Array.from(table), ...streams });
}

/** Returns a compound file with these streams. */
export function compound(streams: Readonly<Record<string, Uint8Array>>): Uint8Array<ArrayBuffer> {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) {
    CFB.utils.cfb_add(container, `/${name}`, content);
  }
  return Uint8Array.from(CFB.write(container, { type: "array" }) as ArrayLike<number>);
}

function propertiesPage(page: Uint8Array, paragraphs: readonly MadeParagraph[], width: number): void {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const count = paragraphs.length;
  page[511] = count;
  let at = TEXT;
  let free = 510;
  for (const [i, { text, style = 0, operations = [] }] of paragraphs.entries()) {
    view.setUint32(4 * i, at, true);
    at += width * text.length;
    const bytes = [style, 0, ...operations];
    if (bytes.length % 2 === 0) bytes.push(0);
    free = (free - bytes.length - 1) & ~1;
    page[4 * (count + 1) + 13 * i] = free / 2;
    page.set([(bytes.length + 1) / 2, ...bytes], free);
  }
  view.setUint32(4 * count, at, true);
}

function styleSheet(): number[] {
  const style = (builtIn: number, name: string) => {
    const bytes = [
      ...[builtIn, 0xfff1, 0, 0, 0].flatMap(short),
      ...short(name.length),
      ...Array.from(name).flatMap((char) => short(char.charCodeAt(0))),
      0,
      0,
    ];
    return [...short(bytes.length), ...bytes];
  };
  const styles = [style(0, "Normal"), style(1, "heading 1"), style(2, "heading 2")];
  return [...[4, styles.length, 10].flatMap(short), ...styles.flat()];
}

export function short(value: number): number[] {
  return [value & 0xff, value >> 8 & 0xff];
}

export function long(value: number): number[] {
  return [...short(value), ...short(value >>> 16)];
}
