import { joinedBytes } from "#documents/mod.ts";

/** A page of a PDF made by a test. */
export interface TestPage {
  /** Operators in Latin-1. */
  readonly content: string;
  readonly width?: number;
  readonly height?: number;
  readonly rotate?: number;
  /** Dictionaries of annotations, such as `<< /Subtype /Link … >>`. */
  readonly annotations?: readonly string[];
}

/** A PDF made by a test. */
export interface TestPdf {
  readonly pages: readonly (string | TestPage)[];
  /** Values of the information dictionary in PDF syntax. */
  readonly info?: Readonly<Record<string, string>>;
  /** The XMP of the document, in Latin-1. */
  readonly xmp?: string;
  /** Fonts by name, besides F1 Times, F2 Times bold, F3 Times italic and F4 Courier. */
  readonly fonts?: Readonly<Record<string, string>>;
  /** Bookmarks with their target page, counted from 0, and their children. */
  readonly outline?: readonly TestBookmark[];
  /** Encrypts strings and streams by the number of their object, and adds entries to the trailer. */
  readonly encrypt?: { readonly dictionary: string; readonly id: string; readonly cipher: Cipher };
  /** Value of /Count in the page tree, to test a wrong one. */
  readonly count?: number;
}

/** Encrypts the bytes of an object. */
export type Cipher = (data: Uint8Array, object: number) => Uint8Array<ArrayBuffer>;

/** A bookmark of the outline. */
export interface TestBookmark {
  readonly title: string;
  readonly page: number;
  readonly children?: readonly TestBookmark[];
}

/** Returns the bytes of a PDF 1.7 with its cross-reference table. */
export function makePdf(
  { pages, info = {}, xmp, fonts = {}, outline = [], encrypt, count }: TestPdf,
): Uint8Array<ArrayBuffer> {
  const objects: (string | Uint8Array)[] = [];
  const add = (object: string | Uint8Array) => objects.push(object);
  const reserve = () => add("");
  const catalog = reserve(), tree = reserve();
  const standard: Record<string, string> = {
    F1: "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>",
    F2: "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Bold /Encoding /WinAnsiEncoding >>",
    F3: "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Italic /Encoding /WinAnsiEncoding >>",
    F4: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
  };
  const resources = add(
    `<< /Font << ${
      Object.entries({ ...standard, ...fonts }).map(([name, font]) => `/${name} ${add(font)} 0 R`).join(" ")
    } >> >>`,
  );
  const leaves = pages.map((page) => {
    const { content, width = 600, height = 800, rotate = 0, annotations = [] } = typeof page === "string"
      ? { content: page }
      : page;
    let data = latin1(content);
    const stream = objects.length + 1;
    if (encrypt !== undefined) data = encrypt.cipher(data, stream);
    add(joinedBytes([latin1(`<< /Length ${data.length} >>\nstream\n`), data, latin1("\nendstream")]));
    const annots = annotations.map((annotation) => `${add(annotation)} 0 R`).join(" ");
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${rotate} ` +
        `/Resources ${resources} 0 R /Contents ${stream} 0 R /Annots [${annots}] >>`,
    );
  });
  objects[tree - 1] = `<< /Type /Pages /Kids [${leaves.map((leaf) => `${leaf} 0 R`).join(" ")}] /Count ${
    count ?? leaves.length
  } >>`;
  let outlines = "";
  if (outline.length > 0) {
    const root = reserve();
    objects[root - 1] = `<< ${bookmarks(outline, root)} >>`;
    outlines = `/Outlines ${root} 0 R`;
  }
  const about = xmp === undefined
    ? ""
    : `/Metadata ${
      add(`<< /Type /Metadata /Subtype /XML /Length ${xmp.length} >>\nstream\n${xmp}\nendstream`)
    } 0 R`;
  objects[catalog - 1] = `<< /Type /Catalog /Pages ${tree} 0 R ${outlines} ${about} >>`;
  const description = add(
    `<< ${Object.entries(info).map(([key, value]) => `/${key} ${value}`).join(" ")} >>`,
  );

  const parts: Uint8Array[] = [latin1("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const write = (bytes: Uint8Array) => {
    parts.push(bytes);
    length += bytes.length;
  };
  objects.forEach((object, i) => {
    offsets.push(length);
    write(
      joinedBytes([
        latin1(`${i + 1} 0 obj\n`),
        typeof object === "string" ? latin1(object) : object,
        latin1("\nendobj\n"),
      ]),
    );
  });
  const start = length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const secret = encrypt === undefined
    ? ""
    : `/Encrypt ${encrypt.dictionary} /ID [${encrypt.id} ${encrypt.id}]`;
  write(latin1(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n` +
      `<< /Size ${objects.length + 1} /Root ${catalog} 0 R /Info ${description} 0 R ${secret} >>\n` +
      `startxref\n${start}\n%%EOF\n`,
  ));
  return joinedBytes(parts);

  /** Writes bookmarks and their children. Returns the entries of their parent. */
  function bookmarks(entries: readonly TestBookmark[], parent: number): string {
    const numbers = entries.map(reserve);
    entries.forEach(({ title, page, children = [] }, i) => {
      const number = numbers[i]!;
      const near = `${i > 0 ? `/Prev ${numbers[i - 1]} 0 R` : ""} ${
        i + 1 < numbers.length ? `/Next ${numbers[i + 1]} 0 R` : ""
      }`;
      const inner = children.length === 0 ? "" : bookmarks(children, number);
      objects[number - 1] = `<< /Title (${title}) /Parent ${parent} 0 R /Dest [${
        leaves[page]
      } 0 R /Fit] ${near} ${inner} >>`;
    });
    return `/First ${numbers[0]} 0 R /Last ${numbers.at(-1)} 0 R /Count ${numbers.length}`;
  }
}

/** Returns operators that draw lines of text below each other. `text` is escaped. */
export function lines(
  texts: readonly string[],
  { x = 72, y = 720, size = 10, leading = 12, font = "F1" } = {},
): string {
  return texts.map((text, i) =>
    `BT /${font} ${size} Tf ${x} ${y - i * leading} Td (${escaped(text)}) Tj ET\n`
  ).join("");
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, "\\$&");
}

function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** A font with a predefined encoding that is not embedded. */
export function cidFont(encoding: string, ordering: string): string {
  return `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [ << /Type /Font ` +
    `/Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) ` +
    `/Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /Song /Flags 4 /ItalicAngle 0 ` +
    `/Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 /FontBBox [0 -200 1000 900] >> >> ] >>`;
}
