import { joinedBytes } from "#documents/mod.ts";

/** An image of a PDF: its dictionary without `/Length`, and its data. */
export interface ScanImage {
  readonly dictionary: string;
  readonly data: Uint8Array;
}

/** A page with the images `/I0`, `/I1` … of the PDF. */
export interface ScanPage {
  /** Operators. Default: `/I0` fills the page. */
  readonly content?: string;
  readonly width: number;
  readonly height: number;
  readonly rotate?: number;
}

/** Returns a PDF whose pages draw images. Font `/F1` is Times. */
export function scanPdf(pages: readonly ScanPage[], images: readonly ScanImage[]): Uint8Array<ArrayBuffer> {
  const objects: Uint8Array[] = [];
  const add = (text: string, data?: Uint8Array) => {
    const stream = data === undefined ? [] : [latin1("\nstream\n"), data, latin1("\nendstream")];
    return objects.push(joinedBytes([latin1(text), ...stream]));
  };
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add("");
  const names = images.map(({ dictionary, data }, i) =>
    `/I${i} ${add(`<< /Type /XObject /Subtype /Image ${dictionary} /Length ${data.length} >>`, data)} 0 R`
  );
  const font = "/F1 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>";
  const kids = pages.map(({ content, width, height, rotate = 0 }) => {
    const data = latin1(content ?? `q ${width} 0 0 ${height} 0 0 cm /I0 Do Q`);
    const stream = add(`<< /Length ${data.length} >>`, data);
    return `${
      add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${rotate} /Contents ${stream} 0 R ` +
          `/Resources << /Font << ${font} >> /XObject << ${names.join(" ")} >> >> >>`,
      )
    } 0 R`;
  });
  objects[1] = latin1(`<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`);
  const parts = [latin1("%PDF-1.7\n")];
  let length = parts[0]!.length, table = "";
  for (const [i, object] of objects.entries()) {
    table += `${`${length}`.padStart(10, "0")} 00000 n \n`;
    const part = joinedBytes([latin1(`${i + 1} 0 obj\n`), object, latin1("\nendobj\n")]);
    parts.push(part);
    length += part.length;
  }
  const count = objects.length + 1;
  parts.push(latin1(
    `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\n` +
      `startxref\n${length}\n%%EOF\n`,
  ));
  return joinedBytes(parts);
}

function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
